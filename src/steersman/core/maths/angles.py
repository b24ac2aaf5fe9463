"""Angles [rad] brought to (-pi, pi], and the edge of a field of view."""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import TWO, ZERO
from steersman.core.typing import Array

PI = np.float32(math.pi)
PI_REST = np.float32(math.pi - float(PI))
PI_LAST = np.float32(math.pi - float(PI) - float(PI_REST))
"""Pi in three parts of type float32. Their sum has all digits of a float64 in expressions of that type; in expressions of
float32 it is the nearest float32, and nothing is promoted."""

EVERYTHING = -2.0
"""The edge of a field of view all around: smaller than the signed square of any cosine, also of a rounded one."""

ROUNDING = 1e-15


@kernel
def pi_like(angle: Any) -> Any:
    """Pi in the type of a finite angle."""
    return angle * ZERO + PI + PI_REST + PI_LAST


@kernel
def wrap_angle(angle: Any) -> Any:
    """The same direction as an angle in (-pi, pi]; an angle in this range is returned unchanged."""
    pi = pi_like(angle)
    if -pi < angle <= pi:
        return angle
    turns = np.rint(angle / (TWO * pi))
    wrapped = angle - turns * (TWO * PI) - turns * (TWO * PI_REST) - turns * (TWO * PI_LAST)
    if wrapped <= -pi or wrapped > pi:  # Rounding has moved an angle at the cut across it.
        return pi
    return wrapped


def wrap_angles(angles: Any) -> Array:
    """`wrap_angle` for arrays: finite angles [rad] of any shape, as new values in (-pi, pi] in their dtype."""
    values = np.asarray(angles)
    values = values if values.dtype.kind == "f" else values.astype(np.float64)
    pi = values.dtype.type(math.pi)
    turns = np.rint(values / (2 * pi))
    wrapped: Array = values
    for part in (PI, PI_REST, PI_LAST):
        wrapped = wrapped - turns * values.dtype.type(2 * part)
    on_the_cut = (wrapped <= -pi) | (wrapped > pi)
    wrapped = np.where(on_the_cut, pi, wrapped)
    return np.where((-pi < values) & (values <= pi), values, wrapped)


def cosine_edge(angle: float) -> float:
    """The edge of a field of view, for a test without a square root.

    With r the offset of a neighbor and f the unit forward vector, and c the cosine of half the angle, the neighbor is
    seen when

        (r . f) |r . f| >= sign(c) c**2 |r|**2

    Args:
        angle: Full field of view [rad].

    Returns:
        sign(c) c**2, less a rounding error, so that a neighbor exactly on the edge is seen; -2 when the angle is 2 pi
        or more, so that everything is.
    """
    if angle >= 2 * math.pi:
        return EVERYTHING
    c = math.sin((math.pi - angle) / 2)  # The cosine of angle / 2, exactly zero at pi.
    return math.copysign(c * c, c) - ROUNDING

"""How tight the bends of a route are: those of `environment/paths/bends.py`, one run of corners at a time.

A run begins at the place that the vehicle heads for. As it is followed on, its turn and its length grow; the arc that counts
is that of the run with the smallest radius:

    R = length / turn + cut / (1 / cos(turn / 2) - 1)
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.paths import bends
from steersman.core.environment.routes.route_map import Guide
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import HALF, INFINITE, NOISE, ONE, ZERO, dot
from steersman.core.typing import Vector

STRAIGHT = np.float32(1e-3)
"""The turn [rad] below which a route counts as straight."""

STEEPEST = np.float32(bends.STEEPEST)


@kernel
def begin_bend(guide: Guide, i: int) -> None:
    """Forget the bend that is known."""
    guide.bend[i], guide.before[i] = INFINITE, INFINITE


@kernel
def bend_on(guide: Guide, i: int, first: Vector, after: Vector, length: Any, cut: Any) -> None:
    """Note the run of corners between two directions, if its arc is the tightest so far.

    Args:
        guide: The answers.
        i: The row.
        first: The way to where the run begins [m].
        after: The direction in which it ends, of any length.
        length: How long it is [m].
        cut: How far the vehicle may leave it [m].
    """
    turn = math.atan2(abs(first[0] * after[1] - first[1] * after[0]), dot(first, after))
    if not turn > STRAIGHT:
        return
    cosine: Any = np.cos(HALF * turn)
    radius: Any = length / turn + cut * cosine / max(ONE - cosine, NOISE)
    if radius < guide.bend[i]:
        steep: Any = min(turn, STEEPEST)
        part = radius * math.tan(HALF * steep) - HALF * length
        guide.bend[i] = radius
        guide.before[i] = max(math.sqrt(dot(first, first)) - max(part, ZERO), ZERO)

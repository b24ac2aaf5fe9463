"""Segments: the nearest points of two segments, for bodies that are longer than wide."""

from typing import Any

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, dot
from steersman.core.typing import Vector


@kernel
def within(part: Any) -> Any:
    """A part of a half axis, limited to the segment: from its back end (-1) to its front end (1)."""
    return min(max(part, -ONE), ONE)


@kernel
def nearest_parts(away: Vector, u: Vector, v: Vector, parallel: Any) -> tuple[Any, Any]:
    """The nearest points of two segments, as parts of their half axes u and v [m].

    `away` leads from the middle of the second segment to that of the first [m]. Axes count as parallel if the squared sine of
    the angle between them is at most `parallel`. Ericson 2005, "Real-Time Collision Detection", 5.1.9.
    """
    a, b, e, c, f = dot(u, u), dot(u, v), dot(v, v), dot(u, away), dot(v, away)
    s, t, slant = a * ZERO, a * ZERO, a * e - b * b
    if slant > parallel * a * e:
        s = within((b * f - c * e) / slant)
    elif a > ZERO and not e > ZERO:
        s = within(-c / a)
    if e > ZERO:
        ahead = (f + b * s) / e
        t = within(ahead)
        if t != ahead and a > ZERO:
            s = within((b * t - c) / a)
    return s, t

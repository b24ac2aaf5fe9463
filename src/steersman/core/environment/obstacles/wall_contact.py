"""Kernels of walls: the first contacts of rays and moving balls, and the nearest points."""

import math
from typing import Any

import numpy as np

from steersman.core.environment.box_tree import BOTH, INSIDE
from steersman.core.environment.obstacles.contact import never, touch_segment
from steersman.core.environment.obstacles.searching import Ball
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import (
    INFINITE,
    ONE,
    ZERO,
    add_scaled,
    dot,
    length,
    normalize,
    scale,
    subtract,
    vector_of,
)
from steersman.core.typing import Array, Vector

ON_IT = np.float32(1e-6)
"""A point nearer to a surface than this part of the lengths that the distance was made from is on it."""


@kernel
def front_of(rows: Array, k: int, s: Any, like: Vector) -> Vector:
    """The normal of the front at a place on a wall: of the wall, or of the corner at either end."""
    if s <= ZERO:
        return vector_of(rows, k, 7, like)
    return vector_of(rows, k, 9, like) if s >= rows[k, 4] else vector_of(rows, k, 5, like)


@kernel
def touch_wall(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a wall [m], and the normal there."""
    place, forward = ball.place, ball.forward
    way = subtract(place, vector_of(rows, k, 0, place))
    distance, s, normal = touch_segment(way, forward, vector_of(rows, k, 2, place), rows[k, 4], ball.radius)
    sign = -ONE if side == INSIDE else ONE
    if dot(normal, normal) == ZERO and distance < INFINITE:  # On the wall.
        normal = scale(front_of(rows, k, s, place), sign)
        if side == BOTH and dot(normal, forward) > ZERO:
            normal = scale(normal, -ONE)
        if rows[k, 4] == ZERO:
            normal = scale(forward, -ONE)
        if not dot(normal, forward) < ZERO:
            return never(forward)
    elif side != BOTH and sign * dot(normal, front_of(rows, k, s, place)) < ZERO:
        return never(forward)
    return distance, normal


@kernel
def distance_from_wall(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a wall is, the signed distance from it [m], and the direction in which that grows."""
    way, tangent = subtract(place, vector_of(rows, k, 0, place)), vector_of(rows, k, 2, place)
    s = min(max(dot(way, tangent), ZERO), rows[k, 4])
    off = add_scaled(way, tangent, -s)
    size = math.sqrt(dot(off, off))
    distance, normal = signed_distance(off, size, ON_IT * length(way), front_of(rows, k, s, place), rows[k, 11])
    return size, distance, normal


@kernel
def signed_distance(off: Vector, size: Any, blur: Any, front: Vector, closed: Any) -> tuple[Any, Vector]:
    """The distance of a point from a surface [m], negative behind a closed one, and the direction in which it grows.

    Args:
        off: The way from the nearest point of the surface [m].
        size: Its length.
        blur: A point no farther off than this is on the surface: which way it is off is rounding alone.
        front: The normal of the surface there.
        closed: Whether there is an inside.
    """
    behind = closed > ZERO and dot(off, front) < ZERO
    normal = front if size <= blur else normalize(scale(off, -ONE) if behind else off)
    return -size if behind else size, normal

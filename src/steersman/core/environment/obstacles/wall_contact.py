"""Kernels of walls: the first contacts of rays and moving balls, and the nearest points."""

import math
from typing import Any

import numpy as np

from steersman.core.environment.box_tree import BOTH, INSIDE
from steersman.core.environment.obstacles.contact import never, touch_segment
from steersman.core.environment.obstacles.searching import Ball
from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.typing import Array, Vector

ON_IT = np.float32(1e-6)
"""A point nearer to a surface than this part of the lengths that the distance was made from is on it."""


@kernel
def front_of(rows: Array, k: int, s: Any, like: Vector) -> Vector:
    """The normal of the front at a place on a wall: of the wall, or of the corner at either end."""
    if s <= v.ZERO:
        return v.vector_of(rows, k, 7, like)
    return v.vector_of(rows, k, 9, like) if s >= rows[k, 4] else v.vector_of(rows, k, 5, like)


@kernel
def touch_wall(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a wall [m], and the normal there."""
    place, forward = ball.place, ball.forward
    way = v.subtract(place, v.vector_of(rows, k, 0, place))
    distance, s, normal = touch_segment(way, forward, v.vector_of(rows, k, 2, place), rows[k, 4], ball.radius)
    sign = -v.ONE if side == INSIDE else v.ONE
    if v.dot(normal, normal) == v.ZERO and distance < v.INFINITE:  # On the wall.
        normal = v.scale(front_of(rows, k, s, place), sign)
        if side == BOTH and v.dot(normal, forward) > v.ZERO:
            normal = v.scale(normal, -v.ONE)
        if rows[k, 4] == v.ZERO:
            normal = v.scale(forward, -v.ONE)
        if not v.dot(normal, forward) < v.ZERO:
            return never(forward)
    elif side != BOTH and sign * v.dot(normal, front_of(rows, k, s, place)) < v.ZERO:
        return never(forward)
    return distance, normal


@kernel
def distance_from_wall(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a wall is, the signed distance from it [m], and the direction in which that grows."""
    way, tangent = v.subtract(place, v.vector_of(rows, k, 0, place)), v.vector_of(rows, k, 2, place)
    s = min(max(v.dot(way, tangent), v.ZERO), rows[k, 4])
    off = v.add_scaled(way, tangent, -s)
    size = math.sqrt(v.dot(off, off))
    blur = ON_IT * v.length(way) + v.rounding(v.length(place))
    distance, normal = signed_distance(off, size, blur, front_of(rows, k, s, place), rows[k, 11])
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
    behind = closed > v.ZERO and v.dot(off, front) < v.ZERO
    normal = front if size <= blur else v.normalize(v.scale(off, -v.ONE) if behind else off)
    return -size if behind else size, normal

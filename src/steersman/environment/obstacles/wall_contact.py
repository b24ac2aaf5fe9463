"""Kernels of walls: what rays and moving balls meet first, and what is nearest."""

import math
from typing import Any

import numpy as np

from steersman.environment.box_tree import (
    BOTH,
    INSIDE,
    Boxed,
    count_of,
    first_row,
    image,
    images_ahead,
    images_near,
    inverse_of,
    limited,
    next_leaf_along,
    next_leaf_near,
)
from steersman.environment.obstacles.contact import keep_hit, keep_nearest, never, touch_segment
from steersman.environment.obstacles.obstacle import Hits, Nearest, Rays
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import (
    INFINITE,
    ONE,
    ZERO,
    Array,
    Columns,
    Vector,
    add_scaled,
    dot,
    length,
    load,
    normalize,
    scale,
    subtract,
)

ON_IT = np.float32(1e-6)
"""A point nearer to a surface than this part of the lengths that the distance was made from is on it."""


@kernel
def pair(rows: Array, k: int, at: int) -> Vector:
    """A vector out of a row."""
    return (rows[k, at], rows[k, at + 1])


@kernel
def front_of(rows: Array, k: int, s: Any) -> Vector:
    """The normal of the front at a place on a wall: of the wall, or of the corner at either end."""
    if s <= ZERO:
        return pair(rows, k, 7)
    return pair(rows, k, 9) if s >= rows[k, 4] else pair(rows, k, 5)


@kernel
def cast_walls(start: int, stop: int, rays: Rays, active: Array, wrap: Array, parts: Boxed, hits: Hits) -> None:
    """What thick rays hit first."""
    for i in range(start, stop):
        if not active[i]:
            continue
        place, forward, radius = load(rays.origin, i), load(rays.direction, i), rays.radius[i]
        inverses, far = inverse_of(forward), limited(rays.reach[i], wrap)
        images = images_ahead(place, forward, far, radius, parts.boxes, wrap)
        for turn in range(count_of(images)):
            near, node, trail = image(place, images, turn, wrap), 1, 0
            while node > 0:
                best = min(far, hits.distance[i])
                leaf, node, trail = next_leaf_along(parts.boxes, near, inverses, radius, best, node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    distance, normal = touch_wall(near, forward, parts.rows, k, radius, parts.side)
                    if distance <= far:
                        keep_hit(hits, i, distance, normal, parts.order[k])


@kernel
def touch_wall(place: Vector, forward: Vector, rows: Array, k: int, radius: Any, side: int) -> tuple[Any, Vector]:
    """When a ball touches a wall [m], and the normal there."""
    way = subtract(place, pair(rows, k, 0))
    distance, s, normal = touch_segment(way, forward, pair(rows, k, 2), rows[k, 4], radius)
    sign = -ONE if side == INSIDE else ONE
    if dot(normal, normal) == ZERO and distance < INFINITE:  # On the wall.
        normal = scale(front_of(rows, k, s), sign)
        if side == BOTH and dot(normal, forward) > ZERO:
            normal = scale(normal, -ONE)
        if rows[k, 4] == ZERO:
            normal = scale(forward, -ONE)
        if not dot(normal, forward) < ZERO:
            return never(forward)
    elif side != BOTH and sign * dot(normal, front_of(rows, k, s)) < ZERO:
        return never(forward)
    return distance, normal


@kernel
def nearest_walls(
    start: int, stop: int, points: Columns, reach: Array, active: Array, wrap: Array, parts: Boxed, nearest: Nearest
) -> None:
    """The walls nearest to points. Inside a ring what counts is how far its walls are, whatever else is near."""
    for i in range(start, stop):
        if not active[i]:
            continue
        place, best, which = load(points, i), INFINITE + reach[i], -1
        distance, normal = best, place
        images = images_near(place, reach[i], parts.boxes, wrap)
        for turn in range(count_of(images)):
            near, node, trail = image(place, images, turn, wrap), 1, 0
            while node > 0:
                leaf, node, trail = next_leaf_near(parts.boxes, near, min(best, reach[i]), node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    way, tangent = subtract(near, pair(parts.rows, k, 0)), pair(parts.rows, k, 2)
                    s = min(max(dot(way, tangent), ZERO), parts.rows[k, 4])
                    off = add_scaled(way, tangent, -s)
                    size = math.sqrt(dot(off, off))
                    if size <= reach[i] and (size < best or (size == best and parts.order[k] < which)):
                        best, which = size, parts.order[k]
                        front, blur = front_of(parts.rows, k, s), ON_IT * length(way)
                        distance, normal = signed_distance(off, size, blur, front, parts.rows[k, 11])
        if which >= 0:
            keep_nearest(nearest, i, distance, normal, which)


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

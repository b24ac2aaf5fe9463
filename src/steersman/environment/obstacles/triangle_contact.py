"""Kernels of triangles: what rays and moving balls meet first, and what is nearest."""

import math
from typing import Any

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
from steersman.environment.obstacles.contact import BLUR, SLIT, keep_hit, keep_nearest, never, touch_segment
from steersman.environment.obstacles.obstacle import Hits, Nearest, Rays
from steersman.environment.obstacles.wall_contact import ON_IT, signed_distance
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import (
    INFINITE,
    ONE,
    ZERO,
    Array,
    Columns,
    Vector,
    add,
    add_scaled,
    cross,
    direction_or,
    dot,
    length,
    load,
    normalize,
    scale,
    subtract,
)

FACE, EDGES, CORNERS = 3, 4, 7
"""Where in a row, in vectors, normals lie: of the face, of the edges ab, bc, ca, of the corners a, b, c."""


@kernel
def vector(rows: Array, k: int, at: int) -> Vector:
    """A vector out of a row: corner 0, 1 or 2, or a normal."""
    return (rows[k, 3 * at], rows[k, 3 * at + 1], rows[k, 3 * at + 2])


@kernel
def cast_triangles(start: int, stop: int, rays: Rays, active: Array, wrap: Array, parts: Boxed, hits: Hits) -> None:
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
                leaf, node, trail = next_leaf_along(
                    parts.boxes, near, inverses, radius, min(far, hits.distance[i]), node, trail
                )
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    best = min(far, hits.distance[i])
                    distance, normal = touch_triangle(near, forward, parts.rows, k, radius, parts.side, best)
                    if distance <= best:
                        keep_hit(hits, i, distance, normal, parts.order[k])


@kernel
def touch_triangle(
    place: Vector, forward: Vector, rows: Array, k: int, radius: Any, side: int, best: Any
) -> tuple[Any, Vector]:
    """When a ball touches a triangle [m], and the normal there; what is later than `best` may be left out."""
    normal = vector(rows, k, FACE)
    height, rate = dot(subtract(place, vector(rows, k, 0)), normal), dot(forward, normal)
    if height < ZERO or (height == ZERO and rate > ZERO):
        height, rate, normal = -height, -rate, scale(normal, -ONE)
    behind = dot(normal, vector(rows, k, FACE)) < ZERO
    hidden = side != BOTH and behind == (side != INSIDE)
    if height <= radius:
        near, feature = nearest_on(place, rows, k)
        off = subtract(place, near)
        if dot(off, off) <= radius * radius:
            away = direction_or(off, BLUR * length(subtract(place, vector(rows, k, 0))), normal)
            if not dot(away, forward) < ZERO or is_hidden(away, rows, k, feature, side, hidden):
                return never(forward)
            return ZERO * radius, away
    elif rate >= ZERO or height - radius > -rate * best:
        return never(forward)
    else:
        distance = (height - radius) / -rate
        touch = add_scaled(add_scaled(place, forward, distance), normal, -radius)
        if is_over(touch, rows, k, distance):
            return (INFINITE + radius if hidden else distance), normal
    if radius == ZERO:
        return never(forward)
    return touch_edges(place, forward, rows, k, radius, side, hidden)


@kernel
def is_hidden(away: Vector, rows: Array, k: int, feature: int, side: int, hidden: bool) -> Any:
    """Whether a contact is on the side from which the surface is not seen."""
    if side == BOTH:
        return False
    if feature == FACE:
        return hidden
    front = dot(away, vector(rows, k, feature))
    return front > ZERO if side == INSIDE else front < ZERO


@kernel
def touch_edges(
    place: Vector, forward: Vector, rows: Array, k: int, radius: Any, side: int, hidden: bool
) -> tuple[Any, Vector]:
    """When a ball touches the edges of a triangle [m], and the normal there."""
    best, normal = never(forward)
    for e in range(3):
        begin = vector(rows, k, e)
        way = subtract(vector(rows, k, (e + 1) % 3), begin)
        size = math.sqrt(dot(way, way))
        distance, s, away = touch_segment(subtract(place, begin), forward, normalize(way), size, radius)
        feature = EDGES + e
        if s <= ZERO:
            feature = CORNERS + e
        elif s >= size:
            feature = CORNERS + (e + 1) % 3
        if distance < best and not is_hidden(away, rows, k, feature, side, hidden):
            best, normal = distance, away
    return best, normal


@kernel
def is_over(place: Vector, rows: Array, k: int, distance: Any) -> bool:
    """Whether a point of the plane lies in the triangle, or no farther from it than rounding goes."""
    normal = vector(rows, k, FACE)
    for e in range(3):
        begin = vector(rows, k, e)
        way = subtract(vector(rows, k, (e + 1) % 3), begin)
        size = math.sqrt(dot(way, way))
        if dot(cross(way, subtract(place, begin)), normal) < -SLIT * size * (size + distance):
            return False
    return True


@kernel
def nearest_on(place: Vector, rows: Array, k: int) -> tuple[Vector, int]:
    """The point of a triangle nearest to a place [m], and whether it lies on the face, an edge or a corner.

    The regions of corners and edges are told apart by scalar products alone (Ericson 2005, "Real-Time Collision
    Detection", 5.1.5).
    """
    a, b, c = vector(rows, k, 0), vector(rows, k, 1), vector(rows, k, 2)
    ab, ac, ap = subtract(b, a), subtract(c, a), subtract(place, a)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= ZERO and d2 <= ZERO:
        return a, CORNERS
    bp = subtract(place, b)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    if d3 >= ZERO and d4 <= d3:
        return b, CORNERS + 1
    cp = subtract(place, c)
    d5, d6 = dot(ab, cp), dot(ac, cp)
    if d6 >= ZERO and d5 <= d6:
        return c, CORNERS + 2
    vc = d1 * d4 - d3 * d2
    if vc <= ZERO and d1 >= ZERO and d3 <= ZERO:
        return add_scaled(a, ab, d1 / (d1 - d3)), EDGES
    va = d3 * d6 - d5 * d4
    if va <= ZERO and d4 >= d3 and d5 >= d6:
        return add_scaled(b, subtract(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6))), EDGES + 1
    vb = d5 * d2 - d1 * d6
    if vb <= ZERO and d2 >= ZERO and d6 <= ZERO:
        return add_scaled(a, ac, d2 / (d2 - d6)), EDGES + 2
    whole = ONE / (va + vb + vc)
    return add(a, add_scaled(scale(ab, vb * whole), ac, vc * whole)), FACE


@kernel
def nearest_triangles(
    start: int, stop: int, points: Columns, reach: Array, active: Array, wrap: Array, parts: Boxed, nearest: Nearest
) -> None:
    """The triangles nearest to points. Inside a closed mesh what counts is how far its surface is, whatever else is near."""
    for i in range(start, stop):
        if not active[i]:
            continue
        place, best, which, row, feature = load(points, i), INFINITE + reach[i], -1, 0, 0
        offset = place
        images = images_near(place, reach[i], parts.boxes, wrap)
        for turn in range(count_of(images)):
            near, node, trail = image(place, images, turn, wrap), 1, 0
            while node > 0:
                leaf, node, trail = next_leaf_near(parts.boxes, near, min(best, reach[i]), node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    spot, kind = nearest_on(near, parts.rows, k)
                    off = subtract(near, spot)
                    size = math.sqrt(dot(off, off))
                    if size <= reach[i] and (size < best or (size == best and parts.order[k] < which)):
                        best, which, row, feature, offset = size, parts.order[k], k, kind, off
        if which >= 0:
            front = vector(parts.rows, row, feature)
            blur = ON_IT * (length(place) + length(vector(parts.rows, row, 0)))
            distance, normal = signed_distance(offset, best, blur, front, parts.rows[row, 30])
            keep_nearest(nearest, i, distance, normal, which)

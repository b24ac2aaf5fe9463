"""Kernels of triangles: the first contacts of rays and moving balls, and the nearest points."""

import math
from typing import Any

from steersman.core.environment.box_tree import BOTH, INSIDE
from steersman.core.environment.obstacles.contact import BLUR, SLIT, never, touch_segment
from steersman.core.environment.obstacles.searching import Ball
from steersman.core.environment.obstacles.wall_contact import ON_IT, signed_distance
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import (
    INFINITE,
    ONE,
    ZERO,
    add,
    add_scaled,
    cross,
    direction_or,
    dot,
    length,
    normalize,
    scale,
    subtract,
    vector_of,
)
from steersman.core.typing import Array, Vector

A, B, C = 0, 3, 6
"""Where in a row corners lie."""

FACE, EDGES, CORNERS = 9, 12, 21
"""Where in a row normals lie: of the face, of the edges ab, bc, ca, of the corners a, b, c."""


@kernel
def touch_triangle(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a triangle [m], and the normal there."""
    place, forward, radius, best = ball.place, ball.forward, ball.radius, ball.best
    normal = vector_of(rows, k, FACE, place)
    height, rate = dot(subtract(place, vector_of(rows, k, A, place)), normal), dot(forward, normal)
    if height < ZERO or (height == ZERO and rate > ZERO):
        height, rate, normal = -height, -rate, scale(normal, -ONE)
    behind = dot(normal, vector_of(rows, k, FACE, place)) < ZERO
    hidden = side != BOTH and behind == (side != INSIDE)
    if height <= radius:
        near, feature = nearest_on(place, rows, k)
        off = subtract(place, near)
        if dot(off, off) <= radius * radius:
            away = direction_or(off, BLUR * length(subtract(place, vector_of(rows, k, A, place))), normal)
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
    front = dot(away, vector_of(rows, k, feature, away))
    return front > ZERO if side == INSIDE else front < ZERO


@kernel
def touch_edges(
    place: Vector, forward: Vector, rows: Array, k: int, radius: Any, side: int, hidden: bool
) -> tuple[Any, Vector]:
    """When a ball touches the edges of a triangle [m], and the normal there."""
    best, normal = never(forward)
    for e in range(3):
        begin = vector_of(rows, k, 3 * e, place)
        way = subtract(vector_of(rows, k, (3 * e + 3) % 9, place), begin)
        size = math.sqrt(dot(way, way))
        distance, s, away = touch_segment(subtract(place, begin), forward, normalize(way), size, radius)
        feature = EDGES + 3 * e
        if s <= ZERO:
            feature = CORNERS + 3 * e
        elif s >= size:
            feature = CORNERS + (3 * e + 3) % 9
        if distance < best and not is_hidden(away, rows, k, feature, side, hidden):
            best, normal = distance, away
    return best, normal


@kernel
def is_over(place: Vector, rows: Array, k: int, distance: Any) -> bool:
    """Whether a point of the plane lies in the triangle, or no farther from it than rounding goes."""
    normal = vector_of(rows, k, FACE, place)
    for e in range(3):
        begin = vector_of(rows, k, 3 * e, place)
        way = subtract(vector_of(rows, k, (3 * e + 3) % 9, place), begin)
        size = math.sqrt(dot(way, way))
        if dot(cross(way, subtract(place, begin)), normal) < -SLIT * size * (size + distance):
            return False
    return True


@kernel
def nearest_on(place: Vector, rows: Array, k: int) -> tuple[Vector, int]:
    """The nearest point of a triangle [m], and where in the row the normal of that face, edge or corner lies.

    The regions of corners and edges are told apart by scalar products alone (Ericson 2005, "Real-Time Collision
    Detection", 5.1.5).
    """
    a, b, c = vector_of(rows, k, A, place), vector_of(rows, k, B, place), vector_of(rows, k, C, place)
    ab, ac, ap = subtract(b, a), subtract(c, a), subtract(place, a)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= ZERO and d2 <= ZERO:
        return a, CORNERS
    bp = subtract(place, b)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    if d3 >= ZERO and d4 <= d3:
        return b, CORNERS + 3
    cp = subtract(place, c)
    d5, d6 = dot(ab, cp), dot(ac, cp)
    if d6 >= ZERO and d5 <= d6:
        return c, CORNERS + 6
    vc = d1 * d4 - d3 * d2
    if vc <= ZERO and d1 >= ZERO and d3 <= ZERO:
        return add_scaled(a, ab, d1 / (d1 - d3)), EDGES
    va = d3 * d6 - d5 * d4
    if va <= ZERO and d4 >= d3 and d5 >= d6:
        return add_scaled(b, subtract(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6))), EDGES + 3
    vb = d5 * d2 - d1 * d6
    if vb <= ZERO and d2 >= ZERO and d6 <= ZERO:
        return add_scaled(a, ac, d2 / (d2 - d6)), EDGES + 6
    whole = ONE / (va + vb + vc)
    return add(a, add_scaled(scale(ab, vb * whole), ac, vc * whole)), FACE


@kernel
def distance_from_triangle(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a triangle is, the signed distance from it [m], and the direction in which that grows."""
    spot, feature = nearest_on(place, rows, k)
    off = subtract(place, spot)
    size = math.sqrt(dot(off, off))
    blur = ON_IT * (length(place) + length(vector_of(rows, k, A, place)))
    distance, normal = signed_distance(off, size, blur, vector_of(rows, k, feature, place), rows[k, 30])
    return size, distance, normal

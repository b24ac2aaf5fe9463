"""Kernels of triangles: the first contacts of rays and moving balls, and the nearest points."""

import math
from typing import Any

from steersman.core.environment.box_tree import BOTH, INSIDE
from steersman.core.environment.obstacles.contact import BLUR, SLIT, never, touch_segment
from steersman.core.environment.obstacles.searching import Ball
from steersman.core.environment.obstacles.wall_contact import ON_IT, signed_distance
from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.typing import Array, Vector

A, B, C = 0, 3, 6
"""The places of the corners in a row."""

FACE, EDGES, CORNERS = 9, 12, 21
"""The places of the normals in a row: of the face, of the edges ab, bc, ca, of the corners a, b, c."""


@kernel
def touch_triangle(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a triangle [m], and the normal there."""
    place, forward, radius, best = ball.place, ball.forward, ball.radius, ball.best
    normal = v.vector_of(rows, k, FACE, place)
    height, rate = v.dot(v.subtract(place, v.vector_of(rows, k, A, place)), normal), v.dot(forward, normal)
    if height < v.ZERO or (height == v.ZERO and rate > v.ZERO):
        height, rate, normal = -height, -rate, v.scale(normal, -v.ONE)
    behind = v.dot(normal, v.vector_of(rows, k, FACE, place)) < v.ZERO
    hidden = side != BOTH and behind == (side != INSIDE)
    if height <= radius:
        near, feature = nearest_on(place, rows, k)
        off = v.subtract(place, near)
        if v.dot(off, off) <= radius * radius:
            away = v.direction_or(off, BLUR * v.length(v.subtract(place, v.vector_of(rows, k, A, place))), normal)
            if not v.dot(away, forward) < v.ZERO or is_hidden(away, rows, k, feature, side, hidden):
                return never(forward)
            return v.ZERO * radius, away
    elif rate >= v.ZERO or height - radius > -rate * best:
        return never(forward)
    else:
        distance = (height - radius) / -rate
        touch = v.add_scaled(v.add_scaled(place, forward, distance), normal, -radius)
        if is_over(touch, rows, k, distance):
            return (v.INFINITE + radius if hidden else distance), normal
    if radius == v.ZERO:
        return never(forward)
    return touch_edges(place, forward, rows, k, radius, side, hidden)


@kernel
def is_hidden(away: Vector, rows: Array, k: int, feature: int, side: int, hidden: bool) -> Any:
    """Whether a contact is on the side from which the surface is not seen."""
    if side == BOTH:
        return False
    if feature == FACE:
        return hidden
    front = v.dot(away, v.vector_of(rows, k, feature, away))
    return front > v.ZERO if side == INSIDE else front < v.ZERO


@kernel
def touch_edges(
    place: Vector, forward: Vector, rows: Array, k: int, radius: Any, side: int, hidden: bool
) -> tuple[Any, Vector]:
    """When a ball touches the edges of a triangle [m], and the normal there."""
    best, normal = never(forward)
    for e in range(3):
        begin = v.vector_of(rows, k, 3 * e, place)
        way = v.subtract(v.vector_of(rows, k, (3 * e + 3) % 9, place), begin)
        size = math.sqrt(v.dot(way, way))
        distance, s, away = touch_segment(v.subtract(place, begin), forward, v.normalize(way), size, radius)
        feature = EDGES + 3 * e
        if s <= v.ZERO:
            feature = CORNERS + 3 * e
        elif s >= size:
            feature = CORNERS + (3 * e + 3) % 9
        if distance < best and not is_hidden(away, rows, k, feature, side, hidden):
            best, normal = distance, away
    return best, normal


@kernel
def is_over(place: Vector, rows: Array, k: int, distance: Any) -> bool:
    """Whether a point of the plane lies in the triangle, to rounding."""
    normal = v.vector_of(rows, k, FACE, place)
    for e in range(3):
        begin = v.vector_of(rows, k, 3 * e, place)
        way = v.subtract(v.vector_of(rows, k, (3 * e + 3) % 9, place), begin)
        size = math.sqrt(v.dot(way, way))
        if v.dot(v.cross(way, v.subtract(place, begin)), normal) < -SLIT * size * (size + distance):
            return False
    return True


@kernel
def nearest_on(place: Vector, rows: Array, k: int) -> tuple[Vector, int]:
    """The nearest point of a triangle [m], and where in the row the normal of that face, edge or corner lies.

    The regions of corners and edges are told apart by scalar products alone (Ericson 2005, "Real-Time Collision
    Detection", 5.1.5).
    """
    a, b, c = v.vector_of(rows, k, A, place), v.vector_of(rows, k, B, place), v.vector_of(rows, k, C, place)
    ab, ac, ap = v.subtract(b, a), v.subtract(c, a), v.subtract(place, a)
    d1, d2 = v.dot(ab, ap), v.dot(ac, ap)
    if d1 <= v.ZERO and d2 <= v.ZERO:
        return a, CORNERS
    bp = v.subtract(place, b)
    d3, d4 = v.dot(ab, bp), v.dot(ac, bp)
    if d3 >= v.ZERO and d4 <= d3:
        return b, CORNERS + 3
    cp = v.subtract(place, c)
    d5, d6 = v.dot(ab, cp), v.dot(ac, cp)
    if d6 >= v.ZERO and d5 <= d6:
        return c, CORNERS + 6
    vc = d1 * d4 - d3 * d2
    if vc <= v.ZERO and d1 >= v.ZERO and d3 <= v.ZERO:
        return v.add_scaled(a, ab, d1 / (d1 - d3)), EDGES
    va = d3 * d6 - d5 * d4
    if va <= v.ZERO and d4 >= d3 and d5 >= d6:
        return v.add_scaled(b, v.subtract(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6))), EDGES + 3
    vb = d5 * d2 - d1 * d6
    if vb <= v.ZERO and d2 >= v.ZERO and d6 <= v.ZERO:
        return v.add_scaled(a, ac, d2 / (d2 - d6)), EDGES + 6
    whole = v.ONE / (va + vb + vc)
    return v.add(a, v.add_scaled(v.scale(ab, vb * whole), ac, vc * whole)), FACE


@kernel
def distance_from_triangle(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a triangle is, the signed distance from it [m], and the direction in which that grows."""
    spot, feature = nearest_on(place, rows, k)
    off = v.subtract(place, spot)
    size = math.sqrt(v.dot(off, off))
    blur = ON_IT * v.length(v.subtract(place, v.vector_of(rows, k, A, place))) + v.rounding(v.length(place))
    distance, normal = signed_distance(off, size, blur, v.vector_of(rows, k, feature, place), rows[k, 30])
    return size, distance, normal

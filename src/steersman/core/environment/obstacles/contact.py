"""Contact: when a moving ball first touches a point or a segment.

The result is the distance that the ball moves until then [m], infinite for never, and the unit normal at the contact, toward
the ball. A ball that already touches is stopped at once if it moves against the normal, and never otherwise.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.typing import Vector

PARALLEL = np.float32(1e-12)
"""Squared sine of the angle up to which a way counts as parallel to a segment."""

SLIT = np.float32(1e-6)
"""How much longer thin things are for a thin ray, in parts of all lengths: none may slip through where two meet."""

BLUR = np.float32(0.1)
"""The rounding error of a way to a line or plane is smaller than that of other differences, by this factor."""


@kernel
def never(like: Vector) -> tuple[Any, Vector]:
    """No contact."""
    return v.INFINITE + v.ZERO * like[0], like


@kernel
def touch_ball(way: Vector, forward: Vector, room: Any) -> tuple[Any, Vector]:
    """When a point that is `way` from a center comes within `room` of it [m]."""
    away2, against = v.dot(way, way), -v.dot(way, forward)
    if away2 <= room * room:
        normal = v.direction_or(way, room, v.scale(forward, -v.ONE))
        return (v.ZERO * room if v.dot(normal, forward) < v.ZERO else v.INFINITE + room), normal
    aside = v.add_scaled(way, forward, against)
    half_chord2 = room * room - v.dot(aside, aside)
    if half_chord2 < v.ZERO or against <= v.ZERO:
        return never(forward)
    distance = max(against - math.sqrt(half_chord2), v.ZERO)
    return distance, v.normalize(v.add_scaled(way, forward, distance))


@kernel
def leave_ball(way: Vector, forward: Vector, room: Any) -> tuple[Any, Vector]:
    """When a point that is `way` from a center comes as far as `room` from it [m]; where it turns away, if it is farther."""
    along = v.dot(way, forward)
    aside = v.add_scaled(way, forward, -along)
    half_chord2 = max(room, v.ZERO) * max(room, v.ZERO) - v.dot(aside, aside)
    distance = max(math.sqrt(max(half_chord2, v.ZERO)) - along, v.ZERO)
    there = v.scale(v.add_scaled(way, forward, distance), -v.ONE)
    return distance, v.direction_or(there, v.length(way), v.scale(forward, -v.ONE))


@kernel
def touch_segment(way: Vector, forward: Vector, tangent: Vector, size: Any, room: Any) -> tuple[Any, Any, Vector]:
    """When a point comes within `room` of a segment [m]: how far, where on the segment [m], and the normal there.

    The normal is zero where the point is on the segment, or no farther off than rounding goes.

    Args:
        way: The way from the start of the segment to the point [m].
        forward: Where the point moves, unit vector.
        tangent: Along the segment, unit vector; zero where it is a point.
        size: Its length [m].
        room: The distance [m].
    """
    along = v.dot(way, tangent)
    s = min(max(along, v.ZERO), size)
    away = v.add_scaled(way, tangent, -s)
    away2 = v.dot(away, away)
    if away2 <= room * room:
        normal = v.direction_or(away, BLUR * v.length(way), v.scale(forward, v.ZERO))
        if v.dot(normal, normal) == v.ZERO:
            return v.ZERO * room, s, normal
        return (v.ZERO * room if v.dot(normal, forward) < v.ZERO else v.INFINITE + room), s, normal
    distance = reach_side(way, forward, tangent, along, room)
    s = along + distance * v.dot(forward, tangent)
    slit = SLIT * (size + distance)
    if distance < v.INFINITE and -slit <= s and s <= size + slit:
        s = min(max(s, v.ZERO), size)
        return distance, s, side_normal(v.add_scaled(v.add_scaled(way, forward, distance), tangent, -s), way, tangent)
    distance, normal = touch_ball(way, forward, room)
    other, normal_there = touch_ball(v.add_scaled(way, tangent, -size), forward, room)
    if other < distance:
        return other, size, normal_there
    return distance, v.ZERO * size, normal


@kernel
def reach_side(way: Vector, forward: Vector, tangent: Vector, along: Any, room: Any) -> Any:
    """When a point comes within `room` of the whole line of a segment [m]; infinite if never, or if it is there."""
    if len(way) == 2:
        height = tangent[0] * way[1] - tangent[1] * way[0]
        rate = tangent[0] * forward[1] - tangent[1] * forward[0]
        if height < v.ZERO:
            height, rate = -height, -rate
        if rate >= v.ZERO or height < room:
            return v.INFINITE + room
        return (height - room) / -rate
    off, go = v.add_scaled(way, tangent, -along), v.lateral(forward, tangent)
    go2 = v.dot(go, go)
    if go2 < PARALLEL:
        return v.INFINITE + room
    back = -v.dot(off, go) / go2
    aside = v.add_scaled(off, go, back)
    half_chord2 = (room * room - v.dot(aside, aside)) / go2
    if half_chord2 < v.ZERO:
        return v.INFINITE + room
    distance = back - math.sqrt(half_chord2)
    return distance if distance >= v.ZERO else v.INFINITE + room


@kernel
def side_normal(off: Vector, way: Vector, tangent: Vector) -> Vector:
    """The normal where a line is touched; `off` leads from the line, by rounding errors only if the point is thin."""
    if len(off) == 2:
        if tangent[0] * way[1] - tangent[1] * way[0] < v.ZERO:
            return (tangent[1], -tangent[0])
        return (-tangent[1], tangent[0])
    return v.direction_or(off, BLUR * v.length(way), v.across(way, tangent, v.scale(off, v.ZERO)))

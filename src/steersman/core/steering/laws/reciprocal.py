"""Reciprocal collision avoidance (ORCA): planes in the space of velocities, and the best velocity among them.

Van den Berg, Guy, Lin and Manocha 2011, "Reciprocal n-body collision avoidance". The best velocity is found here in the
plainest way: by trying every set of planes on which it could lie.
"""

import itertools
from collections.abc import Iterator

import numpy as np

from steersman.core.steering.laws.vectors import across, direction_or, dot, length, normalize, perpendicular, truncate
from steersman.core.typing import Array


def reciprocal_plane(
    offset: Array,
    velocity: Array,
    other_velocity: Array,
    reach: float,
    *,
    horizon: float,
    share: float = 0.5,
    now: float = 0.1,
) -> tuple[Array, float]:
    """The half-space of velocities with which two vehicles do not collide, if each does its share.

        normal . v >= normal . velocity + share * |u|

    u is the shortest way from the relative velocity w out of the velocity obstacle: the velocities with which the two touch
    within the horizon, a cone around the offset with a round end.

    Args:
        offset: From the vehicle to the other [m], shape (d,), not zero.
        velocity: Velocity of the vehicle [m/s], shape (d,).
        other_velocity: Velocity of the other [m/s], shape (d,).
        reach: Distance at which they touch [m].
        horizon: How far ahead they must not touch [s].
        share: Part of u that the vehicle takes over.
        now: Time in which they are to come apart when they overlap already [s].

    Returns:
        Unit normal, shape (d,), and offset [m/s].
    """
    offset, w = np.asarray(offset), np.subtract(velocity, other_velocity)
    d = float(length(offset))
    time = horizon if d > reach else now
    beyond = w - offset / time
    radius = reach / time
    if d > reach and not (dot(beyond, offset) < 0 and dot(beyond, offset) ** 2 > (reach * length(beyond)) ** 2):
        axis, sine = offset / d, reach / d
        side = across(w, axis, perpendicular(axis))
        normal = (
            np.sqrt(1 - sine * sine) * side - sine * axis
        )  # Of the side of the cone, which goes through the origin.
        return normal, float(dot(normal, velocity) - share * dot(normal, w))
    normal = direction_or(beyond, length(w) + d / time, -offset / d)
    return normal, float(dot(normal, velocity) + share * (radius - length(beyond)))


def clear_ways(corners: Array, off: Array, later: Array, way: Array, room: float) -> tuple[Array, float]:
    """The half-space of ways on which a ball stays clear of a convex body.

        normal . way >= h(normal),    h(n) = max over corners of n . corner + room <= 0

    Any unit vector with h <= 0 will do. A way that is clear of the body keeps its clearance: n points from the body to
    the end of the way, or is turned back from there as far as it must. Another one is held off at the nearest point.

    Args:
        corners: Corners of the body, as seen from the ball's center [m], shape (k, d).
        off: From the body's nearest point to the center [m], shape (d,), not zero.
        later: From the body's point nearest to the end of the way to that end [m], shape (d,).
        way: The way [m], shape (d,).
        room: The radius of the ball and how far the body is rounded [m].

    Returns:
        Unit normal, shape (d,), and bound [m].
    """

    def reach(n: Array) -> float:
        return float(np.max(corners @ n)) + room

    held = normalize(off)
    if length(off) <= room:
        return held, room - float(length(off))
    free = direction_or(later, float(length(way)), held)
    if reach(free) > 0:
        if dot(free, held) < -0.75:
            return held, room - float(length(off))
        low, high = 0.0, 1.0
        for _ in range(16):
            middle = 0.5 * (low + high)
            clear = reach(normalize((1 - middle) * held + middle * free)) <= 0
            low, high = (middle, high) if clear else (low, middle)
        free = normalize((1 - low) * held + low * free)
    if reach(free) <= 0 and dot(free, way) - reach(free) >= -1e-3 * length(way):
        return free, reach(free)
    return held, room - float(length(off))


def nearest_velocity(normals: Array, offsets: Array, target: Array, max_speed: float, *, hard: int = 0) -> Array:
    """The velocity nearest to the target that satisfies normal . v >= offset for all planes and is not too fast.

    If there is none, the velocity that violates the planes least; it keeps to the first `hard` planes even then, if it
    can.

    Args:
        normals: Unit normals, shape (k, d).
        offsets: Offsets [m/s], shape (k,).
        target: Wanted velocity [m/s], shape (d,).
        max_speed: Maximum speed [m/s].
        hard: How many planes come first that must hold.

    Returns:
        Velocity [m/s], shape (d,).
    """
    target = np.asarray(target, float)
    normals, offsets = np.reshape(normals, (-1, len(target))), np.asarray(offsets, float)
    tolerance = 1e-9 * (1 + max_speed)
    best = truncate(target, max_speed)
    if (normals @ best >= offsets - tolerance).all():
        return best
    feasible = [
        v
        for v in _corners(normals, offsets, target, max_speed)
        if (normals @ v >= offsets - tolerance).all() and length(v) <= max_speed + tolerance
    ]
    if feasible:
        return min(feasible, key=lambda v: float(length(v - target)))
    return _least_bad(normals, offsets, max_speed, hard, tolerance)


def _corners(normals: Array, offsets: Array, target: Array, max_speed: float) -> Iterator[Array]:
    """The nearest points on every intersection of planes, and of planes and the sphere."""
    for size in range(1, len(target) + 1):
        for planes in itertools.combinations(range(len(normals)), size):
            a, b = normals[list(planes)], offsets[list(planes)]
            inverse = np.linalg.pinv(a)
            middle, nearest = inverse @ b, target + inverse @ (b - a @ target)
            yield nearest
            rest = max_speed**2 - middle @ middle
            along = normalize(nearest - middle)
            if rest >= 0:
                yield middle + np.sqrt(rest) * along


def _least_bad(normals: Array, offsets: Array, max_speed: float, hard: int, tolerance: float) -> Array:
    """The velocity that violates the soft planes least, of all candidates (v, violation)."""
    for hard_count in dict.fromkeys((hard, 0)):
        soft = (np.arange(len(normals)) >= hard_count).astype(float)
        feasible = [
            (violation, tuple(v))
            for v, violation in _compromises(normals, offsets, max_speed, soft)
            if (normals @ v + soft * violation >= offsets - tolerance).all() and length(v) <= max_speed + tolerance
        ]
        if feasible:
            return np.array(min(feasible)[1])
    raise AssertionError("every ball has a least bad point")


def _compromises(normals: Array, offsets: Array, max_speed: float, soft: Array) -> Iterator[tuple[Array, float]]:
    """Candidates: planes that are violated alike, with or without the sphere."""
    d = normals.shape[1]
    widened = np.column_stack([normals, soft])
    for size in range(1, d + 2):
        for planes in itertools.combinations(range(len(normals)), size):
            a, b = widened[list(planes)], offsets[list(planes)]
            if not a[:, d].any() or np.linalg.matrix_rank(a, 1e-9) < size:
                continue
            x = np.linalg.pinv(a) @ b
            if size == d + 1:
                yield x[:d], float(x[d])
                continue
            free = np.linalg.svd(a)[2][size:].T
            moves, gain = free[:d], free[d]
            metric = np.linalg.inv(moves.T @ moves)
            z = -metric @ moves.T @ x[:d]
            rest, slope = max_speed**2 - np.sum((x[:d] + moves @ z) ** 2), gain @ metric @ gain
            if rest >= 0:  # Along planes that face each other there is nothing to be gained.
                z = z - metric @ gain * (np.sqrt(rest / slope) if slope > 1e-18 else 0.0)
                yield x[:d] + moves @ z, float(x[d] + gain @ z)

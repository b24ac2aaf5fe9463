"""Bodies of length: capsules. Their distance is the distance of their axes less both radii.

Laws about two vehicles take the offset between two points. For capsules these are the nearest points of the two axes; for
laws that look ahead, they are the points that come within reach first. Around each of the two points, the law sees a disc of
the radius of the body. The distance f(t) of two segments that move straight on is convex in t. So Newton's method from t = 0
never passes the first t at which they are within reach; and if f begins to grow before, there is no such t.

Kernels take `bodies`: the lengths of the vehicles and of the others. It is an empty tuple where all bodies are balls: then
the compiler removes all computations with axes.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.segments import nearest_parts
from steersman.core.maths.vectors import HALF, ONE, ZERO, add_scaled, dot, load, scale
from steersman.core.neighborhood.joined import Joined
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

Bodies = tuple[Array, ...]

PARALLEL = np.float32(1e-5)
"""Squared sine of the angle between two axes that count as parallel."""

CROSSED = np.float32(1e-3)
"""Axes nearer than this part of the sum of both radii count as crossing: then the offset of the middles leads apart."""

STEPS = 8
"""The most steps of Newton's method; each doubles the number of correct digits."""

RETURNS = 8
"""The most steps of the search for the nearest approach of two axes that do not come within reach."""


def longest(vehicles: Vehicles) -> float:
    """The largest distance from the middle of a body to an end of its axis [m]; 0 if all bodies are balls."""
    if not vehicles.length.any():
        return 0.0
    return max(float((vehicles.length / 2 - vehicles.radius).max()), 0.0)


def bodies_of(vehicles: Vehicles, others: Vehicles | Joined) -> Bodies:
    """The lengths of vehicles and of others; empty where no body is longer than wide."""
    among = others.parts if isinstance(others, Joined) else (others,)
    if not any(map(longest, (vehicles, *among))):
        return ()
    return (vehicles.body_lengths, others.body_lengths)


@kernel
def half_axis(i: Any, forward: Columns, radius: Array, length: Array) -> Vector:
    """The way from the middle of a body to the front end of its axis [m]."""
    return scale(load(forward, i), max(HALF * length[i] - radius[i], ZERO))


@kernel
def nearest_pair(offset: Vector, own: Vector, other: Vector) -> Vector:
    """The way from the nearest point of the own axis to that of the other [m]; `offset` leads from middle to middle."""
    s, t = nearest_parts(scale(offset, -ONE), own, other, PARALLEL)
    return add_scaled(add_scaled(offset, own, -s), other, t)


@kernel
def uncrossed(way: Vector, offset: Vector, both: Any) -> Vector:
    """The way between two axes; if they cross, a short way along the offset of the middles.

    Args:
        way: The way between the nearest points of the axes [m].
        offset: The way between the middles [m].
        both: The sum of both radii [m].
    """
    least = CROSSED * both
    if not dot(way, way) < least * least:
        return way
    d2 = dot(offset, offset)
    return scale(offset, least / math.sqrt(d2)) if d2 > least * least else offset


@kernel
def body_offset(
    offset: Vector, i: Any, j: Any, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies
) -> Vector:
    """The way from body i to body j of the others, between the nearest points of their axes [m]."""
    if len(bodies) == 0:
        return offset
    own = half_axis(i, vehicles.forward, vehicles.radius, bodies[0])
    other = half_axis(j, others.forward, others.radius, bodies[1])
    return uncrossed(nearest_pair(offset, own, other), offset, vehicles.radius[i] + others.radius[j])


@kernel
def threatening_offset(
    offset: Vector, w: Vector, reach: Any, horizon: Any, i: Any, j: Any, vehicles: VehicleColumns,
    others: VehicleColumns, bodies: Bodies,
) -> Vector:  # fmt: skip
    """The present way [m] between the points of two axes that come within reach first.

    If no points come within reach, it is the way between those that come nearest.

    Args:
        offset: The way from the middle of body i to that of body j of the others [m].
        w: Velocity of the other less the own [m/s].
        reach: Distance within which the points are within reach [m].
        horizon: The time that counts, from now on [s].
        i, j, vehicles, others, bodies: The two.
    """
    if len(bodies) == 0:
        return offset
    own = half_axis(i, vehicles.forward, vehicles.radius, bodies[0])
    other = half_axis(j, others.forward, others.radius, bodies[1])
    time, before, opening = horizon * ZERO, horizon * ZERO, horizon * ZERO
    way = offset
    for _ in range(STEPS):
        way = pair_at(time, offset, w, own, other)
        apart = add_scaled(way, w, time)
        distance, closing = math.sqrt(dot(apart, apart)), -dot(apart, w)
        if distance <= reach:
            break
        if not closing > ZERO:
            if time > ZERO:
                way = nearest_approach(before, opening, time, -closing, offset, w, own, other)
            break
        if time >= horizon:
            break
        before, opening = time, -closing
        time = min(time + (distance - reach) * distance / closing, horizon)
    return uncrossed(way, offset, vehicles.radius[i] + others.radius[j])


@kernel
def pair_at(time: Any, offset: Vector, w: Vector, own: Vector, other: Vector) -> Vector:
    """The present way [m] between those points of two axes that are nearest at a time [s]."""
    s, t = nearest_parts(scale(add_scaled(offset, w, time), -ONE), own, other, PARALLEL)
    return add_scaled(add_scaled(offset, own, -s), other, t)


@kernel
def nearest_approach(
    low: Any, falls: Any, high: Any, grows: Any, offset: Vector, w: Vector, own: Vector, other: Vector
) -> Vector:
    """The present way [m] between the points of two axes that are nearest at the nearest approach.

    The slope of the squared distance grows with time along pieces of straight lines; the Illinois form of the method of false
    position finds where it is zero.

    Args:
        low, falls: A time [s] before the nearest approach, and half the slope of the squared distance then.
        high, grows: A time after it, and half the slope then.
        offset, w, own, other: As for `threatening_offset`; both axes from their middles.
    """
    way, side = offset, 0
    for _ in range(RETURNS):
        time = low - falls * (high - low) / (grows - falls)
        way = pair_at(time, offset, w, own, other)
        slope = dot(add_scaled(way, w, time), w)
        if slope > ZERO:
            high, grows = time, slope
            falls *= HALF if side > 0 else ONE
            side = 1
        elif slope < ZERO:
            low, falls = time, slope
            grows *= HALF if side < 0 else ONE
            side = -1
        else:
            break
    return way

"""Bodies of length: capsules, whose distance is that of their axes less both radii.

Laws about two vehicles take the offset between two points. For capsules these are the nearest points of the two axes, or,
where the two move, those that come within reach first: a disc of the body around each. The distance f(t) of two segments
that move straight on is convex in t, so Newton's method from t = 0 never passes the first t at which they are within reach,
and finds that there is none where f begins to grow.

Kernels take `bodies`: the lengths of the vehicles and of the others; empty where no vehicle has a length, so that nothing is
computed there.
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
"""Part of both radii within which two axes cross: there the middles say which way leads apart."""

STEPS = 8
"""The most steps of Newton's method; each doubles the digits."""

RETURNS = 8
"""Steps to the nearest approach of two that do not come within reach."""


def longest(vehicles: Vehicles) -> float:
    """How far the axis of a body reaches beyond its middle at most [m]; 0 where all are balls."""
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
    """The way between two axes; where these cross, a short one along that between the middles."""
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
    """The present way [m] between those points of two axes that come within reach first; of none, that come nearest.

    Args:
        offset: The way from the middle of body i to that of body j of the others [m].
        w: Velocity of the other less the own [m/s].
        reach: Distance of the points at which they count [m].
        horizon: How far ahead [s].
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
    """The same way at the nearest approach, between two times at which half the slope of the squared distance is known.

    The slope grows piece by piece along straight lines: the Illinois form of the false position finds where it is zero.
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

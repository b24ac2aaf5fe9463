"""The side to pass several neighbors on that do not give way, where evading them one by one cancels.

Of neighbor k, T_k is the time of the nearest approach and c_k the way to it then (see `avoid_neighbors.py`). A constant
acceleration a along u moves the vehicle aside by a T_k^2 / 2 until then. So it keeps the room that it needs unless

    lo_k < a < hi_k,   (lo_k, hi_k) = (c_k . u -+ sqrt(room_k^2 - |c_k|^2 + (c_k . u)^2)) * 2 / T_k^2

With u and c_k across the way. The least a >= 0 that is in none of these intervals is free of all of them; the side with
the smallest of these is chosen. Of one neighbor alone this is Reynolds' unaligned collision avoidance. The choice needs no
memory: as the vehicle moves aside, the chosen side needs less and the others more.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import (
    TINY,
    TWO,
    ZERO,
    add_scaled,
    difference,
    direction_or,
    dot,
    lateral,
    length,
    load,
    normalize,
    scale,
    subtract,
)
from steersman.core.neighborhood.bodies import Bodies, threatening_offset
from steersman.core.neighborhood.request import Listing
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

ALL = np.float32(0.99)
"""A vehicle that does this part of the avoiding or more does all of it: the other does not give way."""

BEHIND = np.float32(0.1)
"""In space a push leads into a second neighbor if it leads past its middle by less than this part of a touch."""


class Around(NamedTuple):
    """What a vehicle has around it.

    Attributes:
        vehicles, others: Columns of the vehicles and of their neighbors.
        listing: The neighbors of each vehicle.
        wrap: The size of a torus.
        shares: The part of the avoiding that is done for each of the others; empty among the own population.
        bodies: Half lengths of bodies of length.
        distance: Free room to keep [m].
        lookahead: How far ahead collisions are foreseen [s].
    """

    vehicles: Any
    others: Any
    listing: Listing
    wrap: Array
    shares: tuple[Array, ...]
    bodies: Bodies
    distance: Any
    lookahead: Any


class Meeting(NamedTuple):
    """The nearest approach of two that go on as they do.

    Attributes:
        miss: The way to the other then [m].
        axis: Direction of its velocity less the own.
        room: Distance to keep [m].
        moves: How far a way aside of 1 m until then is in acceleration [1/s^2]; 0 if it does not count.
    """

    miss: Vector
    axis: Vector
    room: Any
    moves: Any


@kernel
def gives_way(j: int, shares: tuple[Array, ...]) -> bool:
    """Whether neighbor j does a part of the avoiding."""
    if len(shares) == 0:
        return True
    return bool(shares[0][j] < ALL)


@kernel
def offset_of(
    i: int, j: int, w: Vector, room: Any, wrap: Array, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies,
    lookahead: Any,
) -> Vector:  # fmt: skip
    """The way from vehicle i to neighbor j [m]."""
    offset = difference(load(others.position, j), load(vehicles.position, i), wrap)
    return threatening_offset(offset, w, room, lookahead, i, j, vehicles, others, bodies)


@kernel
def meeting(i: int, k: int, around: Around) -> Meeting:
    """The nearest approach of vehicle i and its neighbor k that does not give way, and comes, from outside the room."""
    vehicles, others = around.vehicles, around.others
    j = around.listing.row[i, k]
    w = subtract(load(others.velocity, j), load(vehicles.velocity, i))
    room = vehicles.radius[i] + others.radius[j] + around.distance
    w2, none = dot(w, w), room * ZERO
    if gives_way(j, around.shares) or not w2 > TINY:
        return Meeting(w, w, room, none)
    offset = offset_of(i, j, w, room, around.wrap, vehicles, others, around.bodies, around.lookahead)
    time = -dot(offset, w) / w2
    if not (dot(offset, offset) > room * room and time > ZERO and time < around.lookahead):
        return Meeting(w, w, room, none)
    soonest2 = TWO * around.distance * vehicles.mass[i] / vehicles.max_force[i]
    return Meeting(add_scaled(offset, w, time), normalize(w), room, TWO / max(time * time, soonest2))


@kernel
def leads_into_another(i: int, k: int, one: Meeting, around: Around) -> bool:
    """Whether a push away from neighbor k leads into another, and the two leave no room for the body between them."""
    axis = direction_or(one.miss, one.room, scale(one.miss, ZERO))
    for m in range(around.listing.number[i]):
        other = meeting(i, m, around)
        if m == k or not other.moves > ZERO or not dot(one.miss, other.miss) < ZERO:
            continue
        touch, other_touch = one.room - around.distance, other.room - around.distance
        is_hit = length(lateral(other.miss, axis)) < BEHIND * other_touch
        if is_hit and length(subtract(one.miss, other.miss)) < touch + other_touch:
            return True
    return False


@kernel
def needed_along(u: Vector, i: int, around: Around) -> Any:
    """The least acceleration of vehicle i along the unit vector u [m/s^2] that is free of all neighbors."""
    needed = u[0] * ZERO
    for _ in range(around.listing.number[i]):
        before = needed
        for k in range(around.listing.number[i]):
            one = meeting(i, k, around)
            way = lateral(u, one.axis)
            way2 = dot(way, way)
            if not (one.moves > ZERO and way2 > TINY):
                continue
            middle = dot(one.miss, way) / way2
            spare = (one.room * one.room - dot(one.miss, one.miss)) / way2 + middle * middle
            if spare > ZERO:
                half = math.sqrt(spare)
                low, high = (middle - half) * one.moves, (middle + half) * one.moves
                if low <= needed and needed < high:
                    needed = high
        if not needed > before:
            break
    return needed

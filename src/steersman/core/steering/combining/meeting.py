"""Meeting: the danger of neighbors in each direction of a ContextMap, by the time until they would be met there.

A neighbor would be met at the time t at which the two come within the room, both radii and the margin, if the vehicle
went that way from now on and the neighbor went on as it does. With T the time horizon and m how near they would come at
most,

    danger = (1 - t / T) * min((room - m) / margin, 1)

A vehicle within the room is met now, t = 0. Ways that lead away from it are less dangerous the straighter they lead
away, with c the cosine of the angle between the way to the neighbor and the relative velocity:

    danger = min((room - distance) / margin, 1) * (1 + c)

Two vehicles that meet head on see the same on either side. So that rounding does not decide, and both turn to their
right, wherever there is danger every direction to the left has a little of it:

    danger >= LEFT * (the greatest of all directions) * (its part to the left)
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.frames import to_local, up_at
from steersman.core.maths.ground import level, level_direction
from steersman.core.maths.vectors import (
    ONE,
    TINY,
    TWO,
    ZERO,
    difference,
    dot,
    lateral,
    length,
    load,
    scale,
    subtract,
)
from steersman.core.neighborhood.bodies import Bodies
from steersman.core.neighborhood.coincident import direction
from steersman.core.neighborhood.request import Listing
from steersman.core.steering.combining.direction_map import Map, exceeds, row, want_on
from steersman.core.steering.combining.directions import Directions
from steersman.core.steering.driving.in_the_way import hear_of
from steersman.core.steering.driving.resting import lets_near
from steersman.core.steering.laws import crowding
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.forces import response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LEFT = np.float32(crowding.LEFT)

QUARTER = np.float32(0.25)
"""Largest default of the margin, as a part of the sum of the radii."""

NEXT_TO_NOTHING = np.float32(1e-6)
"""Distance below which two vehicles count as in the same place [m]."""


@kernel
def meeting_danger(offset: Vector, w: Vector, room: Any, margin: Any, horizon: Any) -> Any:
    """How dangerous a neighbor is, from 0 to 1.

    Args:
        offset: The way to it [m].
        w: Own velocity less its velocity [m/s].
        room: Distance within which the two meet [m], with the margin.
        margin: Part of the room where they do not touch yet [m].
        horizon: How far ahead meetings count [s].
    """
    d2, ahead, w2 = dot(offset, offset), dot(offset, w), dot(w, w)
    within = d2 < room * room
    nearest, miss2, turned = ahead * ZERO, d2, ONE
    if ahead > ZERO and w2 > TINY:
        nearest = ahead / w2
        miss2 = max(d2 - ahead * nearest, ZERO)
    elif within and w2 > TINY:
        turned = max(ONE + ahead / math.sqrt(d2 * w2), ZERO)
    if not miss2 < room * room:
        return d2 * ZERO
    time = nearest * ZERO
    if not within:
        time = nearest - math.sqrt((room * room - miss2) / w2)
        if not time < horizon:
            return d2 * ZERO
    deep, miss = ONE, math.sqrt(miss2)
    if room - miss < margin:
        deep = (room - miss) / margin
    return (ONE - max(time, ZERO) / horizon) * deep * turned


@kernel
def to_the_left(along: Vector) -> Any:
    """How far a local direction points to the left, from 0 to 1."""
    side = along[1] if len(along) == 2 else along[2]
    return max(-side, ZERO)


@row_kernel
def note_neighbors(
    i: int, active: Array, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, wrap: Array,
    clock: Clock, directions: Directions, numbers: Any, shares: tuple[Array, ...], ground: Columns,
    rests: tuple[Any, ...], bodies: Bodies, ways: tuple[Array, ...], map: Map,
) -> None:  # fmt: skip
    """Note the danger of meeting neighbors along every direction, at the speed of its interest."""
    unit, horizon = directions.unit, numbers.time_horizon
    if listing.number[i] == 0:
        return
    forward, up, place = load(vehicles.forward, i), up_at(vehicles.up, i), load(vehicles.position, i)
    if map.winner[i] < 0:
        want_on(map, i, vehicles, directions)
    fastest, worst = ZERO * place[0], ZERO * place[0]
    for k in range(unit.shape[0]):
        fastest = max(fastest, map.interest[i, k])
    tau = response(vehicles.response_time[i], clock.dt[0])
    course = heading_after(load(vehicles.velocity, i), forward, vehicles.max_speed[i])
    for n in range(listing.number[i]):
        j = listing.row[i, n]
        if lets_near(i, j, vehicles, others, numbers.margin, wrap, clock, rests):
            continue
        offset = difference(load(others.position, j), place, wrap)
        hear_of(ways, offset, course, i, j, vehicles, others, bodies)
        if dot(offset, offset) < TINY:
            apart = direction(vehicles.id[i], others.id[j], 1, others.position)
            offset = scale(level_direction(apart, ground, i), -NEXT_TO_NOTHING)
        offset = to_local(level(offset, ground, i), forward, up)
        velocity = to_local(level(load(others.velocity, j), ground, i), forward, up)
        touch, margin = vehicles.radius[i] + others.radius[j], numbers.margin
        if margin < ZERO:
            margin = min(vehicles.max_speed[i] * tau, QUARTER * touch)
        room = touch + margin
        if not length(offset) - room < (fastest + length(velocity)) * horizon:
            continue
        for k in range(unit.shape[0]):
            way = on_ground(scale(row(unit, k, forward), map.interest[i, k]), forward, up, ground, i)
            value = meeting_danger(offset, subtract(way, velocity), room, margin, horizon)
            if len(shares) > 0:
                value *= min(TWO * shares[0][j], ONE)
            if exceeds(value, map.danger[i, k]):
                map.danger[i, k] = value
            worst = max(worst, value)
    for k in range(unit.shape[0]):
        value = LEFT * worst * to_the_left(row(unit, k, forward))
        if exceeds(value, map.danger[i, k]):
            map.danger[i, k] = value


@kernel
def on_ground(way: Vector, forward: Vector, up: Vector, ground: Columns, i: int) -> Vector:
    """The part of a local velocity that lies in the ground."""
    if len(ground) == 3:
        return lateral(way, to_local(load(ground, i), forward, up))
    return way

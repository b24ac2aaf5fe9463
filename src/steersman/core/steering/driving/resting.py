"""Resting: how many vehicles with one common goal come to rest around it.

Only one vehicle fits onto a goal. The others have arrived when they stand behind one that has: a vehicle stands where
another that rests, and is nearer to the goal, lies straight in its way within the room that the two need, or where two
do to either side of it. So rest spreads from the goal outwards, as in the law "apart" of FollowLeader; without that, a
crowd pushes and evades around the goal for ever.

The behavior that keeps vehicles apart (AvoidNeighbors) sees which vehicles are in the way, and the one that arrives (Arrive)
knows the goal. They share three columns of memory, which belong to the former:

    goal     where the vehicle was last asked to come to rest
    asked    the step in which it was; a goal of an earlier step than the last one counts no more
    state    MOVES; OCCUPIES: no other vehicle fits between it and the goal; STANDS: it rests behind another

A vehicle that stands is not pushed by those that rest behind it or beside it, as long as they do not overlap, and Arrive
brakes it. It goes on as soon as the one before it goes on: then the chain that leads to the goal is broken.

Reynolds 1999 leaves it open: arrival is for one character, and separation and unaligned collision avoidance never rest.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import HALF, ZERO, add_scaled, difference, dot, load, scale, store
from steersman.core.neighborhood.request import Listing
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

MOVES, OCCUPIES, STANDS = (np.uint8(state) for state in range(3))

NEVER = -2
"""In `asked`: no goal yet. The step before the first one is -1."""

AHEAD, ASIDE = np.float32(0.85), np.float32(0.3)
"""Cosine of the largest angle between the way to the goal and the way to one that blocks it alone, or with one beyond it."""

NEAR, STILL_NEAR = np.float32(0.1), np.float32(0.5)
"""Part of the free room beyond which one in the way is too far off to rest behind, for vehicles that move or stand."""


class Resting(NamedTuple):
    """Memory of where vehicles come to rest.

    Attributes:
        goal: Where they were asked to come to rest [m], d arrays of shape (room,).
        asked: The step in which they were, shape (room,), int64.
        state: MOVES, OCCUPIES or STANDS, shape (room,), uint8.
    """

    goal: Columns
    asked: Array
    state: Array


def resting_memory(vehicles: Vehicles) -> dict[str, Array]:
    """The columns at the start: no goals."""
    n, dtype = len(vehicles), vehicles.dtype
    return {
        "goal": np.zeros((n, vehicles.dimensions), dtype),
        "asked": np.full(n, NEVER, np.int64),
        "state": np.zeros(n, np.uint8),
    }


def resting_sides(memory: Memory) -> tuple[Resting, Resting]:
    """The columns as they are and as they will be."""
    now, following = (Resting(*map(side, Resting._fields)) for side in (memory.now, memory.next))
    return now, following


@kernel
def note_goal(following: Resting, i: int, goal: Vector, step: Array) -> bool:
    """Note that vehicle i is asked to come to rest at a goal; return whether it stands already, behind another."""
    store(following.goal, i, goal)
    following.asked[i] = np.int64(step[0])
    return bool(following.state[i] == STANDS)


@kernel
def own_row(j: int, segment: tuple[Array, ...]) -> int:
    """The row of a neighbor in the own population, which is a segment of several; -1 for vehicles of the others."""
    if len(segment) == 0:
        return j
    row = j - segment[0][0]
    return row if row < segment[0][1] else -1


@kernel
def state_of(
    i: int, vehicles: VehicleColumns, listing: Listing, segment: tuple[Array, ...], wrap: Array, distance: Any,
    now: Resting, last: Any,
) -> np.uint8:  # fmt: skip
    """Whether vehicle i has come to its goal, or stands behind one that has. `distance`: free room to keep [m]."""
    if now.asked[i] != last:
        return MOVES
    place, goal, own = load(vehicles.position, i), load(now.goal, i), vehicles.radius[i] + HALF * distance
    way = difference(goal, place, wrap)
    left2 = dot(way, way)
    best = OCCUPIES if left2 <= own * own else MOVES
    beside = scale(way, ZERO)
    slack = distance * (STILL_NEAR if now.state[i] == STANDS else NEAR)
    for k in range(listing.number[i]):
        j = own_row(listing.row[i, k], segment)
        if j < 0 or now.state[j] == MOVES:
            continue
        offset = difference(load(vehicles.position, j), place, wrap)
        room = vehicles.radius[i] + vehicles.radius[j] + distance
        d2, reach = dot(offset, offset), room + slack
        if d2 > reach * reach:
            continue
        beyond = difference(goal, load(vehicles.position, j), wrap)
        apart = difference(load(now.goal, j), goal, wrap)
        if not dot(beyond, beyond) < left2 or dot(apart, apart) > room * room:
            continue
        along = dot(offset, way)
        if not along > ASIDE * math.sqrt(d2 * left2):
            continue
        aside = add_scaled(offset, way, -along / left2)
        if along > AHEAD * math.sqrt(d2 * left2) or now.state[i] == STANDS or dot(beside, aside) < ZERO:
            return STANDS
        beside = aside
    return best


@kernel
def is_ignored(
    i: int, j: int, vehicles: VehicleColumns, d2: Any, touch: Any, room: Any, wrap: Array, now: Resting, last: Any
) -> bool:
    """Whether vehicle i, which rests, lets vehicle j come near: one that rests, or that comes behind it to the same goal."""
    if d2 < touch * touch or now.asked[j] != last:
        return False
    goal = load(now.goal, i)
    apart = difference(load(now.goal, j), goal, wrap)
    if dot(apart, apart) > room * room:
        return False
    own, other = difference(goal, load(vehicles.position, i), wrap), difference(goal, load(vehicles.position, j), wrap)
    return bool(now.state[j] != MOVES or dot(own, own) < dot(other, other))

"""Resting: how many vehicles with one common goal come to rest around it.

Only one vehicle fits onto a goal. The others have arrived when they stand behind one that has. With w the direction to
the goal and u_j those to the neighbors that rest at the same goal, are nearer to it, and touch the room that the two need,

    open = w without the parts that lead to any u_j

is the way on that is left. A vehicle whose way is open goes on; where little of it is left, the vehicle has reached the
others. First it walks round them, for as long as that helps:

    walk = 0.43 w + 0.9 side, without the parts that lead to any neighbor that it touches,

with `side` as it walked before, away from the first neighbor in its way. When it has come nearer to the goal by half a room
its patience is as at first; when its patience is over it stands. As a distance cannot shrink for ever, a crowd rests.
AvoidNeighbors lets it pass those that rest with a part of the usual room, and at the end of its walk it touches ever fewer of
them, in the end those that are so near alone: otherwise it would walk away from one that rests behind a door, along the
tangent, to the side of the door, and come to rest in the door. So rest spreads from the goal outwards, as in the law "apart"
of FollowLeader, and the crowd becomes roughly round, wherever it came from; without that, it pushes and evades around the
goal for ever.

The behavior that keeps vehicles apart (AvoidNeighbors, ORCA, ContextMap) sees which vehicles are in the way, and the one
that arrives (Arrive; GoTo and FollowPath where they see the end; Interpose, Hide and Pursue while what they look at stands)
knows the goal. They share columns of memory, which belong to the former:

    goal       where the vehicle was last asked to come to rest
    asked      the step in which it was; a goal of an earlier step than the last one counts no more
    state      MOVES; QUEUES: it goes along others that are nearer; WALKS: round those that rest; OCCUPIES: no other vehicle
               fits between it and the goal; STANDS: it rests behind another
    way        where one that queues or walks goes
    nearest    how near it has come to the goal; farther by as much as the goal moves
    patience   how much of its patience is left

A vehicle that stands is not pushed by those that rest behind it or beside it, as long as they do not run into each other,
and the one that arrives brakes it. It goes on as soon as the one before it goes on: then the chain that leads to the goal
is broken. At the goal a vehicle stands, too, when one that rests is close: it would push that one from its place.

Of vehicles of other populations nothing but their motion is known, and many have no goal. One that stands, nearer to the
goal, counts as one that rests there.

Reynolds 1999 leaves it open: arrival is for one character, and separation and unaligned collision avoidance never rest.
To walk round what is in the way until the way to the goal is open: the "bug" algorithms, V. Lumelsky and A. Stepanov,
"Path-planning strategies for a point mobile automaton moving amidst unknown obstacles of arbitrary shape", Algorithmica 2
(1987).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import beside
from steersman.core.maths.vectors import (
    HALF,
    ONE,
    TWO,
    ZERO,
    add_scaled,
    difference,
    dot,
    lateral,
    load,
    normalize,
    scale,
    store,
    subtract,
    with_length,
)
from steersman.core.neighborhood.bodies import Bodies, body_offset
from steersman.core.neighborhood.request import Listing
from steersman.core.steering.driving.approach import FOUR
from steersman.core.steering.driving.drive import STILL
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.forces import response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

MOVES, QUEUES, WALKS, OCCUPIES, STANDS = (np.uint8(state) for state in range(5))
"""The states, those in which a vehicle rests last."""

NEVER = -2
"""In `asked`: no goal yet. The step before the first one is -1."""

OPEN, STILL_OPEN = np.float32(0.2), np.float32(0.95)
"""Size of the open way, as a part of the way, at which a vehicle goes on, for vehicles that move or stand."""

OPEN_TO_CARS = np.float32(0.53)
"""The same for bodies that do not walk round: they stand where another is less than 32 degrees beside their way."""

NEAR, STILL_NEAR = np.float32(0.1), np.float32(0.5)
"""Part of the free room beyond which one in the way is too far off to touch, for vehicles that move or do not."""

INWARD, SIDEWARD = np.float32(0.43), np.float32(0.9)
"""Parts of the direction of a walk: to the goal, and past those that rest. It leads past neighbors up to 64 degrees ahead."""

NEARER = np.float32(0.5)
"""By which part of the room that two need a vehicle must come nearer, to be as patient as at first."""

PATIENCE = np.float32(3.5)
"""For how long a vehicle walks without coming nearer: the time for so many rooms."""

LONG_PATIENCE = np.float32(7)
"""The same under AvoidNeighbors, which keeps more room than a doorway may leave: past those that rest behind it the way is
found late."""

SETTLING = np.float32(0.5)
"""Patience at which a walk is over: with the rest of it the vehicle slides to the goal as far as it gets."""

PACE = np.float32(0.5)
"""Part of the usual slowing distance by which the end of the way of one that queues or walks is ahead: it goes at that part
of its speed."""

AWAY = np.float32(4)
"""One that is farther from its goal than it was by so many rooms has been away, and begins anew."""

TWICE = 2
"""So often all neighbors take their parts from a way, as what one leaves may lead to another."""

LITTLE = np.float32(1e-3)
"""Square of what is left of the direction of a walk where no way leads out."""

STILL_STILL = np.float32(0.1)
"""Part of its own max_speed below which a vehicle of another population stands, for vehicles that rest (others: `STILL`)."""

ENDING = np.float32(32)
"""In the last of so many parts of a walk, those that rest are passed ever more closely."""

SQUEEZED = np.float32(0.25)
"""Part of the usual free room with which AvoidNeighbors lets one that walks pass those that rest."""

FAR = np.float32(1e30)
"""In `nearest`: it has not come near yet [m]."""


class Resting(NamedTuple):
    """Memory of where vehicles come to rest.

    Attributes:
        goal: Where they were asked to come to rest [m], d arrays of shape (capacity,).
        asked: The step in which they were, shape (capacity,), int64.
        state: MOVES, QUEUES, WALKS, OCCUPIES or STANDS, shape (capacity,), uint8.
        way: The way that those go that queue or walk [m], d arrays of shape (capacity,).
        nearest: How near they have come to the goal [m], shape (capacity,).
        patience: How much of their patience is left, 1 to 0, shape (capacity,).
    """

    goal: Columns
    asked: Array
    state: Array
    way: Columns
    nearest: Array
    patience: Array


class Rests(NamedTuple):
    """What behaviors need to let vehicles rest.

    Attributes:
        now, following: The memory as it is and as it will be.
        segment: Where the own population is among the neighbors; empty if they are no others.
        bodies: The lengths of bodies, see `neighborhood/bodies.py`.
        room: How much free room vehicles keep where they rest, besides the margin, in their radii.
    """

    now: Resting
    following: Resting
    segment: tuple[Array, ...]
    bodies: Bodies
    room: Any


def resting_memory(vehicles: Vehicles) -> dict[str, Array]:
    """The columns at the start: no goals."""
    n, dtype = len(vehicles), vehicles.dtype
    return {
        "goal": np.zeros((n, vehicles.dimensions), dtype),
        "asked": np.full(n, NEVER, np.int64),
        "state": np.zeros(n, np.uint8),
        "way": np.zeros((n, vehicles.dimensions), dtype),
        "nearest": np.full(n, FAR, dtype),
        "patience": np.zeros(n, dtype),
    }


def resting_sides(memory: Memory) -> tuple[Resting, Resting]:
    """The columns as they are and as they will be."""
    now, following = (Resting(*map(side, Resting._fields)) for side in (memory.now, memory.next))
    return now, following


def resting_after(memory: Memory | None) -> tuple[Resting, ...]:
    """The columns as they will be, for a kernel; empty where no part keeps a memory of rest."""
    return () if memory is None else (resting_sides(memory)[1],)


@kernel
def note_goal(following: Resting, i: int, goal: Vector, step: Array, wrap: Array) -> Any:
    """Note that vehicle i is asked to come to rest at a goal; return its state."""
    moved = difference(goal, load(following.goal, i), wrap)
    following.nearest[i] += math.sqrt(dot(moved, moved))
    store(following.goal, i, goal)
    following.asked[i] = np.int64(step[0])
    return following.state[i]


@kernel
def meets_others(following: Resting, i: int, step: Array) -> bool:
    """Whether vehicle i has met others at the goal where it is asked to come to rest, and not come nearer since."""
    if following.asked[i] + 1 < step[0]:
        return False
    return bool(following.state[i] != MOVES or following.patience[i] < ONE)


@kernel
def way_among(following: Resting, i: int, state: Any, way: Vector) -> Vector:
    """The way of vehicle i, which is in a state: that to its goal [m], none where it stands, or the way that it was told."""
    if state == STANDS:
        return scale(way, ZERO)
    if state in (QUEUES, WALKS):
        return load(following.way, i)
    return way


@kernel
def own_row(j: int, segment: tuple[Array, ...]) -> int:
    """The row of a neighbor in the own population, which is a segment of several; -1 for vehicles of the others."""
    if len(segment) == 0:
        return j
    row = j - segment[0][0]
    return row if row < segment[0][1] else -1


@kernel
def is_still(i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, now: Resting) -> bool:
    """Whether vehicle j of another population stands."""
    velocity = load(others.velocity, j)
    least = vehicles.max_speed[i] * (STILL_STILL if now.state[i] >= OCCUPIES else STILL)
    return bool(dot(velocity, velocity) < least * least)


@kernel
def is_beside(
    i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies, segment: tuple[Array, ...],
    wrap: Array, reach: Any, distance: Any, now: Resting, last: Any,
) -> bool:  # fmt: skip
    """Whether no more than `reach` [m] is free between vehicle i and neighbor j, of the same goal or another population."""
    row, both = own_row(j, segment), vehicles.radius[i] + others.radius[j]
    if row >= 0 and now.asked[row] != last:
        return False
    offset = offset_to(i, j, vehicles, others, bodies, wrap)
    if not dot(offset, offset) <= (both + reach) * (both + reach):
        return False
    if row >= 0:
        return same_goal(i, row, both + distance, wrap, now)
    return is_still(i, j, vehicles, others, now)


@kernel
def state_of(
    i: int, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, bodies: Bodies,
    segment: tuple[Array, ...], wrap: Array, distance: Any, tightest: Any, ground: Columns, now: Resting,
    following: Resting, last: Any, dt: Any, long: Any, squeezed: Any,
) -> np.uint8:  # fmt: skip
    """The state of vehicle i; where it queues or walks, its way is noted, too.

    `distance` is the free room to keep, and `tightest` the radius of the body's tightest circle [m]: one that cannot turn
    in its own room does not walk. Its patience lasts for the time for `long` rooms. At the end of its walk it passes
    those that rest ever more closely, at last with the part `squeezed` of the free room.
    """
    if now.asked[i] != last:
        return MOVES
    way, half = difference(load(now.goal, i), load(vehicles.position, i), wrap), vehicles.radius[i] + HALF * distance
    remaining = math.sqrt(dot(way, way))
    gained = (now.nearest[i] - remaining) / (TWO * half)
    if gained > NEARER or gained < -AWAY:
        following.nearest[i], following.patience[i] = remaining, ONE
    reach = distance * (ONE + (NEAR if now.state[i] == MOVES else STILL_NEAR))
    inward, side = normalize(way), load(now.way, i)
    touches, follows, tight, onward, opening = False, False, False, inward, inward
    close = distance * (NEAR if now.state[i] != STANDS else STILL_NEAR)
    for _ in range(TWICE):
        for k in range(listing.number[i]):
            j = listing.row[i, k]
            row = own_row(j, segment)
            state = OCCUPIES if row < 0 else now.state[row]
            if state == MOVES or not is_beside(
                i, j, vehicles, others, bodies, segment, wrap, reach, distance, now, last
            ):
                continue
            follows |= bool(now.state[i] == WALKS and state >= OCCUPIES)
            offset = offset_to(i, j, vehicles, others, bodies, wrap)
            apart = close + vehicles.radius[i] + others.radius[j]
            tight |= bool(state >= OCCUPIES and dot(offset, offset) < apart * apart)
            beyond = add_scaled(way, offset, -ONE)
            if not dot(beyond, beyond) < remaining * remaining:
                continue
            touches, onward = True, past(onward, offset)
            if state >= OCCUPIES:
                opening = past(opening, offset)
                if dot(side, side) == ZERO:
                    side = lateral(scale(offset, -ONE), inward)
        if not touches:
            break
    patience, open2, turns = following.patience[i], dot(opening, opening), tightest <= half
    least = OPEN if turns else OPEN_TO_CARS
    held, stands = open2 < STILL_OPEN * STILL_OPEN, open2 < least * least
    if remaining <= half:
        return STANDS if stands or tight or (held and now.state[i] == STANDS) else OCCUPIES
    walks = turns and patience > SETTLING and (stands or follows)
    if not walks and held and (stands or (turns and not patience > ZERO) or now.state[i] == STANDS):
        return STANDS
    if not walks and not (turns and touches):
        return MOVES
    full, tau = vehicles.max_speed[i], response(vehicles.response_time[i], dt)
    slowing = max(FOUR * tau, vehicles.mass[i] * full / vehicles.max_force[i])
    if held or walks:
        following.patience[i] -= dt / (long * max(TWO * half / (PACE * full), slowing))
    if walks:
        side = side_of(side, inward, gained < -ONE, i, vehicles, ground)
        onward = add_scaled(scale(inward, INWARD), side, SIDEWARD)
        share = squeezed + (ONE - squeezed) * min(ENDING * (patience - SETTLING) / SETTLING, ONE)
        for _ in range(TWICE):
            for k in range(listing.number[i]):
                j = listing.row[i, k]
                row = own_row(j, segment)
                near = share * reach if row >= 0 and now.state[row] >= OCCUPIES else reach
                if is_beside(i, j, vehicles, others, bodies, segment, wrap, near, distance, now, last):
                    onward = past(onward, offset_to(i, j, vehicles, others, bodies, wrap))
        if stands and dot(onward, onward) < LITTLE:
            return STANDS
    store(following.way, i, with_length(onward, min(TWO * half, PACE * full * slowing)))
    return WALKS if walks else QUEUES


@kernel
def offset_to(
    i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies, wrap: Array
) -> Vector:  # fmt: skip
    """The way from vehicle i to neighbor j [m], between the nearest points of bodies of length."""
    offset = difference(load(others.position, j), load(vehicles.position, i), wrap)
    return body_offset(offset, i, j, vehicles, others, bodies)


@kernel
def same_goal(i: int, j: int, room: Any, wrap: Array, now: Resting) -> bool:
    """Whether the goals of vehicles i and j are no farther apart than the room that the two need [m]."""
    apart = difference(load(now.goal, j), load(now.goal, i), wrap)
    return bool(dot(apart, apart) <= room * room)


@kernel
def past(way: Vector, offset: Vector) -> Vector:
    """A way without its part that leads to something at an offset [m]."""
    into = dot(way, offset)
    return add_scaled(way, offset, -max(into, ZERO * into) / dot(offset, offset))


@kernel
def side_of(before: Vector, inward: Vector, lost: bool, i: int, vehicles: VehicleColumns, ground: Columns) -> Vector:
    """The unit vector beside the direction to the goal in which vehicle i walks: as before, or to a side by its id.

    One that has `lost` too much on its way turns back.
    """
    side = normalize(lateral(before, inward))
    if dot(side, side) == ZERO:
        return scale(beside(inward, ground, i), -ONE if vehicles.id[i] % 2 == 0 else ONE)
    velocity = load(vehicles.velocity, i)
    if lost and dot(velocity, inward) < ZERO and dot(velocity, side) > ZERO:
        return scale(side, -ONE)
    return side


@kernel
def is_ignored(
    i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies, segment: tuple[Array, ...],
    distance: Any, wrap: Array, now: Resting, last: Any,
) -> bool:  # fmt: skip
    """Whether vehicle i, which rests, lets neighbor j come near: one that rests, or that comes behind it to the same goal."""
    goal, place, other = load(now.goal, i), load(vehicles.position, i), load(others.position, j)
    offset, both = offset_to(i, j, vehicles, others, bodies, wrap), vehicles.radius[i] + others.radius[j]
    row = own_row(j, segment)
    apart = math.sqrt(dot(offset, offset))
    if apart <= both:
        return False
    if row >= 0 and (now.asked[row] != last or not same_goal(i, row, both + distance, wrap, now)):
        return False
    w = subtract(load(vehicles.velocity, i), load(others.velocity, j))
    closing = max(dot(offset, w), ZERO) / apart
    braking = closing * vehicles.mass[i] / vehicles.max_force[i]
    if closing * (vehicles.response_time[i] + braking) > apart - both:
        return False
    if row >= 0 and now.state[row] >= OCCUPIES:
        return True
    if row < 0 and is_still(i, j, vehicles, others, now):
        return True
    own, its = difference(goal, place, wrap), difference(goal, other, wrap)
    return bool(dot(own, own) < dot(its, its))


@kernel
def is_passed(
    i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies, segment: tuple[Array, ...],
    distance: Any, wrap: Array, now: Resting, last: Any,
) -> bool:  # fmt: skip
    """Whether vehicle i, which walks, passes neighbor j closely: one that rests at the same goal."""
    row = own_row(j, segment)
    if row < 0 or now.state[row] < OCCUPIES:
        return False
    return is_beside(i, j, vehicles, others, bodies, segment, wrap, distance, distance, now, last)


@row_kernel
def find_states(
    i: int, active: Array, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, wrap: Array, margin: Any,
    tightest: Any, ground: Columns, clock: Clock, rests: "Rests",
) -> None:  # fmt: skip
    """Note the state of vehicles, for behaviors that steer around others in one go with where they steer."""
    distance, last = room_of(i, vehicles, margin, rests.room), np.int64(clock.step[0]) - 1
    rests.following.state[i] = state_of(
        i, vehicles, others, listing, rests.bodies, rests.segment, wrap, distance, tightest, ground, rests.now,
        rests.following, last, clock.dt[0], PATIENCE, ONE,
    )  # fmt: skip


@kernel
def room_of(i: int, vehicles: VehicleColumns, margin: Any, room: Any) -> Any:
    """The free room that vehicle i keeps where it rests [m]: a margin, or half of its radius, and `room` radii more."""
    return max(margin, HALF * vehicles.radius[i]) + room * vehicles.radius[i]


@kernel
def state_in(rests: tuple[Any, ...], i: int) -> Any:
    """The state of vehicle i; MOVES where there is no memory of rest."""
    if len(rests) == 0:
        return MOVES
    return rests[0].following.state[i]


@kernel
def lets_near(
    i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, margin: Any, wrap: Array, clock: Clock,
    rests: tuple[Any, ...],
) -> bool:  # fmt: skip
    """Whether vehicle i rests, and neighbor j may come near. `rests` is empty where there is no memory of rest."""
    if len(rests) == 0:
        return False
    if rests[0].following.state[i] < OCCUPIES:
        return False
    distance, last = room_of(i, vehicles, margin, rests[0].room), np.int64(clock.step[0]) - 1
    about = rests[0]
    return is_ignored(i, j, vehicles, others, about.bodies, about.segment, distance, wrap, about.now, last)

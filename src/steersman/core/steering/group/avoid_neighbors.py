"""AvoidNeighbors: keep out of the way of others that move in any direction.

Two vehicles that go on as they do come nearest after T = -(offset . w) / w^2, at c = offset + w T, with w the other's
velocity less the vehicle's own. If T is at most the lookahead and |c| less than the room they need, the two threaten to
collide. Then

    force = mass * 2 (room - |c|) / T^2 * -unit(c),   room = both radii + distance

which is just enough to pass with that room. It is a turn where they meet head on or one overtakes the other; where ways
cross it has a part along forward, too: the vehicle that will be first speeds up, the other slows down. If they would
meet exactly, each evades to its own left of w, to opposite sides; if they stand in one place, the direction of each
follows from the ids. On a surface -unit(c) is that of the part of c along it: a vehicle that comes uphill is passed
beside, not above.

Reynolds 1999, "Unaligned collision avoidance": "imminent" evades only the nearest collision in time (and stays with it
until another is much nearer, so that a crowd does not jiggle). "all" adds up the forces that evade each threat. He does
not treat neighbors that are too near already: two that overlap, or come nearer within the room, are the most imminent,
and are kept apart as by "smooth". Otherwise two vehicles on nearly the same way would overlap before T is within the
lookahead.

"smooth", the default, adds them up, too, but so that the force never jumps when a threat comes, goes or changes:

    force = mass * 2 (room - |c|) * (1 / t^2 - 1 / lookahead^2) * -unit(c)

with t the time until the other is within the room, not until it is nearest, and with 0 <= T <= lookahead. If they would meet
exactly, half of it is a turn to the left of w also where T is longer: otherwise vehicles from all sides, which meet in one
point, would only brake, and T would never become shorter. A vehicle within the room has t = 0, and is kept off until it has
left, as by Separation, whether it comes, goes along, or stands: t counts as no less than tau = sqrt(2 distance mass /
max_force), so that one at touching distance is worth max_force, and one farther off less. Of one that goes away at a speed u,
u t counts as room that there is already: otherwise two would leave each other as fast as they came, and a dense crowd would
never come to rest.

One that evades to the side alone is stopped by nothing where others are beside it, as a faster walker in a stream of
slower ones. So between the edge of the room and a touch T is multiplied by

    1 - s (1 - k),   s = (room - |offset|) / distance,   k = min(SLOW tau / T, 1) min(|c| / touch, 1)

with c of the whole T: the nearer the two are to a touch, the more the push is along the offset, and brakes. T stays whole
where they are past each other soon, and miss each other. (Those that would meet exactly turn to the left here, too, by
1 - s of the push: two abreast before a door would only brake.) Where two already overlap, c is the offset, and the push is
multiplied by 1 + DEEP (1 - |offset| / touch): otherwise it would count no more than those of others that are farther off.

Pushes away from two that do not give way (parked ones, one behind the other, to either side of the way) would cancel. Where
a push away from one leads into another, and the two leave no room for its body between them, the vehicle passes them all on
the side that needs the least acceleration (`clear_side.py`), times 1 - T^2 / lookahead^2 with the soonest T. Where that is
more than max_force, it brakes with the rest of it. Between two that leave less than the free room, but enough for its body,
it goes where the pushes balance.

Within a step dt nothing answers to a push. So the sum of these forces is divided by 2 dt sum(push t / (mass gap)), over
all neighbors, where this is more than 1, with gap = room - |c|: otherwise vehicles between many others would be pushed
beyond where the pushes balance, and from there back, ever farther. It is dropped if it is less than NOTICEABLE of
max_force: otherwise a Priority would leave the vehicle to the rest of a threat that is nearly over, and no vehicle would
get on. For which densities this keeps bodies apart, docs/validation.md says.

A body that cannot step aside, such as a car, turns around as it decides, and cannot follow every push. By "smooth" it also
hears how far it may go on along its velocity until it meets a neighbor (`driving/in_the_way.py`), and stops there.

Bodies of length are taken for the two discs along them that meet first (see `neighborhood/bodies.py`).
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.ground import beside, level, level_direction
from steersman.core.maths.shapes import Circle, Cross, Shape, segment
from steersman.core.maths.vectors import (
    ONE,
    TINY,
    TWO,
    ZERO,
    across,
    add,
    add_scaled,
    cross,
    difference,
    direction_or,
    dot,
    length,
    load,
    normalize,
    scale,
    subtract,
)
from steersman.core.neighborhood.bodies import Bodies, threatening_offset
from steersman.core.neighborhood.coincident import direction, tie_of
from steersman.core.neighborhood.request import Listing
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.in_the_way import BRAKING, hear_of
from steersman.core.steering.driving.neighbor_watching import Watchful
from steersman.core.steering.driving.resting import (
    LONG_PATIENCE,
    OCCUPIES,
    SQUEEZED,
    WALKS,
    Resting,
    is_ignored,
    is_passed,
    resting_sides,
    state_of,
)
from steersman.core.steering.group.clear_side import Around, leads_into_another, meeting, needed_along
from steersman.core.steering.laws import crowding as laws
from steersman.core.steering.laws.predicting import meeting_offset, nearest_approach
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import RING, SketchContext
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

LAWS = ("smooth", "imminent", "all")

STUBBORN = np.float32(0.6)
"""A new threat displaces the old one if it is nearer in time by this factor."""

EXACT = np.float32(laws.EXACT)

NOW = np.float32(1e-6)
"""Time of a threat that is there already [s]."""

SLOW, DEEP = np.float32(laws.SLOW), np.float32(laws.DEEP)

NOTICEABLE = np.float32(laws.NOTICEABLE)
"""Part of max_force below which the smooth law does not act."""


class AvoidNeighborsNumbers(NamedTuple):
    """Parameters of evasion.

    Attributes:
        lookahead: How far ahead collisions are foreseen [s].
        distance: Free room to keep [m].
        tie: Sign of the direction in which a vehicle leaves one of another population in the same place, with the same id.
    """

    lookahead: Any
    distance: Any
    tie: Any


@kernel
def braking_time(nearest: Any, miss: Any, near: Any, touch: Any, tau: Any) -> Any:
    """The time at which the approach of one within the room counts [s]: `nearest` at its edge, less at a touch.

    Args:
        nearest: When the two are nearest [s].
        miss: How near they are then [m].
        near: 0 at the edge of the room, 1 at a touch.
        touch: Distance at which the two touch [m].
        tau: The time in which the vehicle moves aside by the free room [s].
    """
    part = min(SLOW * tau / nearest, ONE) * min(miss / max(touch, TINY), ONE)
    return nearest * (ONE - near * (ONE - part))


@kernel
def evade_smoothly(
    offset: Vector, w: Vector, touch: Any, numbers: AvoidNeighborsNumbers, mass: Any, max_force: Any, apart: Vector,
    ground: Columns, i: int,
) -> tuple[Vector, Any]:  # fmt: skip
    """The force that evades one neighbor, and grows from zero when it comes into sight; and how fast it answers [1/s].

    Args:
        offset: The way to it [m].
        w: Its velocity less the vehicle's own [m/s].
        touch: Distance at which the two touch [m].
        numbers: Parameters of evasion.
        mass: Own mass [kg].
        max_force: Own maximum force [N].
        apart: Unit vector to go along if it is in the same place and does not move.
        ground, i: The ground in which to evade, and the row there.
    """
    none, nearest, entry = scale(w, ZERO), numbers.lookahead * ZERO, numbers.lookahead * ZERO
    exact = nearest
    lookahead, room = numbers.lookahead, touch + numbers.distance
    tau2 = TWO * numbers.distance * mass / max_force
    d = length(offset)
    near = min(max(room - d, ZERO) / max(numbers.distance, TINY), ONE)
    w2, ahead, d2 = dot(w, w), -dot(offset, w), dot(offset, offset)
    if d2 > room * room:
        if not (ahead > ZERO and w2 > TINY):
            return none, none[0]
        nearest = ahead / w2
        miss = add_scaled(offset, w, nearest)
        spare = room * room - dot(miss, miss)
        if spare <= ZERO:
            return none, none[0]
        exact = max(ONE - length(miss) / (EXACT * d), ZERO)
        entry = nearest - math.sqrt(spare / w2)
        if entry >= lookahead:
            return none, none[0]
    elif ahead > ZERO and w2 > TINY and not d2 < touch * touch:
        nearest = ahead / w2
        met = length(add_scaled(offset, w, nearest))
        exact = (ONE - near) * max(ONE - met / (EXACT * d), ZERO)
        nearest = braking_time(nearest, met, near, touch, math.sqrt(tau2))
    miss = add_scaled(offset, w, min(nearest, lookahead))
    gap = room - length(miss)
    if gap <= ZERO:
        return none, none[0]
    if w2 > TINY:
        apart = beside(normalize(w), ground, i)
    if exact > ZERO:
        miss = add_scaled(miss, apart, -exact * length(miss))
    away = direction_or(scale(level(miss, ground, i), -ONE), d, apart)
    time2 = max(entry * entry, tau2)
    if d2 <= room * room and ahead < ZERO:
        gap += ahead * math.sqrt(time2 / d2)
        if not gap > ZERO:
            return none, none[0]
    size = min(max_force, mass * TWO * gap * max(ONE / time2 - ONE / (lookahead * lookahead), ZERO))
    return scale(away, size), size * math.sqrt(time2) / (mass * gap)


@kernel
def away_from(
    offset: Vector, i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, tie: Any, ground: Columns
) -> Vector:
    """The unit vector along which vehicle i leaves another in the same place; zero where the places differ."""
    if dot(offset, offset) < TINY:
        return level_direction(direction(vehicles.id[i], others.id[j], tie, others.position), ground, i)
    return scale(offset, ZERO)


@kernel
def evade_one(
    offset: Vector, w: Vector, touch: Any, numbers: AvoidNeighborsNumbers, mass: Any, max_force: Any, apart: Vector,
    ground: Columns, i: int,
) -> tuple[Any, Vector]:  # fmt: skip
    """When a collision threatens [s], 0 for never; and the force that evades it. For the arguments see `evade_smoothly`."""
    none, d2, room = scale(w, ZERO), dot(offset, offset), touch + numbers.distance
    if d2 < touch * touch or (d2 < room * room and dot(offset, w) < ZERO):
        force, _ = evade_smoothly(offset, w, touch, numbers, mass, max_force, apart, ground, i)
        return NOW, force
    w2 = dot(w, w)
    if not w2 > ZERO:
        return w2 * ZERO, none
    time = -dot(offset, w) / w2
    if not (time > ZERO and time <= numbers.lookahead):
        return w2 * ZERO, none
    miss = add_scaled(offset, w, time)
    miss2 = dot(miss, miss)
    if not miss2 < room * room:
        return w2 * ZERO, none
    away = direction_or(scale(level(miss, ground, i), -ONE), length(offset), beside(normalize(w), ground, i))
    size = min(max_force, mass * TWO * (room - math.sqrt(miss2)) / (time * time))
    return time, scale(away, size)


@kernel
def push_from(
    offset: Vector, i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, numbers: AvoidNeighborsNumbers,
    shares: tuple[Array, ...], bodies: Bodies, ground: Columns,
) -> tuple[Vector, Any]:  # fmt: skip
    """The force by which vehicle i evades neighbor j, at an offset [m] from it; and how fast it answers [1/s]."""
    w = subtract(load(others.velocity, j), load(vehicles.velocity, i))
    touch = vehicles.radius[i] + others.radius[j]
    room = touch + numbers.distance
    offset = threatening_offset(offset, w, room, numbers.lookahead, i, j, vehicles, others, bodies)
    apart = away_from(offset, i, j, vehicles, others, numbers.tie, ground)
    force, haste = evade_smoothly(offset, w, touch, numbers, vehicles.mass[i], vehicles.max_force[i], apart, ground, i)
    d2 = dot(offset, offset)
    if d2 < touch * touch:
        more = ONE + DEEP * (ONE - math.sqrt(d2) / touch)
        force, haste = scale(force, more), haste * more
    return in_part(force, j, shares), haste


@kernel
def in_part(force: Vector, j: int, shares: tuple[Array, ...]) -> Vector:
    """The part of a force that evades neighbor j. One of two that share the work does it as if the other did nothing."""
    if len(shares) == 0:
        return force
    return scale(force, min(TWO * shares[0][j], ONE))


@kernel
def takes_part(j: int, shares: tuple[Array, ...]) -> bool:
    """Whether any of the evading of neighbor j is left to the vehicle."""
    if len(shares) == 0:
        return True
    return bool(shares[0][j] > ZERO)


@kernel
def steadied(total: Vector, haste: Any, dt: Any) -> Vector:
    """A sum of pushes, so that a step of dt [s] does not lead beyond where they balance."""
    return scale(total, ONE / max(TWO * dt * haste, ONE))


@kernel
def is_noticeable(force: Vector, max_force: Any) -> bool:
    """Whether a force is large enough for the vehicle to be claimed; one that is not finite is."""
    least = NOTICEABLE * max_force
    return not dot(force, force) <= least * least


@kernel
def past_all(i: int, around: Around, total: Vector, numbers: AvoidNeighborsNumbers, ground: Columns) -> Vector:
    """The force on vehicle i: `total`, or where pushes from those that do not give way cancel, one to a side free of all.

    Args:
        i: The vehicle.
        around: What is around it.
        total: The sum of the pushes away from all neighbors [N].
        numbers: Parameters of evasion.
        ground: The ground in which to evade.
    """
    vehicles, others, listing = around.vehicles, around.others, around.listing
    mass, most = vehicles.mass[i], vehicles.max_force[i]
    pushes, strongest, axis = scale(total, ZERO), scale(total, ZERO), scale(total, ZERO)
    largest, soonest, cancel = mass * ZERO, mass * ZERO, False
    for k in range(listing.number[i]):
        one = meeting(i, k, around)
        if not (one.moves > ZERO and dot(one.miss, one.miss) < one.room * one.room):
            continue
        j = listing.row[i, k]
        offset = difference(load(others.position, j), load(vehicles.position, i), around.wrap)
        push, _ = push_from(offset, i, j, vehicles, others, numbers, around.shares, around.bodies, ground)
        size = length(push)
        if size > largest:
            largest, strongest, axis = size, scale(push, ONE / size), one.axis
        pushes, soonest = add(pushes, push), max(soonest, one.moves)
        cancel = cancel or leads_into_another(i, k, one, around)
    if not cancel or not largest > ZERO:
        return total
    best, needed = strongest, needed_along(strongest, i, around)
    for side in other_sides(strongest, axis, ground):
        other = needed_along(side, i, around)
        if other < needed:
            best, needed = side, other
    needed *= mass * (ONE - TWO / (soonest * numbers.lookahead * numbers.lookahead))
    rest = subtract(total, pushes)
    if needed > most:
        part = most / needed
        rest = add_scaled(rest, axis, most * math.sqrt(ONE - part * part))
        return add_scaled(rest, best, most * part)
    return add_scaled(rest, best, needed)


@kernel
def other_sides(side: Vector, axis: Vector, ground: Columns) -> tuple[Vector, ...]:
    """Unit vectors to the other sides of the way along `axis`: in space there are three."""
    opposite = scale(side, -ONE)
    if len(side) == 2:
        return (opposite,)
    if len(ground) == 3:
        return (opposite,)
    up = across(cross(axis, side), axis, side)
    return (opposite, up, scale(up, -ONE))


@row_kernel
def avoid_smoothly(
    i: int,
    vehicles: VehicleColumns,
    others: VehicleColumns,
    listing: Listing,
    wrap: Array,
    numbers: AvoidNeighborsNumbers,
    shares: tuple[Array, ...],
    bodies: Bodies,
    ground: Columns,
    ways: tuple[Array, ...],
    clock: Clock,
    out: Out,
) -> None:
    """Evade all neighbors that threaten."""
    max_force = vehicles.max_force[i]
    if max_force == ZERO:
        return
    place = load(vehicles.position, i)
    total, haste = scale(load(vehicles.velocity, i), ZERO), max_force * ZERO
    course = heading_after(load(vehicles.velocity, i), load(vehicles.forward, i), vehicles.max_speed[i])
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        offset = difference(load(others.position, j), place, wrap)
        push, each = push_from(offset, i, j, vehicles, others, numbers, shares, bodies, ground)
        total, haste = add(total, push), haste + each
        hear_of(ways, offset, course, i, j, vehicles, others, bodies)
    if len(shares) == 1:
        around = Around(vehicles, others, listing, wrap, shares, bodies, numbers.distance, numbers.lookahead)
        total = past_all(i, around, total, numbers, ground)
    total = steadied(total, haste, clock.dt[0])
    if is_noticeable(total, max_force):
        deposit(out, i, total, max_force, True)


@row_kernel
def avoid_and_rest(
    i: int, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, wrap: Array,
    numbers: AvoidNeighborsNumbers, shares: tuple[Array, ...], bodies: Bodies, segment: tuple[Array, ...], tightest: Any,
    ground: Columns, now: Resting, following: Resting, ways: tuple[Array, ...], clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Evade all neighbors that threaten; those that come to rest around the same goal do not threaten one that rests."""
    max_force, last = vehicles.max_force[i], np.int64(clock.step[0]) - 1
    state = state_of(
        i, vehicles, others, listing, bodies, segment, wrap, numbers.distance, tightest, ground, now, following, last,
        clock.dt[0], LONG_PATIENCE, SQUEEZED,
    )  # fmt: skip
    following.state[i] = state
    if max_force == ZERO:
        return
    place = load(vehicles.position, i)
    total, haste = scale(load(vehicles.velocity, i), ZERO), max_force * ZERO
    course = heading_after(load(vehicles.velocity, i), load(vehicles.forward, i), vehicles.max_speed[i])
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        if state >= OCCUPIES and is_ignored(i, j, vehicles, others, bodies, segment, numbers.distance, wrap, now, last):
            continue
        offset = difference(load(others.position, j), place, wrap)
        keep = numbers
        if state == WALKS and is_passed(i, j, vehicles, others, bodies, segment, numbers.distance, wrap, now, last):
            keep = AvoidNeighborsNumbers(numbers.lookahead, SQUEEZED * numbers.distance, numbers.tie)
        push, each = push_from(offset, i, j, vehicles, others, keep, shares, bodies, ground)
        total, haste = add(total, push), haste + each
        hear_of(ways, offset, course, i, j, vehicles, others, bodies)
    if len(shares) == 1:
        around = Around(vehicles, others, listing, wrap, shares, bodies, numbers.distance, numbers.lookahead)
        total = past_all(i, around, total, numbers, ground)
    total = steadied(total, haste, clock.dt[0])
    if is_noticeable(total, max_force):
        deposit(out, i, total, max_force, True)
        if now.asked[i] == last:
            following.asked[i] = last + 1


@row_kernel
def avoid_neighbors(
    i: int, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, wrap: Array,
    numbers: AvoidNeighborsNumbers, shares: tuple[Array, ...], bodies: Bodies,
    everyone: bool, threat_now: Array, threat_next: Array, ground: Columns, out: Out,
) -> None:  # fmt: skip
    """Evade the most imminent collision, or the collisions with all neighbors."""
    positions, velocities, radii, ids, rows = others.position, others.velocity, others.radius, others.id, listing.row
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    mass, radius, max_force = vehicles.mass[i], vehicles.radius[i], vehicles.max_force[i]
    total = scale(velocity, ZERO)
    soonest, known = numbers.lookahead * TWO, numbers.lookahead * TWO
    choice, remembered = total, total
    threat = -1
    for k in range(listing.number[i]):
        j = rows[i, k]
        offset, w = difference(load(positions, j), place, wrap), subtract(load(velocities, j), velocity)
        room = radius + radii[j] + numbers.distance
        offset = threatening_offset(offset, w, room, numbers.lookahead, i, j, vehicles, others, bodies)
        apart = away_from(offset, i, j, vehicles, others, numbers.tie, ground)
        time, force = evade_one(offset, w, radius + radii[j], numbers, mass, max_force, apart, ground, i)
        force = in_part(force, j, shares)
        if not (time > ZERO and takes_part(j, shares)):
            continue
        total = add(total, force)
        if time < soonest:
            soonest, choice, threat = time, force, ids[j]
        if ids[j] == threat_now[i]:
            known, remembered = time, force
    if known <= numbers.lookahead and soonest > STUBBORN * known:
        choice, threat = remembered, threat_now[i]
    threat_next[i] = threat
    if threat >= 0:
        deposit(out, i, total if everyone else choice, vehicles.max_force[i], True)


@registered
class AvoidNeighbors(Watchful):
    """Keep out of the way of others that move in any direction.

    In a Priority above the goal, and in a sum with Arrive, GoTo, Interpose, Hide or FollowPath on an open path, which give
    way to it, it keeps its distances. In a sum with other behaviors (Seek, FollowPath on a ring) these pull back: give it
    a weight of 4 there, or a Priority.

    Bodies overlap in streams that are too dense for the room: people of radius 0.2 m with a `distance` of 0.2 m, who go one
    way, from 2 per square meter on with steps of 1/20 s (by 0.06 m), and at 4 with 1/60 s; two ways from 1.5 on with 1/20 s.
    Give the world a ZeroOverlap there (it goes 0.88, 0.94 and 0.98 m/s at 2, 3 and 4 per square meter), or take ORCA (1.10,
    0.99 and 0.50), or CollisionFreeSpeed, which goes as people do (0.52, 0.29 and 0.20).

    Args:
        lookahead: How far ahead collisions are foreseen [s]. Raising it evades earlier, and more gently.
        distance: Free room to keep between the two when they are nearest [m]. Raising it passes with more room.
        law: Which neighbors count: "smooth" adds up the forces for all threats, and never jumps; "imminent" (Reynolds)
            evades the nearest collision in time; "all" adds up the forces for all threats by the same equation.
        radius: Distance up to which others are looked at [m]. At less than lookahead times the speed at which two
            approach, some are seen late. Raising it sees others earlier.
        of: The populations that are avoided: another Vehicles, a list of several, or "all" that are in the world. Vehicles
            that yield more (see `Population.yields`) are evaded less. Default: the own population.
    """

    lookahead: float = parameter(3.0, above=0.0, unit="s", positional=True)
    distance: float = parameter(0.5, low=0.0, unit="m", positional=True)
    law: str = parameter("smooth", kind=TEXT, choices=LAWS)

    def yields(self) -> bool:
        """The smooth law does, where the own population may be among its neighbors."""
        return self.law == "smooth" and super().yields()

    def pushes(self) -> bool:
        """The smooth law does, of any population."""
        return self.law == "smooth"

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The id of the vehicle that is being evaded, -1 for none; the smooth law needs no memory."""
        if self.law == "smooth":
            return {}
        return {"threat": np.full(len(vehicles), -1, np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        ways = (scene.free_way,) if self.law == "smooth" and not scene.steps_aside else ()
        vehicles, others, shares, segment, bodies = scene.encounter(self.of, *(BRAKING if ways else ()))
        tie = tie_of(scene.vehicles, self.of)
        numbers = scene.numbers(AvoidNeighborsNumbers, lookahead=self.lookahead, distance=self.distance, tie=tie)
        common = (vehicles, others, scene.neighbors(self.needs()[0]), scene.wrap, numbers, shares, bodies)
        if self.yields() and scene.resting is not None and (segment or others is vehicles):
            sides = resting_sides(scene.resting)
            arguments = (*common, segment, scene.number(scene.tightest), scene.ground, *sides)
            return [Call(avoid_and_rest, (*arguments, ways, scene.clock, out))]
        if self.law == "smooth":
            return [Call(avoid_smoothly, (*common, scene.ground, ways, scene.clock, out))]
        remembered = (memory.now("threat"), memory.next("threat"))
        return [Call(avoid_neighbors, (*common, self.law == "all", *remembered, scene.ground, out))]

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """For every threat, the places of the two when they are nearest, and the width to keep there, and where they meet."""
        near = self._near(context)
        others = context.others(self.of)
        here, velocity = context.position[near.of], context.velocity[near.of]
        other_velocity = others.velocity[near.row].astype(np.float64)
        room = context.radius[near.of] + others.radius[near.row] + self.distance
        axis, its = context.axes_of_bodies()[near.of], context.axes_of_bodies(others, near.row)
        way = near.position - here
        if axis.any() or its.any():
            way = meeting_offset(way, other_velocity - velocity, axis, its, room, self.lookahead)
        time, distance = nearest_approach(here, velocity, here + way, other_velocity)
        threat = (time > 0) & (time <= self.lookahead) & (distance < room)
        if self.law == "imminent":
            threat &= others.id[near.row] == context.memory["threat"][near.of]
        futures, there = [], "where both will be" if threat.sum() == 1 else "where they will be"
        for place, moved, along, wide in (
            (here, velocity, axis, context.radius[near.of] + self.distance / 2),
            (near.position, other_velocity, its, others.radius[near.row] + self.distance / 2),
        ):
            future = np.where(threat[:, None], place + moved * time[:, None], np.nan)
            futures.append(future)
            yield segment(place, future, "predicted", means=there)
            for body in context.bodies(future, along, wide, "predicted"):
                yield replace(body, label=there, means=there)
        yield Cross(np.mean(futures, axis=0), role="danger", label="would meet here")
        yield Circle(near.position, np.where(threat, RING * others.radius[near.row], np.nan), role="chosen")

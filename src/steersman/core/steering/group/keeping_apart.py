"""Keeping apart behind a leader: the law "apart" of FollowLeader, in which no vehicle is too fast for its brakes.

    desired = truncate(leader velocity + V min(1, d / slowing_distance) unit(way), V),   d the way left, or to the crowd
    n . (u - leader velocity)  >= depth of the body in the rectangle ahead, as a speed;   n lateral to the leader's forward
    n . (u - leader velocity)  >= -gap to the leader, as a speed;             n from the leader
    n . (u - mean velocity)    >= -half the gap to a fellow, as a speed;      n from the fellow
    force = mass * (u - velocity) / response_time,   u the velocity nearest to `desired` that satisfies all of these

A length stands for the speed from which vehicles still stop within it (`braking_speed` of Arrive); where a gap is
negative, or a depth positive, it stands for the speed with which to come out.

Only one vehicle fits into the place behind the leader. The others come to rest where they meet those that are already
there: d is at most the gap to each fellow that lies within 60 degrees of the way and is nearer to the place, plus
slowing_distance / 2 V times the speed of that fellow relative to the leader. So rest spreads from the place outwards;
without that, a crowd mills about the place of a standing leader for ever.

A car (Wheeled) turns round only by driving on. So where the velocity that the others leave it lies more than 45 degrees
beside its heading, it asks for the desired one. A body that cannot step aside is told how far it may go on until it meets
another (`Scene.free_way`), and stops there; one that backs up does not begin to where another is right behind it. A car
between two, with less than BOXED of its radius to go on and back, keeps the velocity of the leader: it would change gear for
ever, and get nowhere.

A body that cannot step aside (`Locomotion.steps_aside`) leaves its place when it is asked to move by a hand's breadth to the
side, and pushes others from theirs. So it keeps the velocity of the leader where u differs from it by less than LEAST of
its top speed: it rests that much beside its place, as by static friction. Behind a leader that stands it is not asked away
from others either, however near they come, as long as it does not touch them: a walk away would end within the spacing of
the next one, and so on for ever. Cars are, for they drive on to turn round.

Reynolds 1999, "Leader following", adds up the forces of arrival and separation; a crowd then presses from behind, and is
overlapped by as much as arrival outweighs separation.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.facing import heading_after
from steersman.core.maths.ground import beside, level, level_direction
from steersman.core.neighborhood.coincident import direction
from steersman.core.neighborhood.request import Listing
from steersman.core.steering.driving.approach import brake_force, braking_speed, full_speed, slowing_distance
from steersman.core.steering.driving.drive import DriveNumbers
from steersman.core.steering.driving.in_the_way import free_gap, gap_along
from steersman.core.steering.group.half_spaces import nearest_velocity, set_plane
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.targets.target import Quarry
from steersman.core.steering.tree.forces import Out, deposit, match, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LEAST = 0.05
"""Part of max_speed below which a vehicle that cannot step aside keeps the velocity of its leader."""

BOXED = np.float32(0.1)
"""Part of its radius below which the way on and the way back together leave a car no room to turn."""

MORE = 2
"""Number of planes besides those of the fellows: the leader's plane before them, the plane of its way after them."""

TAPER = np.float32(0.25)
"""Part of the rectangle's length over which it fades out."""


@kernel
def own_side(id: int, forward: Vector, ground: Columns, i: int) -> Vector:
    """The side to which a vehicle steps out of the way of one that comes straight at it: left or right, by its id."""
    if id & 1:
        return v.scale(beside(forward, ground, i), -v.ONE)
    return beside(forward, ground, i)


@kernel
def safe_speed(room: Any, acceleration: Any, tau: Any) -> Any:
    """The speed at which a vehicle may use up some room [m]; minus the speed at which to make room, if negative."""
    speed = braking_speed(abs(room), acceleration, tau)
    if room < v.ZERO:
        return -speed
    return speed


@kernel
def unpushed(bound: Any, lead: Any, room: Any, stays: bool) -> Any:
    """The least speed away from another [m/s]: at most the leader's while `room` [m] is left between bodies that stay."""
    return min(bound, lead) if stays and room > v.ZERO else bound


@kernel
def keep_way_clear(
    planes: Array, count: int, offset: Vector, forward: Vector, lead: Vector, reach: Any, half: Any, radius: Any,
    side: Vector, speed: Any, acceleration: Any, tau: Any,
) -> int:  # fmt: skip
    """Write the plane that keeps all of a vehicle, at an offset [m], out of the leader's rectangle; as `keep_apart`."""
    ahead = v.dot(offset, forward)
    if not (ahead > v.ZERO and ahead < reach):
        return count
    aside = v.lateral(offset, forward)
    out = v.across(offset, forward, side)
    room = math.sqrt(v.dot(aside, aside)) - half - radius
    fade = min(min(ahead / half, (reach - ahead) / (TAPER * reach)), v.ONE) if half > v.ZERO else ahead * v.ZERO
    allowed = safe_speed(room, acceleration, tau) + (v.ONE - fade) * v.TWO * speed
    set_plane(planes, count, out, v.dot(out, lead) - allowed)
    return count + 1


@kernel
def keep_apart(
    planes: Array, count: int, i: int, j: int, same: bool, vehicles: VehicleColumns, listing: Listing, wrap: Array,
    spacing: Any, stays: bool, lead: Vector, tau: Any, ground: Columns,
) -> int:  # fmt: skip
    """Write the planes of the fellows of vehicle i behind the first `count`; returns how many there are now."""
    place, velocity, acceleration = (
        v.load(vehicles.position, i),
        v.load(vehicles.velocity, i),
        vehicles.max_force[i] / vehicles.mass[i],
    )
    for k in range(listing.number[i]):
        row = listing.row[i, k]
        if same and row == j:
            continue
        offset = level(v.difference(place, v.load(vehicles.position, row), wrap), ground, i)
        apart = level_direction(direction(vehicles.id[row], vehicles.id[i], 1, vehicles.position), ground, i)
        away = v.direction_or(offset, vehicles.radius[i], apart)
        gap = math.sqrt(v.dot(offset, offset)) - vehicles.radius[i] - vehicles.radius[row] - spacing
        mean = v.scale(v.add(velocity, v.load(vehicles.velocity, row)), v.HALF)
        bound = v.dot(away, mean) - safe_speed(gap * v.HALF, acceleration, tau)
        set_plane(planes, count, away, unpushed(bound, v.dot(away, lead), gap + spacing, stays))
        count += 1
    return count


@kernel
def room_to_crowd(
    i: int, j: int, same: bool, vehicles: VehicleColumns, listing: Listing, wrap: Array, spacing: Any, way: Vector,
    lead: Vector, remaining: Any, time: Any,
) -> Any:  # fmt: skip
    """The rest of the way of vehicle i [m], at most as far as the fellows that are before it on the way to the place.

    Fellows that still move leave room, `time` [s] times their speed relative to the leader.
    """
    room = remaining
    for k in range(listing.number[i]):
        row = listing.row[i, k]
        if same and row == j:
            continue
        to = v.difference(v.load(vehicles.position, row), v.load(vehicles.position, i), wrap)
        distance, rest = v.length(to), v.subtract(way, to)
        if v.dot(rest, rest) < remaining * remaining and v.dot(to, way) > v.HALF * distance * remaining:
            gap = max(distance - vehicles.radius[i] - vehicles.radius[row] - spacing, v.ZERO)
            room = min(room, gap + time * v.length(v.subtract(v.load(vehicles.velocity, row), lead)))
    return room


@kernel
def as_cars_can(u: Vector, desired: Vector, forward: Vector) -> Vector:
    """A velocity for a car: what others leave of the desired one, if it lies ahead; else it turns to the desired one."""
    return u if v.dot(u, forward) >= v.length(v.lateral(u, forward)) else desired


@row_kernel
def follow_apart(
    i: int, vehicles: VehicleColumns, leader: Quarry, same: bool, listing: Listing, wrap: Array,
    numbers: Any, go: DriveNumbers, planes: Array, spare: Array, free_way: tuple[Array, ...], clock: Clock,
    ground: Columns, out: Out,
) -> None:  # fmt: skip
    """Follow the leader, out of its way and apart from all others."""
    chief = leader.columns
    j = leader.pick[i]
    if j < 0 or (same and j == i):
        return
    forward, lead = level_direction(v.load(chief.forward, j), ground, i), v.load(chief.velocity, j)
    velocity, mass = v.load(vehicles.velocity, i), vehicles.mass[i]
    tau = response(vehicles.response_time[i], clock.dt[0])
    speed, acceleration = vehicles.max_speed[i], brake_force(i, vehicles, numbers.brakes) / mass
    offset = level(v.difference(v.load(vehicles.position, i), v.load(chief.position, j), wrap), ground, i)
    side = own_side(vehicles.id[i], forward, ground, i)
    away = v.direction_or(offset, vehicles.radius[i], side)
    gap = math.sqrt(v.dot(offset, offset)) - vehicles.radius[i] - chief.radius[j] - numbers.spacing
    least, along = numbers.least * speed, v.dot(away, lead)
    stays = numbers.tightest == v.ZERO and v.dot(lead, lead) < least * least
    bound = unpushed(along - safe_speed(gap, acceleration, tau), along, gap + numbers.spacing, stays)
    set_plane(planes[i], 0, away, bound)
    hard = keep_apart(planes[i], 1, i, j, same, vehicles, listing, wrap, numbers.spacing, stays, lead, tau, ground)
    count = keep_way_clear(
        planes[i],
        hard,
        offset,
        forward,
        lead,
        numbers.clear_length,
        numbers.half_width,
        vehicles.radius[i],
        side,
        speed,
        acceleration,
        tau,
    )
    way = v.scale(
        v.add_scaled(offset, forward, numbers.behind + numbers.behind_time * math.sqrt(v.dot(lead, lead))), -v.ONE
    )
    full = full_speed(way, velocity, speed, go)
    slowing = slowing_distance(full, i, vehicles, numbers.brakes, tau, numbers.slowing_distance)
    time = v.HALF * slowing / full if full > v.ZERO else v.ZERO * full
    remaining = room_to_crowd(i, j, same, vehicles, listing, wrap, numbers.spacing, way, lead, v.length(way), time)
    pace = full * (remaining / slowing) if remaining < slowing else full * v.ONE
    desired = v.truncate(level(v.add(lead, v.with_length(way, pace)), ground, i), full * v.ONE)
    u = nearest_velocity(planes[i], hard, count, speed, desired, spare[i], numbers.slack * speed)
    if numbers.tightest > v.ZERO:
        u = as_cars_can(u, desired, level_direction(v.load(vehicles.forward, i), ground, i))
    if len(free_way) != 0:
        heading = v.load(vehicles.forward, i)
        course, backward = heading_after(velocity, heading, speed), v.scale(heading, -v.ONE)
        both, to = vehicles.radius[i] + chief.radius[j], v.scale(offset, -v.ONE)
        free, fore, rear = free_gap(to, course, lead, both), gap_along(to, heading, both), gap_along(to, backward, both)
        for k in range(listing.number[i]):
            row = listing.row[i, k]
            both = vehicles.radius[i] + vehicles.radius[row]
            to = v.difference(v.load(vehicles.position, row), v.load(vehicles.position, i), wrap)
            free = min(free, free_gap(to, course, v.load(vehicles.velocity, row), both))
            fore, rear = min(fore, gap_along(to, heading, both)), min(rear, gap_along(to, backward, both))
        free_way[0][i] = min(free_way[0][i], free)
        boxed = numbers.tightest > v.ZERO and fore + rear < BOXED * vehicles.radius[i]
        if boxed or (numbers.backs == v.ONE and not rear > v.ZERO and v.dot(u, heading) < v.ZERO):
            u = lead
    change = v.subtract(u, lead)
    if v.dot(change, change) < least * least:
        u = lead
    deposit(out, i, match(u, velocity, mass, tau, tau), vehicles.max_force[i], True)

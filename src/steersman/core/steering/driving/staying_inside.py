"""Staying inside: kernels of the nearest velocity with which a vehicle stays in a region. See `Contain` for the law."""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.regions.sphere import point_of
from steersman.core.environment.shape import SurfaceProjection, new_foot
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.facing import heading_after
from steersman.core.maths.ground import beside
from steersman.core.steering.driving.approach import FOUR, full_speed
from steersman.core.steering.driving.drive import DriveNumbers
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.forces import Out, deposit_shared, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

BRAKES = np.float32(0.5)
"""Part of max_force with which a vehicle is assumed to brake before a wall."""

INWARD = np.float32(0.5)
"""Sine of the angle to the wall at which a vehicle that was turned comes away from it."""

ROOM = np.float32(3)
"""The room inside the boundary in units of a tau^2. Half of max_force bends the spring there by 2 of them."""

SHALLOW = np.float32(0.25)
"""Part of the depth of the region that the room may take."""

ALONG = np.float32(0.02)
"""Cosine of the angle to a normal up to which a vehicle at the boundary goes along it, and not out."""

CREEP = np.float32(0.001)
"""Part of the room that a body which turns only as it moves may still go on at the boundary, so that it turns there."""

SHORT = np.float32(0.01)
"""Part of the room by which such a body stops before the boundary: there it would be outside by a rounding."""

AWAY = np.float32(0.2)
"""Twice the part of the way out by which a body with a turning circle may come farther out as it turns back."""

PARALLEL = np.float32(0.999)
"""Minus the cosine of the angle between two normals beyond which walls count as parallel: they meet too far away."""

TIP = np.float32(0.25)
"""Part of the room within which the boundary is nearest to the place where two walls would meet, if they do."""

BACKED = np.float32(2)
"""So many radii of its tightest circle a car backs until it is left where it stops."""

REGAINED = np.float32(0.125)
"""Part of the way driven ahead that takes off from the way that a car backed."""

LONGEST = np.float32(1e4)
"""How far ahead to look at most [s]: a vehicle with next to no brakes needs no more."""


@kernel
def place_and_velocity(middle: Array, vehicles: VehicleColumns, wrap: Array, i: int) -> Vector:
    """Where a vehicle is; on a torus, as seen from the region's middle."""
    place = v.load(vehicles.position, i)
    center = point_of(middle, 0, place)
    return v.add(center, v.difference(place, center, wrap))


class TurnNumbers(NamedTuple):
    """When to turn.

    Attributes:
        lookahead: [s].
        margin: How far inside the boundary to stay [m].
        deepest: How far inside the margin the region reaches [m].
        tightest: Radius of the tightest circle of the body [m].
        creeps: 1 for a body that turns to a side as it moves, if on no circle, else 0.
    """

    lookahead: Any
    margin: Any
    deepest: Any
    tightest: Any
    creeps: Any


class Inside(NamedTuple):
    """Where vehicles are to be to stay inside.

    Attributes:
        here: Where they are [m].
        near: The nearest place inside with room [m].
        predicted: Where they will be, if they go straight on [m].
        goal: The nearest place inside with room [m].
        time: Until then [s], shape (n,).
        keep: How far inside the boundary both are to be, margin and room [m], shape (n,).
        back: Flags of vehicles with a `goal` at another place than `predicted`, shape (n,), uint8.
        inward: Flags of vehicles with a `near` at another place than `here`.
        outside: Flags of vehicles outside of the margin; of those with `inward`.
    """

    here: Columns
    near: Columns
    predicted: Columns
    goal: Columns
    time: Array
    keep: Array
    back: Array
    inward: Array
    outside: Array


@kernel
def spring_time(strength: Any, response_time: Any, deepest: Any, dt: Any) -> Any:
    """The response time [s], shortened where the room would be too large for the region; at least two steps."""
    tau = response(response_time, dt)
    if strength > v.ZERO:
        tau = min(tau, math.sqrt(SHALLOW * deepest / (ROOM * strength)))
    return max(tau, v.TWO * dt)


@kernel
def room_inside(strength: Any, tau: Any, deepest: Any) -> Any:
    """How far inside the boundary the spring begins to push a vehicle back [m]."""
    return min(ROOM * strength * tau * tau, SHALLOW * deepest)


@kernel
def missing_inward(deep: Any, tau: Any, velocity: Vector, inward: Vector) -> Any:
    """What a velocity lacks of that of the spring toward the inside, a unit vector [m/s]; `deep` in its room [m]."""
    return deep / (FOUR * tau) - v.dot(velocity, inward)


@row_kernel
def look_in_time(
    i: int, vehicles: VehicleColumns, middle: Array, wrap: Array, numbers: TurnNumbers, dt: Array, inside: Inside
) -> None:
    """Where vehicles are and will be, after the time that stopping takes at least."""
    place, velocity = place_and_velocity(middle, vehicles, wrap, i), v.load(vehicles.velocity, i)
    speed, strength = v.length(velocity), vehicles.max_force[i] / vehicles.mass[i]
    tau = spring_time(strength, vehicles.response_time[i], numbers.deepest, dt[0])
    inside.keep[i] = numbers.margin + room_inside(strength, tau, numbers.deepest)
    time = numbers.lookahead
    if time * speed > numbers.deepest:
        time = numbers.deepest / speed
    time = max(time, FOUR * tau)
    if speed > time * BRAKES * strength:
        time = min(speed / (BRAKES * strength), LONGEST) if strength > v.ZERO else LONGEST
    if time * speed < min(numbers.tightest, numbers.deepest):
        time = min(max(time, numbers.tightest / speed), LONGEST)
    inside.time[i] = time
    v.store(inside.here, i, place)
    v.store(inside.predicted, i, v.add_scaled(place, velocity, time))


@row_kernel
def limit_way(
    i: int, vehicles: VehicleColumns, active: Array, now: SurfaceProjection, then: SurfaceProjection,
    leaving: SurfaceProjection, numbers: TurnNumbers, inside: Inside, free_way: Array,
) -> None:  # fmt: skip
    """How far a body that does not follow every force may go on, until it comes to the margin of the region.

    It counts the boundary nearest to where it is, and, for a body inside, the one that its way leads through. One that is
    farther outside than the radius of its tightest circle turns around there; one that is less far outside may come out
    by a tenth of that way as it turns back. `leaving` is where ways lead out, `then` the boundary nearest to their ends.
    """
    outside, room = now.distance[i] + numbers.margin, inside.keep[i] - numbers.margin
    short = SHORT * room
    if not active[i] or outside > max(numbers.tightest, numbers.creeps * room):
        return
    least = numbers.creeps * CREEP * room
    velocity = v.load(vehicles.velocity, i)
    way = heading_after(velocity, v.load(vehicles.forward, i), vehicles.max_speed[i])
    cosine, free = v.dot(way, v.load(now.normal, i)), v.INFINITE + outside
    most: Any = ALONG if outside >= v.ZERO else v.ZERO
    if outside > v.ZERO and numbers.tightest > v.ZERO:
        most = max(most, math.sqrt(AWAY * outside / numbers.tightest))
    if cosine > most:
        free = max(-outside - short, v.ZERO) / cosine
    if outside > v.ZERO:
        free_way[i] = min(free_way[i], max(free, least))
        return
    over, normal = leaving.distance[i] + numbers.margin, v.load(leaving.normal, i)
    if not leaving.distance[i] > v.ZERO:
        over, normal = then.distance[i] + numbers.margin, v.load(then.normal, i)
    cosine = v.dot(way, normal)
    if cosine > ALONG:
        free = min(free, max(v.length(velocity) * inside.time[i] - (over + short) / cosine, v.ZERO))
    free_way[i] = min(free_way[i], max(free, least))


@row_kernel
def bring_inside(i: int, foot: SurfaceProjection, keep: Array, part: Any, flags: Array, points: Columns) -> None:
    """Move points that are too near to the boundary away from it, by a part of the missing distance."""
    over = foot.distance[i] + keep[i]
    if flags[i] and over > v.ZERO:
        v.store(points, i, v.add_scaled(v.load(points, i), v.load(foot.normal, i), -part * over))


class Corners(NamedTuple):
    """Points between two walls that lean toward each other: a push away from one is undone by the push away from the other.

    Attributes:
        outward: Outward unit vectors of the boundary that the points were moved away from last.
        looks: Flags of the points that may be in a corner, shape (n,), uint8; cleared when they have been treated.
        tip: Where their two walls meet, if they go on so far [m].
        foot: How that place lies with regard to the region.
    """

    outward: Columns
    looks: Array
    tip: Columns
    foot: SurfaceProjection


def new_corners(n: int, d: int, dtype: Any) -> Corners:
    """Space for the corners that n points are in."""
    outward, tip = np.zeros((2, d, n), dtype)
    return Corners(tuple(outward), np.zeros(n, np.uint8), tuple(tip), new_foot(n, d, dtype))


@row_kernel
def begin_corners(
    i: int, now: SurfaceProjection, then: SurfaceProjection, leaving: SurfaceProjection, inside: Inside, near: Corners,
    goal: Corners,
) -> None:  # fmt: skip
    """Note the boundaries that places inside begin with."""
    if inside.inward[i]:
        v.store(near.outward, i, v.load(now.normal, i))
    if inside.back[i]:
        v.store(goal.outward, i, v.load(leaving.normal if leaving.distance[i] > v.ZERO else then.normal, i))


@row_kernel(some=True)
def bring_inside_from_walls(
    i: int, foot: SurfaceProjection, keep: Array, part: Any, flags: Array, points: Columns, corners: Corners
) -> Any:
    """As `bring_inside`; before that, find the tips of the corners that the points are in."""
    if not flags[i]:
        return False
    over = foot.distance[i] + keep[i]
    if not over > v.ZERO:
        return False
    point, normal, before = v.load(points, i), v.load(foot.normal, i), v.load(corners.outward, i)
    v.store(points, i, v.add_scaled(point, normal, -part * over))
    cosine = v.dot(normal, before)
    if not -PARALLEL < cosine < v.ZERO:
        v.store(corners.outward, i, normal)
        return False
    beyond = foot.distance[i] + cosine * keep[i]
    aside = v.scale(v.add_scaled(normal, before, -cosine), beyond / (v.ONE - cosine * cosine))
    v.store(corners.tip, i, v.subtract(v.add_scaled(point, before, keep[i]), aside))
    corners.looks[i] = 1
    return True


@row_kernel
def bring_out_of_corner(i: int, foot: SurfaceProjection, keep: Array, points: Columns, corners: Corners) -> None:
    """Move points in corners to the nearest place with room to both walls, unless there is a passage between these."""
    if not corners.looks[i]:
        return
    corners.looks[i] = 0
    normal, before = v.load(foot.normal, i), v.load(corners.outward, i)
    if abs(corners.foot.distance[i]) < TIP * keep[i]:
        both = v.scale(v.add(normal, before), keep[i] / (v.ONE + v.dot(normal, before)))
        v.store(points, i, v.subtract(v.load(corners.tip, i), both))
    v.store(corners.outward, i, normal)


@row_kernel(every=True, some=True)
def begin_inside(
    i: int, active: Array, now: SurfaceProjection, then: SurfaceProjection, leaving: SurfaceProjection, margin: Any,
    inside: Inside,
) -> Any:  # fmt: skip
    """Begin with the nearest boundary, or the one through which the way leads out; note vehicles that are too near."""
    near, goal, keep = v.load(inside.here, i), v.load(inside.predicted, i), inside.keep[i]
    over, normal = leaving.distance[i] + keep, v.load(leaving.normal, i)
    if not leaving.distance[i] > v.ZERO:
        over, normal = then.distance[i] + keep, v.load(then.normal, i)
    over_now = now.distance[i] + keep
    inside.back[i], inside.inward[i] = active[i] and over > v.ZERO, active[i] and over_now > v.ZERO
    if inside.back[i]:
        goal = v.add_scaled(goal, normal, -over)
    if inside.inward[i]:
        near = v.add_scaled(near, v.load(now.normal, i), -over_now)
        inside.outside[i] = now.distance[i] + margin > v.ZERO
    v.store(inside.near, i, near)
    v.store(inside.goal, i, goal)
    return inside.back[i] | inside.inward[i]


class Turned(NamedTuple):
    """Memory of vehicles that turn.

    Attributes:
        wall: Outward unit vectors that they turn away from, times how far they have got, up to 1; zero for none.
        side: Unit vectors along which they turn.
        backed: How far cars have backed, less a part of the way driven ahead, as part of BACKED circles, shape (n,), 0 to 1.
    """

    wall: Columns
    side: Columns
    backed: Array


class Turns(NamedTuple):
    """How vehicles turn.

    Attributes:
        change: The change of velocity that is wanted [m/s].
        turns: Flags of the vehicles that need one, shape (n,), uint8.
        outward: Unit vectors against it, toward the wall.
        ways: Where they would be to either side of the way there [m]: along `side`, and against it.
    """

    change: Columns
    turns: Array
    outward: Columns
    ways: tuple[Columns, Columns]


@kernel
def chosen_side(
    velocity: Vector, outward: Vector, here: Vector, middle: Vector, remembered: Vector, usual: Vector
) -> Vector:
    """The unit vector along the wall: the remembered one, else that of the velocity, else the one toward the middle."""
    toward = v.across(v.subtract(middle, here), outward, usual)
    return v.across(remembered, outward, v.across(velocity, outward, toward))


@kernel
def backed_after(i: int, vehicles: VehicleColumns, velocity: Vector, tightest: Any, backed: Any, dt: Any) -> Any:
    """How far a car has backed after a step, 0 to 1."""
    ahead = v.dot(velocity, v.load(vehicles.forward, i)) * dt / (BACKED * tightest)
    if ahead > v.ZERO:
        ahead *= REGAINED
    return min(max(backed - ahead, v.ZERO), v.ONE)


@row_kernel(every=True, some=True)
def begin_turn(
    i: int, vehicles: VehicleColumns, active: Array, middle: Array, numbers: TurnNumbers, inside: Inside,
    now: Turned, following: Turned, clock: Clock, ground: Columns, turns: Turns,
) -> Any:  # fmt: skip
    """The change to the nearest velocity that stays inside, and away from the wall; note the vehicles that need one."""
    turns.turns[i] = 0
    if not active[i]:
        return False
    velocity, here, time, dt = v.load(vehicles.velocity, i), v.load(inside.here, i), inside.time[i], clock.dt[0]
    speed, strength, wall = v.length(velocity), vehicles.max_force[i] / vehicles.mass[i], v.load(now.wall, i)
    tau = spring_time(strength, vehicles.response_time[i], numbers.deepest, dt)
    if numbers.tightest > v.ZERO:
        following.backed[i] = backed_after(i, vehicles, velocity, numbers.tightest, now.backed[i], dt)
    change = v.scale(v.subtract(v.load(inside.goal, i), v.load(inside.predicted, i)), v.ONE / time)
    inward = v.subtract(v.load(inside.near, i), here)
    deep = v.length(inward)
    if deep > v.ZERO:
        inward = v.scale(inward, v.ONE / deep)
        missing = missing_inward(deep, tau, velocity, inward) - v.dot(change, inward)
        if inside.outside[i] == 0:
            missing *= v.ONE - following.backed[i]
        change = v.add_scaled(change, inward, max(missing, v.ZERO))
    size, turned, outward, growth = v.length(change), v.length(wall), wall, v.TWO * dt / time
    if size > v.ZERO:
        outward = v.scale(change, -v.ONE / size)
    elif turned > v.ZERO:
        outward = v.scale(wall, v.ONE / turned)
    closing = v.dot(velocity, outward)
    if size > v.ZERO or closing > v.ZERO:
        turned = min(turned + growth, v.ONE)
    else:
        turned = max(turned - growth, v.ZERO)
    missing = closing - size + INWARD * turned * speed
    if size == v.ZERO and not missing > v.ZERO:
        v.store(following.wall, i, v.scale(wall, v.ZERO))
        v.store(following.side, i, v.scale(wall, v.ZERO))
        return False
    push = min(max(missing, v.ZERO), v.TWO * INWARD * turned * speed * tau / time)
    usual, center = beside(outward, ground, i), point_of(middle, 0, here)
    side = chosen_side(velocity, outward, here, center, v.load(now.side, i), usual)
    turns.turns[i] = 1
    v.store(turns.change, i, v.add_scaled(change, outward, -push))
    v.store(turns.outward, i, outward)
    v.store(turns.ways[0], i, v.add_scaled(here, side, speed * time))
    v.store(turns.ways[1], i, v.add_scaled(here, side, -speed * time))
    v.store(following.wall, i, v.scale(outward, turned))
    v.store(following.side, i, side)
    return True


@row_kernel
def turn(
    i: int, vehicles: VehicleColumns, numbers: TurnNumbers, inside: Inside, turns: Turns,
    along: SurfaceProjection, against: SurfaceProjection, go: DriveNumbers, following: Turned, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Turn the velocity: add the loss of the velocity toward the wall to the one along it, toward the free side."""
    if not turns.turns[i]:
        return
    velocity, outward = v.load(vehicles.velocity, i), v.load(turns.outward, i)
    change, side = v.load(turns.change, i), v.load(following.side, i)
    speed, mass, max_force = v.length(velocity), vehicles.mass[i], vehicles.max_force[i]
    tau = spring_time(max_force / mass, vehicles.response_time[i], numbers.deepest, clock.dt[0])
    beyond, other = along.distance[i] + inside.keep[i], against.distance[i] + inside.keep[i]
    if beyond > max(other, v.ZERO) + v.HALF * speed * inside.time[i]:
        side = v.scale(side, -v.ONE)
        v.store(following.side, i, side)
    closing, passing, gain = (
        max(v.dot(velocity, outward), v.ZERO),
        max(v.dot(velocity, side), v.ZERO),
        v.length(change),
    )
    gain = gain * closing / passing if closing < v.TWO * passing else v.TWO * gain
    desired = v.truncate(v.add(velocity, change), max(full_speed(change, velocity, vehicles.max_speed[i], go), speed))
    force = v.truncate(v.scale(v.subtract(desired, velocity), mass / tau), max_force)
    gained = min(min(gain, closing) * mass / tau, max(max_force - v.length(force), v.ZERO))
    if following.backed[i] > v.ZERO:
        gained *= v.ONE - following.backed[i] * max(v.ONE - speed / max(vehicles.max_speed[i], v.TINY), v.ZERO)
    deposit_shared(out, i, v.add_scaled(force, side, gained), max_force)

"""Evading: how hard a vehicle steers past an obstacle, and to which side.

    needed:     size = max_force * max(SPARE * needed_part, floor) * ease
    proximity:  size = max_force * (1 - touch / reach)
    literal:    size = strength * |lateral|
    full:       size = max_force

`needed_part` is the part of its ability that turns a vehicle past, in a circle tangent to the obstacle (see
`laws.needed_part`). A body with a turning circle turns no tighter when it is slow, so for it half of the curvature of
that circle counts as well as half of max_force. The `floor` is half of max_force at least within the clearance and up
to three quarters of the top speed, so that the vehicle gets on along what stopped it, and past what others push it
against; less and less up to the top speed, and a quarter of max_force for a moment after a stop. Where one threat
follows on another and the side changes, `ease` grows from zero to one within EASE: between two rocks a vehicle would
push from one to the other and back at every step.

The side is remembered while an obstacle threatens: an obstacle nearly dead ahead is passed on the side once chosen. A
body that turns on the spot before it can go aside keeps the side past all obstacles for a while after a stop.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import Rays, Sight
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.ground import beside, level
from steersman.core.maths.vectors import (
    HALF,
    ONE,
    TWO,
    ZERO,
    across,
    add_scaled,
    dot,
    lateral,
    length,
    load,
    scale,
    store,
)
from steersman.core.steering.laws import avoiding
from steersman.core.steering.scene.setting import Setting
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

MAGNITUDES = ("needed", "full", "literal", "proximity")
NEEDED, LITERAL, PROXIMITY = np.float32(0), np.float32(2), np.float32(3)

LEAST, FADE, SPARE = np.float32(avoiding.LEAST), np.float32(avoiding.FADE), np.float32(avoiding.SPARE)

KEPT = np.float32(4)
"""So many times as long as it is held a vehicle that turns on the spot keeps its side: for it turns back, and comes again."""

NEARLY = np.float32(0.2)
"""Part of the sum of the radii within which an obstacle counts as nearly dead ahead."""

EASE = np.float32(0.1)
"""Time [s] in which a vehicle that changes sides between two threats comes to the full force."""


class Evaded(NamedTuple):
    """Memory of the obstacles that vehicles steered past.

    Attributes:
        side: Unit vector of the side chosen last, d arrays of shape (capacity,).
        threat: For which obstacle, shape (capacity,), int64; -1: none.
        held: Whether the force that it needed was enough to act, shape (capacity,).
        since: For how long the side has been the same [s], shape (capacity,).
        wall: The normal of the wall that was last stopped for, as long as the time until other parts may steer [s]; zero: no
            wall; d arrays of shape (capacity,).
        kept: For how long the side is kept, whichever obstacle is ahead [s], shape (capacity,).
    """

    side: Columns
    threat: Array
    held: Array
    since: Array
    wall: Columns
    kept: Array


def evaded_sides(memory: Memory) -> tuple[Evaded, Evaded]:
    """The columns as they are and as they will be."""
    now, following = (Evaded(*map(side, Evaded._fields)) for side in (memory.now, memory.next))
    return now, following


class AvoidObstaclesNumbers(NamedTuple):
    """How to steer past obstacles.

    Attributes:
        magnitude: Its place in MAGNITUDES.
        braking: Part of max_force to brake with at touch.
        strength: Of "literal": force per meter [N/m].
        stops: 1 for who may have to stop, else 0.
        brakes: Part of max_force that their body brakes with.
        tightest: Radius of the tightest circle of their body [m].
        lag: Time that it takes to begin that circle [s].
        round_only: 1 where all obstacles are round, else 0.
        pivots: 1 for a body that turns on the spot before it can go aside, which takes time, else 0.
    """

    magnitude: Any
    braking: Any
    strength: Any
    stops: Any
    brakes: Any
    tightest: Any
    lag: Any
    round_only: Any
    pivots: Any


@kernel
def keep_side(i: int, forward: Vector, now: Evaded, following: Evaded, dt: Any) -> None:
    """Let the side that vehicle i keeps turn with it, as long as it keeps one."""
    following.kept[i] = max(now.kept[i] - dt, ZERO * dt)
    if now.kept[i] > ZERO:
        side = load(now.side, i)
        store(following.side, i, across(side, forward, side))


@kernel
def chosen_side(
    away: Vector, room: Any, forward: Vector, left: Vector, remembered: Vector, known: bool, holds: bool
) -> Vector:
    """The unit vector to steer along: away from the center, or to the remembered side of an obstacle nearly dead ahead.

    For an obstacle dead ahead it is `left`; where the side `holds`, the remembered one.
    """
    side = across(away, forward, left)
    if holds:
        return across(remembered, forward, side)
    offset = lateral(away, forward)
    if known and dot(offset, offset) < (NEARLY * room) * (NEARLY * room):
        return across(remembered, forward, side)
    return side


@kernel
def needed_part(touch: Any, sine: Any, bend: Any, speed: Any, strength: Any, tightest: Any) -> Any:
    """The part of its ability that turns a vehicle past, in a circle tangent to the obstacle; 1 if no part suffices.

    Args:
        touch: How far it is to the contact [m].
        sine: Sine of the angle between the way and the normal there.
        bend: Radius of the obstacle where the center passes [m].
        speed: Speed [m/s].
        strength: Acceleration at max_force [m/s^2].
        tightest: Radius of the tightest circle of its body [m].
    """
    needed = TWO * max(speed * speed, strength * tightest) * bend * (ONE - sine)
    there = strength * touch * (touch + TWO * bend * math.sqrt(max(ONE - sine * sine, ZERO)))
    if needed >= there:
        return ONE + ZERO * needed
    return needed / there


@kernel
def eased(i: int, side: Vector, last: Vector, threat: Array, since: Array, dt: Any) -> Any:
    """For how long vehicle i has steered to the same side, up to EASE [s]; EASE where nothing threatened before."""
    if threat[i] < 0:
        return EASE + ZERO * dt
    return min(dt if dot(last, side) < ZERO else since[i] + dt, EASE)


@kernel
def evading_size(
    numbers: AvoidObstaclesNumbers, part: Any, floor: Any, ease: Any, nearness: Any, offset: Vector, max_force: Any
) -> Any:  # fmt: skip
    """How hard to steer aside [N]: with `floor` of max_force at least; `ease`: less where the side has just changed."""
    size = max_force
    if numbers.magnitude == NEEDED:
        size = max_force * min(max(SPARE * part, floor), ONE) * ease
    elif numbers.magnitude == PROXIMITY:
        size = max_force * nearness
    elif numbers.magnitude == LITERAL:
        size = numbers.strength * length(offset)
    return size


@kernel
def evade(
    i: int, vehicles: VehicleColumns, numbers: AvoidObstaclesNumbers, rays: Rays, sight: Sight, now: Evaded,
    following: Evaded, setting: Setting,
) -> tuple[Vector, Any, bool]:  # fmt: skip
    """The force that steers past what vehicle i sees, the part of its ability that this needs, and whether it is inside."""
    forward, velocity, max_force = load(vehicles.forward, i), load(vehicles.velocity, i), vehicles.max_force[i]
    speed, strength, dt, ground = length(velocity), max_force / vehicles.mass[i], setting.clock.dt[0], setting.ground
    which, clearance, left = sight.which[i], rays.radius[i] - vehicles.radius[i], length(load(now.wall, i))
    away, bend, nearness, deep = load(sight.away, i), sight.bend[i], ONE, False
    offset = lateral(away, forward)
    left_side, remembered = beside(forward, ground, i), level(load(now.side, i), ground, i)
    known, holds = now.threat[i] == which, now.kept[i] > ZERO
    side = chosen_side(away, sight.room[i], forward, left_side, remembered, known, holds)
    following.since[i] = eased(i, side, load(now.side, i), now.threat, now.since, dt)
    store(following.side, i, side)
    if rays.reach[i] > ZERO:
        nearness = ONE - sight.touch[i] / rays.reach[i]
    sine = min(length(offset) / min(length(away), bend), ONE)
    touch = max(sight.touch[i] - speed * (dt + numbers.lag), HALF * clearance)
    part = needed_part(touch, sine, bend, speed, strength, numbers.tightest)
    if numbers.round_only > ZERO:
        deep = len(ground) == 0 and length(away) + rays.radius[i] < sight.room[i]
    brake = numbers.braking * nearness * max_force
    if numbers.stops > ZERO:
        brake = min(brake, max(dot(velocity, forward), ZERO * dt) * vehicles.mass[i] / dt)
    ease, floor = following.since[i] / EASE, LEAST + ZERO * dt
    slack, fades = vehicles.max_speed[i] - speed, FADE * vehicles.max_speed[i]
    if sight.touch[i] > ZERO and slack < fades:
        floor = LEAST * max(slack, ZERO) / fades
    if left > ZERO:
        floor = max(floor, HALF * LEAST)
    force = scale(side, evading_size(numbers, part, floor, ease, nearness, offset, max_force))
    return add_scaled(force, forward, -brake), part, deep

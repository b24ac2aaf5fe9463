"""LowSpeedTurn: no turning on the spot.

Below slow = part * max_speed, with s = speed / slow:

    "fade"  lateral force *= s, and the part taken from the side pushes forward instead
    "cone"  the force is turned, with its length, into a cone about forward of the half angle acos(1 - 2 s^20)

Reynolds 1999, "A Simple Vehicle Model": a point mass may turn at rest, which most vehicles cannot; limiting the lateral part
of the force at low speed prevents it ("fade"). OpenSteer's vehicles adjust the raw steering force ("cone"): at rest it points
forward, and just below `slow` it may point anywhere.

Both laws fail at the ends of the way, and are helped there. A force asks for u = velocity + force response_time / mass.

- A goal behind: a force that asks for going back, beyond standing still, would stop the vehicle and turn nothing. Such a
  vehicle turns around: "fade" takes that push for one to the side (exactly behind: to the left), so it drives a tight curve;
  "cone" puts the whole force into the cone, which speeds up forward, and remembers to do so until the goal is ahead.
- Brakes: a force that asks for less speed and no more brakes freely, in both laws, and throws no vehicle back.
- At the goal: a vehicle that is asked for little need not be fast to turn. Below slow / 4 the speed at which "fade"
  turns falls with the cube of |u|, so the curve gets tighter than the goal is near, and no vehicle circles around it;
  below slow / 50 it rests. "cone" needs its speed, and would circle around a goal where it is to be slower, or around a
  vehicle that goes slower: where |u| < slow, its force fades as by "fade".
- A goal inside of the tightest circle, of the radius r = mass slow^2 / max_force: both would circle around it for ever. A
  vehicle that has turned in vain by a full circle drives straight on for three radii at the speed slow, and comes back. The
  angle turned in vain grows as full forces that also brake turn the vehicle, and falls by 1 / (2 r) per meter driven, so
  it stays near zero for a vehicle that drives wide curves, or reaches its goal in between.
- An obstacle ahead: where a vehicle cannot stop from the slow speed within the way that steering says is free
  (`braking.py`), "cone" could never turn. There its force fades, too.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.braking import safe_speed
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.limits.turning import left_of
from steersman.core.maths.facing import heading_after
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
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

LAWS = ("fade", "cone")

FULL = np.float32(0.99)
"""Part of max_force above which a force may have been truncated, so that it does not tell the wanted speed."""

BEYOND = np.float32(1.01)
"""Part of max_force above which a force has not been truncated, so that it does tell the wanted speed."""

LITTLE = np.float32(0.25)
"""Part of the slow speed below which little is asked for."""

NOTHING = np.float32(0.02)
"""Part of the slow speed below which nothing is asked for to the side or back."""

BESIDE = np.float32(math.sqrt(0.5))
"""Cosine of the angle from forward beyond which a goal is not ahead, but beside or behind: 45 degrees."""

HALF_CIRCLE = np.float32(math.pi)
"""The angle turned in vain [rad] after a full circle: half of the angle is taken off for the way."""

BRAKING = np.float32(0.02)
"""Minus the cosine of the angle from forward beyond which a force also brakes, and not by rounding alone."""

AWAY = np.float32(3)
"""How many radii of the tightest circle a vehicle drives away from a goal inside of it."""


@kernel
def speed_to_turn(desired_speed: Any, slow: Any, full: Any) -> Any:
    """The speed at which to turn, if a vehicle asks for the speed `desired_speed`: the less, the slower; at most `slow`."""
    if full or desired_speed >= slow:
        return slow
    if desired_speed >= LITTLE * slow:
        return desired_speed
    if desired_speed <= NOTHING * slow:
        return ZERO * desired_speed
    part = desired_speed / (LITTLE * slow)
    return desired_speed * part * part


@kernel
def faded(
    vehicles: VehicleColumns, i: int, desired: Vector, steering: Vector, part: Any, smoothed: bool, dt: Any
) -> Vector:
    """The force `steering` to a vehicle of which the side fades; `desired` is what was asked for."""
    forward = axis_of(vehicles, i, smoothed)
    speed = max(dot(load(vehicles.velocity, i), forward), ZERO)
    slow, gain = part * vehicles.max_speed[i], vehicles.mass[i] / max(vehicles.response_time[i], dt)
    ahead, desired_speed, full = desired_speed_of(desired, forward, speed, gain, vehicles.max_force[i])
    along = dot(steering, forward)
    if speed >= slow and along >= -gain * speed:
        return steering
    share = ONE
    if speed < slow:
        share = speed / slow
    turn, turning = length(lateral(steering, forward)), speed_to_turn(desired_speed, slow, full)
    if ahead < ZERO and turning > ZERO:
        # What asks for going back, beyond standing still, turns.
        turn += max(-along - gain * speed, ZERO)
    push = min((ONE - share) * turn, gain * turning)
    along = max(along, -gain * speed) + push
    if not full:
        # A force that lags behind what is asked for must not push a vehicle around its goal.
        along = min(along, gain * (max(ahead, ZERO) + turning - speed))
    side = across(steering, forward, left_of(vehicles, i, forward))
    return add_scaled(scale(side, share * turn), forward, along)


@kernel
def desired_speed_of(steering: Vector, forward: Vector, speed: Any, gain: Any, max_force: Any) -> Any:
    """The velocity that a force asks for: speed ahead [m/s], speed in all, and whether it is too large to tell."""
    ahead = speed + dot(steering, forward) / gain
    aside = lateral(steering, forward)
    return ahead, math.sqrt(ahead * ahead + dot(aside, aside) / (gain * gain)), length(steering) >= FULL * max_force


@kernel
def axis_of(vehicles: VehicleColumns, i: int, smoothed: bool) -> Vector:
    """Where a vehicle is going: forward, or along its velocity where forward is smoothed."""
    forward = load(vehicles.forward, i)
    if smoothed:
        return heading_after(load(vehicles.velocity, i), forward, vehicles.max_speed[i])
    return forward


@kernel
def into_cone(a: Vector, axis: Vector, left: Vector, part: Any) -> Vector:
    """A vector turned, with its length, into the cone that is open at this part of the slow speed; over `left` if behind."""
    p4 = part * part * part * part
    p16 = p4 * p4 * p4 * p4
    cosine, size = ONE - TWO * p16 * p4, length(a)
    if dot(a, axis) >= cosine * size:
        return a
    sine = math.sqrt(max(ONE - cosine * cosine, ZERO))
    return add_scaled(scale(across(a, axis, left), sine * size), axis, cosine * size)


@kernel
def turned_in_vain(
    vain: Any, steering: Vector, forward: Vector, circles: bool, speed: Any, wheel: Any, mass: Any, dt: Any
) -> Any:
    """The angle turned in vain after a step [rad]: more by the turn of a force if it `circles`, less by the way driven.

    `wheel` is the radius of the circle on which max_force keeps a vehicle at the slow speed [m].
    """
    angle = ZERO * dt
    if circles and speed > ZERO:
        angle = length(lateral(steering, forward)) / (mass * speed)
    return max(vain + (angle - HALF * speed / wheel) * dt, ZERO * dt)


@row_kernel
def limit_turn(
    i: int, vehicles: VehicleColumns, requested_force: Columns, force: Columns, narrow: bool, part: Any,
    smoothed: bool, dt: Array, free_way: Array, brakes: Any, now: Columns, following: Columns,
) -> None:  # fmt: skip
    """Let the side of the force fade below a part of max_speed, or keep it in a cone that opens with speed (`narrow`).

    Memory: turning around, and turned in vain. `smoothed`: the heading is. `free_way` is how far vehicles may go on as
    they go [m], `brakes` the part of max_force that they brake with.
    """
    steering, forward = load(force, i), axis_of(vehicles, i, smoothed)
    speed = max(dot(load(vehicles.velocity, i), forward), ZERO)
    slow, gain = part * vehicles.max_speed[i], vehicles.mass[i] / max(vehicles.response_time[i], dt[0])
    desired, most = load(requested_force, i), vehicles.max_force[i]
    ahead, desired_speed, full = desired_speed_of(desired, forward, speed, gain, most)
    onward, around, vain = dot(desired, forward), now[0][i], now[1][i]
    back = -NOTHING * speed  # A stop asks for no speed, but for rounding.
    if onward >= ZERO or (ahead >= back and (not full or length(desired) > BEYOND * most)):
        around = ZERO * around
    elif ahead < back and (full or desired_speed > LITTLE * slow):
        around = ZERO * around + ONE
    barred = safe_speed(free_way[i], brakes, most / vehicles.mass[i], dt[0]) < slow
    if barred:
        # There is no room to become fast enough to turn in the cone, or to drive away from the goal.
        steering, vain = faded(vehicles, i, desired, steering, part, smoothed, dt[0]), max(vain, ZERO * vain)
    elif vain < ZERO:
        # The goal lies inside of the tightest circle: away from it at the slow speed, until it does not.
        vain = min(vain + slow * dt[0], ZERO * vain)
        if onward > BESIDE * length(desired):
            vain = ZERO * vain
        steering = scale(forward, min(max(gain * (slow - speed), -most), most))
    else:
        if not narrow or (not full and desired_speed < slow):
            steering = faded(vehicles, i, desired, steering, part, smoothed, dt[0])
        elif speed < slow:
            steering = narrowed(
                vehicles, i, steering, desired, forward, speed, slow, gain, around == ONE, full, desired_speed
            )
        if most > ZERO and slow > ZERO:
            wheel = vehicles.mass[i] * slow * slow / most
            circles = full and onward < -BRAKING * length(desired)
            vain = turned_in_vain(vain, steering, forward, circles, speed, wheel, vehicles.mass[i], dt[0])
            if vain > HALF_CIRCLE:
                vain = -AWAY * wheel
    store(force, i, steering)
    following[0][i], following[1][i] = around, vain


@kernel
def narrowed(
    vehicles: VehicleColumns, i: int, steering: Vector, desired: Vector, forward: Vector, speed: Any, slow: Any, gain: Any,
    around: bool, full: bool, desired_speed: Any,
) -> Vector:  # fmt: skip
    """The force of a vehicle below the slow speed, in the cone, and the force that it may brake with."""
    left, open_part = left_of(vehicles, i, forward), speed / slow
    if around:
        return into_cone(steering, forward, left, open_part)
    along = min(dot(steering, forward), ZERO)
    rest = add_scaled(steering, forward, -along)
    put = add_scaled(into_cone(rest, forward, left, open_part), forward, max(along, -gain * speed))
    if not full and dot(desired, forward) < ZERO:
        put = add_scaled(put, forward, min(gain * (desired_speed - speed) - dot(put, forward), ZERO))
    return put


@dataclass(frozen=True, eq=False)
class LowSpeedTurn(Limit):
    """Let a vehicle turn only as it moves.

    Args:
        part: Part of max_speed below which turning is limited. Raising it needs more speed to turn.
        law: How it is limited: "fade" (Reynolds) lets the force to the side fade; "cone" (OpenSteer) keeps the force near
            forward until the vehicle is nearly as fast as that, so its curves are wider.
    """

    part: float = parameter(0.2, above=0.0, high=1.0, positional=True)
    law: str = parameter("fade", kind=TEXT, choices=LAWS)

    steps_aside: ClassVar[bool] = False

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """Two numbers: 1 for vehicles that turn around (of "cone"), and the angle turned in vain [rad].

        Below zero, the last is the way that is still to be driven straight on [m].
        """
        return {"turn": np.zeros((len(vehicles), 2), vehicles.dtype)}

    def on_force(self, chassis: Chassis) -> list[Call]:
        """One call."""
        arguments = (
            chassis.columns, chassis.requested_force or chassis.force, chassis.force, self.law == "cone",
            chassis.number(self.part), chassis.smoothed, chassis.dt, chassis.free_ways(), chassis.number(chassis.brakes),
        )  # fmt: skip
        return [Call(limit_turn, (*arguments, chassis.memory.now("turn"), chassis.memory.next("turn")))]

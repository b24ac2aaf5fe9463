"""MomentOfInertia: turning has inertia too.

    wanted turn rate = lateral acceleration / speed
    turn rate       += wanted turn rate - turn rate, by (torque / inertia) dt at most

Reynolds 1999, "A Simple Vehicle Model": simulating a moment of inertia is the third way to prevent large changes of
orientation in a single step. The turn rate is remembered; the velocity goes along the heading that it makes. A velocity that
is proposed backwards is turned to as if it were proposed to the side, or exactly behind nothing would turn the vehicle.

A slow vehicle turns on the spot, no faster than the torque can stop until it faces along the velocity that the force asks
for, or within a quarter of a radian: what it turns for, an obstacle ahead, may be over at any moment, and it would turn on
for long. With the part p of its top speed the wanted turn rate is at most

    (sqrt((b dt)^2 + 2 b min(angle, ROUGH)) - b dt) / (1 - p)^2,   b = torque / inertia

where its way is barred (`Scene.free_way`), or was within the last WARY seconds. Elsewhere p is that of the speed that is
asked for, if this is more: one that is to go fast turns with all that the torque can do, or it would circle around a goal.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.limits.turning import along_heading, face_heading, facing_of, left_of
from steersman.core.maths import vectors as v
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

SPHERE = np.float32(0.4)
"""Moment of inertia of a solid sphere: this times mass times radius squared."""

ROUGH = np.float32(0.25)
"""The largest angle that a vehicle at rest plans to turn by [rad]."""

WARY = np.float32(10.0)
"""How long a vehicle turns with care after its way was barred [s]."""

SLOW = np.float32(0.1)
"""Below this part of its top speed a vehicle turns as it does there: a lateral force at rest is no infinite turn rate."""


@kernel
def stoppable_rate(
    i: int, vehicles: VehicleColumns, force: Vector, forward: Vector, most: Any, wary: bool, dt: Any
) -> Any:
    """The largest turn rate of vehicle i [rad/s].

    Args:
        i: The vehicle.
        vehicles: Its columns.
        force: The force that is asked for [N].
        forward: Where it faces.
        most: How fast the torque changes the turn rate [rad/s^2].
        wary: Whether its way is barred, or was a short time ago.
        dt: The time step [s].
    """
    speed, top, tau = v.length(v.load(vehicles.velocity, i)), vehicles.max_speed[i], max(vehicles.response_time[i], dt)
    if not (most < v.INFINITE and speed < top):
        return v.INFINITE + most
    wanted = v.add_scaled(v.scale(forward, speed), force, tau / vehicles.mass[i])
    slow = v.ONE - (speed if wary else min(max(speed, v.length(wanted)), top)) / top
    if not slow > v.ZERO:
        return v.INFINITE + most
    angle = min(math.atan2(v.length(v.lateral(wanted, forward)), v.dot(wanted, forward)), ROUGH)
    return (math.sqrt(most * dt * most * dt + v.TWO * most * angle) - most * dt) / (slow * slow)


@row_kernel
def moment_of_inertia(
    i: int, vehicles: VehicleColumns, facing: Columns, proposed: Columns, numbers: Any, dt: Array,
    force: Columns, free_way: Array, wary_now: Array, wary_next: Array, rate_now: Columns, rate_next: Columns,
    heading: Columns,
) -> None:  # fmt: skip
    """Turn with inertia."""
    desired, forward, velocity = v.load(proposed, i), v.load(facing, i), v.load(vehicles.velocity, i)
    inertia = numbers.inertia
    if not inertia > v.ZERO:
        inertia = SPHERE * vehicles.mass[i] * vehicles.radius[i] * vehicles.radius[i]
    speed = max(math.sqrt(v.dot(velocity, velocity)), SLOW * vehicles.max_speed[i])
    turn = v.lateral(desired, forward)
    if v.dot(desired, forward) < v.ZERO:
        turn = v.scale(v.across(desired, forward, left_of(vehicles, i, forward)), v.length(desired))
    if speed > v.ZERO:
        turn = v.scale(turn, v.ONE / (speed * dt[0]))
    most = numbers.torque / inertia if inertia > v.ZERO else v.INFINITE + inertia
    wary = max(wary_now[i] - dt[0], v.ZERO * dt[0])
    if free_way[i] < v.INFINITE:
        wary = WARY + v.ZERO * dt[0]
    wary_next[i] = wary
    turn = v.truncate(turn, stoppable_rate(i, vehicles, v.load(force, i), forward, most, wary > v.ZERO, dt[0]))
    # The turn rate is kept as the velocity of the tip of `forward`, which is perpendicular to it.
    rate = v.lateral(v.load(rate_now, i), forward)
    change = v.subtract(turn, rate)
    change = v.truncate(change, most * dt[0])
    rate = v.add_scaled(rate, change, v.ONE)
    turned = v.normalize(v.add_scaled(forward, rate, dt[0]))
    v.store(rate_next, i, rate)
    v.store(heading, i, turned)
    v.store(proposed, i, along_heading(turned, desired))


@dataclass(frozen=True, eq=False)
class MomentOfInertia(Limit):
    """Let the turn rate change only as fast as a torque can change it.

    Args:
        torque: The largest torque [N m]. Raising it turns in sooner.
        inertia: Moment of inertia [kg m^2]. Raising it is slower. Default: 2/5 * mass * radius^2, a solid sphere's.
    """

    torque: float = parameter(1.0, above=0.0, unit="N m", positional=True)
    inertia: float | None = parameter(None, above=0.0, unit="kg m^2", optional=True)

    steps_aside: ClassVar[bool] = False
    pivots: ClassVar[bool] = True

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The turn rate, as the velocity of the tip of `forward` [1/s], the heading, and how long to be wary [s]."""
        return {
            "rate": np.zeros_like(vehicles.forward),
            "heading": vehicles.forward.copy(),
            "wary": np.zeros(len(vehicles), vehicles.dtype),
        }

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """One call."""
        memory = chassis.memory
        numbers = chassis.numbers(self, "torque", inertia=self.inertia or 0.0)
        arguments = (
            chassis.columns, facing_of(chassis), chassis.proposed, numbers, chassis.dt,
            chassis.requested_force or chassis.force, chassis.free_ways(), memory.now("wary"), memory.next("wary"),
            memory.now("rate"), memory.next("rate"), memory.next("heading"),
        )  # fmt: skip
        return [Call(moment_of_inertia, arguments)]

    def on_facing(self, chassis: Chassis) -> list[Call]:
        """Face along the heading."""
        return [Call(face_heading, (chassis.columns, chassis.memory.now("heading"), chassis.ground))]

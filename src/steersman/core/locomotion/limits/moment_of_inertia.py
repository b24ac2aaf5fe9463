"""MomentOfInertia: turning has inertia too.

    wanted turn rate = lateral acceleration / speed
    turn rate       += wanted turn rate - turn rate, by (torque / inertia) dt at most

Reynolds 1999, "A Simple Vehicle Model": simulating a moment of inertia is the third way to prevent large changes of
orientation in a single step. The turn rate is remembered; the velocity goes along the heading that it makes. A velocity that
is proposed backwards is turned to as if it were proposed to the side, or exactly behind nothing would turn the vehicle.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.limits.turning import along_heading, face_heading, facing_of, left_of
from steersman.core.maths import vectors as v
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

SPHERE = np.float32(0.4)
"""Moment of inertia of a solid sphere: this times mass times radius squared."""

SLOW = np.float32(0.1)
"""Below this part of its top speed a vehicle turns as it does there: a lateral force at rest is no infinite turn rate."""


@row_kernel
def moment_of_inertia(
    i: int, vehicles: VehicleColumns, facing: Columns, proposed: Columns, numbers: Any, dt: Array,
    rate_now: Columns, rate_next: Columns, heading: Columns,
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
    # The turn rate is kept as the velocity of the tip of `forward`, which is perpendicular to it.
    rate = v.lateral(v.load(rate_now, i), forward)
    change = v.subtract(turn, rate)
    if inertia > v.ZERO:
        change = v.truncate(change, numbers.torque / inertia * dt[0])
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

    Raises:
        TypeError: An argument is no number.
        ValueError: A number is NaN, infinite or not > 0.
    """

    torque: float = parameter(1.0, above=0.0, unit="N m", positional=True)
    inertia: float | None = parameter(None, above=0.0, unit="kg m^2", optional=True)

    steps_aside: ClassVar[bool] = False

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The turn rate, as the velocity of the tip of `forward` [1/s], and the heading after the step."""
        return {"rate": np.zeros_like(vehicles.forward), "heading": vehicles.forward.copy()}

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """One call."""
        memory = chassis.memory
        numbers = chassis.numbers(self, "torque", inertia=self.inertia or 0.0)
        arguments = (
            chassis.columns, facing_of(chassis), chassis.proposed, numbers, chassis.dt, memory.now("rate"),
            memory.next("rate"), memory.next("heading"),
        )  # fmt: skip
        return [Call(moment_of_inertia, arguments)]

    def on_facing(self, chassis: Chassis) -> list[Call]:
        """Face along the heading."""
        return [Call(face_heading, (chassis.columns, chassis.memory.now("heading")))]

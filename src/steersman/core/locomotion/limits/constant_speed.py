"""ConstantSpeed: a body that holds its speed, and turns at most so fast.

    heading  = forward turned toward (velocity + force / mass * dt), by rate * dt at most
    velocity = speed * heading

The particles of Vicsek et al. 1995 and the fish of Couzin et al. 2002 move like that: a force changes where they go, and
never how fast. Such a body does not brake, for an obstacle or a goal; it goes around it. `TurnRate` slows down where it
cannot turn hard enough.

A force against the way would do nothing to it. So all of such a force turns it, if it is full and nearly
straight back, or if the way that steering says is free (`Scene.free_way`) is shorter than the circle on which max_force turns
the vehicle is wide. It turns to the side that the force has a part to, and to the left where it has none.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.limits.turning import face_heading, facing_of, left_of, turn_toward
from steersman.core.maths.vectors import TWO, ZERO, across, add_scaled, dot, length, load, scale, store
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

ANY_TURN = 1e9
"""The rate that stands for any [rad/s]."""

FULL = np.float32(0.99)
"""Part of max_force above which a force counts as full."""

AGAINST = np.float32(0.9)
"""Cosine of the angle to backward up to which a full force counts as one against the way (26 degrees)."""


@kernel(exact=True)
def must_turn(way: Any, speed: Any, mass: Any, max_force: Any) -> Any:
    """Whether a way is shorter than the circle on which max_force turns a vehicle is wide."""
    return way * max_force < TWO * mass * speed * speed


@kernel
def turned_by(push: Vector, forward: Vector, left: Vector, speed: Any, change: Any) -> Vector:
    """The velocity after a force that turns with all of its size; `change` [m/s] is what it does per newton in the step."""
    side = across(push, forward, left)
    return add_scaled(scale(forward, speed), side, length(push) * change)


@row_kernel
def hold_speed(
    i: int,
    vehicles: VehicleColumns,
    facing: Columns,
    force: Columns,
    free_way: Array,
    proposed: Columns,
    heading: Columns,
    speed: Any,
    most: Array,
    dt: Array,
) -> None:
    """Turn the heading toward the proposed velocity, as far as the rate allows, and go on at the speed."""
    forward, push, mass = load(facing, i), load(force, i), vehicles.mass[i]
    held = vehicles.max_speed[i] if speed < ZERO else speed
    desired, left = load(proposed, i), left_of(vehicles, i, forward)
    along, size = dot(push, forward), length(push)
    if along < ZERO and dot(desired, forward) > ZERO:
        strongest = vehicles.max_force[i]
        against = along < -AGAINST * size and size >= FULL * strongest
        if against or must_turn(free_way[i], held, mass, strongest):
            desired = turned_by(push, forward, left, held, dt[0] / mass)
    turned = turn_toward(forward, desired, most[i] * dt[0], left)
    store(heading, i, turned)
    store(proposed, i, scale(turned, held))


@dataclass(frozen=True, eq=False)
class ConstantSpeed(Limit):
    """Hold the speed whatever the force, and limit how fast a vehicle turns.

    Args:
        speed: The speed that is held [m/s]. Raising it goes faster, in wider bends. Default: the vehicles' own `max_speed`.
        rate: Fastest turning [rad/s]. Raising it turns tighter. Default: any.
    """

    speed: float | None = parameter(None, low=0.0, unit="m/s", optional=True, positional=True)
    rate: float | None = parameter(None, low=0.0, unit="rad/s", optional=True)

    def turn_rates(self, vehicles: Vehicles) -> Array | None:
        """The rate for all; None for any."""
        return None if self.rate is None else np.full(vehicles.capacity, self.rate, vehicles.dtype)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The heading, which is where the vehicle faces after the step."""
        return {"heading": vehicles.forward.copy()}

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """One call."""
        vehicles, heading = chassis.vehicles, chassis.memory.next("heading")
        most = np.full(vehicles.capacity, ANY_TURN if self.rate is None else self.rate, vehicles.dtype)
        speed = chassis.number(self.speed)
        ways = chassis.free_ways()
        numbers = (facing_of(chassis), chassis.force, ways, chassis.proposed, heading, speed, most, chassis.dt)
        return [Call(hold_speed, (chassis.columns, *numbers))]

    def on_facing(self, chassis: Chassis) -> list[Call]:
        """Face along the heading."""
        return [Call(face_heading, (chassis.columns, chassis.memory.now("heading"), chassis.ground))]

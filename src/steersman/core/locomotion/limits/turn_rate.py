"""TurnRate: orientation changes only so fast.

Reynolds 1999, "A Simple Vehicle Model": a point mass allows undesirably large changes of orientation in a single step; an
additional constraint on the change of orientation prevents them. A velocity that was proposed off the heading that can be
reached is projected onto it: a vehicle that wants to turn back brakes, turns, and goes. One that wants to turn harder than it
can slows down, by half of the speed missing across the heading: otherwise it would go around a point beside it for
ever, just as fast as it turns. FollowPath and GoTo ask for no more speed in bends than it can turn at.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.limits.turning import along_heading, face_heading, facing_of, left_of, turn_toward
from steersman.core.maths.ground import level
from steersman.core.maths.vectors import HALF, lateral, length, load, store, with_length
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

CREEP = np.float32(0.2)
"""The part of the speed along the heading that is kept, however much is missing across it."""


@row_kernel
def turn_rate(
    i: int, vehicles: VehicleColumns, facing: Columns, ground: Columns, proposed: Columns, heading: Columns, most: Array,
    dt: Array,
) -> None:  # fmt: skip
    """Turn the heading toward the proposed velocity, as far as the rate allows."""
    desired, forward = level(load(proposed, i), ground, i), load(facing, i)
    turned = turn_toward(forward, desired, most[i] * dt[0], left_of(vehicles, i, forward))
    store(heading, i, turned)
    along = along_heading(turned, desired)
    speed = length(along)
    missing = HALF * length(lateral(desired, turned))
    store(proposed, i, with_length(along, max(speed - missing, CREEP * speed)))


@dataclass(frozen=True, eq=False)
class TurnRate(Limit):
    """Limit how fast a vehicle turns.

    Args:
        rate: Fastest turning [rad/s]. Raising it turns tighter. Default: the vehicles' own `max_angular_speed`.
    """

    rate: float | None = parameter(None, low=0.0, unit="rad/s", optional=True, positional=True)

    steps_aside: ClassVar[bool] = False

    def turn_rates(self, vehicles: Vehicles) -> Array:
        """The rate for all, or the vehicles' own."""
        if self.rate is None:
            return vehicles.spin.max_speed
        return np.full(vehicles.capacity, self.rate, vehicles.dtype)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The heading, which is where the vehicle faces after the step."""
        return {"heading": vehicles.forward.copy()}

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """One call."""
        most = self.turn_rates(chassis.vehicles)
        heading = chassis.memory.next("heading")
        facing = facing_of(chassis)
        arguments = chassis.columns, facing, chassis.ground, chassis.proposed, heading, most, chassis.dt
        return [Call(turn_rate, arguments)]

    def on_facing(self, chassis: Chassis) -> list[Call]:
        """Face along the heading, also where that was a turn on the spot."""
        return [Call(face_heading, (chassis.columns, chassis.memory.now("heading"), chassis.ground))]

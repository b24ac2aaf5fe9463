"""Gait: how far a vehicle is in its stride, for a program that animates its legs, its wheels or its strokes.

    phase = distance travelled / stride, modulo 1

Reynolds 1999, "Locomotion": a simple locomotion model may have a pre-animated portrayal, such as a walk cycle. A cycle that
plays by the phase touches the ground where the vehicle is, at any speed, and stands when it stands. The distance is that of
the velocity, added up step by step: neither the edge of a torus nor being put somewhere else counts. It is the velocity at
the end of a step, after constraints have removed the part that was no motion: a vehicle that a crowd holds up does not
stride on the spot. So the last step is added when the phase is read, or at the next step.

It limits nothing.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.maths.vectors import dot, load, store
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

MOST = np.float32(1e6)
"""Strides in a step beyond which they are not told apart, so that no number runs over."""


@row_kernel
def stride_on(
    i: int, vehicles: VehicleColumns, now: Array, following: Array, facing: Columns, took_now: Array, took: Array,
    stride: Any, dt: Array,
) -> None:  # fmt: skip
    """Add the way of the last step to the phase, and note where the vehicle faces before this one and how long it takes."""
    velocity = load(vehicles.velocity, i)
    phase = now[i] + min(math.sqrt(dot(velocity, velocity)) * took_now[i] / stride, MOST)
    following[i] = phase - np.floor(phase)
    store(facing, i, load(vehicles.forward, i))
    took[i] = dt[0]


@dataclass(frozen=True, eq=False)
class Gait(Limit):
    """Remember how far each vehicle is in its stride; `gait_of` reads it. It changes nothing.

    Args:
        stride: How far a vehicle goes in a whole cycle of its gait [m]: two steps of a walker, a turn of a wheel. Raising it
            moves the legs more slowly.
    """

    stride: float = parameter(1.4, above=0.0, unit="m", positional=True)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The phase before the last step; where it faced then, and how long that step took [s], 0 before the first."""
        n, dtype = len(vehicles), vehicles.dtype
        return {"phase": np.zeros(n, dtype), "facing": vehicles.forward.copy(), "took": np.zeros(n, dtype)}

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """One call."""
        memory = chassis.memory
        arguments = (
            chassis.columns, memory.now("phase"), memory.next("phase"), memory.next("facing"), memory.now("took"),
            memory.next("took"), chassis.number(self.stride), chassis.dt,
        )  # fmt: skip
        return [Call(stride_on, arguments)]

"""SmoothForce: explicit damping of acceleration.

    smoothed += (force - smoothed) (1 - exp(-dt / time_constant))

Reynolds 1999, "Combining Behaviors": where behaviors take turns, perhaps with some explicit damping of acceleration to
blend them together. A vehicle starts with a smoothed force of zero.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.maths.vectors import add_scaled, load, store, subtract
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicles import Vehicles


@kernel
def gain_of(force: Columns, now: Columns, following: Columns, time_constant: Any, dt: Array) -> Any:
    """The part of the difference that is made up in a step."""
    return -math.expm1(-dt[0] / time_constant)


@row_kernel(once=gain_of)
def smooth_force(
    i: int, force: Columns, now: Columns, following: Columns, time_constant: Any, dt: Array, gain: Any
) -> None:
    """Let the applied force follow the steering force, within a time constant [s]."""
    old = load(now, i)
    smoothed = add_scaled(old, subtract(load(force, i), old), gain)
    store(following, i, smoothed)
    store(force, i, smoothed)


@dataclass(frozen=True, eq=False)
class SmoothForce(Limit):
    """Let the applied force follow the steering force with a delay, so that it never jumps.

    Args:
        time_constant: Time in which the force covers 63% of a jump [s]. Raising it is smoother, and slower to react.
    """

    time_constant: float = parameter(0.1, above=0.0, unit="s", positional=True)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The smoothed force [N]."""
        return {"force": np.zeros((len(vehicles), vehicles.dimensions), vehicles.dtype)}

    def on_force(self, chassis: Chassis) -> list[Call]:
        """One call."""
        memory = chassis.memory
        force, following, time_constant = memory.now("force"), memory.next("force"), chassis.number(self.time_constant)
        return [Call(smooth_force, (chassis.force, force, following, time_constant, chassis.dt))]

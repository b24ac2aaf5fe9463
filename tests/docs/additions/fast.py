"""Fast: the vehicle is at least as fast as some speed.

holds = |velocity| >= speed
"""

from dataclasses import dataclass
from typing import Any

from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import number
from steersman.core.maths.vectors import length, load
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@kernel
def fast(start: int, stop: int, vehicles: VehicleColumns, speed: Any, truth: Truth) -> None:
    """Whether the speed is reached."""
    for i in range(start, stop):
        if truth.active[i]:
            truth.holds[i] = length(load(vehicles.velocity, i)) >= speed


@condition
@dataclass(frozen=True, eq=False)
class Fast(Condition):
    """Holds while a vehicle is fast.

    Args:
        speed: The least speed at which it holds [m/s].

    Raises:
        ValueError: The speed is negative, NaN or infinite.
    """

    speed: float = parameter(low=0.0, unit="m/s", positional=True)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """One call."""
        return [Call(fast, (scene.columns, number(scene.vehicles.dtype, self.speed), truth))]

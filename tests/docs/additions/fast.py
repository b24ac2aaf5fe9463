"""Fast: the vehicle is at least as fast as some speed.

holds = |velocity| >= speed
"""

from typing import Any

from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import length, load
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def fast(i: int, vehicles: VehicleColumns, speed: Any, truth: Truth) -> None:
    """Whether the speed is reached."""
    truth.holds[i] = length(load(vehicles.velocity, i)) >= speed


@condition
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
        return [Call(fast, (scene.columns, scene.number(self.speed), truth))]

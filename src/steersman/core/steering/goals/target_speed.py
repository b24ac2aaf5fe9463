"""TargetSpeed: reach a speed along forward, and hold it.

    force = mass * (speed - velocity . forward) / response_time * forward

It leaves the direction alone: other parts move the vehicle sideways. This library's own.
"""

from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, dot, load, scale
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def target_speed(i: int, vehicles: VehicleColumns, speed: Any, clock: Clock, out: Out) -> None:
    """Reach the speed (< 0: the maximum) along forward; always claim."""
    forward, tau, desired = load(vehicles.forward, i), response(vehicles.response_time[i], clock.dt[0]), speed
    if desired < ZERO:
        desired = vehicles.max_speed[i]
    size = vehicles.mass[i] * (desired - dot(load(vehicles.velocity, i), forward)) / tau
    deposit(out, i, scale(forward, size), vehicles.max_force[i], True)


@registered
class TargetSpeed(Behavior):
    """Reach a speed along forward, and hold it.

    Args:
        speed: The speed to reach and hold [m/s]: a number or "max". Zero brakes. Raising it goes faster.
    """

    speed: float | str = parameter("max", choices=("max",), low=0.0, unit="m/s", positional=True)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        speed = scene.number(None if isinstance(self.speed, str) else self.speed)
        return [Call(target_speed, (scene.columns, speed, scene.clock, out))]

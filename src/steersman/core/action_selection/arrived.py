"""Arrived: at a target, and slow enough.

holds = distance <= distance allowed  and  speed <= speed allowed
"""

import math
from typing import Any

import numpy as np

from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle
from steersman.core.maths.vectors import difference, dot, load
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def arrived(i: int, vehicles: VehicleColumns, mark: Mark, wrap: Array, numbers: "Arrived", truth: Truth) -> None:
    """Judge whether each vehicle is at its mark, and slow enough."""
    j = mark.pick[i]
    near = False
    if j >= 0:
        way = difference(load(mark.position, j), load(vehicles.position, i), wrap)
        near = math.sqrt(dot(way, way)) <= numbers.distance
    velocity = load(vehicles.velocity, i)
    truth.holds[i] = near and math.sqrt(dot(velocity, velocity)) <= numbers.speed


@condition
class Arrived(Condition):
    """Holds at the target.

    Args:
        target: The place to arrive at: a point (d,) [m], points (n, d), Vehicles, or a function that returns points.
        distance: How near is near enough [m]. Raising it is satisfied sooner.
        speed: How slow is slow enough [m/s]. Raising it lets vehicles that still move have arrived. Default: any speed.
        which: The member of a population to arrive at: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    distance: float = parameter(1.0, low=0.0, unit="m", positional=True)
    speed: float = parameter(math.inf, low=0.0, infinite=True, unit="m/s")
    which: Any = parameter("nearest", kind=WHICH, of="target")

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """One call, after those that keep the target up to date."""
        mark, calls = scene.mark(self.target, self.which)
        with np.errstate(over="ignore"):
            numbers = scene.own("distance", "speed")
        return [*calls, Call(arrived, (scene.columns, mark, scene.wrap, numbers, truth))]

    def sketch(self, context: SketchContext) -> Shapes:
        """How near is near enough."""
        yield Circle(context.watched(self.target, self.which).position, self.distance, means="arrived inside")

"""Patrol: arrive at one checkpoint after the other.

    closer to the checkpoint than the margin: the next one is due
    force = arrive(checkpoint)

Project notes, "Patrol" (successive invocations of Arrive, repeated endlessly if wished); game AI lecture, "Path Following"
(guard duty). Since it slows down before each checkpoint it can miss none and orbit none. To pass through them at speed, use
FollowPath with law="waypoints".
"""

from typing import Any

import numpy as np

from steersman.core.environment.paths.path import STOPS
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle, Line
from steersman.core.maths.vectors import difference, dot, load
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.kinds import FLAG
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.arriving import ArrivingNumbers, arriving_numbers, come
from steersman.core.steering.driving.drive import drive_numbers
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


@kernel
def next_stop(k: int, count: int, step: int, loop: bool) -> int:
    """The stop after stop k of `count`, forwards (step 1) or backwards (-1); the last one stays, without a loop."""
    k += step
    if 0 <= k < count:
        return k
    if loop:
        return 0 if step > 0 else count - 1
    return k - step


@row_kernel
def patrol(
    i: int, vehicles: VehicleColumns, checkpoints: Columns, wrap: Array, margin: Any, loop: bool, now: Array,
    following: Array, end: ArrivingNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Arrive at the checkpoint that is due."""
    count = checkpoints[0].size
    place = load(vehicles.position, i)
    k = max(0, min(now[i], count - 1))  # Memory may come from a longer patrol, or from the caller.
    way = difference(load(checkpoints, k), place, wrap)
    if dot(way, way) < margin * margin:
        k = next_stop(k, count, 1, loop)
        way = difference(load(checkpoints, k), place, wrap)
    following[i] = k
    deposit(out, i, come(way, i, vehicles, end, clock.dt[0]), vehicles.max_force[i], True)


@registered
class Patrol(Behavior):
    """Visit checkpoints in order, slowing down before each.

    Every vehicle remembers which checkpoint is due (memory `checkpoint`), and begins with the first.

    Args:
        checkpoints: Points to visit in order [m], shape (k, d), k >= 1.
        loop: Whether the first comes after the last; without, the vehicle stays at the last.
        margin: Distance from a checkpoint at which it counts as visited [m], > 0. Raising it cuts corners.
        slowing_distance: Distance at which slowing begins [m]. Default: the shortest without overshoot, max(4 *
            max_speed * response_time, mass * max_speed^2 / max_force).
        speed: Speed far from checkpoints [m/s]: a number or "max".

    Raises:
        TypeError: The checkpoints are no numbers.
        ValueError: There is no checkpoint, a number is NaN, infinite or out of range, or the checkpoints' dimensions are
            not the vehicles' (when it is planned).
    """

    checkpoints: Any = parameter(kind=STOPS, positional=True, unit="m")
    loop: bool = parameter(True, kind=FLAG)
    margin: float = parameter(1.0, above=0.0, unit="m")
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    speed: float | str = parameter("max", choices=("max",), low=0.0, unit="m/s")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The checkpoint that is due."""
        return {"checkpoint": np.zeros(len(vehicles), np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        d, dtype = scene.vehicles.dimensions, scene.vehicles.dtype
        if self.checkpoints.shape[1] != d:
            raise ValueError(f"checkpoints must have {d} dimensions like the vehicles, got {self.checkpoints.shape[1]}")
        end = arriving_numbers(drive_numbers(self.speed, dtype), dtype, True, self.slowing_distance)
        arguments = (
            scene.columns, columns_of(self.checkpoints, dtype), scene.wrap, scene.number(self.margin),
            bool(self.loop), memory.now("checkpoint"), memory.next("checkpoint"), end, scene.clock, out,
        )  # fmt: skip
        return [Call(patrol, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The round, and the checkpoint that is due."""
        due = context.image(self.checkpoints[np.minimum(context.memory["checkpoint"], len(self.checkpoints) - 1)])
        yield Line(self.checkpoints, closed=self.loop)
        yield Circle(due, self.margin)
        yield from context.goal(due)

"""Patrol: arrive at one checkpoint after the other.

    closer to the checkpoint than the margin: the next one is due
    force = arrive(checkpoint), with a map of routes as GoTo

Project notes, "Patrol" (successive invocations of Arrive, repeated endlessly if wished); game AI lecture, "Path Following"
(guard duty). Since it slows down before each checkpoint it can miss none and orbit none. To pass through them at speed, use
FollowPath with law="waypoints".
"""

from typing import Any

import numpy as np

from steersman.core.environment.paths.path import STOPS
from steersman.core.environment.routes.route_map import ROUTE_MAP
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
from steersman.core.steering.driving.bends import cornering
from steersman.core.steering.driving.drive import drive_numbers
from steersman.core.steering.driving.leading import lead_sides
from steersman.core.steering.paths.go_to import LOOKAHEAD, go_to, new_guide, route_calls
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
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


@kernel
def due_stop(place: Vector, checkpoints: Columns, wrap: Array, margin: Any, loop: bool, before: int) -> int:
    """The checkpoint that is due at a place; the one after the one before if that is near enough."""
    count = checkpoints[0].size
    k = max(0, min(before, count - 1))  # Memory may come from a longer patrol, or from the caller.
    way = difference(load(checkpoints, k), place, wrap)
    if dot(way, way) < margin * margin:
        return next_stop(k, count, 1, loop)
    return k


@row_kernel
def patrol(
    i: int, vehicles: VehicleColumns, checkpoints: Columns, wrap: Array, margin: Any, loop: bool, now: Array,
    following: Array, end: ArrivingNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Arrive at the checkpoint that is due."""
    place = load(vehicles.position, i)
    k = due_stop(place, checkpoints, wrap, margin, loop, now[i])
    way = difference(load(checkpoints, k), place, wrap)
    following[i] = k
    deposit(out, i, come(way, True, i, vehicles, end, clock.dt[0]), vehicles.max_force[i], True)


@row_kernel
def find_due(
    i: int, position: Columns, active: Array, checkpoints: Columns, wrap: Array, margin: Any, loop: bool, now: Array,
    following: Array, due: Array,
) -> None:  # fmt: skip
    """Note the checkpoint that is due."""
    due[i] = following[i] = due_stop(load(position, i), checkpoints, wrap, margin, loop, now[i])


@registered
class Patrol(Behavior):
    """Visit checkpoints in order, slowing down before each.

    Every vehicle remembers which checkpoint is due (memory `checkpoint`), and begins with the first.

    Args:
        checkpoints: Points to visit in order [m], shape (k, d), k >= 1.
        loop: Whether the first comes after the last; without, the vehicle stays at the last.
        margin: Distance from a checkpoint at which it counts as visited [m], > 0. Raising it cuts corners.
        by: The map that knows the ways between checkpoints, see GoTo; it slows down before the ways turn. Default: none,
            straight ahead.
        slowing_distance: Distance at which slowing begins [m]. Raising it is gentler. Default: the shortest without
            overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        speed: Speed far from checkpoints [m/s]: a number or "max". Raising it goes faster.
    """

    checkpoints: Any = parameter(kind=STOPS, positional=True, unit="m")
    loop: bool = parameter(True, kind=FLAG)
    margin: float = parameter(1.0, above=0.0, unit="m")
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    speed: float | str = parameter("max", choices=("max",), low=0.0, unit="m/s")
    by: Any = parameter(None, kind=ROUTE_MAP, optional=True)

    def leads(self) -> bool:
        """With a map."""
        return self.by is not None

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The checkpoint that is due."""
        return {"checkpoint": np.zeros(len(vehicles), np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call; with a map those that ask it, and one that follows."""
        d, dtype = scene.vehicles.dimensions, scene.vehicles.dtype
        if self.checkpoints.shape[1] != d:
            raise ValueError(f"checkpoints must have {d} dimensions like the vehicles, got {self.checkpoints.shape[1]}")
        end = arriving_numbers(drive_numbers(self.speed, dtype), scene, True, self.slowing_distance)
        checkpoints, sides = columns_of(self.checkpoints, dtype), (memory.now("checkpoint"), memory.next("checkpoint"))
        turn = (checkpoints, scene.wrap, scene.number(self.margin), bool(self.loop), *sides)
        if self.by is None:
            return [Call(patrol, (scene.columns, *turn, end, scene.clock, out))]
        due, find = np.zeros(scene.capacity, np.int64), (scene.columns.position, out.active, *turn)
        lead = lead_sides(scene.led)[1]
        scene, out, calls = as_drawn("by", self.by.dimensions, scene, out)
        guide, go = new_guide(scene), end.go
        scene.show(way=guide.way)
        goal, number = checkpoints[: scene.dimensions], np.array([len(self.checkpoints)])
        ask = route_calls(self.by, scene, guide, out.active, go, LOOKAHEAD, goal, number, due)
        follow = (scene.columns, due, guide, end, scene.number(1.0), cornering(scene), *lead, scene.clock, out)
        return [Call(find_due, (*find, due)), *calls, *ask, Call(go_to, follow)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The round, and the checkpoint that is due."""
        due = context.image(self.checkpoints[np.minimum(context.memory["checkpoint"], len(self.checkpoints) - 1)])
        yield Line(self.checkpoints, closed=self.loop, means="its round")
        yield Circle(due, self.margin, means="where it counts as reached")
        yield from context.goal(due)
        if self.by is not None:
            context = context.on_plan(self.by.dimensions)
            yield from context.goal(context.position + context.shown["way"])

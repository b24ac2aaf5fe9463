"""Flee: the opposite of seek.

    desired = speed * unit(position - target)
    force   = mass * (desired - velocity) / response_time,   zero beyond the panic distance

Reynolds 1999, "Flee"; the panic distance is the game AI lecture's. A vehicle exactly on the target flees forward. On a
surface only the part of (position - target) along the surface counts: a vehicle below a bird runs, too.
"""

import math
from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import squared
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import level
from steersman.core.maths.shapes import Circle
from steersman.core.maths.vectors import ZERO, difference, direction_or, dot, length, load, scale
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@kernel
def flight(way: Vector, forward: Vector) -> Vector:
    """The way to flee along: away from the pursuer, or forward when it is in the very same place."""
    if dot(way, way) == ZERO:
        return forward
    return way


@kernel
def on_foot(way: Vector, forward: Vector, ground: Columns, i: int) -> Vector:
    """The way to flee along; on ground, its part along it, or forward from a pursuer straight above or below."""
    if len(ground) == 3 and dot(way, way) != ZERO:
        return scale(direction_or(level(way, ground, i), length(way), forward), length(way))
    return flight(way, forward)


@row_kernel
def flee(
    i: int, vehicles: VehicleColumns, mark: Mark, wrap: Array, panic2: Any, go: DriveNumbers, clock: Clock,
    ground: Columns, out: Out,
) -> None:  # fmt: skip
    """Drive away from the target while it is within the panic distance, squared [m^2]."""
    if mark.pick[i] >= 0:
        way = difference(load(vehicles.position, i), load(mark.position, mark.pick[i]), wrap)
        if not dot(way, way) > panic2:
            way = on_foot(way, load(vehicles.forward, i), ground, i)
            deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
class Flee(Driven):
    """Go away from a point, a population, or the points of a function.

    Args:
        target: The object to go away from: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, or a
            function that returns points.
        which: The member of a population to go away from: "nearest", "first", an id, ids (one per vehicle) or a mask.
        panic_distance: Distance beyond which the vehicle does not flee [m]. Raising it makes it more timid.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="target")
    panic_distance: float = parameter(math.inf, above=0.0, infinite=True, unit="m")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the target."""
        mark, calls = scene.mark(self.target, self.which)
        go, panic2 = self.go(scene.vehicles.dtype), squared(scene.vehicles.dtype, self.panic_distance)
        return [*calls, Call(flee, (scene.columns, mark, scene.wrap, panic2, go, scene.clock, scene.ground, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The point that it flees, and the panic distance."""
        watched = context.watched(self.target, self.which)
        yield from context.choice(watched)
        yield Circle(watched.position, self.panic_distance, role="danger", label="flees inside")

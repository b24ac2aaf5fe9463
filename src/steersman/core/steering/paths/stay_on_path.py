"""StayOnPath: keep within a path's tube, in either direction.

    predicted = position + lookahead * velocity
    inside the tube: nothing;  outside: seek the point of the spine nearest to the predicted position

Reynolds 1999, "Path following", without regard to direction.
"""

from typing import Any

import numpy as np

from steersman.core.environment.paths.path import PATH
from steersman.core.environment.paths.projecting import PathColumns, point_at, project, radius_of
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import unit_rows
from steersman.core.maths.shapes import Cross, segment
from steersman.core.maths.vectors import add_scaled, difference, load
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive
from steersman.core.steering.laws.vectors import length
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def stay_on_path(
    i: int, vehicles: VehicleColumns, path: PathColumns, wrap: Array, lookahead: Any, go: DriveNumbers, clock: Clock,
    out: Out,
) -> None:  # fmt: skip
    """Seek the spine where the predicted position is outside of the tube. `lookahead` [s]."""
    place = load(vehicles.position, i)
    s, d2, j = project(path, add_scaled(place, load(vehicles.velocity, i), lookahead), wrap, -1)
    if not d2 <= radius_of(path, j) * radius_of(path, j):
        way = difference(point_at(path, s, j, place), place, wrap)
        deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
class StayOnPath(Driven):
    """Come back to a path when about to leave it; go along it in either direction, or not at all.

    It claims a vehicle only while it corrects it. Where the spine crosses itself the nearest part counts.

    Args:
        path: The path to stay on: a Path, or points of a spine [m], shape (k, d). One of 2 dimensions leads vehicles on a
            surface in 3D along x and y.
        lookahead: How far to look ahead [s], as time at the present velocity. Raising it corrects earlier.
        speed: How fast to come back [m/s]: a number, "max", "current" or "offset". Raising it comes back faster.

    Raises:
        TypeError: The path is none.
        ValueError: A number is NaN, infinite or out of range, a word is not known, or the path's dimensions are not the
            vehicles' (when it is planned).
    """

    path: Any = parameter(kind=PATH, positional=True)
    lookahead: float = parameter(1.0, low=0.0, unit="s")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        lookahead, go = scene.number(self.lookahead), self.go(scene.vehicles.dtype)
        scene, out, calls = as_drawn("path", self.path.dimensions, scene, out)
        path = self.path.columns(scene.vehicles.dtype, scene.wrap)
        return [*calls, Call(stay_on_path, (scene.columns, path, scene.wrap, lookahead, go, scene.clock, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """Where it will be, the nearest point of the path, and of its edge where that is beyond it."""
        context = context.on_plan(self.path.dimensions)
        path, future = context.along(self.path), context.ahead(self.lookahead)
        s, distance, _ = path.project(future)
        foot, radius = path.point_at(s), path.radius_at(s)
        yield from context.own_future(future)
        yield segment(future, foot, means="to the middle of the path")
        yield edge_of_tube(future, foot, radius)
        yield from context.goal(np.where((distance > radius)[:, None], foot, np.nan))


def edge_of_tube(place: Array, foot: Array, radius: Array) -> Cross:
    """The points of the edge of a path between places beyond it and the spine; none for places within the tube.

    Args:
        place: Where vehicles are or will be [m], shape (k, d).
        foot: The nearest points of the spine [m], shape (k, d).
        radius: The radius of the tube there [m], shape (k,).
    """
    out = place - foot
    beyond = length(out) > radius
    edge = foot + unit_rows(out) * np.where(beyond, radius, np.nan)[:, None]
    return Cross(edge, role="guide", label="edge of the path")

"""StayOnPath: keep within a path's tube, in either direction.

    predicted = position + lookahead * velocity,   distance of both from the spine, radius of the tube
    law="tube":    inside the tube: nothing;  outside: seek the point of the spine nearest to the predicted position
    law="smooth":  force = part * seek,   part = (distance of predicted - radius / 2) / (radius / 2), from 0 to 1
                   inward part of the force >= mass * (d / 4 tau - velocity . inward) / tau,   d = distance - (radius - room)

Reynolds 1999, "Path following", without regard to direction, is "tube": its force comes and goes at the edge of the tube
at every other step. That of "smooth" grows from the middle of the way to the edge, and it leaves the rest of max_force to
other parts (it shares, see Priority). So that these do not push a vehicle out, it is held within the edge as by Contain: by
a critically damped spring in a room of 3 max_force tau^2 / mass, at most a quarter of the radius, with tau the response time
or, in a narrow tube, less. The part grows over more than half of the radius where the response time is less than two steps.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.paths.path import PATH
from steersman.core.environment.paths.projecting import (
    PathColumns,
    distance2_at,
    point_at,
    project,
    radius_of,
    start_of,
)
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import unit_rows
from steersman.core.maths.shapes import Cross, segment
from steersman.core.maths.vectors import (
    HALF,
    ONE,
    TINY,
    ZERO,
    add_scaled,
    difference,
    dot,
    load,
    normalize,
    scale,
    truncate,
)
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive
from steersman.core.steering.driving.staying_inside import SHALLOW, missing_inward, room_inside, spring_time
from steersman.core.steering.laws.vectors import length
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit, deposit_shared, response
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LAWS = ("smooth", "tube")

CLEAR = 0.999
"""Part of a distance within which no rounding error of it leads beyond it."""


class Known(NamedTuple):
    """Segments at which searches of the spine begin. They make these faster or spare them, and do not change the result.

    Attributes:
        now, then: Those near to where vehicles are and will be, shape (n,), int64.
        quiet, free: Squared distances from the spine within which no spring pushes, and no force draws a vehicle back [m^2].
    """

    now: Array
    then: Array
    quiet: Any
    free: Any


@kernel
def is_near(path: PathColumns, j: int, place: Vector, wrap: Array, most: Any) -> Any:
    """Whether the squared distance of a place from segment j is below `most` [m^2]."""
    return distance2_at(path, j, difference(place, start_of(path, j, place), wrap)) < most


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


@kernel
def held(
    force: Vector, i: int, vehicles: VehicleColumns, path: PathColumns, wrap: Array, now: Array, dt: Any
) -> Vector:
    """A force on vehicle i, and what is missing of the one that holds it within the edge. `now` as in `Known`."""
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    strength = vehicles.max_force[i] / vehicles.mass[i]
    s, d2, j = project(path, place, wrap, now[i])
    now[i] = j
    radius = radius_of(path, j)
    tau = spring_time(strength, vehicles.response_time[i], radius, dt)
    deep = math.sqrt(d2) - radius + room_inside(strength, tau, radius)
    if not deep > ZERO:
        return force
    inward = normalize(difference(point_at(path, s, j, place), place, wrap))
    least = missing_inward(deep, tau, velocity, inward) * vehicles.mass[i] / tau
    return add_scaled(force, inward, max(least - dot(force, inward), ZERO))


@row_kernel
def stay_smoothly(
    i: int, vehicles: VehicleColumns, path: PathColumns, wrap: Array, lookahead: Any, known: Known, go: DriveNumbers,
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Seek the spine by as much as the predicted position is beside it, and be held within the edge. `lookahead` [s]."""
    place, velocity, dt = load(vehicles.position, i), load(vehicles.velocity, i), clock.dt[0]
    max_force, force, future = vehicles.max_force[i], scale(velocity, ZERO), add_scaled(place, velocity, lookahead)
    if not is_near(path, known.then[i], future, wrap, known.free):
        s, d2, j = project(path, future, wrap, known.then[i])
        known.then[i] = j
        radius = radius_of(path, j)
        beyond = math.sqrt(d2) - HALF * radius
        if beyond > ZERO:
            way = difference(point_at(path, s, j, place), place, wrap)
            part = beyond / max(radius * max(HALF, dt / response(vehicles.response_time[i], dt)), TINY)
            force = truncate(scale(drive(way, i, vehicles, go, dt), min(part, ONE)), max_force)
    if not is_near(path, known.now[i], place, wrap, known.quiet):
        force = held(force, i, vehicles, path, wrap, known.now, dt)
    deposit_shared(out, i, force, max_force)


@registered
class StayOnPath(Driven):
    """Come back to a path when about to leave it; go along it in either direction, or not at all.

    It steers a vehicle only while it corrects it, and with law="smooth" leaves the rest of max_force to other parts. Where
    the spine crosses itself the nearest part counts.

    Args:
        path: The path to stay on: a Path, or points of a spine [m], shape (k, d). One of 2 dimensions leads vehicles on a
            surface in 3D along x and y.
        lookahead: How far to look ahead [s], as time at the present velocity. Raising it corrects earlier.
        law: "smooth" (a force that grows from the middle of the way to the edge) or "tube" (Reynolds: all of it at the edge).
        speed: How fast to come back [m/s]: a number, "max", "current" or "offset". Raising it comes back faster.
    """

    path: Any = parameter(kind=PATH, positional=True)
    lookahead: float = parameter(1.0, low=0.0, unit="s")
    law: str = parameter("smooth", kind=TEXT, choices=LAWS)

    def shares(self) -> bool:
        """With law="smooth"."""
        return self.law == "smooth"

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        lookahead, go = scene.number(self.lookahead), self.go(scene.vehicles.dtype)
        scene, out, calls = as_drawn("path", self.path.dimensions, scene, out)
        path = self.path.columns(scene.vehicles.dtype, scene.wrap)
        about, how = (scene.columns, path, scene.wrap, lookahead), (go, scene.clock, out)
        if self.law == "tube":
            return [*calls, Call(stay_on_path, (*about, *how))]
        clear = CLEAR * float(self.path.radius.min())
        quiet, free = (scene.number((part * clear) ** 2) for part in (1 - float(SHALLOW), 0.5))
        now, then = np.zeros((2, scene.capacity), np.int64)
        known = Known(now, then, quiet, free)
        return [*calls, Call(stay_smoothly, (*about, known, *how))]

    def sketch(self, context: SketchContext) -> Shapes:
        """Where it will be, the nearest point of the path, and of its edge where that is beyond it."""
        context = context.on_plan(self.path.dimensions)
        path, future = context.along(self.path), context.ahead(self.lookahead)
        s, distance, _ = path.project(future)
        foot, radius = path.point_at(s), path.radius_at(s)
        yield from context.own_future(future)
        yield segment(future, foot, means="to the middle of the path", detail=True)
        yield edge_of_tube(future, foot, radius)
        free = radius / 2 if self.law == "smooth" else radius
        yield from context.goal(np.where((distance > free)[:, None], foot, np.nan))


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

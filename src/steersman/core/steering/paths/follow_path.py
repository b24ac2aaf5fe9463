"""FollowPath: go along a path, in one direction.

    "lane"       seek spine(s + reach) + the vehicle's own distance from the spine, where that fits into the tube,
                 as fast as the bends ahead allow (`steering/driving/bends.py`)
    "tube"       predicted = position + lookahead * velocity;
                 inside the tube and advancing: nothing; else seek spine(s + reach)
    "parameter"  seek spine(s + reach), s where the present position is nearest to the spine
    "predicted"  the same from the predicted position
    "waypoints"  seek the points of the spine in turn; closer to one than the seek distance, the next one is due

"lane" (`steering/driving/lanes.py`) is Reynolds' tube for vehicles that travel: it reaches the wanted speed and keeps
it, in the tube and beside it, by the same law; but before a bend it slows down to what its force, its tires and brakes
can take there (bends="ignore": it does not, as in the sources). Reynolds 1999, "Path following" ("tube", literally);
Unity lecture, "Path Following Behavior" ("parameter", "predicted"); game AI lecture, "Path Following" ("waypoints": its
seek distance has to suit the ratio of max_speed to max_force, hence the default).

In "tube" and "predicted", s belongs to the predicted or to the present position, whichever is further along: else a
vehicle that goes the wrong way would be led on by a target that lies behind it as long as reach < lookahead * speed.

At an open end the sources let the vehicle swing about the last point. With end="arrive" it slows down over the rest of
the way (from the vehicle to its target and on to the end), which before the last point is the linear ramp of Arrive. A
path of one point ends there. Beside a part that keeps vehicles apart a crowd comes to rest around the end, as around the
goal of Arrive (`steering/driving/resting.py`): those that see the end straight ahead go to it, and stand behind others.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.paths.path import PATH
from steersman.core.environment.paths.projecting import PathColumns, point_at, progress, project, radius_of
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Cross, Line, segment
from steersman.core.maths.vectors import ONE, ZERO, add_scaled, difference, dot, load, with_length
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.kinds import INTEGER, TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.approach import approach, full_speed
from steersman.core.steering.driving.bends import bend_columns
from steersman.core.steering.driving.drive import Driven, DriveNumbers
from steersman.core.steering.driving.lanes import AtEnd, end_zone, is_open, lane_calls, left_beyond, way_at_end
from steersman.core.steering.driving.leading import NO_LEAD, lead_sides
from steersman.core.steering.driving.resting import note_goal, resting_sides, way_among
from steersman.core.steering.laws import vectors as laws
from steersman.core.steering.laws.path_following import path_target
from steersman.core.steering.paths.patrol import next_stop
from steersman.core.steering.paths.stay_on_path import edge_of_tube
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

AHEAD = ("tube", "parameter", "predicted")
LAWS = ("lane", *AHEAD, "waypoints")
ENDS = ("seek", "arrive")

ARC_POINTS = 9
"""How many points of an arc are drawn: up to 15 degrees lie between its pieces."""

WIDEST_ARC = 0.5
"""Cosine of the angle between the velocity and the way to the target, up to which an arc is drawn."""


@kernel
def further_along(
    path: PathColumns, place: Vector, velocity: Vector, wrap: Array, numbers: Any, guess: int
) -> tuple[Any, int, bool]:
    """Arc length to reach on from [m], its segment, and whether nothing needs to be corrected. The guess is a segment."""
    s, _, near = project(path, place, wrap, guess)
    if numbers.law == ONE:
        return s, near, False
    then, d2, j = project(path, add_scaled(place, velocity, numbers.lookahead), wrap, near)
    if not progress(path, s, then, numbers.direction) > ZERO:
        return s, near, False
    return then, j, numbers.law == ZERO and d2 <= radius_of(path, j) * radius_of(path, j)


class SpinePlaces(NamedTuple):
    """The places found on the spine.

    Attributes:
        s: Arc lengths to reach on from [m], shape (n,).
        segment: Their segments, shape (n,), int64.
        right: Where nothing needs to be corrected, shape (n,), uint8.
    """

    s: Array
    segment: Array
    right: Array


@row_kernel
def find_ahead(
    i: int, vehicles: VehicleColumns, path: PathColumns, wrap: Array, numbers: Any, active: Array,
    places: SpinePlaces,
) -> None:  # fmt: skip
    """Find the place of the path from which a vehicle looks ahead; the search begins at the place of the step before.

    It is a kernel of its own, as in `lanes`.
    """
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    s, j, right = further_along(path, place, velocity, wrap, numbers, places.segment[i])
    places.s[i], places.segment[i], places.right[i] = s, j, right


@row_kernel
def follow_path(
    i: int, vehicles: VehicleColumns, path: PathColumns, wrap: Array, numbers: Any, places: SpinePlaces,
    go: DriveNumbers, at_end: tuple[AtEnd, ...], clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Seek a point ahead on the spine."""
    ends, dt = is_open(path) and go.full != ONE, clock.dt[0]
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    tau = response(vehicles.response_time[i], dt)
    reach = numbers.reach
    if reach < ZERO:
        reach = vehicles.max_speed[i] * numbers.lookahead
    goal = places.s[i] + numbers.direction * reach
    way = difference(point_at(path, goal, places.segment[i], place), place, wrap)
    full = full_speed(way, velocity, vehicles.max_speed[i], go)
    remaining, slowing = ONE * full, ZERO * full
    if ends:
        remaining = math.sqrt(dot(way, way)) + left_beyond(path, goal, numbers.direction)
        slowing = end_zone(numbers.end, full, i, vehicles, numbers.brakes, numbers.slowing_distance, tau, dt)
        if len(at_end) != 0:
            way, remaining = way_at_end(
                way, remaining, places.s[i], reach, numbers.direction, i, vehicles, path, at_end[0], clock
            )
    if places.right[i] and not remaining < slowing and path.total[0] > ZERO:
        return
    force = with_length(way, vehicles.max_force[i])
    if go.full != ONE:
        force = approach(way, remaining, slowing, full, velocity, vehicles.mass[i], tau)
    deposit(out, i, force, vehicles.max_force[i], True)


@kernel
def seek_distance(radius: Any, speed: Any, acceleration: Any, tau: Any, chosen: Any) -> Any:
    """The given distance [m] or, where that is negative, one at which no waypoint can be orbited.

    The tightest circle at full speed has the radius V^2 / a, and a velocity that lags by tau goes round in one of V tau.
    """
    if chosen >= ZERO:
        return chosen
    return max(radius, speed * speed / acceleration, speed * tau)


@row_kernel
def follow_waypoints(
    i: int, vehicles: VehicleColumns, points: Columns, path: PathColumns, wrap: Array,
    numbers: Any,
    now: Array, following: Array, go: DriveNumbers, at_end: tuple[AtEnd, ...], clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Seek the waypoint that is due."""
    count, loop, dt = points[0].size, not is_open(path), clock.dt[0]
    step = 1 if numbers.direction > ZERO else -1
    last = count - 1 if step > 0 else 0
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    tau = response(vehicles.response_time[i], dt)
    mass, push = vehicles.mass[i], vehicles.max_force[i]
    k = max(0, min(now[i], count - 1))  # Memory may come from a longer path, or from the caller.
    way = difference(load(points, k), place, wrap)
    radius = radius_of(path, min(k, path.segments.shape[0] - 1))
    near = seek_distance(radius, vehicles.max_speed[i], push / mass, tau, numbers.seek_distance)
    if dot(way, way) < near * near:
        k = next_stop(k, count, step, loop)
        way = difference(load(points, k), place, wrap)
    following[i] = k
    full = full_speed(way, velocity, vehicles.max_speed[i], go)
    remaining, slowing = ONE * full, ZERO * full
    if k == last and not loop:
        slowing = end_zone(numbers.end, full, i, vehicles, numbers.brakes, numbers.slowing_distance, tau, dt)
        if len(at_end) != 0:
            goal = add_scaled(place, way, ONE)
            way = way_among(at_end[0].resting, i, note_goal(at_end[0].resting, i, goal, clock.step, wrap), way)
        remaining = math.sqrt(dot(way, way))
    force = with_length(way, push)
    if go.full != ONE:
        force = approach(way, remaining, slowing, full, velocity, mass, tau)
    deposit(out, i, force, push, True)


def arcs_to(position: Array, target: Array, velocity: Array) -> Array:
    """The arcs along which "lane" turns vehicles, to be drawn: they begin along the velocity and end at the target.

    The arc of a vehicle that stands, or moves at more than 60 degrees to the way, is straight.

    Args:
        position: Where the vehicles are [m], shape (n, d).
        target: Where they go [m], shape (n, d).
        velocity: How they move [m/s], shape (n, d).

    Returns:
        Points of the arcs [m], shape (n, ARC_POINTS, d).
    """
    way = target - position
    toward, ahead = laws.normalize(way), laws.normalize(velocity)
    ahead = np.where(laws.dot(toward, ahead)[:, None] > WIDEST_ARC, ahead, toward)
    side = laws.normalize(laws.lateral(toward, ahead))
    part = np.linspace(0, 1, ARC_POINTS)[:, None]
    whole = np.arctan2(laws.dot(toward, side), laws.dot(toward, ahead))[:, None, None]  # Between chord and velocity.
    angle = part * whole
    far = part * np.sinc(angle / np.pi) / np.sinc(whole / np.pi)  # sin(angle) / sin(whole), also of straight ones.
    turned = np.cos(angle) * ahead[:, None] + np.sin(angle) * side[:, None]
    return np.asarray(position[:, None] + laws.length(way)[:, None, None] * far * turned)


@registered
class FollowPath(Driven):
    """Go along a path.

    "lane" lets a vehicle keep its distance from the spine within a room of its own, which is drawn from the world's seed and
    the vehicle's id, so that a crowd spreads over the tube. Bends drive vehicles to the rim of that room, so the way of a
    single car, too, depends on the seed. On a path no wider than the car it follows the spine, and does not.

    "tube" claims a vehicle only while it corrects it; in a Priority, parts below it steer the vehicles that are in the
    tube and advance. It neither speeds them up nor keeps their speed, which is for those parts to do:
    `Priority([FollowPath(road, law="tube"), Wander() + TargetSpeed(5)])` strolls along a road. The others have a goal
    as long as there is a path, and always claim, as Seek does; combine them with other behaviors in a sum. A path of
    one point is its own end.

    Of "tube", "parameter" and "predicted" the part of the spine counts that is nearest. Where it crosses itself, or
    runs closer to itself than the vehicle is to it, that may be another part than before, so the vehicle may change
    over, ahead or back. "lane" stays on its branch as long as it is in its tube (memory `segment`), and a car on its own
    or a later one while it turns round, up to two turning circles beside the tube. "waypoints" takes
    every point in its turn, even if others lie nearer; it remembers for each vehicle which one is due (memory
    `waypoint`).

    Args:
        path: The path to follow: a Path, or points of a spine [m], shape (k, d). One of 2 dimensions leads vehicles on a
            surface in 3D along x and y.
        direction: 1 from the first point to the last, -1 back.
        law: How it is followed: "lane", "tube", "parameter", "predicted" or "waypoints".
        lookahead: How far to predict [s], as time at the present velocity; of "lane" and "parameter", used only for the
            reach by default. Raising it corrects earlier.
        reach: How far ahead on the spine the target lies [m]. Raising it is smoother and cuts corners. Default: max_speed *
            lookahead, for each vehicle; of "lane" at least 2 max_speed * response_time, and so where it is 0, which would
            lead nowhere.
        seek_distance: Of "waypoints": distance at which a waypoint counts as reached [m]. Raising it is smoother and
            cuts corners; one below the turning circle lets vehicles orbit. Default: max(the path's radius, mass *
            max_speed^2 / max_force, max_speed * response_time).
        bends: Of "lane": "brake" slows down for the bends ahead, as early as the body's brakes ask for, and looks less far
            around them; "ignore" goes at full speed, as in the source.
        end: Law at the end of an open path: "arrive", or "seek": swing about it, as the sources do.
        slowing_distance: Of end="arrive": distance at which slowing begins [m]. Raising it is gentler. Default: the
            shortest without overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        thrust: How hard to push: "match" reaches the wanted velocity within the response time, "full" pushes with max_force,
            and does not slow down.
    """

    path: Any = parameter(kind=PATH, positional=True)
    direction: int = parameter(1, kind=INTEGER, low=-1, high=1)
    law: str = parameter("lane", kind=TEXT, choices=LAWS)
    lookahead: float = parameter(1.0, low=0.0, unit="s")
    reach: float | None = parameter(None, low=0.0, unit="m", optional=True)
    seek_distance: float | None = parameter(None, low=0.0, unit="m", optional=True)
    bends: str = parameter("brake", kind=TEXT, choices=("brake", "ignore"))
    end: str = parameter("arrive", kind=TEXT, choices=ENDS)
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)

    def validate(self) -> None:
        """Check the direction."""
        if self.direction == 0:
            raise ValueError("direction must be 1 or -1, got 0")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """Of "lane" the nearest segment, -1 where it is not known yet; of "waypoints" the waypoint that is due."""
        if self.law == "lane":
            return {"segment": np.full(len(vehicles), -1, np.int64)}
        first = 0 if self.direction > 0 else len(self.path.points) - 1
        return {"waypoint": np.full(len(vehicles), first, np.int64)} if self.law == "waypoints" else {}

    def comes_to_rest(self) -> bool:
        """It asks vehicles to come to rest at the end of an open path, if it is to stop there."""
        return self.end == "arrive" and self.thrust != "full" and not self.path.closed

    def leads(self) -> bool:
        """On a path in the plane, if it slows down for bends."""
        return self.law == "lane" and self.bends == "brake" and self.path.dimensions == 2

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        lead = lead_sides(scene.led)[1] if self.leads() else NO_LEAD
        rests = scene.resting if self.comes_to_rest() and self.path.dimensions == scene.dimensions else None
        scene, out, calls = as_drawn("path", self.path.dimensions, scene, out)
        at_end = () if rests is None else (AtEnd(resting_sides(rests)[1], scene.wrap),)
        path, go = self.path.columns(scene.vehicles.dtype, scene.wrap), self.go(scene.vehicles.dtype)
        end: dict[str, Any] = {"slowing_distance": self.slowing_distance, "brakes": scene.stopping}
        if self.law != "lane":
            end["end"] = ENDS.index(self.end)
        if self.law == "waypoints":
            points = columns_of(self.path.points, scene.vehicles.dtype)
            numbers = scene.own("direction", "seek_distance", **end)
            remembered = (memory.now("waypoint"), memory.next("waypoint"))
            arguments = (scene.columns, points, path, scene.wrap, numbers, *remembered, go, at_end, scene.clock, out)
            return [*calls, Call(follow_waypoints, arguments)]
        if self.law == "lane":
            remembered = (memory.now("segment"), memory.next("segment"))
            lane = scene.own("direction", "lookahead", "reach", stops=self.end == "arrive", **end)
            bends = bend_columns(scene, self.path, self.direction) if self.bends == "brake" else None
            return [*calls, *lane_calls(scene, path, lane, *remembered, go, out, bends, lead, at_end)]
        ahead = scene.own("direction", "lookahead", "reach", law=AHEAD.index(self.law), **end)
        n, about = scene.capacity, (scene.columns, path, scene.wrap, ahead)
        places = SpinePlaces(np.zeros(n, scene.vehicles.dtype), np.zeros(n, np.int64), np.zeros(n, np.uint8))
        calls.append(Call(find_ahead, (*about, out.active, places)))
        return [*calls, Call(follow_path, (*about, places, go, at_end, scene.clock, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """Where it is on the path, or will be, the edge of the tube there that counts, and the point that it heads for."""
        context = context.on_plan(self.path.dimensions)
        if self.law == "waypoints":
            yield from self._waypoints(context)
            return
        path = context.along(self.path)
        ahead = self.law in ("tube", "predicted")
        future = context.ahead(self.lookahead if ahead else 0.0)
        s = path.project(future).s
        foot = path.point_at(s)
        if ahead:
            yield from context.own_future(future)
        yield segment(future, foot, means="to the middle of the path", detail=True)
        if self.law == "tube":
            yield edge_of_tube(future, foot, path.radius_at(s))
        target = self._target(context, path)
        if self.law == "lane" and self.thrust != "full":
            yield Line(arcs_to(context.position, target, context.velocity), role="target")
            yield Cross(target)
        else:
            yield from context.goal(target)

    def _target(self, context: SketchContext, path: Any) -> Array:
        """The points that the vehicles head for; NaN where nothing needs to be corrected."""
        if self.law == "lane":
            return np.asarray(context.position + context.shown["way"])
        reach = (
            context.max_speed * self.lookahead if self.reach is None else np.full_like(context.max_speed, self.reach)
        )
        how: Any = {"direction": self.direction, "reach": reach}
        point, _, right = path_target(
            context.position, context.velocity, path, law=self.law, lookahead=self.lookahead, **how
        )
        return np.where(right[:, None], np.nan, point)

    def _waypoints(self, context: SketchContext) -> Shapes:
        yield from context.goal(
            context.image(self.path.points[np.minimum(context.memory["waypoint"], len(self.path.points) - 1)])
        )

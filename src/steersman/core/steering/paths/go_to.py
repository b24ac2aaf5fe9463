"""GoTo: go along the shortest way to a goal, around everything that is in the way, and stop there.

    ahead   = the last place of the route within lookahead that can be reached straight
    desired = speed * min(1, remaining / slowing_distance) * unit(ahead - position)
    force   = mass * (desired - velocity) / response_time

Reynolds 1999, "Path following": the path comes from a planner, as "A* or Dijkstra's result"; steering follows it, and stops
as in "Arrival". A map of routes is asked anew in every step, from where the vehicle is then: so there is nothing to
remember, and being pushed off the route, or a goal that moves, needs no rule of its own. It tells an AvoidObstacles in the
same tree where the route turns (`driving/leading.py`).

Without a map the way is the straight one.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from steersman.core.environment.regions.region import Region
from steersman.core.environment.routes.route_map import (
    ANY,
    NONE,
    ROUTE_MAP,
    Crowd,
    Guide,
    RouteMap,
    RouteOrder,
    RouteQuery,
)
from steersman.core.environment.shape import SurfaceProjection, check_fit, new_foot
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Shape
from steersman.core.maths.vectors import (
    INFINITE,
    ONE,
    TWO,
    ZERO,
    add_scaled,
    difference,
    dot,
    length,
    load,
    normalize,
    scale,
    store,
    with_length,
)
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.approach import approach, full_speed, slowing_distance, slowing_distance_of
from steersman.core.steering.driving.arriving import Arriving, ArrivingNumbers
from steersman.core.steering.driving.bends import Cornering, cornering, least_radius, speed_before, speed_to_turn
from steersman.core.steering.driving.drive import NUMBER, DriveNumbers
from steersman.core.steering.driving.leading import NO_LEAD, lead_sides, note_turn
from steersman.core.steering.driving.resting import Resting, note_goal, resting_sides, way_among
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.targets.goal import GOAL
from steersman.core.steering.targets.selection import WHICH, anybody
from steersman.core.steering.targets.target import Mark
from steersman.core.steering.tree.forces import Out, deposit, match, response
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

EVERY = 0.5
"""Time between two counts of a crowd [s]."""

LOOKAHEAD = 1.5
"""How far to look ahead along a route [s], if it is not said."""

STRAIGHT = np.float32(1.001)
"""Length of a route, as a part of the straight way to the place ahead, up to which that is its end."""

SPEED_GIVEN = np.float32(NUMBER)


@row_kernel
def look_ahead(i: int, vehicles: VehicleColumns, active: Array, go: DriveNumbers, lookahead: Any, reach: Array) -> None:
    """How far vehicles look along their routes."""
    speed = go.speed if go.kind == SPEED_GIVEN else vehicles.max_speed[i]
    reach[i] = lookahead * speed


@row_kernel
def straight_to_point(
    i: int, position: Columns, active: Array, mark: Mark, wrap: Array, way: Columns, remaining: Array
) -> None:
    """Straight ways to points."""
    if mark.pick[i] >= 0:
        offset = difference(load(mark.position, mark.pick[i]), load(position, i), wrap)
        store(way, i, offset)
        remaining[i] = math.sqrt(dot(offset, offset))


@row_kernel
def straight_to_region(
    i: int, radius: Array, deep: Any, active: Array, foot: SurfaceProjection, way: Columns, remaining: Array
) -> None:  # fmt: skip
    """Straight ways to where bodies are inside of a region, but no deeper than `deep` [m]; none for those that are."""
    remaining[i] = max(foot.distance[i] + min(radius[i], deep), ZERO)
    store(way, i, scale(load(foot.normal, i), -remaining[i]))


@row_kernel
def image_beside(i: int, position: Columns, active: Array, middle: Columns, wrap: Array, image: Columns) -> None:
    """The images of places that are nearest to a point."""
    point = load(middle, 0)
    store(image, i, add_scaled(point, difference(load(position, i), point, wrap), ONE))


@kernel
def bend_speed(
    way: Vector, i: int, guide: Guide, velocity: Vector, radius: Any, strength: Any, tau: Any, body: Cornering
) -> Any:
    """The speed [m/s] that the bend ahead allows, and that can be reached along the way within the response time."""
    fastest = INFINITE + ZERO * strength
    if guide.bend[i] < INFINITE:
        gap = max(guide.before[i] - tau * length(velocity), ZERO)
        least = least_radius(body, radius, strength, tau)
        fastest = speed_before(guide.bend[i], gap, least, body, strength)
        if body.rates.size > 0:
            fastest = min(fastest, speed_to_turn(guide.bend[i], gap, least, body, strength, body.rates[i]))
    return min(fastest, max(dot(velocity, normalize(way)), ZERO) + tau * strength)


@kernel
def force_to(
    way: Vector, remaining: Any, limit: Any, i: int, vehicles: VehicleColumns, end: ArrivingNumbers, dt: Any
) -> Vector:
    """The force that moves vehicle i to the place ahead, with so much of the route remaining [m], no faster than a limit."""
    velocity, mass, max_force = load(vehicles.velocity, i), vehicles.mass[i], vehicles.max_force[i]
    tau = response(vehicles.response_time[i], dt)
    full = full_speed(way, velocity, vehicles.max_speed[i], end.go)
    if end.go.kind == TWO:
        full = min(remaining, vehicles.max_speed[i])
    full = min(full, limit)
    if end.go.full == ONE and remaining < INFINITE:
        return with_length(way, max_force)
    if end.stops == ONE and end.go.full != ONE:
        slowing = slowing_distance(full, i, vehicles, end.brakes, tau, slowing_distance_of(full, end))
        return approach(way, remaining, slowing, full, velocity, mass, tau)
    desired = scale(way, ONE / dt) if remaining < full * dt else with_length(way, full)
    return match(desired, velocity, mass, tau, tau)


@kernel
def speed_limit(
    way: Vector, i: int, vehicles: VehicleColumns, guide: Guide, slow: Any, body: Cornering, dt: Any
) -> Any:
    """The speed that the bends ahead allow vehicle i [m/s], where it is to slow down for them."""
    if slow != ONE:
        return INFINITE + ZERO * dt
    strength, tau = vehicles.max_force[i] / vehicles.mass[i], response(vehicles.response_time[i], dt)
    return bend_speed(way, i, guide, load(vehicles.velocity, i), vehicles.radius[i], strength, tau, body)


@kernel
def has_turn(i: int, guide: Guide, end: ArrivingNumbers) -> bool:
    """Whether the route of vehicle i turns at the place ahead, or is to end."""
    return bool(guide.bend[i] < INFINITE or (end.stops == ONE and guide.remaining[i] < INFINITE))


@row_kernel
def go_to(
    i: int, vehicles: VehicleColumns, row: Array, guide: Guide, end: ArrivingNumbers, slow: Any, body: Cornering,
    turn: Columns, until: Array, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Head for the place ahead; a vehicle without a goal is not claimed, one without a route stands still."""
    dt = clock.dt[0]
    if row[i] == NONE:
        return
    way = load(guide.way, i)
    limit = speed_limit(way, i, vehicles, guide, slow, body, dt)
    note_turn(way, has_turn(i, guide, end), i, vehicles, turn, until, clock)
    deposit(out, i, force_to(way, guide.remaining[i], limit, i, vehicles, end, dt), vehicles.max_force[i], True)


@row_kernel
def go_among_others(
    i: int, vehicles: VehicleColumns, row: Array, guide: Guide, end: ArrivingNumbers, slow: Any, body: Cornering,
    turn: Columns, until: Array, wrap: Array, resting: Resting, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Head for the place ahead; where that is the goal, a vehicle comes to rest behind others that do so there."""
    dt = clock.dt[0]
    if row[i] == NONE:
        return
    way, remaining = load(guide.way, i), guide.remaining[i]
    limit = speed_limit(way, i, vehicles, guide, slow, body, dt)
    note_turn(way, has_turn(i, guide, end), i, vehicles, turn, until, clock)
    if remaining <= length(way) * STRAIGHT:
        goal = add_scaled(load(vehicles.position, i), way, ONE)
        way = way_among(resting, i, note_goal(resting, i, goal, clock.step, wrap), way)
        remaining = length(way)
    deposit(out, i, force_to(way, remaining, limit, i, vehicles, end, dt), vehicles.max_force[i], True)


def route_calls(
    by: RouteMap, scene: Scene, guide: Guide, active: Array, go: DriveNumbers, lookahead: float, goal: Columns,
    number: Array, row: Array, region: Region | None = None, moves: bool = False, crowd: Crowd | None = None,
) -> list[Call]:  # fmt: skip
    """The calls that ask a map for the places ahead.

    Args:
        by: The map.
        scene: The vehicles, in as many dimensions as the map.
        guide: The answers.
        active: Flags of the vehicles that ask.
        go, lookahead: Their speeds, and how far ahead they look [s].
        goal, number, row: The goals, how many there are, and the row of the goal of each vehicle (see `RouteQuery`).
        region, moves, crowd: See `RouteOrder`.
    """
    vehicles, columns, calls = scene.vehicles, scene.columns, list[Call]()
    reach = np.zeros(scene.capacity, vehicles.dtype)
    look = Call(look_ahead, (columns, active, go, scene.number(lookahead), reach))
    if moves or by.whole or crowd is not None:
        active, call = scene.pass_on(active)
        calls = [call]
    query = RouteQuery(active, columns.position, reach, columns.radius, goal, number, row, scene.wrap)
    return [*calls, look, *by.guide_calls(RouteOrder(query, guide, region, moves, lambda: len(vehicles), crowd))]


def new_guide(scene: Scene) -> Guide:
    """Room for the places ahead of the vehicles of a scene."""
    d, dtype = scene.dimensions, scene.vehicles.dtype
    return Guide(tuple(np.zeros((d, scene.capacity), dtype)), *np.zeros((4, scene.capacity), dtype))


@registered
class GoTo(Arriving):
    """Go to a goal along the shortest way around everything that is in the way.

        floor = sm.RouteGrid(walls, region=sm.Box([40, 30]), clearance=0.4)
        world.add(people, steering=sm.Priority([sm.AvoidObstacles(walls), sm.AvoidNeighbors(), sm.GoTo(exits, by=floor)]))

    Without a map (`by`) it goes straight ahead, against walls, too, and around those alone that an AvoidObstacles in the
    same tree can steer around.

    It claims a vehicle as long as it has a goal. Where no route leads to the goal the vehicle stands still. With a speed of
    "offset" it is slow near the end of the route.

    Args:
        goal: Where to go: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, a population, a region
            (anywhere in it where the body is inside, too), or a function that returns points.
        which: The member of a population to go to: "nearest" (by the way, if there is a map), "first", an id, ids or a
            mask.
        by: The map that knows the ways: a RouteGrid, a NavMesh, or a WalkMesh for vehicles in 3D. One of 2 dimensions guides
            vehicles on a surface in 3D along x and y. Default: none, straight ahead.
        lookahead: How far to look ahead along the way on a RouteGrid [s], as time at the wanted speed. Raising it cuts
            corners sooner, as far as the way is clear. On a mesh the next corner is sought, however far it is.
        bends: With a map: "brake" slows down before the route turns, as early as the body's brakes ask for; "ignore" goes
            at full speed.
        congestion: With a map: how much longer a meter of way is where the ground is covered by bodies of the own
            population, and in proportion where it is in part. Raising it spreads a crowd over several ways, some of them
            longer. Those that are steered are counted every half second.

    Raises:
        ValueError: Both a slowing distance and a deceleration time are given.
    """

    goal: Any = parameter(kind=GOAL, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="goal")
    by: Any = parameter(None, kind=ROUTE_MAP, optional=True)
    lookahead: float = parameter(LOOKAHEAD, above=0.0, unit="s")
    bends: str = parameter("brake", kind=TEXT, choices=("brake", "ignore"))
    congestion: float = parameter(0.0, low=0.0)

    def validate(self) -> None:
        """Check that there is a map on which ways can be longer."""
        super().validate()
        if self.congestion > 0 and self.by is None:
            raise ValueError(f"congestion must be 0 without a map to go by, got {brief(self.congestion)}")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With congestion: where each vehicle was counted last [m], NaN for nowhere."""
        if not self.congestion > 0:
            return {}
        return {"counted": np.full((len(vehicles), self.by.dimensions), np.nan, vehicles.dtype)}

    def leads(self) -> bool:
        """With a map, if it slows down for bends."""
        return self.by is not None and self.bends == "brake"

    def comes_to_rest(self) -> bool:
        """It asks vehicles that see the goal to come to rest there, if it is to stop there."""
        return self.approach == "arrive" and self.thrust != "full"

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The calls of the goal and of the map, and one that follows."""
        if isinstance(self.goal, Region) and self.by is None:
            check_fit("goal", self.goal, scene.vehicles.dimensions)
        whole = scene
        calls: list[Call] = []
        if self.by is not None:
            scene, out, calls = as_drawn("by", self.by.dimensions, scene, out)
        d, end, guide = scene.dimensions, self.end(scene), new_guide(scene)
        scene.show(way=guide.way)
        if self.by is None:
            row, more = self._straight(scene, guide, out)
        else:
            row, more = self._by_map(whole, scene, guide, end, memory, out)
        slow = scene.number(self.leads())
        lead = lead_sides(whole.led)[1] if self.leads() else NO_LEAD
        arguments = (scene.columns, row, guide, end, slow, cornering(scene), *lead)
        if not self.comes_to_rest() or whole.resting is None or d != whole.dimensions:
            return [*calls, *more, Call(go_to, (*arguments, scene.clock, out))]
        following = resting_sides(whole.resting)[1]
        return [*calls, *more, Call(go_among_others, (*arguments, scene.wrap, following, scene.clock, out))]

    def _straight(self, scene: Scene, guide: Guide, out: Out) -> tuple[Array, list[Call]]:
        """The rows of the goals, and the calls that find the straight ways there."""
        position, n, d, dtype = scene.columns.position, scene.capacity, scene.dimensions, scene.vehicles.dtype
        if not isinstance(self.goal, Region):
            mark, calls = scene.mark(self.goal, self.which, "goal")
            arguments = (position, out.active, mark, scene.wrap, guide.way, guide.remaining)
            return mark.pick, [*calls, Call(straight_to_point, arguments)]
        foot, image = new_foot(n, d, dtype), tuple(np.zeros((d, n), dtype))
        middle = tuple(np.array(self.goal.middle, dtype)[:, None])
        beside = Call(image_beside, (position, out.active, middle, scene.wrap, image))
        feet = self.goal.some_foot_calls(image, foot, out.active)
        deep = scene.number(self.goal.depth / 2)
        go_in = Call(straight_to_region, (scene.columns.radius, deep, out.active, foot, guide.way, guide.remaining))
        return np.zeros(n, np.int64), [beside, *feet, go_in]

    def _by_map(
        self, whole: Scene, scene: Scene, guide: Guide, end: ArrivingNumbers, memory: Memory, out: Out
    ) -> tuple[Array, list[Call]]:
        """The rows of the goals, and the calls that ask the map. `whole` has all dimensions, and `scene` those of the map."""
        vehicles, d = scene.vehicles, scene.dimensions
        dtype, number = vehicles.dtype, np.ones(1, np.int64)
        region = self.goal if isinstance(self.goal, Region) else None
        moves = region is None and not isinstance(self.goal, np.ndarray)
        calls: list[Call] = []
        if region is not None:
            check_fit("goal", region, self.by.dimensions)
            goal, row = tuple(np.zeros((d, 1), dtype)), np.zeros(scene.capacity, np.int64)
        elif isinstance(self.goal, Vehicles) and anybody(self.which) and self.goal is not vehicles:
            if self.goal.dimensions != vehicles.dimensions:
                raise ValueError(
                    f"goal must have {vehicles.dimensions} dimensions like the vehicles, got {self.goal.dimensions}"
                )
            goal, row, number = self.goal.columns.position[:d], np.full(scene.capacity, ANY), self.goal.count
        else:
            mark, calls = whole.mark(self.goal, self.which, "goal")
            goal, row = mark.position[:d], mark.pick
            number = self._number_of_goals(vehicles)
        ask = route_calls(
            self.by, scene, guide, out.active, end.go, self.lookahead, goal, number, row, region, moves,
            self._crowd(scene, memory),
        )  # fmt: skip
        return row, [*calls, *ask]

    def _crowd(self, scene: Scene, memory: Memory) -> Crowd | None:
        """The crowd that makes ways longer."""
        if not memory:
            return None
        clock, every = scene.clock, EVERY
        before, counted = memory.now("counted"), memory.next("counted")

        def due() -> bool:
            return bool(clock.step[0] % max(round(every / float(clock.dt[0])), 1) == 0)

        columns = scene.columns
        return Crowd(float(self.congestion), columns.position, columns.radius, before, counted, due)

    def _number_of_goals(self, vehicles: Vehicles) -> Array:
        """How many goals there are, shape (1,): those of a population, a function or a belief change with the vehicles."""
        if isinstance(self.goal, Vehicles):
            return self.goal.count
        own = callable(self.goal) or isinstance(self.goal, Knowledge)
        return vehicles.count if own else np.array([np.atleast_2d(self.goal).shape[0]])

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The goal, and where there is a map the place ahead, and a ring around the one vehicle that it goes to."""
        if self.by is None:
            yield from context.goal(context.position + context.shown["way"])
            return
        plan = context.on_plan(self.by.dimensions)
        ahead = plan.position + plan.shown["way"]
        if isinstance(self.goal, Region):
            there = self.goal.inside(ahead).all()
        else:
            goal = context.watched(self.goal, self.which)
            there = np.allclose(ahead, goal.position[:, : ahead.shape[1]])
            if not (isinstance(self.goal, Vehicles) and anybody(self.which)):
                yield from context.rings(goal)
        yield from plan.goal(ahead, "" if there else "ahead on its way")

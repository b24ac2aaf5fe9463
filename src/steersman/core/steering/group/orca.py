"""ORCA: vehicles avoid each other without collisions, each doing half of the avoiding.

The relative velocity w of two vehicles decides whether they collide in the next `time_horizon` seconds: the velocities
that lead to a collision form a truncated cone, the velocity obstacle (`velocity_obstacle.py`). With u the shortest way
out of it and n its direction, both keep to their half:

    n . v >= n . velocity + u / 2

The vehicle takes the velocity nearest to the wanted one that satisfies all of these planes (`half_spaces.py`), and

    force = mass * (v - velocity) / response_time

Halves would leave four vehicles that meet in exact symmetry standing for ever; so one of two does a little more, the
other as much less. Where all stand there is no avoiding to be shared: in a ring of many, or before a door, all may bar
each other's way for ever. So a vehicle that is held up steps back from the vehicles in its way that come before it in
the present turn, which leaves them room:

    n . v >= n . velocity + u / 2 + uneven * rank * max_speed,   0 <= rank <= 1

Turns are made from the ids, and change every five seconds (`giving_way.py`). It steps back from all of these where that
violates no plane of the first kind more than the velocity without it; else from those alone whose way crosses its own:
the wanted directions bring the two nearer to each other. To step into others for those ahead that want the same way
gives them no room, and holds up those behind, until the whole crowd walks backward. What another vehicle wants is what
it wanted one step before; of other populations it is not known.

Round obstacles are avoided likewise, but do not share the work. Of every other set of obstacles, all parts that can be
reached within the obstacle horizon count: see `environment/obstacles/barring.py`. Van den Berg, Guy, Lin and Manocha
2011, "Reciprocal n-body collision avoidance", sections 4 and 5. The promise holds for vehicles that reach v at once, with
`response_time="step"` and force enough; slower ones need a `margin`, and have one by default.

A body with a turning circle (Wheeled; `turning_room.py`) cannot step aside. Where its way is barred, the velocities
that it can have soon are those within some angle of its heading, as large as it can turn in half a second; another
velocity would be a turn that it finishes too late. And of two that go one behind the other, the one behind does all of
the avoiding, as on a road: the one ahead could not give way but forward. A body that wants to go back drives on and
turns around: it does so where it has room to stop and to turn, ahead and to both sides, and else stands. This bound
comes before those of neighbors, and after those of obstacles. Alonso-Mora et al. 2013, "Optimal reciprocal collision
avoidance for multiple non-holonomic robots", restrict the velocities likewise. Bodies of length are taken for the two
discs along them that meet first, or come nearest (see `neighborhood/bodies.py`).
"""

from typing import Any, ClassVar

import numpy as np

from steersman.core.environment.obstacles.answers import BARS, Bars
from steersman.core.environment.obstacles.obstacle import OBSTACLES, as_obstacles, check_dimensions
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.environment.obstacles.spheres import SphereColumns, Spheres
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import up_at
from steersman.core.maths.ground import level
from steersman.core.maths.shapes import Arrow, Circle, Line
from steersman.core.maths.vectors import TWO, ZERO, add_scaled, dot, load, truncate
from steersman.core.neighborhood.coincident import tie_of
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import applied
from steersman.core.steering.behavior import STEERING, Behavior
from steersman.core.steering.driving.neighbor_watching import Watchful
from steersman.core.steering.driving.pace import PACE, pace_calls
from steersman.core.steering.driving.resting import MOVES, state_in
from steersman.core.steering.group.crowd import Crowd
from steersman.core.steering.group.giving_way import (
    NEVER,
    WayMemory,
    give_way,
    is_held_up,
    note_way,
    smaller_share,
    way_sides,
)
from steersman.core.steering.group.half_spaces import is_barred, nearest_velocity, worst_lack
from steersman.core.steering.group.turning_room import keep_ahead, left_of, let_turn, may_turn_round
from steersman.core.steering.group.velocity_obstacle import AWAY, ROCKS, add_others, add_rocks, add_walls, wall_calls
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.setting import Setting
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.scene.sums import hand_up_turning
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import RAW, Out, deposit, match, response
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

CORNERS = 72
"""Corners of the circle of all velocities in a sketch."""


@row_kernel
def orca(
    i: int, crowd: Crowd, rocks: SphereColumns, bars: Bars, setting: Setting, numbers: Any, desired: Out, planes: Array,
    spare: Array, out: Out,
) -> None:  # fmt: skip
    """Take the velocity nearest to the desired one that keeps clear of all others.

    The planes of obstacles come first, then the two of a body with a turning circle, then those of neighbors: where no
    velocity satisfies all of them, those of obstacles and of the turning circle are kept.
    """
    vehicles, ground, clock, own = crowd.vehicles, setting.ground, setting.clock, planes[i]
    velocity, mass, speed = load(vehicles.velocity, i), vehicles.mass[i], vehicles.max_speed[i]
    tau = response(vehicles.response_time[i], clock.dt[0])
    count = add_rocks(own, i, vehicles, rocks, numbers.obstacle_horizon, tau, setting)
    count = add_walls(own, count, i, bars, numbers.obstacle_horizon, ground)
    wheels = count
    if numbers.tightest > ZERO:
        count = let_turn(own, count, velocity)
    hard = count
    count = add_others(own, count, i, crowd, numbers, tau, setting)
    target = level(add_scaled(velocity, load(desired.linear, i), tau / mass), ground, i)
    note_way(crowd.ways, i, target, speed, clock)
    slack = numbers.slack * speed
    barred = is_barred(own, count, truncate(target, speed), slack)
    if numbers.tightest > ZERO and dot(target, load(vehicles.forward, i)) < ZERO:
        barred |= not may_turn_round(own, count, i, vehicles, numbers, ground, slack)
    if barred:
        if numbers.tightest > ZERO:
            keep_ahead(own, wheels, i, vehicles, numbers.tightest, ground)
        else:
            target = add_scaled(target, left_of(target, up_at(vehicles.up, i)), numbers.bias)
    v = nearest_velocity(own, hard, count, speed, target, spare[i], slack)
    if state_in(crowd.rests, i) == MOVES and is_held_up(v, velocity, target, speed):
        retreat = TWO * numbers.uneven * speed
        all_cross = give_way(own, hard, i, crowd, target, retreat, clock, True)
        back = nearest_velocity(own, hard, count, speed, target, spare[i], slack)
        if not all_cross:
            add_others(own, hard, i, crowd, numbers, tau, setting)
            if worst_lack(own, count, back) > max(worst_lack(own, count, v), slack):
                give_way(own, hard, i, crowd, target, retreat, clock, False)
                back = nearest_velocity(own, hard, count, speed, target, spare[i], slack)
        v = back
    deposit(out, i, match(v, velocity, mass, tau, tau), vehicles.max_force[i], desired.acts[i] != 0)


@registered
class ORCA(Watchful):
    """Avoid other vehicles that do the same, without collisions: optimal reciprocal collision avoidance.

    Args:
        time_horizon: How far ahead collisions are ruled out [s]. Raising it evades earlier, and makes crowds timid.
        toward: The behavior that says where to go; its force is turned into the desired velocity. Default: the present
            velocity is the desired one.
        obstacles: The obstacles to keep clear of: a set, or a list of sets. Of a set that is not Spheres, the 8 nearest
            parts count that do not lie behind nearer ones.
        obstacle_horizon: How far ahead collisions with obstacles are ruled out [s]. Raising it turns off obstacles
            earlier.
        margin: Added to the sum of the radii [m]. Raising it keeps more room. Default: min(max_speed * response_time, a
            quarter of the sum).
        share: Part of the avoiding that the vehicle does: 0.5 among vehicles that all avoid, 1 among neighbors
            that do not. Raising it gives way more. Default: 0.5 in the own population; beside others by their
            `yields` (see `Population.yields`).
        bias: How far the wanted velocity is turned to the left where it cannot be had [rad], which breaks ties. Raising
            it swerves more.
        uneven: How unevenly two share the avoiding, as part of the smaller share; which of them does more is decided by
            their ids, and together they do as much. A vehicle that is held up steps back from some of the others, at up
            to this part of max_speed. With 0, four vehicles that meet in exact symmetry stop for ever; raising
            it frees them sooner.
        speed: How the wanted speed falls with the density ahead, which the k neighbors show: "weidmann", as people walk; or a
            function of densities [1/m^2] that returns parts of it, 0 to 1. Default: it does not.
        of: The populations that are avoided: another Vehicles, a list of several, or "all" that are in the world. Default:
            the own population.
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(("van den Berg", "Guy", "Lin", "Manocha"), 2011, "Reciprocal n-body collision avoidance"),
    )

    time_horizon: float = parameter(4.0, above=0.0, unit="s", positional=True)
    toward: Any = parameter(None, kind=STEERING, optional=True)
    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True)
    obstacle_horizon: float = parameter(1.0, above=0.0, unit="s")
    margin: float | None = parameter(None, low=0.0, unit="m", optional=True)
    share: float | None = parameter(None, low=0.0, high=1.0, optional=True)
    bias: float = parameter(0.05, low=0.0, high=1.0, unit="rad")
    uneven: float = parameter(0.2, low=0.0, high=1.0)
    speed: Any = parameter(None, kind=PACE, choices=("weidmann",), optional=True)

    def parts(self) -> tuple[Behavior, ...]:
        """The behavior that says where to go."""
        return () if self.toward is None else (self.toward,)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """Nothing wanted yet."""
        n = len(vehicles)
        return {"way": np.zeros((n, vehicles.dimensions), vehicles.dtype), "asked": np.full(n, NEVER, np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The desired force first, then the velocity that avoids the others."""
        n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
        rocks, walls = self._obstacles(d, dtype)
        desired = scene.scratch(out.active, 1.0, RAW)
        rests, calls = self._resting(scene, out.active)
        calls.append(scene.clear_call(desired))
        if self.toward is not None:
            calls += scene.part(0, desired)
        listing = scene.neighbors(self.needs()[0])
        calls += pace_calls(scene, self.speed, self.of, listing, desired)
        wheels = 2 if scene.tightest > 0 else 0
        room = listing.row.shape[1] + (ROCKS if rocks.radius.size else 0) + BARS * len(walls) + wheels
        planes, spare = np.zeros((2, n, room, d + 1), dtype)
        scene.show(planes=planes)
        vehicles, others, shares, segment, bodies = scene.encounter(self.of)
        ways = (WayMemory(*way_sides(memory), segment),) if segment or others is vehicles else ()
        share, shares = (0.5, shares) if self.share is None else (self.share, ())
        numbers = scene.own(
            "time_horizon",
            "obstacle_horizon",
            "margin",
            "bias",
            share=share,
            slack=1e-5 if dtype == np.float32 else 1e-12,
            uneven=self.uneven * (1.0 if shares else applied(smaller_share, share)),
            tie=tie_of(scene.vehicles, self.of),
            tightest=scene.tightest,
            brakes=scene.stopping,
        )
        bars, look = wall_calls(scene, walls, out.active, numbers.obstacle_horizon)
        crowd = Crowd(vehicles, others, listing, shares, bodies, rests, ways)
        setting = Setting(scene.wrap, scene.ground, scene.clock)
        arguments = (crowd, rocks, bars, setting, numbers, desired, planes, spare, out)
        turning = (desired.angular, out.active, desired.acts, scene.limits.turning, out)
        return [*calls, *look, Call(orca, arguments), *([Call(hand_up_turning, turning)] if scene.turns else [])]

    def _obstacles(self, dimensions: int, dtype: Any) -> tuple[SphereColumns, list[ObstacleSet]]:
        """All rocks, and the other sets."""
        none = Spheres(np.zeros((0, dimensions))).columns(dtype)
        if self.obstacles is None:
            return none, []
        check_dimensions(self.obstacles, dimensions)
        rocks = [each for each in self.obstacles.sets if each.is_round]
        walls = [each for each in self.obstacles.sets if not each.is_round]
        if not rocks:
            return none, walls
        several = as_obstacles(rocks)
        balls = Spheres(*several.bounding_spheres()).columns(dtype)
        for first, each in several.numbered():
            rows = slice(first, first + len(each))
            each.switches.hold(balls.radius, np.arange(len(each)), -AWAY, rows)
        return balls, walls

    def sketch(self, context: SketchContext) -> Shapes:
        """The velocities that are left, as the places that they lead to in a second; in 2D, in detail, also their bounds."""
        planes = context.shown["planes"]
        normal, bound = planes[..., :-1], planes[..., -1:]
        there = normal.any(axis=2) & (np.abs(bound[..., 0]) < 2 * context.max_speed[:, None])
        flat = context.position.shape[1] == 2
        words = "velocities without a collision"
        yield Circle(
            context.position,
            context.max_speed,
            role="guide" if flat else "range",
            label="" if flat else words,
            means="top speed" if flat else words,
            detail=flat,
        )
        axis = context.axes_of_bodies()
        if axis.any():
            yield from context.bodies(context.position, axis, context.radius)
        for row in range(len(there) if flat else 0):
            left, binds = velocities_left(normal[row], bound[row, :, 0], there[row], context.max_speed[row])
            there[row] = binds
            if len(left):
                yield Line(context.position[row] + left, closed=True, role="range", label=words, detail=True)
        edge = (context.position[:, None] + normal * bound)[there]
        inward = normal[there]
        size = np.broadcast_to(context.max_speed[:, None], there.shape)[there][:, None]
        words = "beyond this line it would collide"
        if flat:
            half = np.sqrt(np.maximum(size**2 - bound[there] ** 2, 0.0))
            along = np.stack([inward[:, 1], -inward[:, 0]], axis=1) * half
            yield Line(np.stack([edge - along, edge + along], axis=1), role="danger", label=words, detail=True)
        else:
            yield Arrow(edge, edge + 0.2 * size * inward, role="danger", label=words)


def velocities_left(normal: Array, bound: Array, counts: Array, max_speed: float) -> tuple[Array, Array]:
    """The velocities v up to max_speed with normal . v >= bound, and which half-planes bound them.

    Args:
        normal: Unit vectors, shape (k, 2).
        bound: Bounds [m/s], shape (k,).
        counts: The half-planes that count, shape (k,).
        max_speed: The largest speed [m/s].

    Returns:
        Corners of a polygon [m/s], shape (m, 2), and a mask of shape (k,); where no velocity is left, no corners, and the
        first half-planes that have none in common.
    """
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    left = max_speed * np.column_stack([np.cos(angle), np.sin(angle)])
    for k in np.flatnonzero(counts):
        over = left @ normal[k] - bound[k]
        ahead, after = np.roll(left, -1, axis=0), np.roll(over, -1)
        crosses = (over < 0) != (after < 0)
        part = np.divide(over, over - after, where=crosses, out=np.zeros_like(over))
        cut = left + part[:, None] * (ahead - left)
        left = np.stack([left, cut], axis=1)[np.stack([over >= 0, crosses], axis=1)]
        if not len(left):
            return left, counts & (np.arange(len(counts)) <= k)
    touched = np.abs(left @ normal.T - bound) <= 1e-9 * max_speed
    return left, counts & (touched.sum(axis=0) >= 2)

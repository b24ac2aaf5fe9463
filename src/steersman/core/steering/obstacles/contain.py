"""Contain: stay within a region.

law="turn", this library's own: the nearest velocity with which the vehicle stays inside.

    predicted = position + T * velocity
    desired   = velocity + (inside(predicted) - predicted) / T
    T         = max(min(lookahead, depth / speed), 4 tau, speed / (BRAKES a)),   a = max_force / m

`inside` is the nearest point that is at least `margin` and some room inside the boundary. So the velocity toward each
wall is limited by the rest of the way there (a half-space of velocities; in a corner an intersection of them), and
motion along the wall is free. In a corner of less than 90 degrees `inside` is the nearest point with room to both walls,
unless these leave a passage: steps away from one wall and the other in turn would end too near to its tip. A car goes by
such steps: a force along the bisector does not turn it away from a wall. T is at least the time to stop.

The correction grows from zero. While it lasts, the velocity along the wall gains as much as the velocity toward it loses,
so that the vehicle turns and keeps its speed. It turns to the side that it heads for, head-on to the side of the middle
of the region, and to the other side where a second wall is in the way; the side is remembered. The turn goes on until the
vehicle comes away from the wall at up to 30 degrees (INWARD): without that it would follow the wall, or circle along a
round one.

Within the room the vehicle is pushed back as by a critically damped spring. The room is 3 a tau^2, so that a vehicle
that other forces push outwards with max_force comes to rest inside. The force is as small as possible, and the rest of
max_force is for other parts: this law shares (see Priority). In a WeightedSum, where the parts do not make room for
each other, it holds a vehicle only against a smaller force.

A body with a turning circle (`Locomotion.tightest`) looks ahead by at least its radius. One that does not follow every force,
as cars, walkers and bodies with limits, hears how far it may go on until it is out (`Scene.free_way`): a force against
its way would make a car drive on and turn around, and does not turn a walker before it has finished its clip. In a corner,
where a car can go neither on nor back, it may stand for long.

Other parts may press a car against the boundary for good, as Evade does before a hunter in the middle. The rest of
the push back leads along the boundary, beside a car that faces it: the car backs away, turns and comes again, for ever. So
the push fades as the car backs, inside the boundary, and so does the gain along the boundary where the car is slow:

    backed = way backed - way ahead / 8, in units of two of its tightest circles' radii, between 0 and 1
    push  *= 1 - backed                  gain *= 1 - backed (1 - speed / max_speed)

A car that has backed by two radii rests where it stops, if the other parts lead rather ahead than aside. One that gets on, as
a wanderer does, is pushed back and turned as before.

Reynolds 1999, "Containment", his two ways, of which each has the vehicle to itself while the predicted position is outside:

    predicted = position + lookahead * velocity
    law="inside": seek the point of the boundary nearest to the predicted position, brought inside by `depth`
    law="normal": force = max_force * unit(inward normal without its part along forward)

The normal is that of the boundary where the predicted way crosses it. Nearly head-on its lateral part vanishes, in a corner
it leads to the next wall, and outside it leads nowhere: there the inside point is sought under either law. (A way that
leaves a dented region and ends inside again counts as well: the point is sought that lies as much inside of the edge that is
crossed.) In a sharp corner the inside point may lie beyond the other wall; then the vehicle goes back where it comes from
(`laws.way_back`).
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.regions.kind import REGION
from steersman.core.environment.shape import SurfaceProjection, new_foot
from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Cross, Shape, segment
from steersman.core.maths.vectors import (
    HALF,
    ONE,
    ZERO,
    add,
    add_scaled,
    dot,
    lateral,
    length,
    load,
    scale,
    store,
    subtract,
    with_length,
)
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import applied, columns_in, largest, plain
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive
from steersman.core.steering.driving.staying_inside import (
    Corners,
    Inside,
    Turned,
    TurnNumbers,
    Turns,
    begin_corners,
    begin_inside,
    begin_turn,
    bring_inside,
    bring_inside_from_walls,
    bring_out_of_corner,
    limit_way,
    look_in_time,
    new_corners,
    place_and_velocity,
    turn,
)
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

LAWS = ("turn", "inside", "normal")
CORNERS = ("retreat", "seek")

WIDEST = 0.99
"""The largest margin that a column can give [depths of the region]."""

NEARLY = np.float32(0.2)
"""Sine of the angle to the normal below which a vehicle counts as nearly head-on (11.5 degrees)."""

CORNER = np.float32(0.1)
"""Where the normals at the crossing and nearest to the predicted position differ by 26 degrees there is a corner."""


@kernel
def may_turn_aside(now: SurfaceProjection, then: SurfaceProjection, leaving: SurfaceProjection, i: int) -> Any:
    """Whether a vehicle is inside, and about to leave through one side only: not through a corner."""
    return now.distance[i] <= ZERO and dot(load(then.normal, i), load(leaving.normal, i)) > ONE - CORNER


class ContainNumbers(NamedTuple):
    """When and how far to turn back.

    Attributes:
        lookahead: [s].
        margin: How far inside the boundary to stay [m].
        depth: How far inside that the point lies that is sought [m]; negative: as far as is looked ahead.
        deepest: The greatest depth in the region [m].
    """

    lookahead: Any
    margin: Any
    depth: Any
    deepest: Any


class Sought(NamedTuple):
    """The points that vehicles seek when they are about to leave.

    Attributes:
        beyond: How far the predicted position is beyond the boundary and the margin [m], shape (n,); zero: it is not.
        normal: Outward unit vectors of the boundary there.
        depth: How far inside the point lies [m], shape (n,).
        point: The point inside [m]; for vehicles that do not leave, where they will be.
    """

    beyond: Array
    normal: Columns
    depth: Array
    point: Columns


@row_kernel
def look_from_region(
    i: int, vehicles: VehicleColumns, middle: Array, wrap: Array, lookahead: Any, here: Columns,
    predicted: Columns,
) -> None:  # fmt: skip
    """Where vehicles are and will be, on a torus as seen from the region's middle. `lookahead` [s]."""
    place = place_and_velocity(middle, vehicles, wrap, i)
    store(here, i, place)
    store(predicted, i, add_scaled(place, load(vehicles.velocity, i), lookahead))


@row_kernel
def look_inside(
    i: int, vehicles: VehicleColumns, active: Array, then: SurfaceProjection,
    leaving: SurfaceProjection, numbers: ContainNumbers, predicted: Columns, sought: Sought,
) -> None:  # fmt: skip
    """Find the vehicles that are about to leave, and the points inside that they are to seek."""
    beyond, normal = then.distance[i] + numbers.margin, load(then.normal, i)
    if beyond <= ZERO:
        beyond, normal = leaving.distance[i], load(leaving.normal, i)
    depth = numbers.depth
    if depth < ZERO:
        depth = min(numbers.lookahead * length(load(vehicles.velocity, i)), numbers.deepest)
    sought.beyond[i], sought.depth[i] = max(beyond, ZERO), depth
    store(sought.normal, i, normal)
    back = beyond + depth if beyond > ZERO else ZERO * beyond
    store(sought.point, i, add_scaled(load(predicted, i), normal, -back))


@kernel
def way_back(velocity: Vector, now: SurfaceProjection, i: int, numbers: ContainNumbers) -> Vector:
    """Where it is too narrow to turn: back where the vehicle comes from, and off the boundary that is near [m]."""
    ahead = numbers.lookahead * length(velocity)
    near = max(ahead + now.distance[i] + numbers.margin, ZERO * ahead)
    return add_scaled(scale(velocity, -numbers.lookahead), load(now.normal, i), -near)


@row_kernel
def contain(
    i: int, vehicles: VehicleColumns, here: Columns, now: SurfaceProjection, then: SurfaceProjection,
    leaving: SurfaceProjection, sought: Sought, target_foot: SurfaceProjection, numbers: ContainNumbers,
    sideways: bool, retreats: bool, go: DriveNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Correct the vehicles that are about to leave. `target_foot`: where the points sought lie in relation to the region."""
    if not out.active[i] or not sought.beyond[i] > ZERO:
        return
    place, max_force = load(here, i), vehicles.max_force[i]
    way = subtract(load(sought.point, i), place)
    if retreats and now.distance[i] <= ZERO and target_foot.distance[i] + numbers.margin > -HALF * sought.depth[i]:
        way = way_back(load(vehicles.velocity, i), now, i, numbers)
        store(sought.point, i, add(place, way))
    elif sideways and may_turn_aside(now, then, leaving, i):
        side = lateral(scale(load(leaving.normal, i), -ONE), load(vehicles.forward, i))
        if dot(side, side) > NEARLY * NEARLY:
            deposit(out, i, with_length(side, max_force), max_force, True)
            return
    deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), max_force, True)


@registered
class Contain(Driven):
    """Turn back when about to leave a region; come back when outside.

    It steers a vehicle only while it corrects it, and with law="turn" leaves the rest of max_force to other parts. On a
    torus the region lies where it is, once: a vehicle counts where its image nearest to the region's middle is.

    Args:
        region: Where to stay: in a Sphere, Box, Polygon or closed obstacles. One of 2 dimensions holds vehicles on a surface
            in 3D by x and y.
        law: "turn" (as little as will do, early enough, along the boundary and away from it), or one of Reynolds' two ways:
            "inside" (seek a point inside) or "normal" (steer along the boundary's normal, sideways only).
        lookahead: How far to look ahead [s], as time at the present velocity. Raising it turns earlier, and more softly.
            "turn" looks farther where stopping takes longer.
        margin: How far inside the boundary to stay [m]. Raising it leaves more room, for thick vehicles say.
        depth: Of "inside" and "normal": how far inside the boundary (and the margin) the point lies that is sought [m];
            raising it turns more sharply. Default: as far as is looked ahead, but at most to the depth of the region.
        corners: Of "inside" and "normal": where the point sought would lie less than half as deep as asked for, as in a sharp
            corner, there is no room to turn: "retreat" goes back where the vehicle comes from, and off the boundary beside
            it; "seek" seeks the point all the same, as the paper has it, and leaves through the other side.
        speed: How fast to seek the point inside [m/s]: a number, "max", "current" or "offset". "turn" keeps the present
            speed, and comes back from outside with this one. Raising it comes back faster.
        thrust: Of "inside" and "normal": how hard to push (see Seek).

    Raises:
        ValueError: The margin leaves nothing of the region.
    """

    region: Any = parameter(kind=REGION, positional=True)
    law: str = parameter("turn", kind=TEXT, choices=LAWS)
    lookahead: float = parameter(1.0, low=0.0, unit="s")
    margin: float = parameter(0.0, low=0.0, unit="m")
    depth: float | None = parameter(None, low=0.0, unit="m", optional=True)

    corners: str = parameter("retreat", kind=TEXT, choices=CORNERS)

    def validate(self) -> None:
        """Check that there is room within the margin."""
        depth = self.region.depth
        if not columns_in(self.margin) and largest(self.margin) >= depth:
            raise ValueError(f"margin must be < {depth:g} m, the depth of the region, got {largest(self.margin):g}")

    def shares(self) -> bool:
        """With law="turn"."""
        return self.law == "turn"

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With law="turn": the wall that a vehicle turns away from, the side to which it turns, how far it has backed."""
        if self.law != "turn":
            return {}
        wall, side = np.zeros((2, len(vehicles), self.region.dimensions), vehicles.dtype)
        return Turned(wall, side, np.zeros(len(vehicles), vehicles.dtype))._asdict()

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """Predict, ask the region, correct."""
        scene, out, calls = as_drawn("region", self.region.dimensions, scene, out)
        if self.law == "turn":
            return [*calls, *self._turn(scene, memory, out)]
        return [*calls, *self._seek(scene, out)]

    @property
    def _margin(self) -> Any:
        """The margin; of a column, as far as it leaves something of the region."""
        if not columns_in(self.margin):
            return plain(self.margin)
        return applied(partial(min, WIDEST * self.region.depth), self.margin)

    def _turn(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        region, d, n, dtype = self.region, scene.dimensions, scene.capacity, scene.vehicles.dtype
        now, then, leaving = (new_foot(n, d, dtype) for _ in range(3))
        here, near, predicted, goal = (new_columns(scene) for _ in range(4))
        time, keep, back, inward = np.zeros(n, dtype), np.zeros(n, dtype), np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        inside = Inside(here, near, predicted, goal, time, keep, back, inward, np.zeros(n, np.uint8))
        margin = self._margin
        deepest = region.depth - margin
        circle = scene.tightest
        numbers = scene.numbers(
            TurnNumbers, lookahead=self.lookahead, margin=margin, deepest=deepest, tightest=circle,
            creeps=float(not scene.steps_aside and circle == 0),
        )  # fmt: skip
        middle, some, dt = np.array([region.middle], dtype), flags_of(back), scene.clock.dt
        look = Call(look_in_time, (scene.columns, middle, scene.wrap, numbers, dt, inside))
        further = [*region.foot_calls(here, now), *region.foot_calls(predicted, then)]
        if not region.is_convex:
            further += region.leaving_calls(here, predicted, then, leaving)
        if scene.needs_free_way:
            met = leaving
            if region.is_convex and region.is_sharp:  # A way meets another wall than the one nearest to its end.
                met = new_foot(n, d, dtype)
                further += region.leaving_calls(here, predicted, then, met)
            bounds = (out.active, now, then, met, numbers, inside, scene.free_way)
            further.append(Call(limit_way, (scene.columns, *bounds)))
        steps = not region.is_sharp or circle > 0
        corners = () if steps else tuple(new_corners(n, d, dtype) for _ in range(2))
        further.append(Call(begin_inside, (out.active, now, then, leaving, numbers.margin, inside, some)))
        if corners:
            further += gated(some, [Call(begin_corners, (now, then, leaving, inside, *corners))])
        for part in [1.0] * (d - 1) + [0.5]:  # Half in the end: where the region is too narrow, this is the middle.
            for k, (points, foot, which) in enumerate(((near, now, inward), (goal, then, back))):
                further += gated(some, region.some_foot_calls(points, foot, which))
                near_walls = (foot, keep, scene.number(part), which, points)
                moved = self._bring_out(corners[k], *near_walls) if corners else [Call(bring_inside, near_walls)]
                further += gated(some, moved)
        scene.show(predicted=predicted, goal=goal)
        turned = [Turned(*map(look, Turned._fields)) for look in (memory.now, memory.next)]
        ways, any_turns = (new_columns(scene), new_columns(scene)), flags_of(back)
        turns = Turns(new_columns(scene), np.zeros(n, np.uint8), new_columns(scene), ways)
        ground = scene.ground if d == scene.vehicles.dimensions else ()
        begin = (
            scene.columns, out.active, middle, numbers, inside, *turned, scene.clock, ground, turns, any_turns,
        )  # fmt: skip
        end = (scene.columns, numbers, inside, turns, now, then, self.go(dtype), turned[1], scene.clock, out)
        sides = [
            call
            for points, foot in zip(ways, (now, then), strict=True)
            for call in region.some_foot_calls(points, foot, turns.turns)
        ]
        return [look, *further, Call(begin_turn, begin), *gated(any_turns, [*sides, Call(turn, end)])]

    def _bring_out(self, corners: Corners, foot: SurfaceProjection, keep: Array, *others: Any) -> list[Call]:
        """The calls that move points away from the boundary, and from both walls of a corner; as `bring_inside`."""
        flags, points = flags_of(corners.looks), others[-1]
        tips = self.region.some_foot_calls(corners.tip, corners.foot, corners.looks)
        out = Call(bring_out_of_corner, (foot, keep, points, corners))
        return [Call(bring_inside_from_walls, (foot, keep, *others, corners, flags)), *gated(flags, [*tips, out])]

    def _seek(self, scene: Scene, out: Out) -> list[Call]:
        n, d, dtype = scene.capacity, scene.dimensions, scene.vehicles.dtype
        here, predicted = new_columns(scene), new_columns(scene)
        now, then, leaving, target_foot = (new_foot(n, d, dtype) for _ in range(4))
        sought = Sought(np.zeros(n, dtype), new_columns(scene), np.zeros(n, dtype), new_columns(scene))
        numbers = scene.numbers(
            ContainNumbers,
            lookahead=self.lookahead,
            margin=self._margin,
            depth=self.depth,
            deepest=self.region.depth - self._margin,
        )
        middle, sideways = np.array([self.region.middle], dtype), self.law == "normal"
        look = Call(look_from_region, (scene.columns, middle, scene.wrap, numbers.lookahead, here, predicted))
        further = self.region.foot_calls(predicted, then)
        retreats = self.corners == "retreat"
        if sideways or retreats:
            further += self.region.foot_calls(here, now)
        if sideways or not self.region.is_convex:
            further += self.region.leaving_calls(here, predicted, then, leaving)
        further.append(Call(look_inside, (scene.columns, out.active, then, leaving, numbers, predicted, sought)))
        if retreats:
            further += self.region.foot_calls(sought.point, target_foot)
        scene.show(**sought._asdict(), predicted=predicted)
        kinds = (sideways, retreats, self.go(dtype), scene.clock, out)
        return [
            look,
            *further,
            Call(contain, (scene.columns, here, now, then, leaving, sought, target_foot, numbers, *kinds)),
        ]

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The predicted place; if it is outside, the nearest place inside, or the boundary and the point that is sought."""
        context = context.on_plan(self.region.dimensions)
        shown = context.shown
        future = context.image(shown["predicted"])
        yield from context.own_future(future)
        if self.law == "turn":
            back = shown["goal"] - shown["predicted"]
            goal = np.where(np.any(back != 0, axis=1)[:, None], future + back, np.nan)
            yield segment(future, goal, means="back inside")
            yield Cross(goal, role="chosen", label="nearest place inside")
            return
        outside = (shown["beyond"] > 0)[:, None]
        edge = np.where(outside, future - shown["beyond"][:, None] * shown["normal"], np.nan)
        yield Cross(edge, role="chosen", label="edge of the region")
        if self.law == "normal":
            yield segment(edge, edge - shown["normal"] * shown["depth"][:, None], means="back inside")
            return
        goal = np.where(outside, future + shown["point"] - shown["predicted"], np.nan)
        yield segment(future, goal, means="back inside")
        yield from context.goal(goal)

"""Contain: stay within a region.

    predicted = position + lookahead * velocity
    inside the region, and the way there too: nothing
    law="inside": seek the point of the boundary nearest to the predicted position, brought inside by `depth`
    law="normal": force = max_force * unit(inward normal without its part along forward)

Reynolds 1999, "Containment", its two ways. The normal is that of the boundary where the predicted way crosses it. Nearly
head-on its lateral part vanishes, in a corner it leads to the next wall, and for somebody who is outside already it leads
nowhere: there the inside point is sought under either law. (A way that leaves a dented region and ends inside again counts
as well: the point is sought that lies as much inside of the edge that is crossed.) In a sharp corner the inside point may
lie beyond the other wall; then the vehicle goes back where it comes from (`laws.way_back`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.regions.kind import REGION
from steersman.environment.regions.sphere import point_of
from steersman.environment.shape import SurfaceProjection, new_foot
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import TEXT
from steersman.geometry.parameters import parameter
from steersman.geometry.shapes import Cross, Shape, segment
from steersman.geometry.vectors import (
    HALF,
    ONE,
    ZERO,
    Array,
    Columns,
    Vector,
    add,
    add_scaled,
    difference,
    dot,
    lateral,
    length,
    load,
    scale,
    store,
    with_length,
)  # fmt: skip
from steersman.steering.forces import Out, deposit
from steersman.steering.going.drive import Driven, DriveNumbers, drive
from steersman.steering.laws.containing import inside_point
from steersman.steering.laws.containing import way_back as way_back_of
from steersman.steering.registry import registered
from steersman.steering.scene import Clock, Scene
from steersman.steering.sensing.looking_ahead import new_columns
from steersman.steering.sensing.on_plan import as_drawn
from steersman.steering.sketched import Sketched
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicle_columns import VehicleColumns

LAWS = ("inside", "normal")
CORNERS = ("retreat", "seek")

NEARLY = np.float32(0.2)
"""Sine of the angle to the normal below which a vehicle counts as nearly head-on (11.5 degrees)."""

CORNER = np.float32(0.1)
"""Where the normals at the crossing and nearest to the predicted position differ by 26 degrees there is a corner."""


@kernel
def look_from_region(
    start: int,
    stop: int,
    vehicles: VehicleColumns,
    middle: Array,
    wrap: Array,
    lookahead: Any,
    here: Columns,
    predicted: Columns,
) -> None:
    """Where vehicles are and will be, on a torus as seen from the region's middle. `lookahead` [s]."""
    for i in range(start, stop):
        place = load(vehicles.position, i)
        center = point_of(middle, 0, place)
        place = add(center, difference(place, center, wrap))
        store(here, i, place)
        store(predicted, i, add_scaled(place, load(vehicles.velocity, i), lookahead))


@kernel
def may_turn_aside(now: SurfaceProjection, then: SurfaceProjection, leaving: SurfaceProjection, i: int) -> Any:
    """Whether somebody is inside, and about to leave through one side only: not through a corner."""
    return now.distance[i] <= ZERO and dot(load(then.normal, i), load(leaving.normal, i)) > ONE - CORNER


class ContainNumbers(NamedTuple):
    """When and how far to turn back.

    Attributes:
        lookahead: [s].
        margin: How far inside the boundary to stay [m].
        depth: How far inside that the point lies that is sought [m]; negative: as far as is looked ahead.
        deepest: The farthest there is [m].
    """

    lookahead: Any
    margin: Any
    depth: Any
    deepest: Any


@kernel
def look_inside(
    start: int, stop: int, vehicles: VehicleColumns, active: Array, then: SurfaceProjection,
    leaving: SurfaceProjection, numbers: ContainNumbers, predicted: Columns,
    sought: Columns,
) -> None:  # fmt: skip
    """The point inside that is to be sought; for those who do not leave, where they will be."""
    for i in range(start, stop):
        if not active[i]:
            continue
        distance, normal = then.distance[i] + numbers.margin, load(then.normal, i)
        if distance <= ZERO:
            distance, normal = leaving.distance[i], load(leaving.normal, i)
        depth = numbers.depth
        if depth < ZERO:
            depth = min(numbers.lookahead * length(load(vehicles.velocity, i)), numbers.deepest)
        back = distance + depth if distance > ZERO else ZERO * distance
        store(sought, i, add_scaled(load(predicted, i), normal, -back))


@kernel
def way_back(velocity: Vector, now: SurfaceProjection, i: int, numbers: ContainNumbers) -> Vector:
    """Where it is too narrow to turn: back where the vehicle comes from, and off the boundary that is near [m]."""
    ahead = numbers.lookahead * length(velocity)
    near = max(ahead + now.distance[i] + numbers.margin, ZERO * ahead)
    return add_scaled(scale(velocity, -numbers.lookahead), load(now.normal, i), -near)


@kernel
def contain(
    start: int, stop: int, vehicles: VehicleColumns, now: SurfaceProjection, then: SurfaceProjection,
    leaving: SurfaceProjection, sought: SurfaceProjection, numbers: ContainNumbers,
    sideways: bool, retreats: bool, go: DriveNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Correct those who are about to leave."""
    for i in range(start, stop):
        if not out.active[i]:
            continue
        distance, normal = then.distance[i] + numbers.margin, load(then.normal, i)
        if distance <= ZERO:
            distance, normal = leaving.distance[i], load(leaving.normal, i)
            if distance <= ZERO:
                continue
        velocity, inward = load(vehicles.velocity, i), scale(normal, -ONE)
        ahead = scale(velocity, numbers.lookahead)
        depth = numbers.depth
        if depth < ZERO:
            depth = min(length(ahead), numbers.deepest)
        if retreats and now.distance[i] <= ZERO and sought.distance[i] + numbers.margin > -HALF * depth:
            way = way_back(velocity, now, i, numbers)
            deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)
            continue
        if sideways and may_turn_aside(now, then, leaving, i):
            side = lateral(scale(load(leaving.normal, i), -ONE), load(vehicles.forward, i))
            if dot(side, side) > NEARLY * NEARLY:
                deposit(out, i, with_length(side, vehicles.max_force[i]), vehicles.max_force[i], True)
                continue
        way = add_scaled(ahead, inward, distance + depth)
        deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
@dataclass(frozen=True, eq=False)
class Contain(Driven):
    """Turn back when about to leave a region; come back when outside.

    It claims a vehicle only while it corrects it. On a torus the region lies where it is, once: a vehicle counts where its
    image nearest to the region's middle is.

    Args:
        region: Where to stay: in a Sphere, Box, Polygon or closed obstacles. One of 2 dimensions holds vehicles on a surface
            in 3D by x and y.
        law: Which of Reynolds' two ways: "inside" (seek a point inside) or "normal" (steer along the boundary's normal,
            sideways only).
        lookahead: How far to look ahead [s], as time at the present velocity. Raising it turns earlier.
        margin: How far inside the boundary to stay [m]. Raising it leaves more room, for thick vehicles say.
        depth: How far inside the boundary (and the margin) the point lies that is sought [m]; raising it turns more
            sharply. Default: as far as is looked ahead, but at most to the depth of the region.
        corners: Where the point sought would lie less than half as deep as asked for, as in a sharp corner, there is no room
            to turn: "retreat" goes back where the vehicle comes from, and off the boundary beside it; "seek" seeks the
            point all the same, as the paper has it, and leaves through the other side.
        speed: How fast to seek the point inside [m/s]: a number, "max", "current" or "offset".

    Raises:
        TypeError: The region is none.
        ValueError: A number is NaN, infinite or out of range, a word is not known, the margin leaves nothing of the
            region, or the region's dimensions are not the vehicles' (when it is planned).
    """

    region: Any = parameter(kind=REGION, positional=True)
    law: str = parameter("inside", kind=TEXT, choices=LAWS)
    lookahead: float = parameter(1.0, low=0.0, unit="s")
    margin: float = parameter(0.0, low=0.0, unit="m")
    depth: float | None = parameter(None, low=0.0, unit="m", optional=True)

    corners: str = parameter("retreat", kind=TEXT, choices=CORNERS)

    def validate(self) -> None:
        """Check that there is room within the margin."""
        depth = self.region.depth
        if self.margin >= depth:
            raise ValueError(f"margin must be < {depth:g} m, the depth of the region, got {self.margin:g}")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """Predict, ask the region, correct."""
        scene, out, calls = as_drawn("region", self.region.dimensions, scene, out)
        n, d, dtype = scene.room, scene.dimensions, scene.vehicles.dtype
        here, predicted = new_columns(scene), new_columns(scene)
        now, then, leaving = (new_foot(n, d, dtype) for _ in range(3))
        numbers = scene.numbers(
            ContainNumbers,
            lookahead=self.lookahead,
            margin=self.margin,
            depth=self.depth,
            deepest=self.region.depth - self.margin,
        )
        middle, sideways = np.array([self.region.middle], dtype), self.law == "normal"
        asked = self.region.foot_calls(predicted, then)
        retreats = self.corners == "retreat"
        if sideways or retreats:
            asked += self.region.foot_calls(here, now)
        if sideways or not self.region.is_convex:
            asked += self.region.leaving_calls(here, predicted, then, leaving)
        sought, places = new_foot(n, d, dtype), new_columns(scene)
        scene.show(distance=then.distance, normal=then.normal)
        scene.show(here_distance=now.distance, here_normal=now.normal, sought_distance=sought.distance)
        scene.show(leaving_distance=leaving.distance, leaving_normal=leaving.normal)
        if retreats:
            inside = (scene.columns, out.active, then, leaving, numbers, predicted, places)
            asked += [Call(look_inside, inside), *self.region.foot_calls(places, sought)]
        arguments = (
            scene.columns,
            now,
            then,
            leaving,
            sought,
            numbers,
            sideways,
            retreats,
            self.go(dtype),
            scene.clock,
            out,
        )
        look = Call(look_from_region, (scene.columns, middle, scene.wrap, numbers.lookahead, here, predicted))
        return [*calls, look, *asked, Call(contain, arguments)]

    def sketch(self, them: Sketched) -> Iterator[Shape]:
        """Where it will be; if that is outside, the boundary there, and the point inside that it seeks."""
        them = them.on_plan(self.region.dimensions)
        distance, normal = them.shown["distance"] + self.margin, them.shown["normal"]
        beyond = distance > 0
        distance = np.where(beyond, distance, them.shown["leaving_distance"])
        normal = np.where(beyond[:, None], normal, them.shown["leaving_normal"])
        outside = (distance > 0)[:, None]
        future = them.ahead(self.lookahead)
        usual = np.minimum(np.linalg.norm(them.velocity, axis=1) * self.lookahead, self.region.depth - self.margin)
        depth = usual if self.depth is None else np.full_like(usual, self.depth)
        yield from them.own_future(future)
        edge = np.where(outside, inside_point(future, distance, normal, 0.0), np.nan)
        yield Cross(edge, role="chosen")
        if self.law == "inside":
            point = np.where(outside, inside_point(future, distance, normal, depth), np.nan)
            if self.corners == "retreat":
                here, near = them.shown["here_distance"], them.shown["here_normal"]
                narrow = (here <= 0) & (them.shown["sought_distance"] + self.margin > -0.5 * depth)
                back = way_back_of(them.velocity, here, near, lookahead=self.lookahead, margin=self.margin)
                point = np.where(outside & narrow[:, None], them.position + back, point)
            yield segment(future, point)
            yield from them.goal(point)
        else:
            yield segment(edge, edge - normal * depth[:, None])

"""OffsetPursuit: pass near a moving quarry without running into it, or keep a place beside it.

    radius:  "tangent"  fly by at the radius, leave, come around                (see `steering/driving/fly_by.py`)
             "literal"  seek(predicted - radius * unit(lateral part of predicted - position))
    offset:  "match"    be in the slot quarry + offset, with its velocity       (see `steering/driving/slot_keeping.py`)
             "literal"  arrive(slot + quarry velocity * T)

Reynolds 1999, "Offset pursuit": a fly-by; "literal" is his point beside the quarry, on the side where the vehicle's own
frame has it. It turns with the vehicle, so near the quarry nothing keeps the vehicle away, and a vehicle that has come
to the point stops and turns about. "tangent" remembers its side and flies on. (It has no use for a predictor: see
there.) Game AI lecture, "Pursue with Offset" ("literal", T = |slot - position| / (max_speed + quarry speed)): it stays
behind a slot that moves. For an offset in the leader's frame a squad keeps its places when the leader turns.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle, Pose, segment
from steersman.core.maths.vectors import ONE, ZERO, difference, direction_or, dot, load, scale, store, subtract
from steersman.core.parameters.arrays import as_floats, columns_of, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import TEXT, VECTOR, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import is_given
from steersman.core.steering.driving.approach import full_speed
from steersman.core.steering.driving.arriving import APPROACHES, Arriving, ArrivingNumbers
from steersman.core.steering.driving.drive import DriveNumbers, thrust
from steersman.core.steering.driving.fly_by import arc_toward, flies_on, fly_by_course, room_to_turn, side_of_pass
from steersman.core.steering.driving.offset_points import fly_by, offset_at, pursue_slot, way_to_slot
from steersman.core.steering.driving.slot_keeping import (
    Watch,
    keep,
    new_watch,
    velocity_of_slot,
    watch_of,
    watched_turn,
)
from steersman.core.steering.laws import vectors as laws
from steersman.core.steering.laws.accompanying import fly_by_point, offset_slot
from steersman.core.steering.laws.flying_by import tangent
from steersman.core.steering.laws.navigating import parallel_course
from steersman.core.steering.laws.reaching import cruise_speed
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext, Watched, axes_of
from steersman.core.steering.targets.prediction import PREDICTOR, Approach, PredictionNumbers, Predictor
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import QUARRY, Mark, Quarry, check_points
from steersman.core.steering.tree.forces import Out, deposit, match, response
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

FRAMES = ("leader", "world")
LAWS = ("tangent", "match", "literal")

NO_QUARRY = -1
"""The id that stands for no quarry."""


@row_kernel
def strafe(
    i: int, vehicles: VehicleColumns, quarry: Quarry, wrap: Array, numbers: Any, go: DriveNumbers,
    watched: Array, watched_next: Array, leaving: Array, leaving_next: Array, side: Columns, side_next: Columns, clock: Clock,
    out: Out,
) -> None:  # fmt: skip
    """Pass on a tangent, leave, come around."""
    others, radius = quarry.columns, numbers.radius
    j = quarry.pick[i]
    if j < 0:
        return
    velocity, other = load(vehicles.velocity, i), load(others.velocity, j)
    tau = response(vehicles.response_time[i], clock.dt[0])
    heading = direction_or(velocity, vehicles.max_speed[i], load(vehicles.forward, i))
    offset = difference(load(vehicles.position, i), load(others.position, j), wrap)
    distance, u, outward = (
        math.sqrt(dot(offset, offset)),
        subtract(velocity, other),
        direction_or(offset, radius, heading),
    )
    known = watched[i] == others.id[j]
    before = scale(load(side, i), ONE if known else ZERO)
    aside = side_of_pass(outward, distance, u, heading, before, radius)
    fast, leave = full_speed(offset, velocity, vehicles.max_speed[i], go), numbers.come_around
    if leave < ZERO:
        leave = room_to_turn(radius, fast, other, vehicles.mass[i], vehicles.max_force[i], tau)
    course = fly_by_course(outward, aside, distance, radius, False, other, fast)
    away = flies_on(known and leaving[i] != 0, dot(u, outward), dot(course, heading), distance, radius, leave)
    if away:
        course = fly_by_course(outward, aside, distance, radius, True, other, fast)
    way = arc_toward(heading, course, aside)
    force = match(scale(way, fast), velocity, vehicles.mass[i], tau, tau)
    deposit(out, i, thrust(way, force, vehicles.max_force[i], go.full), vehicles.max_force[i], True)
    watched_next[i], leaving_next[i] = others.id[j], away
    store(side_next, i, aside)


@row_kernel
def keep_slot(
    i: int, vehicles: VehicleColumns, quarry: Quarry, slots: Mark, turned: bool, wrap: Array, end: ArrivingNumbers,
    watched: Array, watched_next: Array, watch: Watch, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Be in the slot; claim as long as there is a quarry. `turned`: slots turn with the quarry."""
    others = quarry.columns
    j = quarry.pick[i]
    if j < 0:
        return
    tau = response(vehicles.response_time[i], clock.dt[0])
    turn = watched_turn(i, watch, load(others.forward, j), watched[i] == others.id[j], tau, clock)
    watched_next[i] = others.id[j]
    offset = offset_at(i, slots, others, j, turned)
    lead = velocity_of_slot(offset, load(others.velocity, j), turn, turned, tau)
    way = way_to_slot(offset, others, j, vehicles, i, wrap)
    deposit(out, i, keep(way, lead, i, vehicles, end, tau), vehicles.max_force[i], True)


def as_offset(name: str, value: Any) -> Array:
    """An offset, shape (d,), or one per vehicle, shape (n, d); read-only."""
    offset = as_floats(name, value, np.float64)
    if offset.ndim not in (1, 2) or offset.shape[-1] not in (2, 3):
        raise ValueError(f"{name} must have shape (d,) or (n, d), got {offset.shape}")
    return frozen(offset)


OFFSET = Kind("vector", "a vector (d,) or vectors (n, d)", as_offset, like=VECTOR)


@registered
class OffsetPursuit(Arriving):
    """Fly by a moving quarry at a distance, again and again, or keep a slot beside it.

    A fly-by passes at the radius, leaves until there is room to come around, and comes back on the same side of it. A
    vehicle that starts within the radius leaves first. It remembers its quarry, whether it leaves, and its side (memory
    `quarry`, `leaving`, `side`); a slot keeps in mind how fast the leader turns (`quarry`, `seen`, `heading`, `turn`).

    Args:
        quarry: The population that is pursued.
        which: The member of it to pursue: "nearest", "first", an id, ids (one per vehicle) or a mask.
        radius: How near to pass [m]. Give this or an offset. Raising it passes farther away.
        offset: The slot [m], shape (d,), or one per vehicle (n, d). In the leader's frame its components are forward and
            side (to the right) in 2D, forward, up and side in 3D.
        law: How to go about it: with a radius "tangent" or "literal", with an offset "match" or "literal". Default: not the
            literal one.
        come_around: Of "tangent": distance from the quarry at which to turn and come back [m]. Raising it makes runs longer;
            too small, passes are missed. Default: twice the radius, and as much as the turn and the quarry's way take.
        frame: Whether the offset turns with the quarry ("leader"), or not ("world").
        prediction: Of "literal": how far ahead to look: a predictor like Constant(time), Approach() or Intercept(); for a
            slot, as if the quarry were there. Default: Approach().
        approach: Of "literal": whether to stop there: "arrive" or "seek". Default: "seek" for a radius, "arrive" for an
            offset.
        slowing_distance: Of "match" and "arrive": distance at which slowing begins [m]. Raising it is gentler. Default:
            the shortest without overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        speed: How fast to go [m/s]: a number, "max", "current" or "offset". Of "match": to the slot, on top of its
            velocity. Raising it goes faster.

    Raises:
        ValueError: Neither or both of radius and offset are given, or an option does not belong to the law.
    """

    quarry: Any = parameter(kind=QUARRY, positional=True)
    which: Any = parameter("nearest", kind=WHICH, of="quarry")
    radius: float | None = parameter(None, low=0.0, unit="m", optional=True)
    offset: Any = parameter(None, kind=OFFSET, unit="m", optional=True)
    law: Any = parameter(None, kind=TEXT, choices=LAWS, optional=True)
    come_around: float | None = parameter(None, above=0.0, unit="m", optional=True)
    frame: str = parameter("leader", kind=TEXT, choices=FRAMES)
    prediction: Predictor | None = parameter(None, kind=PREDICTOR, optional=True)
    approach: Any = parameter(None, kind=TEXT, choices=APPROACHES, optional=True)

    def comes_to_rest(self) -> bool:
        """No: its place goes along with the quarry."""
        return False

    def validate(self) -> None:
        """Settle whether a radius or an offset is given."""
        super().validate()
        if (self.radius is None) == (self.offset is None):
            raise ValueError(
                f"OffsetPursuit takes radius or offset, got {'both' if self.offset is not None else 'none'}"
            )
        usual = "tangent" if self.offset is None else "match"
        if self.law is None:
            self._put(law=usual)
        if self.law not in (usual, "literal"):
            argument = "a radius" if self.offset is None else "an offset"
            raise ValueError(f'law must be "{usual}" or "literal" for {argument}, got {brief(self.law)}')
        self._check_options()

    def _check_options(self) -> None:
        if self.law == "literal":
            usual = "seek" if self.offset is None else "arrive"
            self._put(prediction=self.prediction or Approach(), approach=self.approach or usual)
        wrong = {
            "prediction": self.law != "literal" and self.prediction,
            "approach": self.law != "literal" and self.approach,
            "come_around": self.law != "tangent" and is_given(self.come_around),
            "slowing_distance": self.law == "tangent" and is_given(self.slowing_distance),
            "deceleration_time": self.law == "tangent" and is_given(self.deceleration_time),
        }
        for option in wrong:
            if wrong[option]:
                raise ValueError(f"{option} is no option of law {self.law!r}, got {brief(getattr(self, option))}")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The quarry of each vehicle, and the state that the laws other than the literal ones remember of it."""
        if self.law == "literal":
            return {}
        n, d = len(vehicles), vehicles.dimensions
        watched = {"quarry": np.full(n, NO_QUARRY, np.int64)}
        if self.law == "match":
            return watched | new_watch(vehicles)
        return watched | {"leaving": np.zeros(n, np.uint8), "side": np.zeros((n, d), vehicles.dtype)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that choose each vehicle's quarry."""
        quarry, calls = scene.quarry(self.quarry, self.which)
        last = self._pass(scene, quarry, memory, out) if self.offset is None else self._slot(scene, quarry, memory, out)
        return [*calls, last]

    def _pass(self, scene: Scene, quarry: Quarry, memory: Memory, out: Out) -> Call:
        dtype = scene.vehicles.dtype
        assert self.radius is not None
        if self.law == "literal":
            how, radius, end = self._how(dtype), scene.number(self.radius), self.end(scene)
            return Call(fly_by, (scene.columns, quarry, scene.wrap, how, radius, end, scene.clock, out))
        numbers = scene.own("radius", "come_around")
        remembered = [side(name) for name in ("quarry", "leaving", "side") for side in (memory.now, memory.next)]
        return Call(strafe, (scene.columns, quarry, scene.wrap, numbers, self.go(dtype), *remembered, scene.clock, out))

    def _slot(self, scene: Scene, quarry: Quarry, memory: Memory, out: Out) -> Call:
        d, dtype = scene.vehicles.dimensions, scene.vehicles.dtype
        check_points("offset", self.offset, scene.own_count, d)
        rows = np.zeros(scene.capacity, np.int64) if self.offset.ndim == 1 else scene.own_rows()
        slots = Mark(columns_of(np.atleast_2d(self.offset), dtype), rows)
        turned, end = self.frame == "leader", self.end(scene)
        if self.law == "literal":
            how = self._how(dtype)
            return Call(pursue_slot, (scene.columns, quarry, slots, turned, scene.wrap, how, end, scene.clock, out))
        watched, watched_next, watch = memory.now("quarry"), memory.next("quarry"), watch_of(memory)
        return Call(
            keep_slot,
            (scene.columns, quarry, slots, turned, scene.wrap, end, watched, watched_next, watch, scene.clock, out),
        )

    def _how(self, dtype: Any) -> PredictionNumbers:
        assert self.prediction is not None
        return self.prediction.numbers(dtype)

    def sketch(self, context: SketchContext) -> Shapes:
        """The quarry, with the distance and the place at which the vehicle passes it, or with the slot beside it."""
        watched = context.watched(self.quarry, self.which)
        yield from context.choice(watched)
        yield from self._passing(context, watched) if self.offset is None else self._slots(context, watched)

    def _passing(self, context: SketchContext, watched: Watched) -> Shapes:
        assert self.radius is not None
        if self.law == "tangent":
            yield from self._tangent(context, watched, self.radius)
            return
        assert self.prediction is not None
        future = context.predicted(watched, self.quarry, self.prediction)
        point = fly_by_point(context.position, context.forward, future, self.radius)
        foot = context.position + (way := future - context.position) - laws.lateral(way, context.forward)
        yield from context.future(watched, future)
        yield Circle(future, self.radius, label="passes at this distance")
        yield segment(context.position, foot, means="straight on, and across")
        yield segment(foot, future, means="straight on, and across")
        yield from context.goal(point)

    def _tangent(self, context: SketchContext, watched: Watched, radius: float) -> Shapes:
        """The place where the tangent touches the circle, which goes on with the quarry until the vehicle is there."""
        offset = context.position - watched.position
        distance = laws.length(offset)
        sight = tangent(laws.normalize(offset), context.memory["side"], distance, radius, False)
        fast = cruise_speed(offset, context.velocity, context.max_speed, self.speed)
        nearing = laws.dot(parallel_course(sight, watched.velocity, fast) - watched.velocity, sight)
        comes = (distance > radius) & (context.memory["leaving"] == 0) & (nearing > 0)
        way = np.sqrt(np.where(comes, (distance - radius) * (distance + radius), np.nan))
        ahead = watched.velocity * laws.ratio(way, nearing)[:, None]
        future = watched.position + np.where(comes[:, None], ahead, 0)
        yield from context.future(watched, np.where(comes[:, None], future, np.nan))
        yield Circle(future, radius, label="passes at this distance")
        yield from context.goal(context.position + sight * way[:, None] + ahead)

    def _slots(self, context: SketchContext, watched: Watched) -> Shapes:
        offset = self.offset if self.offset.ndim == 1 else self.offset[context.scene.own_rows()[context.rows]]
        offset = np.broadcast_to(offset, watched.position.shape)
        flat = watched.position.shape[1] == 2
        axes = axes_of(watched.forward, None if flat else watched.up) if self.frame == "leader" else None
        slot = context.image(offset_slot(watched.position, offset, axes))
        yield segment(watched.position, slot, means="offset")
        yield Pose(slot, watched.forward, context.radius, role="target")
        if self.law == "literal":
            assert self.prediction is not None
            future = slot + watched.velocity * context.time(watched, self.quarry, self.prediction, slot)[:, None]
            yield segment(slot, future, "predicted")
            yield from context.goal(future)
        else:
            yield segment(context.position, slot, "target")

"""Dock: arrive facing a direction, with a velocity, at a time; any of these may be left open.

    A = way . axis,  l = way - A axis          along the docking axis, and to it
    not in the approach cone:  go to a point on the axis before the dock, around the dock if need be
    in it:                     desired = s(A) axis + l min(3 s / A, 1 / (4 tau)),  s = w + (V - w) min(1, A / slowing)
    in it, T left:             desired = (2 A / T - w) axis + 3 l / T, the plan A = w T + c T^2, l = k T^3

Reynolds 1999, a sketch beside "Leader following": arrival, extended by orientation (docking), by a velocity that is not
zero, and by a given time. The equations are this library's own; see `steersman.laws.dock`. They are for vehicles that
face along their velocity: such a vehicle comes in along the axis, for its distance to the axis shrinks with the cube of
its distance along the axis.

A body that backs up to a goal behind it (`Locomotion.backs_up`) would come to the dock with its back to it, and stand before
it. So a velocity behind it is asked for beside it, to which it turns around.

A body that is at the dock and faces elsewhere goes out and comes in again. One that turns on the spot, and takes time for it
(`Locomotion.pivots`), turns there: it is asked to go along the axis, as slowly as at the rim of the tolerance. Nor does one
go out that turns by itself, whose facing a force does not change. On a surface only the way along it counts.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import as_units, unit_rows
from steersman.core.maths.ground import level, level_direction
from steersman.core.maths.shapes import Cross, Pose, ScaledArrow, segment
from steersman.core.parameters.arrays import as_floats, columns_of, frozen
from steersman.core.parameters.kinds import VECTOR, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.approach import FOUR, brake_force, shortest_slowing_of, usual_distance
from steersman.core.steering.laws.docking import DRAW_IN, SPREAD, TIP, docking_approach
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.moving_targets import MovingMark, bind_moving
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext, rows_of
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark, check_points
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

OUTSIDE, ON_AXIS, DOCKED = 0, 1, 2

DRAW, WIDE, NARROW, PART = np.float32(DRAW_IN), np.float32(SPREAD), np.float32(1 / SPREAD), np.float32(TIP)
SIX = np.float32(6)

CIRCLES = 6.0
"""Radii of the tightest circle of a body that it needs to come onto the axis: fewer, and it circles around the dock."""

NEAR, RESTS = np.float32(0.3), np.float32(0.07)
"""Part of the radius of the tightest circle, and of the speed on it at full force: nearer to the dock, or as slow as that, a
body that does not face the dock comes onto the axis no more, and rests."""

THERE = np.float32(0.01)
"""Part of the tolerance from which a vehicle that faces the required direction has docked, without a time to keep. The rest
of the way would take it for ever, ever slower, until it faced where rounding pushes it, and went out once more."""

FACING = np.float32(0.95)
"""Cosine of the angle up to which a vehicle at the dock faces the required direction (18 degrees)."""


@kernel
def detour(way: Vector, along: Any, axis: Vector, standoff: Any) -> Vector:
    """The way to the point before the dock; from beyond the dock, first to a point beside it."""
    before = v.add_scaled(way, axis, -standoff)
    if along >= v.ZERO:
        return before
    return v.add_scaled(before, v.across(way, axis, v.perpendicular(axis)), -standoff)


@kernel
def too_near(tightest: Any, strength: Any, fast: Any, slowing: Any) -> Any:
    """How near to the dock [m] a body that faces elsewhere has no way onto the axis any more, or no speed to turn with."""
    slow = RESTS * math.sqrt(strength * tightest)
    return max(NEAR * tightest, slowing * slow / fast if fast > v.ZERO else fast)


@kernel
def next_phase(
    phase: int, w: Any, along: Any, aside: Any, turned: bool, standoff: Any, tolerance: Any, near: Any, there: Any
) -> int:  # fmt: skip
    """Outside of the approach cone, in it, or docked.

    A vehicle that is to pass the dock with a velocity begins the approach in a narrow cone, from a distance, and stays
    docked. One that is to rest there and is at the dock `turned` some other way goes out once more; one with a turning
    circle does so when it is `near` [m]. One that is to rest has docked no more than `there` [m] before the dock.
    """
    tip = along + PART * standoff
    inside = tip > v.ZERO and aside <= WIDE * tip
    if w > v.ZERO:
        if phase == DOCKED or (phase == ON_AXIS and inside and aside <= tolerance and along <= tolerance):
            return DOCKED
        if phase == OUTSIDE:
            inside = along >= v.HALF * standoff and aside <= NARROW * along
    elif abs(along) <= tolerance and aside <= tolerance:
        if turned:
            return OUTSIDE
        if along <= there:
            return DOCKED
    elif near > v.ZERO and turned and inside and along <= near:
        return OUTSIDE
    return ON_AXIS if inside else OUTSIDE


@kernel
def at_once(along: Any, off: Vector, axis: Vector, w: Any, fast: Any, slowing: Any, tau: Any) -> Vector:
    """The velocity in the cone, without a time to keep."""
    part = v.ONE
    if slowing > v.ZERO and along < slowing:
        part = along / slowing
    pace = w + (fast - w) * part
    draw = v.ONE / (FOUR * tau)
    if along > v.ZERO:
        draw = max(min(DRAW * pace / along, draw), v.ZERO)
    return v.add_scaled(v.scale(axis, pace), off, draw)


@kernel
def settling(speed: Any, fast: Any, slowing: Any, tolerance: Any, tau: Any) -> Any:
    """The rate [1/s] at which a docked vehicle loses its speed: that of the way in, if it comes to rest at the dock by that.

    Faster, a force that lags behind (SmoothForce) would push it back, and it would face away.
    """
    if slowing > v.ZERO and speed * slowing <= v.TWO * THERE * tolerance * fast:
        return min(fast / slowing, v.ONE / tau)
    return v.ONE / tau


@kernel
def in_time(
    along: Any, off: Vector, axis: Vector, w: Any, fast: Any, time_left: Any, velocity: Vector, tau: Any, dt: Any
) -> Vector:
    """The acceleration in the cone with a time to keep: that of the plan, and a correction of the velocity."""
    room = along - w * time_left
    time_left = max(time_left, SIX * dt)
    pace, planned = w + v.TWO * room / time_left, v.ZERO * w
    if pace > v.ZERO and pace < fast:
        planned = -v.TWO * room / (time_left * time_left)
    desired = v.add_scaled(v.scale(axis, max(min(pace, fast), v.ZERO)), off, DRAW / time_left)
    bend = v.add_scaled(v.scale(axis, planned), off, -SIX / (time_left * time_left))
    if v.dot(desired, desired) > fast * fast:
        bend = v.scale(bend, v.ZERO)
    gain = min(max(v.ONE / tau, SIX / time_left), v.ONE / dt)
    return v.add_scaled(bend, v.subtract(v.truncate(desired, fast), velocity), gain)


@kernel
def turned_to(pull: Vector, velocity: Vector, forward: Vector, tau: Any) -> Vector:
    """An acceleration to a velocity behind a car as one to a velocity beside it, of the same size, to which it turns."""
    desired = v.add_scaled(velocity, pull, tau)
    if not v.dot(desired, forward) < v.ZERO:
        return pull
    aside = v.scale(v.across(desired, forward, v.perpendicular(forward)), v.length(desired))
    return v.scale(v.subtract(aside, velocity), v.ONE / tau)


@row_kernel
def dock(
    i: int, vehicles: VehicleColumns, mark: MovingMark, facing: Mark, wrap: Array, numbers: Any, arrival: Array,
    deadline: float, phase_now: Array, phase_next: Array, ground: Columns, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Come to the dock by the deadline [s]; claim as long as there is one. `numbers.room` is what turning takes [m]."""
    j = mark.pick[i]
    if j < 0:
        return
    dt = clock.dt[0]
    tau = response(vehicles.response_time[i], dt)
    fast = numbers.speed if numbers.speed >= v.ZERO else vehicles.max_speed[i]
    w = arrival[i]
    velocity = v.subtract(v.load(vehicles.velocity, i), v.load(mark.velocity, j))
    way = v.difference(v.load(mark.position, j), v.load(vehicles.position, i), wrap)
    way = level(way, ground, i)
    axis = level_direction(v.load(facing.position, facing.pick[i]), ground, i)
    faces = v.dot(v.load(vehicles.forward, i), axis)
    turned = numbers.turns_itself == v.ZERO and faces < FACING * v.dot(axis, axis)
    if v.dot(axis, axis) == v.ZERO:
        axis = v.normalize(way)
    usual = usual_distance(fast, vehicles.mass[i], brake_force(i, vehicles, numbers.brakes), tau)
    slowing = numbers.slowing_distance if numbers.slowing_distance >= v.ZERO else DRAW * usual
    standoff = numbers.standoff if numbers.standoff >= v.ZERO else max(v.TWO * usual, numbers.room)
    along, off = v.dot(way, axis), v.lateral(way, axis)
    near = too_near(numbers.tightest, vehicles.max_force[i] / vehicles.mass[i], fast, slowing)
    aside = math.sqrt(v.dot(off, off))
    time_left = vehicles.mass.dtype.type(deadline - clock.time[0])
    there = v.ZERO if time_left > v.ZERO else THERE * numbers.tolerance
    phase = next_phase(phase_now[i], w, along, aside, turned, standoff, numbers.tolerance, near, there)
    phase_next[i] = phase
    if phase == DOCKED and w == v.ZERO:
        pull = v.scale(velocity, -settling(v.length(velocity), fast, slowing, numbers.tolerance, tau))
    elif phase == DOCKED:
        pull = v.scale(v.subtract(v.scale(axis, w), velocity), v.ONE / tau)
    elif phase == ON_AXIS and time_left > v.ZERO:
        pull = in_time(along, off, axis, w, fast, time_left, velocity, tau, dt)
    else:
        on_the_spot = numbers.pivots > v.ZERO and turned and w == v.ZERO and max(abs(along), aside) <= numbers.tolerance
        if on_the_spot:
            along = numbers.tolerance
        desired = v.truncate(at_once(along, off, axis, w, fast, slowing, tau), fast)
        if phase == OUTSIDE and not on_the_spot:
            desired = v.with_length(detour(way, along, axis, standoff), fast)
        pull = v.scale(v.subtract(desired, velocity), v.ONE / tau)
    if numbers.backs > v.ZERO and phase != DOCKED:
        pull = turned_to(pull, v.load(vehicles.velocity, i), v.load(vehicles.forward, i), tau)
    deposit(out, i, v.scale(pull, vehicles.mass[i]), vehicles.max_force[i], True)


def as_directions(name: str, value: Any) -> Array:
    """Directions as unit vectors, (d,) or (n, d), read-only."""
    directions = as_floats(name, value, np.float64)
    if directions.ndim not in (1, 2) or directions.shape[-1] not in (2, 3):
        raise ValueError(f"{name} must have shape (d,) or (n, d), got {directions.shape}")
    rows = as_units(np.atleast_2d(directions))
    if not rows.any(axis=1).all():
        raise ValueError(f"{name} must not be zero, got zero in row {int(np.argmin(rows.any(axis=1)))}")
    return frozen(rows.reshape(directions.shape))


FORWARD = Kind("vector", "a vector (d,) or vectors (n, d)", as_directions, like=VECTOR)
VELOCITY = Kind(
    "vector",
    "a number, a vector (d,) or vectors (n, d)",
    lambda name, value: frozen(as_floats(name, value, np.float64)),
    like=VECTOR,
)


@registered
class Dock(Behavior):
    """Arrive facing a direction, with a velocity, at a time; any of these may be left open.

    A vehicle that faces where it goes comes in along the docking axis. From beside or beyond the dock it first goes to
    a point before it. A car does not use its reverse gear. A vehicle that is to dock at rest stays at the dock; facing
    elsewhere, it goes out and comes in again, or turns on the spot if that takes time (TurnRate, MomentOfInertia). A FreeBody
    is brought there, and ReachOrientation turns it. One that is to have a velocity there keeps that velocity from then on
    (memory `phase`), or comes round again where it missed. A vehicle that is late docks as soon as it can.

    Args:
        target: Where to dock: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, or a function that returns
            points.
        which: The member of a population to dock at: "nearest", "first", an id, ids (one per vehicle) or a mask.
        forward: The direction to face at the dock, (d,) or one per vehicle (n, d), of any length. Default: the direction
            of `velocity`; else the forward direction of a dock that is a vehicle; else any.
        velocity: The velocity to have at the dock, relative to it [m/s]: a vector (d,) or (n, d) along forward, or a
            number, the speed along forward. Default: at rest.
        at_time: When to be there [s], in the time of the world. A vehicle that has time in hand waits on the axis.
            Default: as soon as possible.
        slowing_distance: Distance at which slowing begins [m]. Raising it is gentler. Default: three times that of Arrive.
        standoff: Where before the dock to go to first, from outside of the approach cone [m]. Raising it swings out more.
            Default: twice the slowing distance of Arrive, room for a turn at full speed; but at least six times the radius
            of the tightest circle of the body (`Locomotion.tightest`), such as the turning radius of Wheeled.
        tolerance: How near the dock counts as docked [m]. A vehicle that has come a little too far does not back out.
            Raising it docks less exactly.
        speed: Speed far from the dock, relative to it [m/s]: a number or "max". Raising it goes faster.

    Raises:
        ValueError: The velocity is not along forward, or it is a number and there is no forward.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="target")
    forward: Any = parameter(None, kind=FORWARD, optional=True)
    velocity: Any = parameter(None, kind=VELOCITY, unit="m/s", optional=True)
    at_time: float | None = parameter(None, unit="s", optional=True)
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    standoff: float | None = parameter(None, above=0.0, unit="m", optional=True)
    tolerance: float = parameter(0.1, above=0.0, unit="m")
    speed: float | str = parameter("max", choices=("max",), low=0.0, unit="m/s")

    def validate(self) -> None:
        """Check that the velocity is along the direction to face."""
        if self.velocity is not None:
            self._check_velocity()

    def _check_velocity(self) -> None:
        velocity = self.velocity
        if velocity.ndim == 0:
            if velocity < 0:
                raise ValueError(f"velocity must be a vector or a speed >= 0 m/s along forward, got {velocity}")
            if velocity > 0 and self.forward is None and not isinstance(self.target, Vehicles):
                raise ValueError(f"velocity must be a vector where there is no forward, got {velocity}")
        elif velocity.ndim > 2 or velocity.shape[-1] not in (2, 3):
            raise ValueError(f"velocity must be a number or have shape (d,) or (n, d), got shape {velocity.shape}")
        elif self.forward is not None:
            speed = np.sqrt(np.sum(velocity**2, axis=-1))
            if np.any(np.sum(velocity * self.forward, axis=-1) < speed * (1 - 1e-6)):
                raise ValueError(
                    f"velocity must be along forward, got {velocity.tolist()} along {self.forward.tolist()}"
                )

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With a velocity to have at the dock: outside of the approach cone (0), in it (1) or docked (2)."""
        moving = self.velocity is not None and bool(np.any(self.velocity))
        return {"phase": np.zeros(len(vehicles), np.uint8)} if moving else {}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the dock."""
        mark, calls = bind_moving(scene, self.target, self.which)
        facing, arrival = self._facing(scene, mark)
        numbers = scene.own(
            "slowing_distance",
            "standoff",
            "tolerance",
            speed=None if isinstance(self.speed, str) else self.speed,
            room=CIRCLES * scene.tightest,
            tightest=scene.tightest,
            backs=scene.backs_up,
            pivots=scene.pivots,
            turns_itself=scene.turns_itself,
            brakes=scene.stopping,
        )
        deadline = -math.inf if self.at_time is None else plain(self.at_time)
        none = np.zeros(scene.capacity, np.uint8)
        before, after = (memory.now("phase"), memory.next("phase")) if memory else (none, none.copy())
        arguments = (
            scene.columns, mark, facing, scene.wrap, numbers, arrival, deadline, before, after, scene.ground,
            scene.clock, out,
        )  # fmt: skip
        return [*calls, Call(dock, arguments)]

    def _facing(self, scene: Scene, mark: MovingMark) -> tuple[Mark, Array]:
        """The direction to face, zero where any will do; and the speeds along it, shape (capacity,)."""
        n, d, dtype = scene.own_count, scene.vehicles.dimensions, scene.vehicles.dtype
        velocity = np.zeros(()) if self.velocity is None else self.velocity
        forward, speed = self.forward, velocity
        if velocity.ndim:
            check_points("velocity", velocity, n, d)
            speed = np.sqrt(np.sum(velocity**2, axis=-1))
            forward = unit_rows(np.atleast_2d(velocity)).reshape(velocity.shape) if forward is None else forward
        speeds = np.zeros(scene.capacity, dtype)
        speeds[:] = speed if np.ndim(speed) == 0 else 0.0
        own = scene.own_rows() if np.ndim(speed) or np.ndim(forward) == 2 else np.zeros(scene.capacity, np.int64)

        def find() -> None:
            there = len(scene.vehicles)
            speeds[:there] = speed[own[:there]]

        if np.ndim(speed):
            find()
            scene.recount(find)
        if forward is None and isinstance(self.target, Vehicles):
            return Mark(self.target.columns.forward, mark.pick), speeds
        forward = np.zeros(d) if forward is None else forward
        check_points("forward", forward, n, d)
        rows = np.zeros(scene.capacity, np.int64) if forward.ndim == 1 else own
        return Mark(columns_of(np.atleast_2d(forward), dtype), rows), speeds

    def sketch(self, context: SketchContext) -> Shapes:
        """The pose at the dock, the axis along which it comes in, and the first point from outside of the approach."""
        watched = context.watched(self.target, self.which)
        fast = context.max_speed if isinstance(self.speed, str) else np.full_like(context.max_speed, self.speed)
        usual = 2 * shortest_slowing_of(fast, context.mass, context.brake_force, context.response_time)
        usual = np.maximum(usual, CIRCLES * context.scene.tightest)
        standoff = usual if self.standoff is None else np.full_like(usual, self.standoff)
        mark, calls = bind_moving(context.scene, self.target, self.which)
        facing, speed = self._facing(context.scene, mark)
        for call in calls:
            call.run(len(context.scene.vehicles))
        row, way = facing.pick[context.rows], watched.position - context.position
        if not len(facing.position[0]):
            return
        axis = rows_of(facing.position, np.maximum(row, 0))
        axis = np.where(np.any(axis, axis=1, keepdims=True), axis, unit_rows(way))
        inside, _, before = docking_approach(way, axis, standoff)
        yield Pose(watched.position, axis, context.radius, role="target")
        yield ScaledArrow(
            watched.position, axis * speed[context.rows][:, None], role="target", means="how fast to arrive"
        )
        yield segment(
            watched.position - axis * standoff[:, None], watched.position, means="straight in along this line"
        )
        first = np.where(inside[:, None], np.nan, context.position + before)
        yield Cross(first, role="guide", label="first to here, then straight in")
        yield segment(context.position, np.where(inside[:, None], watched.position, first), "target")

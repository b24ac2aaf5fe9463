"""Arrive: seek that slows down, and stops on its target.

    desired = speed * ramp(distance / slowing_distance) * unit(target - position)
    force   = mass * (desired - velocity) / response_time

Reynolds 1999, "Arrival": a linear ramp over the slowing distance. Variants: the game AI lecture's deceleration time T
(slowing_distance = speed * T); the project notes' smooth ramps, by name or as a sampled table; the Unity lecture's stop
distance, within which the vehicle just brakes. The lecture sets the velocity to zero there, with no limit of the force;
with `hard_stop` the vehicle asks for that force, -mass * velocity / dt, truncated to max_force, and asks early enough
to stand before it reaches the target: also where closing^2 / 2 a + closing dt exceeds the distance. A body that turns
before it goes to a side takes a force for the velocity + force tau / mass that it is to have, so that it is asked for
-mass * velocity / tau: the force of a stop in one step is a way back for it, and it would turn around. ramp="braking" goes
as fast as its brakes allow: with a = brake force / mass, the part of max_force that its body brakes with,

    speed = min(speed, distance / (4 tau), sqrt(2 a (distance - 2 a tau^2)) - a tau)    the last beyond 4 a tau^2 only:

near the target the approach is a critically damped spring; farther away the vehicle brakes at a, and its desired speed
is a tau less than its speed, since its velocity lags by one response time.

A vehicle with late brakes overshoots nevertheless, and so does one whose slowing distance was chosen for better ones. With
`calibrate` it learns, as a driver does with an unfamiliar car (Reynolds 1999, "Locomotion": a self-calibrating
behavior says "slow down a bit" until it works out): at every passing of the target

    care *= 1 + calibrate * speed / full_speed

and from then on slowing begins care times as far away ("braking": it counts on care times weaker brakes).

A linear ramp does not overshoot when slowing_distance >= max(4 speed tau, m speed^2 / brake force); without a slowing
distance each vehicle gets exactly that one, and a shorter one draws a warning.
"""

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import level
from steersman.core.maths.shapes import Circle
from steersman.core.maths.vectors import ONE, TWO, ZERO, difference, dot, load, scale
from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import outside
from steersman.core.parameters.kinds import FLAG, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.approach import (
    brake_force,
    braking_speed,
    shortest_slowing_of,
    slowing_distance,
    slowing_distance_of,
)
from steersman.core.steering.driving.resting import STANDS, Resting, note_goal, resting_sides, way_among
from steersman.core.steering.laws.arriving import MOST_CARE
from steersman.core.steering.laws.vectors import length
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.steering.tree.forces import Out, deposit, match, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

RAMPS = ("linear", "parabola", "sine", "smoothstep", "smootherstep", "braking", "table")
LINEAR, PARABOLA, SINE, SMOOTHSTEP, SMOOTHERSTEP, BRAKING, TABLE = range(7)

THREE, SIX, TEN, FIFTEEN = (np.float32(x) for x in (3, 6, 10, 15))

MOST = np.float32(MOST_CARE)
"""Largest factor by which slowing begins earlier."""


@kernel
def ramp_fraction(x: Any, ramp: int, table: Array) -> Any:
    """Fraction of the speed at the fraction x of the slowing distance, 0 <= x < 1: f(0) = 0, f(1) = 1."""
    if ramp == PARABOLA:
        return x * (TWO - x)
    if ramp == SINE:
        return math.sin(x * table.dtype.type(math.pi / 2))
    if ramp == SMOOTHSTEP:
        return x * x * (THREE - TWO * x)
    if ramp == SMOOTHERSTEP:
        return x * x * x * (TEN + x * (SIX * x - FIFTEEN))
    if ramp == TABLE:
        place = x * table[-1]
        k = min(int(place), table.size - 3)
        return table[k] + (table[k + 1] - table[k]) * (place - table.dtype.type(k))
    return x


@kernel
def overruns(distance: Any, way: Vector, velocity: Vector, acceleration: Any, dt: Any) -> Any:
    """Whether a vehicle at a distance [m] that comes at its present velocity cannot stop in time unless it brakes now."""
    closing = dot(velocity, way) / distance
    return closing > ZERO and closing * closing > TWO * acceleration * (distance - closing * dt)


@kernel
def settle(
    way: Vector,
    i: int,
    vehicles: VehicleColumns,
    care: Any,
    ramp: int,
    numbers: Any,
    table: Array,
    plane: Columns,
    dt: Any,
) -> Vector:
    """The force that moves vehicle i along a way [m], slower as it comes nearer, with slowing `care` times as early.

    A body that turns before it goes to a side takes a force for a velocity to have after the response time: a stop after
    one step is a way back for it, and it would turn around. A car comes below or above a goal that is not in its plane:
    `plane` are the normals of what it cannot leave.
    """
    way = level(way, plane, i)
    velocity, mass, tau = load(vehicles.velocity, i), vehicles.mass[i], response(vehicles.response_time[i], dt)
    soonest = dt if numbers.steps_aside == ONE else tau
    full = numbers.speed
    if full < ZERO:
        full = vehicles.max_speed[i]
    distance, brake = math.sqrt(dot(way, way)), brake_force(i, vehicles, numbers.brakes)
    speed = full
    if distance < numbers.stop_distance or distance == ZERO:
        speed = ZERO * full
        if numbers.hard_stop == ONE:
            tau = soonest
    elif numbers.hard_stop == ONE and overruns(distance, way, velocity, brake / mass, dt):
        speed, tau = ZERO * full, soonest
    elif ramp == BRAKING:
        speed = min(full, braking_speed(distance, brake / (mass * care), tau))
    else:
        chosen_distance = slowing_distance_of(full, numbers)
        slowing = care * slowing_distance(full, i, vehicles, numbers.brakes, tau, chosen_distance)
        if distance < slowing:
            speed = full * ramp_fraction(distance / slowing, ramp, table)
    desired = way
    if distance != ZERO:
        desired = scale(way, speed / distance)
    return match(desired, velocity, mass, tau, tau)


@row_kernel
def arrive(
    i: int, vehicles: VehicleColumns, mark: Mark, wrap: Array, ramp: int, numbers: Any, table: Array,
    plane: Columns, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Head for the target, slower as it comes nearer."""
    if mark.pick[i] < 0:
        return
    way = difference(load(mark.position, mark.pick[i]), load(vehicles.position, i), wrap)
    force = settle(way, i, vehicles, ONE, ramp, numbers, table, plane, clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], True)


@row_kernel
def arrive_among_others(
    i: int, vehicles: VehicleColumns, mark: Mark, wrap: Array, ramp: int, numbers: Any, table: Array,
    plane: Columns, resting: Resting, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Arrive; a vehicle that stands behind another at the same goal brakes, or walks round it first."""
    if mark.pick[i] < 0:
        return
    goal, velocity = load(mark.position, mark.pick[i]), load(vehicles.velocity, i)
    state = note_goal(resting, i, goal, clock.step, wrap)
    way = way_among(resting, i, state, difference(goal, load(vehicles.position, i), wrap))
    if state == STANDS:
        force = match(way, velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
    else:
        force = settle(way, i, vehicles, ONE, ramp, numbers, table, plane, clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], True)


class Experience(NamedTuple):
    """Memory of vehicles that calibrate.

    Attributes:
        care: How much earlier each slows down than its body should need.
        distance: How far its target was [m]; negative: there was none.
        nearing: Whether it was coming nearer.
    """

    care: Array
    distance: Array
    nearing: Array


@row_kernel
def arrive_and_learn(
    i: int, vehicles: VehicleColumns, mark: Mark, wrap: Array, ramp: int, numbers: Any, table: Array,
    plane: Columns, calibrate: Any, now: Experience, following: Experience, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Arrive; a vehicle that has passed the target is more careful from now on. A moved target was not passed."""
    if mark.pick[i] < 0:
        return
    velocity, care, before = load(vehicles.velocity, i), now.care[i], now.distance[i]
    way = difference(load(mark.position, mark.pick[i]), load(vehicles.position, i), wrap)
    distance, speed = math.sqrt(dot(way, way)), math.sqrt(dot(velocity, velocity))
    full = numbers.speed
    if full < ZERO:
        full = vehicles.max_speed[i]
    same = before >= ZERO and abs(distance - before) <= TWO * max(speed, full) * clock.dt[0]
    nearing = dot(velocity, way) > ZERO
    if same and now.nearing[i] and not nearing and full > ZERO:
        care = min(care * (ONE + calibrate * min(speed / full, ONE)), MOST)
    following.care[i], following.distance[i], following.nearing[i] = care, distance, nearing
    force = settle(way, i, vehicles, care, ramp, numbers, table, plane, clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], True)


def as_samples(name: str, value: Any) -> Array:
    """Samples of a ramp, read-only."""
    samples = as_floats(name, value, np.float64)
    if samples.ndim != 1 or len(samples) < 2 or samples[0] != 0 or samples[-1] != 1:
        names = ", ".join(f'"{name}"' for name in RAMPS[:6])
        raise ValueError(f"{name} must be {names} or at least two samples that run from 0 to 1, got {brief(value)}")
    return frozen(samples)


RAMP = Kind("ramp", "samples from 0 to 1", as_samples)


@registered
class Arrive(Behavior):
    """Go to a point, slow down and stop there.

    It claims the vehicle as long as it has a target, and never rests while it moves: within the stop distance it brakes.

    Args:
        target: Where to stop: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, or a function that returns
            points.
        which: The member of a population to go to: "nearest", "first", an id, ids (one per vehicle) or a mask.
        slowing_distance: Distance at which slowing begins [m]. Raising it is gentler. Default: the shortest without
            overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        deceleration_time: Instead of a slowing distance: the time to go at which slowing begins [s]. Raising it is
            gentler.
        stop_distance: Distance within which the vehicle just brakes [m]. Raising it stops farther away.
        hard_stop: Whether it brakes there with all it has, to stand after one step if max_force allows, and before it
            where it must, not to leave the ring again; else within the response time. A body that turns before it goes
            to a side, such as a car, stands within the response time, too, if its brakes allow.
        ramp: How the speed falls: "linear", "parabola", "sine", "smoothstep", "smootherstep", samples of any other ramp at
            equal steps from the target to the slowing distance (from 0 to 1, shape (k,)), or "braking": as fast as the brakes
            allow.
        speed: Speed far from the target [m/s]: a number or "max". Raising it goes faster.
        calibrate: How fast it learns to slow down earlier from every passing of its target (memory `care`); 0 learns
            nothing. For bodies that brake late, or less than the slowing distance asks for. Raising it learns faster,
            and may end up more careful than needed.

    Raises:
        ValueError: Both a slowing distance and a deceleration time are given, or samples do not run from 0 to 1.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="target")
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    deceleration_time: float | None = parameter(None, above=0.0, unit="s", optional=True)
    stop_distance: float = parameter(0.0, low=0.0, unit="m")
    hard_stop: bool = parameter(False, kind=FLAG)
    ramp: Any = parameter("linear", kind=RAMP, choices=RAMPS[:6])
    speed: float | str = parameter("max", choices=("max",), low=0.0, unit="m/s")
    calibrate: float = parameter(0.0, low=0.0)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With `calibrate`: how careful it has become, how far the target was [m], and whether it came nearer."""
        if self.calibrate == 0:
            return {}
        n, dtype = len(vehicles), vehicles.dtype
        return {"care": np.ones(n, dtype), "distance": np.full(n, -1, dtype), "nearing": np.zeros(n, bool)}

    def comes_to_rest(self) -> bool:
        """It asks vehicles to come to rest; with `calibrate` each learns for itself alone."""
        return self.calibrate == 0

    def validate(self) -> None:
        """Check that slowing is given once."""
        if self.slowing_distance is not None and self.deceleration_time is not None:
            raise ValueError("Arrive takes slowing_distance or deceleration_time, got both")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the target."""
        mark, calls = scene.mark(self.target, self.which)
        self._warn(scene)
        dtype = scene.vehicles.dtype
        is_named = isinstance(self.ramp, str)
        ramp = RAMPS.index(self.ramp) if is_named else TABLE
        # The table carries its own last index behind its samples: the number of steps.
        table = np.array([0, 1, 1] if is_named else [*self.ramp, len(self.ramp) - 1], dtype)
        numbers = scene.own(
            "slowing_distance",
            "deceleration_time",
            "stop_distance",
            "hard_stop",
            brakes=scene.stopping,
            steps_aside=scene.steps_aside,
            speed=None if isinstance(self.speed, str) else self.speed,
        )
        plane = scene.columns.up if scene.tightest > 0 and scene.dimensions == 3 else ()
        where = (scene.columns, mark, scene.wrap, ramp, numbers, table, plane)
        if self.comes_to_rest() and scene.resting is not None:
            return [*calls, Call(arrive_among_others, (*where, resting_sides(scene.resting)[1], scene.clock, out))]
        if self.calibrate == 0:
            return [*calls, Call(arrive, (*where, scene.clock, out))]
        now, following = (Experience(*map(side, Experience._fields)) for side in (memory.now, memory.next))
        arguments = (*where, scene.number(self.calibrate), now, following, scene.clock, out)
        return [*calls, Call(arrive_and_learn, arguments)]

    def _warn(self, scene: Scene) -> None:
        """Warn when the slowing distance is too short for some vehicle to stop in time."""
        vehicles = scene.vehicles
        known = isinstance(self.ramp, str) and self.ramp != "braking"
        if not known or self.calibrate > 0 or len(vehicles) == 0:
            return
        speed = vehicles.max_speed
        if not isinstance(self.speed, str):
            speed = np.full_like(vehicles.max_speed, scene.by_row(self.speed))
        slowing = scene.by_row(self.slowing_distance)
        if self.deceleration_time is not None:
            slowing = speed * scene.by_row(self.deceleration_time)
        if slowing is None:
            return
        tau = np.where(vehicles.response_time == 0, scene.clock.dt[0], vehicles.response_time)
        enough = shortest_slowing_of(speed, vehicles.mass, scene.stopping * vehicles.max_force, tau)
        if np.any(np.asarray(slowing) < enough * (1 - 1e-6)):
            warnings.warn(
                f"Arrive may overshoot: the slowing distance ({float(np.min(slowing)):g} m) is below max(4 speed "
                f"response_time, mass speed^2 / brake force) = {float(np.nanmax(enough)):g} m; take a longer one, or "
                f'leave it out, or use ramp="braking"',
                RuntimeWarning,
                stacklevel=outside(),
            )

    def sketch(self, context: SketchContext) -> Shapes:
        """The target, and the rings in which it slows down and brakes, of those that are in them."""
        target = context.watched(self.target, self.which).position
        full = context.max_speed if isinstance(self.speed, str) else np.full_like(context.max_speed, self.speed)
        usual = shortest_slowing_of(full, context.mass, context.brake_force, context.response_time)
        slowing = self.slowing_distance if self.deceleration_time is None else full * self.deceleration_time
        yield from context.goal(target)
        away = length(target - context.position)
        rings = [(usual if slowing is None else slowing, "slows down inside"), (self.stop_distance, "stops inside")]
        for radius, label in rings:
            yield Circle(target, np.where((radius > 0) & (away < radius), radius, np.nan), label=label)

"""Wheeled: a car. The steering force becomes a steering wheel, an accelerator and a brake.

    along > 0: throttle = along / (thrust * max_force)        along < 0: brake = -along / (brake * max_force)
    curvature  = lateral acceleration / speed^2, at most 1 / turning_radius
    turn rate  = speed * curvature

Reynolds 1999, "A Simple Vehicle Model": the side part of the steering vector is the steering signal, the forward part the
accelerator or the brake. At rest a car cannot turn; one that is to go where it came from drives on and turns around (or
backs up, with `reverse`). With a `wheelbase` it is a bicycle: the front wheel stands at atan(wheelbase * curvature), turns
no faster than `steer_rate`, and where it stands is remembered.

Turning around is the car's own decision, so it stops within the way that steering says is free (`braking.py`). Where it is
too fast for that, and the force is to the other side, it turns to that one: an obstacle is on the side of its goal. So it
does where the force leads more to the other side than back, as out of a clearance: the goal that it turns to is not there.
Where the way is nothing any more, and the goal is not ahead, it backs away by one turning radius with its front turning to
the goal's side, and tries again: a turn in three moves. So does one with `reverse`: the force that stops it there does not
tell where to go. Where one without `reverse` and wheelbase stands there again before it has got on, it backs straight
first, by one radius more each time (up to eight): so it comes far enough away from a pocket to pass it. One that backs up
to the end of its way stays in reverse there, with a trace of speed, as at rest its way is the one ahead.

A goal inside of its tightest circle a car would circle for ever. After a full circle at the full lock (or four changes of
gear) it drives straight on for two turning radii, which brings any such goal out of the circle, and comes back. Where it is
too fast for the full lock its curve is wider, and the count goes down by as much as it turns less than at the full lock; it
ends where the car drives nearly straight. A goal beside it that asks for less than 5% of its moderate speed is as good as
reached: it stays.
"""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import numbers_of
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.braking import braked_speed, safe_speed
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.moving import turn_row
from steersman.core.locomotion.registry import locomotion
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import side_of, up_at
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import FLAG
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

BACKS = np.float32(2)
"""Instead of a side of turning around: the car backs up."""

ROOM = np.float32(3)
"""Times a side of turning around: the car backs away to make room, and its front turns to that side."""

FULL_CIRCLE = np.float32(2 * math.pi)
"""A turn [rad] at the full lock after which the goal is no nearer than before."""

GEAR = np.float32(math.pi / 2)
"""As much of a turn [rad] does a change of gear count that did not reach the goal."""

TRIES = np.float32(8)
"""As many tries to make room count at most."""

FORGETS = np.float32(0.5)
"""How many tries are forgotten while the car drives on by the radius of its tightest circle."""

NEARLY = np.float32(0.25)
"""Part of the sharpest curvature below which a car drives nearly straight, so that no turn was in vain."""

TRACE = np.float32(4e-6)
"""Part of the top speed that a car which must stop while it backs up keeps, so that its way is still the one behind it."""

LITTLE = np.float32(0.05)
"""Part of the moderate speed below which a car is as good as there."""

FORCEFUL = np.float32(0.98)
"""Squared part of max_force above which a force may have been truncated, so that it tells nothing of a speed."""


class Signals(NamedTuple):
    """The actions of a driver, one number a vehicle.

    Attributes:
        steer: Where the front wheel should stand, as part of its way: -1 is full right, 1 full left.
        throttle: Part of the engine, 0 to 1.
        brake: Part of the brakes, 0 to 1.
    """

    steer: Array
    throttle: Array
    brake: Array


class Maneuver(NamedTuple):
    """How the car turns around, kept from step to step: a number each.

    Attributes:
        back: The side of turning around: 1 to the left, -1 to the right, 2 where the car backs up, 3 or -3 where it backs
            away to make room, and 0 where it does none of these.
        vain: The turn in vain [rad]; below zero, the way that is still to be driven straight on, or backed [m].
        tries: The tries to make room in vain.
    """

    back: Any
    vain: Any
    tries: Any


@kernel
def drive(
    force: Vector, forward: Vector, left: Vector, speed: Any, mass: Any, most: Any, top: Any, tau: Any, maneuver: Maneuver,
    way: Any, car: Any, dt: Any,
) -> Any:  # fmt: skip
    """Speed after the step, the curvature to steer, and the maneuver after the step.

    The force asks for a speed ahead and a speed aside: velocity + force tau / mass. A car that is asked to go back,
    beyond standing still, and has no reverse gear (or is asked to go aside as much), drives a half circle at a moderate
    speed, and remembers to which side until the goal is ahead, or until it is asked to go more to the other side than
    back: a goal that it turns to does not get there. `way` is how far it may go on as it goes.
    """
    back, vain, tries = maneuver
    push, aside = v.dot(force, forward), v.dot(force, left)
    full = v.dot(force, force) >= FORCEFUL * most * most
    aside = min(max(aside, -car.side * most), car.side * most)
    easy = min(v.HALF * top, math.sqrt(car.side * most / (mass * car.sharpest)))
    ahead, across = speed + push * tau / mass, abs(aside) * tau / mass
    if abs(ahead) <= v.NOISE * abs(speed):
        ahead = v.ZERO * speed  # It is asked to stand, and not to go back.
    desired_speed = math.sqrt(ahead * ahead + across * across)
    none, sharp = v.ZERO * push, v.ZERO * push + car.sharpest
    grip = sharp * speed * speed
    beside = ahead <= across and (car.reverse == v.ZERO or -ahead <= across)
    rests = not full and desired_speed <= LITTLE * easy and beside
    target_speed, curvature, follows = min(easy, desired_speed), none, True
    if full:
        target_speed = none + easy
    safe = safe_speed(way, car.brake, most / mass, dt)
    backed, barred = back == BACKS, safe < LITTLE * easy
    if barred and (abs(back) != ROOM or speed < v.ZERO):
        back, vain = (none if abs(back) == ROOM else back), max(vain, none)
    if rests:
        # A goal beside a car that is as good as there is no reason to drive off again.
        target_speed, back, vain, follows = max(ahead, none), none, none, ahead > v.ZERO
    elif abs(back) == ROOM and vain < v.ZERO:
        vain, target_speed, follows = min(vain + abs(speed) * dt, none), -v.HALF * easy, False
        if vain >= -v.ONE / sharp:
            curvature = -back / ROOM * sharp
    elif vain < v.ZERO:
        # The goal lies inside of the tightest circle: away from it, until it does not.
        back, vain, follows = none, min(vain + abs(speed) * dt, none), False
    elif barred and speed >= v.ZERO and ahead <= across:
        back = none + ROOM if aside > v.ZERO else none - ROOM
        tries = min(tries + v.ONE, TRIES) if car.reverse == v.ZERO and car.wheelbase == v.ZERO else none + v.ONE
        vain, target_speed, follows = -tries / sharp, -v.HALF * easy, False
    elif back == BACKS and ahead < -v.HALF * across:
        pass
    elif car.reverse == v.ONE and ahead < -across:
        back = none + BACKS
    elif (ahead < v.ZERO and speed <= easy) or (abs(back) == v.ONE and push < v.ZERO and speed <= easy):
        if abs(back) != v.ONE or (aside * back < v.ZERO and (speed > safe or -push < abs(aside))):
            back = none - v.ONE if aside < v.ZERO else none + v.ONE
        curvature, follows = back * sharp, False
    else:
        back = none
    if backed and back != BACKS and not rests and vain >= v.ZERO:
        vain += GEAR
    if not follows:
        push = min((target_speed - speed) * mass / tau, car.thrust * most)
    else:
        if abs(aside) < grip * mass:
            curvature = aside / (mass * speed * speed)
            eased = abs(speed) * dt * (sharp - abs(curvature))
            vain = max(vain - eased, none) if abs(curvature) > NEARLY * sharp else none
        elif aside != v.ZERO and not rests:
            # What cannot be steered at this speed asks for more of it.
            curvature = sharp if aside > v.ZERO else -sharp
            if speed < easy and ahead >= v.ZERO:
                push += (abs(aside) - grip * mass) * (v.ONE - max(speed, v.ZERO) / easy)
    if speed < v.ZERO and abs(back) < BACKS:
        curvature = -curvature  # It still rolls back, but turns its front already.
    after = speed + min(max(push, -car.brake * most), car.thrust * most) * dt / mass
    if abs(back) != ROOM and not (car.reverse == v.ONE and abs(back) != v.ONE):
        after = max(after, min(speed + car.brake * most * dt / mass, none))
    held = braked_speed(abs(speed), way, car.brake, most / mass, dt)
    after = min(after, held) if speed >= v.ZERO else max(after, -held)
    if barred and speed < v.ZERO and back == BACKS:
        after = min(after, -TRACE * top)
    if abs(curvature) == sharp and abs(back) != ROOM:
        vain += abs(after) * sharp * dt
        if vain > FULL_CIRCLE:
            vain = -v.TWO / sharp
    tries = max(tries - FORGETS * max(after, none) * dt * sharp, none)
    return after, curvature, Maneuver(back, vain, tries)


@kernel
def left_of(vehicles: VehicleColumns, i: int) -> Vector:
    """The direction to the left of a vehicle."""
    return v.scale(side_of(v.load(vehicles.forward, i), up_at(vehicles.up, i)), -v.ONE)


@kernel
def driven(i: int, vehicles: VehicleColumns, force: Columns, maneuver: Maneuver, way: Any, car: Any, dt: Any) -> Any:
    """The answer of `drive` for a vehicle, with a speed up to its top speed."""
    forward, most, top = v.load(vehicles.forward, i), vehicles.max_force[i], vehicles.max_speed[i]
    speed, tau = v.dot(v.load(vehicles.velocity, i), forward), max(vehicles.response_time[i], dt)
    ahead, curvature, maneuver = drive(
        v.truncate(v.load(force, i), most), forward, left_of(vehicles, i), speed, vehicles.mass[i], most, top, tau, maneuver,
        way, car, dt,
    )  # fmt: skip
    return min(max(ahead, -top), top), curvature, maneuver


class Wheel(NamedTuple):
    """The memory of a car, one number a vehicle.

    Attributes:
        front: Where the front wheel stands: an angle [rad], or a curvature [1/m] without a wheelbase.
        angle: The turn of the step [rad].
        back, vain, tries: As in `Maneuver`.
    """

    front: Array
    angle: Array
    back: Array
    vain: Array
    tries: Array


@row_kernel
def propose_rolling(
    i: int, vehicles: VehicleColumns, force: Columns, free_way: Array, car: Any, dt: Array, now: Wheel,
    following: Wheel, proposed: Columns,
) -> None:  # fmt: skip
    """Speed and turn of the step."""
    forward = v.load(vehicles.forward, i)
    left = left_of(vehicles, i)
    maneuver = Maneuver(now.back[i], now.vain[i], now.tries[i])
    ahead, curvature, maneuver = driven(i, vehicles, force, maneuver, free_way[i], car, dt[0])
    wheel = curvature
    if car.wheelbase > v.ZERO:
        wheel = math.atan(car.wheelbase * curvature)
        step = car.steer_rate * dt[0]
        wheel = now.front[i] + min(max(wheel - now.front[i], -step), step)
        curvature = math.tan(wheel) / car.wheelbase
    angle = ahead * curvature * dt[0]
    following.front[i], following.angle[i] = wheel, angle
    following.back[i], following.vain[i], following.tries[i] = maneuver
    heading = v.add(v.scale(forward, math.cos(angle)), v.scale(left, math.sin(angle)))
    v.store(proposed, i, v.scale(heading, ahead))


@row_kernel
def roll(i: int, vehicles: VehicleColumns, proposed: Columns, turned: Array, dt: Array) -> None:
    """Take the proposed velocity, move with it, and turn."""
    velocity = v.load(proposed, i)
    v.store(vehicles.velocity, i, velocity)
    v.store(vehicles.position, i, v.add_scaled(v.load(vehicles.position, i), velocity, dt[0]))
    turn_row(vehicles, i, about_up(turned[i], up_at(vehicles.up, i)))


@kernel
def about_up(angle: Any, up: Vector) -> Vector:
    """A turn to the left: a number in 2D, a rotation vector in 3D."""
    if len(up) == 3:
        return v.scale(up, angle)
    return (angle,)


@locomotion
class Wheeled(Locomotion):
    """A car: it turns only as it rolls, on circles no smaller than its turning radius.

    Args:
        turning_radius: Radius of the tightest circle [m]. Raising it turns wider.
        wheelbase: Distance of the axles [m]; with it the front wheel takes time to turn. Raising it begins bends
            later. Default: it turns at once.
        steer_rate: How fast the front wheel turns [rad/s]. Raising it turns in sooner.
        thrust: Part of max_force that the engine gives. Raising it speeds up faster.
        brake: Part of max_force that the brakes give. Raising it stops sooner.
        side: Part of max_force that the tires hold to the side. Raising it turns tighter at speed.
        reverse: Whether it backs up to goals behind it. Default: it drives on and turns around, and backs away only
            from obstacles that leave no room for that.
    """

    turning_radius: float = parameter(2.0, above=0.0, unit="m")
    wheelbase: float | None = parameter(None, above=0.0, unit="m", optional=True)
    steer_rate: float = parameter(2.0, above=0.0, unit="rad/s")
    thrust: float = parameter(1.0, low=0.0, high=1.0)
    brake: float = parameter(1.0, low=0.0, high=1.0)
    side: float = parameter(1.0, low=0.0, high=1.0)
    reverse: bool = parameter(False, kind=FLAG)

    keeps_safe: ClassVar[bool] = True

    @property
    def tightest(self) -> float:
        """The turning radius [m]."""
        return self.turning_radius

    @property
    def backs_up(self) -> bool:
        """Whether it has a reverse gear."""
        return self.reverse

    @property
    def brakes(self) -> float:
        """The force of its brakes, as far as its limits allow it."""
        return min(self.brake, super().brakes)

    @property
    def grip(self) -> float:
        """The force that its tires hold to the side, as far as its limits allow it."""
        return min(self.side, super().grip)

    @property
    def lag(self) -> float:
        """Time that the front wheel takes to stand at the full lock [s]."""
        return math.atan(self.wheelbase / self.turning_radius) / self.steer_rate if self.wheelbase else 0.0

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The numbers of `Wheel`."""
        return {"wheel": np.zeros((len(vehicles), len(Wheel._fields)), vehicles.dtype)}

    def bind(self, chassis: Chassis) -> Motion:
        """The calls that move a population."""
        own, dt = chassis.columns, chassis.dt
        now, following = Wheel(*chassis.memory.now("wheel")), Wheel(*chassis.memory.next("wheel"))
        propose = (
            own, chassis.force, chassis.free_ways(), self._car(chassis.vehicles.dtype, chassis.brakes), dt,
            now, following, chassis.proposed,
        )  # fmt: skip
        return Motion([Call(propose_rolling, propose)], [Call(roll, (own, chassis.proposed, now.angle, dt))])

    @explained
    def signals(self, vehicles: Vehicles, force: Any, dt: float = 1 / 60) -> Signals:
        """The actions of a driver: for a game that has a car of its own.

        Args:
            vehicles: The population.
            force: Steering forces [N], shape (n, d).
            dt: The time step [s].

        Returns:
            Steering wheel, accelerator and brake of every vehicle.
        """
        forces = as_floats("force", force, vehicles.dtype)
        if forces.shape != vehicles.position.shape:
            raise ValueError(f"force must have shape {vehicles.position.shape}, got {forces.shape}")
        own, car = vehicles.columns, self._car(vehicles.dtype)
        n, columns = len(vehicles), np.zeros((3, len(vehicles)), vehicles.dtype)
        step = np.array([dt], vehicles.dtype)
        Call(signal, (own, tuple(np.ascontiguousarray(forces.T)), car, step, *columns)).run(n)
        return Signals(*columns)

    def _car(self, dtype: Any, brakes: float = 1.0) -> Any:
        """The abilities of the car; `sharpest` is the curvature of the tightest circle [1/m]."""
        changed = {"brake": min(self.brake, brakes), "wheelbase": self.wheelbase or 0.0}
        return numbers_of(
            self, dtype, "thrust", "side", "steer_rate", "reverse", **changed, sharpest=1 / self.turning_radius
        )


@row_kernel
def signal(
    i: int, vehicles: VehicleColumns, force: Columns, car: Any, dt: Array, steer: Array, throttle: Array,
    brake: Array,
) -> None:  # fmt: skip
    """Compute the actions of a driver."""
    speed, most = v.dot(v.load(vehicles.velocity, i), v.load(vehicles.forward, i)), vehicles.max_force[i]
    none = v.ZERO * most
    ahead, curvature, _ = driven(i, vehicles, force, Maneuver(none, none, none), v.INFINITE + none, car, dt[0])
    push = (ahead - speed) * vehicles.mass[i] / dt[0]
    steer[i] = curvature / car.sharpest
    if car.wheelbase > v.ZERO:
        steer[i] = math.atan(car.wheelbase * curvature) / math.atan(car.wheelbase * car.sharpest)
    backs = speed < v.ZERO or (speed == v.ZERO and push < v.ZERO)
    if backs:
        push = -push
    throttle[i], brake[i] = v.ZERO, v.ZERO
    if push > v.ZERO and car.thrust * most > v.ZERO:
        throttle[i] = min(push / (car.thrust * most), v.ONE)
    if push < v.ZERO and car.brake * most > v.ZERO:
        brake[i] = min(-push / (car.brake * most), v.ONE)

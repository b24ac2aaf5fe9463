"""Drive: the end of every behavior that goes somewhere: the force for a way to go, by its speed and thrust.

    thrust="match":  force = m (speed * unit(way) - velocity) / response_time
    thrust="full":   force = max_force * unit(way), at any velocity (the Unity lecture's law; use it with drag)

speed is "max", a number, "current" (both Reynolds 1999, "Seek") or "offset": as many m/s as there are meters to go, at
most the maximum (the game AI lecture's truncate(offset, max_speed)), which is slow near the target.

A vehicle that goes to a point (`drive_to`) passes through it and turns back, as in the paper. Within a landing time of the
point its desired velocity shrinks with the way that is left:

    desired = way / T      where |way| < speed T,      T = max(dt, speed mass / (16 max_force))

By the paper's law alone a vehicle that cannot stop at once would swing through the point for ever, and one that can would
tremble there, one step to and one step fro. It brakes over an eighth of the way that it needs to stop, so that it passes
through at no less than 0.93 of its speed, and each swing is a quarter of the first one's way shorter: after some five
swings it rests, whatever the time step is, and however weak its brakes are. Where the point moves there is nowhere to
rest: T is a step there.
"""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import named_numbers
from steersman.core.maths.vectors import ONE, TWO, dot, load, scale, truncate, with_length
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.tree.forces import match
from steersman.core.typing import Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

THREE = np.float32(3)

LANDING = np.float32(1 / 16)
"""Part of the time that a vehicle needs to stop, in which it lands."""

STILL = np.float32(0.02)
"""Part of a vehicle's max_speed below which what it looks at stands."""

SPEEDS = {"max": 0.0, "current": 1.0, "offset": 2.0}
NUMBER = 3.0


class DriveNumbers(NamedTuple):
    """How to go, for kernels.

    Attributes:
        kind: Source of the speed: see SPEEDS, NUMBER.
        speed: Of NUMBER: the speed [m/s].
        full: 1 for thrust="full", else 0.
    """

    kind: Any
    speed: Any
    full: Any


@kernel
def drive(way: Vector, i: int, vehicles: VehicleColumns, go: DriveNumbers, dt: Any) -> Vector:
    """The force that moves vehicle i along a way [m]."""
    desired = desired_velocity(way, load(vehicles.velocity, i), vehicles.max_speed[i], go.kind, go.speed)
    force = match(desired, load(vehicles.velocity, i), vehicles.mass[i], vehicles.response_time[i], dt)
    return thrust(way, force, vehicles.max_force[i], go.full)


@kernel
def drive_to(way: Vector, rests: bool, i: int, vehicles: VehicleColumns, go: DriveNumbers, dt: Any) -> Vector:
    """The force that moves vehicle i to the end of a way [m], which `rests` or moves: that of `drive`, but it lands there."""
    velocity = load(vehicles.velocity, i)
    desired = desired_velocity(way, velocity, vehicles.max_speed[i], go.kind, go.speed)
    way2, speed2, time = dot(way, way), dot(desired, desired), dt
    lands = way2 < speed2 * dt * dt
    if rests:  # By squares: a root for each vehicle would make a step a quarter longer.
        landing = LANDING * vehicles.mass[i] / vehicles.max_force[i]
        lands = lands or way2 < speed2 * (landing * landing * speed2)
    if lands:
        if rests:
            time = landing_time(math.sqrt(speed2), i, vehicles, dt)
        desired = scale(way, ONE / time)
    force = match(desired, velocity, vehicles.mass[i], vehicles.response_time[i], dt)
    return force if lands else thrust(way, force, vehicles.max_force[i], go.full)


@kernel
def landing_time(speed: Any, i: int, vehicles: VehicleColumns, dt: Any) -> Any:
    """The time [s] in which vehicle i lands at a point that rests, from a speed [m/s]; a step at least."""
    return max(dt, LANDING * speed * vehicles.mass[i] / vehicles.max_force[i])


@kernel
def stands(velocity: Vector, i: int, vehicles: VehicleColumns) -> bool:
    """Whether what moves with a velocity [m/s] is as good as at rest to vehicle i."""
    still = STILL * vehicles.max_speed[i]
    return bool(dot(velocity, velocity) <= still * still)


@kernel
def desired_velocity(way: Vector, velocity: Vector, max_speed: Any, kind: Any, number: Any) -> Vector:
    """The velocity along a way [m] at the wanted speed."""
    if kind == TWO:
        return truncate(way, max_speed)
    speed = max_speed
    if kind == ONE:
        speed = math.sqrt(dot(velocity, velocity))
    elif kind == THREE:
        speed = number
    return with_length(way, speed)


@kernel
def thrust(way: Vector, force: Vector, max_force: Any, full: Any) -> Vector:
    """The force itself, or with thrust="full" max_force along the way."""
    if full == ONE:
        return with_length(way, max_force)
    return force


@dataclass(frozen=True, eq=False)
class Driven(Behavior):
    """Base of the behaviors that go somewhere.

    Args:
        speed: How fast to go [m/s]: a number, "max", "current" or "offset" (slow near the target). Raising it goes faster.
        thrust: How hard to push: "match" reaches the wanted velocity within the response time, "full" pushes with max_force
            along the way.
    """

    _: KW_ONLY
    speed: float | str = parameter("max", choices=tuple(SPEEDS), low=0.0, unit="m/s")
    thrust: str = parameter("match", kind=TEXT, choices=("match", "full"))

    def go(self, dtype: Any) -> DriveNumbers:
        """Speed and thrust for `drive`."""
        return drive_numbers(self.speed, dtype, full=self.thrust == "full")


def drive_numbers(speed: float | str, dtype: Any, *, full: bool = False) -> DriveNumbers:
    """A speed for `drive`, and whether the thrust is full."""
    kind = SPEEDS[speed] if isinstance(speed, str) else NUMBER
    return named_numbers(DriveNumbers, dtype, kind=kind, speed=0.0 if isinstance(speed, str) else speed, full=full)

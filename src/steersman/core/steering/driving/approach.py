"""Approach: the end of every behavior that goes along a way and stops where the way ends.

    desired = full * min(1, remaining / slowing_distance) * unit(way)
    force   = mass * (desired - velocity) / response_time

The linear ramp of Reynolds 1999, "Arrival", over the rest of the way; where that is a straight line, it is Arrive. It
does not overshoot when

    slowing_distance >= max(4 full response_time, mass full^2 / brake_force)

with the force that the body brakes with (`brake_force`). That is the slowing distance of every vehicle for which none is
given (`shortest_slowing`), and the room in which a vehicle turns at full speed (`usual_distance`).
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, TWO, ZERO, dot, with_length
from steersman.core.steering.driving.drive import THREE, DriveNumbers
from steersman.core.steering.tree.forces import match
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

FOUR = np.float32(4)


@kernel
def braking_speed(distance: Any, acceleration: Any, tau: Any) -> Any:
    """The highest speed to ask for, from which the vehicle still stops at the target without overshooting.

    Near the target the approach is a critically damped spring; farther away the vehicle brakes at full force, from one
    response time earlier, since the velocity lags by that much.
    """
    lag = acceleration * tau
    spring = distance / (FOUR * tau)
    room = distance - TWO * lag * tau
    if room < TWO * lag * tau:
        return spring
    return min(spring, math.sqrt(TWO * acceleration * room) - lag)


@kernel
def full_speed(way: Vector, velocity: Vector, max_speed: Any, go: DriveNumbers) -> Any:
    """The speed at which `drive` goes along a way [m], in m/s."""
    if go.kind == ONE:
        return math.sqrt(dot(velocity, velocity))
    if go.kind == TWO:
        return min(math.sqrt(dot(way, way)), max_speed)
    if go.kind == THREE:
        return go.speed
    return max_speed


@kernel
def brake_force(i: int, vehicles: VehicleColumns, brakes: Any) -> Any:
    """The force that vehicle i stops with [N]. `brakes`: the part of max_force that its body has for it, of `Scene.stopping`.

    Every distance and speed of a stop is computed from it.
    """
    return brakes * vehicles.max_force[i]


@kernel
def shortest_slowing(full: Any, mass: Any, force: Any, tau: Any) -> Any:
    """The shortest slowing distance without overshoot [m] with a force to brake; infinite for a vehicle that has none."""
    return max(FOUR * full * tau, mass * full * full / force)


@kernel
def usual_distance(full: Any, mass: Any, force: Any, tau: Any) -> Any:
    """The same for a vehicle that turns rather than stops [m]: a vehicle without force has the room of its response."""
    if force > ZERO:
        return shortest_slowing(full, mass, force, tau)
    return FOUR * full * tau


@kernel
def slowing_distance(full: Any, i: int, vehicles: VehicleColumns, brakes: Any, tau: Any, chosen: Any) -> Any:
    """The given slowing distance [m] or, where that is negative, the shortest without overshoot."""
    if chosen >= ZERO:
        return chosen
    return shortest_slowing(full, vehicles.mass[i], brake_force(i, vehicles, brakes), tau)


@kernel
def slowing_distance_of(full: Any, numbers: Any) -> Any:
    """The slowing distance [m] as it is given, or from the time at full speed; negative where neither is given."""
    distance = numbers.slowing_distance
    if numbers.deceleration_time >= ZERO:
        distance = full * numbers.deceleration_time
    return distance


def shortest_slowing_of(speed: Any, mass: Any, force: Any, response_time: Any) -> Array:
    """`shortest_slowing` of arrays [m]; infinite for a vehicle that moves and cannot brake."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.fmax(4 * speed * response_time, mass * speed**2 / force))


@kernel
def approach(way: Vector, remaining: Any, slowing: Any, full: Any, velocity: Vector, mass: Any, tau: Any) -> Vector:
    """The force that moves a vehicle along a way [m] at full speed, slower where less than `slowing` remains [m].

    It takes numbers instead of the whole body: to pass the body on would cost as much as the rest.
    """
    speed = full
    if remaining < slowing:
        speed = full * (remaining / slowing)
    return match(with_length(way, speed), velocity, mass, tau, tau)

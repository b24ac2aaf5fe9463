"""Seek and flee: the difference between the desired velocity and the present one.

    steering = desired - velocity

Reynolds 1999, "Seek" and "Flee" (the printed `position - target` in seek has the wrong sign). The difference is a
velocity [m/s]; `match` makes it a force, and with a response time equal to the mass the two are the same in numbers.
"""

from typing import Any

import numpy as np

from steersman.core.steering.laws.vectors import Number, length, level, per_vehicle, with_length
from steersman.core.typing import Array


def match(desired: Array, velocity: Array, mass: Number, response_time: Number) -> Array:
    """The force that turns a velocity into the desired one within the response time: m (u - v) / tau.

    With tau = dt it is the force of the project notes ("Seek": m (v_d - v) / dt); with tau = m it is, in numbers,
    Reynolds' literal `desired - velocity`.

    Args:
        desired: Desired velocities u [m/s], shape (d,) or (n, d).
        velocity: Velocities v [m/s], shape (d,) or (n, d).
        mass: Masses m [kg], a number or shape (n,).
        response_time: Response times tau [s], > 0, a number or shape (n,).

    Returns:
        Forces [N], shape (d,) or (n, d).
    """
    return np.asarray(per_vehicle(mass) * np.subtract(desired, velocity) / per_vehicle(response_time))


def thrust(direction: Array, max_force: Number) -> Array:
    """Full force in a direction, at any velocity: F unit(direction). To be used with drag.

    Source: the lecture on steering in Unity, "Seek Behavior".
    """
    return with_length(direction, max_force)


def cruise_speed(offset: Array, velocity: Array, max_speed: Number, speed: Any = "max") -> Any:
    """The speed at which a vehicle goes along an offset.

    Args:
        offset: The way to the target [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        speed: "max": the maximum speed, or "current": the speed it has now (both Reynolds 1999, "Seek"; at rest the
            latter is zero); "offset": as many m/s as there are meters left, at most the maximum (game AI lecture,
            "Seek": truncate(offset, V)); or a number [m/s] (project notes, "Seek").

    Returns:
        Speeds [m/s], a number or shape (n,).
    """
    if not isinstance(speed, str):
        return speed
    if speed == "max":
        return max_speed
    if speed == "current":
        return length(velocity)
    if speed == "offset":
        return np.minimum(length(offset), max_speed)
    raise ValueError(f'speed must be "max", "current", "offset" or a number in m/s, got {speed!r}')


def seek(
    position: Array, velocity: Array, target: Array, max_speed: Number, *, speed: Any = "max", dt: Number = 0.0
) -> Array:
    """Steer toward a point: speed * unit(target - position) - velocity.

    Less than a time dt away, where |target - position| < speed * dt, it lands: (target - position) / dt - velocity.

    Source: Reynolds 1999, "Seek"; the landing is our own, and keeps vehicles from swinging through the point for ever, and
    from trembling about it, one step to and one step fro. On the target the desired velocity is zero.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        target: Points to reach [m], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.
        dt: Time of the landing [s], >= 0, a number or shape (n,): a time step, or `landing_time` where the target stands.
            0 is the paper's law, which does not land.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    offset = np.subtract(target, position)
    desired = with_length(offset, cruise_speed(offset, velocity, max_speed, speed))
    lands = per_vehicle(length(offset) < length(desired) * dt)
    time = np.where(lands, per_vehicle(dt), 1.0).astype(desired.dtype)
    return np.asarray(np.where(lands, offset / time, desired) - velocity)


LANDING = 1 / 16
"""Part of the time that a vehicle needs to stop, in which it lands."""


def landing_time(speed: Number, acceleration: Number, dt: float) -> Array:
    """The time in which seek lands at a point that stands: max(dt, speed / (16 acceleration)).

    It brakes over an eighth of the way that it needs to stop, passes through the point, and rests after some five swings.

    This library's own.

    Args:
        speed: Desired speeds [m/s], a number or shape (n,).
        acceleration: max_force / mass [m/s^2], > 0, a number or shape (n,).
        dt: Time step [s].

    Returns:
        Times [s].
    """
    return np.maximum(dt, LANDING * np.asarray(speed) / acceleration)


def flee(
    position: Array,
    velocity: Array,
    target: Array,
    max_speed: Number,
    *,
    panic_distance: Number = np.inf,
    speed: Any = "max",
    up: Array | None = None,
) -> Array:
    """Steer away from a point: speed * unit(position - target) - velocity; zero beyond the panic distance.

    Source: Reynolds 1999, "Flee"; the panic distance: game AI lecture, "Flee".

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        target: Points to get away from [m], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        panic_distance: Distance beyond which no vehicle flees [m], a number or shape (n,).
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.
        up: Of vehicles that cannot leave a surface its unit normals, shape (3,) or (n, 3): they flee along it, as far as the
            target is not straight above or below.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    offset = np.subtract(position, target)
    way = level(offset, up)
    desired = with_length(way, cruise_speed(offset, velocity, max_speed, speed))
    calm = length(offset) > panic_distance
    return np.where(calm[..., None], 0, desired - velocity)

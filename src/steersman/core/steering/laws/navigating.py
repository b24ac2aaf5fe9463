"""Navigation: courses that keep a target at a constant bearing, and the speed along a course.

Reynolds 1999, "Pursuit": a character on a collision course with a target sees it at a constant heading, so it can steer
toward interception by contriving to keep it there.
"""

import numpy as np

from steersman.core.steering.laws.vectors import Number, dot, lateral, normalize, per_vehicle, ratio, with_length
from steersman.core.typing import Array


def proportional_navigation(
    position: Array, velocity: Array, target: Array, target_velocity: Array, gain: Number = 3.0
) -> Array:
    """The acceleration that turns the velocity `gain` times as fast as the line of sight turns.

        a = gain * Omega x v,   Omega = (r x w) / r^2,   r = target - position,   w = target_velocity - velocity

    written without cross products, so that it holds in the plane too: gain * (w (r . v) - r (w . v)) / r^2. It is
    perpendicular to v, and zero on a collision course.

    Source: Reynolds 1999, "Pursuit" (the idea).

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities v [m/s], shape (d,) or (n, d).
        target: Positions of the targets [m], shape (d,) or (n, d).
        target_velocity: Their velocities [m/s], shape (d,) or (n, d).
        gain: How many times faster, a number or shape (n,).

    Returns:
        Accelerations [m/s^2], shape (d,) or (n, d); zero on the target.
    """
    way, relative = np.subtract(target, position), np.subtract(target_velocity, velocity)
    turned = relative * dot(way, velocity)[..., None] - way * dot(relative, velocity)[..., None]
    return np.asarray(per_vehicle(gain) * ratio(turned, dot(way, way)[..., None]))


def parallel_navigation(
    position: Array, velocity: Array, target: Array, target_velocity: Array, speed: Number
) -> Array:
    """Steer a course on which the line of sight does not turn at all.

        desired = s + unit(r) sqrt(speed^2 - s^2),   s = target_velocity without its part along r

    A target that crosses faster than the vehicle cannot be kept at its bearing: then the vehicle goes in the same
    direction.

    Source: Reynolds 1999, "Pursuit" (the idea).

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        target: Positions of the targets [m], shape (d,) or (n, d).
        target_velocity: Their velocities [m/s], shape (d,) or (n, d).
        speed: Speeds to go at [m/s], a number or shape (n,).

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    return np.asarray(parallel_course(normalize(np.subtract(target, position)), target_velocity, speed) - velocity)


def parallel_course(sight: Array, other: Array, speed: Number) -> Array:
    """The velocity of a speed that goes along the unit vector `sight`, seen from an object with the velocity `other`.

        s + sight sqrt(speed^2 - s^2),   s = other without its part along sight

    Where s is too fast, the velocity of that speed along s.

    Args:
        sight: Unit vectors, shape (d,) or (n, d).
        other: Velocities [m/s], shape (d,) or (n, d).
        speed: Speeds [m/s], a number or shape (n,).

    Returns:
        Velocities [m/s], shape (d,) or (n, d).
    """
    aside = lateral(other, sight)
    room = np.square(speed) - dot(aside, aside)
    along = per_vehicle(np.sqrt(np.maximum(room, 0)))
    return np.asarray(np.where((room <= 0)[..., None], with_length(aside, speed), aside) + along * sight)


def target_speed(velocity: Array, forward: Array, speed: Number) -> Array:
    """Reach a speed along forward: (speed - velocity . forward) forward.

    Args:
        velocity: Velocities [m/s], shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        speed: The speeds to reach [m/s], a number or shape (n,).

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    return np.asarray((speed - dot(velocity, forward))[..., None] * np.asarray(forward))

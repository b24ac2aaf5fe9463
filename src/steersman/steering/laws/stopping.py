"""Stopping: what a force may not do, so that the vehicle can still stop before every surface that it would meet.

    v' = v + F dt / m,   s(g) = sqrt(a^2 dt^2 + 2 a g) - a dt,   a = BRAKES max_force / m
    F is changed as little as will do for   v' . n >= -s(g)   of every surface, g away along its normal n

After one step at s(g), braking at a stops the vehicle just there: (s dt) + s^2 / (2 a) = g. This library's own.
"""

import math

import numpy as np

from steersman.geometry.vectors import Array
from steersman.steering.laws.vectors import dot, truncate

BRAKES = 0.55
"""Part of max_force that braking before one surface is reckoned with: as much is there for each of the three of a corner."""

BACK = 0.1
"""Who is nearer than it should be comes away from the surface within about this time [s], when it next approaches it."""

SWEEPS = 8
"""How often the surfaces are gone through: two at a right angle need one, sharp corners more."""


def way_to_stop(speed: float, strength: float, dt: float) -> float:
    """How far a vehicle gets that goes on for two steps, speeding up, and then brakes [m]; infinite without brakes.

    Args:
        speed: Speed [m/s].
        strength: Acceleration at max_force [m/s^2].
        dt: Time step [s].
    """
    if strength <= 0:
        return math.inf
    faster = speed + strength * dt
    return faster**2 / (2 * BRAKES * strength) + 2 * faster * dt


def stoppable_speed(gap: float, strength: float, dt: float) -> float:
    """The closing speed [m/s] from which a vehicle can still stop within a gap [m].

    It is negative where the gap is: there the vehicle is to come away. Other arguments as for `way_to_stop`.
    """
    if gap < 0:
        return gap / BACK
    brakes = BRAKES * strength
    return math.sqrt((brakes * dt) ** 2 + 2 * brakes * gap) - brakes * dt


def held_back(velocity: Array, normals: Array, speeds: Array) -> Array:
    """A velocity nearby that closes in on no surface faster than it may.

    Args:
        velocity: Velocity [m/s], shape (d,).
        normals: Unit normals of the surfaces, shape (k, d).
        speeds: How fast it may come toward each [m/s], shape (k,).

    Returns:
        The velocity [m/s], shape (d,).
    """
    velocity = np.asarray(velocity)
    for _ in range(SWEEPS):
        for normal, speed in zip(normals, speeds, strict=True):
            velocity = velocity + max(-speed - float(velocity @ normal), 0.0) * normal
    return velocity


def stop_before(
    velocity: Array, force: Array, mass: float, max_force: float, normals: Array, gaps: Array, dt: float
) -> Array:
    """The force, held back so that the vehicle can still stop; what brakes comes first where not all fits into max_force.

    Args:
        velocity: Velocity [m/s], shape (d,).
        force: What else is wanted [N], shape (d,).
        mass: Mass [kg].
        max_force: Maximum force [N].
        normals: Unit normals of the surfaces that would be met, shape (k, d).
        gaps: How near they may still come [m], shape (k,).
        dt: Time step [s].

    Returns:
        The force [N], shape (d,).
    """
    velocity, gain = np.asarray(velocity), mass / dt
    speeds = np.array([stoppable_speed(gap, max_force / mass, dt) for gap in gaps])
    whole = gain * (held_back(velocity + truncate(force, max_force) / gain, normals, speeds) - velocity)
    if dot(whole, whole) <= max_force**2:
        return np.asarray(whole)
    brakes = truncate(gain * (held_back(velocity, normals, speeds) - velocity), max_force)
    rest = whole - brakes
    a, b, c = float(rest @ rest), float(brakes @ rest), float(brakes @ brakes) - max_force**2
    if a <= 0:
        return brakes
    share = (math.sqrt(max(b * b - a * c, 0.0)) - b) / a
    return np.asarray(brakes + min(max(share, 0.0), 1.0) * rest)

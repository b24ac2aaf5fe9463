"""The simple vehicle model: how a steering force moves a point mass, and how bodies respond to it.

Reynolds 1999, "A Simple Vehicle Model", where a step is one frame; here it takes dt seconds. The smoothed heading is the game
AI lecture's, the walking speed in a crowd U. Weidmann's, "Transporttechnik der Fussgaenger" (1993).
"""

import numpy as np

from steersman.core.steering.laws.predicting import predict
from steersman.core.steering.laws.vectors import Number, lateral, normalize, per_vehicle, truncate
from steersman.core.typing import Array

GRAVITY = (0.0, 0.0, -9.81)
"""On earth, with z upwards [m/s^2]."""


def point_mass_step(
    position: Array,
    velocity: Array,
    force: Array,
    *,
    mass: Number,
    max_force: Number,
    max_speed: Number,
    dt: float,
) -> tuple[Array, Array]:
    """One step of a point mass; the new velocity moves it.

        force    = truncate(force, max_force)
        velocity = truncate(velocity + force / mass * dt, max_speed)
        position = position + velocity * dt

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        force: Steering forces [N], shape (d,) or (n, d).
        mass: Masses [kg], a number or shape (n,).
        max_force: Maximum forces [N], a number or shape (n,).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        dt: Time step [s].

    Returns:
        New positions [m] and velocities [m/s], each of shape (d,) or (n, d).
    """
    acceleration = truncate(force, max_force) / per_vehicle(mass)
    moved = truncate(velocity + acceleration * dt, max_speed)
    return predict(position, moved, dt), moved


def banked_up(
    acceleration: Array, forward: Array, *, gravity: tuple[float, ...] | Array = GRAVITY, bank: float = 1.0
) -> Array:
    """The up vector of a flying vehicle whose floor is aligned with the apparent gravity.

        unit( lateral part of (bank * acceleration - gravity) )

    Args:
        acceleration: Acceleration by the steering force [m/s^2], shape (3,) or (n, 3).
        forward: Unit vectors, shape (3,) or (n, 3).
        gravity: Acceleration of gravity, downwards [m/s^2], shape (3,).
        bank: Weight of the acceleration; 1 banks as for a coordinated turn.

    Returns:
        Unit vectors, shape (3,) or (n, 3); zero where the apparent gravity is along forward.
    """
    apparent = np.multiply(bank, acceleration) - np.asarray(gravity)
    return normalize(lateral(apparent, forward))


def smoothed_headings(headings: Array, samples: int) -> Array:
    """The mean of the last headings, at every step; before the first there were zeros.

    Args:
        headings: Headings (or velocities) of consecutive steps, shape (steps, d) or (steps, n, d).
        samples: How many steps are averaged.

    Returns:
        Means, of the same shape.
    """
    values = np.asarray(headings)
    sums = np.cumsum(values, axis=0)
    before = np.concatenate([np.zeros_like(sums[:1]).repeat(samples, axis=0), sums])[: len(sums)]
    return np.asarray((sums - before) / samples)


def walking_speed(density: Number) -> Array:
    """How fast people walk in a crowd, as measured by Weidmann (1993).

        v = 1.34 (1 - exp(-1.913 (1 / density - 1 / 5.4)))

    Args:
        density: People per area [1/m^2], > 0, of any shape.

    Returns:
        Speeds [m/s]; zero from 5.4 people per square meter on.
    """
    return np.asarray(1.34 * (1 - np.exp(-1.913 * np.maximum(1 / np.asarray(density, float) - 1 / 5.4, 0))))

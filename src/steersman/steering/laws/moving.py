"""The simple vehicle model: how a steering force moves a point mass.

Reynolds 1999, "A Simple Vehicle Model", where a step is one frame; here it takes dt seconds.
"""

from steersman.geometry.vectors import Array
from steersman.steering.laws.predicting import predict
from steersman.steering.laws.vectors import Number, per_vehicle, truncate


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

"""Jitter: how much vehicles tremble."""

from typing import Any

import numpy as np

from steersman.geometry.arrays import as_floats
from steersman.geometry.brief import brief


def turn_jitter(velocity: Any, dt: float) -> float:
    """Root mean square of the turn acceleration: how abruptly headings change their rate of turning [rad/s^2].

    A straight way and a steady turn have none. Made from the second difference of the direction of motion, without its
    part along the direction; a vehicle at rest has no direction, and does not count.

    Args:
        velocity: Velocities after each of at least three steps [m/s], shape (steps, n, d).
        dt: The time between them [s].

    Returns:
        The jitter [rad/s^2]; NaN where nobody moved.

    Raises:
        TypeError: The velocities are no numbers.
        ValueError: They have another shape, or dt is not > 0.
    """
    rows = as_floats("velocity", velocity, np.float64)
    if rows.ndim != 3 or len(rows) < 3:
        raise ValueError(f"velocity must have shape (steps, n, d) with at least 3 steps, got {rows.shape}")
    if not dt > 0:
        raise ValueError(f"dt must be > 0 s, got {brief(dt)}")
    speed = np.sqrt(np.sum(rows**2, axis=2))
    moving = (speed[2:] > 0) & (speed[1:-1] > 0) & (speed[:-2] > 0)
    if not moving.any():
        return np.nan
    unit = rows / np.where(speed > 0, speed, 1.0)[..., None]
    change = (unit[2:] - 2 * unit[1:-1] + unit[:-2]) / dt**2
    turning = change - np.sum(change * unit[1:-1], axis=2, keepdims=True) * unit[1:-1]
    return float(np.sqrt(np.mean(np.sum(turning**2, axis=2)[moving])))

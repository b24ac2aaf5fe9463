"""Jitter: how much vehicles tremble. Acceleration, jerk, and the acceleration of turning, from velocities at equal times.

Differences of neighboring frames stand for derivatives: with v_k the velocity at frame k,

    acceleration   a_k = (v_k+1 - v_k) / dt                       [m/s^2]
    jerk           j_k = (v_k+1 - 2 v_k + v_k-1) / dt^2           [m/s^3]
    turning        w_k = (u_k+1 - 2 u_k + u_k-1) / dt^2, less its part along u_k     [rad/s^2], u = v / |v|

Flash and Hogan 1985 measure the smoothness of a movement by the mean square of the jerk.
"""

from typing import Any

import numpy as np

from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Frames, as_dt, lengths, units
from steersman.runs.metrics.metric import metric

__all__ = ["acceleration", "accelerations", "jerk", "jerks", "turn_accelerations", "turn_jitter"]


def _moving(velocity: Any, frames: int) -> Array:
    return Frames("velocity", velocity).least(frames).values


def rms(vectors: Array, which: Array | None = None) -> float:
    """Root mean square of the lengths of vectors, shape (..., d); NaN without vectors."""
    squares = np.sum(vectors**2, axis=-1)
    squares = squares.ravel() if which is None else squares[which]
    return float(np.sqrt(np.mean(squares))) if squares.size else np.nan


@explained
def accelerations(velocity: Any, dt: float) -> Array:
    """Accelerations between frames.

    Formula: a_k = (v_k+1 - v_k) / dt.

    Args:
        velocity: Velocities at equal times [m/s], shape (frames, n, d), at least two frames.
        dt: The time between frames [s], > 0.

    Returns:
        Accelerations [m/s^2], shape (frames - 1, n, d).
    """
    return np.asarray(np.diff(_moving(velocity, 2), axis=0) / as_dt(dt))


@metric(readings=2)
def acceleration(velocity: Any, dt: float) -> float:
    """Root mean square acceleration of all vehicles [m/s^2]; NaN without vehicles.

    Formula: sqrt(mean of |a|^2), see `accelerations`, which has the arguments, too. SteerBench (Singh et al.
    2009) sums |a|, as effort.
    """
    return rms(accelerations(velocity, dt))


@explained
def jerks(velocity: Any, dt: float) -> Array:
    """Jerk, the rate at which acceleration changes, at all frames but the first and the last.

    Formula: j_k = (v_k+1 - 2 v_k + v_k-1) / dt^2.

    Args:
        velocity: Velocities at equal times [m/s], shape (frames, n, d), at least three frames.
        dt: The time between frames [s], > 0.

    Returns:
        Jerks [m/s^3], shape (frames - 2, n, d).
    """
    rows = _moving(velocity, 3)
    return np.asarray((rows[2:] - 2 * rows[1:-1] + rows[:-2]) / as_dt(dt) / as_dt(dt))


@metric(readings=3)
def jerk(velocity: Any, dt: float) -> float:
    """Root mean square jerk of all vehicles [m/s^3]; NaN without vehicles.

    Formula: sqrt(mean of |j|^2), see `jerks`, which has the arguments, too. Source: Flash and Hogan 1985, where
    its mean square is the cost of a movement.
    """
    return rms(jerks(velocity, dt))


@explained
def turn_accelerations(velocity: Any, dt: float) -> Array:
    """How abruptly headings change their rate of turning, at all frames but the first and the last.

    Formula: |w_k|, w_k = (u_k+1 - 2 u_k + u_k-1) / dt^2 less its part along u_k, where u = v / |v|. It is zero on a straight
    way and in a steady turn, at any change of speed.

    Args:
        velocity: Velocities at equal times [m/s], shape (frames, n, d), at least three frames.
        dt: The time between frames [s], > 0.

    Returns:
        Turn accelerations [rad/s^2], shape (frames - 2, n); NaN where a vehicle rests at one of the three frames, because it
        has no direction then.
    """
    turning, moving = _turning(velocity, dt)
    return np.where(moving, lengths(turning), np.nan)


def _turning(velocity: Any, dt: float) -> tuple[Array, Array]:
    """Turn accelerations as vectors, and a mask of the vehicles that move."""
    rows = _moving(velocity, 3)
    there = lengths(rows) > 0
    unit = units(rows)
    change = (unit[2:] - 2 * unit[1:-1] + unit[:-2]) / as_dt(dt) / as_dt(dt)
    across = change - np.sum(change * unit[1:-1], axis=2, keepdims=True) * unit[1:-1]
    return across, there[2:] & there[1:-1] & there[:-2]


@metric(readings=3)
def turn_jitter(velocity: Any, dt: float) -> float:
    """Root mean square of the turn acceleration: how abruptly headings change their rate of turning [rad/s^2].

    Formula: sqrt(mean of |w|^2) over all vehicles and frames, see `turn_accelerations`. It is zero on a straight way and in
    a steady turn; a vehicle at rest has no direction, and does not count.

    Args:
        velocity: Velocities at equal times [m/s], shape (frames, n, d), at least three frames.
        dt: The time between frames [s], > 0.

    Returns:
        The jitter [rad/s^2]; NaN where no vehicle moved.
    """
    return rms(*_turning(velocity, dt))

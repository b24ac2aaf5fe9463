"""Pursue and evade: seek and flee of the point where the other will be.

Reynolds 1999, "Pursuit" and "Evasion". The prediction time is an argument: take one of the estimators of
`predicting`, or any number of seconds (a constant; zero chases the quarry's tail).
"""

from typing import Any

import numpy as np

from steersman.core.steering.laws.predicting import approach_time, predict
from steersman.core.steering.laws.reaching import flee, seek
from steersman.core.steering.laws.vectors import Number, dot
from steersman.core.typing import Array

HEAD_ON_COSINE = -0.95
"""Cosine of the headings below which two vehicles face each other."""


def is_head_on(position: Array, forward: Array, quarry: Array, quarry_forward: Array) -> Array:
    """Whether the quarry is ahead and comes straight at the pursuer, so that no prediction is needed.

    offset . forward > 0 and forward . quarry_forward < -0.95.

    Source: game AI lecture, "Pursue".

    Args:
        position: Positions of the pursuers [m], shape (d,) or (n, d).
        forward: Their unit forward vectors, shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_forward: Unit forward vectors of the quarries, shape (d,) or (n, d).

    Returns:
        Booleans, shape () or (n,).
    """
    ahead = dot(np.subtract(quarry, position), forward) > 0
    return np.asarray(ahead & (dot(forward, quarry_forward) < HEAD_ON_COSINE))


def pursue(
    position: Array,
    velocity: Array,
    quarry: Array,
    quarry_velocity: Array,
    max_speed: Number,
    *,
    time: Number | None = None,
    head_on: bool | Array = False,
    speed: Any = "max",
) -> Array:
    """Seek the predicted position: seek(quarry + quarry_velocity * T).

    Source: Reynolds 1999, "Pursuit"; the head-on case: game AI lecture, "Pursue".

    Args:
        position: Positions of the pursuers [m], shape (d,) or (n, d).
        velocity: Their velocities [m/s], shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_velocity: Velocities of the quarries [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds of the pursuers [m/s], a number or shape (n,).
        time: Prediction time T [s], a number or shape (n,). Default: `approach_time`.
        head_on: Where the quarry itself is sought, a flag or shape (n,): see `is_head_on`.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    if time is None:
        time = approach_time(position, quarry, quarry_velocity, max_speed)
    target = predict(quarry, quarry_velocity, np.where(head_on, 0, time))
    return seek(position, velocity, target, max_speed, speed=speed)


def evade(
    position: Array,
    velocity: Array,
    pursuer: Array,
    pursuer_velocity: Array,
    max_speed: Number,
    *,
    time: Number | None = None,
    panic_distance: Number = np.inf,
    speed: Any = "max",
) -> Array:
    """Flee the predicted position: flee(pursuer + pursuer_velocity * T).

    Source: Reynolds 1999, "Evasion". There is no head-on case, and it is the predicted position that must be within the
    panic distance.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        pursuer: Positions of the pursuers [m], shape (d,) or (n, d).
        pursuer_velocity: Velocities of the pursuers [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        time: Prediction time T [s], a number or shape (n,). Default: `approach_time`.
        panic_distance: Distance to the predicted position beyond which no vehicle flees [m], a number or shape (n,).
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    if time is None:
        time = approach_time(position, pursuer, pursuer_velocity, max_speed)
    target = predict(pursuer, pursuer_velocity, time)
    return flee(position, velocity, target, max_speed, panic_distance=panic_distance, speed=speed)

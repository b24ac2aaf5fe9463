"""Others on the move: passing near a vehicle, keeping a place beside it, standing between two, going along with it.

Reynolds 1999, "Offset pursuit", and the sketches of interpose and shadow; game AI lecture, "Pursue with Offset" and
"Interpose".
"""

from typing import Any

import numpy as np

from steersman.core.steering.laws.arriving import arrive
from steersman.core.steering.laws.predicting import approach_time, predict
from steersman.core.steering.laws.reaching import seek
from steersman.core.steering.laws.vectors import (
    Number,
    across,
    length,
    per_vehicle,
    perpendicular,
    ratio,
    to_global,
    truncate,
    with_length,
)
from steersman.core.typing import Array


def fly_by_point(position: Array, forward: Array, predicted: Array, radius: Number) -> Array:
    """The point beside a predicted position, on the vehicle's side of it: predicted - radius * unit(lateral).

    `lateral` is the way to the predicted position without its part along forward. Where that is zero, with the quarry
    straight ahead, it is a fixed direction: see `across` and `perpendicular`.

    Source: Reynolds 1999, "Offset pursuit".

    Args:
        position: Positions [m], shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        predicted: Where the quarries will be [m], shape (d,) or (n, d).
        radius: How near to pass [m], a number or shape (n,).

    Returns:
        Points [m], shape (d,) or (n, d).
    """
    side = across(np.subtract(predicted, position), forward, perpendicular(forward))
    return np.asarray(predicted - per_vehicle(radius) * side)


def fly_by(
    position: Array,
    velocity: Array,
    forward: Array,
    quarry: Array,
    quarry_velocity: Array,
    max_speed: Number,
    radius: Number,
    *,
    time: Number | None = None,
    speed: Any = "max",
) -> Array:
    """Seek a point beside the predicted position of a quarry: see `fly_by_point`.

    Source: Reynolds 1999, "Offset pursuit".

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_velocity: Their velocities [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        radius: How near to pass [m], a number or shape (n,).
        time: Prediction time T [s], a number or shape (n,). Default: `approach_time`.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    if time is None:
        time = approach_time(position, quarry, quarry_velocity, max_speed)
    point = fly_by_point(position, forward, predict(quarry, quarry_velocity, time), radius)
    return seek(position, velocity, point, max_speed, speed=speed)


def offset_slot(quarry: Array, offset: Array, axes: Array | None = None) -> Array:
    """A place beside a quarry [m], shape (d,) or (n, d).

    Args:
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        offset: Offsets [m], shape (d,) or (n, d).
        axes: The quarries' own axes as rows, the frame of the offsets, shape (d, d) or (n, d, d): forward and side in
            2D, forward, up and side in 3D. Default: the axes of the world.
    """
    return np.asarray(quarry + (np.asarray(offset) if axes is None else to_global(offset, axes)))


def pursue_offset(
    position: Array,
    velocity: Array,
    slot: Array,
    quarry_velocity: Array,
    max_speed: Number,
    *,
    time: Number | None = None,
    **arrival: Any,
) -> Array:
    """Arrive at where a slot will be: arrive(slot + quarry_velocity * T), T = |slot - position| / (V + |quarry_velocity|).

    Source: game AI lecture, "Pursue with Offset".

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        slot: The places now [m], shape (d,) or (n, d): see `offset_slot`.
        quarry_velocity: Velocities of the quarries [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds V [m/s], a number or shape (n,).
        time: Prediction time T [s], a number or shape (n,).
        **arrival: Arguments of `arrive`: slowing_distance or deceleration_time, and so on.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    if time is None:
        time = approach_time(position, slot, quarry_velocity, max_speed)
    return arrive(position, velocity, predict(slot, quarry_velocity, time), max_speed, **arrival)


def between(
    position: Array,
    a: Array,
    a_velocity: Array,
    b: Array,
    b_velocity: Array,
    max_speed: Number,
    ratio_between: Number = 0.5,
) -> Array:
    """The point between two others at the time at which the vehicle could be between them.

        point = a + (b - a) ratio,   T = |point - position| / V
        the same point between a + a_velocity T and b + b_velocity T

    Source: Reynolds 1999, "Interpose"; game AI lecture, "Interpose" (ratio 1/2; its misprinted time and sum corrected).

    Args:
        position: Positions [m], shape (d,) or (n, d).
        a: Positions of the first targets [m], shape (d,) or (n, d).
        a_velocity: Their velocities [m/s], shape (d,) or (n, d).
        b: Positions of the others [m], shape (d,) or (n, d).
        b_velocity: Their velocities [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds V [m/s], a number or shape (n,).
        ratio_between: 0 at a, 1 at b; a number or shape (n,).

    Returns:
        Points [m], shape (d,) or (n, d).
    """
    share = per_vehicle(ratio_between)
    point = a + np.subtract(b, a) * share
    velocity = a_velocity + np.subtract(b_velocity, a_velocity) * share
    return predict(point, velocity, ratio(length(point - position), max_speed))


def interpose(
    position: Array,
    velocity: Array,
    a: Array,
    a_velocity: Array,
    b: Array,
    b_velocity: Array,
    max_speed: Number,
    *,
    ratio_between: Number = 0.5,
    **arrival: Any,
) -> Array:
    """Arrive between two others: see `between`.

    Source: game AI lecture, "Interpose". (Reynolds 1999 seeks the point.)

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        a: Positions of the first targets [m], shape (d,) or (n, d).
        a_velocity: Their velocities [m/s], shape (d,) or (n, d).
        b: Positions of the others [m], shape (d,) or (n, d).
        b_velocity: Their velocities [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        ratio_between: 0 at a, 1 at b; a number or shape (n,).
        **arrival: Arguments of `arrive`: slowing_distance or deceleration_time, and so on.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    point = between(position, a, a_velocity, b, b_velocity, max_speed, ratio_between)
    return arrive(position, velocity, point, max_speed, **arrival)


def shadow(
    position: Array,
    velocity: Array,
    quarry: Array,
    quarry_velocity: Array,
    max_speed: Number,
    *,
    distance: Number,
    slowing_distance: Number,
    speed: Number | None = None,
) -> Array:
    """Approach a quarry up to a distance, then match its velocity.

        left = max(|way| - distance, 0)
        desired = truncate(quarry_velocity + speed min(1, left / slowing_distance) unit(way), V)

    Source: Reynolds 1999, a sketch beside "Leader following"; the ramp of "Arrival".

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_velocity: Their velocities [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds V [m/s], a number or shape (n,).
        distance: How near to come [m], a number or shape (n,).
        slowing_distance: Distance from there at which slowing begins [m], a number or shape (n,).
        speed: How fast to approach [m/s]. Default: V.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    way = np.subtract(quarry, position)
    left = np.maximum(length(way) - distance, 0)
    ramp = np.minimum(ratio(left, slowing_distance, otherwise=1.0), 1)
    closing = with_length(way, (max_speed if speed is None else speed) * np.where(left > 0, ramp, 0))
    return np.asarray(truncate(quarry_velocity + closing, max_speed) - velocity)

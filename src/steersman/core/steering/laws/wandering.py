"""Wander: random steering that keeps its direction for a while. Every law takes its state and its random draws.

Four random walks: of a point on a circle or sphere ahead (`wander`), of the turn rate (`wander_turning`), of an
orientation (`wander_orientation`), of the steering to the side (`wander_lateral`). Each returns the
steering vector and the new state.

With dt = 1 a law is its source's, per frame; then all rates are "per step". With a step of dt seconds every random
displacement is rate * sqrt(dt) * draw, rates are per square root of a second, and the spread of the walk after a given
time does not depend on the step.
"""

import math

import numpy as np

from steersman.core.steering.laws.vectors import Number, length, per_vehicle, rotate, to_global, with_length
from steersman.core.typing import Array


def wander(
    displacement: Array,
    draw: Array,
    axes: Array,
    *,
    strength: Number,
    rate: Number,
    distance: Number,
    dt: float = 1.0,
) -> tuple[Array, Array]:
    """Steer to a point that walks at random on a circle or sphere ahead of the vehicle.

        displacement' = strength * unit(displacement + rate * sqrt(dt) * draw)
        steering      = distance * forward + displacement'

    Source: Reynolds 1999, "Wander": a sphere of radius `strength`, and a small one of radius `rate` out of which the
    random step is drawn (draws: uniform unit vectors). Game AI lecture, "Wander", is the same equation: the radius of
    its circle is `strength`, its jitter is `rate`, and each component of a draw is uniform in [-1, 1] (the printed
    random(0, J) drifts; and the persistent point must not be moved by the offset ahead).

    Args:
        displacement: State, along the vehicle's axes [m], shape (d,) or (n, d).
        draw: Random numbers, shape (d,) or (n, d).
        axes: The vehicle's axes as rows, shape (d, d) or (n, d, d): see `to_local`.
        strength: Radius of the circle or sphere [m]: the largest sideways steering, a number or shape (n,).
        rate: Size of a random step [m per sqrt(s)], a number or shape (n,).
        distance: Distance of its center ahead [m], a number or shape (n,).
        dt: Time step [s]; 1 is the law per frame.

    Returns:
        Steering vectors [m], in the world's axes, and the new state; both of shape (d,) or (n, d).
    """
    walked = displacement + per_vehicle(rate) * math.sqrt(dt) * np.asarray(draw)
    lost = length(walked) == 0  # A step straight to the center leaves no direction: it is not taken.
    moved = with_length(np.where(lost[..., None], displacement, walked), strength)
    ahead = per_vehicle(distance) * np.asarray(axes)[..., 0, :]
    return ahead + to_global(moved, axes), moved


def wander_turning(
    turn_rate: Number,
    draw: Number,
    velocity: Array,
    forward: Array,
    speed: Number,
    *,
    max_turn_rate: Number,
    rate: Number,
    up: Array | None = None,
    dt: float = 1.0,
    response_time: Number = 1.0,
) -> tuple[Array, Array]:
    """Turn at a rate that walks at random between two bounds.

        turn_rate' = clip(turn_rate + rate * sqrt(dt) * draw, -max_turn_rate, max_turn_rate)
        steering   = speed * rotate(forward, turn_rate' * response_time) - velocity

    Source: project notes, "Wander" (0.1 pi and 0.001 pi per step; there response_time = dt).

    Args:
        turn_rate: State [rad/s], positive to the left, a number or shape (n,).
        draw: Random numbers, uniform in [-1, 1], a number or shape (n,).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        speed: Desired speeds [m/s], a number or shape (n,).
        max_turn_rate: Largest turn rate [rad/s].
        rate: Size of a random step [rad/s per sqrt(s)].
        up: In 3D, the unit vectors around which vehicles turn, shape (3,) or (n, 3).
        dt: Time step [s]; 1 is the law per frame.
        response_time: Time in which the desired velocity is to be reached [s].

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d), and the new state, shape () or (n,).

    Raises:
        ValueError: Vectors are in 3D and `up` is missing.
    """
    walked = turn_rate + rate * draw * math.sqrt(dt)
    turning = np.clip(walked, -max_turn_rate, max_turn_rate)
    desired = per_vehicle(speed) * rotate(forward, turning * response_time, up)
    return np.asarray(desired - velocity), turning


def wander_orientation(
    orientation: Number,
    draw: Number,
    forward: Array,
    *,
    rate: Number = 0.4,
    offset: Number = 1.5,
    radius: Number = 4.0,
    up: Array | None = None,
    dt: float = 1.0,
) -> tuple[Array, Array]:
    """Steer to a point on a circle ahead; its bearing from the center walks at random.

        orientation' = orientation + rate * sqrt(dt) * draw
        steering     = offset * forward + radius * rotate(forward, orientation')

    Source: Unity lecture, "Wander Behavior", with one convention of angles throughout (the printed one mixes two). The
    lecture applies full force in this direction: `thrust(steering, max_force)`.

    Args:
        orientation: State, the bearing relative to forward [rad], positive to the left, a number or shape (n,).
        draw: Random numbers: the difference of two that are uniform in [0, 1] (mostly small), a number or shape (n,).
        forward: Unit forward vectors, shape (d,) or (n, d).
        rate: Size of a random step [rad per sqrt(s)].
        offset: Distance of the center of the circle ahead [m].
        radius: Radius of the circle [m]; larger than the offset, vehicles sometimes turn right round.
        up: In 3D, the unit vectors around which vehicles turn, shape (3,) or (n, 3).
        dt: Time step [s]; 1 is the law per frame.

    Returns:
        Steering vectors [m], shape (d,) or (n, d), and the new state, shape () or (n,).

    Raises:
        ValueError: Vectors are in 3D and `up` is missing.
    """
    bearing = np.asarray(orientation + rate * draw * math.sqrt(dt))
    ahead = per_vehicle(offset) * np.asarray(forward)
    return ahead + per_vehicle(radius) * rotate(forward, bearing, up), bearing


def wander_lateral(
    walk: Array,
    draw: Array,
    axes: Array,
    *,
    rate: Number,
    strength: Number = 1.0,
    distance: Number = 0.0,
    dt: float = 1.0,
) -> tuple[Array, Array]:
    """Steer to the sides by numbers that walk at random between -1 and 1.

        walk'    = clip(walk + rate * sqrt(dt) * draw, -1, 1)
        steering = distance * forward + strength * (walk'[0] * side + walk'[1] * up)

    Source: OpenSteer, steerForWander, after its description: two such walks, of steps up to 12 dt, along side and up,
    and no part forward.

    Args:
        walk: State: to the side and, in 3D, upwards; shape (d - 1,) or (n, d - 1).
        draw: Random numbers, uniform in [-1, 1], shaped like the state.
        axes: The vehicle's axes as rows, shape (d, d) or (n, d, d): see `to_local`.
        rate: Size of a random step [1 per sqrt(s)].
        strength: Largest steering to a side.
        distance: Steering ahead.
        dt: Time step [s]; 1 is the law per frame.

    Returns:
        Steering vectors, in the world's axes, shape (d,) or (n, d), and the new state.
    """
    walked = np.clip(walk + per_vehicle(rate) * math.sqrt(dt) * np.asarray(draw), -1, 1)
    aside = per_vehicle(strength) * walked
    ahead = np.broadcast_to(per_vehicle(distance) * 1.0, aside[..., :1].shape)
    return to_global(np.concatenate([ahead, aside[..., 1:], aside[..., :1]], axis=-1), axes), walked

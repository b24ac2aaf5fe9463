"""Angular steering: turning to face something, the short way round.

The Unity lecture interpolates the orientation itself (`LerpAngle` with rate * dt): the angle that is left falls as
exp(-rate t). Its pages add up absolute angles and mix two conventions of axes; here an angle is the turn that is left,
and steering is an angular acceleration. The "arrive" law is the braking ramp of Arrive, with an angle for the distance.

A turn has one component in the plane, counter-clockwise, and in space it is a rotation vector: its direction is the axis,
its length the angle [rad].
"""

import numpy as np

from steersman.core.steering.laws.arriving import braking_speed
from steersman.core.steering.laws.vectors import Number, dot, length, normalize, per_vehicle, ratio
from steersman.core.typing import Array


def turn_toward(forward: Array, direction: Array, up: Array | None = None) -> Array:
    """The shortest turn after which a vehicle faces along a direction.

    Args:
        forward: Unit vectors, shape (d,) or (n, d).
        direction: Where to face, of any length, shape (d,) or (n, d); zero asks for no turn.
        up: In 3D the axis to turn about when the direction is straight behind, shape (3,) or (n, 3).

    Returns:
        Turns [rad]: shape (1,) or (n, 1) in 2D, in [-pi, pi]; (3,) or (n, 3) in 3D.
    """
    forward, to = np.asarray(forward), normalize(np.asarray(direction))
    along = dot(forward, to)
    if forward.shape[-1] == 2:
        across = forward[..., 0] * to[..., 1] - forward[..., 1] * to[..., 0]
        return np.asarray(np.where(length(to) > 0, np.arctan2(across + 0.0, along), 0.0))[..., None]
    axis = np.cross(forward, to)
    sine = length(axis)
    angle = np.arctan2(sine, along)
    straight_back = np.asarray((sine == 0) & (along < 0))[..., None]
    shortest = per_vehicle(ratio(angle, sine, otherwise=1.0)) * axis
    return np.asarray(np.where(straight_back, np.pi * np.asarray(up), shortest))


def turn_between_frames(axes: Array, desired: Array) -> Array:
    """The rotation vector from one 3D orientation to another, the short way round [rad].

    Args:
        axes: Perpendicular unit vectors as rows, shape (3, 3) or (n, 3, 3): forward, up and side.
        desired: The same of the orientation to reach.

    Returns:
        Rotation vectors, shape (3,) or (n, 3). Of the two ways to turn by pi, one.
    """
    axes, desired = np.asarray(axes), np.asarray(desired)
    rotation = np.einsum("...ki,...kj->...ij", desired, axes)
    vee = np.sum(np.cross(axes, desired), axis=-2)  # Twice the sine of the angle, along the axis.
    cosine = (np.trace(rotation, axis1=-2, axis2=-1) - 1) / 2
    angle = np.arctan2(length(vee) / 2, cosine)
    half_turn = rotation + np.swapaxes(rotation, -1, -2) + 2 * np.eye(3)  # Its columns lie along the axis, at pi.
    largest = np.argmax(np.diagonal(half_turn, axis1=-2, axis2=-1), axis=-1)
    axis = normalize(np.take_along_axis(half_turn, largest[..., None, None], axis=-1)[..., 0])
    sign = np.where(dot(axis, vee) < 0, -1.0, 1.0)
    back = np.asarray((length(vee) < 2e-3) & (cosine < 0))[..., None]
    return np.asarray(np.where(back, per_vehicle(sign) * axis, normalize(vee)) * per_vehicle(angle))


def angular_speed(
    angle: Array,
    max_angular_speed: Number,
    max_angular_acceleration: Number,
    response_time: Number,
    *,
    law: str = "arrive",
    slow_angle: float | None = None,
    rate: float = 3.0,
) -> Array:
    """How fast to turn with an angle left, such that the turn ends there without overshooting.

        arrive   min( V, V angle / slow_angle, braking )
        lag      min( V, rate angle, braking )

    where V = max_angular_speed and braking is `braking_speed` of the angle.

    Args:
        angle: Angles left to turn [rad], >= 0.
        max_angular_speed: Fastest turning [rad/s].
        max_angular_acceleration: Angular deceleration of the brakes [rad/s^2].
        response_time: Time in which the angular speed is reached [s].
        law: "arrive" or "lag".
        slow_angle: Of "arrive": the angle at which slowing begins [rad]; by default as late as the brakes allow.
        rate: Of "lag": the inverse of the time constant [1/s].

    Returns:
        Angular speeds [rad/s].
    """
    speed = np.minimum(max_angular_speed, braking_speed(angle, max_angular_acceleration, response_time))
    if law == "lag":
        return np.asarray(np.minimum(speed, rate * np.asarray(angle)))
    if slow_angle is None:
        return np.asarray(speed)
    return np.asarray(np.minimum(speed, np.asarray(angle) * (np.asarray(max_angular_speed) / slow_angle)))


def angular_response_time(response_time: Number, dt: float, *, law: str = "arrive", rate: float = 3.0) -> Array:
    """The time in which an angular speed is reached [s].

    A vehicle that takes longer than 1 / (4 rate) to respond would swing beyond the orientation that "lag" asks for; so
    that law responds at least as fast. No response is faster than a step.
    """
    tau = np.minimum(response_time, 1 / (4 * rate)) if law == "lag" else np.asarray(response_time)
    return np.maximum(tau, dt)


def turn(angle: Array, angular_velocity: Array, speed: Number, response_time: Number) -> Array:
    """The angular acceleration that turns a vehicle by the angle that is left.

        (speed * unit(angle) - angular_velocity) / response_time

    Args:
        angle: Turns left [rad]: shape (1,) or (n, 1) in 2D, rotation vectors (3,) or (n, 3) in 3D.
        angular_velocity: Angular velocities [rad/s], of the same shape.
        speed: How fast to turn [rad/s], a number or shape (n,).
        response_time: The time in which to reach that speed [s], a number or shape (n,).

    Returns:
        Angular accelerations [rad/s^2].
    """
    desired = per_vehicle(speed) * normalize(np.asarray(angle))
    return np.asarray((desired - np.asarray(angular_velocity)) / per_vehicle(response_time))

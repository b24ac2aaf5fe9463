"""Arrive: seek that slows down, and stops on its target.

    desired  = speed * ramp(distance / slowing_distance) * unit(target - position)
    steering = desired - velocity

Reynolds 1999, "Arrival": a linear ramp. Under the literal law (response time = mass m) the approach is a damped spring,
which does not overshoot when slowing_distance >= 4 m V: with a response time tau, 4 V tau.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.steering.laws.reaching import cruise_speed
from steersman.core.steering.laws.vectors import Number, dot, length, ratio, with_length
from steersman.core.typing import Array

RAMPS: dict[str, Callable[[Array], Array]] = {
    "linear": lambda x: x,
    "parabola": lambda x: x * (2 - x),
    "sine": lambda x: np.sin(x * (np.pi / 2)),
    "smoothstep": lambda x: x * x * (3 - 2 * x),
    "smootherstep": lambda x: x * x * x * (10 + x * (6 * x - 15)),
}
"""Fraction of the speed over the fraction x of the slowing distance that is left; all have f(0) = 0 and f(1) = 1.

"parabola" and "sine" leave full speed without a kink and brake hardest at the end. "smoothstep" and "smootherstep" also
come to rest without a kink: they creep over the last stretch, and reach the target only in the limit.
"""


def ramp_fraction(x: Number, ramp: Any = "linear") -> Array:
    """Fraction of the full speed at the fraction x of the slowing distance.

    Source: Reynolds 1999, "Arrival" (linear); project notes, "Arrive" (any smooth f with f(0) = 0).

    Args:
        x: Distance over slowing distance, >= 0, of any shape; beyond 1 the speed is full.
        ramp: A name out of `RAMPS`, or samples of f at equal steps from x = 0 to 1, shape (k,), from 0 to 1,
            interpolated linearly.

    Returns:
        Fractions between 0 and 1, of the shape of x.

    Raises:
        ValueError: The name is not known, or the samples do not run from 0 to 1.
    """
    x = np.minimum(x, 1.0)
    if isinstance(ramp, str):
        if ramp not in RAMPS:
            names = ", ".join(f'"{name}"' for name in RAMPS)
            raise ValueError(f'ramp must be {names}, "braking" or samples from 0 to 1, got {ramp!r}')
        return RAMPS[ramp](x)
    samples = np.asarray(ramp)
    if samples.ndim != 1 or len(samples) < 2 or samples[0] != 0 or samples[-1] != 1:
        raise ValueError(f"ramp must be at least two samples that run from 0 to 1, got {ramp!r}")
    return np.asarray(np.interp(x, np.linspace(0, 1, len(samples)), samples).astype(x.dtype))


def braking_speed(distance: Array, acceleration: Number, response_time: Number) -> Array:
    """The highest speed to ask for at a distance, such that a vehicle with limited brakes stops without overshooting.

        d / (4 tau)                                                   up to d = 4 a tau^2
        min( d / (4 tau),  sqrt(2 a (d - 2 a tau^2)) - a tau )        farther away

    Near the target the approach is a critically damped spring, v = d / (2 tau), which asks for no more than the
    deceleration a. Farther away the vehicle brakes at a along v = sqrt(2 a (d - 2 a tau^2)), which meets the spring at
    4 a tau^2 with 2 a tau; the speed asked for is a tau less, since the velocity lags by one response time.

    Args:
        distance: Distances d to the target [m], of any shape.
        acceleration: Deceleration of the brakes, a = max_force / mass [m/s^2], > 0.
        response_time: Response time tau [s], >= 0 (the literal steering vector has tau = mass).

    Returns:
        Speeds [m/s].
    """
    lag = np.multiply(acceleration, response_time)
    spring = ratio(distance, 4 * np.asarray(response_time), otherwise=np.inf)
    room = distance - 2 * lag * response_time
    braking = np.sqrt(2 * np.multiply(acceleration, np.maximum(room, 0))) - lag
    return np.where(room < 2 * lag * response_time, spring, np.minimum(spring, braking))


def hard_stop(offset: Array, velocity: Array, *, stop_distance: Number, acceleration: Number, dt: float) -> Array:
    """Which vehicles are to brake with all their force: -mass * velocity / dt, truncated to max_force.

        distance < stop_distance    or    closing^2 / (2 acceleration) + closing * dt > distance

    Source: Unity lecture, "Arrive Behavior", which sets the velocity to zero within the stop distance. With a limited force
    that takes room; the second condition has the vehicle stand before it reaches the target.

    Args:
        offset: From the vehicle to the target [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        stop_distance: Where to stop [m].
        acceleration: max_force / mass [m/s^2], a number or shape (n,).
        dt: Time step [s].

    Returns:
        Truth values, shape () or (n,).
    """
    distance = length(offset)
    closing = ratio(dot(velocity, offset), distance)
    late = (closing > 0) & (closing**2 > 2 * np.multiply(acceleration, distance - closing * dt))
    return np.asarray((distance < stop_distance) | late)


def arrive(
    position: Array,
    velocity: Array,
    target: Array,
    max_speed: Number,
    *,
    slowing_distance: Number | None = None,
    deceleration_time: Number | None = None,
    stop_distance: Number = 0.0,
    ramp: Any = "linear",
    acceleration: Number | None = None,
    response_time: Number | None = None,
    speed: Any = "max",
) -> Array:
    """Steer toward a point, slow down near it and stop on it.

    Sources: Reynolds 1999, "Arrival" (`slowing_distance`); game AI lecture, "Arrive" (`deceleration_time` T: speed
    d / T, a slowing distance of speed * T); project notes, "Arrive" (other ramps); Unity lecture, "Arrive Behavior"
    (`stop_distance`).

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        target: Points to stop on [m], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        slowing_distance: Distance at which slowing begins [m], a number or shape (n,). Longer is softer.
        deceleration_time: The same, as the time [s] that the target is away at full speed. Give one of the two.
        stop_distance: Distance within which the vehicle just brakes, desired = 0 [m].
        ramp: "linear", another name or samples (see `ramp_fraction`), or "braking": as fast as brakes allow (see
            `braking_speed`), which takes `acceleration` and `response_time` instead of a slowing distance.
        acceleration: For "braking": max_force / mass [m/s^2], a number or shape (n,).
        response_time: For "braking": response time [s], a number or shape (n,).
        speed: Speed far from the target: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).

    Raises:
        ValueError: An argument that the ramp needs is missing, or both a slowing distance and a deceleration time are
            given.
    """
    offset = np.subtract(target, position)
    distance = length(offset)
    cruise = cruise_speed(offset, velocity, max_speed, speed)
    if isinstance(ramp, str) and ramp == "braking":
        if acceleration is None or response_time is None:
            raise ValueError('ramp="braking" needs acceleration and response_time')
        target_speed = np.minimum(cruise, braking_speed(distance, acceleration, response_time))
    else:
        slowing = _slowing_distance(cruise, slowing_distance, deceleration_time)
        target_speed = cruise * ramp_fraction(ratio(distance, slowing, otherwise=1.0), ramp)
    target_speed = np.where(distance < stop_distance, 0, target_speed).astype(distance.dtype)
    desired = with_length(offset, target_speed)
    return np.asarray(desired - velocity)


def _slowing_distance(cruise: Any, slowing_distance: Any, deceleration_time: Any) -> Any:
    if (slowing_distance is None) == (deceleration_time is None):
        arguments = "neither" if slowing_distance is None else "both"
        raise ValueError(f"arrive needs slowing_distance or deceleration_time, got {arguments}")
    return slowing_distance if deceleration_time is None else np.multiply(cruise, deceleration_time)


MOST_CARE = 50.0
"""Largest factor by which slowing begins earlier."""


def learned_care(care: Number, speed: Number, full_speed: Number, calibrate: Number) -> Array:
    """How much earlier to slow down from now on, for a vehicle that has passed the target on which it was to stop.

        care * (1 + calibrate * speed / full_speed)

    Source: Reynolds 1999, "Locomotion": an adaptive, self-calibrating technique says "slow down a bit" until it works out.

    Args:
        care: The factor by which slowing began earlier so far, 1 at the start, of any shape.
        speed: Speed at which the target was passed [m/s].
        full_speed: Speed far from the target [m/s], > 0.
        calibrate: How fast to learn, >= 0.

    Returns:
        Factors, at most `MOST_CARE`.
    """
    passed = np.minimum(np.asarray(speed) / full_speed, 1.0)
    return np.minimum(care * (1 + np.multiply(calibrate, passed)), MOST_CARE)

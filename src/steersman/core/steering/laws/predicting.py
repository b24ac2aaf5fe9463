"""Where others will be: linear prediction, estimators of the time to predict ahead, and nearest approach.

    predicted = quarry + quarry_velocity * T

Reynolds 1999, "Pursuit": the key is the estimate of T, large when the quarry is far and small when it is near.
A constant T is the simplest estimator of all, and needs no law.
"""

import numpy as np

from steersman.core.steering.laws.vectors import Number, dot, length, normalize, per_vehicle, ratio
from steersman.core.typing import Array


def predict(position: Array, velocity: Array, time: Number) -> Array:
    """The position after a time [s] at constant velocity, shape (d,) or (n, d) [m]."""
    return np.asarray(position + per_vehicle(time) * np.asarray(velocity))


def proportional_time(position: Array, quarry: Array, c: Number) -> Array:
    """T = D c: proportional to the distance D, by a tuning parameter c [s/m].

    Source: Reynolds 1999, "Pursuit".
    """
    return np.asarray(length(np.subtract(quarry, position)) * c)


def approach_time(position: Array, quarry: Array, quarry_velocity: Array, max_speed: Number) -> Array:
    """T = D / (V + |quarry_velocity|): the time in which the two could meet head on; zero where neither can move.

    Source: game AI lecture, "Pursue".
    """
    return ratio(length(np.subtract(quarry, position)), max_speed + length(quarry_velocity))


def capped_time(position: Array, velocity: Array, quarry: Array, max_time: Number = 2.0) -> Array:
    """T = min(T_max, D / |velocity|): the time that the distance takes at the present speed, up to a limit [s].

    Source: Unity lecture, "Pursue Behavior".
    """
    distance = length(np.subtract(quarry, position))
    return np.minimum(ratio(distance, length(velocity), otherwise=np.inf), max_time)


HEADING_FACTORS = np.array(
    [
        # anti-parallel  perpendicular    parallel
        [2.0, 2.0, 2.0],  # pursuer behind its quarry
        [1.6, 2 / np.sqrt(3), 2 / np.sqrt(3)],  # pursuer at its side
        [2 / 3, 1 / 3, 0.0],  # pursuer in front of it
    ]
)
"""T over D / V for nine relative headings, at -1, 0 and 1 of the two cosines that Reynolds names.

A quarry at half the pursuer's speed, met on the straight line of interception, takes T = 2 D/V from behind,
2/sqrt(3) D/V from the side and 2/3 D/V from the front. The pursuer's own heading corrects this: at the side and facing
the other way it falls behind while it turns round (between side and behind), and in front of the quarry it had better
wait for it the more the two headings agree, down to T = 0.
"""


def heading_time(position: Array, forward: Array, quarry: Array, quarry_forward: Array, max_speed: Number) -> Array:
    """T = D / V * factor, by the two relative headings; zero in front of an aligned quarry.

    The two cosines are forward . quarry_forward (from anti-parallel to parallel) and
    quarry_forward . unit(position - quarry) (from behind to in front). The factor is interpolated linearly in both
    between the nine values of `HEADING_FACTORS`, so T never jumps.

    Source: Reynolds 1999, "Pursuit", which names the two metrics and the zero, and leaves the numbers open.

    Args:
        position: Positions of the pursuers [m], shape (d,) or (n, d).
        forward: Their unit forward vectors, shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_forward: Unit forward vectors of the quarries, shape (d,) or (n, d).
        max_speed: Maximum speeds V of the pursuers [m/s], a number or shape (n,).

    Returns:
        Prediction times [s], shape () or (n,).
    """
    offset = np.subtract(position, quarry)
    in_front = np.clip(dot(normalize(offset), quarry_forward), -1, 1)
    parallel = np.clip(dot(forward, quarry_forward), -1, 1)
    row, column = (in_front > 0).astype(int), (parallel > 0).astype(int)
    y = np.where(row > 0, in_front, in_front + 1)
    x = np.where(column > 0, parallel, parallel + 1)
    table = HEADING_FACTORS.astype(offset.dtype if offset.dtype.kind == "f" else float)
    nearer = table[row, column] * (1 - x) + table[row, column + 1] * x
    farther = table[row + 1, column] * (1 - x) + table[row + 1, column + 1] * x
    return np.asarray(ratio(length(offset), max_speed) * (nearer * (1 - y) + farther * y))


NINE_CASE_FACTORS = np.array(
    [
        # anti-parallel  perpendicular    parallel
        [2.0, 2.0, 0.5],  # quarry behind the pursuer
        [4.0, 0.8, 1.0],  # quarry at its side
        [0.85, 1.8, 4.0],  # quarry ahead of it
    ]
)
"""T over D / |velocity| in OpenSteer's nine cases."""

CASE_COSINE = 0.707
"""Cosine of the angles that part OpenSteer's cases, about 45 and 135 degrees."""


def nine_cases_time(
    position: Array,
    velocity: Array,
    forward: Array,
    quarry: Array,
    quarry_forward: Array,
    max_time: Number = 20.0,
) -> Array:
    """T = min(T_max, D / |velocity| * factor), by where the quarry is and where it heads, as the pursuer sees it.

    The two cosines are forward . unit(quarry - position) (behind, aside, ahead) and forward . quarry_forward (anti-parallel,
    perpendicular, parallel), each cut at -0.707 and 0.707; the factors are `NINE_CASE_FACTORS`. T jumps from case to case.

    Source: OpenSteer, `steerForPursuit`; its demonstration of multiple pursuit has a T_max of 20 s.

    Args:
        position: Positions of the pursuers [m], shape (d,) or (n, d).
        velocity: Their velocities [m/s], shape (d,) or (n, d).
        forward: Their unit forward vectors, shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_forward: Unit forward vectors of the quarries, shape (d,) or (n, d).
        max_time: Longest prediction time T_max [s], also of a vehicle at rest.

    Returns:
        Prediction times [s], shape () or (n,).
    """
    offset = np.subtract(quarry, position)
    ahead, parallel = (_case(dot(forward, other)) for other in (normalize(offset), quarry_forward))
    factor = NINE_CASE_FACTORS.astype(offset.dtype if offset.dtype.kind == "f" else float)[ahead, parallel]
    return np.minimum(ratio(length(offset) * factor, length(velocity), otherwise=np.inf), max_time)


def _case(cosine: Array) -> Array:
    """0 behind, 1 aside, 2 ahead."""
    return np.where(cosine > CASE_COSINE, 2, np.where(cosine < -CASE_COSINE, 0, 1))


def oncoming_time(position: Array, pursuer: Array, pursuer_velocity: Array, max_time: Number = 20.0) -> Array:
    """T = min(T_max, D / |pursuer_velocity|): the time that the pursuer takes to come, up to a limit [s].

    Source: OpenSteer, `steerForEvasion`.
    """
    distance = length(np.subtract(pursuer, position))
    return np.minimum(ratio(distance, length(pursuer_velocity), otherwise=np.inf), max_time)


def intercept_time(position: Array, quarry: Array, quarry_velocity: Array, max_speed: Number) -> Array:
    """The exact time of interception of a quarry that runs straight: the smallest T > 0 with |offset + w T| = V T.

    With b = offset . w and a = V^2 - w^2 it is the root (b + sqrt(b^2 + a D^2)) / a of a T^2 - 2 b T - D^2 = 0. Where
    the quarry cannot be intercepted (it is as fast, and gets away) the answer is `approach_time`.

    Args:
        position: Positions of the pursuers [m], shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_velocity: Velocities w of the quarries [m/s], shape (d,) or (n, d).
        max_speed: Speeds V of the pursuers [m/s], a number or shape (n,).

    Returns:
        Times [s], shape () or (n,), >= 0.
    """
    offset = np.subtract(quarry, position)
    w, distance = length(quarry_velocity), length(offset)
    a, b = np.multiply(max_speed - w, max_speed + w), dot(offset, quarry_velocity)
    inside = b * b + a * distance * distance
    root = np.sqrt(np.maximum(inside, 0))
    # The two forms of the same root: each where it has no cancellation. Both are <= 0 where there is none.
    time = np.where(b > 0, ratio(b + root, a), ratio(distance * distance, root - b))
    return np.where((inside >= 0) & (time > 0), time, approach_time(position, quarry, quarry_velocity, max_speed))


def nearest_approach(position: Array, velocity: Array, other: Array, other_velocity: Array) -> tuple[Array, Array]:
    """When, and how near, two points come closest if both move straight on.

        T = -(offset . w) / w^2,   distance = |offset + w T|,   w = other_velocity - velocity

    Source: Reynolds 1999, "Unaligned collision avoidance": a threat where T is in the future and the distance small.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        other: Positions of the others [m], shape (d,) or (n, d).
        other_velocity: Velocities of the others [m/s], shape (d,) or (n, d).

    Returns:
        Times [s], negative when the nearest approach is past, zero without relative motion; and the distances then [m].
    """
    offset, w = np.subtract(other, position), np.subtract(other_velocity, velocity)
    time = -ratio(dot(offset, w), dot(w, w))
    return time, length(predict(offset, w, time))


def nearest_offset(offset: Array, axis: Array, other_axis: Array) -> Array:
    """The way from the nearest point of one body's axis to that of another [m], shape (d,) or (n, d).

    Source: Ericson 2005, "Real-Time Collision Detection", 5.1.9. Of bodies of length (capsules) the distance is that of the
    axes less both radii.

    Args:
        offset: From the middle of the one to that of the other [m], shape (d,) or (n, d).
        axis: From the middle to the front end of its axis [m], shape (d,) or (n, d).
        other_axis: The same of the other one.
    """
    s, t = nearest_parts(offset, axis, other_axis)
    return np.asarray(offset - per_vehicle(s) * np.asarray(axis) + per_vehicle(t) * np.asarray(other_axis))


def nearest_parts(offset: Array, axis: Array, other_axis: Array) -> tuple[Array, Array]:
    """Where on two axes their nearest points are, as parts of both, -1 to 1; arguments as in `nearest_offset`."""
    u, v = np.asarray(axis), np.asarray(other_axis)
    a, b, e, c, f = dot(u, u), dot(u, v), dot(v, v), -dot(u, offset), -dot(v, offset)
    slant = a * e - b * b
    s = np.where(slant > 1e-10 * a * e, ratio(b * f - c * e, slant), np.where(e > 0, 0.0, ratio(-c, a)))
    s = np.clip(s, -1, 1)
    free = ratio(f + b * s, e)
    t = np.clip(free, -1, 1)
    return np.where(t != free, np.clip(ratio(b * t - c, a), -1, 1), s), t


def meeting_offset(offset: Array, w: Array, axis: Array, other_axis: Array, reach: Number, horizon: Number) -> Array:
    """The present way between those points of two axes that come within reach first; of none, that come nearest first.

    The distance of two axes that move straight on is convex in time, so Newton's method from now on never passes the
    first time at which they are within reach.

    Args:
        offset, axis, other_axis: As in `nearest_offset`, shape (n, d).
        w: The other's velocity less the own [m/s], shape (n, d).
        reach: The distance at which they count [m], a number or shape (n,).
        horizon: How far ahead [s].

    Returns:
        Ways [m], shape (n, d).
    """
    offset, w = np.broadcast_arrays(offset, w)
    time, low, high = np.zeros((3, *offset.shape[:-1]))
    high += np.inf
    for _ in range(60):
        apart = nearest_offset(predict(offset, w, time), axis, other_axis)
        closing, distance = -dot(apart, w), length(apart)
        far = distance > reach
        low, high = np.where(far & (closing > 0), time, low), np.where(far & (closing <= 0), time, high)
        ahead = np.minimum(time + np.maximum(ratio((distance - reach) * distance, closing), 0), horizon)
        passed = np.isfinite(high)
        time = np.where(passed, (low + np.where(passed, high, 0)) / 2, np.where(far, ahead, time))
    return np.asarray(nearest_offset(predict(offset, w, time), axis, other_axis) - per_vehicle(time) * w)

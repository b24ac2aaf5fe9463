"""Pedestrians: the accelerations and velocities of the models of pedestrian research.

Neighbors are given one a row, m of them, around one pedestrian.
"""

import math

import numpy as np

from steersman.core.steering.laws.vectors import Number, beside, direction_or, dot, length, normalize, per_vehicle
from steersman.core.typing import Array

STEEPEST = 20.0
"""The greatest exponent of a push: deeper in each other, it does not grow."""

NEAREST = 1e-6
"""Distances shorter than this count as this long [m]."""


def _growth(gap: Array, reach: Number) -> Array:
    return np.asarray(np.exp(np.minimum(-np.asarray(gap) / reach, STEEPEST)))


def body_push(
    offset: Array,
    velocity: Array,
    touch: Number,
    *,
    strength: Number = 25.0,
    range: Number = 0.08,
    body: Number = 1500.0,
    friction: Number = 3000.0,
    weight: Number = 1.0,
) -> Array:
    """The acceleration by bodies that stand near, are pressed in, and rub.

        a = (weight A exp((touch - d) / B) + k max(touch - d, 0)) n + kappa max(touch - d, 0) (u - (u . n) n)

    with d the distance, and n the unit vector away from the other.

    Source: Helbing, Farkas and Vicsek 2000, "Simulating dynamical features of escape panic", equations 2 and 3, divided by
    the mass of 80 kg.

    Args:
        offset: The way to the others [m], shape (m, d).
        velocity: Their velocities less the own one [m/s], shape (m, d).
        touch: The sum of the radii [m], a number or shape (m,).
        strength: A [m/s^2].
        range: B [m].
        body: k [1/s^2].
        friction: kappa [1/(m s)].
        weight: Of the first term.

    Returns:
        Accelerations [m/s^2], shape (m, d).
    """
    away, gap = -normalize(offset), length(offset) - touch
    pressed = np.maximum(-gap, 0)
    size = weight * strength * _growth(gap, range) + body * pressed
    slide = velocity - per_vehicle(dot(velocity, away)) * away
    return np.asarray(per_vehicle(size) * away + per_vehicle(friction * pressed) * slide)


def stride_push(
    offset: Array,
    velocity: Array,
    *,
    strength: Number = 2.1,
    range: Number = 0.3,
    stride: Number = 2.0,
    weight: Number = 1.0,
) -> Array:
    """The acceleration by points whose next steps are foreseen.

        a = -weight gradient of V0 exp(-b / sigma),   2 b = sqrt((|r| + |r - s|)^2 - |s|^2),   s = stride * velocity

    with r the way from the other to the pedestrian.

    Source: Helbing and Molnar 1995, "Social force model for pedestrian dynamics", equations 3, 4 and 8.

    Args:
        offset: The way to the others [m], shape (m, d).
        velocity: Their velocities [m/s], shape (m, d).
        strength: V0 [m^2/s^2].
        range: sigma [m].
        stride: How far ahead their steps are foreseen [s].
        weight: 1 in the field of view, less outside.

    Returns:
        Accelerations [m/s^2], shape (m, d).
    """
    r, step = -np.asarray(offset), stride * np.asarray(velocity)
    near, far = length(r), np.maximum(length(r - step), NEAREST)
    b = np.maximum(0.5 * np.sqrt(np.maximum((near + far) ** 2 - dot(step, step), 0)), NEAREST)
    slope = per_vehicle((near + far) / (4 * b)) * (r / per_vehicle(near) + (r - step) / per_vehicle(far))
    return np.asarray(per_vehicle(weight * strength / range * _growth(b, range)) * slope)


def spacing_speed(spacing: Number, size: Number, max_speed: Number, *, time_gap: Number = 1.0) -> Array:
    """The speed that a spacing allows: v = min(v0, max(0, (s - l) / T)).

    Source: Tordeux, Chraibi and Seyfried 2016, "Collision-free speed model for pedestrian dynamics", equation 3.

    Args:
        spacing: The distance to the next one ahead [m].
        size: The distance at which two touch [m].
        max_speed: The wanted speed [m/s].
        time_gap: The time that a pedestrian keeps to the one ahead [s].

    Returns:
        Speeds [m/s].
    """
    return np.asarray(np.minimum(max_speed, np.maximum(np.subtract(spacing, size) / time_gap, 0)))


def repelled_direction(
    heading: Array, offset: Array, touch: Number, *, strength: Number = 5.0, range: Number = 0.1
) -> Array:
    """The direction between the wanted one and away from those near.

        e = unit(e0 + sum of a exp((l - s) / D) unit(from the other to the pedestrian))

    Source: Tordeux, Chraibi and Seyfried 2016, equations 4 and 5.

    Args:
        heading: The wanted direction e0, shape (d,).
        offset: The way to the others [m], shape (m, d).
        touch: l, the distance at which two touch [m], a number or shape (m,).
        strength: a.
        range: D [m].

    Returns:
        A unit vector, shape (d,); zero, where the sum is.
    """
    push = strength * _growth(length(offset) - touch, range)
    return normalize(np.asarray(heading) - np.sum(per_vehicle(push) * normalize(offset), axis=0))


def free_spacing(direction: Array, offset: Array, touch: Number) -> float:
    """The distance to the nearest of those that are in the way [m]; infinite for none.

    In the way is who lies ahead, in a strip along the direction as wide as two that touch.

    Source: Tordeux, Chraibi and Seyfried 2016, equation 2.

    Args:
        direction: Where the pedestrian goes, a unit vector, shape (d,).
        offset: The way to the others [m], shape (m, d).
        touch: The distance at which two touch [m], a number or shape (m,).
    """
    ahead = dot(offset, direction)
    beside = length(offset - per_vehicle(ahead) * direction)
    blocks = (ahead >= 0) & (beside <= touch)
    return float(np.min(length(offset)[blocks], initial=math.inf))


def anticipated_direction(
    heading: Array,
    forward: Array,
    offset: Array,
    velocity: Array,
    other_velocity: Array,
    other_forward: Array,
    touch: Number,
    *,
    strength: Number = 3.0,
    range: Number = 0.1,
    anticipation_time: Number = 1.0,
    side: Array | None = None,
) -> Array:
    """The direction between the wanted one and aside from where those ahead will be.

        e = unit(e0 - sum of k (1 + (1 - e0 . e_j) / 2) exp(-g / D) unit(across e0 of (offset + v_j ta)))
        g = max(s - touch - (v - v_j) . n ta, 0)

    with s the distance of another, n the unit vector to it, and e_j its direction. Who lies ahead of neither e0 nor the
    pedestrian's own direction does not count.

    Source: Xu, Chraibi and Seyfried 2021, "Anticipation in a velocity-based model for pedestrian dynamics", equations 1-6.

    Args:
        heading: The wanted direction e0, shape (d,).
        forward: The own direction, shape (d,).
        offset: The way to the others [m], shape (m, d).
        velocity: The own velocity v [m/s], shape (d,).
        other_velocity: Their velocities v_j [m/s], shape (m, d).
        other_forward: Their directions e_j, shape (m, d).
        touch: The sum of the radii [m], a number or shape (m,).
        strength: k.
        range: D [m].
        anticipation_time: ta [s].
        side: A unit vector across e0, for those who will be exactly in the way: they are taken to lie there. Default: to
            the left of e0.

    Returns:
        A unit vector, shape (d,).
    """
    heading, offset, neighbor_velocity = np.asarray(heading), np.asarray(offset), np.asarray(other_velocity)
    way = normalize(offset)
    gap = np.maximum(length(offset) - touch - dot(velocity - neighbor_velocity, way) * anticipation_time, 0)
    size = strength * (1 + (1 - dot(other_forward, heading)) / 2) * _growth(gap, range)
    size = np.where((dot(way, heading) > 0) | (dot(way, forward) > 0), size, 0)
    then = offset + anticipation_time * neighbor_velocity
    otherwise = np.broadcast_to(beside(heading, None) if side is None else side, offset.shape)
    across = direction_or(then - per_vehicle(dot(then, heading)) * heading, length(then), otherwise)
    return normalize(heading - np.sum(per_vehicle(size) * across, axis=0))


def density_ahead(direction: Array, offset: Array) -> float:
    """The density of those ahead [1/m^2]: 2 m / (pi d^2), with d the distance of the last, and m the others that are ahead.

    Args:
        direction: Where the pedestrian wants to go, shape (d,).
        offset: The way to those nearest [m], the nearest first, shape (k, d).
    """
    ahead = np.count_nonzero(np.asarray(offset)[:-1] @ np.asarray(direction) > 0)
    return float(2 * ahead / (math.pi * dot(offset[-1], offset[-1])))


CLOSEST = 0.99
"""Two that overlap count as if they touched at this part of their distance."""

SOONEST = 1e-3
"""Encounters in less than this [s] count as if they came then."""


def encounter_push(
    offset: Array, velocity: Array, touch: Number, *, strength: Number = 1.5, horizon: Number = 3.0
) -> Array:
    """The acceleration that evades encounters, the harder the sooner they come.

        a = -gradient of k t^-2 exp(-t / t0)

    with t the time until the two touch, if both go on as they do; zero for those who would not.

    Source: Karamouzas, Skinner and Guy 2014, "Universal power law governing pedestrian interactions", equations 2 and S4.

    Args:
        offset: The way to the others [m], shape (m, d).
        velocity: The own velocity less theirs [m/s], shape (m, d).
        touch: The sum of the radii [m], a number or shape (m,).
        strength: k [m^2].
        horizon: t0 [s].

    Returns:
        Accelerations [m/s^2], shape (m, d).
    """
    x, v = -np.asarray(offset), np.asarray(velocity)
    b, v2 = -dot(x, v), dot(v, v)
    s = b**2 - v2 * (dot(x, x) - np.minimum(touch, CLOSEST * length(x)) ** 2)
    meets = (b > 0) & (s > 0) & (v2 > 0)
    root, v2 = np.sqrt(np.where(meets, s, 1)), np.where(meets, v2, 1)
    time = (b - root) / v2
    t = np.where(meets, np.maximum(time, SOONEST), 1)
    size = strength * np.exp(-t / horizon) / t**2 * (2 / t + 1 / horizon)
    return np.where(meets[:, None], per_vehicle(size / root) * (x + per_vehicle(time) * v), 0)


def ellipse_reach(
    velocity: Array,
    wanted_speed: Number,
    way: Array,
    *,
    length_at_rest: Number = 0.18,
    stride: Number = 0.53,
    narrow: Number = 0.2,
    wide: Number = 0.25,
) -> Array:
    """The radius of a pedestrian's ellipse along a way [m]: for the numbers see `centrifugal_push`.

    Args:
        velocity: Velocities [m/s], shape (m, d).
        wanted_speed: Wanted speeds [m/s], a number or shape (m,).
        way: Unit vectors, shape (m, d).
        length_at_rest: Semi-axis along the velocity of one that stands [m].
        stride: How much longer it is per speed [s].
        narrow, wide: Semi-axis across at the wanted speed, and of one that stands [m].
    """
    speed = length(velocity)
    a = length_at_rest + stride * speed
    b = wide - (wide - narrow) * np.minimum(speed / np.where(np.asarray(wanted_speed) > 0, wanted_speed, 1), 1)
    along = np.minimum(dot(normalize(velocity), way) ** 2, 1)
    return np.asarray(np.where(speed > 0, 1 / np.sqrt(along / a**2 + (1 - along) / b**2), b))


def centrifugal_push(
    offset: Array,
    velocity: Array,
    other_velocity: Array,
    wanted_speed: Number,
    other_wanted_speed: Number,
    *,
    strength: Number = 0.2,
    length_at_rest: Number = 0.18,
    stride: Number = 0.53,
    narrow: Number = 0.2,
    wide: Number = 0.25,
    nearest: Number = 0.1,
) -> Array:
    """The acceleration between ellipses that grow longer and narrower with speed.

        a = -k (eta v0 + u)^2 / d * unit(offset),   u = max(approach, 0),   k = max(cos, 0)

    with d the gap between the two ellipses along the way, at least `nearest`; approach the speed at which the pedestrian
    comes nearer, and cos that of the angle between its velocity and the way. An ellipse has the semi-axes
    a = length_at_rest + stride * speed along the velocity, and b = wide - (wide - narrow) * speed / wanted speed across.

    Source: Chraibi, Seyfried and Schadschneider 2010, "Generalized centrifugal-force model for pedestrian dynamics",
    equations 4-10.

    Args:
        offset: The way to the others [m], shape (m, d).
        velocity: The own velocity [m/s], shape (d,).
        other_velocity: Their velocities [m/s], shape (m, d).
        wanted_speed: The own wanted speed v0 [m/s].
        other_wanted_speed: Theirs, a number or shape (m,).
        strength: eta.
        length_at_rest: Semi-axis along the velocity of one that stands [m].
        stride: How much longer it is per speed [s].
        narrow, wide: Semi-axis across at the wanted speed, and of one that stands [m].
        nearest: The gap below which the push does not grow [m].

    Returns:
        Accelerations [m/s^2], shape (m, d).
    """
    way, own = normalize(offset), np.broadcast_to(velocity, np.shape(offset))
    shape = {"length_at_rest": length_at_rest, "stride": stride, "narrow": narrow, "wide": wide}
    gap = length(offset) - ellipse_reach(own, wanted_speed, way, **shape)
    gap = np.maximum(gap - ellipse_reach(np.asarray(other_velocity), other_wanted_speed, way, **shape), nearest)
    approach = np.maximum(dot(own - other_velocity, way), 0)
    facing = np.maximum(dot(normalize(own), way), 0)
    return np.asarray(-per_vehicle(facing * (strength * wanted_speed + approach) ** 2 / gap) * way)

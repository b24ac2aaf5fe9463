"""Stopping: the limits of a force with which the vehicle can still stop before everything that bars its way.

    v' = v + F dt / m,   s(g) = sqrt(a^2 dt^2 + 2 a g) - a dt,   a = BRAKES max_force / m
    F is changed by the least that ensures  v' . n >= -s(g)  for every half-space with its border g away along its normal n

After one step at s(g), braking at a stops the vehicle just there: (s dt) + s^2 / (2 a) = g.

Two half-spaces with normals more than a right angle apart make a wedge. Braking at a before both at once takes
a / cos(half of the angle), which may be more than there is. But before it reaches the end of the wedge, the vehicle
crosses the half-space that is the sum of the two, which cuts the end off:

    n1 . p >= b1  and  n2 . p >= b2   imply   (n1 + n2) . p / |n1 + n2| >= (b1 + b2) / |n1 + n2|

So this one is added as a bevel. Its normal is at most a right angle away from both others.

This library's own. Fraichard and Asama 2004, "Inevitable collision states", state that a state is safe when a way to
stop is known from it, and must stay so; velocities from which a vehicle can still stop: Fox, Burgard and Thrun 1997,
"The dynamic window approach".
"""

import math

import numpy as np

from steersman.core.environment.obstacles.answers import BARS
from steersman.core.steering.laws.vectors import dot, truncate
from steersman.core.typing import Array

BRAKES = 0.5625
"""Part of max_force with which vehicles brake before one surface: each of the three of a corner may take as much."""

BACK = 0.125
"""Time [s] in which a vehicle comes away from an obstacle that is slightly too near."""

APART = 2 * BRAKES**2 - 1
"""Cosine of the angle between two normals from which on max_force does not suffice to brake before both."""

SHALLOW = 0.02
"""Two normals with a sum shorter than this are opposite: those of a corridor, which has no end."""

SLACK = 0.125
"""Part of its radius by which a vehicle may come into its clearance without being stopped."""

SWEEPS = 8
"""Sweeps over the half-spaces: two at a right angle need one sweep, others more."""


def way_to_stop(speed: float, strength: float, dt: float) -> float:
    """How far a vehicle gets that goes on for two steps, speeding up, and then brakes [m]; infinite without brakes.

    Args:
        speed: Speed [m/s].
        strength: Acceleration at max_force [m/s^2].
        dt: Time step [s].
    """
    if strength <= 0:
        return math.inf
    faster = speed + strength * dt
    return faster**2 / (2 * BRAKES * strength) + 2 * faster * dt


def stoppable_speed(gap: float, strength: float, dt: float) -> float:
    """The closing speed [m/s] from which a vehicle can still stop within a gap [m].

    Where the gap is negative, so is the speed: the vehicle is to come away, and could stop at the end of the gap. Other
    arguments as for `way_to_stop`.
    """
    brakes, size = BRAKES * strength, abs(gap)
    speed = math.sqrt((brakes * dt) ** 2 + 2 * brakes * size) - brakes * dt
    return -min(speed, size / BACK) if gap < 0 else speed


def held_back(velocity: Array, normals: Array, speeds: Array) -> Array:
    """A velocity nearby that comes closer to each border no faster than allowed.

    Args:
        velocity: Velocity [m/s], shape (d,).
        normals: Unit normals of the half-spaces, shape (k, d).
        speeds: The allowed speed toward each border [m/s], shape (k,). Where it is negative, the vehicle is to come
            away: only the first sweep asks for this, further sweeps only that the vehicle comes no closer.

    Returns:
        The velocity [m/s], shape (d,).
    """
    velocity = np.asarray(velocity)
    for _ in range(SWEEPS):
        for normal, speed in zip(normals, speeds, strict=True):
            velocity = velocity + max(-speed - float(velocity @ normal), 0.0) * normal
        speeds = np.maximum(speeds, 0.0)
    return velocity


def beveled(normals: Array, gaps: Array, reach: float = math.inf, most: int = 2 * BARS) -> tuple[Array, Array]:
    """Half-spaces, and the half-spaces that follow from two of them with normals far apart.

    Args:
        normals: Unit normals, shape (k, d).
        gaps: How far their borders are [m], shape (k,).
        reach: Up to which gap bevels matter [m].
        most: How many half-spaces there may be: of normals all around there is no end of bevels. Default: as many as
            behaviors keep of one set of obstacles.

    Returns:
        Normals and gaps of all, the given ones first.
    """
    planes = list(zip(np.asarray(normals), gaps, strict=True))
    j = 1
    while j < len(planes):
        for k in range(j):
            (one, near), (other, far) = planes[j], planes[k]
            both, gap = one + other, near + far
            size = math.hypot(*both)
            if len(planes) < most and one @ other < APART and size > SHALLOW and gap < reach * size:
                planes.append((both / size, gap / size))
        j += 1
    return np.array([normal for normal, _ in planes]), np.array([gap for _, gap in planes])


def stop_before(
    velocity: Array, force: Array, mass: float, max_force: float, normals: Array, gaps: Array, dt: float
) -> Array:
    """The force, held back so that the vehicle can still stop; braking comes first where not all fits into max_force.

    Args:
        velocity: Velocity [m/s], shape (d,).
        force: The force wanted otherwise [N], shape (d,).
        mass: Mass [kg].
        max_force: Maximum force [N].
        normals: Unit normals of the half-spaces that bar the way, shape (k, d).
        gaps: How far their borders are [m], shape (k,).
        dt: Time step [s].

    Returns:
        The force [N], shape (d,).
    """
    velocity, gain = np.asarray(velocity), mass / dt
    speeds = np.array([stoppable_speed(gap, max_force / mass, dt) for gap in gaps])
    whole = gain * (held_back(velocity + truncate(force, max_force) / gain, normals, speeds) - velocity)
    if dot(whole, whole) <= max_force**2:
        return np.asarray(whole)
    brakes = truncate(gain * (held_back(velocity, normals, speeds) - velocity), max_force)
    rest = whole - brakes
    a, b, c = float(rest @ rest), float(brakes @ rest), float(brakes @ brakes) - max_force**2
    if a <= 0:
        return brakes
    share = (math.sqrt(max(b * b - a * c, 0.0)) - b) / a
    return np.asarray(brakes + min(max(share, 0.0), 1.0) * rest)

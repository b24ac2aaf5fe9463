"""Flying by: pass a moving quarry on a tangent to the sphere around it, leave, and come around.

Reynolds 1999, "Offset pursuit", describes such a fly-by; his own law, a point beside the quarry, is `fly_by`. The
tangents are those of the sphere in the frame of the quarry. `strafe` also returns the state to be passed to its next
call.
"""

import math
from typing import Any

import numpy as np

from steersman.core.steering.laws.navigating import parallel_course
from steersman.core.steering.laws.reaching import cruise_speed
from steersman.core.steering.laws.vectors import (
    Number,
    across,
    direction_or,
    dot,
    length,
    normalize,
    per_vehicle,
    perpendicular,
    ratio,
)
from steersman.core.typing import Array

LEAD = 0.5
"""Slope of the way to the heading at most: 27 degrees. So a vehicle turns in an arc, and does not stop and reverse."""


def tangent(outward: Array, side: Array, distance: Array, radius: Number, out: bool | Array) -> Array:
    """The unit vector along the tangent to a sphere of that radius, from a point at that distance from its center.

        sin(theta) side +- cos(theta) outward,   sin(theta) = radius / distance
        sin(theta) side + cos(theta) outward,    sin(theta) = distance / radius      within it, always out

    Args:
        outward: Unit vectors from the center, shape (d,) or (n, d).
        side: Unit vectors across them, to the side on which the tangent touches, shape (d,) or (n, d).
        distance: Distances from the center [m], shape () or (n,).
        radius: Radii [m], a number or shape (n,).
        out: Whether the way leads away from where it touches, a flag or shape (n,).
    """
    beyond = np.greater(distance, radius)
    sine = np.where(beyond, ratio(radius, distance), ratio(distance, radius))
    cosine = np.sqrt((1 - sine) * (1 + sine)) * np.where(beyond & ~np.asarray(out), -1, 1)
    return np.asarray(per_vehicle(sine) * side + per_vehicle(cosine) * outward)


def strafe(
    position: Array,
    velocity: Array,
    forward: Array,
    quarry: Array,
    quarry_velocity: Array,
    max_speed: Number,
    radius: Number,
    *,
    come_around: Number,
    side: Array | None = None,
    leaving: bool | Array = False,
    speed: Any = "max",
) -> tuple[Array, Array, Array]:
    """Fly by at a radius, fly on to the distance `come_around`, and come again.

    A turn is an arc: the way leads the heading by 27 degrees at most, and its part along the heading is the full speed.
    Within the radius the vehicle leaves.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        forward: Unit forward vectors, the heading of a vehicle at rest, shape (d,) or (n, d).
        quarry: Positions of the quarries [m], shape (d,) or (n, d).
        quarry_velocity: Their velocities [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        radius: How near to pass [m], a number or shape (n,).
        come_around: Distance from the quarry at which to come around [m], a number or shape (n,).
        side: To which side of the quarry, as this law answered before. Default: that of the motion.
        leaving: Whether a vehicle flew on, as this law answered before.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d); the sides, shape (d,) or (n, d); which fly on, shape () or (n,).
    """
    offset, u = np.subtract(position, quarry), np.subtract(velocity, quarry_velocity)
    distance = length(offset)
    heading = direction_or(velocity, max_speed, forward)
    outward = direction_or(offset, radius, heading)
    own = across(u, outward, across(heading, outward, perpendicular(outward)))
    side = own if side is None else across(side, outward, own)
    receding = dot(u, outward)
    by_itself = (distance * dot(u, own) > radius * length(u)) & (receding < 0) & (dot(side, own) < 0)
    side = np.where(by_itself[..., None], own, side)
    fast = cruise_speed(offset, velocity, max_speed, speed)
    course = normalize(parallel_course(tangent(outward, side, distance, radius, False), quarry_velocity, fast))
    turns_off = (distance < 2 * np.asarray(radius)) | ((distance < come_around) & (dot(course, heading) < 0))
    leaving = np.where(leaving, distance < come_around, (receding > 0) & turns_off)
    out = normalize(parallel_course(tangent(outward, side, distance, radius, True), quarry_velocity, fast))
    direction = np.where(leaving[..., None], out, course)
    aside = across(direction, heading, across(side, heading, perpendicular(heading)))
    ahead = dot(heading, direction)
    straight = ratio(direction, ahead[..., None])
    way = np.where((ahead >= 1 / math.hypot(1, LEAD))[..., None], straight, heading + LEAD * aside)
    return np.asarray(per_vehicle(fast) * way - velocity), side, leaving

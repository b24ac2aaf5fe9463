"""Fly-by: the course that passes a moving quarry at a distance, leaves it, and comes around.

In the frame of the quarry the courses that come no nearer than R are the tangents to the sphere of radius R around it:

    in:   d = -cos(theta) r + sin(theta) t        sin(theta) = R / distance
    out:  d = +cos(theta) r + sin(theta) t

r is the unit vector from the quarry to the vehicle, t the unit vector across it to the side of the pass, which is kept
from step to step. `parallel_course` makes a velocity of d that keeps it while the quarry goes straight on. A vehicle
within R leaves. It goes out once it has passed the point of nearest approach, and in again when it has room to come
around.

Reynolds 1999, "Offset pursuit", describes a fly-by, like a strafing run, and aims at a point beside the quarry;
tangents, and the memory of the side and of the way out, are our own.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.steering.driving.approach import FOUR, usual_distance
from steersman.core.steering.laws.flying_by import LEAD
from steersman.core.typing import Vector

SLOPE = np.float32(LEAD)
COSINE = np.float32(1 / math.hypot(1, LEAD))


@kernel
def parallel_course(sight: Vector, other: Vector, speed: Any) -> Vector:
    """The velocity of a speed that goes along the unit vector `sight`, seen from an object with the velocity `other`.

    Where `other` is too fast, the velocity that goes along with it.
    """
    aside = v.lateral(other, sight)
    room = speed * speed - v.dot(aside, aside)
    if room <= v.ZERO:
        return v.with_length(aside, speed)
    return v.add_scaled(aside, sight, math.sqrt(room))


@kernel
def side_of_pass(outward: Vector, distance: Any, u: Vector, heading: Vector, before: Vector, radius: Any) -> Vector:
    """The unit vector across `outward` to the side of the pass: the remembered one, or that of the relative velocity u.

    A vehicle that already passes on another side, no nearer than the radius, keeps to that side.
    """
    own = v.across(u, outward, v.across(heading, outward, v.perpendicular(outward)))
    side = v.across(before, outward, own)
    by_itself = distance * v.dot(u, own) > radius * math.sqrt(v.dot(u, u))
    if by_itself and v.dot(side, own) < v.ZERO and v.dot(u, outward) < v.ZERO:
        return own
    return side


@kernel
def flies_on(before: bool, out: Any, course: Any, distance: Any, radius: Any, leave: Any) -> Any:
    """Whether a vehicle flies on, away from the quarry.

    Args:
        before: Whether it did.
        out: Relative speed away from the quarry [m/s].
        course: Cosine between the heading and the course in.
        distance: From the quarry [m].
        radius: Of the pass [m].
        leave: Distance at which to come around [m].
    """
    if before:
        return distance < leave
    return out > v.ZERO and (distance < v.TWO * radius or (distance < leave and course < v.ZERO))


@kernel
def tangent(outward: Vector, side: Vector, distance: Any, radius: Any, out: bool) -> Vector:
    """The unit vector along the tangent to the sphere, in or out; from within it always out."""
    if distance > radius:
        sine = radius / distance
        cosine = math.sqrt((v.ONE - sine) * (v.ONE + sine))
        return v.add_scaled(v.scale(side, sine), outward, cosine if out else -cosine)
    sine = distance / radius if radius > v.ZERO else radius
    return v.add_scaled(v.scale(side, sine), outward, math.sqrt((v.ONE - sine) * (v.ONE + sine)))


@kernel
def arc_toward(heading: Vector, desired: Vector, side: Vector) -> Vector:
    """The way to go from a heading to a unit vector, by an arc: a unit along the heading, and a part across it."""
    ahead = v.dot(heading, desired)
    if ahead >= COSINE:
        return v.scale(desired, v.ONE / ahead)
    aside = v.across(desired, heading, v.across(side, heading, v.perpendicular(heading)))
    return v.add_scaled(heading, aside, SLOPE)


@kernel
def room_to_turn(radius: Any, fast: Any, other: Vector, mass: Any, max_force: Any, tau: Any) -> Any:
    """The distance [m] at which a vehicle that flies out has room to come around, while the quarry moves on."""
    way = v.ONE
    if fast > v.ZERO:
        way += FOUR * math.sqrt(v.dot(other, other)) / fast
    return v.TWO * radius + usual_distance(fast, mass, max_force, tau) * way


@kernel
def fly_by_course(
    outward: Vector, side: Vector, distance: Any, radius: Any, out: bool, other: Vector, fast: Any
) -> Vector:
    """The unit vector along the velocity that follows the tangent, in or out."""
    return v.normalize(parallel_course(tangent(outward, side, distance, radius, out), other, fast))

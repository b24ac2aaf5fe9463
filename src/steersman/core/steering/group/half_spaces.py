"""The velocity nearest to a wanted one that lies in a ball and in half-spaces: a small program, solved plane by plane.

Planes are added one after the other. While the velocity found so far satisfies the next plane, it stays as it is;
otherwise the answer lies on that plane, and the problem there has one dimension less. Where no velocity satisfies all
planes, the velocity is taken that violates none of them by more than need be.

A plane is a row of an array: the d components of its unit normal, and its offset b; it asks for normal . v >= b [m/s].
One source for 2D, where planes are lines, and 3D. Seidel's incremental method; van den Berg et al. 2011 use it for ORCA.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import (
    ZERO,
    add_scaled,
    cross,
    dot,
    lateral,
    normalize,
    perpendicular,
    scale,
    subtract,
    truncate,
)
from steersman.core.typing import Array, Vector

PARALLEL = np.float32(1e-5)
"""Sine of the angle up to which two planes count as parallel."""


@kernel
def normal_of(planes: Array, k: Any, like: Vector) -> Vector:
    """The normal of plane k, in as many dimensions as `like` has."""
    if len(like) == 2:
        return (planes[k, 0], planes[k, 1])
    return (planes[k, 0], planes[k, 1], planes[k, 2])


@kernel
def set_plane(planes: Array, k: Any, normal: Vector, offset: Any) -> None:
    """Write plane k."""
    planes[k, 0] = normal[0]
    planes[k, 1] = normal[1]
    if len(normal) == 2:
        planes[k, 2] = offset
    else:
        planes[k, 2] = normal[2]
        planes[k, 3] = offset


@kernel
def lack(planes: Array, k: Any, v: Vector) -> Any:
    """By how much a velocity violates plane k [m/s]; negative where it does not."""
    return planes[k, len(v)] - dot(normal_of(planes, k, v), v)


@kernel
def is_barred(planes: Array, count: int, v: Vector, slack: Any) -> bool:
    """Whether a velocity violates one of the planes."""
    barred = False
    for k in range(count):
        barred |= lack(planes, k, v) > slack
    return barred


@kernel
def worst_lack(planes: Array, count: int, v: Vector) -> Any:
    """How far a velocity is from the plane that it violates most [m/s]; negative where it violates none."""
    worst = lack(planes, 0, v)
    for k in range(1, count):
        worst = max(worst, lack(planes, k, v))
    return worst


@kernel
def on_line(
    planes: Array, count: int, point: Vector, along: Vector, speed: Any, target: Vector, far: bool, slack: Any
) -> tuple[bool, Vector]:
    """The best velocity on a line, with respect to the first `count` planes.

    Args:
        planes, count: The planes.
        point, along: The line: a point on it and its unit direction.
        speed: Radius of the ball [m/s].
        target: The wanted velocity; if `far`, the direction in which to go as far as possible.
        slack: Tolerance for rounding [m/s].

    Returns:
        Whether there is such a velocity, and the velocity.
    """
    middle = dot(point, along)
    half2 = middle * middle + speed * speed - dot(point, point)
    if half2 < ZERO:
        return False, target
    half = math.sqrt(half2)
    low, high = -middle - half, half - middle
    for k in range(count):
        slope, rest = dot(normal_of(planes, k, along), along), lack(planes, k, point)
        if abs(slope) <= PARALLEL:
            if rest > slack:
                return False, target
        elif slope > ZERO:
            low = max(low, rest / slope)
        else:
            high = min(high, rest / slope)
        if low > high + slack:
            return False, target
    if far:
        place = high if dot(target, along) > ZERO else low
    else:
        place = max(low, min(high, dot(along, subtract(target, point))))
    return True, add_scaled(point, along, place)


@kernel
def on_plane(planes: Array, i: int, speed: Any, target: Vector, far: bool, slack: Any) -> tuple[bool, Vector]:
    """The best velocity on plane i, with respect to the planes before it; in 2D the plane is a line."""
    normal = normal_of(planes, i, target)
    offset = planes[i, len(target)]
    point = scale(normal, offset)
    if len(target) == 2:
        return on_line(planes, i, point, perpendicular(normal), speed, target, far, slack)
    radius2 = speed * speed - offset * offset
    if radius2 < ZERO:
        return False, target
    aside = lateral(target, normal)
    if far:
        aside = normalize(aside)
        v = add_scaled(point, aside, math.sqrt(radius2))
    else:
        v = add_scaled(point, truncate(aside, math.sqrt(radius2)), normal[0] * ZERO + np.float32(1))
    for j in range(i):
        if lack(planes, j, v) > slack:
            other = normal_of(planes, j, target)
            along = cross(normal, other)
            if dot(along, along) <= PARALLEL * PARALLEL:
                return False, target
            along = normalize(along)
            inward = cross(along, normal)
            start = add_scaled(point, inward, lack(planes, j, point) / dot(other, inward))
            good, v = on_line(planes, j, start, along, speed, target, far, slack)
            if not good:
                return False, target
    return True, v


@kernel
def best_velocity(planes: Array, count: int, speed: Any, target: Vector, far: bool, slack: Any) -> tuple[int, Vector]:
    """The best velocity with respect to the first `count` planes.

    Returns:
        `count`, or the first plane that could not be satisfied; and the best velocity with respect to the planes before
        it.
    """
    if far:
        v = scale(target, speed)
    else:
        v = truncate(target, speed)
    for i in range(count):
        if lack(planes, i, v) > slack:
            good, better = on_plane(planes, i, speed, target, far, slack)
            if not good:
                return i, v
            v = better
    return count, v


@kernel
def least_lack(
    planes: Array, hard: int, first: int, count: int, speed: Any, v: Vector, spare: Array, slack: Any
) -> Vector:
    """The velocity that violates the soft planes as little as possible.

    Args:
        planes, count: The planes; the first `hard` must hold.
        first: The first one that does not.
        speed: Radius of the ball [m/s].
        v: The best velocity with respect to the planes before `first`.
        spare: Room for as many planes.
        slack: Tolerance for rounding [m/s].
    """
    worst = slack
    for i in range(first, count):
        if lack(planes, i, v) <= worst:
            continue
        for k in range(hard):
            set_plane(spare, k, normal_of(planes, k, v), planes[k, len(v)])
        size = hard
        normal = normal_of(planes, i, v)
        for j in range(hard, i):  # Where j is violated no more than i is: a plane between the two.
            between = subtract(normal_of(planes, j, v), normal)
            steep = math.sqrt(dot(between, between))
            if steep > PARALLEL:
                normed = normalize(between)
                set_plane(spare, size, normed, (planes[j, len(v)] - planes[i, len(v)]) / steep)
                size += 1
        satisfied, better = best_velocity(spare, size, speed, normal, True, slack)
        if satisfied == size:
            v = better
        worst = max(lack(planes, i, v), slack)
    return v


@kernel
def nearest_velocity(
    planes: Array, hard: int, count: int, speed: Any, target: Vector, spare: Array, slack: Any
) -> Vector:
    """The velocity nearest to `target`, no longer than `speed`, that satisfies all planes, or the least bad one.

    The velocity keeps to the first `hard` planes even where it cannot keep to the others, unless they contradict each
    other.
    """
    satisfied, v = best_velocity(planes, count, speed, target, False, slack)
    if satisfied < count:
        if satisfied < hard:
            v = least_lack(planes, 0, satisfied, count, speed, v, spare, slack)
        else:
            v = least_lack(planes, hard, satisfied, count, speed, v, spare, slack)
    return v

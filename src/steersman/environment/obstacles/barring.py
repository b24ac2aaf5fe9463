"""What bars the way of balls: for all parts in reach, half-spaces of ways that keep clear of them.

A ball that is to move along a way in some time keeps clear of a convex body all that time when

    n . way >= h(n),    h(n) = how far the body, made larger by the ball, reaches in direction n from the ball's center

for one unit vector n with h(n) <= 0. Every such n will do, and each asks for something else: the n of the nearest point
asks to come no nearer than the gap; others ask to stay on one side of the body, and let the ball pass it at any speed.
A way that is clear of the body keeps what it has, by the n that suits it best; another one is held off at the nearest point.
(Van den Berg et al. 2011 and their library RVO2 do so for segments in the plane, by cases.)

The nearest part comes first, then the nearest one that does not lie behind the half-spaces so far: a wall of a
thousand pieces costs no more than one, and no piece hinders who walks along it.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.environment.box_tree import BOTH, INSIDE
from steersman.environment.obstacles.answers import BARS, Balls, Bars, Nearest
from steersman.environment.obstacles.hull_contact import rounding_of, support_of, way_from_hull
from steersman.environment.obstacles.hulls import Hulls
from steersman.environment.obstacles.searching import search_around
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import (
    HALF,
    ONE,
    ZERO,
    Array,
    Vector,
    add,
    add_scaled,
    direction_or,
    dot,
    length,
    load,
    normalize,
    scale,
    store,
)

BEHIND = np.float32(1e-3)
"""A part that stands out by less than this share of its distance lies behind a half-space."""

TURNS = 16
"""Halvings of the angle to the side of a body."""

NEARLY = np.float32(1e-3)
"""A way that comes nearer than this share of itself still counts as clear: it is held to the side that it is on."""


@kernel
def bar_ways(
    start: int, stop: int, balls: Balls, active: Array, wrap: Array, hulls: Hulls, nearest: Nearest, bars: Bars
) -> None:
    """Add the half-spaces of the parts of a set, BARS at most; `nearest` says on which side of it the balls are."""
    for i in range(start, stop):
        if not active[i] or nearest.which[i] < 0:
            continue
        within, side = nearest.distance[i] < ZERO, hulls.parts.side
        seen = side == BOTH or within == (side == INSIDE)
        if seen and (hulls.hollow or not within):
            bar_parts(i, balls, wrap, hulls, scale(load(nearest.normal, i), -ONE if within else ONE), bars)
        elif bars.number[i] < bars.normal[0].shape[1]:
            inward = side == INSIDE or (side == BOTH and within)
            sign = -ONE if inward else ONE
            gap = sign * nearest.distance[i] - balls.radius[i]
            add_bar(bars, i, scale(load(nearest.normal, i), sign), -gap)


class Behind(NamedTuple):
    """What decides whether a part matters to a ball: the hulls, the half-spaces so far, whose row, and its radius [m]."""

    hulls: Hulls
    bars: Bars
    row: int
    radius: Any


@kernel
def gap_to_hull(place: Vector, rows: Array, k: int, told: Behind) -> Any:
    """How far a ball's surface is from hull k [m]."""
    return length(way_from_hull(told.hulls, k, place)) - rounding_of(told.hulls, k) - told.radius


@kernel
def is_in_front(place: Vector, k: int, gap: Any, told: Behind) -> bool:
    """Whether hull k lies behind none of the half-spaces so far."""
    bars, i = told.bars, told.row
    for j in range(bars.number[i]):
        beyond = support_of(told.hulls, k, place, load(bars.normal, (i, j))) + told.radius - bars.bound[i, j]
        if beyond <= BEHIND * (abs(gap) + told.radius):
            return False
    return True


nearest_in_front = search_around(gap_to_hull, is_in_front)


@kernel
def bar_parts(i: int, balls: Balls, wrap: Array, hulls: Hulls, otherwise: Vector, bars: Bars) -> None:
    """The half-spaces of the parts in reach, nearest first, less those that lie behind another."""
    place, radius = load(balls.place, i), balls.radius[i]
    for _ in range(min(BARS, bars.normal[0].shape[1] - bars.number[i])):
        told = Behind(hulls, bars, i, radius)
        row, _, spot = nearest_in_front(place, balls.reach[i], radius, hulls.parts, wrap, told)
        if row < 0:
            break
        normal, bound = clear_ways(hulls, row, spot, load(balls.way, i), radius, otherwise)
        add_bar(bars, i, normal, bound)


@kernel
def clear_ways(hulls: Hulls, k: int, place: Vector, way: Vector, radius: Any, otherwise: Vector) -> tuple[Vector, Any]:
    """The half-space of ways that keep a ball clear of hull k: its normal, and its bound [m]."""
    off = way_from_hull(hulls, k, place)
    distance, room = length(off), rounding_of(hulls, k) + radius
    held = direction_or(off, length(place), otherwise)
    bound = room - distance
    if bound >= ZERO:
        return held, bound
    later = way_from_hull(hulls, k, add(place, way))
    free = direction_or(later, length(way), held)
    reach = support_of(hulls, k, place, free) + radius
    if reach > ZERO:
        if dot(free, held) < -HALF * (ONE + HALF):
            return held, bound
        free = turned_back(hulls, k, place, radius, held, free)
        reach = support_of(hulls, k, place, free) + radius
    if reach <= ZERO and dot(free, way) - reach >= -NEARLY * length(way):
        return free, reach
    return held, bound


@kernel
def turned_back(hulls: Hulls, k: int, place: Vector, radius: Any, held: Vector, free: Vector) -> Vector:
    """The last direction on the way from `held` to `free` in which hull k does not come as far as the ball's center."""
    low, high = ZERO * radius, ONE + ZERO * radius
    for _ in range(TURNS):
        middle = HALF * (low + high)
        between = normalize(add_scaled(scale(held, ONE - middle), free, middle))
        if support_of(hulls, k, place, between) + radius <= ZERO:
            low = middle
        else:
            high = middle
    return normalize(add_scaled(scale(held, ONE - low), free, low))


@kernel
def add_bar(bars: Bars, i: int, normal: Vector, bound: Any) -> None:
    """Add a half-space."""
    j = bars.number[i]
    store(bars.normal, (i, j), normal)
    bars.bound[i, j] = bound
    bars.number[i] = j + 1

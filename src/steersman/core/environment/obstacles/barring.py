"""Barring: for all parts in reach, half-spaces of ways that keep clear of them.

A ball that moves along a way in some time keeps clear of a convex body during that time if

    n . way >= h(n),    h(n) = the extent of the body, enlarged by the ball, in direction n from the center of the ball

for one unit vector n with h(n) <= 0. Any such n is sufficient, and each gives another half-space: the n of the nearest point
limits the way toward the body to the gap; others keep the ball on one side of the body, and let it pass at any speed.

There are two rules for the choice of n. `bar_ways` is for balls that move at a constant velocity. A way that is clear of the
body stays allowed, by the n that suits it best; for other ways it is the n of the nearest point. (Van den Berg et al. 2011
and their library RVO2 do so for segments in the plane, by cases.) `bar_braking` is for balls that brake at b and move at v,
which stop before the half-space when v . n >= -sqrt(2 b gap), gap = -h(n). It takes the n with the largest margin, and is
given way = v / sqrt(2 b):

    n = argmax sqrt(-h(n)) + n . way

A convex body seen from inside allows only the ways that all its tangent planes allow. For a constant velocity that is
the plane at the nearest point; for braking also the one with the smallest margin. Bodies seen from both sides are
shells: a ball is held inside the nearest of those around it, and outside of all others.

Parts are chosen one by one: first the nearest, then the nearest that does not lie behind the half-spaces so far. So a wall
of a thousand pieces costs no more than one piece, and no piece hinders a ball that moves along the wall.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.box_tree import BOTH, INSIDE
from steersman.core.environment.obstacles.answers import BARS, Balls, Bars, Nearest
from steersman.core.environment.obstacles.hull_contact import rounding_of, support_of, way_from_hull
from steersman.core.environment.obstacles.hulls import Hulls
from steersman.core.environment.obstacles.searching import search_around
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.typing import Array, Vector

BEHIND = np.float32(1e-3)
"""A part that stands out by less than this share of its distance lies behind a half-space."""

TURNS = 16
"""Halvings of the angle to the side of a body."""

PROBES = 6
"""Steps of the search for the half-space with the largest margin. Its direction is found to 5% of a right angle."""

GOLDEN = np.float32((math.sqrt(5) - 1) / 2)
"""The golden section: of two probes of an interval, one is a probe of the smaller interval, too."""

NEARLY = np.float32(1e-3)
"""A way that comes nearer than this share of itself still counts as clear: it is held to the side that it is on."""


ANY, AROUND, BESIDE = 0, 1, 2
"""Which hulls matter to a ball: any, those around its center, those that it is outside of."""


class Behind(NamedTuple):
    """The data that decide whether a part matters to a ball.

    Attributes:
        hulls: The parts.
        bars: Half-spaces so far.
        row: Its row.
        radius: Its radius [m].
        which: ANY, AROUND or BESIDE.
    """

    hulls: Hulls
    bars: Bars
    row: int
    radius: Any
    which: int


@kernel
def gap_to_hull(place: Vector, rows: Array, k: int, behind: Behind) -> Any:
    """How far a ball's surface is from hull k [m]; of hulls around its center, how deep that is in them."""
    apart = v.length(way_from_hull(behind.hulls, k, place)) - rounding_of(behind.hulls, k)
    return -apart if behind.which == AROUND else apart - behind.radius


@kernel
def is_in_front(place: Vector, k: int, gap: Any, behind: Behind) -> bool:
    """Whether hull k matters to the ball, and lies behind none of the half-spaces so far."""
    bars, i = behind.bars, behind.row
    if behind.which == AROUND:
        return bool(gap > v.ZERO)
    if behind.which == BESIDE and gap + behind.radius < v.ZERO:
        return False
    for j in range(bars.number[i]):
        beyond = support_of(behind.hulls, k, place, v.load(bars.normal, (i, j))) + behind.radius - bars.bound[i, j]
        if beyond <= BEHIND * (abs(gap) + behind.radius):
            return False
    return True


nearest_in_front = search_around(gap_to_hull, is_in_front)


@kernel
def clear_ways(hulls: Hulls, k: int, place: Vector, way: Vector, radius: Any, otherwise: Vector) -> tuple[Vector, Any]:
    """The half-space of ways that keep a ball clear of hull k: its normal, and its bound [m]."""
    off = way_from_hull(hulls, k, place)
    distance, room = v.length(off), rounding_of(hulls, k) + radius
    held = v.direction_off(off, place, otherwise)
    bound = room - distance
    if bound >= v.ZERO:
        return held, bound
    later = way_from_hull(hulls, k, v.add(place, way))
    free = v.direction_or(later, v.length(way), held)
    reach = support_of(hulls, k, place, free) + radius
    if reach > v.ZERO:
        if v.dot(free, held) < -v.HALF * (v.ONE + v.HALF):
            return held, bound
        free = turned_back(hulls, k, place, radius, held, free)
        reach = support_of(hulls, k, place, free) + radius
    if reach <= v.ZERO and v.dot(free, way) - reach >= -NEARLY * v.length(way):
        return free, reach
    return held, bound


@kernel
def turned_back(hulls: Hulls, k: int, place: Vector, radius: Any, held: Vector, free: Vector) -> Vector:
    """The last direction on the way from `held` to `free` in which hull k does not come as far as the ball's center."""
    low, high = v.ZERO * radius, v.ONE + v.ZERO * radius
    for _ in range(TURNS):
        middle = v.HALF * (low + high)
        if support_of(hulls, k, place, between(held, free, middle)) + radius <= v.ZERO:
            low = middle
        else:
            high = middle
    return between(held, free, low)


@kernel
def add_bar(bars: Bars, i: int, normal: Vector, bound: Any) -> None:
    """Add a half-space."""
    j = bars.number[i]
    v.store(bars.normal, (i, j), normal)
    bars.bound[i, j] = bound
    bars.number[i] = j + 1


@functools.cache
def search_between(judge: Any) -> Any:
    """The search for the best unit vector between two, by golden sections.

    Args:
        judge: Called as `judge(hulls, k, place, way, radius, normal)`: how good a direction is, with a single maximum.
    """

    @kernel
    def best_between(
        hulls: Hulls, k: int, place: Vector, way: Vector, radius: Any, first: Vector, last: Vector
    ) -> Vector:
        low, high = v.ZERO * radius, v.ONE + v.ZERO * radius
        left, right = high - GOLDEN, low + GOLDEN
        worth = judge(hulls, k, place, way, radius, between(first, last, left))
        other = judge(hulls, k, place, way, radius, between(first, last, right))
        for _ in range(PROBES):
            if worth >= other:
                high, right, other = right, left, worth
                left = high - GOLDEN * (high - low)
                worth = judge(hulls, k, place, way, radius, between(first, last, left))
            else:
                low, left, worth = left, right, other
                right = low + GOLDEN * (high - low)
                other = judge(hulls, k, place, way, radius, between(first, last, right))
        return between(first, last, left if worth >= other else right)

    return best_between


@kernel
def between(first: Vector, last: Vector, share: Any) -> Vector:
    """The unit vector that is turned by about a share of the angle from one to another."""
    return v.normalize(v.add_scaled(v.scale(first, v.ONE - share), last, share))


@kernel
def margin_outside(hulls: Hulls, k: int, place: Vector, way: Vector, radius: Any, normal: Vector) -> Any:
    """The margin of the half-space outside of hull k [m^0.5]; less than any where the ball is not in it."""
    gap = -(support_of(hulls, k, place, normal) + radius)
    if gap < v.ZERO:
        return gap - v.length(way)
    return math.sqrt(gap) + v.dot(normal, way)


@kernel
def excess_inside(hulls: Hulls, k: int, place: Vector, way: Vector, radius: Any, outward: Vector) -> Any:
    """The negative margin of the half-space inside of hull k in a direction [m^0.5]."""
    return v.dot(outward, way) - math.sqrt(max(support_of(hulls, k, place, outward) - radius, v.ZERO))


roomiest = search_between(margin_outside)
tightest = search_between(excess_inside)


@kernel
def braking_ways(
    hulls: Hulls, k: int, place: Vector, way: Vector, radius: Any, otherwise: Vector
) -> tuple[Vector, Any]:
    """The half-space of hull k with the largest margin for a ball that brakes: its normal, and its bound [m]."""
    off = way_from_hull(hulls, k, place)
    bound = rounding_of(hulls, k) + radius - v.length(off)
    held = v.direction_off(off, place, otherwise)
    if bound >= v.ZERO or not v.dot(held, way) < v.ZERO:
        return held, bound
    ahead = v.normalize(way)
    normal = roomiest(hulls, k, place, way, radius, held, v.across(held, ahead, v.perpendicular(ahead)))
    return normal, support_of(hulls, k, place, normal) + radius


@kernel
def lead_back(
    i: int, balls: Balls, wrap: Array, hulls: Hulls, outward: Vector, distance: Any, visible: bool, bars: Bars
) -> None:  # fmt: skip
    """The half-space at the nearest point of a surface, for a ball within the body, or a ball that does not see it."""
    side = hulls.parts.side
    sign = -v.ONE if side == INSIDE or (side == BOTH and distance < v.ZERO) else v.ONE
    add_bar(bars, i, v.scale(outward, sign), balls.radius[i] - sign * distance)


@kernel
def stay_within(
    i: int, balls: Balls, wrap: Array, hulls: Hulls, outward: Vector, distance: Any, visible: bool, bars: Bars
) -> None:  # fmt: skip
    """The half-spaces inside of a body at the nearest point and with the smallest margin, for a ball that sees it."""
    if not visible:
        return
    place, way, radius = v.load(balls.place, i), v.load(balls.way, i), balls.radius[i]
    add_bar(bars, i, v.scale(outward, -v.ONE), radius + distance)
    behind = Behind(hulls, bars, i, radius, AROUND if hulls.parts.side == BOTH else ANY)
    row, _, spot = nearest_in_front(place, balls.reach[i], radius, hulls.parts, wrap, behind)
    if row >= 0 and v.dot(way, way) > v.ZERO and bars.number[i] < bars.normal[0].shape[1]:
        normal = tightest(hulls, row, spot, way, radius, outward, v.normalize(way))
        add_bar(bars, i, v.scale(normal, -v.ONE), radius - support_of(hulls, row, spot, normal))


@functools.cache
def bars_with(choose: Any, hold: Any) -> Any:
    """The kernel that adds the half-spaces of the parts of a set, BARS at most.

    Args:
        choose: Called as `choose(hulls, k, place, way, radius, otherwise)`: the half-space outside of hull k.
        hold: Called as `hold(i, balls, wrap, hulls, outward, distance, visible, bars)` for balls within a body, and those
            that do not see the surface, with its normal and distance [m] at the nearest point.
    """

    @row_kernel
    def bar(i: int, balls: Balls, active: Array, wrap: Array, hulls: Hulls, nearest: Nearest, bars: Bars) -> None:
        """`nearest` says on which side of the set the balls are."""
        if nearest.which[i] < 0 or bars.number[i] == bars.normal[0].shape[1]:
            return
        within, side = nearest.distance[i] < v.ZERO, hulls.parts.side
        visible, shells = side == BOTH or within == (side == INSIDE), side == BOTH and not hulls.hollow
        place, radius, normal = v.load(balls.place, i), balls.radius[i], v.load(nearest.normal, i)
        if not visible or (within and not hulls.hollow):
            hold(i, balls, wrap, hulls, normal, nearest.distance[i], visible, bars)
        elif shells:
            behind = Behind(hulls, bars, i, radius, AROUND)
            row, depth, spot = nearest_in_front(place, balls.reach[i], radius, hulls.parts, wrap, behind)
            if row >= 0:
                outward = v.direction_off(way_from_hull(hulls, row, spot), spot, normal)
                hold(i, balls, wrap, hulls, outward, -depth, visible, bars)
        if not (visible and (shells or hulls.hollow or not within)):
            return
        otherwise = v.scale(normal, -v.ONE if within else v.ONE)
        for _ in range(min(BARS, bars.normal[0].shape[1] - bars.number[i])):
            behind = Behind(hulls, bars, i, radius, BESIDE if shells else ANY)
            row, _, spot = nearest_in_front(place, balls.reach[i], radius, hulls.parts, wrap, behind)
            if row < 0:
                break
            normal, bound = choose(hulls, row, spot, v.load(balls.way, i), radius, otherwise)
            add_bar(bars, i, normal, bound)

    return bar


bar_ways = bars_with(clear_ways, lead_back)
bar_braking = bars_with(braking_ways, stay_within)

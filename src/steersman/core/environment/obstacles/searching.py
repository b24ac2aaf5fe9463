"""The searches for parts of obstacles in a tree of boxes: one along rays and one around places, for all kinds.

A search is a kernel that is made, once for each kind, around the kernel that answers the query for a single part. So it is
as fast as a search that is written for one kind.
"""

import functools
from typing import Any, NamedTuple

from steersman.core.environment.box_tree import (
    BOTH,
    OUTSIDE,
    Boxed,
    count_of,
    first_row,
    image,
    images_ahead,
    images_near,
    inverse_of,
    limited,
    next_leaf_along,
    next_leaf_near,
)
from steersman.core.environment.obstacles.answers import Hits, Nearest, Rays
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import INFINITE, ZERO, load, store
from steersman.core.typing import Array, Columns, Vector


class Ball(NamedTuple):
    """A ball that moves straight on, and is looked at in one of its images.

    Attributes:
        place: Where its center begins [m].
        forward: Where it moves, unit vector.
        radius: Its radius [m].
        reach: How far it moves [m].
        home: Where its center begins [m], not moved to an image.
        best: A contact later than this does not matter [m].
    """

    place: Vector
    forward: Vector
    radius: Any
    reach: Any
    home: Vector
    best: Any


@functools.cache
def search_along(meet: Any, keep: Any) -> Any:
    """The kernel that asks all parts on the ways of balls, nearer ones first.

    Args:
        meet: Called as `meet(ball, rows, k, side, wrap)`; its result begins with the distance [m], infinite for never.
        keep: Called as `keep(kept, i, found, far, which)` with that result, and the number of the part. The first array
            of `results` holds the distance of the best so far.
    """

    @row_kernel
    def search(i: int, rays: Rays, active: Array, wrap: Array, parts: Boxed, results: Any) -> None:
        (rows, order, boxes, side), known = parts, results[0]
        home, forward, reach, radius = load(rays.origin, i), load(rays.direction, i), rays.reach[i], rays.radius[i]
        inverses, far = inverse_of(forward), limited(reach, wrap)
        images = images_ahead(home, forward, far, radius, boxes, wrap)
        for turn in range(count_of(images)):
            place, node, trail = image(home, images, turn, wrap), 1, 0
            while node > 0:
                best = min(far, known[i])
                leaf, node, trail = next_leaf_along(boxes, place, inverses, radius, best, node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    if order[k] < 0:
                        continue
                    ball = Ball(place, forward, radius, reach, home, min(far, known[i]))
                    keep(results, i, meet(ball, rows, k, side, wrap), far, order[k])

    return search


def cast_with(touch: Any) -> Any:
    """The kernel that finds the first hits of thick rays, of parts that say when they are touched."""
    return search_along(touch, keep_hit)


@kernel
def keep_hit(hits: Hits, i: int, contact: tuple[Any, Vector], far: Any, which: int) -> None:
    """Keep a hit that is nearer than the best so far; of two that are equally near, the one of the lower number."""
    distance, normal = contact
    if distance <= far and (distance < hits.distance[i] or (distance == hits.distance[i] and which < hits.which[i])):
        hits.distance[i], hits.which[i] = distance, which
        store(hits.normal, i, normal)


@functools.cache
def search_around(gap: Any, counts: Any) -> Any:
    """The kernel that finds the part nearest to a place.

    Args:
        gap: Called as `gap(place, rows, k, told)`: how far a part is [m].
        counts: Called as `counts(place, k, gap, told)` for parts nearer than the best so far: whether they count.
    """

    @kernel
    def nearest_part(
        home: Vector, reach: Any, margin: Any, parts: Boxed, wrap: Array, extra: Any
    ) -> tuple[int, Any, Vector]:
        """Its row (-1: none), how far it is [m], and the image of the place to which it is so near.

        Args:
            home: The place [m].
            reach: Parts farther away than this [m] do not count.
            margin: How much farther the boxes of parts may be than the parts [m].
            parts: The parts.
            wrap: The space (see `vectors.difference`).
            extra: Passed on to `gap` and `counts`.
        """
        best, row, number, spot = INFINITE + reach, -1, -1, home
        images = images_near(home, reach + margin, parts.boxes, wrap)
        for turn in range(count_of(images)):
            place, node, trail = image(home, images, turn, wrap), 1, 0
            while node > 0:
                leaf, node, trail = next_leaf_near(parts.boxes, place, min(best, reach) + margin, node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    if parts.order[k] < 0:
                        continue
                    size = gap(place, parts.rows, k, extra)
                    nearer = size < best or (size == best and parts.order[k] < number)
                    if nearer and size <= reach and counts(place, k, size, extra):
                        best, row, number, spot = size, k, parts.order[k], place
        return row, best, spot

    return nearest_part


@functools.cache
def nearest_with(distance: Any) -> Any:
    """The kernel that finds the nearest parts to points, of parts that say how far they are.

    Within a set the nearest part counts, on either side of it; so inside a closed mesh or ring the distance of its
    surface counts, even if another surface is near. Bodies seen from outside are one: inside of several the deepest
    counts. Those seen from both sides are shells, of which the nearest counts. Of several sets likewise: `rank` holds
    the distance by which they are compared [m], without its sign for sets that can be seen from inside.
    """

    @kernel
    def gap(place: Vector, rows: Array, k: int, shells: bool) -> Any:
        size = distance(place, rows, k)[0]
        return abs(size) if shells else size

    nearest_part = search_around(gap, always)

    @row_kernel
    def search(
        i: int, points: Columns, reach: Array, active: Array, wrap: Array, parts: Boxed, rank: Array, nearest: Nearest
    ) -> None:
        row, _, spot = nearest_part(load(points, i), reach[i], ZERO, parts, wrap, parts.side == BOTH)
        if row < 0:
            return
        _, size, normal = distance(spot, parts.rows, row)
        which, own = parts.order[row], size if parts.side == OUTSIDE else abs(size)
        first = nearest.which[i] < 0
        if first or own < rank[i] or (own == rank[i] and which < nearest.which[i]):
            rank[i], nearest.distance[i], nearest.which[i] = own, size, which
            store(nearest.normal, i, normal)

    return search


@kernel
def always(place: Vector, k: int, gap: Any, extra: Any) -> bool:
    """Every part counts."""
    return True

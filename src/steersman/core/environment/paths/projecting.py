"""Where on a path a point is nearest, inside kernels: exact, and fast for many segments.

Consecutive segments of a path lie close together, so boxes around runs of them make a search tree without any sorting.
The tree is complete and lies in arrays: node 1 is the root, 2 k and 2 k + 1 are the children of k, the last `leaves` nodes
hold BLOCK segments each. A search first goes straight down to the likeliest leaf, then visits, from left to right, the
nodes that are not farther than the best so far. Of segments that tie, the first counts.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import HALF, INFINITE, ZERO, add_scaled, difference, dot, subtract
from steersman.core.typing import Array, Vector

BLOCK = 16
"""Segments in a leaf."""

TRIES = 4
"""The number of neighbors of a segment that are tried before all segments are searched."""


class PathColumns(NamedTuple):
    """A path of m segments in d dimensions as kernels take it: few arrays, for each costs in every call.

    Attributes:
        segments: One row a segment, shape (m, 2 d + 3): where it begins [m], unit vector (zero for a path of one point),
            length [m], arc length at which it begins [m], radius [m].
        boxes: The tree's boxes, lowest and highest corner [m], shape (2 leaves, 2 d).
        total: Length of the path [m], shape (1,).
        closed: 1 when the end leads back to the start, else 0.
    """

    segments: Array
    boxes: Array
    total: Array
    closed: int


def boxes_of(start: Array, stop: Array) -> Array:
    """The boxes of the search tree over segments.

    Args:
        start: Where segments begin [m], shape (m, d).
        stop: Where they end [m], shape (m, d).

    Returns:
        Lowest and highest corners [m], shape (2 leaves, 2 d); where there is nothing, the box is empty (inf, -inf).
    """
    m, d = start.shape
    leaves = 1
    while leaves * BLOCK < m:
        leaves *= 2
    low, high = np.full((2 * leaves, d), np.inf, start.dtype), np.full((2 * leaves, d), -np.inf, start.dtype)
    for leaf in range(-(-m // BLOCK)):
        rows = slice(leaf * BLOCK, (leaf + 1) * BLOCK)
        low[leaves + leaf] = np.minimum(start[rows], stop[rows]).min(axis=0)
        high[leaves + leaf] = np.maximum(start[rows], stop[rows]).max(axis=0)
    for node in range(leaves - 1, 0, -1):
        low[node] = np.minimum(low[2 * node], low[2 * node + 1])
        high[node] = np.maximum(high[2 * node], high[2 * node + 1])
    return np.concatenate([low, high], axis=1)


@kernel
def box_distance2(path: PathColumns, node: int, place: Vector) -> Any:
    """Squared distance of a point from the box of a node [m^2]; infinite when the box is empty."""
    boxes = path.boxes
    if len(place) == 2:
        x = max(boxes[node, 0] - place[0], ZERO, place[0] - boxes[node, 2])
        y = max(boxes[node, 1] - place[1], ZERO, place[1] - boxes[node, 3])
        return x * x + y * y
    x = max(boxes[node, 0] - place[0], ZERO, place[0] - boxes[node, 3])
    y = max(boxes[node, 1] - place[1], ZERO, place[1] - boxes[node, 4])
    z = max(boxes[node, 2] - place[2], ZERO, place[2] - boxes[node, 5])
    return x * x + y * y + z * z


@kernel
def start_of(path: PathColumns, j: int, like: Vector) -> Vector:
    """The beginning of segment j [m], in the dimensions of `like`."""
    if len(like) == 2:
        return (path.segments[j, 0], path.segments[j, 1])
    return (path.segments[j, 0], path.segments[j, 1], path.segments[j, 2])


@kernel
def tangent_of(path: PathColumns, j: int, like: Vector) -> Vector:
    """Unit vector of segment j, in the dimensions of `like`."""
    if len(like) == 2:
        return (path.segments[j, 2], path.segments[j, 3])
    return (path.segments[j, 3], path.segments[j, 4], path.segments[j, 5])


@kernel
def length_of(path: PathColumns, j: int) -> Any:
    """Length of segment j [m]."""
    return path.segments[j, path.segments.shape[1] - 3]


@kernel
def arc_at(path: PathColumns, j: int) -> Any:
    """Arc length at which segment j begins [m]."""
    return path.segments[j, path.segments.shape[1] - 2]


@kernel
def radius_of(path: PathColumns, j: int) -> Any:
    """Radius of segment j [m]."""
    return path.segments[j, path.segments.shape[1] - 1]


@kernel
def distance2(path: PathColumns, j: int, place: Vector) -> Any:
    """Squared distance of a point from a segment [m^2]."""
    return distance2_at(path, j, subtract(place, start_of(path, j, place)))


@kernel
def distance2_at(path: PathColumns, j: int, way: Vector) -> Any:
    """Squared distance of a point from a segment [m^2], by its way from where the segment begins [m]."""
    tangent = tangent_of(path, j, way)
    aside = add_scaled(way, tangent, -min(max(dot(way, tangent), ZERO), length_of(path, j)))
    return dot(aside, aside)


@kernel
def arc_nearest(path: PathColumns, j: int, place: Vector) -> Any:
    """Arc length of the point of segment j nearest to a place [m]."""
    along = dot(subtract(place, start_of(path, j, place)), tangent_of(path, j, place))
    return arc_at(path, j) + min(max(along, ZERO), length_of(path, j))


@kernel
def nearest_of(path: PathColumns, first: int, last: int, place: Vector) -> tuple[Any, int]:
    """The nearest of the segments first to last (exclusive): squared distance [m^2] and segment; of several, the first."""
    best, row = path.total.dtype.type(np.inf), first
    for j in range(first, last):
        d2 = distance2(path, j, place)
        if d2 < best:
            best, row = d2, j
    return best, row


@kernel
def scan_leaf(path: PathColumns, leaf: int, place: Vector, best: Any, row: int) -> tuple[Any, int]:
    """The best of the known segment and those of a leaf: squared distance [m^2] and segment."""
    d2, j = nearest_of(path, leaf * BLOCK, min(leaf * BLOCK + BLOCK, path.segments.shape[0]), place)
    if d2 < best or (d2 == best and j < row):
        return d2, j
    return best, row


@kernel
def likeliest_leaf(path: PathColumns, place: Vector) -> int:
    """The leaf that a descent to the nearer box at every level leads to."""
    node, leaves = 1, path.boxes.shape[0] // 2
    while node < leaves:
        node *= 2
        if box_distance2(path, node + 1, place) < box_distance2(path, node, place):
            node += 1
    return node


@kernel
def search(path: PathColumns, place: Vector, best: Any, row: int) -> tuple[Any, int]:
    """The best of the known segment and the whole path, as `scan_leaf`."""
    leaves = path.boxes.shape[0] // 2
    known = 0
    if best == INFINITE:
        known = likeliest_leaf(path, place)
        best, row = scan_leaf(path, known - leaves, place, best, row)
        if leaves == 1:
            return best, row
    node = 1
    while True:
        if box_distance2(path, node, place) <= best and node != known:
            if node < leaves:
                node *= 2
                continue
            best, row = scan_leaf(path, node - leaves, place, best, row)
        while node & 1:
            node >>= 1
        if node == 0:
            return best, row
        node += 1


@kernel
def project(path: PathColumns, place: Vector, wrap: Array, guess: int) -> tuple[Any, Any, int]:
    """The nearest point of the spine: its arc length [m], squared distance [m^2] and segment.

    On a torus the spine lies where its points say, and all images of the place are tried that may be nearest. They are
    at most half a period outside of the box around the path. A segment that is near, as a guess (-1 for none), makes it
    faster; the result does not depend on it.
    """
    T = path.total.dtype.type
    best, row, turn, turns = T(np.inf), 0, 0, 1
    image, more = first_image(path, place, wrap)
    if path.segments.shape[0] <= BLOCK and more[0] + more[1] + more[2] == 0:
        best, row = nearest_of(path, 0, path.segments.shape[0], image)
        return arc_nearest(path, row, image), best, row
    if guess >= 0:
        best, row = distance2(path, guess, image), guess
    if more[0] > 0 or more[1] > 0 or more[2] > 0:
        turns = (2 * more[0] + 1) * (2 * more[1] + 1) * (2 * more[2] + 1)
    nearest = image
    while turn < turns:  # One place that calls `search`, for the sake of the compiler: it is then made part of this.
        closer, j = search(path, image, best, row)
        if turn == 0 or closer < best:
            best, row, nearest = closer, j, image
        turn += 1
        if turn < turns:
            image = next_image(path, place, wrap, more, turn)
    return arc_nearest(path, row, nearest), best, row


@kernel
def project_near(
    path: PathColumns, place: Vector, wrap: Array, known: int, direction: Any, strays: Any
) -> tuple[Any, int]:
    """As `project`, arc length and segment, but on the branch of the spine that the segment `known` (-1 for none) lies on.

    Where the spine crosses itself or passes close by, a vehicle in the tube of one branch stays on it: from the known
    segment it goes from neighbor to neighbor as long as they are nearer; one that strays to turn round only in its
    direction. Farther out of the tube than it `strays` [m] the nearest part of all counts again.
    """
    last = path.segments.shape[0] - 1
    if 0 <= known <= last:
        begin = start_of(path, known, place)
        image = add_scaled(begin, difference(place, begin, wrap), np.float32(1))
        j, best, step, turns = known, distance2(path, known, image), 1, 0
        if strays > ZERO:
            step, turns = (1 if direction > ZERO else -1), 1
        while turns < 2:
            other = j + step
            if path.closed == 1:
                other = 0 if other > last else (last if other < 0 else other)
            if 0 <= other <= last:
                d2 = distance2(path, other, image)
                if d2 < best:
                    j, best = other, d2
                    continue
            step = -step
            turns += 1
        reach = radius_of(path, j) + strays
        if best <= reach * reach:
            return arc_nearest(path, j, image), j
    s, _, j = project(path, place, wrap, -1)
    return s, j


@kernel
def first_image(path: PathColumns, place: Vector, wrap: Array) -> tuple[Vector, tuple[int, int, int]]:
    """The image of a place nearest to the middle of the path [m], and how many more to try on either side of each axis."""
    x, across = image_along(path, place, wrap, 0)
    y, upwards = image_along(path, place, wrap, 1)
    if len(place) == 2:
        return (x, y), (across, upwards, 0)
    z, onwards = image_along(path, place, wrap, 2)
    return (x, y, z), (across, upwards, onwards)


@kernel
def image_along(path: PathColumns, place: Vector, wrap: Array, axis: int) -> tuple[Any, int]:
    """One coordinate of `first_image`."""
    low, high = path.boxes[1, axis], path.boxes[1, axis + len(place)]
    turns = np.rint((place[axis] - HALF * (low + high)) * wrap[1, axis])
    return place[axis] - wrap[0, axis] * turns, math.ceil(HALF * (high - low) * wrap[1, axis])


@kernel
def next_image(path: PathColumns, place: Vector, wrap: Array, more: tuple[int, int, int], turn: int) -> Vector:
    """Another image of a place, out of all those that `first_image` asks for."""
    image, _ = first_image(path, place, wrap)
    T = path.total.dtype.type
    across, upwards = 2 * more[0] + 1, 2 * more[1] + 1
    x = image[0] + T(from_middle(turn % across)) * wrap[0, 0]
    y = image[1] + T(from_middle(turn // across % upwards)) * wrap[0, 1]
    if len(place) == 2:
        return (x, y)
    return (x, y, image[2] + T(from_middle(turn // (across * upwards))) * wrap[0, 2])


@kernel
def from_middle(k: int) -> int:
    """The whole numbers 0, 1, -1, 2, -2, ... by their place in this order."""
    return (k + 1) // 2 if k & 1 else -(k // 2)


@kernel
def point_at(path: PathColumns, s: Any, guess: int, like: Vector) -> Vector:
    """The point of the spine at an arc length [m]: round and round a closed path, at an end beyond an open one.

    It comes in the dimensions of `like`. The guess is that of `locate`.
    """
    j, along = locate(path, s, guess)
    return point_in(path, j, along, like)


@kernel
def point_in(path: PathColumns, j: int, along: Any, like: Vector) -> Vector:
    """The point at a distance from the beginning of segment j [m], in the dimensions of `like`."""
    return add_scaled(start_of(path, j, like), tangent_of(path, j, like), along)


@kernel
def locate(path: PathColumns, s: Any, guess: int) -> tuple[int, Any]:
    """The segment at an arc length [m], and how far into it that is [m]. Of two that meet, the later one.

    A segment that is near, as a guess, makes it faster; the result does not depend on it.
    """
    total = path.total[0]
    if path.closed == 1 and total > ZERO:
        s = s - total * np.floor(s / total)
    j, last, tries = guess, path.segments.shape[0] - 1, 0
    while tries < TRIES and j < last and arc_at(path, j + 1) <= s:
        j, tries = j + 1, tries + 1
    while tries < TRIES and j > 0 and arc_at(path, j) > s:
        j, tries = j - 1, tries + 1
    if tries == TRIES:
        j = last_before(path, s)
    return j, min(max(s - arc_at(path, j), ZERO), length_of(path, j))


@kernel
def last_before(path: PathColumns, s: Any) -> int:
    """The last segment that does not begin beyond an arc length [m], or the first of all."""
    first, last = 0, path.segments.shape[0] - 1
    while first < last:
        middle = (first + last + 1) // 2
        if arc_at(path, middle) <= s:
            first = middle
        else:
            last = middle - 1
    return first


@kernel
def progress(path: PathColumns, before: Any, after: Any, direction: Any) -> Any:
    """The progress in a direction (1 or -1) from one arc length to another [m]; on a closed path the shorter way round."""
    won = (after - before) * direction
    if path.closed == 1:
        total = path.total[0]
        if total > ZERO:
            won = won - total * np.rint(won / total)
    return won

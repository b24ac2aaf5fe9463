"""A tree of boxes around parts (of obstacles), searched inside kernels without recursion.

The parts are in such an order that every node of the tree holds a run of consecutive parts: each run is cut in the middle,
along the axis on which it is longest. The tree is complete and lies in arrays: node 1 is the root, 2 k and 2 k + 1 are the
children of k, and the last `leaves` nodes hold a few parts each. A search visits the nearer child first. It remembers the
other child by a bit of a number, the *trail*, which has one bit for each level.

    node, trail = 1, 0
    while True:
        leaf, node, trail = next_leaf_along(...)         # or next_leaf_near
        if leaf < 0: break
        for k in range(*rows_of(...)): ...               # improve `best`; parts that are farther are skipped

On a torus the query is repeated for all its images that can meet the root box: see `Images`.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import HALF, INFINITE, ONE, ZERO
from steersman.core.typing import Array, Vector

LEAF = 4
"""Parts in a leaf at most. Fewer than four times as many lie in a tree of so few boxes that it costs nothing."""

SLACK = {np.dtype(np.float32): 4e-6, np.dtype(np.float64): 1e-13}
"""How much wider boxes are than their contents, in parts of the largest coordinate, so that rounding loses nothing."""

FLAT, STEEPEST = np.float32(1e-20), np.float32(1e30)
"""A component of a direction below FLAT brings a ray nowhere; STEEPEST stands for its inverse, and times zero is zero."""

MANY, FAR = np.float32(8), np.float32(1e9)
"""Images on one axis that are looked at, at most; and from how many periods away."""


class Boxed(NamedTuple):
    """Parts as kernels take them: few arrays, for each costs in every call.

    Attributes:
        rows: The geometry of each part, in the order of the tree, shape (m, k).
        order: The number of each, shape (m,), int64; negative where it is switched off, and to be passed by.
        boxes: Lowest and highest corners of the nodes [m], shape (2 leaves, 2 d); (inf, -inf) where there is nothing.
        side: From where the parts are seen: OUTSIDE, INSIDE or BOTH.
    """

    rows: Array
    order: Array
    boxes: Array
    side: int


OUTSIDE, INSIDE, BOTH = 0, 1, 2


def boxed(rows: Array, low: Array, high: Array, dtype: Any, side: int) -> Boxed:
    """Parts in a tree.

    Args:
        rows: The geometry of each part, shape (m, k), float64.
        low: The lowest corners of boxes around them [m], shape (m, d), float64.
        high: The highest corners, likewise.
        dtype: The floating-point type of the kernels.
        side: From where the parts are seen.
    """
    m, d = low.shape
    leaves = 1
    while leaves * LEAF < m:
        leaves *= 2
    order = ordered(0.5 * (low + high), leaves)
    slack = SLACK[np.dtype(dtype)] * max(np.abs(low).max(initial=0), np.abs(high).max(initial=0))
    boxes = np.concatenate([np.full((2 * leaves, d), np.inf), np.full((2 * leaves, d), -np.inf)], axis=1)
    if m:
        edges = (np.arange(leaves) * m) // leaves
        boxes[leaves:, :d] = np.minimum.reduceat(low[order], edges) - slack
        boxes[leaves:, d:] = np.maximum.reduceat(high[order], edges) + slack
    while leaves > 1:
        pairs = boxes[leaves : 2 * leaves].reshape(-1, 2, 2 * d)
        leaves //= 2
        boxes[leaves : 2 * leaves, :d] = pairs[:, :, :d].min(axis=1)
        boxes[leaves : 2 * leaves, d:] = pairs[:, :, d:].max(axis=1)
    return Boxed(np.ascontiguousarray(rows[order], dtype=dtype), order, boxes.astype(dtype), side)


def ordered(middle: Array, leaves: int) -> Array:
    """The order of parts in which node k of a level with w nodes holds those from k m // w to (k + 1) m // w.

    All nodes of a level are cut together: their parts are sorted along their longest axis.
    """
    m = len(middle)
    order, width = np.arange(m), 1
    while width < leaves:
        edges = (np.arange(width + 1) * m) // width
        node = np.repeat(np.arange(width), np.diff(edges))
        here = middle[order]
        extent = np.maximum.reduceat(here, edges[:-1]) - np.minimum.reduceat(here, edges[:-1])
        along = here[np.arange(m), np.argmax(extent, axis=1)[node]]
        order = order[np.lexsort((order, along, node))]
        width *= 2
    return order


class Images(NamedTuple):
    """Which images of a query to try on a torus: the first and how many on each axis. One, at home, elsewhere."""

    start: tuple[int, int, int]
    many: tuple[int, int, int]


@kernel
def images_of(low: Vector, high: Vector, boxes: Array, wrap: Array) -> Images:
    """The images of a query's box that meet the root box."""
    i, across = images_along(low[0], high[0], boxes[1, 0], boxes[1, len(low)], wrap, 0)
    j, upwards = images_along(low[1], high[1], boxes[1, 1], boxes[1, len(low) + 1], wrap, 1)
    if len(low) == 2:
        return Images((i, j, 0), (across, upwards, 1))
    k, onwards = images_along(low[2], high[2], boxes[1, 2], boxes[1, len(low) + 2], wrap, 2)
    return Images((i, j, k), (across, upwards, onwards))


@kernel
def images_along(low: Any, high: Any, root_low: Any, root_high: Any, wrap: Array, axis: int) -> tuple[int, int]:
    """The first image on one axis, and how many there are (at most MANY)."""
    if wrap[0, axis] == ZERO:
        return 0, 1
    start = np.ceil((root_low - high) * wrap[1, axis])
    stop = np.floor((root_high - low) * wrap[1, axis])
    if not (stop >= start and abs(start) < FAR):
        return 0, 0
    return int(start), int(min(stop - start + ONE, MANY))


@kernel
def count_of(images: Images) -> int:
    """How many images there are."""
    return images.many[0] * images.many[1] * images.many[2]


@kernel
def image(place: Vector, images: Images, turn: int, wrap: Array) -> Vector:
    """An image of a place [m], out of `count_of(images)`."""
    across, upwards = images.many[0], images.many[1]
    x = shifted(place[0], images.start[0] + turn % across, wrap, 0)
    y = shifted(place[1], images.start[1] + turn // across % upwards, wrap, 1)
    if len(place) == 2:
        return (x, y)
    return (x, y, shifted(place[2], images.start[2] + turn // (across * upwards), wrap, 2))


@kernel
def shifted(x: Any, periods: int, wrap: Array, axis: int) -> Any:
    """A coordinate some periods on [m]."""
    return x + wrap.dtype.type(periods) * wrap[0, axis]


@kernel
def images_near(place: Vector, reach: Any, boxes: Array, wrap: Array) -> Images:
    """The images of a place that come within reach of the root box; no way is longer than half a period."""
    return images_of(aside(place, -reach, wrap), aside(place, reach, wrap), boxes, wrap)


@kernel
def aside(place: Vector, way: Any, wrap: Array) -> Vector:
    """A place moved along all axes [m], at most half a period each."""
    x = place[0] + min(max(way, -HALF * wrap[0, 0]), HALF * wrap[0, 0])
    y = place[1] + min(max(way, -HALF * wrap[0, 1]), HALF * wrap[0, 1])
    if len(place) == 2:
        return (x, y)
    return (x, y, place[2] + min(max(way, -HALF * wrap[0, 2]), HALF * wrap[0, 2]))


@kernel
def images_ahead(place: Vector, direction: Vector, reach: Any, radius: Any, boxes: Array, wrap: Array) -> Images:
    """The images of a thick ray that come to the root box. On a torus its reach must be limited: see `limited`."""
    x, right = spanned(place[0], direction[0] * reach, radius)
    y, top = spanned(place[1], direction[1] * reach, radius)
    if len(place) == 2:
        return images_of((x, y), (right, top), boxes, wrap)
    z, back = spanned(place[2], direction[2] * reach, radius)
    return images_of((x, y, z), (right, top, back), boxes, wrap)


@kernel
def spanned(x: Any, way: Any, radius: Any) -> tuple[Any, Any]:
    """The interval of an axis that a thick ray covers [m]."""
    return min(x, x + way) - radius, max(x, x + way) + radius


@kernel
def limited(reach: Any, wrap: Array) -> Any:
    """The length of a ray [m]: on a torus no more than the longest period."""
    longest = max(wrap[0, 0], wrap[0, 1])
    if wrap.shape[1] == 3:
        longest = max(longest, wrap[0, 2])
    return min(reach, longest) if longest > ZERO else reach


@kernel
def inverse_of(direction: Vector) -> Vector:
    """One over each component, finite."""
    if len(direction) == 2:
        return (inverse(direction[0]), inverse(direction[1]))
    return (inverse(direction[0]), inverse(direction[1]), inverse(direction[2]))


@kernel
def inverse(x: Any) -> Any:
    """One over a number; STEEPEST for one that is nearly zero."""
    return ONE / x if abs(x) > FLAT else STEEPEST + x


@kernel
def entry(boxes: Array, node: int, origin: Vector, inverses: Vector, radius: Any, best: Any) -> Any:
    """Where a ray comes into a node's box made larger by the radius [m]; infinite when it does not, or after `best`."""
    d = len(origin)
    low, high = (boxes[node, 0] - radius - origin[0]) * inverses[0], (boxes[node, d] + radius - origin[0]) * inverses[0]
    near, far = max(ZERO, min(low, high)), min(best, max(low, high))
    low, high = (
        (boxes[node, 1] - radius - origin[1]) * inverses[1],
        (boxes[node, d + 1] + radius - origin[1]) * inverses[1],
    )
    near, far = max(near, min(low, high)), min(far, max(low, high))
    if len(origin) == 3:
        low, high = (
            (boxes[node, 2] - radius - origin[2]) * inverses[2],
            (boxes[node, 5] + radius - origin[2]) * inverses[2],
        )
        near, far = max(near, min(low, high)), min(far, max(low, high))
    return near if near <= far else INFINITE + near


@kernel
def next_leaf_along(
    boxes: Array, origin: Vector, inverses: Vector, radius: Any, best: Any, node: int, trail: int
) -> tuple[int, int, int]:
    """The next leaf that a thick ray comes to, nearer ones first.

    Args:
        boxes: The tree.
        origin: Where the ray begins [m].
        inverses: `inverse_of` its direction.
        radius: Its thickness [m].
        best: How far it matters [m].
        node: The next node to look at: 1 at the start, then as returned.
        trail: The nodes still to be looked at: 0 at the start, then as returned.

    Returns:
        The leaf (-1: no more), node and trail.
    """
    leaves = boxes.shape[0] // 2
    while node > 0:
        if node >= leaves:
            leaf, ahead = node - leaves, entry(boxes, node, origin, inverses, radius, best)
            node, trail = turn_back(node, trail)
            if ahead < INFINITE:
                return leaf, node, trail
            continue
        node, trail = 2 * node, 2 * trail
        left = entry(boxes, node, origin, inverses, radius, best)
        right = entry(boxes, node + 1, origin, inverses, radius, best)
        if not left < INFINITE and not right < INFINITE:
            node, trail = turn_back(node, trail)
        else:
            node += right < left
            trail += left < INFINITE and right < INFINITE
    return -1, 0, 0


@kernel
def turn_back(node: int, trail: int) -> tuple[int, int]:
    """The node that was put off last, and the remaining trail; node 0 when none is left."""
    if trail == 0:
        return 0, 0
    while trail & 1 == 0:
        node, trail = node >> 1, trail >> 1
    return node ^ 1, trail ^ 1


@kernel
def distance2(boxes: Array, node: int, place: Vector) -> Any:
    """Squared distance of a place from a node's box [m^2]."""
    d = len(place)
    x = max(boxes[node, 0] - place[0], ZERO, place[0] - boxes[node, d])
    y = max(boxes[node, 1] - place[1], ZERO, place[1] - boxes[node, d + 1])
    if len(place) == 2:
        return x * x + y * y
    z = max(boxes[node, 2] - place[2], ZERO, place[2] - boxes[node, 5])
    return x * x + y * y + z * z


@kernel
def next_leaf_near(boxes: Array, place: Vector, best: Any, node: int, trail: int) -> tuple[int, int, int]:
    """The next leaf not farther from a place than `best` [m], nearer ones first; see `next_leaf_along`."""
    leaves, best2 = boxes.shape[0] // 2, max(best, ZERO) * max(best, ZERO)
    while node > 0:
        if node >= leaves:
            leaf, near = node - leaves, distance2(boxes, node, place) <= best2
            node, trail = turn_back(node, trail)
            if near:
                return leaf, node, trail
            continue
        node, trail = 2 * node, 2 * trail
        left, right = distance2(boxes, node, place), distance2(boxes, node + 1, place)
        if not min(left, right) <= best2:
            node, trail = turn_back(node, trail)
        else:
            node += right < left
            trail += max(left, right) <= best2
    return -1, 0, 0


@kernel
def first_row(parts: Boxed, leaf: int) -> int:
    """The first row of a leaf; the last one is before the first row of the next."""
    row: int = leaf * parts.rows.shape[0] // (parts.boxes.shape[0] // 2)
    return row

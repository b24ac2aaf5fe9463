"""Distances on a grid: the first-order solution of the Eikonal equation, and the directions in which they fall.

    |grad T| = cost,   T = 0 at the goals

Sethian 1996, "A fast marching level set method". At a node whose lower neighbors along x and y have a and b, with f = cost *
spacing:

    T = (a + b + sqrt(2 f^2 - (a - b)^2)) / 2     if |a - b| < f
    T = min(a, b) + f                             otherwise

Nodes wait in buckets of equal width, as rings, instead of a heap. A node that gets a lower value after it was done is done
again. So the result is that of fast marching for any width, and the time grows in proportion to the number of nodes.

Arrays have a rim of one node all round, where the cost is infinite, so that kernels need no test for borders.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.typing import Array

NO_BUCKET = -2
"""The entry in `following` of a node that is in no bucket."""

FINEST = 4096
"""The most buckets."""

LEAST = 1e-12
"""The part of a value by which a new one must be lower, so that rounding does not make neighbors wait again."""


class Waiting(NamedTuple):
    """Nodes that wait, in buckets.

    Attributes:
        first: The first node of each bucket, -1 for none, shape (buckets,), int32; as many as a power of two.
        following, before: The neighbors of each node in its bucket, shape (nodes,), int32.
        per_meter: Buckets per unit of T, shape (1,).
    """

    first: Array
    following: Array
    before: Array
    per_meter: Array


def new_waiting(count: int, least: float, most: float) -> Waiting:
    """Empty buckets.

    Args:
        count: How many nodes there are.
        least: The smallest step from a node to the next.
        most: How far values that wait at the same time may be apart.
    """
    width = max(least, most / (FINEST - 4))
    size = 1 << math.ceil(math.log2(most / width + 3))
    links = np.full((2, count), NO_BUCKET, np.int32)
    return Waiting(np.full(size, -1, np.int32), links[0], links[1], np.array([1 / width]))


@kernel
def put(p: Any, value: Any, waiting: Waiting) -> None:
    """Put a node into its bucket."""
    k = int(value * waiting.per_meter[0]) & (waiting.first.size - 1)
    head = waiting.first[k]
    waiting.following[p], waiting.before[p] = head, -1
    if head >= 0:
        waiting.before[head] = p
    waiting.first[k] = p


@kernel
def take(p: Any, value: Any, waiting: Waiting) -> None:
    """Take a node out of its bucket."""
    before, following = waiting.before[p], waiting.following[p]
    if before >= 0:
        waiting.following[before] = following
    else:
        waiting.first[int(value * waiting.per_meter[0]) & (waiting.first.size - 1)] = following
    if following >= 0:
        waiting.before[following] = before
    waiting.following[p] = NO_BUCKET


@kernel(exact=True)
def upwind(value: Array, p: Any, width: Any, f: Any) -> Any:
    """The value of a node from its neighbors."""
    a, b = min(value[p - width], value[p + width]), min(value[p - 1], value[p + 1])
    apart = a - b
    if apart < f and -apart < f:
        return 0.5 * (a + b + math.sqrt(2.0 * f * f - apart * apart))
    return min(a, b) + f


@kernel(exact=True)
def lower(value: Array, step: Array, p: Any, here: Any, width: Any, waiting: Waiting) -> int:
    """Lower the value of a neighbor of a node with value `here`; return 1 if the neighbor waits now and did not before."""
    old, f = value[p], step[p]
    if not (old > here and f < np.inf):
        return 0
    new = upwind(value, p, width, f)
    if not new < old - LEAST * new:
        return 0
    waits = waiting.following[p] != NO_BUCKET
    if waits:
        take(p, old, waiting)
    value[p] = new
    put(p, new, waiting)
    return 0 if waits else 1


@kernel(exact=True)
def march(
    value: Array, step: Array, width: int, seeds: Array, waiting: Waiting, queried: Array, slack: float
) -> Any:  # fmt: skip
    """Complete the values of a grid from those of some nodes; the value up to which they are final.

    Args:
        value: T of all nodes: that of the seeds, and infinity; shape (nodes,), the rim included.
        step: cost * spacing of all nodes, infinite where no way leads; shape (nodes,).
        width: The number of nodes in a row, the rim included.
        seeds: Nodes with a value, shape (k,); their values are lowered where a way from others is shorter.
        waiting: Empty buckets.
        queried: Flags of the nodes whose values are asked for, shape (nodes,), uint8, cleared; or of none, for all.
        slack: So far beyond the greatest value that is asked for values are final, too.
    """
    number, k, size, pending, last = 0, np.int64(2**62), waiting.first.size, -1, np.int64(2**62)
    if queried.size > 0:
        pending = 0
        for flag in queried:
            pending += flag
    for s in seeds:
        if waiting.following[s] == NO_BUCKET and step[s] < np.inf:
            put(s, value[s], waiting)
            number += 1
            k = min(k, np.int64(value[s] * waiting.per_meter[0]))
    while number > 0:
        if pending == 0 and last == np.int64(2**62):
            last = k + np.int64(slack * waiting.per_meter[0]) + 1
        if k > last:
            return (k - 1) / waiting.per_meter[0]
        p = waiting.first[k & (size - 1)]
        if p < 0:
            k += 1
            continue
        here = value[p]
        take(p, here, waiting)
        number -= 1
        if pending > 0 and queried[p]:
            queried[p] = 0
            pending -= 1
        number += lower(value, step, p - width, here, width, waiting)
        number += lower(value, step, p - 1, here, width, waiting)
        number += lower(value, step, p + 1, here, width, waiting)
        number += lower(value, step, p + width, here, width, waiting)
    return np.inf


@kernel(exact=True)
def downhill(
    value: Array, step: Array, width: int, height: int, gap: Array, final: float, way: Array, remaining: Array
) -> None:  # fmt: skip
    """The directions in which values fall, and away from what is in the way where a body does not fit.

    Args:
        value: T of all nodes, shape (nodes,).
        step: As for `march`.
        width: The number of nodes in a row, the rim included.
        height: The number of rows, the rim included.
        gap: Room around each node [m], shape (height - 2, width - 2).
        final: The value up to which values are final: beyond it no way is known.
        way: Written: unit vectors, or zero at goals and where no way leads to one; shape (2, height - 2, width - 2).
        remaining: Written: T without the rim, of the same shape as `gap`.
    """
    rows, columns = height - 2, width - 2
    for i in range(rows):
        for j in range(columns):
            p = (i + 1) * width + j + 1
            here = value[p]
            remaining[i, j] = here
            x, y = 0.0, 0.0
            if step[p] == np.inf:
                x = np.float64(gap[min(i + 1, rows - 1), j]) - np.float64(gap[max(i - 1, 0), j])
                y = np.float64(gap[i, min(j + 1, columns - 1)]) - np.float64(gap[i, max(j - 1, 0)])
            elif here > 0.0 and here < np.inf and here <= final:
                low, high = value[p - width], value[p + width]
                if min(low, high) < here:
                    x = here - high if high < low else low - here
                low, high = value[p - 1], value[p + 1]
                if min(low, high) < here:
                    y = here - high if high < low else low - here
            size = math.sqrt(x * x + y * y)
            if size > 0.0:
                x, y = x / size, y / size
            way[0, i, j], way[1, i, j] = x, y

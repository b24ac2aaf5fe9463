"""A*: shortest ways over the edges of a graph (Hart, Nilsson and Raphael 1968). One call answers many queries.

    f(node) = way so far + scale * distance to the goal

`scale` is the least cost of a meter of any edge, so the estimate is never too high, and ways are the shortest.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.typing import Array


class GraphColumns(NamedTuple):
    """A graph, for kernels.

    Attributes:
        point: Where nodes are [m], shape (n, d).
        first: Where the edges of each node begin, shape (n + 1,), int64.
        to: Where they lead, shape (e,), int64.
        cost: What they cost, >= 0, infinite for shut; shape (e,).
        scale: The least cost of a meter, shape (1,).
    """

    point: Array
    first: Array
    to: Array
    cost: Array
    scale: Array


class Search(NamedTuple):
    """Space for a search.

    Attributes:
        cost: Of the best way to each node so far, shape (n,).
        before: The node before it there, -1 for none; shape (n,), int64.
        stamp: The query that has reached the node last, shape (n,), int64.
        key, node: A heap of nodes by f, shape (e + 2,).
    """

    cost: Array
    before: Array
    stamp: Array
    key: Array
    node: Array


def new_search(nodes: int, edges: int) -> Search:
    """Space for searches in a graph."""
    none = np.full((2, nodes), -1, np.int64)
    return Search(np.zeros(nodes), none[0], none[1], np.zeros(edges + 2), np.zeros(edges + 2, np.int64))


@kernel(exact=True)
def push(search: Search, size: int, key: Any, node: Any) -> int:
    """Add a node to the heap; its new size."""
    i = size
    while i > 0:
        up = (i - 1) // 2
        if search.key[up] <= key:
            break
        search.key[i], search.node[i] = search.key[up], search.node[up]
        i = up
    search.key[i], search.node[i] = key, node
    return size + 1


@kernel(exact=True)
def pop(search: Search, size: int) -> int:
    """Take the first node out of the heap; its new size."""
    size -= 1
    key, node, i = search.key[size], search.node[size], 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and search.key[child + 1] < search.key[child]:
            child += 1
        if key <= search.key[child]:
            break
        search.key[i], search.node[i] = search.key[child], search.node[child]
        i = child
    search.key[i], search.node[i] = key, node
    return size


@kernel(exact=True)
def apart(point: Array, a: Any, b: Any) -> Any:
    """How far two nodes are apart [m]."""
    d2 = 0.0
    for k in range(point.shape[1]):
        d2 += (point[a, k] - point[b, k]) * (point[a, k] - point[b, k])
    return math.sqrt(d2)


@row_kernel(exact=True)
def find_ways(
    q: int, graph: GraphColumns, origin: Array, goal: Array, stamp: int, search: Search, cost: Array,
    step: Array,
) -> None:  # fmt: skip
    """The cost of the cheapest way between a pair of nodes, infinite for none.

    Args:
        q: The pair.
        graph: The graph.
        origin: Where ways begin, shape (k,), int64.
        goal: Where they end, shape (k,), int64.
        stamp: A number larger than that of any query before.
        search: Space. After one query, `before` leads from its goal back.
        cost: Written, shape (k,).
        step: Written: the nodes that were looked at, shape (k,), int64.
    """
    scale = graph.scale[0]
    own, end, size = stamp + q, goal[q], 0
    cost[q], step[q] = np.inf, 0
    search.cost[origin[q]], search.before[origin[q]], search.stamp[origin[q]] = 0.0, -1, own
    size = push(search, size, scale * apart(graph.point, origin[q], end), origin[q])
    while size > 0:
        key, here = search.key[0], search.node[0]
        size = pop(search, size)
        so_far = search.cost[here]
        if key > so_far + scale * apart(graph.point, here, end) + 1e-12 * key:
            continue  # It was found again on a shorter way.
        step[q] += 1
        if here == end:
            cost[q] = so_far
            break
        for e in range(graph.first[here], graph.first[here + 1]):
            other, way = graph.to[e], so_far + graph.cost[e]
            if way < np.inf and (search.stamp[other] != own or way < search.cost[other]):
                search.cost[other], search.before[other], search.stamp[other] = way, here, own
                if size < search.key.size:
                    size = push(search, size, way + scale * apart(graph.point, other, end), other)

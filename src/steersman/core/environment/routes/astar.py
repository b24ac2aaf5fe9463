"""A*: shortest ways over the edges of a graph (Hart, Nilsson and Raphael 1968). One call answers many queries.

    f(node) = way so far + scale * distance to the goal

`scale` is the least cost of a meter of any edge, so the estimate is never too high, and ways are the shortest.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.routes.heap import DONE, NOWHERE, Heap, lower, new_heap, take_first
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.typing import Array


class GraphColumns(NamedTuple):
    """A graph, for kernels.

    Attributes:
        point: Where nodes are [m], shape (n, d).
        first: Where the edges of each node begin, shape (n + 1,), int64.
        to: Where they lead, shape (e,), int64.
        cost: Their costs, >= 0, infinite for shut; shape (e,).
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
        heap: Nodes by f.
    """

    cost: Array
    before: Array
    stamp: Array
    heap: Heap


def new_search(nodes: int) -> Search:
    """Space for searches in a graph."""
    none = np.full((2, nodes), -1, np.int64)
    return Search(np.zeros(nodes), none[0], none[1], new_heap(nodes))


@kernel(exact=True)
def apart(point: Array, a: Any, b: Any) -> Any:
    """The distance of two nodes [m]."""
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
    scale, heap = graph.scale[0], search.heap
    own, end, start = stamp + q, goal[q], origin[q]
    cost[q], step[q] = np.inf, 0
    search.cost[start], search.before[start], search.stamp[start], heap.place[start] = 0.0, -1, own, NOWHERE
    size = lower(heap, 0, start, scale * apart(graph.point, start, end))
    while size > 0:
        here = heap.node[0]
        size = take_first(heap, size)
        so_far = search.cost[here]
        step[q] += 1
        if here == end:
            cost[q] = so_far
            break
        for e in range(graph.first[here], graph.first[here + 1]):
            other, way = graph.to[e], so_far + graph.cost[e]
            if search.stamp[other] != own:
                search.cost[other], search.stamp[other], heap.place[other] = np.inf, own, NOWHERE
            if way < search.cost[other] and heap.place[other] != DONE:
                search.cost[other], search.before[other] = way, here
                size = lower(heap, size, other, way + scale * apart(graph.point, other, end))

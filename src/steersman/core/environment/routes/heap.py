"""A heap of nodes, the least key first, in which keys are lowered in place: for searches of shortest ways."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.typing import Array

NOWHERE, DONE = np.int32(-1), np.int32(-2)
"""The places of nodes that are not yet in the heap, and of those that are no longer in it."""


class Heap(NamedTuple):
    """Nodes by their keys.

    Attributes:
        node: The nodes in the order of the heap, shape (nodes,), int32.
        place: Where each node is in it, or NOWHERE or DONE, shape (nodes,), int32.
        key: The key of each node, shape (nodes,).
    """

    node: Array
    place: Array
    key: Array


def new_heap(nodes: int) -> Heap:
    """Room for all nodes of a graph."""
    return Heap(np.zeros(nodes, np.int32), np.full(nodes, NOWHERE), np.zeros(nodes))


@kernel(exact=True)
def lower(heap: Heap, size: int, q: Any, key: Any) -> int:
    """Put a node into the heap, or lower its key; return the size of the heap."""
    heap.key[q] = key
    k = heap.place[q]
    if k < 0:
        k = size
        size += 1
    while k > 0:
        up = (k - 1) // 2
        other = heap.node[up]
        if heap.key[other] <= key:
            break
        heap.node[k], heap.place[other] = other, k
        k = up
    heap.node[k], heap.place[q] = q, k
    return size


@kernel(exact=True)
def take_first(heap: Heap, size: int) -> int:
    """Take the node with the least key out of the heap; return the size of the heap."""
    size -= 1
    heap.place[heap.node[0]] = DONE
    if size == 0:
        return size
    k, q = 0, heap.node[size]
    while True:
        child = 2 * k + 1
        if child >= size:
            break
        if child + 1 < size and heap.key[heap.node[child + 1]] < heap.key[heap.node[child]]:
            child += 1
        other = heap.node[child]
        if heap.key[q] <= heap.key[other]:
            break
        heap.node[k], heap.place[other] = other, k
        k = child
    heap.node[k], heap.place[q] = q, k
    return size

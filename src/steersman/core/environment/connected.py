"""Connected: the connected components of a graph."""

import numpy as np

from steersman.core.typing import Array


def components(pairs: Array, count: int) -> Array:
    """Which component each node belongs to: the lowest number of its nodes, shape (count,).

    Args:
        pairs: Nodes that are joined, shape (e, 2).
        count: Number of nodes.
    """
    label = np.arange(count)
    while True:
        ends = label[pairs]
        lower = ends.min(axis=1)
        changed = label.copy()
        np.minimum.at(changed, ends.ravel(), np.repeat(lower, 2))
        while not np.array_equal(changed, changed[changed]):
            changed = changed[changed]
        if np.array_equal(changed, label):
            return label
        label = changed


def first_of_each(label: Array) -> Array:
    """For every entry the row of the first one with the same label, shape (m,)."""
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return np.asarray(first[group.ravel()])


def spheres_around(points: Array, group: Array, there: Array | None = None) -> tuple[Array, Array]:
    """Spheres around groups of points, about their means: centers (k, d) and radii (k,) [m], -1 for a group without points.

    Args:
        points: Points [m], shape (n, d).
        group: The group of each, shape (n,), numbered from 0.
        there: Which points count, shape (n,), bool. Default: all.
    """
    size = int(group.max(initial=-1)) + 1
    if there is not None:
        points, group = points[there], group[there]
    count = np.bincount(group, minlength=size)
    sums = [np.bincount(group, weights=axis, minlength=size) for axis in points.T]
    center = np.stack([each / np.maximum(count, 1) for each in sums], axis=1)
    radius = np.where(count > 0, 0.0, -1.0)
    np.maximum.at(radius, group, np.linalg.norm(points - center[group], axis=1))
    return center, radius

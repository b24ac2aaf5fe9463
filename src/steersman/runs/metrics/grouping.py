"""Grouping: into how many groups a population has split.

Two vehicles no farther apart than a reach are linked; a cluster is a set of vehicles that are connected by links. Astronomers
call this friends of friends (Davis, Efstathiou, Frenk and White 1985), statisticians single linkage.
"""

from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.kernels.kernel import kernel
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames
from steersman.runs.metrics.metric import metric
from steersman.runs.metrics.nearby import Nearby

__all__ = ["cluster_count", "cluster_labels", "largest_cluster"]


@explained
def cluster_labels(position: Any, reach: float, domain: Domain | None = None) -> Array:
    """Which cluster each vehicle belongs to.

    Formula: the components of the graph that links i and j if |x_j - x_i| <= reach. Source: friends of friends, Davis et al.
    1985.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        reach: Largest distance of two linked vehicles [m], > 0, from center to center.
        domain: The space. Default: space without end.

    Returns:
        Numbers of clusters, shape (n,) or (frames, n), from 0 in the order of their first vehicles.
    """
    frames = Frames("position", position)
    return np.asarray(frames.answer(_labels(frames, reach, domain)))


def _labels(frames: Frames, reach: float, domain: Domain | None) -> Array:
    """The clusters of all vehicles, shape (frames, n)."""
    reach, near = as_number("reach", reach, above=0, unit="m"), Nearby(frames.space(domain))
    labels = np.zeros((len(frames), frames.n), np.int64)
    for k, where in enumerate(frames.values):
        first, second, _ = near.pairs(where, reach)
        link(first.astype(np.int64), second.astype(np.int64), labels[k])
    return labels


@kernel
def link(first: Array, second: Array, label: Array) -> None:
    """Write the clusters of n vehicles to `label`, shape (n,), int64.

    While links are joined, a label is an earlier row of the same cluster; the label of the first row is that row.
    """
    for i in range(label.size):
        label[i] = i
    for k in range(first.size):
        a, b = foremost(label, first[k]), foremost(label, second[k])
        if a < b:
            label[b] = a
        else:
            label[a] = b
    number = 0
    for i in range(label.size):
        if label[i] == i:
            label[i] = number
            number += 1
        else:
            label[i] = label[label[i]]  # That row stands before this one, and has its number.


@kernel
def foremost(label: Array, row: int) -> int:
    """The first row of the cluster of a row. Rows on the way to it are relabeled with earlier rows."""
    while label[row] != row:
        label[row] = label[label[row]]
        row = label[row]
    return row


@metric(to="distance")
def cluster_count(position: Any, reach: float, domain: Domain | None = None) -> Each:
    """The number of clusters of a population; 0 without vehicles. A single vehicle is a cluster, too.

    Formula: the number of components of the graph that links i and j if |x_j - x_i| <= reach. Arguments are those
    of `cluster_labels`.

    Returns:
        The number; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    return frames.answer(_labels(frames, reach, domain).max(axis=1, initial=-1) + 1)


@metric(to="distance")
def largest_cluster(position: Any, reach: float, domain: Domain | None = None) -> Each:
    """The fraction of a population that is in its largest cluster, from 0 to 1; NaN without vehicles.

    Formula: max over clusters of size / n. Arguments are those of `cluster_labels`.

    Returns:
        The fraction; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    if not frames.n:
        return frames.answer(np.full(len(frames), np.nan))
    return frames.answer(np.array([np.bincount(row).max() / frames.n for row in _labels(frames, reach, domain)]))

"""Nearby: pairs of vehicles that are near each other, and the nearest vehicles, frame after frame; exact for any number.

Few vehicles are compared all with all; many are sorted into the same grid as for neighborhoods of behaviors, in float64.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.neighborhood.lookup import NeighborSearch, Points
from steersman.core.parameters.arrays import frozen
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

FEW = 150
"""Up to this number of vehicles it is fastest to compare every pair."""

PAIRS = FEW * FEW
"""The same limit for pairs of points and others."""


@lru_cache(maxsize=8)
def _all_pairs(n: int) -> tuple[Array, Array]:
    """Rows of all pairs of n vehicles, the lower first, in order."""
    first, second = np.triu_indices(n, 1)
    return frozen(first), frozen(second)


class Nearby:
    """Finds pairs of near vehicles, in one frame after the other. All frames have as many vehicles, and as many others.

    Args:
        domain: The space.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._searches: dict[Any, tuple[NeighborSearch, Vehicles, Any]] = {}

    def pairs(self, position: Array, reach: float) -> tuple[Array, Array, Array]:
        """Rows of all pairs no farther apart than a reach, the lower first, in order; and their distances [m].

        Args:
            position: Positions [m], shape (n, d).
            reach: How far [m], >= 0, the same in all frames.
        """
        n = len(position)
        if n <= FEW or not 0 < reach < math.inf:
            first, second = _all_pairs(n)
            distance = self.distance(position[first], position[second])
            near = distance <= reach
            return first[near], second[near], distance[near]
        near_by = self._search(position, None, reach, None)()
        first = np.repeat(np.arange(n), np.diff(near_by.indptr))
        once = first < near_by.indices
        first, second, distance = first[once], near_by.indices[once], near_by.distances[once]
        order = np.lexsort((second, first))
        return first[order], second[order], distance[order]

    def nearest(self, position: Array, k: int, others: Array | None = None) -> tuple[Array, Array]:
        """The k nearest of each: their rows, shape (n, k), the nearest first, and how far they are [m].

        Args:
            position: Positions of the vehicles [m], shape (n, d).
            k: The number of neighbors, no more than there are.
            others: Positions of the neighbors [m], shape (m, d). Default: the vehicles, none of which is its own neighbor.
        """
        targets = position if others is None else others
        n = len(position)
        if n * len(targets) <= PAIRS:
            distance = self.distance(targets[None, :, :], position[:, None, :])
            if others is None:
                distance[np.arange(n), np.arange(n)] = np.inf
            rows = np.argsort(distance, axis=1, kind="stable")[:, :k]
            return rows, np.take_along_axis(distance, rows, axis=1)
        neighbors = self._search(position, others, math.inf, k)()
        rows, distance = np.zeros((n, k), np.int64), np.full((n, k), np.inf)
        there = np.arange(k) < np.diff(neighbors.indptr)[:, None]
        rows[there], distance[there] = neighbors.indices, neighbors.distances
        return rows, distance

    def distance(self, to: Array, origin: Array) -> Array:
        """Distances [m], the shortest way."""
        way = self._domain.difference(to, origin)
        return np.asarray(np.sqrt(np.sum(way**2, axis=-1)))

    def _search(self, position: Array, others: Array | None, radius: float, k: int | None) -> NeighborSearch:
        """The grid search, which is made once."""
        key = (radius, k, others is None)
        if key not in self._searches:
            lookers = Vehicles(position, dtype=np.float64)
            points = None if others is None else Points(others)
            search = NeighborSearch(lookers, self._domain, radius, 2 * math.pi, 0.0, k, points)
            self._searches[key] = search, lookers, points
        search, lookers, points = self._searches[key]
        lookers.position = position
        if points is not None and others is not None:
            points.position = others
        return search

"""Lookup: the neighborhood of behaviors as arrays, for the user."""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.neighborhood.neighbor_pass import NeighborPass
from steersman.core.neighborhood.request import Listing, NeighborList, NeighborSum
from steersman.core.parameters.arrays import as_points
from steersman.core.parameters.kinds import as_float
from steersman.core.typing import Array
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicles import Vehicles


class Neighbors(NamedTuple):
    """The neighbors of every vehicle, one vehicle after the other (compressed rows).

    The neighbors of vehicle i are `indices[indptr[i]:indptr[i + 1]]`, the nearest first; of equally near ones the lower row.

    Attributes:
        indptr: Where each vehicle's neighbors begin, shape (n + 1,), int64.
        indices: Rows of the neighbors, shape (m,), int64.
        offsets: Vectors from the vehicle to the neighbor [m], the shortest ones on a torus; shape (m, d).
        distances: Their lengths [m], shape (m,).
    """

    indptr: Array
    indices: Array
    offsets: Array
    distances: Array


class Points:
    """Bare points as candidates."""

    def __init__(self, position: Array) -> None:
        self.position = position


class NeighborSearch:
    """A repeated search for the neighbors of every vehicle; arguments as for `find_neighbors`.

    Raises:
        TypeError: As for `find_neighbors`.
        ValueError: As for `find_neighbors`.
    """

    def __init__(
        self,
        vehicles: Vehicles,
        domain: Domain,
        radius: float,
        angle: float,
        inner_radius: float,
        k: int | None,
        of: Any,
    ) -> None:
        of = without_holder(of)
        if of is not None and not hasattr(of, "position"):
            of = Points(as_points("of", of, vehicles.dtype, vehicles.dimensions))
        self._vehicles, self._domain, self._others = vehicles, domain, vehicles if of is None else of
        self._sum = NeighborSum("offset", as_float(radius), as_float(angle), as_float(inner_radius), None, of)
        self._counting = NeighborPass(vehicles, (self._sum,), domain, of) if k is None else None
        self._k, self._room = k, -1
        if k is not None:
            self._list(k)

    def _list(self, most: int) -> None:
        """Make room for up to `most` neighbors of each vehicle."""
        about = self._sum
        self._request = NeighborList(about.radius, most, about.angle, about.inner_radius, about.of)
        self._listing = NeighborPass(self._vehicles, (self._request,), self._domain, about.of)
        self._room = most

    def __call__(self) -> Neighbors:
        """The neighbors now."""
        n = len(self._vehicles)
        if self._counting is not None:
            _run(self._counting)
            most = int(self._counting.sums[self._sum].count[:n].max(initial=0)) + 1
            if most > self._room:
                self._list(most)
        while True:
            _run(self._listing)
            listing = Listing(*(column[:n] for column in self._listing.lists[self._request]))
            # The two searches may round differently at the very edge.
            if self._k is not None or int(listing.number.max(initial=0)) < self._room:
                break
            self._list(self._room + 1)
        indptr = np.concatenate([[0], np.cumsum(listing.number, dtype=np.int64)])
        columns = np.arange(listing.row.shape[1])
        indices = listing.row[columns < listing.number[:, None]].astype(np.int64)
        own = np.repeat(np.arange(n), listing.number)
        offsets = self._domain.difference(np.asarray(self._others.position)[indices], self._vehicles.position[own])
        return Neighbors(indptr, indices, offsets, np.sqrt(np.sum(offsets * offsets, axis=1)))


def _run(neighborhood: NeighborPass) -> None:
    neighborhood.build()
    neighborhood.run()


def find_neighbors(
    vehicles: Vehicles,
    domain: Domain,
    radius: float,
    *,
    angle: float = 2 * math.pi,
    inner_radius: float = 0.0,
    k: int | None = None,
    of: Any = None,
) -> Neighbors:
    """The neighbors of every vehicle.

    Args:
        vehicles: The vehicles that look for neighbors.
        domain: The space.
        radius: Distance up to which others are neighbors [m], inclusive; may be infinite.
        angle: Full field of view [rad].
        inner_radius: Distance within which neighbors are seen at any angle [m].
        k: Only the k nearest. Default: all.
        of: The possible neighbors: another Vehicles, any object with a `position`, or points (m, d) [m]. Default: the
            vehicles themselves, none of which is its own neighbor.

    Raises:
        TypeError: The points are no numbers.
        ValueError: A number is out of range, or the dimensions differ.
    """
    return NeighborSearch(vehicles, domain, radius, angle, inner_radius, k, of)()

"""Lookup: the neighbors of every vehicle as arrays, found as for behaviors, for users and metrics."""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import difference, dot, load
from steersman.core.neighborhood.neighbor_pass import NeighborPass, check
from steersman.core.neighborhood.pairs import list_around, view_of
from steersman.core.neighborhood.request import NeighborCells, NeighborList, NeighborSum
from steersman.core.neighborhood.slots import sees_all_around
from steersman.core.parameters.arrays import as_points
from steersman.core.parameters.kinds import as_float
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicles import Vehicles


class Neighbors(NamedTuple):
    """The neighbors of every vehicle, one vehicle after the other (compressed rows).

    The neighbors of vehicle i are `indices[indptr[i]:indptr[i + 1]]`, the nearest first, and equally near ones by row (unless
    `sort` is false).

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


@row_kernel
def measure(
    i: int, position: Columns, others: Columns, wrap: Array, indptr: Array, indices: Array, offsets: Array, distances: Array
) -> None:  # fmt: skip
    """Write the ways from each vehicle to its neighbors, and their lengths."""
    here = load(position, i)
    for k in range(indptr[i], indptr[i + 1]):
        way = difference(load(others, indices[k]), here, wrap)
        for axis in range(len(way)):
            offsets[k, axis] = way[axis]
        distances[k] = math.sqrt(dot(way, way))


class NeighborSearch:
    """A repeated search for the neighbors of every vehicle; arguments as for `find_neighbors`."""

    def __init__(
        self,
        vehicles: Vehicles,
        domain: Domain,
        radius: float,
        angle: float,
        inner_radius: float,
        k: int | None,
        of: Any,
        sort: bool = True,
    ) -> None:
        of = without_holder(of)
        if of is not None and not hasattr(of, "position"):
            of = Points(as_points("of", of, vehicles.dtype, vehicles.dimensions))
        self._vehicles, self._domain, self._others = vehicles, domain, vehicles if of is None else of
        self._k, n, dtype, self._sort = k, len(vehicles), vehicles.dtype, sort
        about = NeighborSum("offset", as_float(radius), as_float(angle), as_float(inner_radius), None, of)
        self._request: Any = NeighborCells(about.radius, of)
        if k is not None:
            self._request = NeighborList(about.radius, k, about.angle, about.inner_radius, of)
        check(about)
        self._pass = NeighborPass(vehicles, (self._request,), domain, of)
        self._view = view_of(dtype, about.radius, about.angle, about.inner_radius)
        self._ahead = () if sees_all_around(about) else vehicles.columns.forward
        self._count = np.zeros(n, np.int64)

    def __call__(self) -> Neighbors:
        """The neighbors now."""
        n = len(self._vehicles)
        self._pass.build()
        if self._k is None:
            indptr, indices = self._around()
        else:
            self._pass.run()
            listing = self._pass.lists[self._request]
            number, row = listing.number[:n], listing.row[:n]
            indptr = np.concatenate([[0], np.cumsum(number, dtype=np.int64)])
            indices = row[np.arange(row.shape[1]) < number[:, None]].astype(np.int64)
        dtype, d = self._vehicles.dtype, self._vehicles.dimensions
        offsets, distances = np.zeros((len(indices), d), dtype), np.zeros(len(indices), dtype)
        others = tuple(np.asarray(self._others.position, dtype).T)
        position, wrap = self._vehicles.columns.position, self._domain.wrap(d, dtype)
        Call(measure, (position, others, wrap, indptr, indices, offsets, distances)).run(n)
        return Neighbors(indptr, indices, offsets, distances)

    def _around(self) -> tuple[Array, Array]:
        """`indptr` and `indices` of all neighbors within the radius, which are counted first and then listed."""
        n = len(self._vehicles)
        cells, period, _ = self._pass.cells[self._request]
        about = (self._vehicles.columns.position, cells, period, self._view, self._ahead)
        Call(list_around, (*about, (), self._count)).run(n)
        indptr = np.concatenate([[0], np.cumsum(self._count)])
        indices, d2 = np.zeros(indptr[-1], np.int64), np.zeros(indptr[-1], self._vehicles.dtype)
        lists = (indices, d2, indptr[:-1], *([True] if self._sort else []))
        Call(list_around, (*about, lists, self._count)).run(n)
        return indptr, indices


def find_neighbors(
    vehicles: Vehicles,
    domain: Domain,
    radius: float,
    *,
    angle: float = 2 * math.pi,
    inner_radius: float = 0.0,
    k: int | None = None,
    of: Any = None,
    sort: bool = True,
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
        sort: Whether the nearest come first. Otherwise the order is that of the cells, unless k is given: faster.
    """
    return NeighborSearch(vehicles, domain, radius, angle, inner_radius, k, of, sort)()

"""Who is near whom, for whoever wants to know: the neighborhood of behaviors as arrays."""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.geometry.arrays import as_points
from steersman.geometry.vectors import Array
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.neighborhood.request import NeighborList, NeighborSum
from steersman.vehicles.holding import without_holder
from steersman.vehicles.vehicles import Vehicles


class Neighbors(NamedTuple):
    """The neighbors of every vehicle, one vehicle's behind the other's (compressed rows).

    Those of vehicle i are `indices[indptr[i]:indptr[i + 1]]`, the nearest first, of those equally near the lower row first.

    Attributes:
        indptr: Where each vehicle's neighbors begin, shape (n + 1,), int64.
        indices: Rows of the neighbors, shape (m,), int64.
        offsets: The way from the vehicle to the neighbor [m], the shortest one on a torus; shape (m, d).
        distances: Its length [m], shape (m,).
    """

    indptr: Array
    indices: Array
    offsets: Array
    distances: Array


class Points:
    """Bare points that are looked at."""

    def __init__(self, position: Array) -> None:
        self.position = position


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
        vehicles: Those who look.
        domain: The space.
        radius: Distance up to which others are neighbors [m], inclusive; may be infinite.
        angle: Full field of view [rad].
        inner_radius: Distance within which neighbors are seen at any angle [m].
        k: Only the k nearest. Default: all.
        of: Who is looked at: another Vehicles, anything with a `position`, or points (m, d) [m]. Default: the vehicles
            themselves, none of whom is its own neighbor.

    Raises:
        TypeError: The points are no numbers.
        ValueError: A number is out of range, or the dimensions differ.
    """
    of = without_holder(of)
    if of is not None and not hasattr(of, "position"):
        of = Points(as_points("of", of, vehicles.dtype, vehicles.dimensions))
    others = vehicles if of is None else of
    most = k
    if most is None:
        everybody = NeighborSum("offset", float(radius), float(angle), float(inner_radius), None, of)
        most = int(_run(vehicles, everybody, domain).sums[everybody].count.max(initial=0)) + 1
    while True:
        request = NeighborList(float(radius), most, float(angle), float(inner_radius), of)
        listing = _run(vehicles, request, domain).lists[request]
        # The two searches may round differently at the very edge.
        if k is not None or int(listing.number.max(initial=0)) < most:
            break
        most += 1
    indptr = np.concatenate([[0], np.cumsum(listing.number, dtype=np.int64)])
    columns = np.arange(listing.row.shape[1])
    indices = listing.row[columns < listing.number[:, None]].astype(np.int64)
    own = np.repeat(np.arange(len(vehicles)), listing.number)
    offsets = domain.difference(np.asarray(others.position)[indices], vehicles.position[own])
    return Neighbors(indptr, indices, offsets, np.sqrt(np.sum(offsets * offsets, axis=1)))


def _run(vehicles: Vehicles, request: NeighborSum | NeighborList, domain: Domain) -> NeighborPass:
    found = NeighborPass(vehicles.body, (request,), domain, request.of)
    found.build()
    found.run(0, 1)
    return found

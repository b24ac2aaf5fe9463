"""The definition of a neighbor sum, in NumPy: every pair, one vehicle after the other. Slow, and meant to be read."""

import math
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.neighborhood.coincident import direction
from steersman.core.neighborhood.request import NeighborSum
from steersman.core.neighborhood.slots import LARGEST_REPULSION, tiny_distance
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


def brute_force(
    body: VehicleColumns, request: NeighborSum, domain: Domain, of: Any = None, tie: int = 1
) -> tuple[Array, Array]:
    """A neighbor sum by its definition, in float64.

    Args:
        body: The vehicles that look.
        request: What is summed.
        domain: The space.
        of: Whose members are the neighbors: None for the vehicles themselves, another Vehicles, or anything with a
            `position` of shape (m, d) [m].
        tie: Sign of the direction between coincident vehicles of two populations with equal ids.

    Returns:
        The sums, shape (n, d), and how many neighbors were summed, shape (n,).
    """
    own = np.stack(body.position, axis=1).astype(float)
    front = np.stack(body.forward, axis=1).astype(float)
    others = body if of is None else of.columns if isinstance(of, Vehicles) else None
    position = np.stack(others.position, axis=1) if others is not None else np.asarray(of.position)
    ids = others.id if others is not None else np.arange(len(position))
    total, count = np.zeros(own.shape), np.zeros(len(own), int)
    for i in range(len(own)):
        r = domain.difference(position.astype(float), own[i])
        distance = np.sqrt(np.sum(r * r, axis=1))
        seen = in_view(r, distance, front[i], request) & (distance <= request.radius)
        if of is None:
            seen[i] = False
        rows = np.flatnonzero(seen)
        if request.k is not None:
            rows = rows[np.lexsort((rows, distance[rows]))][: request.k]
        for j in rows:
            total[i] += term(request, r[j], distance[j], int(body.id[i]), int(ids[j]), int(j), others, tie)
        count[i] = len(rows)
    return total, count


def in_view(r: Array, distance: Array, front: Array, request: NeighborSum) -> Array:
    """Whether offsets r [m], shape (m, d), are in the field of view of a vehicle that faces `front`; shape (m,), bool."""
    if request.angle >= 2 * math.pi:
        return np.ones(len(r), bool)
    cosine = r @ front / np.where(distance == 0, 1.0, distance)
    near = distance <= max(request.inner_radius, tiny_distance(request))
    return np.asarray(near | (np.arccos(np.clip(cosine, -1, 1)) <= request.angle / 2 + 1e-12))


def term(
    request: NeighborSum,
    r: Array,
    distance: Any,
    own: int,
    other: int,
    j: int,
    vehicles: VehicleColumns | None,
    tie: int,
) -> Array:
    """What one neighbor, row j of `vehicles`, adds to the sum; `own` and `other` are the two ids."""
    if request.quantity == "offset":
        return r
    if request.quantity == "repulsion":
        tiny = tiny_distance(request)
        limit = min(request.limit, LARGEST_REPULSION)
        if distance > tiny:
            fading = 1 - (distance / request.radius) ** 2 if request.fades else 1.0
            return np.asarray(-r / distance * min(distance**-request.falloff, limit) * fading)
        like: Columns = tuple(np.zeros((len(r), 1)))
        return np.asarray(np.array(direction(own, other, tie, like)) * min(tiny**-request.falloff, limit))
    assert vehicles is not None
    return np.array([column[j] for column in getattr(vehicles, request.quantity)], float)

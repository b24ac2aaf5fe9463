"""Contacts: which vehicles have run into each other, and how deep."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.geometry.vectors import Array
from steersman.neighborhood.lookup import find_neighbors
from steersman.vehicles.holding import Holder, as_vehicles, of_vehicles
from steersman.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from steersman.world.world import World

FEW = 150
"""Up to so many vehicles it is quickest to look at every pair."""


@of_vehicles
def overlaps(vehicles: Vehicles, domain: Domain | None = None) -> tuple[Array, Array]:
    """Pairs whose bounding circles or spheres overlap: rows, shape (k, 2), the lower first; and how deep [m], shape (k,)."""
    first, second, distance = _near_pairs(vehicles, domain or Open())
    depth = vehicles.radius[first].astype(float) + vehicles.radius[second] - distance
    return np.stack([first[depth > 0], second[depth > 0]], axis=1), depth[depth > 0]


def _near_pairs(vehicles: Vehicles, domain: Domain) -> tuple[Array, Array, Array]:
    """Rows of all pairs that may touch, the lower first, and their distances [m]."""
    reach = 2 * float(vehicles.radius.max(initial=0.0))
    if len(vehicles) > FEW and reach > 0:
        near = find_neighbors(vehicles, domain, reach)
        first = np.repeat(np.arange(len(vehicles)), np.diff(near.indptr))
        once = first < near.indices
        return first[once], near.indices[once], near.distances[once]
    first, second = np.triu_indices(len(vehicles), 1)
    way = domain.difference(vehicles.position[second], vehicles.position[first])
    return first, second, np.sqrt(np.sum(way.astype(float) ** 2, axis=1))


@of_vehicles
def overlap(vehicles: Vehicles, domain: Domain | None = None) -> float:
    """How deep the deepest overlap of two vehicles is [m]; 0 when nobody touches."""
    return float(overlaps(vehicles, domain)[1].max(initial=0.0))


class Contacts:
    """Counts who touches whom, at every step: an observer.

    Args:
        vehicles: The population.
        slack: Overlaps up to this depth do not count [m].

    Attributes:
        pairs: The ids of all pairs that have touched so far.
        deepest: The deepest overlap so far [m].
    """

    only_watches = True

    def __init__(self, vehicles: Vehicles | Holder, *, slack: float = 0.0) -> None:
        self.vehicles, self.slack = as_vehicles("vehicles", vehicles), slack
        self.pairs: set[tuple[int, int]] = set()
        self.deepest = 0.0

    def saved(self) -> dict[str, Any]:
        """Who has touched so far, and how deep."""
        return {"pairs": [list(pair) for pair in sorted(self.pairs)], "deepest": self.deepest}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on counting."""
        self.pairs, self.deepest = {(a, b) for a, b in saved["pairs"]}, saved["deepest"]

    def __call__(self, world: "World") -> None:
        """Look at the present state."""
        rows, depth = overlaps(self.vehicles, world.domain)
        self.deepest = max(self.deepest, float(depth.max(initial=0.0)))
        self.pairs.update((int(a), int(b)) for a, b in self.vehicles.id[rows[depth > self.slack]])

"""Zone: a region that reports which vehicles come in and go out: pickups, doors, damage, finish lines.

    pond = sm.Zone(sm.Sphere([30, 20], 5), sheep)
    world.on_step(pond)
    world.step()
    print(pond.entered, pond.left)  # ids

A vehicle that comes in and goes out again within one step is reported, too. Its way is searched in strides as long as the
distance from the region, so that strides never jump over it (sphere tracing: Hart, "Sphere Tracing", 1996).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.regions.kind import as_region
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.guiding import Explained
from steersman.core.parameters.keeping import Keeping
from steersman.core.parameters.kinds import FLAG, Description
from steersman.core.typing import Array
from steersman.core.vehicles.holding import as_vehicles
from steersman.core.vehicles.turnover import births_of, ids_of, turnover

LEAST = 1e-3
"""The shortest stride, as a part of the way of a step. Along a boundary, strides would become shorter and shorter."""


class Zone(Keeping, metaclass=Explained):
    """Reports the vehicles that enter and leave a region: an observer for `World.on_step`.

    Args:
        region: The region; any obstacles will do: their inside.
        vehicles: The vehicles that are watched, or their population.
        once: Whether a vehicle is reported at its first visit alone.

    Attributes:
        inside: Whether each vehicle is inside now, by row, shape (n,).
        entered: Ids of the vehicles that came in since the last call; `entered.size` says whether any did. Vehicles that are
            inside when the zone is made are not among them; vehicles that are spawned inside are.
        left: Ids of the vehicles that went out since the last call; removed vehicles are not among them.
        visits: How often each vehicle has been inside, by row, shape (n,).
    """

    only_watches, saved_attributes = True, ("inside", "entered", "left", "visits", "position")

    def __init__(self, region: Any, vehicles: Any, *, once: bool = False) -> None:
        vehicles = as_vehicles("vehicles", vehicles)
        self.region: Region = as_region("region", region)
        if self.region.dimensions != vehicles.dimensions:
            raise ValueError(
                f"the region must have {vehicles.dimensions} dimensions like the vehicles, got {self.region.dimensions}"
            )
        self.vehicles, self.once = vehicles, bool(Description("once", FLAG).normal(once))
        self.position, self.births = vehicles.position.astype(np.float64), vehicles.births
        self.inside: Array = np.asarray(self.region.inside(self.position))
        self.visits: Array = self.inside.astype(np.int64)
        self.entered = self.left = np.zeros(0, np.int64)
        self._begun = False

    def saved(self) -> dict[str, Any]:
        """The saved attributes, and the ids of the vehicles that they are of."""
        return {**super().saved(), "of": ids_of(self.births, self.vehicles.births, self.vehicles.id)}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Set the attributes to saved values, for the vehicles with the saved ids."""
        super().resume(saved)
        self.births, self._begun = births_of(saved["of"], self.vehicles.births, self.vehicles.id), True

    def __call__(self, world: Any) -> None:
        """Find the vehicles that have entered and left since the last call."""
        vehicles, domain = self.vehicles, world.domain
        if not self._begun and len(self.position):  # Only now the domain is known.
            self.inside = np.asarray(self.region.inside(self.position, domain))
            self.visits = np.maximum(self.visits, self.inside)
        self._begun = True
        position, births = vehicles.position.astype(np.float64), vehicles.births
        change = turnover(self.births, births)
        rows, stayed = change.from_rows(len(self.births)), slice(0, change.stayed)
        n = len(vehicles)
        before, visits = np.zeros(n, bool), np.zeros(n, np.int64)
        before[stayed], visits[stayed] = self.inside[rows], self.visits[rows]
        distance = np.asarray(self.region.nearest(position, domain).distance) if n else np.zeros(0)
        inside = distance <= 0
        passed = np.zeros(n, bool)
        out = np.flatnonzero(~before[stayed] & ~inside[stayed])
        passed[out] = self._passed(self.position[rows][out], position[out], distance[out], domain)
        came, went = (inside & ~before) | passed, (before & ~inside) | passed
        self.inside, self.visits = inside, visits + came
        if self.once:
            came, went = came & (self.visits == 1), went & (self.visits == 1)
        self.entered, self.left = vehicles.id[came], vehicles.id[went]
        self.position, self.births = position, births

    def _passed(self, origin: Array, end: Array, distance: Array, domain: Domain) -> Array:
        """Whether straight ways that begin and end outside of the region lead through it, shape (k,), bool.

        Args:
            origin: Where the ways begin [m], shape (k, d).
            end: Where they end [m], shape (k, d).
            distance: The distances of their ends from the region [m], shape (k,).
            domain: The space.
        """
        way = domain.difference(end, origin)
        length = np.linalg.norm(way, axis=1)
        passed, done = np.zeros(len(way), bool), np.zeros(len(way))
        left = np.flatnonzero(distance < length)
        while left.size:
            away = np.asarray(self.region.nearest(origin[left] + way[left] * done[left, None], domain).distance)
            passed[left] = away <= 0
            done[left] += np.maximum(away / length[left], LEAST)
            left = left[(away > 0) & (done[left] < 1)]
        return passed

"""Laps: how often vehicles have been around a closed path."""

from typing import Any

import numpy as np

from steersman.core.environment.paths.path import Path
from steersman.core.parameters.keeping import Keeping
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World
from steersman.gallery.making.by_id import extended, smallest


class Laps(Keeping):
    """How far each vehicle has come along a closed path: an observer that looks often enough.

    Attributes:
        way: How far [m], by id.
    """

    only_watches, saved_attributes = True, ("place", "way")

    def __init__(self, vehicles: Vehicles, path: Path) -> None:
        self.vehicles, self.path, self.way = vehicles, path, np.zeros(len(vehicles))
        self.place = self._places()

    def __call__(self, world: World) -> None:
        """Look where they are."""
        ids, here = self.vehicles.id, self._places()
        self.place, self.way = extended(self.place, self.vehicles, np.nan), extended(self.way, self.vehicles)
        step = np.nan_to_num(here - self.place[ids])
        self.place[ids] = here
        self.way[ids] += step - self.path.length * np.rint(step / self.path.length)

    def slowest(self, _: Vehicles) -> float:
        """Laps of the one that came least far."""
        return smallest(self.way[self.vehicles.id]) / self.path.length

    def _places(self) -> Any:
        return self.path.project(self.vehicles.position.astype(float)).s

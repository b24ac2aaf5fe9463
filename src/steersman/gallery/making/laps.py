"""Laps: how often vehicles have been around a closed path."""

from typing import Any

import numpy as np

from steersman.core.environment.paths.path import Path
from steersman.core.parameters.keeping import Keeping
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World


class Laps(Keeping):
    """How far each vehicle has come along a closed path: an observer that looks often enough.

    Attributes:
        way: How far [m], shape (n,).
    """

    only_watches, saved_attributes = True, ("place", "way")

    def __init__(self, vehicles: Vehicles, path: Path) -> None:
        self.vehicles, self.path, self.way = vehicles, path, np.zeros(len(vehicles))
        self.place = self._places()

    def __call__(self, world: World) -> None:
        """Look where they are."""
        step = -self.place
        self.place = self._places()
        step += self.place
        self.way += step - self.path.length * np.rint(step / self.path.length)

    def slowest(self, _: Vehicles) -> float:
        """Laps of the one that came least far."""
        return float(self.way.min() / self.path.length)

    def _places(self) -> Any:
        return self.path.project(self.vehicles.position.astype(float)).s

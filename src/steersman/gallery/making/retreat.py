"""Retreats: whether vehicles run from every menace that comes near, and not from some of them alone."""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.parameters.keeping import Keeping
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World
from steersman.gallery.making.by_id import extended


class Retreat(Keeping):
    """How straight vehicles run away from the nearest of some menaces, for each menace: an observer.

    Attributes:
        away: Sum of the cosines of the angles between their velocities and the way straight away, by the id of the menace.
        looks: How many these were, by the id of the menace.
    """

    only_watches, saved_attributes = True, ("away", "looks")

    def __init__(
        self, vehicles: Vehicles, menaces: Vehicles, *, far: float, which: Callable[[], Array], coming: bool = False
    ) -> None:
        """Look at vehicles near menaces.

        Args:
            vehicles: The vehicles that run away.
            menaces: What they run from: each from the nearest.
            far: Distance up to which they are looked at [m].
            which: Returns which of the vehicles are looked at, shape (n,), bool.
            coming: Whether to look only at those that their menace comes toward: behind one that runs past they may go on.
        """
        self.vehicles, self.menaces, self.far, self.which, self.coming = vehicles, menaces, far, which, coming
        self.away, self.looks = np.zeros((2, len(menaces)))

    def __call__(self, world: World) -> None:
        """Look how they move."""
        if not len(self.menaces):
            return
        self.away, self.looks = (extended(each, self.menaces) for each in (self.away, self.looks))
        to, origin = (each.position.astype(float) for each in (self.vehicles, self.menaces))
        way = world.domain.difference(to[:, None], origin[None])
        distance = np.linalg.norm(way, axis=2)
        nearest = distance.argmin(axis=1)
        rows = np.flatnonzero((distance.min(axis=1) < self.far) & self.which())
        if self.coming:
            toward = np.sum(self.menaces.velocity[nearest[rows]] * way[rows, nearest[rows]], axis=1)
            rows = rows[toward > 0]
        pick = nearest[rows]
        length = distance[rows, pick] * self.vehicles.speed[rows]
        cosine = np.sum(self.vehicles.velocity[rows] * way[rows, pick], axis=1) / np.maximum(length, 1e-9)
        np.add.at(self.away, self.menaces.id[pick], cosine)
        np.add.at(self.looks, self.menaces.id[pick], 1)

    def worst(self, _: Any = None) -> float:
        """The mean cosine for the menace from which they ran least, of those with 20 looks; NaN where there is none."""
        known = self.looks >= 20
        return float((self.away[known] / self.looks[known]).min()) if known.any() else np.nan

    def from_others(self, _: Any = None) -> float:
        """The mean cosine of their ways away from all menaces but the first; NaN with fewer than 200 looks."""
        away, looks = float(self.away[1:].sum()), float(self.looks[1:].sum())
        return away / looks if looks >= 200 else np.nan

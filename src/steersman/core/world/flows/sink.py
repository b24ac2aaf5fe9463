"""Sink: vehicles leave the world."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.regions.kind import REGION
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.flows.flow import Flow, Moment

ROUNDING = 1e-9
"""The part of an age by which a sum of steps may miss it."""


@final
@dataclass(frozen=True, eq=False)
class Sink(Flow):
    """Removes vehicles that have come to a region, or that are old enough, and counts them.

        sm.Sink(exit)                       # vehicles that have reached the exit
        sm.Sink(arena, side="outside")      # vehicles that have left the arena
        sm.Sink(older_than=3.0)             # a projectile's life time

    With both a region and an age, a vehicle is removed if it is in the region and old enough.

    Args:
        region: A Sphere, Box or Polygon, or closed obstacles. Default: anywhere.
        side: The side of the region's boundary on which vehicles are removed: "inside" or "outside". Their centers count.
        older_than: Time in the world after which vehicles are removed [s]; for vehicles present at the start it begins then.
            Raising it lets them stay longer.
        name: The name for queries: `population.passed("exit")`.

    Raises:
        ValueError: Neither a region nor an age is given.
    """

    region: Any = parameter(None, kind=REGION, optional=True, positional=True)
    side: str = parameter("inside", kind=TEXT, choices=("inside", "outside"))
    older_than: float | None = parameter(None, above=0.0, unit="s", optional=True)

    def validate(self) -> None:
        """Check that there is a region or an age: without, all vehicles would be removed at once."""
        if self.region is None and self.older_than is None:
            raise ValueError("region or older_than must be given, else no vehicle could ever stay")
        if self.region is None and self.side != "inside":
            raise ValueError('side must be "inside" where there is no region, got "outside"')

    def check(self, vehicles: Vehicles) -> None:
        """Raise ValueError when the region has other dimensions."""
        if self.region is not None and self.region.dimensions != vehicles.dimensions:
            raise ValueError(
                f"region must have {vehicles.dimensions} dimensions like the vehicles, got {self.region.dimensions}"
            )

    def rehearse(self, domain: Domain) -> None:
        """Ask the region about one point."""
        if self.region is not None:
            self.region.inside(np.zeros((1, self.region.dimensions)), domain)

    def begin(self) -> dict[str, Array]:
        """The time at which each vehicle came [s], by its id."""
        return {} if self.older_than is None else {"id": np.zeros(0, np.int64), "since": np.zeros(0)}

    def forget(self, state: dict[str, Array], gone: Array) -> None:
        """Drop the ages of vehicles that have gone."""
        if "id" in state:
            stays = ~np.isin(state["id"], gone)
            state["id"], state["since"] = state["id"][stays], state["since"][stays]

    def run(self, state: dict[str, Array], moment: Moment) -> int:
        """Remove the vehicles that meet the conditions of region and age."""
        vehicles = moment.vehicles
        goes = np.ones(len(vehicles), bool)
        if self.older_than is not None:
            since = self._since(state, vehicles, moment.time - moment.dt)
            goes &= moment.time - since >= self.older_than * (1 - ROUNDING)
        if self.region is not None and goes.any():
            goes &= self.region.inside(vehicles.position, moment.domain) == (self.side == "inside")
        if goes.any():
            vehicles.remove(goes)
        return int(goes.sum())

    def _since(self, state: dict[str, Array], vehicles: Vehicles, start: float) -> Array:
        """The times at which vehicles came [s], shape (n,). A new vehicle came at the beginning of the step."""
        if not np.array_equal(state.get("id", ()), vehicles.id):
            since = np.full(len(vehicles), start)
            if "id" in state:
                _, rows, known = np.intersect1d(vehicles.id, state["id"], assume_unique=True, return_indices=True)
                since[rows] = state["since"][known]
            state["id"], state["since"] = vehicles.id.copy(), since
        return state["since"]

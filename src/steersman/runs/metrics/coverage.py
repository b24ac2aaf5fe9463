"""Coverage: the fraction of a region that has been seen."""

from typing import TYPE_CHECKING

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.open import Open
from steersman.core.environment.regions.kind import as_region
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.parameters.keeping import Keeping
from steersman.core.parameters.kinds import as_number
from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array
from steersman.core.vehicles.holding import Holder, as_vehicles
from steersman.core.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from steersman.core.world.world import World

FINENESS = 64
"""Default number of cells along the longest edge of a region."""

PAIRS = 4_000_000
"""Pairs of cells and vehicles that are processed together."""

CELL = 40
"""Approximate memory per cell and dimension while the cells are found [bytes]."""


class Coverage(Keeping, metaclass=Explained):
    """The part of a region that a population has seen so far.

    It is an observer of a world:

        coverage = sm.Coverage(region, vehicles, reach=5)
        world.on_step(coverage, sm.EverySeconds(0.25))
        world.run(seconds=60)
        print(coverage.fraction)

    Args:
        region: The region.
        vehicles: The vehicles that look.
        reach: How far they see [m], > 0.
        cell: Edge of the cells that are counted [m], > 0. Default: a 64th of the longest edge of the region's bounds.

    Attributes:
        cells: The middles of the cells inside the region [m], shape (m, d).
        seen: Which of them have been seen, shape (m,), bool.

    Raises:
        ValueError: No cell has its middle inside the region, or the cells are too many for the memory.
    """

    saved_attributes = ("seen",)
    only_watches = True

    def __init__(self, region: Region, vehicles: Vehicles | Holder, *, reach: float, cell: float | None = None) -> None:
        region = as_region("region", region)
        low, high = region.bounds
        self._vehicles = as_vehicles("vehicles", vehicles)
        self._reach = as_number("reach", reach, above=0, unit="m")
        size = float((high - low).max()) / FINENESS if cell is None else as_number("cell", cell, above=0, unit="m")
        with np.errstate(over="ignore"):
            per_axis = np.maximum(1, np.ceil((high - low) / size))
            cells = float(np.prod(per_axis))
        check_bytes(f"cell must be larger than {size:g} m", f"{cells:,.0f} cells", cells * CELL * len(low))
        count = per_axis.astype(int)
        index = np.stack(np.meshgrid(*(np.arange(each) for each in count), indexing="ij"), axis=-1)
        middles = low + (index.reshape(-1, len(low)) + 0.5) * (high - low) / count
        self.cells: Array = middles[region.inside(middles)]
        if len(self.cells) == 0:
            raise ValueError(f"cell must be smaller than the region, got {size:g} m")
        self.seen: Array = np.zeros(len(self.cells), bool)

    @property
    def fraction(self) -> float:
        """The fraction of the region that has been seen, from 0 to 1."""
        return float(self.seen.mean())

    def __call__(self, world: "World") -> None:
        """Look around."""
        self.look(world.domain)

    @explained
    def look(self, domain: Domain | None = None) -> None:
        """Mark the cells that the vehicles see from their present positions."""
        space = domain or Open()
        left = np.flatnonzero(~self.seen)
        position = self._vehicles.position.astype(np.float64)
        size = max(1, PAIRS // max(1, len(left)))
        for k in range(0, len(position), size):
            way = space.difference(self.cells[left][:, None, :], position[None, k : k + size, :])
            near = np.einsum("ijk,ijk->ij", way, way) <= self._reach**2
            self.seen[left[near.any(axis=1)]] = True

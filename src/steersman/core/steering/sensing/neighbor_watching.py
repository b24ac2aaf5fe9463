"""Watchful: the base of behaviors that look at their neighbors one by one, and not at sums over them."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any

from steersman.core.neighborhood.request import NeighborList
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.scene.sketch_context import Near, SketchContext
from steersman.core.vehicles.holding import POPULATIONS


@dataclass(frozen=True, eq=False)
class Watchful(Behavior):
    """Base of the behaviors that look at their neighbors one by one.

    Args:
        radius: Distance up to which others are looked at [m]; may be infinite. It does not change the cost: only the k
            nearest are searched for.
        angle: Full field of view [rad]; 2 pi sees all around.
        inner_radius: Distance within which neighbors are noticed at any angle [m].
        k: How many of the nearest are looked at. Raising it costs time.
        of: The populations to look at: another Vehicles, a list of several, or "all" that are in the world. Default: the
            vehicles' own population.
    """

    _: KW_ONLY
    radius: float = parameter(20.0, above=0.0, infinite=True, unit="m")
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    inner_radius: float = parameter(0.0, low=0.0, unit="m")
    k: int = parameter(8, kind=INTEGER, low=1)
    of: Any = parameter(None, kind=POPULATIONS, optional=True)

    @property
    def avoids(self) -> bool:
        """Whether it keeps vehicles from running into the neighbors."""
        return True

    def needs(self) -> tuple[NeighborList, ...]:
        """The neighbors."""
        return (NeighborList(plain(self.radius), int(self.k), plain(self.angle), plain(self.inner_radius), self.of),)

    def _near(self, context: SketchContext) -> Near:
        """The neighbors of the sketched vehicles."""
        return context.neighbors(self.radius, angle=self.angle, inner_radius=self.inner_radius, k=self.k, of=self.of)

"""Neighborly: the neighborhood, which all behaviors about neighbors have in common.

Reynolds 1999, "Separation" and figure 13: a neighborhood is a distance and an angle. Starlings seem to go by a number
of nearest neighbors (six or seven) instead of, or within, the distance.
"""

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from steersman.core.maths.shapes import Circle, Cross, Shape
from steersman.core.neighborhood.request import NeighborSum, Quantity
from steersman.core.parameters.arrays import as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.expression import user_value
from steersman.core.parameters.kinds import INTEGER, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.scene.sketch_context import NARROW_RING, Near, SketchContext
from steersman.core.typing import Array
from steersman.core.vehicles.holding import as_populations, holds_all, without_holder

FEW = 16
"""Number of neighbors up to which a line leads to each."""

MANY = 64
"""Number of neighbors up to which each is marked, all alike; of more, none is."""


class Sites:
    """Fixed points to keep away from or gather around.

    Attributes:
        position: Points [m], shape (m, d), read-only.
    """

    def __init__(self, position: Array) -> None:
        self.position = frozen(position)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sites) and np.array_equal(self.position, other.position)

    def __hash__(self) -> int:
        return hash(self.position.tobytes())

    def __repr__(self) -> str:
        return f"Sites({len(self.position)})"


@user_value.register
def _(sites: Sites) -> Array:
    return sites.position


def as_neighbors(name: str, value: Any) -> Any:
    """The neighbors in their normal form: vehicles of one population or of several, spheres, or fixed points (copied)."""
    if holds_all(value):
        return as_populations(name, value)
    of = without_holder(value)
    if hasattr(of, "position"):
        return of
    if not (isinstance(of, (list, tuple)) or hasattr(of, "__array__")):
        raise TypeError(f"{name} must be {NEIGHBORS.words}, got {brief(value)}")
    return Sites(as_points(name, of, np.float64))


NEIGHBORS = Kind("neighbors", 'a population, a list of populations, "all", obstacles or points', as_neighbors)


@dataclass(frozen=True, eq=False)
class Neighborly(Behavior):
    """Base of the behaviors about neighbors.

    Args:
        radius: Distance up to which others are neighbors [m]; may be infinite. Raising it takes more of them in.
        angle: Full field of view [rad]; 2 pi sees all around. Raising it sees more of those behind.
        inner_radius: Distance within which neighbors are noticed at any angle [m]. Raising it notices more of those
            behind.
        k: Only the k nearest of them count. Raising it counts more, up to all in the radius. Default: all.
        of: The populations of the neighbors: another Vehicles, a list of several, or "all" that are in the world; or
            Spheres (their centers), or points (m, d) (copied). Default: the vehicles' own population.
    """

    _: KW_ONLY
    radius: float = parameter(10.0, above=0.0, infinite=True, unit="m")
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    inner_radius: float = parameter(0.0, low=0.0, unit="m")
    k: int | None = parameter(None, kind=INTEGER, low=1, optional=True)
    of: Any = parameter(None, kind=NEIGHBORS, optional=True)

    def sum_of(
        self, quantity: Quantity, falloff: float = 1.0, limit: float = math.inf, fades: bool = False
    ) -> NeighborSum:
        """The request for a sum over this neighborhood."""
        radius, angle, inner = plain(self.radius), plain(self.angle), plain(self.inner_radius)
        return NeighborSum(quantity, radius, angle, inner, self.k, self.of, falloff, limit, fades)

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The neighborhood, and the neighbors in it."""
        near = self._near(context).few(MANY)
        yield context.view(self.radius, self.angle, self.inner_radius)
        yield context.lines_to(near.few(FEW))
        radius = getattr(context.others(self.of), "radius", None)
        if radius is None:
            yield Cross(near.position, role="chosen")
        else:
            yield Circle(near.position, NARROW_RING * np.asarray(radius)[near.row], role="chosen")

    def _near(self, context: SketchContext) -> Near:
        """The neighbors in the neighborhood."""
        return context.neighbors(self.radius, angle=self.angle, inner_radius=self.inner_radius, k=self.k, of=self.of)

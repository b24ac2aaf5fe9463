"""Requests of behaviors to the neighborhood, and their results.

Reynolds 1999, "Separation": a neighborhood is a distance, within which vehicles are near, and an angle, the field of view. A
group behavior states the sums that it needs; the world merges the requests of a whole steering tree and computes them all in
one pass over the neighbors.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from steersman.core.typing import Array, Columns
from steersman.core.vehicles.holding import without_holder

Quantity = Literal["offset", "repulsion", "velocity", "forward"]


@dataclass(frozen=True)
class NeighborSum:
    """A sum over the neighbors of every vehicle. Hashable: equal requests are computed once.

    With r the vector from the vehicle to its neighbor (minimum image on a torus), the sums are

        offset:     sum of r
        repulsion:  sum of -unit(r) * min(|r|**-falloff, limit), times 1 - (|r| / radius)**2 if it fades
        velocity:   sum of the neighbors' velocities
        forward:    sum of the neighbors' forward vectors

    A vehicle is never its own neighbor. Neighbors that coincide with the vehicle (|r| below a millionth of the radius, at
    most of a meter) have no direction: for `repulsion` they push along a fixed direction made from the two ids, opposite
    for the two.

    Attributes:
        quantity: The quantity that is summed.
        radius: Distance up to which others are neighbors [m], inclusive; may be infinite.
        angle: Full field of view [rad]; 2 pi sees all around. A neighbor exactly on the edge is seen.
        inner_radius: Distance within which neighbors are seen at any angle [m].
        k: The number of nearest neighbors that count (of equally near ones those of lower rows); None counts all.
        of: The possible neighbors: None for the vehicle's own population, another Vehicles, a tuple of several, ALL, or any
            object with a `position` of shape (m, d), for offset and repulsion only. Compared by identity.
        falloff: Exponent of the repulsion.
        limit: Largest repulsion of one neighbor.
        fades: Whether the repulsion fades to zero at the radius, rather than end there with a jump.
    """

    quantity: Quantity
    radius: float
    angle: float = 2 * math.pi
    inner_radius: float = 0.0
    k: int | None = None
    of: Any = None
    falloff: float = 1.0
    limit: float = math.inf
    fades: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "of", without_holder(self.of))


class Sum(NamedTuple):
    """A sum over neighbors, for every vehicle of the asking population.

    Attributes:
        total: d arrays of shape (n,).
        count: The number of neighbors that were summed, shape (n,), in the vehicles' dtype.
    """

    total: Columns
    count: Array  # type: ignore[assignment]  # the method `count` of this tuple is not used


@dataclass(frozen=True)
class NeighborList:
    """The nearest neighbors of every vehicle one by one, for behaviors that use individual neighbors. Hashable.

    Neighbors are defined as in `NeighborSum`.

    Attributes:
        radius: Distance up to which others are neighbors [m], inclusive; may be infinite.
        k: The largest number to list: the nearest, and of equally near ones the lower rows.
        angle: Full field of view [rad]; 2 pi sees all around.
        inner_radius: Distance within which neighbors are seen at any angle [m].
        of: The possible neighbors, as in `NeighborSum`.
    """

    radius: float
    k: int
    angle: float = 2 * math.pi
    inner_radius: float = 0.0
    of: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "of", without_holder(self.of))

    @property
    def as_sum(self) -> NeighborSum:
        """A request for a sum over the same neighbors, which has the same numbers."""
        return NeighborSum("offset", self.radius, self.angle, self.inner_radius, self.k, self.of)


@dataclass(frozen=True)
class NeighborCells:
    """The cells around every vehicle, for laws of pairs (see `pairs.py`). Hashable.

    Attributes:
        radius: Distance up to which others may be neighbors [m]; may be infinite.
        of: The possible neighbors, as in `NeighborSum`.
    """

    radius: float
    of: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "of", without_holder(self.of))

    @property
    def as_sum(self) -> NeighborSum:
        """A request for a sum over neighbors within the radius, which has the same numbers."""
        return NeighborSum("offset", self.radius, of=self.of)


Request = NeighborSum | NeighborList | NeighborCells


class Listing(NamedTuple):
    """The neighbors of every vehicle of the asking population.

    Attributes:
        row: Their rows in the population of the neighbors, the nearest first, shape (n, k), int32; -1 after the last.
        number: The number of neighbors, shape (n,), int32.
    """

    row: Array
    number: Array

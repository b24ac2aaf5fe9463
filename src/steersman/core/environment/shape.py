"""The contract of a shape: how far places are from it, and which way is out.

Regions (an inside) and surfaces (a ground to move upon) are shapes. A shape writes the feet of many points at
once, by calls of its own; the caller reads the result, and no kernel needs to know which shape it was.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ZERO, load, store
from steersman.core.parameters.arrays import as_points, columns_of
from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array, Columns


class SurfaceProjection(NamedTuple):
    """Where many points stand with regard to a shape, for kernels. The foot of a point p is p - distance * normal.

    Attributes:
        distance: Signed distances from the shape [m], negative inside (below), shape (n,).
        normal: Unit vectors from the inside out (up) at the foot, d arrays of shape (n,).
    """

    distance: Array
    normal: Columns


class SurfaceProjections(NamedTuple):
    """Where many points stand with regard to a shape, for people.

    Attributes:
        distance: Signed distances from the shape [m], negative inside (below), shape (n,), or () for one point.
        point: The nearest points of the shape [m], shape (n, d) or (d,).
        normal: Unit vectors from the inside out (up) there, shape (n, d) or (d,).
    """

    distance: Array
    point: Array
    normal: Array


@dataclass(frozen=True, eq=False)
class Shape(Shown, Parameters):
    """Base of regions and surfaces. Wrong arguments, also of methods, raise TypeError or ValueError, as `Parameters` says."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """2 or 3."""

    @property
    @abstractmethod
    def middle(self) -> Array:
        """A point in the middle of it [m], shape (d,): on a torus the image of a point that is nearest to it counts."""

    @abstractmethod
    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """The calls that find the nearest points of the shape, in open space.

        Args:
            points: Points [m], d arrays of shape (n,), read when the calls are run.
            foot: Written by the calls.
        """

    def nearest(self, points: Any, domain: Domain | None = None) -> SurfaceProjections:
        """The nearest points of the shape.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.
            domain: The space; on a torus the image of each point counts that is nearest to the shape's middle.

        Returns:
            Signed distances, points of the shape and outward normals, float64.
        """
        places = self.images(points, domain)
        foot = self._run(places)
        distance, normal = foot.distance, np.stack(foot.normal, axis=1)
        projections = SurfaceProjections(distance, places - distance[:, None] * normal, normal)
        return projections if np.ndim(points) == 2 else SurfaceProjections(*(each[0] for each in projections))

    def images(self, points: Any, domain: Domain | None) -> Array:
        """Points [m] as an array (n, d); on a torus, their images nearest to the middle of the shape."""
        places = as_points("points", points, np.float64, self.dimensions)
        return places if domain is None else self.middle + domain.difference(places, self.middle)

    def _run(self, places: Array) -> SurfaceProjection:
        foot = new_foot(len(places), self.dimensions, np.float64)
        for call in self.foot_calls(columns_of(places, np.float64), foot):
            call.run(len(places))
        return foot


def new_foot(n: int, dimensions: int, dtype: Any) -> SurfaceProjection:
    """Room for the feet of n points."""
    return SurfaceProjection(np.zeros(n, dtype), tuple(np.zeros((dimensions, n), dtype)))


def check_fit(name: str, shape: Any, dimensions: int) -> None:
    """Raise ValueError when vehicles of so many dimensions do not fit."""
    if shape.dimensions != dimensions:
        raise ValueError(f"{name} must have {dimensions} dimensions like the vehicles, got {shape.dimensions}")


@kernel
def keep_foot(i: int, foot: SurfaceProjection, leaving: SurfaceProjection) -> None:
    """Row i of a way that does not leave: the normal of its end."""
    leaving.distance[i] = ZERO
    store(leaving.normal, i, load(foot.normal, i))

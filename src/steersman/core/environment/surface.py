"""The contract of a surface: a ground to move upon. Reynolds 1999, "Locomotion" (constrained to a surface)."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.shape import Shape, SurfaceProjection
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import add_scaled, load, store
from steersman.core.parameters.arrays import as_points, columns_of
from steersman.core.typing import Array, Columns


class Ground(NamedTuple):
    """Where many points belong on a surface, for kernels.

    Attributes:
        position: Points of the surface [m], d arrays of shape (n,).
        normal: Unit vectors away from it (up), d arrays of shape (n,).
    """

    position: Columns
    normal: Columns


@dataclass(frozen=True, eq=False)
class Surface(Shape):
    """Base of all surfaces."""

    @abstractmethod
    def project_calls(self, points: Columns, ground: Ground) -> list[Call]:
        """The calls that put points on the surface, where the vehicles that move on it belong.

        Args:
            points: Points [m], d arrays of shape (n,), read when the calls are run.
            ground: Written by the calls.
        """

    def project(self, points: Any) -> tuple[Array, Array]:
        """Put points on the surface: on the nearest point of it, on a landscape straight up or down.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.

        Returns:
            Points of the surface [m] and unit normals there, of the shape of the points, float64.
        """
        places = as_points("points", points, np.float64, self.dimensions)
        projected = np.zeros((2, self.dimensions, len(places)))
        for call in self.project_calls(
            columns_of(places, np.float64), Ground(tuple(projected[0]), tuple(projected[1]))
        ):
            call.run(len(places))
        shape = np.shape(points)
        return projected[0].T.reshape(shape).copy(), projected[1].T.reshape(shape).copy()


@row_kernel
def place_on_surface(i: int, points: Columns, foot: SurfaceProjection, position: Columns) -> None:
    """Put points on their feet."""
    store(position, i, add_scaled(load(points, i), load(foot.normal, i), -foot.distance[i]))


def foot_of(points: Columns, ground: Ground) -> SurfaceProjection:
    """Room for the feet of points, with the normals in place."""
    return SurfaceProjection(np.zeros(len(points[0]), points[0].dtype), ground.normal)

"""Plane: flat ground, in any direction."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.regions.sphere import point_of
from steersman.core.environment.shape import SurfaceProjection
from steersman.core.environment.surface import Ground, Surface, foot_of, place_on_surface
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import as_units
from steersman.core.maths.vectors import dot, load, store, subtract
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.kinds import VECTOR, Kind, as_vector
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns


@row_kernel
def foot_on_plane(i: int, points: Columns, plane: Array, foot: SurfaceProjection) -> None:
    """The nearest points of a plane. `plane`, shape (2, d): a point of it [m] and its unit normal."""
    place = load(points, i)
    normal = point_of(plane, 1, place)
    foot.distance[i] = dot(subtract(place, point_of(plane, 0, place)), normal)
    store(foot.normal, i, normal)


def as_normal(name: str, value: Any, point: Array) -> Array:
    """The unit vector of a direction, shape (d,), read-only."""
    normal = as_units(as_vector(name, value, (len(point),))[None, :])[0]
    if not normal.any():
        raise ValueError(f"{name} must not be zero, got zero")
    return frozen(normal)


NORMAL = Kind("vector", "a vector (d,) that is not zero", as_normal, like=VECTOR)


@final
@dataclass(frozen=True, eq=False)
class Plane(Surface):
    """A plane in space, or a line in the plane; `up` is along its normal.

    Args:
        point: A point of it [m], shape (d,).
        normal: The direction of up, of any length but zero, shape (d,).
    """

    point: Any = parameter(kind=VECTOR, positional=True, unit="m")
    normal: Any = parameter(kind=NORMAL, of="point", positional=True)

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return len(self.point)

    @property
    def middle(self) -> Array:
        """The point [m]."""
        return np.asarray(self.point)

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """One call."""
        return [Call(foot_on_plane, (points, np.array([self.point, self.normal], points[0].dtype), foot))]

    def project_calls(self, points: Columns, ground: Ground) -> list[Call]:
        """The nearest points."""
        foot = foot_of(points, ground)
        return [*self.foot_calls(points, foot), Call(place_on_surface, (points, foot, ground.position))]

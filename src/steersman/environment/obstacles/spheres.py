"""Spheres: round obstacles, circles in 2D."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.geometry.arrays import as_points, as_scalars, columns_of, frozen
from steersman.geometry.parameters import Parameters, parameter
from steersman.geometry.vectors import Array, Columns


class SphereColumns(NamedTuple):
    """Spheres as kernels take them: d arrays of centers [m] and one of radii [m], each of shape (m,)."""

    center: Columns
    radius: Array


@dataclass(frozen=True, eq=False)
class Spheres(Parameters):
    """Round obstacles: spheres in 3D, circles in 2D. Copied, and read-only from then on.

    Args:
        center: Centers [m], shape (m, d), or (d,) for one.
        radius: Radii [m], >= 0, shape (m,) or one for all.

    Raises:
        TypeError: An argument does not consist of numbers.
        ValueError: A shape does not fit, or a number is NaN, infinite or negative.
    """

    center: Any = parameter(kind="points", positional=True, unit="m", doc="Centers, shape (m, d).")
    radius: Any = parameter(
        1.0, kind="numbers", positional=True, unit="m", doc="Radii; larger ones are given more room."
    )

    def validate(self) -> None:
        """Bring both to their normal form."""
        if np.size(self.center) == 0 and np.ndim(self.center) < 2:
            raise ValueError("center must have shape (m, 2) or (m, 3), got no points; np.empty((0, 2)) is none in 2D")
        centers = as_points("center", self.center, np.float64)
        radii = as_scalars("radius", self.radius, len(centers), np.float64, low=0.0, above=None, unit="m")
        object.__setattr__(self, "center", frozen(centers))
        object.__setattr__(self, "radius", frozen(radii))

    def __len__(self) -> int:
        return len(self.center)

    @property
    def dimensions(self) -> int:
        """2 for circles, 3 for spheres."""
        return int(self.center.shape[1])

    @property
    def position(self) -> Array:
        """The centers, as sites that a group behavior can keep away from."""
        return np.asarray(self.center)

    def columns(self, dtype: Any) -> SphereColumns:
        """The spheres for kernels, in the dtype of the vehicles."""
        return SphereColumns(columns_of(self.center, dtype), np.ascontiguousarray(self.radius, dtype=dtype))


def as_spheres(obstacles: Any) -> Spheres:
    """Spheres, or several sets of them as one.

    Raises:
        TypeError: It is neither.
        ValueError: There is none, or their dimensions differ.
    """
    if isinstance(obstacles, Spheres):
        return obstacles
    if not isinstance(obstacles, (list, tuple)) or not all(isinstance(each, Spheres) for each in obstacles):
        raise TypeError(f"obstacles must be Spheres or a list of Spheres, got {obstacles!r}")
    if len({each.dimensions for each in obstacles}) != 1:
        raise ValueError("obstacles must be at least one set of Spheres, all of the same dimensions")
    return Spheres(
        np.concatenate([each.center for each in obstacles]), np.concatenate([each.radius for each in obstacles])
    )

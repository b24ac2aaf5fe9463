"""Torus: a vehicle that leaves on one side comes in on the other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import CORNER, EDGES, Domain, Moving, limits_of, shortest
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import load, store
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector


@final
@dataclass(frozen=True, eq=False)
class Torus(Domain):
    """A rectangle or box with its opposite sides joined: every difference is the shortest way round.

    Args:
        size: Periods of the axes [m], > 0, shape (d,). A neighbor is seen once, at its nearest image, even if a
            neighborhood's radius is more than half of a period.
        origin: The lowest corner [m], shape (d,), or one number for all axes. Positions lie in [origin, origin + size).
    """

    size: Any = parameter(kind=EDGES, unit="m", positional=True)
    origin: Any = parameter(0.0, kind=CORNER, of="size", unit="m", positional=True)

    @property
    def dimensions(self) -> int:
        """Number of dimensions."""
        return len(self.size)

    def wrap(self, dimensions: int, dtype: Any) -> Array:
        """Periods [m] and inverse periods [1/m], shape (2, d); raises ValueError when the dimensions do not fit."""
        self.check_dimensions(dimensions)
        return np.array([self.size, 1 / self.size], dtype)

    def difference(self, to: Any, origin: Any) -> Array:
        """The shortest way from `origin` to `to` [m], for points of shape (n, d) or (d,), which broadcast."""
        return shortest(self, to, origin)

    def image_call(self, points: Columns, images: Columns) -> Call:
        """The call that writes to `images` the images of points in [origin, origin + size)."""
        self.check_dimensions(len(points))
        return Call(wrap_copies, (points, images, limits_of(self.size, self.origin, points[0].dtype)))

    def confine_call(self, vehicles: Moving) -> tuple[Callable[..., None], tuple[Any, ...]]:
        """The kernel that puts positions back into [origin, origin + size)."""
        self.check_dimensions(len(vehicles.position))
        return wrap_around, (vehicles.position, limits_of(self.size, self.origin, vehicles.position[0].dtype))


@kernel
def wrapped(x: Any, low: Any, high: Any, size: Any) -> Any:
    """One coordinate [m] in [low, high). Inside, it is returned as it is; NaN and infinity come out as NaN.

    Rounding may put a coordinate just below `low` onto `high`, which is not inside: that is `low`, one period earlier.
    """
    if low <= x < high:
        return x
    inside = x - size * np.floor((x - low) / size)
    if inside < low or inside >= high:
        return low
    return inside


@kernel
def image_of(place: Vector, limits: Array) -> Vector:
    """The image of a point in the torus. `limits`, shape (3, d), are lowest corner, highest corner and size [m]."""
    x = wrapped(place[0], limits[0, 0], limits[1, 0], limits[2, 0])
    y = wrapped(place[1], limits[0, 1], limits[1, 1], limits[2, 1])
    if len(place) == 2:
        return (x, y)
    return (x, y, wrapped(place[2], limits[0, 2], limits[1, 2], limits[2, 2]))


@row_kernel
def wrap_around(i: int, position: Columns, limits: Array) -> None:
    """Put rows back into the torus."""
    store(position, i, image_of(load(position, i), limits))


@row_kernel
def wrap_copies(i: int, points: Columns, images: Columns, limits: Array) -> None:
    """Write the images of points to other columns."""
    store(images, i, image_of(load(points, i), limits))

"""The contract of a domain: how the difference of two points is computed, and how a vehicle is treated at the rim."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import load, store
from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import VECTOR, Kind
from steersman.core.parameters.parameters import Parameters
from steersman.core.typing import Array, Columns


class Moving(Protocol):
    """The columns of a population that a domain reads: positions [m] and velocities [m/s]."""

    @property
    def position(self) -> Columns:
        """Positions [m], d arrays of shape (n,)."""

    @property
    def velocity(self) -> Columns:
        """Velocities [m/s], d arrays of shape (n,)."""


@row_kernel
def copy_rows(i: int, points: Columns, images: Columns) -> None:
    """Write points to other columns."""
    store(images, i, load(points, i))


@dataclass(frozen=True, eq=False)
class Domain(Parameters):
    """Base of all domains."""

    @property
    @abstractmethod
    def dimensions(self) -> int | None:
        """Number of dimensions; None when any will do."""

    def wrap(self, dimensions: int, dtype: Any) -> Array:
        """The space for kernels (see `vectors.difference`): zeros, for a space that does not wrap.

        Args:
            dimensions: The dimensions d of the vehicles.
            dtype: Their dtype.

        Returns:
            The period of each axis [m] and its inverse [1/m], shape (2, d), zero where the space does not wrap.
        """
        self.check_dimensions(dimensions)
        return np.zeros((2, dimensions), dtype)

    def difference(self, to: Any, origin: Any) -> Array:
        """The shortest way from `origin` to `to` [m], for points of shape (n, d) or (d,), which broadcast."""
        return np.asarray(np.subtract(to, origin))

    def image_call(self, points: Columns, images: Columns) -> Call:
        """The call that writes to `images` where in the domain points [m] lie: where they are, unless space wraps."""
        self.check_dimensions(len(points))
        return Call(copy_rows, (points, images))

    @abstractmethod
    def confine_call(self, vehicles: Moving) -> tuple[Callable[..., None], tuple[Any, ...]] | None:
        """The call that keeps a population in the domain after it has moved.

        Args:
            body: The columns of the population, which will be changed in place.

        Returns:
            A kernel and its arguments, to be called as `kernel(start, stop, *arguments)`; None when nothing is to be done.
        """

    def check_dimensions(self, dimensions: int) -> None:
        """Raise ValueError when vehicles of so many dimensions do not fit the domain."""
        if self.dimensions not in (None, dimensions):
            raise ValueError(f"the domain must have {dimensions} dimensions like the vehicles, got {self.dimensions}")


def shortest(domain: Domain, to: Any, origin: Any) -> Array:
    """The shortest way from `origin` to `to` [m] in a space that wraps."""
    straight = np.asarray(np.subtract(to, origin))
    wrap = domain.wrap(straight.shape[-1], straight.dtype if straight.dtype.kind == "f" else np.float64)
    return np.asarray(straight - wrap[0] * np.rint(straight * wrap[1]))


def as_edges(name: str, value: Any) -> Array:
    """Lengths of the edges of a bounded domain [m], shape (d,), read-only."""
    edges = as_floats(name, value, np.float64)
    if edges.shape not in ((2,), (3,)):
        raise ValueError(
            f"{name} must have shape (2,) or (3,), such as [100, 100], of whole lengths, got {brief(value)}"
        )
    if np.any(edges <= 0):
        raise ValueError(f"{name} must be > 0 m, as whole lengths, got {edges[np.argmax(edges <= 0)]}")
    return frozen(edges)


def as_corner(name: str, value: Any, edges: Array) -> Array:
    """The lowest corner of a bounded domain [m]: a vector, or one number for all axes; shape (d,), read-only."""
    corner = as_floats(name, value, np.float64)
    if corner.shape not in ((), edges.shape):
        raise ValueError(f"{name} must be one number or have shape {edges.shape}, like size, got {corner.shape}")
    return frozen(np.array(np.broadcast_to(corner, edges.shape)))


EDGES = Kind("vector", "a vector (d,)", as_edges, like=VECTOR)
CORNER = Kind("vector", "a vector (d,), or one number", as_corner, like=VECTOR)


def limits_of(size: Array, origin: Array, dtype: Any) -> Array:
    """Lowest and highest corner and size [m] for kernels, shape (3, d).

    Raises:
        ValueError: In this dtype the domain has no extent: its size is lost next to its origin.
    """
    limits = np.array([origin, origin + size, size], dtype)
    if not np.all(limits[0] < limits[1]):
        raise ValueError(
            f"size must be resolved in {np.dtype(dtype)} next to origin {origin.tolist()}, got {size.tolist()}"
        )
    return limits

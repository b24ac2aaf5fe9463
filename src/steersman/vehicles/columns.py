"""Columns: what a population is made of, and the one block of memory that holds it.

Vectors come first in the block, component by component, then the scalars: kernels read contiguous numbers, and the step
checks, hashes and copies the block as a whole.
"""

from typing import Any, Final

import numpy as np

from steersman.geometry.arrays import as_floats, as_scalars
from steersman.geometry.vectors import Array

SCALARS: Final = {
    # name: (default, low, above, unit)
    "mass": (1.0, None, 0.0, "kg"),
    "radius": (0.5, 0.0, None, "m"),
    "max_speed": (1.0, 0.0, None, "m/s"),
    "max_force": (1.0, 0.0, None, "N"),
    "response_time": (0.1, 0.0, None, "s"),
    "max_angular_speed": (3.0, 0.0, None, "rad/s"),
    "max_angular_acceleration": (10.0, 0.0, None, "rad/s^2"),
}
"""The columns of one number per vehicle; none may be negative."""

IDS: Final = 2**32
"""How many ids there are: random numbers take an id as 32 bits."""


def vectors(dimensions: int) -> dict[str, int]:
    """The columns of vectors, with the number of their components: turning has one in the plane and three in space."""
    if dimensions == 2:
        return {"position": 2, "velocity": 2, "forward": 2, "angular_velocity": 1}
    return {"position": 3, "velocity": 3, "forward": 3, "up": 3, "angular_velocity": 3}


def turning_components(dimensions: int) -> int:
    """Components of what turns: one in the plane, counter-clockwise, and three in space."""
    return vectors(dimensions)["angular_velocity"]


class Store:
    """The columns of n vehicles.

    Attributes:
        block: All numbers, shape (columns, n).
        column: Name -> view of the block: shape (components, n) of vectors, (n,) of scalars.
        ids: Names of the vehicles, shape (n,), int64.
        next_id: The first id that was never given.
        usual: For columns of numbers that were given as one value for all: that value.
    """

    def __init__(self, dimensions: int, n: int, dtype: np.dtype[Any], next_id: int = 0) -> None:
        self.dimensions, self.dtype, self.next_id = dimensions, dtype, next_id
        rows = vectors(dimensions)
        self.block: Array = np.zeros((sum(rows.values()) + len(SCALARS), n), dtype)
        self.column: dict[str, Array] = {}
        start = 0
        for name, components in rows.items():
            self.column[name] = self.block[start : start + components]
            start += components
        for k, name in enumerate(SCALARS):
            self.column[name] = self.block[start + k]
        self.ids: Array = np.zeros(n, np.int64)
        self.usual: dict[str, float] = {}

    def __len__(self) -> int:
        return int(self.block.shape[1])

    def taken(self, rows: Array, n: int | None = None) -> "Store":
        """A new store with the vehicles of these rows first, and room for n in all (default: for these)."""
        other = Store(self.dimensions, len(rows) if n is None else n, self.dtype, self.next_id)
        other.block[:, : len(rows)] = self.block[:, rows]
        other.ids[: len(rows)] = self.ids[rows]
        other.usual = dict(self.usual)
        return other

    def settle(self, name: str, value: Any) -> None:
        """Remember what a column of numbers was given as, if that was the same for all; else forget what it was before."""
        given = np.atleast_1d(as_column(name, value, 1 if np.ndim(value) == 0 else len(self), self.dtype))
        self.usual.pop(name, None)
        if given.size and (given == given[0]).all():
            self.usual[name] = float(given[0])

    def usual_of(self, name: str) -> float:
        """What a new vehicle has where nothing is said: the value for all, else the last vehicle's, else the default."""
        if name not in self.usual and len(self):
            return float(self.column[name][-1])
        return self.usual.get(name, SCALARS[name][0])

    def new_ids(self, given: Any, n: int, before: Array) -> Array:
        """The ids of n new vehicles beside those that are there already.

        Raises:
            ValueError: They are not whole numbers, out of range, or there twice.
        """
        if given is None:
            if self.next_id + n > IDS:
                raise ValueError(f"id must be given: the next free one is {self.next_id}, and 2**32 - 1 is the last")
            return np.arange(self.next_id, self.next_id + n, dtype=np.int64)
        ids = np.atleast_1d(np.asarray(given))
        if ids.dtype.kind not in "iu" or ids.shape != (n,):
            raise ValueError(f"id must be whole numbers of shape ({n},), got {ids.dtype} of shape {ids.shape}")
        if ids.min(initial=0) < 0 or ids.max(initial=0) >= IDS:
            raise ValueError(f"id must be between 0 and 2**32 - 1, got {ids.min()} to {ids.max()}")
        names, counts = np.unique(np.concatenate([before, ids.astype(np.int64)]), return_counts=True)
        if np.any(counts > 1):
            raise ValueError(f"id must be different for every vehicle, got {names[counts > 1][0]} more than once")
        return ids.astype(np.int64)


def as_vectors(name: str, value: Any, n: int, dimensions: int, dtype: Any) -> Array:
    """A vector for each of n vehicles, shape (n, d), from n vectors or one for all.

    Raises:
        TypeError: It does not consist of numbers.
        ValueError: It has another shape, or holds NaN or infinity.
    """
    values = as_floats(name, value, dtype)
    d = dimensions
    if values.shape not in ((d,), (n, d)):
        raise ValueError(f"{name} must have shape ({n}, {d}) or ({d},), like position, got {values.shape}")
    return np.array(np.broadcast_to(values, (n, d)))


def as_turning(name: str, value: Any, n: int, dimensions: int, dtype: Any) -> Array:
    """Turning for each of n vehicles, shape (n, 1) in 2D and (n, 3) in 3D.

    Raises:
        TypeError: It does not consist of numbers.
        ValueError: It has another shape, or holds NaN or infinity.
    """
    if dimensions == 3:
        return as_vectors(name, value, n, 3, dtype)
    return as_scalars(name, value, n, dtype, low=None, above=None, unit="rad/s")[:, None]


def as_column(name: str, value: Any, n: int, dtype: Any) -> Array:
    """A number for each of n vehicles, shape (n,).

    Raises:
        TypeError: It does not consist of numbers.
        ValueError: It has another shape, is out of range, or holds NaN or infinity.
    """
    if name == "response_time" and isinstance(value, str):
        if value != "step":
            raise ValueError(f'response_time must be "step" or a number >= 0 s, got {value!r}')
        value = 0.0
    _, low, above, unit = SCALARS[name]
    return as_scalars(name, value, n, dtype, low=low, above=above, unit=unit)

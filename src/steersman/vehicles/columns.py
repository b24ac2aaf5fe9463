"""Columns: what a population is made of, and the one block of memory that holds it.

Vectors come first in the block, component by component, then the scalars: kernels read contiguous numbers, and the step
checks, hashes and copies the block as a whole.

The block has room for more vehicles than there are, so that kernels stay bound to the same arrays while some come and
go; what everybody else sees is its first n rows.
"""

from typing import Any, Final

import numpy as np

from steersman.geometry.arrays import as_array, as_floats, as_scalars, frozen
from steersman.geometry.brief import brief
from steersman.geometry.vectors import Array
from steersman.vehicles.closing import close_gaps
from steersman.vehicles.vehicle_columns import Spin, VehicleColumns

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

LEAST: Final = 16
"""For so many there is room as soon as somebody is added."""

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
    """The columns of n vehicles, with room for more: they come and go in the same arrays, until there are too many.

    Attributes:
        room: For how many there is room.
        count: How many there are, for kernels, shape (1,), int64.
        columns, spin: All columns, for kernels: arrays of shape (room,), the vehicles first.
        whole: All numbers, shape (columns, room).
        block: Those of the vehicles, shape (columns, n).
        column: Name -> view of the block: shape (components, n) of vectors, (n,) of scalars.
        next_id: The first id that was never given.
        born: How many vehicles have ever been.
        usual: For columns of numbers that were given as one value for all: that value.
    """

    def __init__(self, dimensions: int, room: int, dtype: np.dtype[Any], next_id: int = 0) -> None:
        self.dimensions, self.room, self.dtype, self.next_id = dimensions, room, dtype, next_id
        rows = vectors(dimensions)
        self.whole: Array = np.zeros((sum(rows.values()) + len(SCALARS), room), dtype)
        self._columns: dict[str, Array] = {}
        start = 0
        for name, components in rows.items():
            self._columns[name] = self.whole[start : start + components]
            start += components
        for k, name in enumerate(SCALARS):
            self._columns[name] = self.whole[start + k]
        self._names: Array = np.zeros((2, room), np.int64)
        self._ids, self.born = self._names[0], 0
        self.count: Array = np.zeros(1, np.int64)
        self.usual: dict[str, float] = {}
        self.columns, self.spin = _for_kernels(self._columns, self._ids)
        self._fit(0)

    def __len__(self) -> int:
        return self._n

    def _fit(self, n: int) -> None:
        """Show the first n rows."""
        self._n = self.count[0] = n
        self.block = self.whole[:, :n]
        self._own = self.column = {name: column[..., :n] for name, column in self._columns.items()}
        self._shut: dict[str, Array] | None = None
        self._shown: tuple[Array, Array] | None = None

    def shut(self) -> None:
        """From now on the columns can be read alone."""
        if self._shut is None:
            self._shut = {name: frozen(column.view()) for name, column in self._own.items()}
        self.column = self._shut

    def open(self) -> None:
        """The columns can be written again."""
        self.column = self._own

    @property
    def ids(self) -> Array:
        """Names of the vehicles, shape (n,), int64, read-only; another array after every change."""
        return self._show()[0]

    @property
    def births(self) -> Array:
        """Numbers in the order in which they came, shape (n,), int64, read-only; another array after every change.

        Unlike an id, such a number is never given twice.
        """
        return self._show()[1]

    def _show(self) -> tuple[Array, Array]:
        if self._shown is None:
            ids, births = frozen(self._names[:, : self._n].copy())
            self._shown = ids, births
        return self._shown

    def extend(self, columns: dict[str, Array], ids: Array) -> None:
        """Add vehicles at the end, for whom there is room: a row for each of them in every column, and their ids."""
        rows = slice(self._n, self._n + len(ids))
        for name, values in columns.items():
            self._columns[name][..., rows] = values.T
        self._names[:, rows] = ids, np.arange(self.born, self.born + len(ids))
        self.born += len(ids)
        self.next_id = max(self.next_id, int(ids.max(initial=-1)) + 1)
        self._fit(rows.stop)

    def drop(self, rows: Array) -> None:
        """Take vehicles away, given in ascending order; those behind move up."""
        close_gaps(self.whole, rows, self._n)
        close_gaps(self._names, rows, self._n)
        self._fit(self._n - len(rows))

    def with_room(self, n: int) -> "Store":
        """This store if there is room for n vehicles, else a copy that has room for them, and for twice as many as before."""
        if n <= self.room:
            return self
        return self.copy(max(n, 2 * self.room, LEAST))

    def copy(self, room: int) -> "Store":
        """The same vehicles in other arrays."""
        other = Store(self.dimensions, room, self.dtype, self.next_id)
        other.hold(self.block, self.ids, self.births, self.born)
        other.usual = dict(self.usual)
        return other

    def hold(self, block: Array, ids: Array, births: Array, born: int) -> None:
        """Take these vehicles in place of those there were, `born` of whom have been so far."""
        n = len(ids)
        self.whole[:, :n], self._names[:, :n], self.born = block, (ids, births), born
        self._fit(n)

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

    def new_ids(self, given: Any, n: int) -> Array:
        """The ids of n new vehicles beside those that are there already.

        Raises:
            ValueError: They are not whole numbers, out of range, or there twice.
        """
        if given is None:
            if self.next_id + n > IDS:
                raise ValueError(f"id must be given: the next free one is {self.next_id}, and 2**32 - 1 is the last")
            return np.arange(self.next_id, self.next_id + n, dtype=np.int64)
        ids = np.atleast_1d(as_array("id", given))
        if ids.dtype.kind not in "iu" or ids.shape != (n,):
            raise ValueError(f"id must be whole numbers of shape ({n},), got {ids.dtype} of shape {ids.shape}")
        if ids.min(initial=0) < 0 or ids.max(initial=0) >= IDS:
            raise ValueError(f"id must be between 0 and 2**32 - 1, got {ids.min()} to {ids.max()}")
        names, counts = np.unique(np.concatenate([self.ids, ids.astype(np.int64)]), return_counts=True)
        if np.any(counts > 1):
            raise ValueError(f"id must be different for every vehicle, got {names[counts > 1][0]} more than once")
        return ids.astype(np.int64)


def _for_kernels(columns: dict[str, Array], ids: Array) -> tuple[VehicleColumns, Spin]:
    """The columns as kernels take them."""
    position, velocity, forward, up = (
        tuple(columns.get(each, ())) for each in ("position", "velocity", "forward", "up")
    )
    mass, radius, max_speed, max_force, response_time = (columns[name] for name in tuple(SCALARS)[:5])
    spin = Spin(tuple(columns["angular_velocity"]), columns["max_angular_speed"], columns["max_angular_acceleration"])
    return VehicleColumns(position, velocity, forward, up, mass, radius, max_speed, max_force, response_time, ids), spin


def as_dtype(dtype: Any) -> "np.dtype[Any]":
    """The type of the columns.

    Raises:
        ValueError: It is neither float32 nor float64.
    """
    try:
        found: np.dtype[Any] | None = np.dtype(dtype)
    except Exception:  # Whatever NumPy makes of it.
        found = None
    if found is None or found not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise ValueError(f"dtype must be float32 or float64, got {brief(dtype) if found is None else found}")
    return found


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
            raise ValueError(f'response_time must be "step" or a number >= 0 s, got {brief(value)}')
        value = 0.0
    _, low, above, unit = SCALARS[name]
    return as_scalars(name, value, n, dtype, low=low, above=above, unit=unit)

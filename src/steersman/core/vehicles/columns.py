"""Columns: the arrays of a population, and the one block of memory that holds them.

Vectors come first in the block, component by component, then the scalars: kernels read contiguous numbers, and the step
checks, hashes and copies the block as a whole.

The block has room for more vehicles than there are, so that kernels stay bound to the same arrays while vehicles come and
go; all other code sees its first n rows. Arrays that other code gets share only their memory with the arrays of the store
(see `Pinned`): a change of their type, shape or size does not affect any other array.

A change of the number of vehicles is prepared first, and then made in one instruction, so that an interrupt comes before or
after it.
"""

from collections.abc import Callable
from operator import setitem
from typing import Any, Final, NamedTuple

import numpy as np

from steersman.core.kernels.signals import Action, at_once
from steersman.core.parameters.arrays import as_array, as_floats, as_scalars, frozen
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.core.vehicles.pinned import Pinned
from steersman.core.vehicles.removal import closing_gaps
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns

SCALARS: Final = {
    # name: (default, low, above, unit)
    "mass": (1.0, None, 0.0, "kg"),
    "radius": (0.5, 0.0, None, "m"),
    "max_speed": (1.0, 0.0, None, "m/s"),
    "max_force": (1.0, 0.0, None, "N"),
    "response_time": (0.1, 0.0, None, "s"),
    "max_angular_speed": (3.0, 0.0, None, "rad/s"),
    "max_angular_acceleration": (10.0, 0.0, None, "rad/s^2"),
    "length": (0.0, 0.0, None, "m"),
}
"""The columns of one number per vehicle; none may be negative."""

LEAST: Final = 16
"""The least room of a store that was enlarged for a new vehicle."""

IDS: Final = 2**32
"""The number of possible ids: random numbers take an id as 32 bits."""


def vectors(dimensions: int) -> dict[str, int]:
    """Name -> number of components, of the columns of vectors. Turning has one component in the plane, and three in space."""
    if dimensions == 2:
        return {"position": 2, "velocity": 2, "forward": 2, "angular_velocity": 1}
    return {"position": 3, "velocity": 3, "forward": 3, "up": 3, "angular_velocity": 3}


def turning_components(dimensions: int) -> int:
    """The number of components of an angular velocity: one in the plane, counter-clockwise, and three in space."""
    return vectors(dimensions)["angular_velocity"]


class Change(NamedTuple):
    """A change of the number of vehicles.

    Attributes:
        actions: The actions that make the change.
        back: A function that returns the actions that undo the change. It must be called before the change is made.
    """

    actions: list[Action]
    back: Callable[[], list[Action]]


class Store:
    """The columns of n vehicles, with room for more: vehicles come and go in the same arrays until the capacity is used up.

    Attributes:
        capacity: The number of vehicles that there is room for.
        block: All numbers of the vehicles, shape (columns, n).
        column: Name -> view of the block: shape (components, n) of vectors, (n,) of scalars.
        next_id: The first id that was never given.
        born: The number of vehicles that were ever added.
        usual: Column name -> value, for columns of numbers that were given as one value for all vehicles.
    """

    block: Array
    column: dict[str, Array]
    born: int
    next_id: int
    _n: int
    _own: dict[str, Array]
    _read_only: dict[str, Array] | None
    _shown: tuple[Array, Array] | None

    def __init__(self, dimensions: int, capacity: int, dtype: np.dtype[Any], next_id: int = 0) -> None:
        self.dimensions, self.capacity, self.dtype = dimensions, capacity, dtype
        numbers = np.zeros((sum(vectors(dimensions).values()) + len(SCALARS), capacity), dtype)
        self._numbers, self._counted = Pinned(numbers), Pinned(np.zeros(1, np.int64))
        self._named = Pinned(np.zeros((2, capacity), np.int64))
        self._whole, self._count, self._names = self.whole, self.count, self._named.array()
        self._columns = by_name(self._whole, dimensions)
        source = self.whole  # Arrays for other code are views of this one, which is not used for anything else.
        self._handed, self._handed_columns, self._handed_ids = (
            source[:],
            by_name(source, dimensions),
            self._named.array()[:],
        )
        self.usual: dict[str, float] = {}
        at_once(self._showing(0, 0, next_id))

    def __len__(self) -> int:
        return self._n

    def _showing(self, n: int, born: int, next_id: int) -> list[Action]:
        """The actions after which the first n rows are the vehicles."""
        own = {name: column[..., :n] for name, column in self._handed_columns.items()}
        state = {
            "_n": n, "block": self._handed[:, :n], "_own": own, "column": own, "_read_only": None, "_shown": None,
            "born": born, "next_id": next_id,
        }  # fmt: skip
        return [(self.__dict__.update, state), (setitem, self._count, 0, n)]

    def _shown_now(self) -> list[Action]:
        """The actions of `_showing` for the present state."""
        return self._showing(self._n, self.born, self.next_id)

    @property
    def whole(self) -> Array:
        """All numbers, for kernels, shape (columns, capacity). Each call returns another array of the same memory."""
        return self._numbers.array()

    @property
    def count(self) -> Array:
        """The number of vehicles, for kernels, shape (1,), int64. Each call returns another array of the same memory."""
        return self._counted.array()

    @property
    def columns(self) -> VehicleColumns:
        """Columns for kernels, shape (capacity,), the vehicles first. Each call returns other arrays of the same memory."""
        columns = self._handed_columns
        position, velocity, forward, up = (
            tuple(columns.get(each, ())) for each in ("position", "velocity", "forward", "up")
        )
        mass, radius, max_speed, max_force, response_time = (columns[name][:] for name in tuple(SCALARS)[:5])
        ids = self._handed_ids[0]
        return VehicleColumns(position, velocity, forward, up, mass, radius, max_speed, max_force, response_time, ids)

    @property
    def spin(self) -> Spin:
        """Columns about turning, for kernels, as in `columns`."""
        velocity, *limits = (
            self._handed_columns[each] for each in ("angular_velocity", "max_angular_speed", "max_angular_acceleration")
        )
        return Spin(tuple(velocity), *(limit[:] for limit in limits))

    @property
    def lengths(self) -> Array:
        """The lengths of the bodies, for kernels, as in `columns`."""
        return self._handed_columns["length"][:]

    def shut(self) -> None:
        """Make the columns read-only."""
        if self._read_only is None:
            self._read_only = {name: frozen(column.view()) for name, column in self._own.items()}
        self.column = self._read_only

    @property
    def is_shut(self) -> bool:
        """Whether the columns are read-only."""
        return self.column is not self._own

    def open(self) -> None:
        """Make the columns writable again."""
        self.column = self._own

    @property
    def ids(self) -> Array:
        """Ids of the vehicles, shape (n,), int64, read-only; another array after every change of their number."""
        return self._show()[0]

    @property
    def births(self) -> Array:
        """The births: numbers of the vehicles in order of creation, shape (n,), int64, read-only.

        Unlike an id, such a number is never given twice. After every change of the number of vehicles it is another array.
        """
        return self._show()[1]

    def _show(self) -> tuple[Array, Array]:
        if self._shown is None:
            ids, births = frozen(Pinned(self._names[:, : self._n].copy()).array())
            self._shown = ids, births
        return self._shown

    def extending(self, columns: dict[str, Array], ids: Array) -> Change:
        """The change that adds vehicles at the end. The store must have room for them.

        The rows are written immediately, but are invisible until the change is made.

        Args:
            columns: Name -> a row for each vehicle, or one row or number for all.
            ids: The ids of the vehicles, shape (k,).
        """
        rows, born = slice(self._n, self._n + len(ids)), self.born + len(ids)
        for name, values in columns.items():
            self._columns[name][..., rows] = values.T
        self._names[:, rows] = ids, np.arange(self.born, born)
        next_id = max(self.next_id, int(ids.max(initial=-1)) + 1)
        return Change(self._showing(rows.stop, born, next_id), self._shown_now)

    def dropping(self, rows: Array, *, may_return: bool = False) -> Change:
        """The change that removes vehicles; later rows move up.

        Args:
            rows: The rows of the vehicles, ascending.
            may_return: Whether to store the data that undoing the change needs.
        """
        gaps = [gap for array in (self._whole, self._names) for gap in closing_gaps(array, rows, self._n)]
        behind = (slice(None), slice(rows.min(initial=self._n), self._n))
        saved = (
            [(setitem, each, behind, each[behind].copy()) for each in (self._whole, self._names)] if may_return else []
        )
        change = [*gaps, *self._showing(self._n - len(rows), self.born, self.next_id)]
        return Change(change, lambda: [*saved, *self._shown_now()])

    def with_room(self, n: int) -> "Store":
        """This store if it has room for n vehicles; else a copy with at least twice the room."""
        if n <= self.capacity:
            return self
        return self.copy(max(n, 2 * self.capacity, LEAST))

    def copy(self, capacity: int) -> "Store":
        """The same vehicles in other arrays."""
        other = Store(self.dimensions, capacity, self.dtype, self.next_id)
        other.hold(self.block, self.ids, self.births, self.born)
        other.usual = dict(self.usual)
        return other

    def hold(self, block: Array, ids: Array, births: Array, born: int) -> None:
        """Replace all vehicles by the given ones; `born` is the number of vehicles that were ever added."""
        n = len(ids)
        self._whole[:, :n], self._names[:, :n] = block, (ids, births)
        at_once(self._showing(n, born, self.next_id))

    def settle(self, name: str, value: Any) -> None:
        """Keep the value of a column of numbers as its usual value if it is the same for all vehicles; else forget that.

        Args:
            name: The column.
            value: Its value or values, which were validated when they were written.
        """
        if isinstance(value, (int, float)):
            self.usual[name] = float(self.dtype.type(value))
            return
        values = np.atleast_1d(as_column(name, value, 1 if np.ndim(value) == 0 else len(self), self.dtype))
        self.usual.pop(name, None)
        if values.size and (values == values[0]).all():
            self.usual[name] = float(values[0])

    def usual_of(self, name: str) -> float:
        """The default of a new vehicle: the value given for all, else the last vehicle's, else the library's default."""
        if name not in self.usual and len(self):
            return float(self.column[name][-1])
        return self.usual.get(name, SCALARS[name][0])

    def new_ids(self, chosen: Any, n: int) -> Array:
        """The ids of n new vehicles, different from all present ids.

        Raises:
            ValueError: The chosen ids are not whole numbers, out of range, or not unique; or no id is left.
        """
        if chosen is None:
            if self.next_id + n > IDS:
                raise ValueError(f"id must be given: the next free one is {self.next_id}, and 2**32 - 1 is the last")
            return np.arange(self.next_id, self.next_id + n, dtype=np.int64)
        ids = np.atleast_1d(as_array("id", chosen))
        if ids.dtype.kind not in "iu" or ids.shape != (n,):
            raise ValueError(f"id must be whole numbers of shape ({n},), got {ids.dtype} of shape {ids.shape}")
        if ids.min(initial=0) < 0 or ids.max(initial=0) >= IDS:
            raise ValueError(f"id must be between 0 and 2**32 - 1, got {ids.min()} to {ids.max()}")
        names, counts = np.unique(np.concatenate([self.ids, ids.astype(np.int64)]), return_counts=True)
        if np.any(counts > 1):
            raise ValueError(f"id must be different for every vehicle, got {names[counts > 1][0]} more than once")
        return ids.astype(np.int64)


def by_name(block: Array, dimensions: int) -> dict[str, Array]:
    """The columns in a block of shape (columns, n): vectors, shape (components, n), and scalars, shape (n,).

    Of several blocks, shape (m, columns, n), each column has the m blocks first.
    """
    columns, start = {}, 0
    for name, components in vectors(dimensions).items():
        columns[name] = block[..., start : start + components, :]
        start += components
    return columns | {name: block[..., start + k, :] for k, name in enumerate(SCALARS)}


def places_of(name: str, dimensions: int) -> Array:
    """The rows of a block that are the components of a column, shape (components,)."""
    size = sum(vectors(dimensions).values()) + len(SCALARS)
    return by_name(np.arange(size)[:, None], dimensions)[name].ravel()


def as_dtype(dtype: Any) -> "np.dtype[Any]":
    """The type of the columns."""
    try:
        parsed: np.dtype[Any] | None = np.dtype(dtype)
    except Exception:  # NumPy raises different errors for different values.
        parsed = None
    if parsed is None or parsed not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise ValueError(f"dtype must be float32 or float64, got {brief(dtype) if parsed is None else parsed}")
    return parsed


def as_vectors(name: str, value: Any, n: int, dimensions: int, dtype: Any) -> Array:
    """A vector for each of n vehicles, shape (n, d), from n vectors or one for all."""
    values = as_floats(name, value, dtype)
    d = dimensions
    if values.shape not in ((d,), (n, d)):
        raise ValueError(f"{name} must have shape ({n}, {d}) or ({d},), like position, got {values.shape}")
    return values if values.ndim == 2 else np.array(np.broadcast_to(values, (n, d)))


def as_turning(name: str, value: Any, n: int, dimensions: int, dtype: Any) -> Array:
    """Turning for each of n vehicles, shape (n, 1) in 2D and (n, 3) in 3D."""
    if dimensions == 3:
        return as_vectors(name, value, n, 3, dtype)
    return as_scalars(name, value, n, dtype, low=None, above=None, unit="rad/s")[:, None]


def as_column(name: str, value: Any, n: int, dtype: Any) -> Array:
    """A number for each of n vehicles, shape (n,)."""
    if name == "response_time" and isinstance(value, str):
        if value != "step":
            raise ValueError(f'response_time must be "step" or a number >= 0 s, got {brief(value)}')
        value = 0.0
    _, low, above, unit = SCALARS[name]
    return as_scalars(name, value, n, dtype, low=low, above=above, unit=unit)

"""Per vehicle: a numeric parameter with one value for each vehicle, in place of one for all.

    sm.Wander(strength=np.linspace(0.2, 1.5, len(vehicles)))
    boldness * sm.Seek(goal) + (1 - boldness) * sm.Flee(goal)

The values belong to the vehicles that exist when the steering is assigned, in the order of their rows; these vehicles are
called *addressed*. A value stays with the id of its vehicle while others come and go. A vehicle that comes later has the last
value, as with the columns of `spawn`.

A number may also be the name of a column, which is read at every step: a column of `Orders` around the behavior, or a column
of numbers of the vehicles, as in `sm.Wander(strength="boldness")`. Where a parameter has choices, it is written as
`"column:boldness"`.

    PerVehicle                  numbers that are given, one per vehicle
    NumberColumn                the name of a column, which is read at every step
    ComputedColumn              a function of such columns, and of numbers
    LiveColumn, LiveComputed    the numbers of these two, by row, for searches of neighbors
"""

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.expression import user_value
from steersman.core.typing import Array


class PerVehicle:
    """One number per vehicle. It has the arithmetic of numbers; a kernel gets the number of each row.

    Attributes:
        name: The name of the parameter in messages.
        values: The numbers, shape (n,), read-only.
    """

    __slots__ = ("name", "values")

    def __init__(self, name: str, values: Array) -> None:
        self.name, self.values = name, frozen(values)

    def __repr__(self) -> str:
        return repr(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PerVehicle) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash(self.values.tobytes())

    def refuse(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse an operation that needs one number.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"{self.name} must be one number for all vehicles here, not one per vehicle")

    __float__ = __int__ = __index__ = __bool__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = refuse
    __array__ = __array_ufunc__ = __len__ = __iter__ = refuse

    def _with(self, operation: Callable[[Any, Any], Any], a: Any, b: Any) -> "PerVehicle":
        a, b = (each.values if isinstance(each, PerVehicle) else each for each in (a, b))
        with np.errstate(all="ignore"):
            return PerVehicle(self.name, np.asarray(operation(a, b)))

    def __add__(self, other: Any) -> "PerVehicle":
        return self._with(operator.add, self, other)

    def __radd__(self, other: Any) -> "PerVehicle":
        return self._with(operator.add, other, self)

    def __sub__(self, other: Any) -> "PerVehicle":
        return self._with(operator.sub, self, other)

    def __rsub__(self, other: Any) -> "PerVehicle":
        return self._with(operator.sub, other, self)

    def __mul__(self, other: Any) -> "PerVehicle":
        return self._with(operator.mul, self, other)

    def __rmul__(self, other: Any) -> "PerVehicle":
        return self._with(operator.mul, other, self)

    def __truediv__(self, other: Any) -> "PerVehicle":
        return self._with(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> "PerVehicle":
        return self._with(operator.truediv, other, self)

    def __pow__(self, other: Any) -> "PerVehicle":
        return self._with(operator.pow, self, other)

    def __neg__(self) -> "PerVehicle":
        return self * -1

    def typed(self, dtype: Any) -> "PerVehicle":
        """The same numbers in another dtype."""
        return PerVehicle(self.name, self.values.astype(dtype))

    def by_row(self, ids: Array, addressed: Array) -> Array:
        """The numbers of some vehicles, shape (n,).

        Args:
            ids: Their ids, by row.
            addressed: Ids of the vehicles that the numbers are for, in order.

        Raises:
            ValueError: There are more or fewer numbers than addressed vehicles.
        """
        if self.values.shape != addressed.shape:
            raise ValueError(
                f"{self.name} must be one number or have shape {addressed.shape}, one per vehicle when the steering was "
                f"assigned, got shape {self.values.shape}"
            )
        rows = rows_among(ids, addressed)
        return np.asarray(np.where(rows >= 0, self.values[rows], self.values[-1]) if len(addressed) else self.values)


COLUMN = "column:"
"""The prefix of the name of a column, for parameters that also allow other texts."""


class NumberColumn(PerVehicle):
    """One number per vehicle that is read from a column at every step.

    Attributes:
        column: The name of the column.
        holds: A function that returns whether a number is allowed.
        allowed: The allowed numbers in words.
    """

    __slots__ = ("allowed", "column", "holds")

    def __init__(self, name: str, column: str, holds: Callable[[float], bool], allowed: str) -> None:
        self.name, self.column, self.holds, self.allowed = name, column, holds, allowed

    @property
    def values(self) -> NoReturn:  # type: ignore[override]
        """None can be given.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"{self.name} must be one number or an array here, not the column {self.column!r}")

    def __repr__(self) -> str:
        return repr(self.column)

    def __deepcopy__(self, memo: Any) -> "NumberColumn":
        return self  # It never changes.

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberColumn) and other.column == self.column

    def __hash__(self) -> int:
        return hash(self.column)

    def _with(self, operation: Callable[[Any, Any], Any], a: Any, b: Any) -> "PerVehicle":
        times_one = a is self and bool(b == 1) and operation in (operator.mul, operator.truediv)
        if times_one or (b is self and bool(a == 1) and operation is operator.mul):
            return self
        return computed(operation, a, b)

    def compute(self, read: Callable[["NumberColumn"], Array]) -> Array:
        """The numbers now; `read` gives those of a column."""
        return np.asarray(read(self), np.float64)

    def typed(self, dtype: Any) -> "PerVehicle":
        """The column itself, which has a dtype of its own."""
        return self

    def check(self, values: Array) -> None:
        """Check the numbers of the column. A number that the vehicles' dtype has rounded out of the range is allowed."""
        several = np.unique(values)
        rounded = [np.nextafter(several, values.dtype.type(side)).tolist() for side in (-np.inf, np.inf)]
        good = [any(map(self.holds, each)) for each in zip(several.tolist(), *rounded, strict=True)]
        if not all(good):
            worst = np.unique(values)[good.index(False)]
            raise ValueError(f"{self.name} must be {self.allowed}, got {worst:g} in the column {self.column!r}")


class ComputedColumn(PerVehicle):
    """One number per vehicle that is computed from columns at every step, such as the square of a column.

    Attributes:
        operation: A function of arrays.
        operands: Its arguments: NumberColumns, ComputedColumns, and numbers.
    """

    __slots__ = ("operands", "operation")

    def __init__(self, name: str, operation: Callable[..., Any], operands: tuple[Any, ...]) -> None:
        self.name, self.operation, self.operands = name, operation, operands

    @property
    def values(self) -> NoReturn:  # type: ignore[override]
        """None can be given.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"{self.name} must be one number or an array here, not one that is read from a column")

    def __repr__(self) -> str:
        return f"{self.operation.__name__}{self.operands}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComputedColumn):
            return False
        return self.operation is other.operation and self.operands == other.operands

    def __hash__(self) -> int:
        return hash((self.operation, self.operands))

    def _with(self, operation: Callable[[Any, Any], Any], a: Any, b: Any) -> "PerVehicle":
        return computed(operation, a, b)

    def typed(self, dtype: Any) -> "PerVehicle":
        """The object itself: columns have dtypes of their own."""
        return self

    def compute(self, read: Callable[[NumberColumn], Array]) -> Array:
        """The numbers now; `read` gives those of a column."""
        operands = [each.compute(read) if isinstance(each, FROM_COLUMNS) else each for each in self.operands]
        with np.errstate(all="ignore"):
            return np.asarray(self.operation(*operands), np.float64)


FROM_COLUMNS = (NumberColumn, ComputedColumn)
"""Classes of numbers that are read at every step."""


def computed(operation: Callable[..., Any], *operands: Any) -> ComputedColumn:
    """A number that is computed from columns at every step.

    Raises:
        TypeError: One of the operands is an array with one number per vehicle.
    """
    columns = [each for each in operands if isinstance(each, FROM_COLUMNS)]
    for each in operands:
        if isinstance(each, PerVehicle) and not isinstance(each, FROM_COLUMNS):
            raise TypeError(f"{each.name} must be one number or a column here, as {columns[0].name} is read from one")
    return ComputedColumn(columns[0].name, operation, operands)


class LiveColumn(PerVehicle):
    """The numbers of a column, by row, for searches of neighbors: a search is made for the present numbers.

    Attributes:
        column: The column, shape (capacity,).
        count: Returns the number of vehicles.
    """

    __slots__ = ("column", "count")

    def __init__(self, name: str, column: Array, count: Callable[[], int]) -> None:
        self.name, self.column, self.count = name, column, count

    @property
    def values(self) -> Array:  # type: ignore[override]
        """The numbers now; without vehicles a single number, because searches need a radius."""
        return np.asarray(self.column[: self.count()] if self.count() else np.ones(1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LiveColumn) and other.column is self.column

    def __hash__(self) -> int:
        return id(self.column)

    def by_row(self, ids: Array, addressed: Array) -> Array:
        """The numbers now, shape (n,)."""
        return np.asarray(self.column[: len(ids)], np.float64)


class LiveComputed(LiveColumn):
    """Numbers that are computed from columns, by row, for searches of neighbors.

    Attributes:
        source: The description of the computation.
        read: A function that returns the present numbers of a column.
        key: The identity of the numbers besides their source: objects with equal source and key are equal.
    """

    __slots__ = ("key", "read", "source")

    def __init__(self, source: ComputedColumn, read: Callable[[NumberColumn], Array], key: Any) -> None:
        self.name, self.source, self.read, self.key = source.name, source, read, key

    @property
    def values(self) -> Array:  # type: ignore[override]
        """The numbers now; without vehicles a single number, because searches need a radius."""
        numbers = self.source.compute(self.read)
        return numbers if len(numbers) else np.ones(1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LiveComputed) and other.source == self.source and other.key == self.key

    def __hash__(self) -> int:
        return hash((self.source, self.key))

    def by_row(self, ids: Array, addressed: Array) -> Array:
        """The numbers now, shape (n,)."""
        return self.source.compute(self.read)[: len(ids)]


def columns_in(value: Any) -> list[NumberColumn]:
    """The columns that a number is read or computed from."""
    if isinstance(value, NumberColumn):
        return [value]
    if isinstance(value, ComputedColumn):
        return [column for each in value.operands for column in columns_in(each)]
    return []


def can_be_multiplied(a: Any, b: Any) -> bool:
    """Whether the product of two numbers can be taken before a step: a column can only be multiplied by 1."""
    return all(not isinstance(each, NumberColumn) or other == 1 for each, other in ((a, b), (b, a)))


def rows_among(ids: Array, addressed: Array) -> Array:
    """The places of ids among the addressed ids, -1 for ids that are not among them; shape of `ids`, int64."""
    if ids is addressed or np.array_equal(ids, addressed):
        return np.arange(len(ids))
    if not len(addressed):
        return np.full(len(ids), -1)
    order = np.argsort(addressed, kind="stable")
    at = order[np.minimum(np.searchsorted(addressed, ids, sorter=order), len(order) - 1)]
    return np.asarray(np.where(addressed[at] == ids, at, -1))


def largest(value: Any) -> float:
    """A number, or the largest of one per vehicle."""
    return float(value.values.max() if isinstance(value, PerVehicle) else value)


def smallest(value: Any) -> float:
    """A number, or the smallest of one per vehicle."""
    return float(value.values.min() if isinstance(value, PerVehicle) else value)


def plain(value: Any) -> Any:
    """A number as a float; one per vehicle as it is."""
    return value if isinstance(value, PerVehicle) else float(value)


def is_given(value: Any) -> bool:
    """Whether a number is neither None nor zero; of one per vehicle, whether any may be nonzero."""
    if isinstance(value, PerVehicle):
        return isinstance(value, FROM_COLUMNS) or bool(value.values.any())
    return bool(value)


def applied(function: Callable[[float], float], value: Any) -> Any:
    """A function of a number, or of each number of one per vehicle."""
    if isinstance(value, FROM_COLUMNS):
        return computed(Each(function), value)
    if isinstance(value, PerVehicle):
        return PerVehicle(value.name, np.array([function(each) for each in value.values.tolist()]))
    return function(value)


class Each:
    """A function of a number, as a function of an array."""

    __name__ = "each"

    def __init__(self, function: Callable[[float], float]) -> None:
        self.function = function

    def __call__(self, values: Array) -> Array:
        """The results for an array, computed once for each distinct number."""
        several, where = np.unique(values, return_inverse=True)
        results: Array = np.array([self.function(each) for each in several.tolist()], np.float64)[where]
        return results


def finite_or(value: Any, other: float) -> Any:
    """A number, or the other one where it is infinite; a column as it is."""
    if isinstance(value, FROM_COLUMNS):
        return value
    if isinstance(value, PerVehicle):
        return PerVehicle(value.name, np.where(np.isfinite(value.values), value.values, other))
    return value if np.isfinite(value) else other


def is_column(value: Any) -> bool:
    """Whether a value is a text with the prefix COLUMN."""
    return isinstance(value, str) and value.startswith(COLUMN)


def is_several(value: Any) -> bool:
    """Whether a value stands for one number per vehicle."""
    return isinstance(value, (PerVehicle, list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def as_each(name: str, value: Any) -> PerVehicle:
    """One number per vehicle, not yet checked for a range."""
    if isinstance(value, PerVehicle):
        return value
    values = as_floats(name, value, np.float64, infinite=True)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"{name} must be one number or have shape (n,), one per vehicle, got shape {values.shape}")
    return PerVehicle(name, values)


@user_value.register
def _(each: PerVehicle) -> Any:
    return f"{COLUMN}{each.column}" if isinstance(each, NumberColumn) else each.values

"""Numbers: the scalar parameters of a kernel, by name.

A kernel gets them as a NamedTuple of scalars of the vehicles' type, and reads `numbers.lookahead`. They are fixed when a
behavior is bound; values that change from step to step, as the time step may, come as an array. `numbers_of` makes the
NamedTuple from parameters by their names, which are described where they are declared.
"""

from collections import namedtuple
from functools import cache
from typing import Any, TypeVar

import numpy as np

from steersman.core.parameters.per_vehicle import PerVehicle

Numbers = TypeVar("Numbers", bound=tuple[Any, ...])

USUAL = -1.0
"""The value of a parameter that is not given: the kernel then uses its default."""


def named_numbers(kind: type[Numbers], dtype: Any, /, **values: Any) -> Numbers:
    """Scalar parameters for a kernel.

    Args:
        kind: A NamedTuple class of scalars.
        dtype: The vehicles' type.
        **values: Its fields. None, for a parameter that is not given, becomes USUAL. A `PerVehicle` is kept: the kernel
            gets the number of the row instead (see `per_row.py`).
    """
    several = {name: value for name, value in values.items() if isinstance(value, PerVehicle)}
    numbers = [USUAL if value is None or name in several else value for name, value in values.items()]
    return kind(**dict(zip(values, np.array(numbers, dtype), strict=True)) | several)


def numbers_of(own: Any, dtype: Any, /, *names: str, **values: float | None) -> Any:
    """Parameters of an object for a kernel, under the same names; and further numbers.

    Args:
        own: The object.
        dtype: The vehicles' type.
        *names: Names of its parameters, in any order.
        **values: The further numbers.
    """
    fields = dict(sorted(({name: getattr(own, name) for name in names} | values).items()))
    return named_numbers(record_class(tuple(fields)), dtype, **fields)


@cache
def record_class(names: tuple[str, ...]) -> Any:
    """The NamedTuple class of these fields. Kernels in the cache refer to it by its name."""
    return namedtuple(f"{KIND}{'__'.join(names)}", names, module=__name__)


KIND = "numbers__"
"""The beginning of the names of these classes."""


def __getattr__(name: str) -> Any:
    """A class made by `record_class`, for pickles of the cache that refer to it by its name."""
    if name.startswith(KIND):
        return record_class(tuple(name.removeprefix(KIND).split("__")))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def number(dtype: Any, value: Any) -> Any:
    """One scalar parameter for a kernel, as in `named_numbers`."""
    if isinstance(value, PerVehicle):
        return value
    return np.array([USUAL if value is None else value], dtype)[0]


def squared(dtype: Any, value: Any) -> Any:
    """The square of a scalar parameter for a kernel; infinite where it is too large for the type."""
    if isinstance(value, PerVehicle):
        return value.typed(dtype) ** 2
    with np.errstate(over="ignore"):
        return (np.array([value], dtype) ** 2)[0]

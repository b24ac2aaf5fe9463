"""Checks of array arguments. All messages have one form: the name, the allowed values, the given value."""

from typing import Any

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.typing import Array

FINITE = 3e38
"""Numbers below it are finite in every dtype."""


def as_floats(name: str, value: Any, dtype: Any, *, infinite: bool = False) -> Array:
    """The argument as a new array of numbers.

    Args:
        name: The name of the argument.
        value: The argument.
        dtype: The dtype of the result.
        infinite: Whether infinity is allowed.

    Raises:
        TypeError: The argument does not consist of numbers (truth values are no numbers).
        ValueError: The argument has rows of different lengths, or NaN or infinity in it (maybe only in `dtype`).
    """
    array = as_array(name, value)
    if array.dtype.kind not in "fiu":
        some = brief(array.ravel()[:1].tolist())
        raise TypeError(f"{name} must be numbers, got {str(array.dtype)[:40]} (for example {some})")
    if array.dtype == dtype:
        numbers = np.array(array)
    else:
        with np.errstate(over="ignore"):
            numbers = np.array(array, dtype=dtype)
    if not (np.isfinite(numbers).all() or (infinite and not np.isnan(numbers).any())):
        check_finite(name, array)
        largest = array.ravel()[np.argmax(np.abs(array))]
        raise ValueError(f"{name} must be finite in {numbers.dtype}, got {largest}")
    return numbers


def as_array(name: str, value: Any) -> Array:
    """The argument as an array of any dtype; an array is not copied.

    Raises:
        TypeError: The argument cannot be read as an array.
        ValueError: Its rows have different lengths, or it is larger than the memory.
    """
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must have rows of one length{_odd_row(value)}") from None
    except MemoryError:
        raise ValueError(f"{name} must be numbers that fit into memory, got {brief(value)}") from None
    except Exception as error:  # An object of the user may raise any error.
        raise TypeError(f"{name} must be numbers, got {brief(value)}") from error


def _odd_row(value: Any) -> str:
    """The end of a message: the first row with another length than most; or the value, if that is no list."""
    if not isinstance(value, (list, tuple)) or not value:
        return f", got {brief(value)}"
    lengths = [len(row) if isinstance(row, (list, tuple, np.ndarray)) else 0 for row in value]
    usual = max(lengths, key=lengths.count)
    odd = next((k for k, length in enumerate(lengths) if length != usual), None)
    return "" if odd is None else f"; most have {usual} numbers, but row {odd} is {brief(value[odd])}"


def check_finite(name: str, numbers: Array) -> None:
    """Raise ValueError with the first offending entry when an array holds NaN or infinity."""
    bad = ~np.isfinite(numbers)
    if bad.any():
        where = tuple(int(k) for k in np.argwhere(bad)[0])
        place = f" at index {where[0] if len(where) == 1 else where}" if where else ""
        raise ValueError(f"{name} must be finite, got {numbers[where]}{place}")


def as_points(name: str, value: Any, dtype: Any, dimensions: int | None = None) -> Array:
    """The argument as points of shape (n, 2) or (n, 3); one point (d,) counts as a row."""
    numbers = as_floats(name, value, dtype)
    points = numbers[None, :] if numbers.ndim == 1 else numbers
    expected = f"(n, {dimensions})" if dimensions else "(n, 2) or (n, 3)"
    if points.ndim != 2 or points.shape[1] not in ((dimensions,) if dimensions else (2, 3)):
        raise ValueError(f"{name} must have shape {expected}, got {numbers.shape}")
    return points


def as_scalars(
    name: str, value: Any, n: int, dtype: Any, *, low: float | None, above: float | None, unit: str
) -> Array:
    """The argument as n numbers in a range; a single number stands for n equal ones."""
    if type(value) in (int, float) and -FINITE < value < FINITE:  # Most are; arrays would take five times as long.
        number = np.dtype(dtype).type(value)
        if (low is None or number >= low) and (above is None or number > above):
            return np.full(n, number)
    values = as_floats(name, value, dtype)
    if values.shape not in ((), (n,)):
        raise ValueError(f"{name} must be one number or have shape ({n},), got shape {values.shape}")
    bound, sign = (low, ">=") if low is not None else (above, ">")
    if bound is not None:
        wrong = values < bound if low is not None else values <= bound
        if wrong.any():
            worst = values if values.ndim == 0 else values[np.argmax(wrong)]
            raise ValueError(f"{name} must be {sign} {bound:g}{' ' + unit if unit else ''}, got {worst}")
    return values if values.ndim else np.full(n, values)


def frozen(array: Array) -> Array:
    """The array, made read-only, so that a parameter does not change while a world uses it."""
    array.flags.writeable = False
    return array


def columns_of(points: Array, dtype: Any) -> tuple[Array, ...]:
    """Points of shape (n, d) as d new contiguous arrays of shape (n,), the form that kernels take.

    Always copies: a view of read-only points would be another type to the compiler.
    """
    return tuple(np.array(points[:, k], dtype=dtype, order="C") for k in range(points.shape[1]))


def first_rows(value: Any, n: int) -> Any:
    """The first n numbers along the last axis of an array, or of every array in a tuple."""
    if isinstance(value, tuple):
        rows = [first_rows(each, n) for each in value]
        return type(value)(*rows) if hasattr(value, "_fields") else tuple(rows)
    return value[..., :n]

"""The guard: numbers that are not finite neither get into a step nor come out of it.

The test reads the bits of floats as whole numbers: a float that is NaN, infinite, or so large that its square would overflow
is larger than a limit. No floating-point comparison is needed, which a compiler flag could remove, and the test runs at the
speed of memory.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.typing import Array
from steersman.core.vehicles.columns import SCALARS, vectors
from steersman.core.vehicles.vehicles import Vehicles

LARGEST = {np.dtype(np.float32): 1e15, np.dtype(np.float64): 1e120}
"""Largest magnitude that a column or force may have; its square and a sum of squares stay finite."""


NEAR = {np.dtype(np.float32): 1e12, np.dtype(np.float64): 1e117}
"""If no number is larger than this, no vehicle gets beyond the largest magnitude in a step of LONG."""

LONG = 100.0
"""The length of a step [s] above which positions are checked in any case (see `NEAR`)."""


class NonFiniteError(FloatingPointError):
    """A number is NaN, infinite or too large; the world is unchanged."""


class Limits(NamedTuple):
    """Floats, read as whole numbers of as many bits.

    Attributes:
        mask: All bits except the sign.
        largest: LARGEST.
        near: NEAR.
        minus_zero: Minus zero: the sign alone.
    """

    mask: Any
    largest: Any
    near: Any
    minus_zero: Any


@kernel(exact=True)
def largest_of(bits: Array, start: int, between: int, stop: int, limits: Limits, largest: Any) -> Any:
    """The largest magnitude from start to stop, as a whole number; at least `largest`.

    From `between` on, negative numbers are not allowed: they count as larger than all limits.
    """
    mask, minus_zero = limits.mask, limits.minus_zero
    for i in range(np.uint64(start), np.uint64(between)):
        largest = max(largest, bits[i] & mask)
    for i in range(np.uint64(between), np.uint64(stop)):
        # Read as a whole number, every negative float but minus zero is larger than the limit.
        largest = max(largest, bits[i] if bits[i] != minus_zero else bits[i] & mask)
    return largest


@kernel(exact=True)
def find_bad(start: int, stop: int, bits: Array, flat: Array, signed: int, limits: Limits, flags: Array) -> None:
    """Set flags[0] if a vehicle between start and stop has a number that is not finite, too large, or negative.

    The first `signed` columns may be negative; `flat` holds the same bits in one row. flags[1] is set if a number is so
    large that positions must be checked (see `NEAR`).
    """
    mask = limits.mask
    largest = mask & limits.minus_zero
    if stop - start == bits.shape[1]:  # One long loop is faster than many short ones.
        some = signed * bits.shape[1]
        largest = largest_of(flat, 0, some, bits.size, limits, largest)
    else:
        for row in range(signed):
            largest = largest_of(bits[row], start, stop, stop, limits, largest)
        for row in range(signed, bits.shape[0]):
            largest = largest_of(bits[row], start, start, stop, limits, largest)
    if largest > limits.largest:
        flags[0] = 1
    if largest > limits.near:
        flags[1] = 1


def guard_call(block: Array, flags: Array, signed: int | None = None) -> Call:
    """The call of `find_bad` for an array of shape (columns, capacity). By default all columns may be negative."""
    bits = block.view(np.uint32 if block.dtype == np.float32 else np.uint64)
    limit, near = np.array([LARGEST[block.dtype], NEAR[block.dtype]], block.dtype).view(bits.dtype)
    sign = 1 << (8 * bits.dtype.itemsize - 1)
    limits = Limits(*np.array([sign - 1, limit, near, sign], bits.dtype))
    return Call(find_bad, (bits, bits.reshape(-1), len(block) if signed is None else signed, limits, flags))


class Inspection:
    """The search for invalid numbers in the columns of one population.

    Args:
        vehicles: The population.
        name_in_messages: Its name in messages.

    Attributes:
        flags: The findings of `find_bad`, which stay until they are cleared.
    """

    def __init__(self, vehicles: Vehicles, name_in_messages: str) -> None:
        self.vehicles, self.name_in_messages = vehicles, name_in_messages
        flags = np.zeros(2, np.int64)
        self.flags = flags.data  # A memoryview is read in a third of the time of an array.
        self.call = guard_call(vehicles.whole, flags, len(vehicles.whole) - len(SCALARS))


def bad_rows(values: Array) -> Array:
    """Whether each vehicle has a number that is not finite or too large, in an array (columns, n); shape (n,), bool."""
    return np.asarray(~(np.abs(values) <= LARGEST[values.dtype]).all(axis=0))


def state_error(name_in_messages: str, vehicles: Vehicles) -> Exception:
    """The error that names the invalid numbers in the columns of a population."""
    largest = LARGEST[vehicles.dtype]
    for column in (*vectors(vehicles.dimensions), *SCALARS):
        values = np.atleast_2d(getattr(vehicles, column).T)
        if (bad := bad_rows(values)).any():
            got = values[:, bad][:, 0]
            return NonFiniteError(
                f"{column} of {name_in_messages} must be finite and below {largest:g}, got {got.tolist()} "
                f"for {vehicle_ids(vehicles, bad)}; the world is unchanged"
            )
    for column, (_, low, _, unit) in SCALARS.items():
        values = getattr(vehicles, column)
        if (bad := values < 0).any():
            return ValueError(
                f"{column} of {name_in_messages} must be {'>' if low is None else '>='} 0 {unit}, got {values[bad][0]} "
                f"for {vehicle_ids(vehicles, bad)}; the world is unchanged"
            )
    return NonFiniteError(f"a column of {name_in_messages} is not finite; the world is unchanged")


def vehicle_ids(vehicles: Vehicles, mask: Array) -> str:
    """The ids of some vehicles, for a message."""
    ids = vehicles.id[mask].tolist()
    shown = ", ".join(str(name) for name in ids[:10])
    return f"vehicle{'s' if len(ids) > 1 else ''} {shown}" + (f", ... ({len(ids)} in all)" if len(ids) > 10 else "")

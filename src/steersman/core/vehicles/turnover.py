"""Turnover: the vehicles removed and added between two times, found by their births (numbers in order of creation)."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.parameters.arrays import frozen
from steersman.core.typing import Array


class Turnover(NamedTuple):
    """The changes of a population. The vehicles that stayed have the first of the present rows, in their old order.

    Attributes:
        n: The number of present vehicles.
        stayed: The number of vehicles that stayed.
        gone: The former rows of removed vehicles, ascending, shape (k,), int64.
    """

    n: int
    stayed: int
    gone: Array

    def from_rows(self, n: int) -> Array:
        """The former rows of the vehicles that stayed, of n former rows."""
        return np.delete(np.arange(n), self.gone)


@kernel
def find_gone(before: Array, now: Array, gone: Array) -> int:
    """Write the former rows of removed vehicles; return their number."""
    count = i = 0
    for j in range(before.size):
        if i < now.size and before[j] == now[i]:
            i += 1
        else:
            gone[count] = j
            count += 1
    return count


def turnover(before: Array, now: Array) -> Turnover:
    """Find the vehicles that were removed and added.

    Args:
        before, now: The births of all vehicles at two times, in the order of the rows. Vehicles that stay keep their order,
            and new vehicles come last; a vehicle that was removed and added again under the same id is a new one.
    """
    gone = np.empty(len(before), np.int64)
    gone = gone[: find_gone(frozen(before.view()), frozen(now.view()), gone)].copy()
    return Turnover(len(now), len(before) - len(gone), gone)


def ids_of(births: Array, now: Array, ids: Array) -> Array:
    """The ids of the vehicles with some births, -1 for removed vehicles, shape (k,). Snapshots store ids, not births.

    Args:
        births: Births at some time, in the order of the rows, shape (k,).
        now: The births of all vehicles now, shape (n,).
        ids: Their ids, shape (n,).
    """
    change = turnover(births, now)
    past_ids = np.full(len(births), -1, np.int64)
    past_ids[change.from_rows(len(births))] = ids[: change.stayed]
    return past_ids


def births_of(known: Any, now: Array, ids: Array) -> Array:
    """The births of the vehicles with some ids, shape (k,), -1 for ids that no vehicle has: the inverse of `ids_of`.

    Args:
        known: The ids, shape (k,).
        now, ids: The births and the ids of all vehicles now, shape (n,).
    """
    birth = dict(zip(ids.tolist(), now.tolist(), strict=True))
    return np.array([birth.get(int(each), -1) for each in known], now.dtype)

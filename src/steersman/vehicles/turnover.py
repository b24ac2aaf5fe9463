"""Turnover: who has gone and who has come between two times, told by the ids."""

from typing import NamedTuple

import numpy as np

from steersman.geometry.arrays import frozen
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import Array


class Turnover(NamedTuple):
    """What has happened to a population. Those who stayed are the first of those who are there now, in their old order.

    Attributes:
        n: How many are there now.
        stayed: How many of them have stayed.
        gone: Where those who went were, ascending, shape (k,), int64.
        back: Of those who went and came back, where they were, shape (b,).
        returned: Where they are now, shape (b,).
    """

    n: int
    stayed: int
    gone: Array
    back: Array
    returned: Array

    @property
    def rows(self) -> Array:
        """The rows now of all who were there before."""
        return np.concatenate([np.arange(self.stayed), self.returned])

    def from_rows(self, n: int) -> Array:
        """The rows of the same before, when there were n."""
        return np.concatenate([np.delete(np.arange(n), self.gone), self.back])


@kernel
def find_gone(before: Array, now: Array, gone: Array) -> int:
    """Write the rows before of those who have gone; returns how many they are."""
    count = i = 0
    for j in range(before.size):
        if i < now.size and before[j] == now[i]:
            i += 1
        else:
            gone[count] = j
            count += 1
    return count


def turnover(before: Array, now: Array) -> Turnover:
    """Who has gone and who has come.

    Args:
        before, now: The ids at two times, in the order of the rows, each different. Those who stay keep their order, and
            newcomers are the last.
    """
    gone = np.empty(len(before), np.int64)
    gone = gone[: find_gone(frozen(before.view()), frozen(now.view()), gone)].copy()
    stayed = len(before) - len(gone)
    new = now[stayed:]
    none = gone[:0]
    if not (len(gone) and len(new)) or new.min() > before[gone].max():
        return Turnover(len(now), stayed, gone, none, none)
    _, returned, back = np.intersect1d(new, before[gone], assume_unique=True, return_indices=True)
    return Turnover(len(now), stayed, gone, gone[back], stayed + returned)

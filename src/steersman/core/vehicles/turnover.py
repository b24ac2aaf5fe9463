"""Turnover: who has gone and who has come between two times, told by the numbers of their births."""

from typing import NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.parameters.arrays import frozen
from steersman.core.typing import Array


class Turnover(NamedTuple):
    """What has happened to a population. Those who stayed are the first of those who are there now, in their old order.

    Attributes:
        n: How many are there now.
        stayed: How many of them have stayed.
        gone: Where those who went were, ascending, shape (k,), int64.
    """

    n: int
    stayed: int
    gone: Array

    def from_rows(self, n: int) -> Array:
        """The rows before of those who stayed, when there were n."""
        return np.delete(np.arange(n), self.gone)


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
        before, now: The births of all at two times, in the order of the rows. Those who stay keep their order, and newcomers
            are the last; somebody who went and came again under the same id is one of them.
    """
    gone = np.empty(len(before), np.int64)
    gone = gone[: find_gone(frozen(before.view()), frozen(now.view()), gone)].copy()
    return Turnover(len(now), len(before) - len(gone), gone)

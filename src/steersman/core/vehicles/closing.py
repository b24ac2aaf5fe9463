"""Closing gaps: when vehicles go, those behind them move up within the same arrays, in their order.

That is told as actions, so that several arrays are changed in one instruction (`signals.at_once`): all of them or none.
"""

from operator import setitem
from typing import Final

import numpy as np

from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.kernels.signals import Action
from steersman.core.typing import Array

WORDS: Final = {1: np.uint8, 4: np.uint32, 8: np.uint64}
"""Whole numbers as which rows are moved, by their size in bytes: one kernel serves all types of a size."""


@kernel
def move_up(columns: Array, gone: Array, n: int) -> None:
    """Write rows over those that are gone before them; `columns` has shape (k, room), n of it are in use."""
    for k in range(columns.shape[0]):
        column = columns[k]
        for m in range(gone.size):
            begin = np.uint64(gone[m] + 1)
            end = np.uint64(gone[m + 1] if m + 1 < gone.size else n)
            back = np.uint64(m + 1)
            for i in range(begin, end):  # Unsigned: no test for a negative index.
                column[i - back] = column[i]


def closing_gaps(array: Array, gone: Array, n: int) -> list[Action]:
    """What lets the rows of those who stay follow each other.

    Args:
        array: Shape (..., room), contiguous, of which the first n rows are in use; changed in place.
        gone: The rows to be written over, ascending, shape (k,), int64.
        n: How many rows are in use.
    """
    if len(gone) == 0 or array.size == 0:
        return []
    columns = array.reshape(-1, array.shape[-1])
    if array.dtype.itemsize in WORDS:
        arguments = (columns.view(WORDS[array.dtype.itemsize]), gone, n)
        return [(entry_point(move_up, arguments), *arguments)]
    stay = np.delete(np.arange(n), gone)
    return [(setitem, columns, (slice(None), slice(len(stay))), columns[:, stay])]

"""Removal: when vehicles are removed, later rows move up within the same arrays, in their order.

The functions return actions, so that one instruction of Python (`signals.at_once`) changes several arrays: all or none.
"""

from operator import setitem
from typing import Final

import numpy as np

from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.kernels.signals import Action
from steersman.core.typing import Array

WORDS: Final = {1: np.uint8, 4: np.uint32, 8: np.uint64}
"""Size in bytes -> the type of whole numbers in place of which kernels move values: one kernel serves all types of a size."""


@kernel
def move_up(columns: Array, gone: Array, n: int) -> None:
    """Move rows up over the removed rows before them; `columns` has shape (k, capacity), its first n rows are in use."""
    for k in range(columns.shape[0]):
        column = columns[k]
        for m in range(gone.size):
            begin = np.uint64(gone[m] + 1)
            end = np.uint64(gone[m + 1] if m + 1 < gone.size else n)
            back = np.uint64(m + 1)
            for i in range(begin, end):  # Unsigned: no test for a negative index.
                column[i - back] = column[i]


def closing_gaps(array: Array, gone: Array, n: int) -> list[Action]:
    """The actions that make the remaining rows contiguous.

    Args:
        array: Shape (..., capacity), contiguous, of which the first n rows are in use; changed in place.
        gone: The removed rows, ascending, shape (k,), int64.
        n: The number of rows in use.
    """
    if len(gone) == 0 or array.size == 0:
        return []
    columns = array.reshape(-1, array.shape[-1])
    if array.dtype.itemsize in WORDS:
        arguments = (columns.view(WORDS[array.dtype.itemsize]), gone, n)
        return [(entry_point(move_up, arguments), *arguments)]
    stay = np.delete(np.arange(n), gone)
    return [(setitem, columns, (slice(None), slice(len(stay))), columns[:, stay])]

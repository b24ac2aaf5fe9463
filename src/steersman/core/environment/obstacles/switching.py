"""Switches: parts of obstacles that can be switched off and on again, such as the leaves of doors.

Kernels read the numbers of parts from arrays (see `box_tree.Boxed`). A part that is switched off has a negative number, and
searches skip it. So nothing is built anew, and a step uses the parts that are on when it begins.
"""

import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.typing import Array

OFF = -1
"""The entry in place of the number of a part that is switched off."""


class Held(NamedTuple):
    """An array that kernels read.

    Attributes:
        array: A weak reference to it.
        rows: Its rows that hold data of a part.
        make: What they hold, given the flags of the parts that are there.
    """

    array: Any
    rows: slice
    make: Callable[[Array], Array]

    def update(self, enabled: Array) -> bool:
        """Bring the array up to date; return whether it still exists."""
        array = self.array()
        if array is not None:
            array[self.rows] = self.make(enabled)
        return array is not None


class Switches:
    """Which parts of a set are switched on, and the arrays and methods that depend on it.

    Args:
        count: The number of parts.

    Attributes:
        enabled: Whether each part is there, shape (count,), bool.
    """

    def __init__(self, count: int) -> None:
        self.enabled = np.ones(count, bool)
        self._held: list[Held] = []
        self._followers: list[weakref.WeakMethod[Callable[[], None]]] = []

    def __getstate__(self) -> Array:
        """Copy the state alone: a copy updates no arrays and calls no methods."""
        return self.enabled

    def __setstate__(self, enabled: Array) -> None:
        self.__init__(len(enabled))  # type: ignore[misc]
        self.enabled[:] = enabled

    def hold(self, array: Array, part: Array, off: Any, rows: slice = slice(None)) -> Array:
        """Keep an array up to date as long as it exists, and return it.

        Args:
            array: The array that kernels read where all parts are there.
            part: The part of each row, shape (k,).
            off: The value that they read for a part that is not there.
            rows: The rows that are meant.
        """
        values = array[rows].copy()
        return self.keep(array, lambda enabled: np.where(enabled[part], values, off), rows)

    def keep(self, array: Array, make: Callable[[Array], Array], rows: slice = slice(None)) -> Array:
        """Keep an array up to date as long as it exists, and return it.

        Args:
            array: What kernels read. `make` must not refer to it.
            make: What its rows hold, given the flags of the parts that are there.
            rows: The rows that are meant.
        """
        self._held = [each for each in self._held if each.array() is not None]
        self._held.append(Held(weakref.ref(array), rows, make))
        self._held[-1].update(self.enabled)
        return array

    def follow(self, follower: Callable[[], None]) -> None:
        """Call a method whenever parts are switched, as long as its object exists."""
        self._followers.append(weakref.WeakMethod(follower))

    def set(self, enabled: Array) -> None:
        """Switch all parts, shape (count,), bool."""
        if np.array_equal(enabled, self.enabled):
            return
        self.enabled[:] = enabled
        self._held = [each for each in self._held if each.update(self.enabled)]
        self._followers = [each for each in self._followers if each() is not None]
        for each in self._followers:
            if follower := each():
                follower()


def as_parts(parts: Any, count: int) -> Any:
    """Parts of a set: None for all, a number, several, or a flag for each."""
    if parts is None:
        return slice(None)
    selection = np.asarray(parts)
    if selection.size == 0 and selection.ndim == 1:
        return np.zeros(0, np.int64)
    if selection.dtype == bool:
        if selection.shape != (count,):
            raise ValueError(f"parts must be numbers, or flags of shape ({count},), got shape {selection.shape}")
        return selection
    if not np.issubdtype(selection.dtype, np.integer):
        raise TypeError(f"parts must be whole numbers or flags, got {brief(parts)}")
    wrong = (selection < 0) | (selection >= count)
    if wrong.any():
        raise ValueError(f"parts must be from 0 to {count - 1}, got {selection[wrong].ravel()[0]}")
    return selection

"""Pinned memory: arrays that no other code can move or reinterpret, for plans that are bound to their addresses.

Code with access to an array may change its type and shape in place, and `resize` may free the memory that other arrays share.
What a view refuses is possible on its `base`. An array of pinned memory does not own this memory, so it can't be resized; and
its base is no array. To be safe from changes of type and shape, give other code views of one `array()`, and use another one.
"""

from typing import Any

import numpy as np

from steersman.core.typing import Array


class Pinned:
    """Memory that arrays of one shape and type share, none of which owns it.

    Args:
        array: The initial values; no other code may have a reference to this array or its base.
    """

    __slots__ = ("_array",)

    def __init__(self, array: Array) -> None:
        self._array = array

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The description of the memory from which NumPy makes arrays."""
        return self._array.__array_interface__

    def array(self) -> Array:
        """Another array of this memory."""
        return np.asarray(self)


def pinned_zeros(shape: tuple[int, ...], dtype: Any) -> Array:
    """An array of zeros that cannot be resized."""
    return Pinned(np.zeros(shape, dtype)).array()

"""Arrays of the host and their copies on the device.

The calls of a plan hold arrays that are parts of larger ones: a column of a block, a component of a path. Each largest array
has one copy on the device, and each part is the same part of the copy. So two calls that share an array share it there, too.
"""

from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.gpu.device import SIMULATED, copy_in, copy_out, cuda, wait


def root_of(array: Array) -> Array:
    """The array that an array is a part of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def place_of(array: Array) -> int:
    """The address of an array of the host."""
    address: int = array.__array_interface__["data"][0]
    return address


class Mirror:
    """The copies of arrays on the device.

    Args:
        stream: The stream in whose order arrays are copied.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._copies: dict[int, tuple[Array, Any]] = {}
        self._copied: dict[int, Array] = {}
        self._instead: dict[int, Array] = {}

    def replace(self, array: Array, by: Array) -> None:
        """Let all parts of an array be the same parts of another one, of the same shape."""
        self._instead[place_of(array)] = by

    def of(self, value: Any) -> Any:
        """An argument of a call as the device takes it: arrays are replaced by their copies, in tuples, too."""
        if isinstance(value, np.ndarray):
            there = self._instead_of(value)
            return there if SIMULATED else self._part(there)
        if isinstance(value, tuple):
            parts = [self.of(each) for each in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return value

    def _instead_of(self, array: Array) -> Array:
        """The array, or the same part of what its root is replaced by."""
        root = root_of(array)
        by = self._instead.get(place_of(root))
        if by is None or array.size == 0:
            return array
        row, column = np.unravel_index((place_of(array) - place_of(root)) // root.itemsize, root.shape)
        rows, columns = (1, *array.shape)[-2:]
        part = by[row : row + rows, column : column + columns]
        return part[0] if array.ndim == 1 else part

    def _part(self, array: Array) -> Any:
        """The part of a copy that is the copy of an array."""
        from numba.cuda.cudadrv import devicearray

        made: Any = devicearray.DeviceNDArray
        _, copy = self._copy(array)
        if array.size == 0:
            return made(array.shape, array.strides, array.dtype, gpu_data=copy.gpu_data)
        first = place_of(array) - place_of(root_of(array))
        spans = ((size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True))
        end = first + array.dtype.itemsize + sum(spans)
        return made(array.shape, array.strides, array.dtype, gpu_data=copy.gpu_data.view(first, end))

    def _copy(self, array: Array) -> tuple[Array, Any]:
        """The largest array that an array is a part of, and its copy."""
        root = root_of(array)
        key = place_of(root)
        if key not in self._copies or self._copies[key][0].nbytes < root.nbytes:
            if not (root.flags.c_contiguous or root.flags.f_contiguous):
                raise ValueError(f"an array of shape {root.shape} has gaps in memory")
            self._copies[key] = (root, cuda.to_device(_bytes(root)))
        return self._copies[key]

    def send(self, array: Array) -> None:
        """Copy an array, with all that it is a part of, to the device."""
        if not SIMULATED:
            root, copy = self._copy(array)
            copy_in(copy, root, self._stream)

    def fetch(self, array: Array) -> None:
        """Copy an array, with all that it is a part of, from the device."""
        if not SIMULATED:
            root, copy = self._copy(array)
            copy_out(root, copy, self._stream)

    def watch(self, own: list[Array]) -> None:
        """From now on, `send_changed` copies arrays that the program has changed: all that the device has only read so far.

        To be called after all launches have been made once. Arrays that are no longer as on the host are scratch.

        Args:
            own: Arrays that need no watching.
        """
        places = {place_of(root_of(each)) for each in own}
        for key, (root, copy) in self._copies.items():
            if key not in places:
                there = np.empty_like(_bytes(root))
                copy_out(there, copy, self._stream)
                wait(self._stream)
                if np.array_equal(there, _bytes(root)):
                    self._copied[key] = there

    def send_changed(self) -> None:
        """Copy the watched arrays that the program has changed: a target has moved, say."""
        for key, previous in self._copied.items():
            root, copy = self._copies[key]
            now = _bytes(root)
            if not np.array_equal(_words(now), _words(previous)):
                previous[...] = now
                copy_in(copy, root, self._stream)


def _bytes(root: Array) -> Array:
    """The bytes of an array without gaps; at least one."""
    if root.size == 0:
        return np.zeros(1, np.uint8)
    return np.asarray(root).reshape(-1, order="A").view(np.uint8)


def _words(flat: Array) -> Array:
    """Bytes in words of eight, where there are no others: they are compared eight times as fast."""
    return flat.view(np.uint64) if flat.size % 8 == 0 else flat

"""A column of vehicles in the memory of the device, for other libraries: DLPack, and the CUDA array interface."""

import ctypes
import itertools
from typing import Any, Final

import numpy as np

from steersman.gpu.device import SIMULATED, address_of, stream_of, wait

KIND: Final = 1 if SIMULATED else 2
"""The kind of device in DLPack: CUDA; the memory of the simulated device is that of the host."""

FLOAT: Final = 2
"""The code of floating-point numbers in DLPack."""

NAME: Final = b"dltensor"


class DLTensor(ctypes.Structure):
    """DLTensor of DLPack 0.8."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class DLManagedTensor(ctypes.Structure):
    """DLManagedTensor of DLPack 0.8."""

    _fields_ = (("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


LENT: dict[int, tuple[Any, ...]] = {}
"""The number of a lent tensor -> all that has to live until its deleter is called."""

_numbers = itertools.count(1)


DELETER: Any = ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))
DESTRUCTOR: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # Not `py_object`: the capsule that ends may not be counted.


def _give_back(managed: Any) -> None:
    """The deleter."""
    LENT.pop(managed.contents.context, None)


_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)


def _drop(capsule: Any) -> None:
    """The destructor of a capsule: a tensor that no library has taken is given back."""
    if _is_valid(capsule, NAME):
        _give_back(ctypes.cast(_pointer(capsule, NAME), ctypes.POINTER(DLManagedTensor)))


_deleter, _destructor = DELETER(_give_back), DESTRUCTOR(_drop)


class DeviceColumn:
    """A column in the memory of the device, shape (n,) or (n, d), without a copy; other libraries may read and write it.

    Args:
        part: The components of the column on the device, shape (d, n).
        flat: Whether the column has one number for each vehicle, so that its shape is (n,).
        stream: The stream of the steps.

    Attributes:
        shape: Its shape.
        dtype: np.float32.
    """

    def __init__(self, part: Any, flat: bool, stream: Any) -> None:
        self._part, self._stream = part, stream
        (d, n), (component, row) = part.shape, part.strides
        self.shape: tuple[int, ...] = (n,) if flat else (n, d)
        self.dtype = np.dtype(part.dtype)
        self._strides = (row,) if flat else (row, component)

    def __repr__(self) -> str:
        return f"DeviceColumn(shape={self.shape}, dtype={self.dtype})"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The CUDA array interface, version 3."""
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self._strides,
            "typestr": self.dtype.str,
            "data": (address_of(self._part), False),
            "stream": None if SIMULATED else int(stream_of(self._stream)) or None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of device and its number, as DLPack counts them."""
        return (KIND, 0)

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        """A capsule of DLPack. All steps that have been started are done by then, on whatever stream it is read."""
        wait(self._stream)
        size, number = len(self.shape), next(_numbers)
        numbers = ctypes.c_int64 * size
        shape, strides = numbers(*self.shape), numbers(*(each // self.dtype.itemsize for each in self._strides))
        tensor = DLTensor(
            address_of(self._part), KIND, 0, size, FLOAT, 8 * self.dtype.itemsize, 1, shape, strides, 0,
        )  # fmt: skip
        managed = DLManagedTensor(tensor, number, ctypes.cast(_deleter, ctypes.c_void_p))
        LENT[number] = (managed, shape, strides, self._part)
        return _capsule(ctypes.addressof(managed), NAME, ctypes.cast(_destructor, ctypes.c_void_p))

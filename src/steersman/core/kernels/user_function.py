"""Functions of a user as kernels, with the values that their globals have when the kernel is made.

Numba reads globals once, when it compiles, which may be long after the user passed the function. Here they are copied at
once. When a user changes a global number in a notebook and makes the behavior anew, the result is another kernel.
"""

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from steersman.core.kernels.cache import content_of, reached
from steersman.core.kernels.kernel import kernel

MADE: dict[bytes, Any] = {}
"""Content of a function -> its kernel."""


def user_kernel(function: Callable[..., Any]) -> Any:
    """A function of the user as a kernel; plain functions that it calls are compiled with it.

    Functions of equal content (see `cache.content_of`) give the same kernel; a changed global gives another one.
    """
    if not isinstance(function, FunctionType):
        return kernel(function)
    taken = _frozen(function, ())
    content = content_of(taken)
    if content not in MADE:
        MADE[content] = kernel(taken)
    return MADE[content]


def _frozen(function: FunctionType, within: tuple[FunctionType, ...]) -> FunctionType:
    """A copy of a function in which globals, closed-over values and arrays keep their present values.

    Args:
        function: The function.
        within: The functions that are being copied, which are not copied again if the function names them.
    """

    def held(value: Any) -> Any:
        if isinstance(value, FunctionType) and value is not function and value not in within:
            return kernel(_frozen(value, (*within, function)))
        return value.copy() if isinstance(value, np.ndarray) else value

    own = function.__globals__
    names = reached(function).keys() | {"__name__", "__builtins__"}
    about = {name: held(own[name]) for name in sorted(names) if name in own}
    cells = tuple(CellType(held(cell.cell_contents)) for cell in function.__closure__ or ())
    copy = FunctionType(function.__code__, about, function.__name__, function.__defaults__, cells)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy

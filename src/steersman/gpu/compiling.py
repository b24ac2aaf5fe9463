"""How kernels of the core are compiled for the device: as they stand, from their Python source."""

from collections.abc import Callable, Iterable
from types import CellType, FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir

from steersman.core.kernels.kernel import KERNELS
from steersman.gpu.device import SIMULATED, cuda


def _rounding(name: str) -> Any:
    """The lowering of a function of NumPy that rounds floats, which numba-cuda lacks: a function of CUDA's own library."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (number,) = arguments
        named = f"__nv_{name}{'f' if isinstance(number.type, ir.FloatType) else ''}"
        function = builder.module.globals.get(named)
        if function is None:
            function = ir.Function(builder.module, ir.FunctionType(number.type, [number.type]), named)
        return builder.call(function, [number])

    return lower


if not SIMULATED:
    from numba.cuda import ufuncs

    for _ufunc, _name in ((np.floor, "floor"), (np.ceil, "ceil"), (np.rint, "rint"), (np.trunc, "trunc")):
        ufuncs.ufunc_db().setdefault(_ufunc, {"f->f": _rounding(_name), "d->d": _rounding(_name)})

Function = TypeVar("Function", bound=Callable[..., Any])


def helper(function: Function) -> Function:
    """Decorator: a function that kernels of the device call; it becomes a part of them."""
    made: Function = cuda.jit(device=True, **({} if SIMULATED else {"forceinline": True}))(function)
    return made


def entry(function: Callable[..., Any], registers: int | None = None) -> Any:
    """Decorator: a kernel that the host starts, of threads with at most so many registers."""
    return cuda.jit(**({"max_registers": registers} if registers and not SIMULATED else {}))(function)


DEVICE: dict[Any, Any] = {}
"""Function of the core -> function of the device."""


def is_kernel(value: Any) -> bool:
    """Whether an object is a kernel of the core."""
    return hasattr(value, "py_func") and any(value is each for each in KERNELS)


def device_function(kernel: Any) -> Any:
    """The function of the device made from a kernel of the core, and from those that it calls."""
    if SIMULATED:
        return getattr(kernel, "py_func", kernel)
    source = kernel.py_func
    if source not in DEVICE:
        cells = tuple(CellType() for _ in source.__closure__ or ())
        names = dict(source.__globals__)
        own = FunctionType(source.__code__, names, source.__name__, source.__defaults__, cells or None)
        DEVICE[source] = helper(own)
        for name in source.__code__.co_names:
            if is_kernel(names.get(name)):
                names[name] = device_function(names[name])
            elif isinstance(names.get(name), ModuleType):
                names[name] = _on_device(names[name], source.__code__.co_names)
        for cell, original in zip(cells, source.__closure__ or (), strict=True):
            held = original.cell_contents
            cell.cell_contents = device_function(held) if is_kernel(held) else held
    return DEVICE[source]


def _on_device(module: ModuleType, named: Iterable[str]) -> ModuleType:
    """A module of the core with kernels of the device, as far as a function names them; another module as it is."""
    own = {name: getattr(module, name) for name in named if is_kernel(getattr(module, name, None))}
    if not own:
        return module
    there = ModuleType(module.__name__)
    vars(there).update(vars(module) | {name: device_function(kernel) for name, kernel in own.items()})
    return there

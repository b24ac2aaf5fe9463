"""Kernels with numbers per row: where a kernel takes one number for all rows, it can take one for each.

A kernel is called for the rows start <= i < stop with the same arguments. Where one of these is `Rows`, or a tuple that
holds some at any depth, `per_row` makes a loop in machine code around the kernel. The loop calls the kernel for one row after
the other, each time with the values of that row. A kernel without such arguments is called without a loop. A kernel that
sets the flag of a gate (`row_kernel(some=True)`) sets it if any of these calls does.
"""

from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.typing import Array

NEXT = np.uint64(1)


class Rows:
    """An argument with a value for each row.

    Attributes:
        array: A number or an array for each row, shape (capacity, ...).
    """

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array = array


def holds(values: tuple[Any, ...], kind: type) -> bool:
    """Whether a tuple holds a value of this type, at any depth of tuples."""
    for each in values:
        if type(each) is np.ndarray:  # As most are: this is the fastest test.
            continue
        if isinstance(each, tuple):
            if holds(each, kind):
                return True
        elif isinstance(each, kind):
            return True
    return False


def per_row(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The kernel with a loop around it, and its arguments with arrays in place of Rows.

    Args:
        function: The kernel.
        arguments: Its arguments, of which some hold Rows.
    """
    classes: list[type] = []
    taken = [_at_row(value, f"a{k}", classes) for k, value in enumerate(arguments)]
    text = ", ".join(each for each, _ in taken)
    return _loop(function, len(arguments), text, tuple(classes)), tuple(plain for _, plain in taken)


def _at_row(value: Any, at: str, classes: list[type]) -> tuple[str, Any]:
    """The text of an expression for the value of row i, and the argument without Rows.

    Args:
        value: The argument.
        at: The text of an expression for the argument.
        classes: Takes the NamedTuple classes that the text names, as Kind0, Kind1, ...
    """
    if isinstance(value, Rows):
        return f"{at}[i]", value.array
    if not (isinstance(value, tuple) and holds(value, Rows)):
        return at, value
    parts = [_at_row(each, f"{at}[{k}]", classes) for k, each in enumerate(value)]
    inner = ", ".join(each for each, _ in parts)
    if not hasattr(value, "_fields"):
        return f"({inner},)", tuple(plain for _, plain in parts)
    classes.append(type(value))
    return f"Kind{len(classes) - 1}({inner})", tuple(plain for _, plain in parts)


@cache
def _loop(function: Any, count: int, text: str, classes: tuple[type, ...]) -> Any:
    """The loop around a kernel, for so many arguments; `text` is those of the call of the kernel for row i."""
    arguments = ", ".join(f"a{k}" for k in range(count))
    made: dict[str, Any] = {}
    own = getattr(function, "py_func", function)
    lines = [f"def rows(start, stop, {arguments}):", " for i in range(start, stop):", f"  each(i, i + NEXT, {text})"]
    parameters = own.__code__.co_varnames[2 : own.__code__.co_argcount]
    if "some" in parameters:  # One flag for all rows, not one each.
        flags = f"a{parameters.index('some')}"
        lines[1:1] = [" found = uint8(0)"]
        lines += [f"  found |= {flags}[i]", f" {flags}[start] = found"]
    exec("\n".join(lines), made)
    names = {"each": function, "NEXT": NEXT, "uint8": np.uint8, "__name__": own.__module__}
    rows = FunctionType(
        made["rows"].__code__, names | {f"Kind{k}": each for k, each in enumerate(classes)}, own.__name__
    )
    rows.__qualname__, rows.__doc__ = f"{own.__qualname__}.per_row", own.__doc__
    return kernel(rows)

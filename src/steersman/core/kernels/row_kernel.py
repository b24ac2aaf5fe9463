"""Kernels that are written as the law of one row.

Most kernels go through rows and skip those that are not asked. `row_kernel` writes this loop, so that the function below it
is the law alone: its first parameter is the row, and `return` ends the row. The lines of the law become lines of the loop
before anything is typed: the same machine code, and the lines in error messages, are as if the loop stood around them.
"""

from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from steersman.core.kernels.kernel import kernel

MASKS = {"out": ".active", "truth": ".active", "active": ""}
"""Parameter -> where it flags the rows that are asked; a law without such a parameter holds for every row."""


def row_kernel(law: Callable[..., None]) -> Any:
    """Make a kernel `(start, stop, *arguments)` of a law `(i, *arguments)` of row i, for the rows that are asked."""
    own = law.__code__
    names = own.co_varnames[1 : own.co_argcount]
    flags = next((f"a{names.index(name)}{where}" for name, where in MASKS.items() if name in names), "")
    code = _loop(len(names), flags).replace(
        co_varnames=("start", "stop", *names, "i"),
        co_filename=own.co_filename,
        co_firstlineno=own.co_firstlineno,
    )
    rows = FunctionType(code, {"law": kernel(row=True)(law), "__name__": law.__module__}, law.__name__)
    rows.__qualname__, rows.__doc__ = law.__qualname__, law.__doc__
    return kernel(rows)


@cache
def _loop(count: int, flags: str) -> CodeType:
    """The code of the loop for laws of so many arguments. One serves many laws, for compiling it takes time."""
    given = ", ".join(f"a{k}" for k in range(count))
    asked = f"if {flags}[i]: " if flags else ""
    made: dict[str, Any] = {}
    exec(f"def rows(start, stop, {given}):\n for i in range(start, stop):\n  {asked}law(i, {given})", made)
    code: CodeType = made["rows"].__code__
    return code

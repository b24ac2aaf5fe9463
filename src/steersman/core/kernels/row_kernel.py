"""Kernels that are written as the law of one row.

Most kernels go through rows and skip those that are not asked. `row_kernel` writes this loop, so that the function below it
is the law alone: its first parameter is the row, and `return` ends the row. The lines of the law become lines of the loop
before anything is typed: the same machine code, and the lines in error messages, are as if the loop stood around them.
"""

from collections.abc import Callable
from functools import cache, partial
from types import CodeType, FunctionType
from typing import Any, overload

import numpy as np

from steersman.core.kernels.kernel import kernel

MASKS = {"out": ".active", "truth": ".active", "active": ""}
"""Parameter -> its attribute with the flags of the rows that are asked. A law without such a parameter is for every row."""


@overload
def row_kernel(law: Callable[..., Any]) -> Any: ...
@overload
def row_kernel(
    *, every: bool = ..., exact: bool = ..., once: Callable[..., Any] | None = ..., some: bool = ...
) -> Callable[[Callable[..., Any]], Any]: ...
def row_kernel(
    law: Callable[..., Any] | None = None, *, every: bool = False, exact: bool = False,
    once: Callable[..., Any] | None = None, some: bool = False,
) -> Any:  # fmt: skip
    """Make a kernel `(start, stop, *arguments)` of a law `(i, *arguments)` of row i, for the rows that are asked.

    Args:
        law: The law.
        every: The law is called for every row, asked or not.
        exact: Compile without any fast-math flag (see `kernel`).
        once: A kernel `(*arguments)` that computes what all rows share. It is called once before the loop, and its value is
            passed to the law after the arguments.
        some: The law returns whether a later call is needed for the row. The kernel has one more argument, the last: flags of
            a gate (see `flags_of`). It sets the flag of its first row if the law returned true for any row, and else clears
            that flag.
    """
    if law is None:
        return partial(row_kernel, every=every, exact=exact, once=once, some=some)
    own = law.__code__
    names = own.co_varnames[1 : own.co_argcount - (once is not None)]
    mask = "" if every else next((f"a{names.index(name)}{at}" for name, at in MASKS.items() if name in names), "")
    code = _loop(len(names), mask, once is not None, some)
    code = code.replace(
        co_varnames=("start", "stop", *names, *code.co_varnames[2 + len(names) :]),
        co_filename=own.co_filename,
        co_firstlineno=own.co_firstlineno,
    )
    used = {"law": kernel(row=True, exact=exact)(law), "once": once, "uint8": np.uint8, "__name__": law.__module__}
    rows = FunctionType(code, used, law.__name__)
    rows.__qualname__, rows.__doc__ = law.__qualname__, law.__doc__
    return kernel(exact=exact)(rows)


@cache
def _loop(count: int, mask: str, once: bool, some: bool) -> CodeType:
    """The code of the loop for laws of so many arguments; kept, because making it takes time and one serves many laws."""
    arguments = ", ".join(f"a{k}" for k in range(count))
    lines = [f"def rows(start, stop, {arguments}{', some' * some}):"]
    lines += [f" shared = once({arguments})"] * once
    lines += [" found = uint8(0)"] * some
    lines += [" for i in range(start, stop):"]
    law = f"law(i, {arguments}{', shared' * once})"
    lines += [f"  {f'if {mask}[i]: ' * bool(mask)}{f'found |= uint8({law})' if some else law}"]
    lines += [" some[start] = found"] * some
    made: dict[str, Any] = {}
    exec("\n".join(lines), made)
    code: CodeType = made["rows"].__code__
    return code

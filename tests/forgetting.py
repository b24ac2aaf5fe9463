"""Kernels forgotten, so that a test sees what loads them: those of other tests are in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from steersman.core.kernels.compiler import Entry, Kernel
from steersman.core.kernels.kernel import ENTRY_POINTS, KERNELS


@contextmanager
def forgotten_kernels() -> Iterator[None]:
    """While inside, no kernel is in memory that was not asked for inside; they are still in the cache."""
    known, overloads = dict(ENTRY_POINTS), {each: dict(each.overloads) for each in kernels()}
    ENTRY_POINTS.clear()
    for each in overloads:
        each._reset_overloads()
    try:
        yield
    finally:
        ENTRY_POINTS.clear()
        ENTRY_POINTS.update(known)
        for each, before in overloads.items():
            for compiled in before.values():
                if compiled.signature.args not in each.overloads:
                    each.add_overload(compiled)


def kernels() -> list[Any]:
    return [each for each in KERNELS if isinstance(each, Kernel)]


@contextmanager
def nothing_compiles() -> Iterator[list[str]]:
    """While inside, whatever has to be compiled, or read from the cache, is noted and raises an error."""
    late: list[str] = []

    def compile(self: Any, sig: Any) -> Any:
        if (found := self.overloads.get(tuple(sig))) is not None:
            return found.entry_point
        late.append(self.py_func.__name__)
        raise AssertionError(f"{self.py_func.__name__} is compiled after the warmup")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Entry, "compile", compile)
        yield late

"""Announcements of compilation, so that a program can tell its user why the first step takes seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from steersman.core.kernels.internals import EVENT

COMPILING = "numba:compile"


def is_terminal() -> bool:
    """Whether the error output is a terminal. A program without a console has no error output at all."""
    return sys.stderr is not None and sys.stderr.isatty()


class Watcher(EVENT.Listener):  # type: ignore[misc]
    """A listener that is told of every kernel that this or another process compiles, but not of kernels in the cache.

    A helper counts as part of the kernel for which it is compiled.

    Args:
        begins: Called before a kernel is compiled, with its name, its number and the number of kernels (as far as known).
        done: Called after a kernel was compiled, with its name and the time that it took [s].
    """

    def __init__(
        self,
        begins: Callable[[str, int, int], None] | None = None,
        done: Callable[[str, float], None] | None = None,
    ) -> None:
        self.begins, self.done = begins, done
        self.depth = self.count = 0
        self.planned = False
        self.began = 0.0

    def on_start(self, event: Any) -> None:
        """Note that a kernel, or a helper of the kernel being compiled, is about to be compiled."""
        if self.depth == 0:
            self.began = time.perf_counter()
            if not self.planned:
                self.count += 1
                self.tell(_name(event), self.count, self.count)
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """Note that the kernel or helper has been compiled."""
        self.depth -= 1
        if self.depth == 0 and self.done is not None:
            self.done(_name(event), time.perf_counter() - self.began)

    def tell(self, name: str, number: int, count: int) -> None:
        """Announce a kernel that is about to be compiled."""
        if self.begins is not None:
            self.begins(name, number, count)


def _name(event: Any) -> str:
    name: str = event.data["dispatcher"].py_func.__name__
    return name


WATCHERS: list[Watcher] = []
"""The watchers that are registered now."""


@contextmanager
def watched_compilation(
    *, begins: Callable[[str, int, int], None] | None = None, done: Callable[[str, float], None] | None = None
) -> Iterator[None]:
    """While inside, call functions for every kernel that has to be compiled.

    Args:
        begins: Called before, with the kernel's name, its number and the number of kernels, as far as known.
        done: Called after, with the kernel's name and the time that it took [s].
    """
    watcher = Watcher(begins, done)
    WATCHERS.append(watcher)
    EVENT.register(COMPILING, watcher)
    try:
        yield
    finally:
        EVENT.unregister(COMPILING, watcher)
        WATCHERS.remove(watcher)


def tell_compiling(name: str, number: int, count: int) -> None:
    """Tell all watchers that a kernel of a known number is about to be compiled; without watchers, print it on a terminal.

    Args:
        name: The kernel; empty when all are done.
        number: The number of the kernel, from 1.
        count: The number of kernels.
    """
    for watcher in WATCHERS:
        watcher.planned = bool(name)
        if name:
            watcher.tell(name, number, count)
    if not WATCHERS and is_terminal():
        line = f"steersman: compiling kernel {number} of {count}, {name} (once only) ..." if name else ""
        print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)


def tell_compiled(name: str, seconds: float) -> None:
    """Tell all watchers that another process has compiled a kernel."""
    for watcher in WATCHERS:
        if watcher.done is not None:
            watcher.done(name, seconds)

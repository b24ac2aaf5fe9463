"""Compilation, announced: a program can tell its user why the first step takes seconds."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

COMPILING = "numba:compile"


class _Announcer(event.Listener):
    """Calls a function at the first compilation."""

    def __init__(self, announce: Callable[[], None]) -> None:
        self.announce: Callable[[], None] | None = announce

    def on_start(self, event: Any) -> None:
        """A kernel is about to be compiled; one that is in the cache never gets here."""
        announce, self.announce = self.announce, None
        if announce is not None:
            announce()

    def on_end(self, event: Any) -> None:
        """A kernel has been compiled."""


@contextmanager
def announced_compilation(announce: Callable[[], None]) -> Iterator[None]:
    """While inside, call a function before the first kernel that has to be compiled, and not for those in the cache.

    Args:
        announce: Called at most once.
    """
    numba_event: Any = event
    listener = _Announcer(announce)
    numba_event.register(COMPILING, listener)
    try:
        yield
    finally:
        numba_event.unregister(COMPILING, listener)


class _Watcher(event.Listener):
    """Calls a function after every kernel; helpers are part of the kernel that they are compiled for."""

    def __init__(self, done: Callable[[str, float], None]) -> None:
        self.done = done
        self.depth = 0
        self.began = 0.0

    def on_start(self, event: Any) -> None:
        """A kernel, or a helper of one, is about to be compiled."""
        if self.depth == 0:
            self.began = time.perf_counter()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """It has been compiled."""
        self.depth -= 1
        if self.depth == 0:
            self.done(event.data["dispatcher"].py_func.__name__, time.perf_counter() - self.began)


@contextmanager
def watched_compilation(done: Callable[[str, float], None]) -> Iterator[None]:
    """While inside, call a function after every kernel that had to be compiled.

    Args:
        done: Called with the kernel's name, and how long it took [s].
    """
    numba_event: Any = event
    watcher = _Watcher(done)
    numba_event.register(COMPILING, watcher)
    try:
        yield
    finally:
        numba_event.unregister(COMPILING, watcher)

"""Compilation, announced: a program can tell its user why the first step takes seconds."""

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

"""A buffer between a world that goes on and a disk that may be slow: of bounded size, and nothing is lost in it."""

import threading
import time
from collections import deque
from typing import Any

from steersman.core.kernels.signals import deferred_signals

LIMIT = 64 * 2**20
"""So much may wait to be written [bytes] before the world waits for the disk."""

PAUSE = 0.001
"""Time between two looks at whether the disk has come after [s]."""


class Buffer:
    """Hands on what is put into it, in order, to one thread.

    Whoever puts things into it may be interrupted at any moment: Ctrl-C inside of a Condition would leave it locked for ever,
    so signals wait while it is locked, and waiting takes no lock.

    Args:
        limit: So much may be in it, or taken and not yet dealt with [bytes].

    Attributes:
        error: Why the thread has given up; None while all is well.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.error: BaseException | None = None
        self._items: deque[Any] = deque()
        self._changed = threading.Condition()
        self._open = 0  # Items that are not dealt with.
        self._size = 0

    def put(self, item: Any, size: int = 0) -> None:
        """Add something. It is in the buffer as soon as this is called; `wait` keeps the buffer small."""
        with deferred_signals(), self._changed:
            self._items.append(item)
            self._open += 1
            self._size += size
            self._changed.notify_all()

    def wait(self, *, empty: bool = False) -> None:
        """Wait until there is room again, or until all is dealt with; no longer when the thread has given up."""
        while self.error is None and (self._open if empty else self._size > self.limit):
            time.sleep(PAUSE)

    def take(self) -> Any:
        """The next thing, when there is one."""
        with self._changed:
            while not self._items:
                self._changed.wait()
            return self._items.popleft()

    def done(self, items: int, size: int) -> None:
        """So much is dealt with."""
        with self._changed:
            self._open -= items
            self._size -= size
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Nothing more will be taken."""
        with self._changed:
            self.error = error
            self._items.clear()
            self._changed.notify_all()

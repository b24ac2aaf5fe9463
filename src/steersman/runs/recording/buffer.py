"""A buffer between a running world and a disk that may be slow: of bounded size, and without loss."""

import threading
import time
from collections import deque
from typing import Any

from steersman.core.kernels.signals import deferred_signals

LIMIT = 64 * 2**20
"""Largest amount of data that waits to be written [bytes]; beyond it the world waits for the disk."""

PAUSE = 0.001
"""Time between two checks whether the disk has caught up [s]."""


class Buffer:
    """A queue of items for one thread, in order.

    The thread that puts items into it may be interrupted at any moment: Ctrl-C inside of a Condition would leave it locked
    for ever, so signals wait while it is locked, and waiting takes no lock.

    Args:
        limit: Largest size of the items that are queued or being processed [bytes].

    Attributes:
        error: The error that stopped the thread; None without an error.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.error: BaseException | None = None
        self._items: deque[Any] = deque()
        self._changed = threading.Condition()
        self._open = 0  # Items that are not dealt with.
        self._size = 0

    def put(self, item: Any, size: int = 0) -> None:
        """Add an item at once, at any size; `wait` keeps the buffer small."""
        with deferred_signals(), self._changed:
            self._items.append(item)
            self._open += 1
            self._size += size
            self._changed.notify_all()

    def wait(self, *, empty: bool = False) -> None:
        """Wait until there is room again, or until the buffer is empty; returns early if the thread has stopped."""
        while self.error is None and (self._open if empty else self._size > self.limit):
            time.sleep(PAUSE)

    def take(self) -> Any:
        """The next item; waits for one."""
        with self._changed:
            while not self._items:
                self._changed.wait()
            return self._items.popleft()

    def done(self, items: int, size: int) -> None:
        """Note that so many items of this size are processed."""
        with self._changed:
            self._open -= items
            self._size -= size
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Stop: no more items will be taken."""
        with self._changed:
            self.error = error
            self._items.clear()
            self._changed.notify_all()

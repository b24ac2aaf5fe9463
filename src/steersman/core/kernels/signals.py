"""Signals that wait: work that must not be interrupted is finished before Ctrl-C is handled."""

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import starmap
from operator import call
from types import FrameType
from typing import Any

Action = tuple[Any, ...]
"""A function and all of its arguments."""

run: Callable[[Iterable[Any]], None] = deque[Any](maxlen=0).extend
"""Exhausts an iterator in one instruction of Python. (A deque of length 0 discards all values.)

Python handles signals when it returns from a call, begins a function or repeats a loop. So an iterator that only calls
machine code and functions in C runs completely or not at all.
"""


def at_once(actions: Iterable[Action]) -> None:
    """Call several functions; if they are machine code or functions in C, no signal is handled between them."""
    run(starmap(call, actions))


@contextmanager
def deferred_signals() -> Iterator[None]:
    """While inside, signals that Python would handle wait; afterwards they are handled as usual, in their order.

    Only the main thread handles signals, so in other threads this does nothing. It may be nested.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        waiting.append(number)

    handlers: dict[int, Any] = {}
    try:
        for number in HANDLED:
            handler = GET(number)
            if callable(handler):
                handlers[number] = handler
                SET(number, wait)
        yield
    finally:
        run(starmap(SET, handlers.items()))  # In one instruction: no signal is handled in between, or lost.
        with ExitStack() as delivered:  # It delivers all of them, even if a handler raises an exception.
            for number in reversed(waiting):
                delivered.callback(signal.raise_signal, number)


SET: Callable[[int, Any], Any] = getattr(signal.signal, "__wrapped__", signal.signal)
GET: Callable[[int], Any] = getattr(signal.getsignal, "__wrapped__", signal.getsignal)
"""The C functions under those of `signal`, which are written in Python and can be interrupted."""

HANDLED = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGBREAK")
    if hasattr(signal, name)
]
"""The signals that programs give handlers to."""

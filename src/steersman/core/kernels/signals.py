"""Signals that wait: what must not be left half done is finished before Ctrl-C is heard."""

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
"""Goes through an iterator in one instruction. (What is told to keep nothing remembers nothing.)

Python hears signals when it comes back from a call, begins a function or goes round a loop. So what consists of nothing but
calls of machine code and of functions in C happens whole or not at all.
"""


def at_once(actions: Iterable[Action]) -> None:
    """Do several things; where they are machine code or functions in C, no signal is heard among them."""
    run(starmap(call, actions))


@contextmanager
def deferred_signals() -> Iterator[None]:
    """While inside, signals that Python would handle wait; afterwards they are handled as ever, in their order.

    Only the main thread hears signals, so elsewhere this does nothing. It may be nested.
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
        run(starmap(SET, handlers.items()))  # In one instruction: no signal is heard among them, or lost.
        with ExitStack() as heard:  # Every one of them, even if a handler raises.
            for number in reversed(waiting):
                heard.callback(signal.raise_signal, number)


SET: Callable[[int, Any], Any] = getattr(signal.signal, "__wrapped__", signal.signal)
GET: Callable[[int], Any] = getattr(signal.getsignal, "__wrapped__", signal.getsignal)
"""The functions in C below those of `signal`, which are Python and can be interrupted."""

HANDLED = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGBREAK")
    if hasattr(signal, name)
]
"""The signals that programs give handlers to."""

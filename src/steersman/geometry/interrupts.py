"""Signals that wait: what must not be left half done is finished before Ctrl-C is heard."""

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import starmap
from types import FrameType
from typing import Any


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
        deque(starmap(SET, handlers.items()), maxlen=0)  # In one instruction: no signal is heard among them, or lost.
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

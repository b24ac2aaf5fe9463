"""Signals that wait: what must not be left half done is finished before Ctrl-C is heard."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, wait)
        yield
    finally:
        with ExitStack() as heard:  # Every one of them, even if a handler raises.
            for number in reversed(waiting):
                heard.callback(signal.raise_signal, number)
            for number, handler in reversed(handlers.items()):
                signal.signal(number, handler)


HANDLED = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGBREAK")
    if hasattr(signal, name)
]
"""The signals that programs give handlers to."""

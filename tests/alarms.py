"""Interrupts for tests: one exception, raised by a signal wherever the program then is."""

import signal
import sys
from types import FrameType, TracebackType
from typing import Self

AGAIN = 0.01
"""Seconds after which an alarm that nobody heard sounds again."""


class Alarm:
    """Raises an exception once after each `set`, at any moment of whatever runs then.

    Python cannot raise in a finalizer or in a callback of its garbage collector: what is raised there is only reported.
    The alarm then sounds again, so that none is lost.
    """

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error
        self.armed = False

    def __enter__(self) -> Self:
        self.handler = signal.signal(signal.SIGALRM, self.sound)
        self.hook, sys.unraisablehook = sys.unraisablehook, self.unheard
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.handler)
        sys.unraisablehook = self.hook

    def set(self, seconds: float) -> None:
        self.armed = True
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)

    def sound(self, number: int, frame: FrameType | None) -> None:
        if self.armed:
            self.armed = False
            raise self.error

    def unheard(self, swallowed: "sys.UnraisableHookArgs") -> None:
        if issubclass(swallowed.exc_type, self.error):
            self.armed = True
        else:
            self.hook(swallowed)

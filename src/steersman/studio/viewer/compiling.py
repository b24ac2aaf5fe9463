"""How far compilation is, as pages are told while a scenario opens."""

import time
from collections.abc import Callable


class Progress:
    """A function that is called before each kernel that is compiled.

    A scenario compiles some kernels one by one, and their number is not known before. Most of them it compiles by plans, of
    which the number is known, and so the time that is left.

    Args:
        say: Called with the number of a kernel, the number of all (0 where it is not known), and the time left [s], if known.

    Attributes:
        told: Kernels so far, of all plans.
    """

    def __init__(self, say: Callable[[int, int, float | None], None]) -> None:
        self.say = say
        self.told = self._planned = 0
        self._began = time.perf_counter()

    def __call__(self, name: str, number: int, count: int) -> None:
        """A kernel is about to be compiled: one of a plan of `count`, or one by itself, which is the last one known."""
        self.told += 1
        if number < count and self._planned != count:
            self._planned, self._began = count, time.perf_counter()
        if count != self._planned:
            return self.say(self.told, 0, None)
        done = number - 1
        self.say(number, count, (time.perf_counter() - self._began) / done * (count - done) if done else None)
        if number == count:
            self._planned = 0
        return None

"""The clock of a game: the time of each frame, with pause and slow motion, and without long steps after a hidden tab."""

import time
from collections.abc import Callable

from steersman.core.parameters.kinds import as_number


class FrameClock:
    """Gives the time that a game goes on in each frame.

        clock = FrameClock()
        while running:
            fraction = world.advance(clock.tick())  # or: controller.steer(dt) where (dt := clock.tick()) > 0

    Args:
        rate: How fast the game goes: 1 as time does, 0.25 for slow motion.
        longest: The most that one frame gives [s]. A window that was hidden, dragged or held by a debugger gives this, and
            not the minutes that have passed.
        now: Returns the time [s]. Default: that of the computer.

    Attributes:
        paused: Whether time stands still; `tick` gives 0 then.
        rate, longest: As above; they may be changed at any time.
    """

    def __init__(self, rate: float = 1.0, longest: float = 0.1, now: Callable[[], float] = time.perf_counter) -> None:
        self.rate = as_number("rate", rate, low=0)
        self.longest = as_number("longest", longest, above=0)
        self.paused = False
        self._now, self._last = now, now()

    def tick(self) -> float:
        """The time of the game since the last call [s], in [0, longest * rate]."""
        return self.scaled(self.elapsed())

    def elapsed(self) -> float:
        """The time of the computer since the last call [s], at most `longest`: for menus, which go on in a pause."""
        before, self._last = self._last, self._now()
        return min(max(self._last - before, 0.0), self.longest)

    def scaled(self, frame_time: float) -> float:
        """The time of the game in a frame whose time is known [s], as from `on_update(delta_time)` of arcade."""
        return 0.0 if self.paused else min(frame_time, self.longest) * self.rate

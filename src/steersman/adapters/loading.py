"""Loading: the kernels of a game are compiled or loaded in a thread, while its window shows a bar."""

import threading
from typing import Any

from steersman.core.world.controller import Controller
from steersman.core.world.warmup import warmup
from steersman.core.world.world import World


class Loading:
    """Makes worlds and Controllers ready in a thread; they must not be stepped until it is done.

        loading = Loading(world)
        while not loading.done:
            draw_bar(loading.fraction)
            pygame.display.flip()

    Args:
        scenes: The worlds and Controllers, ready to run.
        explain: Whether `sketch`, by which overlays are drawn, is made ready, too.

    Attributes:
        name: The kernel that is being compiled; "" before the first.
        number, count: Its number, from 1, and the number of all; 0 where all of them are in the cache.
    """

    def __init__(self, *scenes: World | Controller, explain: bool = False) -> None:
        self.name, self.number, self.count = "", 0, 0
        self._scenes, self._explain = scenes, explain
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="steersman loading", daemon=True)
        self._thread.start()

    @property
    def fraction(self) -> float:
        """The part of the kernels that is done, from 0 to 1."""
        if not self._thread.is_alive():
            return 1.0
        return (self.number - 1) / self.count if self.count else 0.0

    @property
    def done(self) -> bool:
        """Whether everything is ready.

        Raises:
            Exception: The one that `sm.warmup` has raised.
        """
        if self._thread.is_alive():
            return False
        if self._error is not None:
            raise self._error
        return True

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until everything is ready, or for so many seconds; return whether it is."""
        self._thread.join(seconds)
        return self.done

    def _run(self) -> None:
        try:
            warmup(*self._scenes, progress=None, explain=self._explain, each=self._begins)
        except BaseException as error:  # It is raised where the game asks whether all is ready.
            self._error = error

    def _begins(self, *progress: Any) -> None:
        name, number, count = progress
        self.name, self.number, self.count = name, max(number, self.number), max(count, self.count)

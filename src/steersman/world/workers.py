"""The library's own worker threads.

Compiled kernels release the interpreter lock, so plain threads run them in parallel. OpenMP's threads die in a forked
child, Numba's workqueue aborts when two threads step two worlds, and a ThreadPoolExecutor hangs after a fork; these
threads are made anew in a forked child, and a caller that finds them busy does the work by itself. Results never depend
on how the work was dealt out.
"""

import operator
import os
import threading
from collections.abc import Callable, Sequence

from steersman.geometry.brief import brief

Task = Callable[[], None]


class Worker(threading.Thread):
    """A thread that waits for one task at a time; `task` is None while it has none."""

    def __init__(self, number: int) -> None:
        super().__init__(name=f"steersman-{number}", daemon=True)
        self.wake, self.done = threading.Lock(), threading.Lock()
        self.wake.acquire()
        self.done.acquire()
        self.task: Task | None = None
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Do tasks for ever."""
        while True:
            self.wake.acquire()
            assert self.task is not None
            try:
                self.task()
            except BaseException as error:
                self.error = error
            self.task = None
            if self.done.locked():
                self.done.release()

    def wait(self) -> BaseException | None:
        """Wait until the task is done, whatever signals arrive meanwhile: it still writes to the caller's arrays.

        Returns:
            What a signal raised, KeyboardInterrupt say.
        """
        interrupt: BaseException | None = None
        while self.task is not None:
            try:
                self.done.acquire()
            except BaseException as error:
                interrupt = error
        return interrupt


class Workers:
    """The threads of this process, made when they are first needed."""

    def __init__(self) -> None:
        self.busy = threading.Lock()
        self.workers: list[Worker] = []

    def run(self, tasks: Sequence[Task]) -> None:
        """Do all tasks, the first in the calling thread, and return when all are done.

        Raises:
            BaseException: What the first failing task raised; all have ended by then.
        """
        if len(tasks) == 1 or not self.busy.acquire(blocking=False):
            for task in tasks:
                task()
            return
        try:
            self._share(tasks)
        finally:
            self.busy.release()

    def _share(self, tasks: Sequence[Task]) -> None:
        while len(self.workers) < len(tasks) - 1:
            self.workers.append(Worker(len(self.workers) + 1))
        helpers = self.workers[: len(tasks) - 1]
        failure: BaseException | None = None
        try:
            for helper, task in zip(helpers, tasks[1:], strict=True):
                helper.task = task
                helper.wake.release()
            tasks[0]()
        except BaseException as error:
            failure = error
        for helper in helpers:
            interrupt = helper.wait()
            failure, helper.error = failure or interrupt or helper.error, None
        if failure is not None:
            raise failure


WORKERS = Workers()


def _reset() -> None:
    """In a forked child the threads are gone, and their locks with them."""
    WORKERS.__init__()  # type: ignore[misc]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset)


MOST_THREADS = 1024
"""How many threads may be asked for."""


def thread_count(threads: int | None) -> int:
    """How many threads to use: the argument, else STEERSMAN_THREADS, else the processors of this process.

    Raises:
        ValueError: Not a whole number from 1 to MOST_THREADS.
    """
    given: object = threads
    source = "threads"
    if given is None:
        given, source = os.environ.get("STEERSMAN_THREADS"), "STEERSMAN_THREADS"
    if given is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        count = int(given) if isinstance(given, str) else operator.index(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        count = 0
    if count < 1 or isinstance(given, bool):
        raise ValueError(f"{source} must be a whole number >= 1, got {brief(given)}")
    if count > MOST_THREADS:
        raise ValueError(
            f"{source} must be <= {MOST_THREADS}, got {brief(given)}; more than there are processors gain nothing"
        )
    return int(count)

"""Kernels compiled ahead: several processes compile the kernels of a plan before its first call.

The plan is made once to find the missing kernels. This module then starts other `python` processes, which compile kernels of
this library and leave them in the cache folder. (These processes never import the caller's program, so that program needs no
`if __name__ == "__main__"`.) This process compiles the kernels that the others did not, or could not, compile.
"""

import base64
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from steersman.core.kernels.announcing import tell_compiled, tell_compiling
from steersman.core.kernels.cache import cache_folder
from steersman.core.kernels.internals import SERIALIZE
from steersman.core.kernels.kernel import COLLECTED, Missing, collecting
from steersman.core.kernels.thread_count import processors

Made = TypeVar("Made")

PROCESSES = "STEERSMAN_COMPILERS"
"""The environment variable with the number of processes that may compile at once; by default one a processor."""

WORTH = 6
"""The number of missing kernels for which one more process is started; a start takes as long as compiling four kernels."""

COMMAND = "from steersman.core.kernels.compile_worker import serve; serve()"


def ahead(make: Callable[[], Made]) -> Made:
    """Make a plan after all the kernels that it calls have been compiled.

    Args:
        make: Makes the plan; called a second time if anything had to be compiled. It may itself call `ahead` for parts.
    """
    if COLLECTED.missing is not None:
        return make()  # An outer call of `ahead` collects the missing kernels.
    with collecting() as missing:
        made = make()
    if not missing:
        return made
    compile_all(missing)
    return make()


def compile_all(missing: list[Missing]) -> None:
    """Compile kernels, in several processes if there are many (see `WORTH`)."""
    waiting, began = deque(missing), time.perf_counter()
    announced = 0

    def say(job: Missing) -> None:
        nonlocal announced
        announced += 1
        tell_compiling(job.name, announced, len(missing))

    helpers: list[_Process] = []
    try:
        with suppress(OSError):  # Where no process may be started, this process compiles all kernels.
            helpers.extend(_Process(waiting, say) for _ in range(_processes(len(missing)) - 1))
        while waiting:
            job = waiting.popleft()
            say(job)
            with suppress(Exception):  # The error is raised again when the plan asks for the kernel.
                job.compile()
        for helper in helpers:
            helper.thread.join()
    finally:
        for helper in helpers:
            helper.end()
        tell_compiling("", len(missing), len(missing))
    for helper in helpers:
        for job in helper.done:
            tell_compiled(job.name, time.perf_counter() - began)


def _processes(kernels: int) -> int:
    """The number of processes that compile a number of kernels."""
    named = os.environ.get(PROCESSES, "")
    most = int(named) if named.isdecimal() else processors()
    is_python = Path(sys.executable or "").stem.startswith("python") and not getattr(sys, "frozen", False)
    return max(1, min(most, kernels // WORTH)) if is_python and os.access(cache_folder().parent, os.W_OK) else 1


class _Process:
    """Another process that compiles kernels, and the thread of this process that communicates with it.

    It takes kernels from the end of the queue; this process takes them from the beginning.

    Args:
        waiting: The queue of missing kernels, shared by all processes.
        say: Called before a kernel is compiled.

    Attributes:
        done: The kernels that the other process has compiled.
    """

    def __init__(self, waiting: deque[Missing], say: Callable[[Missing], None]) -> None:
        self.waiting, self.say = waiting, say
        self.done: list[Missing] = []
        package = str(Path(__file__).parents[3])
        paths = os.pathsep.join(dict.fromkeys([package, *filter(None, sys.path)]))
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": paths, "PYTHONSAFEPATH": "1"},
        )
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        """Send one kernel after another to the process, until the queue is empty or the process fails."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError, ValueError, IndexError):
            self.process.stdout.readline()  # The line "ready".
            while self.waiting:
                job = self.waiting.pop()
                if not job.is_ours:
                    self.waiting.appendleft(job)
                    return
                self.say(job)
                self.process.stdin.write(base64.b64encode(SERIALIZE.dumps(job.named)) + b"\n")
                self.process.stdin.flush()
                if self.process.stdout.readline().strip() != b"done":
                    return
                self.done.append(job)

    def end(self) -> None:
        """Kill the process, even in the middle of its work."""
        self.process.kill()
        self.process.communicate()
        self.thread.join()

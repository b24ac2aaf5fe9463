"""Turns of workloads: each is built anew, warmed, and stepped for the median time of a step.

As a program it takes turns for somebody else: a line of JSON in, the time of a turn out. `benchmarks.run --against` lets two
such programs with two versions of the library take turns.
"""

import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import steersman as sm
from benchmarks.comparing import Reference
from benchmarks.workloads import named

TINY_STEPS, AT_ONCE = 2000, 20
"""Steps of a turn where a step takes microseconds, and how many of them are timed in one go."""


@dataclass(frozen=True)
class Case:
    """A workload as it stands in a CSV.

    Attributes:
        workload: Its name.
        n: Number of vehicles.
        dimensions: 2 or 3.
        threads: Threads to use.
    """

    workload: str
    n: int
    dimensions: int
    threads: int

    @property
    def tiny(self) -> bool:
        """Whether a step takes microseconds."""
        return self.workload in ("small world", "coming and going")

    @property
    def steps(self) -> int:
        """Steps of a turn."""
        return TINY_STEPS if self.tiny else max(10, min(100, 2_000_000 // max(self.n, 1)))

    def __str__(self) -> str:
        return f"{self.workload:28} n={self.n:<8} {self.dimensions}D threads={self.threads}"


class Turning:
    """Takes turns of a case."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.build = named(case.workload, case.n, case.dimensions, case.threads)
        self.world = self.build()
        self.take()

    def turn(self) -> float:
        """Time of a step in a turn [ms]."""
        if not self.case.tiny:
            self.world = self.build()
            for _ in range(3):
                self.world.step()
        return self.take()

    def take(self) -> float:
        """Median time of a step [ms]; of some in one go where a clock would be felt."""
        times, once = [], AT_ONCE if self.case.tiny else 1
        for _ in range(self.case.steps // once):
            start = time.perf_counter()
            self.world.run(steps=once)
            times.append((time.perf_counter() - start) / once)
        return 1e3 * statistics.median(times)


def machine_now(reference: Reference) -> float:
    """How long the reference takes just now [ms], the median of five."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        reference.work()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def serve() -> None:
    """Take turns for whoever asks, until there is no more to read."""
    answers = sys.stdout
    sys.stdout = sys.stderr
    now: Turning | None = None

    def answer(**told: object) -> None:
        answers.write(json.dumps(told) + "\n")
        answers.flush()

    answer(library=str(Path(sm.__file__).parent))
    for line in sys.stdin:
        case = Case(**json.loads(line))
        try:
            if now is None or now.case != case:
                now = Turning(case)
            answer(ms=now.turn())
        except Exception as problem:
            answer(error=f"{type(problem).__name__}: {problem}")


def asked(case: Case) -> str:
    """The line that asks for a turn."""
    return json.dumps(asdict(case)) + "\n"


if __name__ == "__main__":
    serve()

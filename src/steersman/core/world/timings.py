"""Timings: the times of the phases of steps, on request. Steps without timings have no extra cost.

A timed world has a plan that reads the clock between its phases (`TimedStepPlan`). Other worlds have a plain `StepPlan`.
"""

from time import perf_counter
from typing import Any, Self

from steersman.core.parameters.guiding import Explained
from steersman.core.world.step_plan import StepPlan

PHASES = ("begin", "look", "steer", "move", "after")
"""The phases of a step, in order: clocks and checks; neighbors; forces and velocities (with the neighbors for parts of a
tree that are not always asked); motion; and, after the step, flows and observers."""


class Timings(metaclass=Explained):
    """The times of the phases of a world's steps so far: made by `World.timings`.

    Attributes:
        steps: The number of timed steps.
        seconds: Total time in each phase [s], by its name: "begin", "look", "steer", "move", "after".
    """

    __slots__ = ("_timed", "seconds", "steps")

    def __init__(self, timed: Any) -> None:
        self._timed = timed
        self.steps = 0
        self.seconds = dict.fromkeys(PHASES, 0.0)

    @property
    def total(self) -> float:
        """Time spent in all steps [s]."""
        return sum(self.seconds.values())

    @property
    def step(self) -> float:
        """Mean time of a step [s]; NaN before the first."""
        return self.total / self.steps if self.steps else float("nan")

    @property
    def shares(self) -> dict[str, float]:
        """The part of the time in each phase, from 0 to 1, by its name; NaN before the first step."""
        total = self.total
        return {phase: seconds / total if total else float("nan") for phase, seconds in self.seconds.items()}

    def note(self, laps: dict[str, float]) -> None:
        """Add a step, by the times of its phases [s]."""
        self.steps += 1
        for phase, seconds in laps.items():
            self.seconds[phase] += seconds

    def end(self) -> None:
        """Stop timing; the times so far are kept."""
        self._timed.untime(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def __repr__(self) -> str:
        if not self.steps:
            return "Timings of no steps"
        shares = ", ".join(f"{phase} {share:.0%}" for phase, share in self.shares.items())
        return f"Timings of {self.steps:,} steps of {1000 * self.step:.4g} ms: {shares}"


class TimedStepPlan(StepPlan):
    """A plan that reads the clock between the phases. The times of a refused step are discarded."""

    timed = True

    def start(self, timings: tuple[Timings, ...]) -> Self:
        """Add the times of steps to these timings from now on."""
        self._timings = timings
        self._laps: dict[str, float] = {}
        self._then = 0.0
        return self

    def _lap(self, phase: str) -> None:
        """Store the time of a phase that has ended."""
        now = perf_counter()
        self._laps[phase] = now - self._then
        self._then = now

    def begin(self, dt: float, step: int, time: float) -> None:
        """As in StepPlan; starts the clock."""
        self._then = perf_counter()
        super().begin(dt, step, time)
        self._lap("begin")

    def look(self) -> None:
        """As in StepPlan."""
        super().look()
        self._lap("look")

    def steer(self) -> None:
        """As in StepPlan."""
        super().steer()
        self._lap("steer")

    def notify(self) -> None:
        """As in StepPlan. The step was committed before."""
        self._lap("move")
        super().notify()

    def done(self) -> None:
        """Count the step, after all observers were notified."""
        self._lap("after")
        for each in self._timings:
            each.note(self._laps)

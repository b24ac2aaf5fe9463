"""Performance: a stage is run step by step, and can be stopped at any step without the loss of results."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from steersman.core.kernels.announcing import watched_compilation
from steersman.core.world.guard import NonFiniteError
from steersman.core.world.world import World
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.recording import RecordingError


@dataclass
class Outcome:
    """The outcome of a run.

    Attributes:
        planned: Steps that were asked for.
        steps: Steps that were made.
        done: Steps that were made by an earlier run, which was resumed.
        before: The number of vehicles of each population before the steps of this run.
        wall: Time of the run, without building and compiling [s].
        steps_per_second: Speed, without building, compiling and measuring; 0 if it is unknown.
        compiled: Whether kernels were compiled.
        interrupted: Whether it was stopped by Ctrl-C.
        error: The reason why it ended early, if it did.
    """

    planned: int
    steps: int = 0
    done: int = 0
    before: dict[str, int] = field(default_factory=dict)
    wall: float = 0.0
    steps_per_second: float = 0.0
    compiled: bool = False
    interrupted: bool = False
    error: str = ""


def vehicle_counts(world: World) -> dict[str, int]:
    """The number of vehicles of each population."""
    return {name: len(population.vehicles) for name, population in world.populations.items()}


class Stop:
    """Whether Ctrl-C was pressed.

    Attributes:
        asked: Set by the first Ctrl-C. The second one ends the process at once.
    """

    def __init__(self) -> None:
        self.requested = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """The signal handler."""
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@contextmanager
def stoppable() -> Iterator[Stop]:
    """A context in which Ctrl-C asks the run to stop instead of raising."""
    stop = Stop()
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class Drive:
    """The way to make the steps of a run.

    Attributes:
        step: Makes one.
        finish: Called after the last step, before results are read.
    """

    step: Callable[[], None]
    finish: Callable[[], object] = lambda: None


def perform(
    stage: Stage,
    *,
    on_compile: Callable[[str, int, int], None],
    on_step: Callable[[int], None],
    done: int = 0,
    drive: Drive | None = None,
) -> Outcome:
    """Run a stage to its end, or until Ctrl-C.

    Args:
        stage: The stage.
        on_compile: Called before each kernel that has to be compiled, with its name, its number and the number of kernels.
        on_step: Called after each step, with the number of steps made.
        done: Steps that were made before, by the run that this one continues.
        drive: The way to make steps. Default: those of the world.

    Returns:
        The outcome. The world is in its state after the last whole step.
    """
    outcome = Outcome(planned=stage.steps, steps=done, done=done, before=vehicle_counts(stage.world))
    drive = drive or Drive(stage.world.step)

    def announce(name: str, number: int, count: int) -> None:
        outcome.compiled = True
        on_compile(name, number, count)

    with stoppable() as stop:
        try:
            if done < outcome.planned:
                with watched_compilation(begins=announce):
                    _step(drive, outcome, on_step)
            began, measuring = time.perf_counter(), stage.meters.cost
            while outcome.steps < outcome.planned and not stop.requested:
                _step(drive, outcome, on_step)
        except (NonFiniteError, RecordingError) as error:
            outcome.error = str(error)
        outcome.interrupted = stop.requested and outcome.steps < outcome.planned
        if outcome.steps > done + 1:
            outcome.wall = time.perf_counter() - began
            outcome.steps_per_second = (outcome.steps - done - 1) / (outcome.wall - (stage.meters.cost - measuring))
    drive.finish()
    stage.meters(stage.world)
    return outcome


def _step(drive: Drive, outcome: Outcome, on_step: Callable[[int], None]) -> None:
    drive.step()
    outcome.steps += 1
    on_step(outcome.steps)

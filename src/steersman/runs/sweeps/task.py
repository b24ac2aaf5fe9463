"""Tasks: one run of a sweep, from its values to its row. A run that fails is a row, too."""

import math
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from steersman.core import extensions
from steersman.core.world.state_hash import state_hash
from steersman.runs.documents.stage import Stage
from steersman.runs.documents.toml_text import in_toml
from steersman.runs.sweeps.measures import Measures, Reading

Row = dict[str, Any]
"""Column -> value."""


class Task(NamedTuple):
    """One run.

    Attributes:
        number: Its number in the sweep, from 0.
        values: The values of its paths, in their order; none for the scenario as it is.
        seed: Its seed.
    """

    number: int
    values: tuple[Any, ...]
    seed: int


@dataclass(frozen=True)
class Work:
    """The part that all runs of a sweep have in common. It is sent to the processes that make them.

    Attributes:
        scenario: The name of a built-in scenario, a Python file, a document, or a function `make`.
        paths: The paths of the values, in order; "n" is the number of vehicles of the main population, "dt" the time step.
        measures: The measures.
        n: Vehicles in the main population; None for the usual number.
        options: Other settings: dt [s], seconds [s]; None where not given.
        steps: How many steps to make, instead of seconds.
        threads: Threads of a run.
        folder: The folder of the files that a document names.
        trust: Whether it may name others.
    """

    scenario: Any
    paths: tuple[str, ...]
    measures: Measures = field(default_factory=dict)
    n: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    steps: int | None = None
    threads: int | None = 1
    folder: Path | None = None
    trust: bool = False

    def stage(self, values: tuple[Any, ...], seed: int) -> Stage:
        """The stage of a run, with all its meters.

        Raises:
            ScenarioError: The values do not fit the scenario.
        """
        named = dict(zip(self.paths, values, strict=True)) if values else {}
        options = {**self.options, "seed": seed} | ({"dt": named.pop("dt")} if "dt" in named else {})
        n = named.pop("n", self.n)
        stage = extensions.PREPARE_STAGE.function(
            self.scenario,
            n,
            options,
            list(named.items()),
            self.threads,
            self.steps,
            trust=self.trust,
            folder=self.folder,
        )
        for measure in self.measures.values():
            if isinstance(measure, Reading):
                measure.meter(stage)
        return stage

    def empty(self, task: Task, error: str | None = None) -> Row:
        """The row of a task without results."""
        named = {path: as_cell(value) for path, value in zip(self.paths, task.values, strict=False)}
        return {
            "task": task.number, **named, "seed": task.seed, **dict.fromkeys(self.measures, math.nan),
            "state_hash": None, "seconds": math.nan, "error": error,
        }  # fmt: skip


def as_cell(value: Any) -> Any:
    """A value as it stands in the table: numbers and texts as they are, anything else as TOML."""
    return value if isinstance(value, (int, float, str)) else in_toml(value)


def perform(work: Work, task: Task) -> Row:
    """Make one run.

    Returns:
        Its row. Where the run fails, measures are NaN, and `error` says why.
    """
    row, began = work.empty(task), time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            stage = work.stage(task.values, task.seed)
            for _ in range(stage.steps):
                stage.world.step()
            stage.meters(stage.world)
            row.update({name: measure.of(stage) for name, measure in work.measures.items()})
            row["state_hash"] = state_hash(stage.world)
    except Exception as error:
        row = work.empty(task, f"{type(error).__name__}: {error}")
    row["seconds"] = time.perf_counter() - began
    return row

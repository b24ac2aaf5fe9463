"""Tune: values of a scenario are searched that make its metrics better, and judged with other seeds."""

import inspect
import itertools
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Self, cast

import numpy as np

import steersman
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.core.world.writing import NoDocumentError
from steersman.runs.documents.documents import resolved, to_document
from steersman.runs.documents.files import save_document
from steersman.runs.documents.overrides import value_at
from steersman.runs.sweeps.crews import Crew
from steersman.runs.sweeps.design import Choice, as_axis
from steersman.runs.sweeps.measures import as_measures
from steersman.runs.sweeps.store import Store
from steersman.runs.sweeps.sweep import (
    as_seeds,
    as_work,
    call_of,
    check_columns,
    ready,
    schema_of,
    seeds_in_vain,
)
from steersman.runs.sweeps.task import Row, Task, Work, as_cell
from steersman.runs.tuning.judging import FEWEST, Estimate, balanced, estimate, front
from steersman.runs.tuning.searching import new_search

FRESH = 10_000
"""The first of the seeds that judge, where only their number is given."""

Values = tuple[Any, ...]


@dataclass(frozen=True)
class Judged:
    """One measure with the seeds that the search has not seen.

    Attributes:
        measure: Its name.
        goal: "minimize", "maximize", or "" where it is no goal.
        before: Its mean with the scenario as it was.
        after: Its mean with the tuned values.
        gain: The mean of the differences, seed by seed, positive where a goal has become better; of a measure that is
            no goal, after - before.
        seeds: The number of the seeds.
    """

    measure: str
    goal: str
    before: Estimate
    after: Estimate
    gain: Estimate
    seeds: int

    @property
    def verdict(self) -> str:
        """The verdict of the interval of the gain: "better", "worse", or "no gain" where 0 is in it.

        It is "undecided" with fewer than 6 seeds, or where a run failed, and "" for a measure that is no goal.
        """
        if not self.goal:
            return ""
        if self.seeds < FEWEST or np.isnan(self.gain.mean):
            return "undecided"
        return "better" if self.gain.low > 0 else "worse" if self.gain.high < 0 else "no gain"


@dataclass(frozen=True)
class Candidate:
    """Values that were tried.

    Attributes:
        values: Path -> value.
        means: Measure -> its mean over the seeds of the search; NaN where a run failed.
    """

    values: dict[str, Any]
    means: dict[str, float]


@dataclass(frozen=True)
class Tuned:
    """The outcome of `tune`. Printed, it is the table before and after.

    Attributes:
        values: The tuned values, path -> value: the best ones; with several goals those of the front that are nearest to the
            best of each goal.
        judged: Each measure before and after, with the seeds that the search has not seen.
        front: With several goals the candidates that no other beats in all of them; else the best one.
        candidates: All candidates, in the order in which they were tried.
        goals: Measure -> "minimize" or "maximize".
        work: The part that all runs have in common.
        seed: The seed of its document.
    """

    values: dict[str, Any]
    judged: tuple[Judged, ...]
    front: tuple[Candidate, ...]
    candidates: tuple[Candidate, ...]
    goals: dict[str, str]
    work: Work = field(repr=False)
    seed: int = 0

    def __str__(self) -> str:
        rows = [("measure", "goal", "before", "after", "gain", "")]
        rows += [(e.measure, e.goal, str(e.before), str(e.after), str(e.gain), e.verdict) for e in self.judged]
        widths = [max(len(row[k]) for row in rows) for k in range(6)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        assignments = ", ".join(
            f"{path} = {value:.4g}" if isinstance(value, float) else f"{path} = {as_cell(value)}"
            for path, value in self.values.items()
        )
        return "\n".join([f"tuned: {assignments}", *lines])

    @property
    def table(self) -> list[dict[str, Any]]:
        """The table before and after as rows, for `pandas.DataFrame(tuned.table)`."""
        return [
            {"measure": each.measure, "goal": each.goal, "verdict": each.verdict}
            | {
                f"{name}_{end}": getattr(value, end)
                for name, value in (("before", each.before), ("after", each.after), ("gain", each.gain))
                for end in ("mean", "low", "high")
            }
            for each in self.judged
        ]

    def document(self, candidate: Candidate | None = None) -> dict[str, Any]:
        """The document of the scenario with the tuned values.

        Args:
            candidate: One of the front. Default: the tuned values.

        Raises:
            NoDocumentError: No document can hold it; the values are the result then.
        """
        values = self.values if candidate is None else candidate.values
        stage = self.work.stage(tuple(values.values()), self.seed)
        if isinstance(self.work.scenario, str) and not self.work.scenario.endswith(".py"):
            return resolved(stage)[0]
        return to_document(stage, left_out=[])

    def write(self, file: str | PathLike[str], candidate: Candidate | None = None) -> list[Path]:
        """Write the document as TOML; `steersman run FILE` runs it.

        Args:
            file: The file.
            candidate: One of the front. Default: the tuned values.

        Returns:
            The files that were written: one more, where arrays are long.

        Raises:
            NoDocumentError: No document can hold it.
            OSError: A file cannot be written.
        """
        values = self.values if candidate is None else candidate.values
        lines = [f"Tuned by steersman {steersman.__version__}:"]
        lines += [f"  {path} = {as_cell(value)}" for path, value in values.items()]
        if candidate is None:
            lines += [f"{e.measure}: {e.before} before, {e.after} after {e.verdict}".rstrip() for e in self.judged]
        head = "".join(f"# {line}\n".replace("\n", " ").strip() + "\n" for line in lines)
        return save_document(self.document(candidate), Path(file), head=head + "\n")

    def chart(self, file: str | PathLike[str]) -> Path:
        """Draw how the search went: the candidates and the best so far; of two goals the front.

        Args:
            file: The file to write: PNG, SVG or PDF.

        Returns:
            The file.

        Raises:
            ImportError: matplotlib is not installed.
            OSError: The file cannot be written.
        """
        from steersman.runs.tuning.chart import draw_search

        return draw_search(self, Path(file))


@explained
def tune(
    scenario: Any,
    values: Mapping[str, Any],
    *,
    minimize: Any = (),
    maximize: Any = (),
    measure: Any = (),
    seeds: Iterable[int] | int = 8,
    held_out: Iterable[int] | int = 32,
    budget: int = 200,
    method: str | None = None,
    search_seed: int = 0,
    n: int | None = None,
    seconds: float | None = None,
    steps: int | None = None,
    dt: float | None = None,
    on: Any = "pool",
    workers: int | None = None,
    threads: int = 1,
    trust: bool = False,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Tuned:
    """Search values of a scenario that make its metrics better.

        tuned = sm.tune("doorway", {"width": {"low": 0.9, "high": 2}}, maximize="mean_speed:mean")

    All candidates are run with the same seeds. The best one is then judged beside the scenario as it is, with seeds that the
    search has not seen; the gain has an interval of 95 %. The result is the same wherever the runs are made. A search with
    `out` that was stopped or killed goes on where it was with the same call.

    Args:
        scenario: As for `sweep`.
        values: Path -> a range `{"low": 0.5, "high": 2}` (maybe with `"log": True` or `"whole": True`), or a list of values.
        minimize: Goals that are to become small: names of metrics or functions, as `measure` of `sweep`.
        maximize: Goals that are to become large. With several goals in all a Pareto front is searched.
        measure: Further measures.
        seeds: The seeds of the search, or their number.
        held_out: The seeds that judge, or their number: from 10,000 on. With fewer than 6 nothing is decided.
        budget: How many candidates are tried, each with all `seeds`.
        method: "cmaes" or "optuna". Default: CMA-ES for ranges of numbers and one goal, else Optuna.
        search_seed: Seed of the search.
        n: Vehicles in the main population.
        seconds: How long a run is [s]. Default: as long as the scenario.
        steps: The same in steps.
        dt: The time step [s].
        on: Where runs are made, as for `sweep`.
        workers: How many runs are made at a time.
        threads: Threads of each run.
        trust: Whether a file may name files outside of its folder.
        out: A folder for the rows of all runs, which `sm.read_sweep` reads. Default: they are kept in memory.
        force: Whether to replace another search in the folder.
        progress: Called with the number of runs so far and the number of all.

    Returns:
        The outcome.

    Raises:
        ScenarioError: The scenario is wrong, or the values do not fit it.
        ValueError: No candidate could be run.
        ImportError: A package is missing.
        RunError: The folder holds another search, or cannot be written to.

    Warns:
        UserWarning: All seeds begin with the same vehicles, which a document lists, or a function has no parameter `seed`.
    """
    goals = dict.fromkeys(as_measures(minimize), "minimize") | dict.fromkeys(as_measures(maximize), "maximize")
    measures = {**as_measures(minimize), **as_measures(maximize), **as_measures(measure)}
    if not goals or len(goals) != len(as_measures(minimize)) + len(as_measures(maximize)):
        raise ValueError("at least one goal must be given, minimize= or maximize=, and none for both")
    if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
        raise ValueError(f"budget must be a whole number >= 1, got {brief(budget)}")
    axes = {path: as_axis(path, each) for path, each in values.items()}
    known = as_seeds(seeds)
    fresh = as_seeds(range(FRESH, FRESH + held_out) if isinstance(held_out, int) else held_out, "held_out")
    if set(known) & set(fresh):
        raise ValueError(
            f"held_out must be other seeds than those of the search, got {sorted(set(known) & set(fresh))}"
        )
    work = as_work(
        scenario, tuple(axes), n=n, options={"seconds": seconds, "dt": dt}, steps=steps, threads=threads, trust=trust,
        measure=None,
    )  # fmt: skip
    work = Work(**{**vars(work), "measures": measures})
    check_columns(work)
    ready(work, [()], known[0], default=False)
    if in_vain := seeds_in_vain(work, (), [*known, *fresh]):
        warnings.warn(in_vain, stacklevel=3)
    start = [_current(work, path, known[0]) for path in axes]
    search = new_search(axes, start, goals=len(goals), budget=budget, seed=search_seed, method=method)
    signs = np.array([1.0 if each == "minimize" else -1.0 for each in goals.values()])
    tried: list[Values] = []
    means: list[dict[str, float]] = []
    about = {
        "goals": goals, "budget": budget, "method": method, "search_seed": search_seed, "held_out": list(fresh),
        "start": [as_cell(each) for each in start],
    }  # fmt: skip
    with Crew(work, on, workers) as crew, _Runs(crew, axes, out, scenario, known, about, force=force) as runs:
        runs.tell = progress
        runs.total = budget * len(known) + 2 * len(fresh)
        while len(tried) < budget:
            batch = search.ask()
            rows = runs.of(batch, known)
            here = [_means(each, measures) for each in rows]
            search.tell(np.array([[each[name] for name in goals] for each in here]) * signs)
            tried += batch
            means += here
        costs = np.array([[each[name] for name in goals] for each in means]) * signs
        if not (best := front(costs)):
            raise ValueError(
                "no candidate could be run with all seeds; try sm.sweep with the same values for their errors"
            )
        chosen = balanced(costs, best)
        runs.total = len(tried) * len(known) + 2 * len(fresh)
        before, after = runs.of([(), tried[chosen]], fresh)
    candidates = tuple(
        Candidate(dict(zip(axes, each, strict=True)), mean) for each, mean in zip(tried, means, strict=True)
    )
    judged = tuple(_judge(name, goals.get(name, ""), before, after) for name in measures)
    return Tuned(
        candidates[chosen].values, judged, tuple(candidates[k] for k in best), candidates, goals, work, known[0]
    )


class _Runs:
    """Makes the runs of a search, and keeps their rows in a folder: those that are there are not made again.

    A search asks for the same values wherever it has the same answers, so it needs no other memory.
    """

    def __init__(
        self, crew: Crew, axes: Mapping[str, Any], out: str | PathLike[str] | None, scenario: Any,
        seeds: Sequence[int], about: dict[str, Any], *, force: bool,
    ) -> None:  # fmt: skip
        self._crew, self._number, self._done = crew, 0, 0
        self.total, self.tell = 0, cast(Callable[[int, int], None] | None, None)
        self._store: Store | None = None
        self._there: dict[int, Row] = {}
        if out is None:
            return
        samples = [each.values if isinstance(each, Choice) else each.at(np.array([0.0, 1.0])) for each in axes.values()]
        plan = [tuple(each[k % len(each)] for each in samples) for k in range(max(map(len, samples)))]
        call = call_of(crew.work, scenario, plan, seeds) | about
        self._store = Store(schema_of(crew.work, plan), Path(out), json.loads(json.dumps(call)), force=force)
        try:
            self._there = {row["task"]: row for row in self._store.table().to_pylist()}
        except BaseException:
            self._store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._store is not None:
            try:
                self._store.settle()
            finally:
                self._store.close()

    def of(self, batch: Sequence[Values], seeds: Sequence[int]) -> list[list[Row]]:
        """The rows of candidates, each with all seeds, in their order."""
        runs = itertools.product(batch, seeds)
        tasks = [Task(number, *each) for number, each in enumerate(runs, self._number)]
        self._number += len(tasks)
        rows_by_task = {task.number: row for task in tasks if (row := self._there_of(task)) is not None}
        self._count(len(rows_by_task))
        for rows in self._crew.rows(task for task in tasks if task.number not in rows_by_task):
            if self._store is not None:
                self._store.add(rows)
            rows_by_task.update({row["task"]: row for row in rows})
            self._count(len(rows))
        whole = [rows_by_task[task.number] for task in tasks]
        return [whole[k : k + len(seeds)] for k in range(0, len(whole), len(seeds))]

    def _there_of(self, task: Task) -> Row | None:
        """The row of a task that the folder has, if it is of the same values."""
        row, new = self._there.get(task.number), self._crew.work.empty(task)
        names = ("seed", *self._crew.work.paths)
        if row is None or not all(row[name] in (new.get(name), str(new.get(name))) for name in names):
            return None
        return row

    def _count(self, more: int) -> None:
        self._done += more
        if self.tell is not None and more:
            self.tell(min(self._done, self.total), self.total)


def _means(rows: Sequence[Row], measures: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(np.mean([row[name] for row in rows])) for name in measures}


def _judge(name: str, goal: str, before: Sequence[Row], after: Sequence[Row]) -> Judged:
    """One measure before and after, with the differences seed by seed."""
    old, new = (np.array([row[name] for row in rows], float) for rows in (before, after))
    gain: Array = old - new if goal == "minimize" else new - old
    return Judged(name, goal, estimate(old), estimate(new), estimate(gain), len(gain))


def _current(work: Work, path: str, seed: int) -> Any:
    """The value of a path in the scenario as it is; None where it is not known."""
    if callable(work.scenario):
        about = inspect.signature(work.scenario).parameters.get(path.removeprefix("params."))
        if about is not None:
            return about.default if isinstance(about.default, (int, float, str)) else None
    try:
        value = value_at(to_document(work.stage((), seed), left_out=[]), path)
    except (NoDocumentError, ValueError):
        return None
    return value if isinstance(value, (int, float, str)) else None

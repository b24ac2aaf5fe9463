"""Sweep: a scenario is run with many values and seeds, and every run becomes a row of a table."""

import hashlib
import inspect
import json
import operator
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

import steersman
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.world.warmup import warmup
from steersman.runs.documents.files import read_file
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.optional import require_package
from steersman.runs.sweeps import store
from steersman.runs.sweeps.crews import Crew
from steersman.runs.sweeps.design import as_axis, combinations
from steersman.runs.sweeps.measures import Own, all_meters, as_measures
from steersman.runs.sweeps.task import Task, Work, as_cell

TRIED = 8
"""How many combinations of values may be wrong before a sweep is refused."""

SAME_START = (
    "all seeds begin with the same vehicles, for the document lists their positions; runs differ in random steering alone. "
    "For other starts give the function, or the name of the scenario, that the document was made of, with the same values"
)
"""The warning of seeds that all begin alike."""

NO_SEED = (
    "the function has no parameter seed, so its runs are the same for all seeds; make it `make(*, seed=0, ...)`, "
    "and use the seed"
)
"""The warning of a function that gets no seed."""

SAME_END = (
    "runs with other seeds end in the same state: the scenario does not use its seed; give it to "
    "sm.World(seed=seed), and to np.random.default_rng(seed) for random starts"
)
"""The warning of rows that differ in the seed alone."""

ROWS_AT_ONCE = 10_000
"""Rows of a table that are compared at once: a sweep may have a million."""

RESERVED = ("task", "seed", "state_hash", "seconds", "error")
"""Columns that every table has."""


class Sweep:
    """The table of a sweep: a row for each run.

    Columns are `task`, one for each path, `seed`, one for each measure, `state_hash`, `seconds` (time that the run took [s]),
    and `error`, which is null where a run went well.

    Args:
        read: Reads the table.
        folder: The folder where it is; None if it is in memory.
    """

    def __init__(self, read: Callable[[], Any], folder: Path | None = None) -> None:
        self._read, self.folder = read, folder

    def __len__(self) -> int:
        return len(self.table())

    def __repr__(self) -> str:
        failed = self.failed
        where = f"{str(self.folder)!r}, " if self.folder is not None else ""
        count = len(self)
        every = count if self.folder is None else store.count_of(self.folder)
        of = f" of {every:,}" if every is not None and every > count else ""
        return f"Sweep({where}{count:,}{of} runs{f', {failed:,} failed' if failed else ''})"

    @property
    def failed(self) -> int:
        """The number of runs that failed."""
        table = self.table()
        return len(table) - table["error"].null_count if "error" in table.column_names else 0

    def table(self) -> Any:
        """All rows, in the order of the tasks, as an Arrow table."""
        return self._read()

    def pandas(self) -> Any:
        """The same as a DataFrame of pandas."""
        require_package("pandas")
        return self.table().to_pandas()

    def polars(self) -> Any:
        """The same as a DataFrame of polars."""
        polars = require_package("polars")
        return polars.from_arrow(self.table())


@explained
def read_sweep(folder: str | PathLike[str]) -> Sweep:
    """The table of a sweep, also of one that is going on, or was killed.

    Args:
        folder: Its folder.

    Raises:
        ImportError: pyarrow is not installed.
        RunError: There is no sweep.
    """
    path = Path(folder)
    store.read_table(path)
    return Sweep(lambda: store.read_table(path), path)


@explained
def sweep(
    scenario: Any,
    values: Mapping[str, Any] | None = None,
    *,
    seeds: Iterable[int] | int = 1,
    measure: Any = None,
    out: str | PathLike[str] | None = None,
    design: str = "grid",
    samples: int | None = None,
    design_seed: int = 0,
    n: int | None = None,
    seconds: float | None = None,
    steps: int | None = None,
    dt: float | None = None,
    on: Any = "pool",
    workers: int | None = None,
    threads: int = 1,
    force: bool = False,
    retry: bool = False,
    trust: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Run a scenario with many values and seeds.

        table = sm.sweep("flocking", {"n": [50, 100]}, seeds=range(50), out="runs/flocks").pandas()

    Every run is a row, which is on the disk as soon as the run has ended. A sweep that was stopped or killed goes on
    where it was with the same call. The table has the same bits wherever the runs were made, but for `seconds`.

    Args:
        scenario: The name of a built-in scenario, a TOML or a Python file, a document, or a function `make(*, seed, ...)`
            that returns a World or a Stage.
        values: Path -> a list of values, a range `{"low": 1, "high": 3}` (maybe with `"log": True` or `"whole": True`), or a
            distribution of scipy.stats. A path is as for `steersman run --set`: a parameter of the scenario, or a place
            in its document (`populations.boids.max_speed`); `n` is the number of vehicles.
        seeds: The seeds, each with all combinations of values; a number k stands for the seeds 0 to k - 1.
        measure: Names of metrics (`polarization`, `boids.polarization:mean:5`: the mean over the last 5 s; or least,
            greatest, start, now), functions of the stage after the run, a list of them, or a mapping from columns to
            them. Default: the last readings of all meters of the scenario.
        out: The folder for the table. Default: it is kept in memory.
        design: "grid": each value with each; "random", "latin" (Latin hypercube), "sobol": that many samples.
        samples: The number of combinations of values, where it is no grid.
        design_seed: Seed of the samples.
        n: Vehicles in the main population.
        seconds: How long a run is [s]. Default: as long as the scenario.
        steps: The same in steps.
        dt: The time step [s].
        on: Where runs are made: "pool" (processes), "here", "ray", "dask", "mpi", with the address of a cluster after "="
            ("ray=auto"), or an Executor.
        workers: How many runs are made at a time. Default: one for each processor.
        threads: Threads of each run.
        force: Whether to replace another sweep in the folder.
        retry: Whether runs that failed are made again.
        trust: Whether a file may name files outside of its folder.
        progress: Called with the number of rows so far and the number of all.

    Returns:
        The table.

    Raises:
        ScenarioError: The scenario is wrong, or none of the first 8 combinations of values fits it.
        ImportError: A package is missing.
        RunError: The folder holds another sweep, or cannot be written to.

    Warns:
        UserWarning: All seeds begin with the same vehicles, which a document lists; a function has no parameter `seed`;
            or runs with other seeds end in the same state.
    """
    store.require()
    axes = {path: as_axis(path, each) for path, each in (values or {}).items()}
    chosen = as_seeds(seeds)
    plan = combinations(axes, design, samples, design_seed)
    options = {"seconds": seconds, "dt": dt}
    work = as_work(
        scenario, tuple(axes), n=n, options=options, steps=steps, threads=threads, trust=trust, measure=measure
    )
    check_columns(work)
    work = ready(work, plan, chosen[0], default=measure is None)
    check_columns(work)
    if in_vain := seeds_in_vain(work, plan[0], chosen):
        warnings.warn(in_vain, stacklevel=3)
    crew = Crew(work, on, workers)
    folder = None if out is None else Path(out)
    row_store = store.Store(schema_of(work, plan), folder, call_of(work, scenario, plan, chosen), force=force)
    try:
        there = row_store.table()
        whole = there["task"].to_numpy()
        if retry:
            whole = whole[np.asarray(there["error"].is_null())]
        count, done = len(plan) * len(chosen), len(whole)
        tasks = _tasks(plan, chosen, set(whole.tolist()))
        if progress is not None:
            progress(done, count)
        if done < count:
            with crew:
                for rows in crew.rows(tasks):
                    row_store.add(rows)
                    done += len(rows)
                    if progress is not None:
                        progress(done, count)
    finally:
        try:
            row_store.settle()
        finally:
            row_store.close()
    if len(chosen) > 1 and not in_vain and same_end(row_store.table(), len(chosen), list(work.measures)):
        warnings.warn(SAME_END, stacklevel=3)
    if folder is not None:
        return Sweep(lambda: store.read_table(folder), folder)
    table = row_store.table()
    return Sweep(lambda: table)


def _tasks(plan: Sequence[tuple[Any, ...]], seeds: Sequence[int], done: set[int]) -> Iterator[Task]:
    """All tasks that are not done, with all seeds of one combination after each other."""
    for k, values in enumerate(plan):
        for j, seed in enumerate(seeds):
            if (number := k * len(seeds) + j) not in done:
                yield Task(number, values, seed)


def as_seeds(seeds: Iterable[int] | int, name: str = "seeds") -> Sequence[int]:
    """Seeds, of which a number stands for so many.

    Raises:
        ValueError: A seed is there twice.
    """
    try:
        values = list(range(seeds) if isinstance(seeds, int) else seeds)
        chosen = [operator.index(each) for each in values]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be whole numbers, such as range(50), got {brief(seeds)}") from None
    if not chosen or len(set(chosen)) != len(chosen):
        raise ValueError(f"{name} must be at least one, and each once, got {brief(seeds)}")
    return chosen


def as_work(
    scenario: Any, paths: tuple[str, ...], *, n: int | None, options: dict[str, Any], steps: int | None, threads: int,
    trust: bool, measure: Any,
) -> Work:  # fmt: skip
    """The part that all runs share. A TOML file is read now: it may change meanwhile, and is not on every machine."""
    folder = None
    if isinstance(scenario, PathLike):
        scenario = fspath(scenario)
    if isinstance(scenario, str) and (scenario.endswith(".toml")):
        folder = Path(scenario).absolute().parent
        scenario, _ = read_file(Path(scenario))
    elif not isinstance(scenario, (str, Mapping)) and not callable(scenario):
        raise TypeError(f"scenario must be a name, a file, a document, or a function, got {brief(scenario)}")
    return Work(
        scenario, paths, {} if measure is None else as_measures(measure), n, options, steps, threads, folder, trust
    )


def ready(work: Work, plan: Sequence[tuple[Any, ...]], seed: int, *, default: bool) -> Work:
    """The work, with its measures; its kernels are compiled, or loaded, in this process, by one step of one run.

    Args:
        work: The work.
        plan: All combinations of values.
        seed: The first seed.
        default: Whether all meters of the scenario are measured.

    Raises:
        ScenarioError: None of the first combinations fits the scenario.
    """
    first = None
    for values in plan[:TRIED]:
        try:
            stage = work.stage(values, seed)
        except ScenarioError as error:
            first = first or error
            continue
        if default:
            work = Work(**{**vars(work), "measures": all_meters(stage)})
        warmup(stage.world, progress=None)
        try:
            stage.world.step()
        except Exception:  # It is that of a run, and becomes a row.
            return work
        stage.meters(stage.world)
        return work
    assert first is not None
    raise first


def seeds_in_vain(work: Work, values: tuple[Any, ...], seeds: Sequence[int]) -> str:
    """The reason why runs with several seeds have too little in which they differ; empty if none can be told before."""
    if len(seeds) > 1 and callable(work.scenario) and "seed" not in inspect.signature(work.scenario).parameters:
        return NO_SEED
    return SAME_START if same_start(work, values, seeds) else ""


def same_end(table: Any, seeds: int, measures: Sequence[str]) -> bool:
    """Whether a combination of values has the same measures and the same state at the end with all seeds.

    The seed is part of the state, so worlds without random parts are not meant as long as they are given it.

    Args:
        table: The table, in the order of the tasks.
        seeds: The number of seeds, more than one.
        measures: The columns of the measures.
    """
    ends: dict[int, list[str]] = {}
    for batch in table.select(["task", "state_hash", *measures]).to_batches(max_chunksize=ROWS_AT_ONCE):
        for row in batch.to_pylist():
            if row["state_hash"] is not None:
                ends.setdefault(row.pop("task") // seeds, []).append(repr(row))
        if any(len(rows) == seeds and len(set(rows)) == 1 for rows in ends.values()):
            return True
        last = int(batch["task"][-1].as_py()) // seeds
        ends = {combination: rows for combination, rows in ends.items() if combination == last}
    return False


def same_start(work: Work, values: tuple[Any, ...], seeds: Sequence[int]) -> bool:
    """Whether a document has the same vehicles at the start for every seed, and no flows that bring others.

    Args:
        work: The work.
        values: The values of the paths.
        seeds: The seeds, of which the first two are compared.
    """
    if len(seeds) < 2 or not isinstance(work.scenario, Mapping):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            one, other = (work.stage(values, seed).world.populations for seed in seeds[:2])
    except Exception:  # It is that of a run, and becomes a row.
        return False
    return all(
        not each.flows and np.array_equal(each.vehicles.block, other[name].vehicles.block) for name, each in one.items()
    )


def check_columns(work: Work) -> None:
    """Refuse columns that have the name of another.

    Raises:
        ValueError: There are such.
    """
    names = [*RESERVED, *work.paths, *work.measures]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        hint = "; give seconds= and seeds=" if set(twice) & {"seconds", "seed"} else ""
        raise ValueError(f"each column must have a name of its own, {', '.join(twice)} is there twice{hint}")


def schema_of(work: Work, plan: Sequence[tuple[Any, ...]]) -> Any:
    """The columns of the table."""
    import pyarrow as pa

    kinds = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    fields = [("task", pa.int64())]
    for k, path in enumerate(work.paths):
        cell_types = {type(as_cell(values[k])) for values in plan}
        kind = next(iter(cell_types)) if len(cell_types) == 1 else float if cell_types == {int, float} else str
        fields.append((path, kinds.get(kind, pa.string())))
    fields += [("seed", pa.int64()), *((name, pa.float64()) for name in work.measures)]
    return pa.schema([*fields, ("state_hash", pa.string()), ("seconds", pa.float64()), ("error", pa.string())])


def call_of(work: Work, scenario: Any, plan: Sequence[tuple[Any, ...]], seeds: Sequence[int]) -> dict[str, Any]:
    """The sweep as JSON: a folder goes on with the same alone."""
    measures = {
        name: _source(each.function) if isinstance(each, Own) else [each.label, each.summary, each.seconds]
        for name, each in work.measures.items()
    }
    call = {
        "steersman": steersman.__version__, "scenario": str(scenario) if isinstance(scenario, (str, PathLike)) else "",
        "content": _content(work.scenario), "values": list(work.paths), "combinations": len(plan),
        "design": _digest(repr([tuple(values) for values in plan])), "seeds": list(seeds), "measure": measures,
        "n": work.n, "options": dict(work.options), "steps": work.steps,
    }  # fmt: skip
    return dict(json.loads(json.dumps(call)))


def _content(scenario: Any) -> str:
    """A digest of a scenario, by which another one is recognized."""
    if isinstance(scenario, str):
        return _digest(Path(scenario).read_text("utf-8")) if scenario.endswith(".py") else scenario
    return _digest(repr(scenario)) if isinstance(scenario, Mapping) else _source(scenario)


def _source(function: Callable[..., Any]) -> str:
    """A digest of a function; of one whose source is unknown, its name."""
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = str(getattr(function, "__qualname__", type(function).__name__))
    return _digest(text)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()

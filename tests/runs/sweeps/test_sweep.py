"""Sweeps: every run is a row, wherever it is made, and whatever happens to the process."""

import os
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from pickle import PicklingError, dumps, loads

import numpy as np
import pyarrow as pa
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.gallery.request import prepare
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.recording.folder import RunError
from steersman.runs.sweeps import crews, store
from steersman.runs.sweeps.measures import as_measures
from steersman.runs.sweeps.sweep import same_end
from steersman.runs.sweeps.task import Work

SHORT = {"seconds": 0.5, "measure": ["polarization", "mean_speed:mean:0.25"]}
VALUES = {"n": [3, 4], "populations.strollers.max_speed": [2.0, 3.0]}


def strollers(*, seed=0, speed=2.0, n=3):
    """A world in a function."""
    place = np.random.default_rng(seed).uniform(0, 30, (n, 2))
    world = sm.World(seed=seed, dt=0.1)
    world.add(sm.Vehicles(place, max_speed=speed), name="strollers", steering=sm.Wander())
    return sm.Stage(world, seconds=0.5)


def alike(*, seed=0):
    """A world that begins alike for every seed."""
    return strollers()


def failing(*, seed=0, speed=2.0):
    if seed == 1 and BROKEN:
        raise ValueError("seed 1 is not wanted")
    return strollers(seed=seed, speed=speed)


def dying(*, seed=0):
    if seed == 2 and os.getpid() != PARENT:
        os._exit(7)
    return strollers(seed=seed)


PARENT, BROKEN = os.getpid(), [True]


def far(stage):
    return float(np.abs(stage.world["strollers"].position).max())


def bits(table):
    """All but the seconds."""
    return table.drop_columns(["seconds"])


def test_each_run_is_a_row_and_has_the_bits_that_it_has_alone():
    table = sm.sweep("wander", VALUES, seeds=[0, 5], on="here", **SHORT).table()
    assert table.column_names == [
        "task", "n", "populations.strollers.max_speed", "seed", "polarization", "mean_speed:mean:0.25", "state_hash",
        "seconds", "error",
    ]  # fmt: skip
    assert table["task"].to_pylist() == list(range(8))
    assert table["n"].to_pylist() == [3, 3, 3, 3, 4, 4, 4, 4]
    assert table["error"].null_count == 8
    row = table.to_pylist()[7]
    assert (row["n"], row["populations.strollers.max_speed"], row["seed"]) == (4, 3.0, 5)
    alone = prepare("wander", 4, {"seconds": 0.5, "seed": 5}, ["populations.strollers.max_speed=3.0"], 2, None)
    for _ in range(alone.steps):
        alone.world.step()
    assert row["state_hash"] == state_hash(alone.world)
    assert row["polarization"] == sm.metrics.polarization(alone.world["strollers"])
    assert 0 < row["mean_speed:mean:0.25"] <= 3
    assert row["seconds"] > 0


def test_the_table_is_the_same_wherever_its_runs_are_made(tmp_path):
    here = sm.sweep("wander", VALUES, seeds=2, on="here", **SHORT).table()
    pool = sm.sweep("wander", VALUES, seeds=2, workers=2, out=tmp_path / "pool", **SHORT)
    with ThreadPoolExecutor(2) as threads:
        own = sm.sweep("wander", VALUES, seeds=2, on=threads, **SHORT).table()
    assert bits(here) == bits(pool.table()) == bits(own)
    assert sorted(path.name for path in (tmp_path / "pool").iterdir()) == ["rows", "sweep.json", "table.parquet"]
    assert pool.pandas()["n"].tolist() == pool.polars()["n"].to_list() == here["n"].to_pylist()
    assert repr(pool) == f"Sweep({str(tmp_path / 'pool')!r}, 8 runs)"
    assert bits(sm.read_sweep(tmp_path / "pool").table()) == bits(here)


def test_functions_make_worlds_and_measure_them():
    table = sm.sweep(strollers, {"speed": [1, 2.5]}, seeds=2, n=2, workers=2, measure={"far": far}).table()
    assert table.column_names[:4] == ["task", "speed", "seed", "far"]
    assert table["speed"].to_pylist() == [1.0, 1.0, 2.5, 2.5]
    assert all(0 < value < 40 for value in table["far"].to_pylist())
    table = sm.sweep(
        strollers, {"dt": [0.1, 0.05]}, on="here", measure={"steps": lambda stage: stage.world.steps}
    ).table()
    assert table["steps"].to_pylist() == [5, 10]


def test_a_document_is_swept_as_its_file_is(tmp_path):
    file = tmp_path / "ants.toml"
    document = sm.to_document(strollers().world)
    sm.write_document(document, file)
    values = {"populations.strollers.steering.strength": [0.2, 0.8]}
    about = {"seeds": 1, "on": "here", "steps": 3, "measure": "mean_speed"}
    assert bits(sm.sweep(document, values, **about).table()) == bits(sm.sweep(file, values, **about).table())


@pytest.mark.parametrize(
    ("change", "warned"),
    [
        ({}, True),
        ({"velocity": {"kind": "random", "speed": 1}, "forward": None}, False),
        ({"max_speed": {"low": 1, "high": 2}}, False),
        ({"position": None, "velocity": None, "forward": None, "n": 2, "spawn": {"shape": "disc", "radius": 9}}, False),
        (
            {"flows": [{"kind": "Spawner", "where": [[0, 0]], "rate": 1}]},
            False,
        ),
    ],
)
def test_seeds_that_begin_alike_are_warned_of(change, warned):
    document = sm.to_document(strollers().world)
    there = document["populations"][0] | change
    document["populations"] = [{key: value for key, value in there.items() if value is not None}]

    def said(scenario=document, **about):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            sm.sweep(scenario, on="here", steps=1, measure="mean_speed", **about)
        return [each for each in caught if "all seeds begin with the same vehicles" in str(each.message)]

    found = said(seeds=2)
    assert len(found) == warned
    assert all(each.filename == __file__ for each in found)
    assert not said(seeds=1)
    assert not said(alike, seeds=2)


def unseeded(*, speed=2.0):
    """A function that gets no seed."""
    return strollers(speed=speed)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (unseeded, "the function has no parameter seed"),
        (alike, "runs with other seeds end in the same state"),
        (strollers, None),
        (lambda *, seed=0: sm.World(seed=seed), None),  # Nothing in it is random.
        (lambda *, seed=0: [strollers(seed=seed).world, None][seed], None),  # One of them fails.
    ],
)
def test_seeds_without_effect_are_warned_of(make, message):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sm.sweep(make, seeds=1, on="here", steps=1, measure={"time": lambda stage: stage.world.time})
        assert not caught
        sm.sweep(make, seeds=2, on="here", steps=1, measure={"time": lambda stage: stage.world.time})
    assert [(str(each.message).startswith(message), each.filename) for each in caught] == [(True, __file__)] * bool(
        message
    )


def test_runs_that_end_alike_may_have_differed():
    """Worlds without a seed that all vehicles have left: the measures tell them apart."""
    rows = [{"task": k, "state_hash": "a", "left": each} for k, each in enumerate((1.0, 1.0, 2.0, 3.0))]
    assert [same_end(pa.Table.from_pylist(part), 2, ["left"]) for part in (rows, rows[2:], rows[:1])] == [
        True,
        False,
        False,
    ]


def test_all_meters_are_measured_if_nothing_is_asked():
    table = sm.sweep("wander", seeds=1, steps=2, on="here").table()
    assert "strollers.mean_speed" in table.column_names
    assert len(table) == 1


def test_a_run_that_fails_is_a_row():
    found = sm.sweep(failing, {"speed": [2, -1]}, seeds=3, on="here", measure="mean_speed")
    rows = found.table().to_pylist()
    assert [row["error"] is None for row in rows] == [True, False, True, False, False, False]
    assert found.pandas()["error"].isna().tolist() == [True, False, True, False, False, False]
    assert "seed 1 is not wanted" in rows[1]["error"]
    assert rows[1]["state_hash"] is None
    assert np.isnan(rows[1]["mean_speed"])
    assert "max_speed" in rows[3]["error"]
    assert found.failed == 4


def test_a_sweep_compiles_without_a_word(monkeypatch):
    asked = []
    monkeypatch.setattr(
        import_module("steersman.runs.sweeps.sweep"), "warmup", lambda world, **about: asked.append(about)
    )
    sm.sweep(strollers, seeds=1, steps=1, on="here", measure="mean_speed")
    assert asked == [{"progress": None}]


def test_a_process_that_dies_costs_its_run_alone():
    rows = sm.sweep(dying, seeds=6, workers=2, measure="mean_speed").table().to_pylist()
    assert [row["error"] for row in rows if row["seed"] != 2] == [None] * 5
    assert rows[2]["error"] == "the process that made this run has ended: it crashed, or was killed"


def test_a_run_is_made_that_was_at_hand_when_the_pool_broke(monkeypatch):
    """A process may end while no run is being made: then the pool is found broken when it is handed the next one."""
    hand_out, handed = crews._hand_out, []

    def breaking(pool, task):
        handed.append(task.number)
        if len(handed) == 4:
            raise BrokenExecutor("a process has ended")
        return hand_out(pool, task)

    monkeypatch.setattr(crews, "_hand_out", breaking)
    table = sm.sweep(strollers, seeds=6, workers=2, measure="mean_speed").table()
    assert table["seed"].to_pylist() == [0, 1, 2, 3, 4, 5]
    assert table["error"].to_pylist() == [None] * 6


def test_runs_that_had_ended_when_the_pool_broke_are_not_made_again(monkeypatch):
    wait, hand_out, broken, handed = crews.wait, crews._hand_out, [], []

    def counting(pool, task):
        handed.append(task.number)
        return hand_out(pool, task)

    def breaking(futures, return_when):
        if not broken:
            broken.append(wait(futures))
            raise BrokenExecutor("a process has ended")
        return wait(futures, return_when=return_when)

    monkeypatch.setattr(crews, "wait", breaking)
    monkeypatch.setattr(crews, "_hand_out", counting)
    table = sm.sweep(strollers, seeds=3, workers=2, measure="mean_speed").table()
    assert table["seed"].to_pylist() == handed == [0, 1, 2]
    assert table["error"].to_pylist() == [None] * 3


PROGRAM = """
import signal, sys, steersman as sm
from steersman.runs.sweeps.store import Store
add = Store.add
def adding(store, rows):  # It does not end before it is killed.
    add(store, rows)
    if len(store.table()) >= 12:
        signal.pause()
Store.add = adding
sm.sweep("wander", {"n": [3, 4, 5, 6]}, seeds=8, seconds=1.0, measure="polarization", workers=2, out=sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal")
def test_a_sweep_that_is_killed_goes_on_and_its_processes_end(tmp_path):
    program = [sys.executable, "-c", PROGRAM, str(tmp_path / "killed")]
    process = subprocess.Popen(program, start_new_session=True)
    while process.poll() is None and len(_parts(tmp_path / "killed")) < 5:
        time.sleep(0.005)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while _alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(process.pid)
    kept = sm.read_sweep(tmp_path / "killed").table()
    assert 5 <= len(kept) < 32
    about = {"seeds": 8, "seconds": 1.0, "measure": "polarization"}
    table = sm.sweep("wander", {"n": [3, 4, 5, 6]}, workers=2, out=tmp_path / "killed", **about).table()
    whole = sm.sweep("wander", {"n": [3, 4, 5, 6]}, on="here", **about).table()
    assert bits(table) == bits(whole)
    numbers = kept["task"].to_numpy()  # What was there has not been made again.
    assert table.take(numbers)["seconds"].equals(kept["seconds"])


def _parts(folder: Path) -> list[Path]:
    return list(folder.glob("rows/part-*.parquet"))


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_many_parts_become_one_table_on_the_way(tmp_path, monkeypatch):
    monkeypatch.setattr("steersman.runs.sweeps.store.FEW", 4)
    seen = []

    def look(done, count):
        seen.append((len(_parts(tmp_path)), len(sm.read_sweep(tmp_path))))

    sm.sweep(strollers, seeds=30, on="here", measure="mean_speed", out=tmp_path, progress=look)
    assert max(parts for parts, _ in seen) <= max(4, 30 // 4)
    assert [rows for _, rows in seen] == list(range(31))
    assert store.FEW == 4


def test_only_what_failed_is_made_again_and_what_was_made_is_counted(tmp_path, monkeypatch):
    about = {"seeds": 3, "on": "here", "measure": "mean_speed", "out": tmp_path}
    before = sm.sweep(failing, **about).table()
    monkeypatch.setitem(failing.__globals__, "BROKEN", [])
    assert sm.sweep(failing, **about).failed == 1  # Without retry it stays so.
    told = []
    after = sm.sweep(failing, retry=True, progress=lambda done, count: told.append((done, count)), **about).table()
    assert told == [(2, 3), (3, 3)]
    assert before["error"].null_count == 2
    assert after["error"].to_pylist() == [None] * 3
    assert after["seconds"].to_pylist()[::2] == before["seconds"].to_pylist()[::2]


def test_a_sweep_that_goes_on_says_how_many_runs_of_all_there_are(tmp_path):
    def stop(done, count):
        if done == 2:
            raise KeyboardInterrupt

    about = {"seeds": 3, "on": "here", "steps": 1, "n": 2, "measure": "mean_speed", "out": tmp_path}
    with pytest.raises(KeyboardInterrupt):
        sm.sweep("wander", progress=stop, **about)
    assert repr(sm.read_sweep(tmp_path)) == f"Sweep({str(tmp_path)!r}, 2 of 3 runs)"
    assert repr(sm.sweep("wander", **about)) == f"Sweep({str(tmp_path)!r}, 3 runs)"


def stopping(done, count):
    if done == 1:
        raise KeyboardInterrupt


@pytest.mark.parametrize("full", [False, True])
def test_a_sweep_that_was_stopped_makes_one_table_and_leaves_its_folder_to_the_next(tmp_path, monkeypatch, full):
    """Also where that table cannot be written."""
    about = {"seeds": 3, "on": "here", "steps": 1, "n": 2, "measure": "mean_speed", "out": tmp_path}
    with monkeypatch.context() as broken:
        if full:
            broken.setattr(store.Store, "settle", lambda rows: os.stat("/the disk is full"))
        with pytest.raises(FileNotFoundError if full else KeyboardInterrupt):
            sm.sweep("wander", progress=stopping, **about)
    assert (tmp_path / "table.parquet").exists() == (not full)
    assert len([*(tmp_path / "rows").iterdir()]) == full
    assert len(sm.sweep("wander", **about)) == 3


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_sweep_that_cannot_begin_leaves_its_folder_to_the_next(tmp_path, monkeypatch, error):
    """The folder for rows was there then, and was taken for that of another program."""

    def fails(*given):
        raise error

    about = {"on": "here", "steps": 1, "n": 2, "measure": "mean_speed", "out": tmp_path}
    with monkeypatch.context() as broken:
        broken.setattr(store, "write_whole", fails)
        with pytest.raises((RunError, KeyboardInterrupt)):
            sm.sweep("wander", **about)
    assert len(sm.sweep("wander", **about)) == 1


@pytest.mark.parametrize("other", [{"steps": 3}, {"n": 4}, {"seeds": 2}, {"dt": 0.05}])
def test_a_sweep_goes_on_with_the_same_settings_alone(tmp_path, other):
    about = {"on": "here", "steps": 2, "n": 3, "measure": "polarization", "out": tmp_path}
    made = sm.sweep("wander", **about).table()
    with pytest.raises(RunError, match=f"with other {next(iter(other))}; choose"):
        sm.sweep("wander", **about | other)
    assert sm.sweep("wander", **about).table().equals(made)


def test_a_folder_takes_one_sweep(tmp_path):
    about = {"on": "here", "steps": 2, "measure": "polarization", "out": tmp_path}
    sm.sweep("wander", {"n": [3]}, **about)
    with pytest.raises(RunError, match=r"with other values or design; .* replace it with force=True \(--force\)"):
        sm.sweep("wander", {"n": [4]}, **about)
    with pytest.raises(RunError, match="with other scenario and measure;"):
        sm.sweep(strollers, {"n": [3]}, **about | {"measure": "mean_speed"})
    assert sm.sweep("wander", {"n": [4]}, force=True, **about).table()["n"].to_pylist() == [4]
    (tmp_path / "sweep.json").unlink()
    with pytest.raises(RunError, match="that no sweep has left"):
        sm.sweep("wander", {"n": [4]}, **about)
    with pytest.raises(RunError, match="there is no sweep"):
        sm.read_sweep(tmp_path)
    (tmp_path / "sweep.json").write_text('{"of": "another program"}')
    for force in (False, True):
        with pytest.raises(RunError, match="is not that of a sweep"):
            sm.sweep("wander", {"n": [4]}, force=force, **about)
    assert (tmp_path / "sweep.json").read_text() == '{"of": "another program"}'
    assert (tmp_path / "table.parquet").exists()


@pytest.mark.parametrize(
    ("about", "error", "message"),
    [
        ({"scenario": "wandr"}, ScenarioError, "did you mean 'wander'"),
        ({"scenario": 7}, TypeError, "a name, a file, a document, or a function"),
        ({"values": {"populations.strollers.max_sped": [1]}}, ScenarioError, "did you mean 'max_speed'"),
        (
            {"scenario": "doorway", "values": {"widht": [1]}},
            ScenarioError,
            "did you mean 'width'. .parameters of doorway",
        ),
        ({"values": {"populations.strollers.max_speed": [-1, -2]}}, ScenarioError, "max_speed"),
        ({"values": {"seconds": [1, 2]}}, ValueError, "give seconds="),
        ({"measure": "polarisation"}, ValueError, "did you mean 'polarization'"),
        ({"measure": "polarization:median"}, ValueError, "METRIC"),
        ({"measure": "polarization:mean:x"}, ValueError, "number of seconds"),
        ({"measure": "distance_to"}, ValueError, "needs a reference"),
        ({"measure": 3}, TypeError, "names of metrics"),
        ({"measure": ["polarization", "polarization"]}, ValueError, "two columns"),
        ({"seeds": 0}, ValueError, "at least one"),
        ({"seeds": [1, 1]}, ValueError, "each once"),
        ({"seeds": "ab"}, TypeError, "whole numbers"),
        ({"on": "moon"}, ValueError, "on must be one of here, pool"),
        ({"on": "pool=4"}, ValueError, "ray=ADDRESS"),
        ({"on": 3}, TypeError, "or an Executor"),
        ({"workers": 0}, ValueError, "workers"),
        ({"valus": 3}, TypeError, "values"),
    ],
)
def test_wrong_calls_are_refused_before_anything_is_run(about, error, message, tmp_path):
    with pytest.raises(error, match=message):
        sm.sweep(**{"scenario": "wander", "steps": 1, "out": tmp_path / "new"} | about)
    assert not (tmp_path / "new" / "sweep.json").exists()


def test_a_meter_is_summed_up_over_its_last_seconds():
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="one")
    stage = sm.Stage(world, seconds=9.0)  # It may be run for another time.
    stage.watch("one", clock=lambda _: world.time, every=sm.EverySteps(1))
    values = {"now": 1.0, "start": 0.0, "least": 0.0, "greatest": 1.0, "mean": 0.5, "mean:0.2": 0.9, "mean:0.4s": 0.8}
    values |= {f"least:{k / 10}": 1 - k / 10 for k in range(11)}  # The reading at the border counts, whatever rounding.
    world.run(seconds=1)
    for text, value in values.items():
        assert as_measures(f"clock:{text}")[f"clock:{text}"].of(stage) == pytest.approx(value), text


def test_readings_of_nan_do_not_count():
    """As in a meter: once all vehicles have left, a mean over them is NaN."""
    world = sm.World(dt=0.25)
    world.add(sm.Vehicles([[0.0, 0.0]], [1.0, 0.0], max_speed=1), name="one", flows=[sm.Sink(older_than=1.0)])
    stage = sm.Stage(world, seconds=2.0)
    stage.watch("one", "mean_speed")
    stage.watch("one", never=lambda _: np.nan)
    world.run(seconds=2)
    kept = stage.meters["one.mean_speed"]
    assert (kept.start, kept.least, kept.greatest, np.isnan(kept.now)) == (1, 1, 1, True)
    for text in ("start", "least", "greatest", "mean", "now", "mean:0.5"):
        found = [as_measures(f"{name}:{text}")[f"{name}:{text}"].of(stage) for name in ("mean_speed", "never")]
        assert np.array_equal(found, [np.nan if text in ("now", "mean:0.5") else 1, np.nan], equal_nan=True), text


def test_work_for_others_can_be_sent(tmp_path):

    work = Work("wander", ("n",))
    assert loads(dumps(work)) == work


@pytest.mark.parametrize(("kind", "package"), [("ray", "ray"), ("dask", "distributed")])
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_makes_the_same_table(kind, package):
    pytest.importorskip(package)
    about = {"seeds": 2, **SHORT}
    assert bits(sm.sweep("wander", VALUES, on=kind, **about).table()) == bits(
        sm.sweep("wander", VALUES, **about).table()
    )


class Broken(Executor):
    """An executor whose futures fail."""

    def __init__(self, error):
        self.error = error

    def submit(self, function, /, *args, **kwargs):
        future = Future()
        future.set_exception(self.error)
        return future


def test_an_executor_that_cannot_do_it_is_told_from_a_machine_that_was_lost():
    with pytest.raises(TypeError, match="can be sent to other processes: cannot pickle"):
        sm.sweep(strollers, on=Broken(PicklingError("cannot pickle lambda")), measure="mean_speed")
    with pytest.raises(BrokenExecutor):
        sm.sweep(strollers, on=Broken(BrokenExecutor("gone")), measure="mean_speed")
    about = {"seeds": 2, "measure": "mean_speed", "progress": lambda done, count: told.append((done, count))}
    told = []
    lost = sm.sweep(strollers, on=Broken(ConnectionError("no such machine")), **about)
    assert (told[0], told[-1]) == ((0, 2), (2, 2))  # Both have ended at once.
    assert lost.table()["error"].to_pylist() == ["ConnectionError: no such machine"] * 2


def test_ctrl_c_while_a_row_is_written_keeps_the_row(tmp_path, monkeypatch):
    write = store._write

    def interrupted(table, path):
        if path.name == "part-00002.parquet":
            path.with_name(f".{path.name}.tmp").write_bytes(b"half of it")
            raise KeyboardInterrupt
        write(table, path)

    monkeypatch.setattr(store, "_write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sm.sweep(strollers, seeds=5, on="here", measure="mean_speed", out=tmp_path)
    assert sm.read_sweep(tmp_path).table()["seed"].to_pylist() == [0, 1, 2]
    assert list((tmp_path / "rows").iterdir()) == []


def test_parts_that_were_left_are_not_written_over(tmp_path: Path) -> None:
    """Their numbers go on from the last one, of however many parts: some were made one table before."""
    pa = pytest.importorskip("pyarrow")
    schema, call = pa.schema([("task", pa.int64())]), {"steersman": "0", "seeds": [1]}

    def added(*tasks: int, settled: bool = False) -> None:
        kept = store.Store(schema, tmp_path, call)
        for task in tasks:
            kept.add([{"task": task}])
        if settled:
            kept.settle()
            for task in (7, 8):
                kept.add([{"task": task}])
        kept.close()

    added(0, 1, 2, settled=True)
    added(3, 4, 5, 6)
    assert store.read_table(tmp_path)["task"].to_pylist() == [0, 1, 2, 3, 4, 5, 6, 7, 8]

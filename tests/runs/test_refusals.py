"""Errors that no other test of these folders meets: what is refused, and in which words."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from calling import SMALL, call

import steersman as sm
from steersman.adapters.export import export
from steersman.cli.commands import run as run_command
from steersman.cli.running import performance, whole_run
from steersman.core.world.observers import Trigger
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.writing import NoDocumentError
from steersman.learning.tasks import Pursuit
from steersman.runs import metrics
from steersman.runs.documents.files import save_document
from steersman.runs.metrics.coverage import Coverage
from steersman.runs.metrics.crowding import corners_of
from steersman.runs.metrics.stuck import StuckWatch
from steersman.runs.recording import meta, parts, recording
from steersman.runs.recording.folder import RunError
from steersman.runs.snapshots import container, restoring
from steersman.runs.sweeps import crews, design, store
from steersman.runs.sweeps.measures import as_measures
from steersman.runs.tuning import searching
from steersman.scaling.split_world import SplitWorld

FLAT = np.zeros((3, 2))
MOVING = {"velocity": np.ones((3, 2))}
TORUS = sm.Torus([9, 9])
CORNER = [[0, 0], [9, 0], [9, 9], [8, 9], [8, 1], [0, 1]]


class Always(Trigger):
    """A trigger of ones own."""

    def due(self, step, time, dt):
        return True


class Own(sm.Torus):
    """A class that no document knows."""


def world(**about):
    made = sm.World(**about)
    made.add(sm.Vehicles([[1, 1]], max_speed=1), name="ants", steering=sm.Wander())
    return made


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda: metrics.number_fluctuations(FLAT, sm.Open()), TypeError, "domain must be a Torus or a Box, which have"),
        (lambda: metrics.number_fluctuations(FLAT, TORUS, divisions=[1]), ValueError, "divisions must be whole numbers"),
        (lambda: metrics.correlation_length([1, 2]), TypeError, "correlation must be distances and values"),
        (lambda: metrics.pair_correlation(FLAT, reach=3, within=3), TypeError, "within must be a Box"),
        (lambda: metrics.space_time(np.zeros((4, 3, 2)), 1, [0, 1], axis=2), ValueError, "axis must be between 0 and 1"),
        (lambda: metrics.lane_order(FLAT, [1, 0, 0], 1, **MOVING), ValueError, "axis must have 2 dimensions like"),
        (lambda: metrics.lane_order(FLAT, [1, 1], 1, TORUS, **MOVING), ValueError, "along one of the axes of the torus"),
        (lambda: metrics.retreat(FLAT, [[0, 0], [1, 1]], **MOVING), ValueError, "one point, or one for each of 3 vehicles"),
        (lambda: metrics.distance_to(FLAT, [[1, 2, 3]]), ValueError, r"target must have shape \(2,\) or \(m, 2\), got"),
        (lambda: metrics.overlap(FLAT, radius=[1, 2]), ValueError, r"radius must be one number or have shape \(3,\), got"),
        (lambda: metrics.overlap(FLAT, radius=-1), ValueError, "radius must be >= 0 m, got -1"),
        (lambda: metrics.overlap(FLAT, [9, 9], radius=1), TypeError, "domain must be a Torus, Box or Open, got"),
        (lambda: corners_of("area", sm.Box([1, 1, 1])), ValueError, "area must be in the plane, got a Box in 3D"),
        (lambda: Coverage(sm.Polygon(CORNER), sm.Vehicles(FLAT), reach=1, cell=9), ValueError,
         "cell must be smaller than the region, got 9 m"),
        (lambda: StuckWatch(3, radius=1, seconds=1), TypeError, "name must be that of a population, got 3"),
        (lambda: parts.unpacked("!" + parts.packed(np.arange(3)), np.int64, 3), ValueError, "base64"),
        (lambda: save_document({"x": np.array([None])}, Path("no.toml")), ValueError, "Object arrays cannot be saved"),
        (lambda: as_measures([3]), TypeError, "measure must have names of metrics, or functions of the stage, got 3"),
        (lambda: sm.Stage(world(), notes=[3]), TypeError, "notes must be shapes, and functions that return shapes, got 3"),
        (lambda: sm.Stage(world(), check=3), TypeError, "check must be a function of the stage, or None, got 3"),
        (lambda: sm.Stage(world(), picture=3), TypeError, "picture must be a Picture, got 3"),
        (lambda: sm.to_document(world(domain=Own([9, 9]))), NoDocumentError, "domain: a class of your own has no document"),
        (lambda: sm.Network([3]), ValueError, "sizes must be two whole numbers >= 1 or more, got"),
        (lambda: sm.Policy(lambda seen: seen, Pursuit(), 3), TypeError, "others must be populations by name, got 3"),
        (lambda: SplitWorld(world(), 3, False, 1, 0.1), TypeError, r"link must be a Link, such as MPILink\(\), got 3"),
    ],
)  # fmt: skip
def test_arguments(function, error, words):
    with pytest.raises(error, match=words):
        function()


@pytest.mark.parametrize(
    ("place", "function", "words"),
    [
        (crews, lambda: crews.Crew(None, "ray"), r"on='ray' needs ray; please run: pip install ray"),
        (design, lambda: design.combinations({"a": design.Span(0, 1)}, "sobol", 2), r"needs scipy.*steersman\[sweep\]"),
        (store, store.require, r"sweeps need pyarrow.*steersman\[sweep\]"),
        (searching, lambda: searching.new_search({"a": design.Span(0, 1)}, [0], goals=1, budget=1, seed=0, method=None),
         r"tuning needs cmaes here.*steersman\[tune\]"),
    ],
)  # fmt: skip
def test_packages_that_are_missing(place, function, words, monkeypatch):
    monkeypatch.setattr(place, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=words):
        function()


def test_without_scipy_there_are_no_volumes(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ImportError, match=r"needs scipy; please run: pip install .steersman\[measure\]"):
        metrics.voronoi_volumes(np.zeros((4, 3)), sm.Torus([9, 9, 9]))


def test_a_meter_that_no_document_can_hold():
    made = world()
    (meter,) = made.watch("ants", "mean_speed", every=Always()).values()
    with pytest.raises(NoDocumentError, match=r"mean_speed: read every so many seconds or steps has a document"):
        sm.to_document(made)
    with pytest.raises(ValueError, match="there must be a value for each time, got 0 for 1"):
        meter.resume({"times": [1.0], "values": []})


def test_snapshots(tmp_path, monkeypatch):
    made, path = world(), tmp_path / "a.steersman"
    with pytest.raises(SnapshotError, match="functions must be a table of names and functions, got the name 3"):
        made.save(path, functions={3: print})
    with monkeypatch.context() as patch:
        patch.setattr(container, "LONGEST_TEXT", 10)
        with pytest.raises(SnapshotError, match="there is more text in this world"):
            made.save(path)
    made.save(path)
    monkeypatch.setattr(restoring, "state_hash", lambda world: "another")
    with pytest.raises(SnapshotError, match="it is not the world that was saved"):
        made.restore(path)


@pytest.fixture
def run(tmp_path):
    """The folder of a recorded run."""
    pytest.importorskip("pyarrow")
    made = world()
    made.watch("ants", "mean_speed", every=0.1)
    with made.record(tmp_path / "run", every=0.1):
        made.run(seconds=0.3)
    return tmp_path / "run"


def test_runs(run, monkeypatch):
    with pytest.raises(KeyError, match="no population is called 'bees'; there are: ants"):
        sm.read_run(run).frame(0)["bees"]
    about = json.loads((run / "meta.json").read_text())
    for changes, words in (
        ({"metric_parts": [3]}, "the entry of part 0 of the metrics is wrong"),
        ({"parts": [about["parts"][0] | {"frames": 3}]}, "is not the part that meta.json tells of"),
    ):
        (run / "meta.json").write_text(json.dumps(about | changes))
        with pytest.raises(RunError, match=words):
            sm.read_run(run)
    (run / "meta.json").write_text(json.dumps(about))
    next((run / "metrics").iterdir()).unlink()
    with pytest.raises(RunError, match=r"metrics.part-00000.parquet: is missing"):
        sm.read_run(run).metrics()
    next((run / "trajectory").iterdir()).unlink()
    (run / "meta.json").write_text(json.dumps(about | {"frames": 0, "parts": []}))
    with pytest.raises(RunError, match="no part of the run is whole yet, so there are no frames"):
        sm.read_run(run).positions(0)
    monkeypatch.setattr(meta, "LARGEST", 10)
    with pytest.raises(RunError, match=r"is no meta.json of a run: it has more than 10 bytes"):
        sm.read_run(run)


def full(*args, **about):
    raise OSError(28, "No space left on device")


def test_a_disk_that_is_full(tmp_path, monkeypatch):
    """The folder is unlocked afterwards."""
    pytest.importorskip("pyarrow")
    for place, name, write in (
        (recording, "write_meta", lambda folder: world().record(folder)),
        (type(tmp_path), "mkdir", lambda folder: world().record(folder)),
        (store.Store, "_open", lambda folder: sm.sweep("wander", seeds=1, steps=1, on="here", out=folder)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, full)
            with pytest.raises(RunError, match="cannot be written to: No space left"):
                write(tmp_path / name)
    world().record(tmp_path / "_open" / "once" / "again").close()


def test_the_folder_of_a_sweep(tmp_path):
    pytest.importorskip("pyarrow")

    def swept(**about):
        sm.sweep("wander", seeds=1, steps=1, on="here", out=folder, **about)

    folder = tmp_path / "new" / "sweep"
    swept()
    about = next(folder.glob("*.json"))
    whole = about.read_text()
    for text, words in (("[]", "is not that of a sweep"), ("{", "cannot be read")):
        about.write_text(text)
        with pytest.raises(RunError, match=words):
            swept()
    about.write_text(whole)
    table = next(folder.glob("*.parquet"))
    table.write_bytes(b"PAR1")
    with pytest.raises(RunError, match="a file is damaged"):
        swept()
    table.unlink()  # As in a sweep that was killed.
    swept(force=True)
    assert table.exists()


def test_a_chart_without_matplotlib(tmp_path, monkeypatch):
    from steersman.runs.tuning.chart import draw_search

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"a chart needs matplotlib.*steersman\[draw\]"):
        draw_search(None, tmp_path / "a.png")


def test_no_vehicles_are_no_file(tmp_path):
    with pytest.raises(ValueError, match="there must be vehicles in some frame; there are none"):
        export(sm.World(), tmp_path / "a.glb", seconds=0.1)


# ----------------------------------------------------------------------------------------------------- the command


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def raising(error):
    def refuse(*args, **about):
        raise error

    return refuse


def ended(stage, **about):
    return performance.Outcome(planned=12, steps=5, interrupted=True)


@pytest.mark.parametrize(
    ("place", "name", "answer", "code", "words"),
    [
        (run_command, "prepare", raising(MemoryError()), 1, "there is not enough memory for so many vehicles"),
        (run_command, "prepare", raising(ImportError("needs x")), 1, "needs x"),
        (whole_run, "write_output", full, 1, "--out {out}: cannot be written: No space left on device"),
        (sm.Stage, "record", full, 1, "{out}: cannot be written: No space left on device"),
        (whole_run, "perform", ended, 130, "stopped after 5 of 12 steps; what was computed is kept"),
    ],
)  # fmt: skip
def test_runs_that_end_early(place, name, answer, code, words, small, tmp_path, monkeypatch):
    monkeypatch.setattr(place, name, answer)
    result = call("run", small, "--out", tmp_path / "out", "--record", "--format", "csv")
    assert result.exit_code == code, result.output
    assert words.format(out=tmp_path / "out") in result.stderr


def test_what_goes_wrong_later_is_no_mistake_of_the_scenario(small, monkeypatch):
    step = sm.World.step

    def fail_later(world, dt=None):
        if world.steps == 3:
            raise RuntimeError("a fault")
        step(world, dt)

    monkeypatch.setattr(sm.World, "step", fail_later)
    result = call("run", small)
    assert isinstance(result.exception, RuntimeError)


def test_the_second_ctrl_c_ends_the_run_at_once():
    stop = performance.Stop()
    stop(2, None)
    with pytest.raises(KeyboardInterrupt):
        stop(2, None)


def test_a_sweep_whose_runs_all_fail(small, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("steersman.runs.sweeps.crews.perform", lambda work, task: work.empty(task, "no"))
    result = call("sweep", small, "--out", tmp_path / "out", "--on", "here", "--seeds", 2)
    assert result.exit_code == 1
    assert "2 of 2 runs failed; the first one: no" in result.stderr

"""Runs that are read back: tables, ways, moments, pictures; and files that are not what they should be."""

import json
import os
import random
import shutil
from pathlib import Path
from types import SimpleNamespace

import matplotlib.image
import numpy as np
import pytest
from runs.recording.worlds import comings_and_goings, flock

import steersman as sm
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.recording import reading, writer
from steersman.runs.recording import recording as module
from steersman.runs.recording.folder import RunError

EACH = sm.EverySteps(1)


def recorded(folder, world, steps=40, rows=200, **about):
    before, module.PART_ROWS = module.PART_ROWS, rows
    try:
        with world.record(folder, every=EACH, **about):
            world.run(steps=steps)
    finally:
        module.PART_ROWS = before
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    world = comings_and_goings()
    world.watch("boids", "polarization", every=0.1)
    return recorded(tmp_path_factory.mktemp("runs") / "run", world)


@pytest.fixture
def copied(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "run")


@pytest.fixture
def run(folder):
    return sm.read_run(folder)


def test_a_table_of_some_columns(run):
    table = run.table(["x", "id"])
    assert table.column_names == ["x", "id"]
    whole = run.table()
    assert whole.column_names == list(run.columns)
    assert table["x"].to_pylist() == whole["x"].to_pylist()
    walkers = run.table(["population", "id"], population="walkers")
    assert set(walkers["population"].to_pylist()) == {"walkers"}
    assert len(walkers) + len(run.table(["id"], population="boids")) == len(whole)
    with pytest.raises(ValueError, match="columns must be some of the run's, got 'vz'"):
        run.table(["vz"])
    with pytest.raises(KeyError, match="no population is called 'sheep'; there are: boids, walkers"):
        run.table(population="sheep")


def test_pandas_and_polars(run):
    frame = pytest.importorskip("pandas") and run.pandas(["frame", "population", "x"])
    assert list(frame.columns) == ["frame", "population", "x"]
    assert str(frame["population"].dtype) == "category"
    pytest.importorskip("polars")
    assert run.polars(["frame", "x"])["x"].to_list() == frame["x"].tolist()


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_what_is_not_installed_is_said(package, run, monkeypatch):
    monkeypatch.setattr("steersman.runs.optional.find_spec", lambda name: None if name == package else name)
    with pytest.raises(ImportError, match=rf"this needs {package}; please run: pip install"):
        (lambda: sm.read_run(run.folder))() if package == "pyarrow" else getattr(run, package)()


def test_the_way_of_one_vehicle(run):
    table = run.pandas() if pytest.importorskip("pandas") else None
    for population, id in (("boids", 4), ("walkers", 0), ("walkers", 3)):
        rows = table[(table["population"] == population) & (table["id"] == id)]
        track = run.path(id, population)
        np.testing.assert_array_equal(track.frame, rows["frame"])
        np.testing.assert_array_equal(track.time, rows["time"])
        np.testing.assert_array_equal(track.position, rows[["x", "y"]])
        np.testing.assert_array_equal(track.velocity, rows[["vx", "vy"]])
    assert 0 < len(run.path(0, "walkers").frame) < run.frames  # It came and went.
    with pytest.raises(KeyError, match="no vehicle of 'boids' has id 99"):
        run.path(99, "boids")
    with pytest.raises(ValueError, match="which population is meant must be said: boids, walkers"):
        run.path(3)


@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_a_table_of_another_package_is_of_the_population_that_is_asked_for(form, run):
    pytest.importorskip(form)
    table = getattr(run, form)(["id", "x"], population="walkers")
    assert table["x"].to_list() == run.table(["x"], population="walkers")["x"].to_pylist()


def test_tracks_are_of_the_population_that_is_asked_for(run):
    tracks, table = run.tracks("walkers"), run.table(["frame", "id", "y", "vx"], population="walkers")
    np.testing.assert_array_equal(tracks.frame, np.sort(table["frame"]))
    for column, values in (("id", tracks.id), ("y", tracks.position[:, 1]), ("vx", tracks.velocity[:, 0])):
        np.testing.assert_array_equal(values, table[column].to_numpy()[np.argsort(table["frame"], kind="stable")])


def test_the_scenario_of_a_run_is_made_with_one_thread_and_its_mistakes_have_lines(copied):
    assert sm.read_run(copied).stage().world.threads == 1
    file = copied / "scenario.toml"
    file.write_text("wrong = 1\n" + file.read_text())
    with pytest.raises(ScenarioError) as caught:
        sm.read_run(copied).stage()
    assert str(caught.value).startswith(f"{file}: 1 problem\n  line 1: wrong: there is no key 'wrong' here")


def test_moments_are_the_nearest_frames(run):
    dt = run.meta["dt"]
    assert [run.positions(time).number for time in (-5, 0, 0.4 * dt, 0.6 * dt, 7.2 * dt, 1e6)] == [0, 0, 0, 1, 7, 40]
    moment = run.positions(0.2)
    assert (moment.number, moment.step, moment.time) == (10, 10, run.times[10])
    assert "boids" in moment
    assert list(moment) == ["boids", "walkers"]
    assert len(moment) == 2
    assert "6 boids" in repr(moment)
    assert repr(run).startswith(f"Run('{run.folder}', 41 frames, 0 to 0.8 s, boids, walkers")
    vehicles = moment["boids"].as_vehicles()
    np.testing.assert_array_equal(vehicles.position, moment["boids"].position)
    for number in (41, -42):
        with pytest.raises(IndexError, match=f"frame must be between 0 and 40, got {number}"):
            run.frame(number)


@pytest.mark.parametrize("name", ["obstacle_avoidance", "murmuration"])
def test_a_picture_has_the_scenery(name, tmp_path):
    stage = SCENARIOS[name].stage(n=20, threads=1)
    stage.picture = stage.picture.replace(sketch=None)  # A recorded run has no behaviors any more.
    with stage.record(tmp_path / "run", every=0.1):
        stage.world.run(seconds=0.5)
    stage.draw(tmp_path / "live.png")
    run = sm.read_run(tmp_path / "run")
    run.draw(99, tmp_path / "read.png")
    live, read = (matplotlib.image.imread(tmp_path / f"{which}.png") for which in ("live", "read"))
    assert live.shape == read.shape
    assert np.mean(np.abs(live - read) > 0.02) < 0.002  # Where everybody was is written in single precision.
    assert run.draw(0).get_figure() is not None
    assert sm.draw(run.frame(0)) is not None
    for recorded in map(run.frame(2).__getitem__, run.populations):
        for column in ("id", "velocity", "forward", "radius", "up")[: 4 if recorded.up is None else 5]:
            np.testing.assert_allclose(getattr(recorded.as_vehicles(), column), getattr(recorded, column), atol=1e-6)


def test_a_run_that_goes_on_can_be_read(tmp_path):
    world = flock()
    with world.record(tmp_path / "run", every=EACH) as recording:
        world.run(steps=5)
        assert sm.read_run(tmp_path / "run").frames == 0
        recording.flush()
        world.run(steps=5)
        run = sm.read_run(tmp_path / "run")
        assert (run.frames, run.meta["closed"]) == (6, False)


# ---------------------------------------------------------------------------------------------------- what is damaged


def everything(folder):
    """All that can be read of a run."""
    run = sm.read_run(folder)
    return run.table(), run.metrics_table(), run.times.tolist(), run.frame(3)["boids"].position.tolist()


def test_a_bit_that_is_flipped_is_noticed(folder, copied):
    expected = everything(folder)
    chance = random.Random(3)
    files = sorted(copied.rglob("*.parquet"))
    noticed = 0
    for _ in range(400):
        path = chance.choice(files)
        good = path.read_bytes()
        bad = bytearray(good)
        bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        path.write_bytes(bad)
        try:
            found = everything(copied)
        except sm.RunError as error:
            noticed += str(path) in str(error)
        else:
            assert found == expected, path.name  # Nothing that matters has changed.
        path.write_bytes(good)
    assert noticed > 200
    print(f"400 bits flipped, {noticed} noticed, the others changed nothing")


def test_a_part_that_is_cut_is_noticed(copied):
    for path in (copied / "trajectory" / "part-00001.parquet", copied / "metrics" / "part-00000.parquet"):
        good = path.read_bytes()
        for length in (0, 3, 4, 11, len(good) // 2, len(good) - 9, len(good) - 1):
            path.write_bytes(good[:length])
            with pytest.raises(sm.RunError, match=f"{path.name}: (cannot be read|is not the file)"):
                everything(copied)
        path.write_bytes(good)
    everything(copied)


@pytest.mark.parametrize("parts", ["trajectory", "metrics"])
def test_a_part_is_missing_before_one_that_is_not_listed_yet(copied, parts):
    last = max((copied / parts).iterdir())
    between, after = (last.with_name(f"part-{int(last.stem[-5:]) + more:05d}.parquet") for more in (1, 2))
    shutil.copy(last, after)
    with pytest.raises(sm.RunError, match=f"{between.name}: is missing"):
        everything(copied)


def refused(folder, match):
    """Opening a run fails, and leaves no file open, which nobody could replace on some systems."""
    with pytest.raises(sm.RunError, match=match) as told:
        sm.read_run(folder)
    if Path("/proc/self/fd").exists():
        links = [Path("/proc/self/fd", each) for each in os.listdir("/proc/self/fd")]
        still = [os.readlink(each) for each in links if each.is_symlink()]
        assert not [each for each in still if each.startswith(str(folder))], told.value


def test_a_part_that_is_missing_or_foreign(copied, tmp_path):
    trajectory = copied / "trajectory"
    first, second = trajectory / "part-00000.parquet", trajectory / "part-00001.parquet"
    good = second.read_bytes()
    second.unlink()
    refused(copied, r"part-00001\.parquet: is missing")
    shutil.copy(first, second)
    refused(copied, r"part-00001\.parquet: is of this run, but its part 0")
    other = recorded(tmp_path / "other", comings_and_goings())
    shutil.copy(other / "trajectory" / second.name, second)
    refused(copied, r"part-00001\.parquet: is of another run; put the right file")
    pyarrow = pytest.importorskip("pyarrow")
    pyarrow.parquet.write_table(pyarrow.table({"x": [1.0]}), second)
    refused(copied, r"part-00001\.parquet: is no part of a recorded run")
    second.write_bytes(good)
    last = max(trajectory.iterdir())
    shutil.copy(other / "trajectory" / last.name, trajectory / f"part-{int(last.stem[-5:]) + 1:05d}.parquet")
    refused(copied, "is of another run")


def test_whole_parts_that_are_not_listed_yet_are_read(copied):
    """As after a kill between a part and meta.json."""
    path = copied / "meta.json"
    meta = json.loads(path.read_text())
    path.write_text(json.dumps({**meta, "parts": meta["parts"][:-1], "closed": False}))
    assert sm.read_run(copied).frames == 41


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no recorded run: meta.json is missing"),
        ("", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ("3", "is no meta.json of a recorded run"),
        ('{"kind": "steersman run", "version": 99}', "is of version 99; this steersman reads up to version 1"),
        ('{"kind": "steersman run", "version": 1}', "is damaged: run is missing or no str"),
        ("\xff\xfe", "is no meta.json|cannot be read"),
    ],
)
def test_a_damaged_meta_json(text, message, copied):
    path = copied / "meta.json"
    path.unlink() if text is None else path.write_bytes(text.encode("latin-1"))
    with pytest.raises(sm.RunError, match=message):
        sm.read_run(copied)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dimensions", 7),
        ("dimensions", None),
        ("parts", [3]),
        ("parts", [{"first": 0}]),
        ("frames", True),
        ("columns", {}),
    ],
)
def test_a_meta_json_that_makes_no_sense(key, value, copied):
    meta = json.loads((copied / "meta.json").read_text())
    (copied / "meta.json").write_text(json.dumps({**meta, key: value}))
    with pytest.raises(sm.RunError, match=r"meta\.json: is damaged"):
        sm.read_run(copied)


def test_no_folder(tmp_path):
    with pytest.raises(sm.RunError, match="there is no recorded run"):
        sm.read_run(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(sm.RunError, match="Not a directory"):
        sm.read_run(tmp_path / "file")


def test_every_row_of_a_way_is_read_from_its_own_row_group(tmp_path, monkeypatch):
    """A vehicle is the first row of groups, leaves, and returns: the groups in between are skipped."""
    monkeypatch.setattr(writer, "GROUP_ROWS", 4)
    world = sm.World(seed=1, dt=0.1, threads=1)
    world.add(sm.Vehicles([[0.0, 0.0]], [[1.0, 0.0]], max_speed=2, id=[7]), name="first")
    world.add(sm.Vehicles(np.zeros((3, 2)), max_speed=2, id=[0, 1, 2]), name="others", steering=sm.Wander())
    before, module.PART_ROWS = module.PART_ROWS, 10_000
    try:
        with world.record(tmp_path / "run", every=EACH):
            world.run(steps=4)
            world["first"].remove(7)
            world.run(steps=4)  # Two frames a group: the vehicle comes back as the first row of one.
            world["first"].spawn([[50.0, 3.0]], velocity=[[1.0, 0.0]], id=[7])
            world.run(steps=4)
    finally:
        module.PART_ROWS = before
    run = sm.read_run(tmp_path / "run")
    track = run.path(7, "first")
    there = [0, 1, 2, 3, 4, 9, 10, 11, 12]
    assert track.frame.tolist() == there
    np.testing.assert_array_equal(track.time, run.times[there])
    np.testing.assert_array_equal(track.position, [run.frame(k)["first"].position[0] for k in there])


def test_a_part_that_is_refused_is_closed(tmp_path, monkeypatch):
    closed, header = [], {reading.KEY: json.dumps({"run": "run", "part": 0})}
    about = SimpleNamespace(metadata=header, num_rows=5, row_group=lambda k: SimpleNamespace(num_rows=3))
    file = SimpleNamespace(metadata=about, num_row_groups=1, close=lambda: closed.append(tmp_path / "part"))
    monkeypatch.setattr(reading, "opened", lambda path: file)
    with pytest.raises(RunError, match="its row groups are not all of it"):
        reading.whole_part(tmp_path / "part", 0, "run", 0)
    assert closed == [tmp_path / "part"]

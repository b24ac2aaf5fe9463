"""Runs in CSV: the same is read as from Parquet, and what is damaged is told."""

import json
import random
import shutil

import numpy as np
import pytest
from runs.recording.worlds import comings_and_goings, flock

import steersman as sm
from steersman.runs.recording import recording as module

pytest.importorskip("pyarrow")

EACH = sm.EverySteps(1)


def both(folder, world, steps=40, rows=150, **about):
    """The same run in Parquet and in CSV, in several parts."""
    before, module.PART_ROWS = module.PART_ROWS, rows
    try:
        with (
            world.record(folder / "parquet", every=EACH, **about),
            world.record(folder / "csv", every=EACH, format="csv", **about),
        ):
            world.run(steps=steps)
    finally:
        module.PART_ROWS = before
    return sm.read_run(folder / "parquet"), sm.read_run(folder / "csv")


def forgetful():
    """Somebody who is there at the start only, somebody who comes at the end only, and nobody in between."""
    world = sm.World(dt=0.1)
    early = sm.Vehicles(np.zeros((0, 2)), max_speed=2)
    world.add(early, name='say "hi", all\nof you', flows=[sm.Spawner(3.0, [[1, 2]]), sm.Sink(older_than=0.15)])
    return world


WORLDS = {
    "modes, two populations": comings_and_goings,
    "3D": lambda: flock(9, 3),
    "float64": lambda: flock(9, dtype=np.float64),
    "frames of nobody": forgetful,
}


@pytest.mark.parametrize("make", WORLDS.values(), ids=WORLDS.keys())
def test_csv_is_read_as_parquet_is(make, tmp_path):
    world = make()
    world.watch(next(iter(world.populations)), "mean_speed", "nearest_distance")
    ours, theirs = both(tmp_path, world)
    assert len(ours._parts) == len(theirs._parts) > 0
    assert theirs.frames == 41
    np.testing.assert_array_equal(theirs.times, ours.times)
    np.testing.assert_array_equal(theirs.steps, ours.steps)
    assert (make is forgetful) == (len(theirs.table(["frame"])["frame"].unique()) < 41)
    assert theirs.columns == ours.columns
    assert set(theirs.populations) == set(ours.populations)
    assert theirs.table().schema == ours.table().schema
    for name in ours.columns:
        values = [run.table([name])[name].to_pylist() for run in (theirs, ours)]
        np.testing.assert_array_equal(*values)
    for name in ("time", "label", "value"):
        np.testing.assert_array_equal(*(run.metrics_table()[name].to_pylist() for run in (theirs, ours)))
    for label, series in ours.metrics().items():
        np.testing.assert_array_equal(theirs.metrics()[label].values, series.values)
        np.testing.assert_array_equal(theirs.metrics()[label].times, series.times)
    for k in (0, 1, 17, 39, 40):
        one, other = ours.frame(k), theirs.frame(k)
        assert (one.time, one.step) == (other.time, other.step)
        for name in ours.populations:
            for column in ("id", "position", "velocity", "forward", "up", "radius", "mode"):
                np.testing.assert_array_equal(getattr(one[name], column), getattr(other[name], column))
    name, ids = ours.populations[0], ours.table(["id"], population=ours.populations[0])["id"].unique().to_pylist()
    for one, other in zip(ours.path(ids[0], name), theirs.path(ids[0], name), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(KeyError, match="has id 999 in this run"):
        theirs.path(999, name)


def test_what_somebody_does_not_have_is_nan(tmp_path):
    world = flock(5)
    world.add(sm.Vehicles([[5, 2]], max_speed=2), name="dog", steering=sm.Wander())
    ours, theirs = both(tmp_path, world, columns=["mass", "force", "Separation.force"])
    for name in ours.columns:
        np.testing.assert_array_equal(*(run.table([name])[name].to_pylist() for run in (theirs, ours)))
    assert np.isnan(theirs.frame(3)["dog"].columns["Separation.force_x"]).all()


def test_a_run_of_no_frames_and_one_that_goes_on(tmp_path):
    world = flock()
    with world.record(tmp_path / "run", every=EACH, format="csv") as recording:
        world.run(steps=5)
        assert sm.read_run(tmp_path / "run").frames == 0
        recording.flush()
        world.run(steps=5)
        assert sm.read_run(tmp_path / "run").frames == 6
    run = sm.read_run(tmp_path / "run")
    assert (run.frames, len(run.table())) == (11, 132)


def test_it_is_drawn(tmp_path):
    _, run = both(tmp_path, flock())
    assert run.draw(0.4, tmp_path / "a.png") is not None
    assert (tmp_path / "a.png").stat().st_size > 5000


def test_the_text_is_what_any_program_reads(tmp_path):
    polars = pytest.importorskip("polars")
    world = comings_and_goings()
    world.watch("boids", "mean_speed")
    ours, _ = both(tmp_path, world, steps=20, rows=10**6)
    theirs = polars.read_csv(tmp_path / "csv" / "trajectory" / "part-00000.csv")
    assert theirs.columns == list(ours.columns)
    for name in ours.columns:
        if theirs[name].dtype.is_numeric():
            assert (
                theirs[name].cast(polars.Float32).to_list() == ours.polars([name])[name].cast(polars.Float32).to_list()
            )
    lines = (tmp_path / "csv" / "metrics" / "part-00000.csv").read_text().splitlines()
    assert lines[0] == "time,label,value"
    assert lines[1].startswith("0.0,boids.mean_speed,")


def test_names_are_quoted(tmp_path):
    world = sm.World()
    world.add(sm.Vehicles([[1, 2]]), name='say "hi", all')
    world.record(tmp_path / "csv", format="csv").close()
    line = (tmp_path / "csv" / "trajectory" / "part-00000.csv").read_text().splitlines()[1]
    assert line == '0,0.0,0,"say ""hi"", all",1,2,0,0,1,0,0.5'
    assert sm.read_run(tmp_path / "csv").populations == ('say "hi", all',)


# ---------------------------------------------------------------------------------------------------- what is damaged


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    world = comings_and_goings()
    world.watch("boids", "polarization", every=0.1)
    return both(tmp_path_factory.mktemp("runs"), world)[1].folder


@pytest.fixture
def copied(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "run")


def everything(folder):
    run = sm.read_run(folder)
    return run.table(), run.metrics_table(), run.times.tolist(), run.frame(3)["boids"].position.tolist()


def test_a_bit_that_is_flipped_is_noticed(copied):
    everything(copied)
    chance = random.Random(3)
    files = sorted(copied.rglob("*.csv"))
    for _ in range(100):
        path = chance.choice(files)
        good = path.read_bytes()
        bad = bytearray(good)
        bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        path.write_bytes(bad)
        with pytest.raises(sm.RunError, match=f"{path.name}: is not the file that was written"):
            everything(copied)
        path.write_bytes(good)


@pytest.mark.parametrize("name", ["trajectory/part-00001.csv", "metrics/part-00000.csv"])
def test_a_part_that_is_cut_edited_or_missing_is_told(name, copied):
    path = copied / name
    lines = path.read_bytes().splitlines(keepends=True)
    for text in (b"", b"".join(lines[:-1]), b"".join(lines)[:-3], b"".join(lines[1:]), b"".join([*lines, lines[-1]])):
        path.write_bytes(text)
        with pytest.raises(sm.RunError, match=rf"{path.name}: is not the file that was written"):
            everything(copied)
    path.unlink()
    with pytest.raises(sm.RunError, match=rf"{path.name}: (is missing|cannot be read: No such file)"):
        everything(copied)


def test_parts_that_are_exchanged_are_told(copied):
    first, second = (copied / "trajectory" / f"part-0000{k}.csv" for k in (0, 1))
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    with pytest.raises(sm.RunError, match="is not the file that was written"):
        everything(copied)


def test_a_part_that_meta_does_not_tell_of_yet_is_not_read(copied):
    """As after a kill between a part and meta.json: nothing tells whether it is whole."""
    path = copied / "meta.json"
    meta = json.loads(path.read_text())
    frames = meta["parts"].pop()["frames"]
    path.write_text(json.dumps(meta))
    assert sm.read_run(copied).frames == 41 - frames


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda meta: meta["parts"][0].pop("said"), "the entry of part 0"),
        (lambda meta: meta["parts"][0].update(said=[1]), "the entry of part 0"),
        (lambda meta: meta["parts"][1]["said"].update(run="other"), "the entry of part 1"),
        (lambda meta: meta["parts"][1]["said"].update(frames="x"), "part-00001.csv: is damaged"),
        (lambda meta: meta["parts"][1]["said"].update(times="x"), "part-00001.csv: is damaged"),
        (lambda meta: meta["parts"][1]["said"].update(first=99), "part-00001.csv: is damaged"),
        (lambda meta: meta["parts"][0].update(rows=3), "part-00000.csv: is damaged"),
        (
            lambda meta: meta["columns"][0].update(type="object"),
            "part-00000.csv: is damaged: there is no type 'object'",
        ),
        (lambda meta: meta["columns"][0].update(type=[]), "the entry of column 0"),
        (lambda meta: meta["columns"].reverse(), "part-00000.csv: is damaged: its columns are frame, time"),
        (lambda meta: meta["columns"].append(3), "meta.json: is damaged: the entry of column 12"),
        (lambda meta: meta.update(format="xml"), "format must be parquet or csv, got 'xml'"),
    ],
)
def test_a_meta_json_that_makes_no_sense(change, message, copied):
    path = copied / "meta.json"
    meta = json.loads(path.read_text())
    change(meta)
    path.write_text(json.dumps(meta))
    with pytest.raises(sm.RunError, match=message):
        everything(copied)


def test_a_run_that_is_recorded_on_is_read_whole(tmp_path):
    world, folder = flock(5), tmp_path / "run"
    with world.record(folder, every=EACH, format="csv") as recording:
        world.run(steps=10)
        recording.flush()
        kept = world.save(tmp_path / "kept.steersman")
        world.run(steps=7)  # Which is dropped.
    world = sm.World.load(kept or tmp_path / "kept.steersman")
    with module.resume(world, folder):
        world.run(steps=4)
    run = sm.read_run(folder)
    assert run.steps.tolist() == list(range(15))
    assert len(run.table()) == 75
    np.testing.assert_array_equal(run.frame(-1)["boids"].position, world["boids"].position)

"""Exports: frames of runs and worlds, whole motions, and tables that pandas, MovingPandas and sumolib read."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from adapters.exported import frames, lively

import steersman as sm
from steersman.adapters.export import export
from steersman.adapters.frames import Frame, frames_of, motions_of, rows_of
from steersman.adapters.tracks import write_csv, write_moving_features


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A recorded run of the same world."""
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("runs") / "lively"
    world = lively()
    with world.record(folder, every=0.04):
        world.run(seconds=0.8)
    return sm.read_run(folder)


def test_a_recorded_run_has_the_frames_of_its_world(run):
    recorded = list(frames_of(run))
    assert len(recorded) == len(frames()) == 21
    for one, other in zip(recorded, frames(), strict=True):
        assert one.time == pytest.approx(other.time)
        for name, rows in other.populations.items():
            for mine, theirs in zip(one.populations[name], rows, strict=True):
                np.testing.assert_array_equal(mine, theirs)


def test_some_of_the_frames_can_be_asked_for(run):
    assert [frame.time for frame in frames_of(run, every=0.2)] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert [frame.time for frame in frames_of(run, every=0.07, seconds=0.3)] == pytest.approx([0, 0.08, 0.16, 0.24])
    usual = [frame.time for frame in frames_of(lively(), seconds=0.2)]
    assert usual == pytest.approx([0, 0.04, 0.08, 0.12, 0.16, 0.2])  # About 30 a second.


def test_a_run_that_begins_late_is_as_long_as_it_was_asked_for(tmp_path):
    """Seconds count from its first frame, not from the start of the world."""
    pytest.importorskip("pyarrow")
    world = lively()
    world.run(seconds=0.6)
    with world.record(tmp_path / "late", every=0.04):
        world.run(seconds=0.4)
    found = [frame.time for frame in frames_of(sm.read_run(tmp_path / "late"), every=0.08, seconds=0.2)]
    assert found == pytest.approx([0.6, 0.68, 0.76])


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_motion_has_every_vehicle_in_every_frame(dimensions):
    motions = motions_of(frames(dimensions))
    assert set(motions) == {"boids", "walkers"}
    walkers = motions["walkers"]
    assert not walkers.there.all(axis=1).any()
    assert walkers.there.any(axis=0).all()
    assert (np.diff(walkers.id) > 0).all()
    for k, frame in enumerate(frames(dimensions)):
        rows = frame.populations["walkers"]
        assert walkers.id[walkers.there[k]].tolist() == sorted(rows.id.tolist())
        order = np.argsort(rows.id)
        np.testing.assert_array_equal(walkers.position[k, walkers.there[k]], rows.position[order])
        np.testing.assert_array_equal(walkers.velocity[k, ~walkers.there[k]], 0)
    gone = np.flatnonzero(walkers.there[0] | (walkers.there[5] & ~walkers.there[-1]))
    last = len(walkers.times) - 1 - walkers.there[::-1, gone].argmax(axis=0)
    np.testing.assert_array_equal(walkers.position[-1, gone], walkers.position[last, gone])
    late = np.flatnonzero(~walkers.there[0])
    np.testing.assert_array_equal(
        walkers.position[0, late], walkers.position[walkers.there[:, late].argmax(axis=0), late]
    )


def test_jumps_are_those_over_the_seam():
    boids = motions_of(frames())["boids"]
    over = np.abs(np.diff(boids.position, axis=0)).max(axis=-1) > 20
    assert over.any()
    np.testing.assert_array_equal(boids.jumped, over)


@pytest.mark.parametrize("speeds", [(0.0, 10.0), (10.0, 0.0)])
def test_a_start_and_a_stop_are_no_jumps(speeds):
    """The way of a frame is at most that of its larger speed."""
    them = [
        sm.Vehicles([[x, 0]], [[speed, 0]], radius=0.1, max_speed=20) for x, speed in zip((0, 5), speeds, strict=True)
    ]
    frames = [Frame(time, {"a": rows_of(each)}) for time, each in zip((0.0, 1.0), them, strict=True)]
    assert not motions_of(frames)["a"].jumped.any()
    frames[1] = Frame(0.1, frames[1].populations)
    assert motions_of(frames)["a"].jumped.all()


def test_orientations_never_change_their_sign():
    angle = np.linspace(0, 4 * np.pi, 40)
    spin = [sm.Vehicles([[0, 0]], heading=each, max_speed=1, max_force=1) for each in angle]
    turn = motions_of(Frame(k / 10, {"top": rows_of(each)}) for k, each in enumerate(spin))["top"].quaternion[:, 0]
    assert ((turn[1:] * turn[:-1]).sum(axis=1) > 0.9).all()
    np.testing.assert_allclose(turn[-1], [1, 0, 0, 0], atol=1e-6)
    np.testing.assert_allclose(
        turn[20], [-np.cos(angle[20] / 2 - np.pi), 0, 0, -np.sin(angle[20] / 2 - np.pi)], atol=1e-6
    )


# ------------------------------------------------------------------------------------------------------------- tables


def test_a_name_with_a_comma_is_one_column(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = frames()[0].populations["boids"]
    write_csv([Frame(0.0, {'a, "b"': rows})], tmp_path / "a.csv")
    assert set(pandas.read_csv(tmp_path / "a.csv").population) == {'a, "b"'}


@pytest.mark.parametrize("ending", ["csv", "fcd.xml"])
def test_times_of_short_steps_late_in_a_run_are_different_ones(ending, tmp_path):
    """A float64 position has all its digits, too."""
    world = sm.World(dt=1e-5)
    world.add(sm.Vehicles([[1 / 3, 2 / 3]], dtype=np.float64))
    world.steps, world.time = 12_345_678_901, 123456.78901
    file = export(world, tmp_path / f"a.{ending}", seconds=3e-5, every=1e-5)
    if ending == "csv":
        found = np.genfromtxt(file, delimiter=",", names=True)
        times = found["time"].tolist()
        assert found["x"][0] == 1 / 3
    else:
        times = [float(each.get("time")) for each in ElementTree.parse(file).iter("timestep")]
    assert times == [123456.78901, 123456.78902, 123456.78903, 123456.78904]


def test_times_of_a_world_are_those_of_its_recording():
    """A clock is a sum of steps; its times are shown without the rounding of each."""
    world = sm.World(dt=0.02)
    world.add(sm.Vehicles([[0, 0]]))
    times = [frame.time for frame in frames_of(world, seconds=0.4, every=0.02)]
    assert times == [k / 50 for k in range(21)]


def test_beside_a_flat_population_others_keep_their_heights(tmp_path):
    flat, solid = (frames(d)[0].populations["boids"] for d in (2, 3))
    write_csv([Frame(0.0, {"flat": flat, "solid": solid})], tmp_path / "a.csv")
    z = np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True)["z"]
    np.testing.assert_allclose(z, np.concatenate([flat.position, solid.position])[:, 2], rtol=1e-6)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_has_its_columns_whoever_is_there(ending, tmp_path):
    """Of a population in space that is empty in the first frame, and later again."""
    pandas = pytest.importorskip("pandas")
    world = sm.World(dt=0.1, threads=1)
    world.add(sm.Vehicles([[1, 2]]), name="flat")
    flows = [sm.Spawner(5.0, [[0, 0, 9]], limit=1), sm.Sink(older_than=0.25)]
    world.add(sm.Vehicles(np.zeros((0, 3))), name="solid", flows=flows)
    table = getattr(pandas, f"read_{ending}")(export(world, tmp_path / f"a.{ending}", seconds=0.5, every=0.1))
    assert set(table.z) == {0.0, 9.0}
    assert {len(each) for _, each in table.groupby("frame")} == {1, 2}


@pytest.mark.filterwarnings(
    "ignore"
)  # MovingPandas calls what pandas 3 has deprecated, and warns of packages it lacks.
def test_moving_features_are_read_by_movingpandas(tmp_path):
    movingpandas = pytest.importorskip("movingpandas")
    write_moving_features(frames(), tmp_path / "a.mf.json", begins="2026-05-01T12:00:00+02:00")
    read = movingpandas.read_mf_json(str(tmp_path / "a.mf.json"), traj_id_property="vehicle")
    motions = motions_of(frames())
    tracks = {track.id: track for track in read.trajectories}
    counted = {f"{name}.{id}": (motion, k) for name, motion in motions.items() for k, id in enumerate(motion.id)}
    assert set(tracks) == {name for name, (motion, k) in counted.items() if motion.there[:, k].sum() > 1}
    for name, track in tracks.items():
        motion, k = counted[name]
        there = motion.there[:, k]
        np.testing.assert_allclose(
            track.df.geometry.get_coordinates().to_numpy(), motion.position[there, k, :2], atol=6e-5
        )
        np.testing.assert_allclose(track.df["speed"], np.linalg.norm(motion.velocity[there, k], axis=1), atol=6e-5)
        seconds = (track.df.index - track.df.index[0]).total_seconds()
        np.testing.assert_allclose(seconds, motion.times[there] - motion.times[there][0], atol=2e-6)
    assert tracks["boids.0"].df.index[0].isoformat() == "2026-05-01T12:00:00"


def test_vehicles_of_a_single_frame_are_no_moving_features(tmp_path):
    first = next(k for k, frame in enumerate(frames()) if len(frame.populations["walkers"].id))
    write_moving_features(frames()[: first + 1], tmp_path / "a.mf.json", begins="2026-05-01T12:00:00")
    features = json.loads((tmp_path / "a.mf.json").read_text())["features"]
    assert {each["properties"]["population"] for each in features} == {"boids"}
    moments = {each["temporalGeometry"]["datetimes"][0] for each in features}
    assert moments == {"2026-05-01T12:00:00.000000Z"}  # Without a zone UTC is meant.


def test_moving_features_say_what_they_are(tmp_path):
    write_moving_features(frames(3), tmp_path / "a.mf.json", crs="EPSG:25832")
    whole = json.loads((tmp_path / "a.mf.json").read_text())
    assert whole["crs"]["properties"]["name"] == "EPSG:25832"
    one = {each["properties"]["vehicle"]: each for each in whole["features"]}
    assert len(one["boids.1"]["temporalGeometry"]["coordinates"][0]) == 3
    assert one["boids.0"]["temporalGeometry"]["interpolation"] == "Discrete"  # It crosses the seam.
    assert one["boids.1"]["temporalGeometry"]["interpolation"] == "Linear"
    assert one["boids.1"]["temporalGeometry"]["datetimes"][:2] == [
        "2000-01-01T00:00:00.000000Z",
        "2000-01-01T00:00:00.040000Z",
    ]


@pytest.mark.parametrize("dimensions", [(2, 2), (2, 3), (3, 3)])
def test_all_moving_features_have_as_many_numbers(dimensions, tmp_path):
    them = {name: sm.Vehicles(np.ones((1, d))) for name, d in zip("ab", dimensions, strict=True)}
    rows = {name: rows_of(each) for name, each in them.items()}
    write_moving_features([Frame(0.0, rows), Frame(0.5, rows)], tmp_path / "a.mf.json")
    features = json.loads((tmp_path / "a.mf.json").read_text())["features"]
    points = [point for each in features for point in each["temporalGeometry"]["coordinates"]]
    assert {len(point) for point in points} == {max(dimensions)}


# ------------------------------------------------------------------------------------------------------------- export


def test_a_world_goes_on_while_it_is_exported(tmp_path):
    world, steps = lively(), []
    export(world, tmp_path / "a.csv", seconds=0.1, every=0.04, on_step=steps.append)
    assert steps == [1, 2, 3, 4, 5]
    assert world.time == pytest.approx(0.1)
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0].startswith("frame,time,population,id,x,y,vx,vy,forward_x,forward_y,radius")
    assert {float(line.split(",")[1]) for line in lines[1:]} == {0, 0.04, 0.08}


def test_a_run_that_fails_leaves_the_file_that_was_there(tmp_path):
    def fail(step):
        if step == 7:
            raise RuntimeError("enough")

    (tmp_path / "a.frames").write_text("before")
    with pytest.raises(RuntimeError, match="enough"):
        export(lively(), tmp_path / "a.frames", seconds=1, on_step=fail)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.frames", "before")]


def test_wrong_calls_are_refused_before_any_step(run, tmp_path):
    world = lively()
    for error, words, file, about in (
        (ValueError, r"must end in one of \.usda", "a.doc", {}),
        (ValueError, "seconds must be given", "a.csv", {}),
        (ValueError, "seconds", "a.csv", {"seconds": -1}),
        (TypeError, r"size is not for \.csv files", "a.csv", {"seconds": 1, "size": 2.0}),
        (TypeError, r"did you mean 'colors'\? \(these take: ", "a.glb", {"seconds": 1, "colours": {}}),
        (ValueError, "did you mean 'bird'", "a.glb", {"seconds": 1, "model": "brid"}),
        (ValueError, "size", "a.frames", {"seconds": 1, "size": 0}),
        (FileNotFoundError, "no such folder", "gone/a.csv", {"seconds": 1}),
    ):
        with pytest.raises(error, match=words):
            export(world, tmp_path / file, **about)
    with pytest.raises(TypeError, match="recorded Run or a World"):
        export([1], tmp_path / "a.csv", seconds=1)
    with pytest.raises(ValueError, match="there must be vehicles"):
        export(sm.World(), tmp_path / "a.csv", seconds=0.1)
    assert world.steps == 0
    assert not list(tmp_path.iterdir())

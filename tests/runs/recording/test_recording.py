"""Recording: what the table holds is what the world was, and the world goes on as it would have."""

import copy
import json
import os
import pickle
import threading
import time
from importlib import metadata
from types import SimpleNamespace

import numpy as np
import pytest
from runs.recording.worlds import comings_and_goings, flock

import steersman as sm
from steersman.core.world.population import LOCOMOTION_KEY
from steersman.core.world.state_hash import state_hash
from steersman.runs.recording import recording as module

EACH = sm.EverySteps(1)


def seen(world):
    """What a frame must hold now, by population."""
    return {
        name: {
            "id": each.vehicles.id.copy(),
            "position": each.vehicles.position.astype(np.float32),
            "velocity": each.vehicles.velocity.astype(np.float32),
            "forward": each.vehicles.forward.astype(np.float32),
            "radius": each.vehicles.radius.astype(np.float32),
        }
        for name, each in world.populations.items()
    }


def assert_same(moment, expected):
    assert set(moment) == set(expected)
    for name, columns in expected.items():
        for column, values in columns.items():
            np.testing.assert_array_equal(getattr(moment[name], column), values, err_msg=f"{name}.{column}")


@pytest.mark.parametrize("build", [flock, comings_and_goings, lambda: flock(5, 3), lambda: flock(5, dtype=np.float64)])
def test_every_frame_is_what_the_world_was(build, tmp_path):
    world = build()
    expected = [seen(world)]
    with world.record(tmp_path / "run", every=EACH) as recording:
        for k in range(60):
            world.step()
            expected.append(seen(world))
            if k == 30:
                recording.flush()  # A part of its own.
    run = sm.read_run(tmp_path / "run")
    assert run.frames == recording.frames == 61
    assert run.steps.tolist() == list(range(61))
    np.testing.assert_allclose(run.times, np.arange(61) * world.dt)
    for k in (0, 1, 17, 30, 31, 32, 60):
        assert_same(run.frame(k), expected[k])
    if world.populations["boids"].vehicles.dimensions == 3:
        np.testing.assert_array_equal(run.frame(-1)["boids"].up, world["boids"].up)
    total = sum(len(columns["id"]) for frame in expected for columns in frame.values())
    assert len(run.table()) == total


@pytest.mark.parametrize("columns", [[], ["force", "Wander.point", "mass", "angular_velocity"]])
def test_the_bits_are_those_of_a_world_that_nobody_records(columns, tmp_path):
    plain, recorded = comings_and_goings(), comings_and_goings()
    plain.run(steps=90)
    with recorded.record(tmp_path / "run", every=EACH, columns=columns):
        recorded.run(steps=90)
    assert state_hash(recorded) == state_hash(plain)


def test_modes_are_recorded_by_name(tmp_path):
    world = comings_and_goings()
    walkers = world.populations["walkers"]
    expected = []
    world.on_step(lambda world: expected.append(dict(zip(walkers.vehicles.id.tolist(), _modes(walkers), strict=True))))
    world.record(tmp_path / "run", every=EACH)
    world.run(steps=60)
    world.on_step(lambda world: None)
    run = _closed(world, tmp_path / "run")
    for k, modes in enumerate(expected, 1):
        moment = run.frame(k)
        assert (moment["boids"].mode == "").all()
        assert dict(zip(moment["walkers"].id.tolist(), moment["walkers"].mode.tolist(), strict=True)) == modes
    assert {mode for modes in expected for mode in modes.values()} == {"walk", "flee"}


def _modes(population):
    """As `modes_of`, which would bring memory in step: newcomers are in the mode in which all begin."""
    ids, columns = population.recalled(population.node("Modes").key)
    known = dict(zip(ids.tolist(), population.steering.names(columns["mode"]).tolist(), strict=True))
    return [known.get(id, "walk") for id in population.vehicles.id.tolist()]


def _closed(world, folder):
    for observer, _ in world.observers:
        if isinstance(observer, sm.Recording):
            observer.close()
    return sm.read_run(folder)


def test_columns_on_request(tmp_path):
    world = flock(6, 3)
    words = ["mass", "quaternion", "force", "Separation.force", "Wander.point"]
    with world.record(tmp_path / "run", every=EACH, columns=words):
        for k in range(4):
            world["boids"].mass, world["boids"].radius = 2.0 + k, 3.0 + k
            world.step()
    run = sm.read_run(tmp_path / "run")
    frames = [run.frame(k)["boids"] for k in range(1, 5)]
    assert [(each.columns["mass"][0], each.radius[0]) for each in frames] == [(2, 3), (3, 4), (4, 5), (5, 6)]
    now = frames[-1].columns
    explanation = world.explain("boids")
    together = {word: np.stack([now[f"{word}_{axis}"] for axis in "xyz"], axis=1) for word in words[2:4]}
    np.testing.assert_array_equal(together["force"], explanation.force)
    np.testing.assert_array_equal(together["Separation.force"], explanation["Separation"].contribution)
    points = world.memory("boids", "Wander")["point"]
    np.testing.assert_array_equal(np.stack([now[f"Wander.point_{k}"] for k in range(3)], axis=1), points)
    quaternion = np.stack([now[f"quaternion_{part}"] for part in "wxyz"], axis=1)
    np.testing.assert_array_equal(quaternion, world["boids"].quaternion)
    assert run.meta["units"]["force_x"] == "N"
    assert run.meta["units"]["mass"] == "kg"


def test_who_has_no_such_column_has_nan_there(tmp_path):
    world = flock(3)
    world.add(sm.Vehicles([[1, 1], [2, 2]]), name="stones")
    with world.record(tmp_path / "run", every=EACH, columns=["Wander.point", "force"]):
        world.run(steps=1)
    moment = sm.read_run(tmp_path / "run").frame(0)
    assert np.isnan(moment["stones"].columns["Wander.point_0"]).all()
    assert np.isnan(moment["stones"].columns["force_x"]).all()
    assert np.isfinite(moment["boids"].columns["force_x"]).all()


def test_memory_follows_vehicles_by_their_ids(tmp_path):
    world = flock(8)
    boids = world["boids"]
    known = []

    def change(world):
        known.append(dict(zip(boids.id.tolist(), world.memory("boids", "Wander")["point"].tolist(), strict=True)))
        boids.remove(int(boids.id[1]))
        boids.spawn([[3, 3]])

    world.on_step(change)
    with world.record(tmp_path / "run", every=EACH, columns=["Wander.point"]):
        world.run(steps=6)
    run = sm.read_run(tmp_path / "run")
    for k in range(1, 7):
        now = run.frame(k)["boids"]
        for id, x, y in zip(now.id.tolist(), *(now.columns[f"Wander.point_{j}"] for j in (0, 1)), strict=True):
            if id in known[k - 1]:
                assert [x, y] == known[k - 1][id]
            else:
                assert np.isnan([x, y]).all()


def test_some_populations_and_those_that_come_later(tmp_path):
    world = comings_and_goings()
    with (
        world.record(tmp_path / "some", every=EACH, populations=["walkers"]),
        world.record(tmp_path / "all", every=EACH),
    ):
        world.run(steps=10)
        world.add(sm.Vehicles([[1, 1]]), name="late")
        world.run(steps=10)
        world.remove("late")
        world.run(steps=5)
    some, everybody = sm.read_run(tmp_path / "some"), sm.read_run(tmp_path / "all")
    assert some.populations == ("walkers",)
    assert everybody.populations == ("boids", "walkers", "late")
    assert [len(everybody.frame(k)["late"]) for k in (10, 11, 20, 21)] == [0, 1, 1, 0]
    assert len(everybody.path(0, "late").frame) == 10
    assert len(some.frame(-1)["walkers"]) == len(world["walkers"])


def test_vehicles_in_space_cannot_join_a_recording_in_the_plane(tmp_path):
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), name="flat")
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=2)
        world.add(sm.Vehicles([[0, 0, 0]]), name="deep")
        with pytest.raises(ValueError, match="'deep' has 3 dimensions, and the recording was begun with 2"):
            world.run(steps=1)
        world.run(steps=3)  # It goes on, unrecorded.
    assert sm.read_run(tmp_path / "run").frames == 3


def test_plane_and_space_in_one_run(tmp_path):
    world = sm.World()
    world.add(sm.Vehicles([[1, 2]], [[0, 1]], angular_velocity=4), name="flat")
    world.add(sm.Vehicles([[0, 0, 5]], angular_velocity=[1, 2, 3]), name="deep")
    world.record(tmp_path / "run", columns=["angular_velocity"]).close()
    flat, deep = (sm.read_run(tmp_path / "run").frame(0)[name] for name in ("flat", "deep"))
    turning = [[float(each.columns[f"angular_velocity_{axis}"][0]) for axis in "xyz"] for each in (flat, deep)]
    assert turning == [[0, 0, 4], [1, 2, 3]]
    assert (flat.position.tolist(), flat.velocity.tolist()) == ([[1, 2, 0]], [[0, 1, 0]])
    assert (flat.forward.tolist(), flat.up.tolist()) == ([[0, 1, 0]], [[0, 0, 1]])


def test_meters_are_recorded(tmp_path):
    world = flock()
    world.watch("boids", "polarization", every=0.1)
    with world.record(tmp_path / "run", every=0.2) as recording:
        world.run(seconds=1)
        world.watch("boids", fastest=lambda vehicles: vehicles.speed.max(), every=sm.EverySteps(1))
        recording.flush()
        world.run(seconds=0.5)
        stopped = world.meters.stop("boids.fastest")
        world.run(seconds=0.5)
    run = sm.read_run(tmp_path / "run")
    series = run.metrics()
    assert set(series) == {"boids.polarization", "boids.fastest"}
    for meter in (world.meters["boids.polarization"], stopped):
        np.testing.assert_array_equal(series[meter.label].values, meter.values)
        np.testing.assert_array_equal(series[meter.label].times, meter.times)
    assert len(run.metrics_table()) == meter.count + world.meters["boids.polarization"].count


def test_a_meter_that_begins_anew_loses_no_reading(tmp_path):
    world = flock()
    with world.record(tmp_path / "run", every=0.2):
        counts = []
        for _ in range(2):
            meter = world.watch("boids", "polarization", every=sm.EverySteps(1))["boids.polarization"]
            world.run(seconds=0.2)
            world.meters.stop("boids.polarization")
            counts.append(meter.count)
    times = sm.read_run(tmp_path / "run").metrics()["boids.polarization"].times
    assert len(times) == sum(counts)
    assert np.all(np.diff(times) >= 0)


def test_frames_are_not_more_frequent_than_steps(tmp_path):
    world = flock()
    with world.record(tmp_path / "run", every=world.dt / 5):
        world.run(steps=2)
    run = sm.read_run(tmp_path / "run")
    assert (run.frames, run.meta["frame_rate"]) == (3, 1 / world.dt)


def test_what_the_run_says_of_itself(tmp_path, monkeypatch):
    version = metadata.version
    found = {"numpy": np.__version__, "pyarrow": None}  # As where it is not installed.
    monkeypatch.setattr(metadata, "version", lambda name: version(name if found.get(name, "") is not None else "none"))
    world = flock()
    world.run(steps=5)
    with world.record(tmp_path / "run", every=sm.EverySteps(6)):
        world.run(steps=60)
    meta = sm.read_run(tmp_path / "run").meta
    assert (meta["seed"], meta["dt"], meta["first_step"], meta["frames"]) == (3, 0.02, 5, 11)
    assert meta["frame_rate"] == pytest.approx(1 / 0.12)
    assert meta["versions"].items() >= (found | {"steersman": sm.__version__}).items()
    assert meta["closed"] is True
    assert meta["end"]["state_hash"] == state_hash(world)
    again = sm.from_document(tmp_path / "run" / "scenario.toml", threads=1)
    assert (again.steps, state_hash(again)) == (5, meta["state_hashes"]["5"])
    again.run(steps=60)
    assert state_hash(again) == state_hash(world)


def test_state_hashes_stay_few(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "HASHES", 10)
    world = flock(2)
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=3000)
    hashes = json.loads((tmp_path / "run" / "meta.json").read_text())["state_hashes"]
    assert 3 <= len(hashes) <= 10
    assert len({int(step) % 400 for step in hashes}) == 1


def test_a_world_that_no_document_can_say(tmp_path):
    world = sm.World(dt=0.02)
    world.add(sm.Vehicles([[1, 2]]), name="balls", steering=lambda vehicles: -vehicles.position)
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=3)
    run = sm.read_run(tmp_path / "run")
    assert "has no document" in run.meta["no_scenario"]
    assert not (tmp_path / "run" / "scenario.toml").exists()
    assert run.stage() is None
    run.draw(0.05, tmp_path / "balls.png")


def test_parts_end_by_rows_and_by_frames(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PART_ROWS", 100)
    world = flock(12)
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=40)
    assert len(list((tmp_path / "run" / "trajectory").iterdir())) == 5  # nine frames each
    run = sm.read_run(tmp_path / "run")
    assert run.frames == 41
    assert len(run.path(7).frame) == 41
    monkeypatch.setattr(module, "PART_SECONDS", 0.0)
    with world.record(tmp_path / "slow", every=EACH):
        world.run(steps=4)
    assert len(list((tmp_path / "slow" / "trajectory").iterdir())) == 5


def test_parts_end_after_half_a_minute(tmp_path, monkeypatch):
    """A frame every ten seconds: the first one at zero, and parts that end with those at 40 s and at 80 s."""
    clock = [0.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(**vars(time) | {"monotonic": lambda: clock[0]}))
    world = flock(5)
    with world.record(tmp_path / "run", every=EACH):
        for clock[0] in range(10, 100, 10):
            world.step()
    parts = json.loads((tmp_path / "run" / "meta.json").read_text())["parts"]
    assert [each["rows"] for each in parts] == [25, 20, 5]


def test_an_empty_world_has_frames_without_rows(tmp_path):
    world = comings_and_goings()
    world.remove("boids")
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=3)
        world["walkers"].remove(world["walkers"].id)
        world.populations["walkers"].flows = ()
        world.run(steps=3)
    run = sm.read_run(tmp_path / "run")
    assert run.frames == 7
    assert [len(run.frame(k)["walkers"]) for k in (0, 6)] == [0, 0]
    nobody = sm.World()
    nobody.record(tmp_path / "nobody", every=EACH).close()
    assert sm.read_run(tmp_path / "nobody").frames == 1


def test_a_copy_of_a_world_records_nothing(tmp_path):
    world = flock()
    with world.record(tmp_path / "run", every=EACH) as recording:
        for other in (copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
            other.run(steps=5)
        assert recording.frames == 1
        world.run(steps=1)
        again = sm.from_document(sm.to_document(world))  # A recording changes nothing, so the world has a document.
        assert state_hash(again) == state_hash(world)
    assert recording.frames == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_forked_child_records_nothing(tmp_path):
    world = flock()
    with world.record(tmp_path / "run", every=EACH) as recording:
        child = os.fork()
        if child == 0:
            world.run(steps=5)
            recording.close()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        world.run(steps=3)
    assert sm.read_run(tmp_path / "run").frames == 4


def test_another_thread_may_step_the_world(tmp_path):
    world = flock()
    with world.record(tmp_path / "run", every=EACH):
        thread = threading.Thread(target=lambda: world.run(steps=20))
        thread.start()
        thread.join()
    assert sm.read_run(tmp_path / "run").frames == 21


def test_a_world_that_is_gone_ends_its_recording(tmp_path):
    world = flock()
    recording = world.record(tmp_path / "run", every=EACH)
    world.run(steps=4)
    del world
    assert recording.closed
    assert sm.read_run(tmp_path / "run").frames == 5


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"columns": ["mas"]}, ValueError, "columns must be those of a population, got 'mas'; did you mean 'mass'"),
        ({"columns": ["Wander.pont"]}, ValueError, "did you mean 'Wander.point'"),
        ({"columns": ["Wanderer.force"]}, ValueError, "did you mean 'Wander.force'"),
        ({"columns": ["quaternion"]}, ValueError, "vehicles in the plane have not"),
        ({"columns": ["mass", "mass"]}, ValueError, "'mass' more than once"),
        ({"columns": "mass"}, TypeError, "columns must be a list of texts"),
        ({"columns": [3]}, TypeError, "columns must be a list of texts"),
        ({"populations": ["bards"]}, KeyError, "no population is called 'bards'"),
        ({"populations": "boids"}, TypeError, "populations must be a list of names"),
        ({"every": 0}, ValueError, "every must be > 0 s, got 0"),
        ({"every": "often"}, ValueError, "every must be a time > 0 s, or steps"),
        ({"format": "xml"}, ValueError, 'format must be "parquet" or "csv", got \'xml\''),
        ({"evry": 3}, TypeError, "did you mean 'every'"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(arguments, kind, message, tmp_path):
    with pytest.raises(kind) as caught:
        flock().record(tmp_path / "run", **arguments)
    assert message in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_which_of_two_nodes_is_meant_must_be_said(tmp_path):
    world = flock()
    world.populations["boids"].steering = sm.Seek([0, 0]) + sm.Seek([5, 5], name="other")
    with pytest.raises(ValueError, match="columns must say which node is meant: there are 2 nodes Seek"):
        world.record(tmp_path / "run", columns=["Seek.force"])
    world.record(tmp_path / "run", columns=["other.force"]).close()


def test_memory_of_a_body_is_asked_for_by_the_name_of_the_body(tmp_path):
    world = sm.World(dt=0.1)
    body = sm.Wheeled(turning_radius=1.0, wheelbase=0.6, steer_rate=4.0)
    population = world.add(sm.Vehicles([[0.0, 0.0]], [1, 0]), name="cars", steering=sm.Wander(), locomotion=body)
    name = next(iter(population.memories[LOCOMOTION_KEY]))
    with world.record(tmp_path / "a", every=0.1, columns=[f"Wheeled.{name}"]):
        world.run(seconds=0.2)
    with pytest.raises(ValueError, match=f"columns must be those of a population, got '{name}'"):
        world.record(tmp_path / "b", every=0.1, columns=[name])

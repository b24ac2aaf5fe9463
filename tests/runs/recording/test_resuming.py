"""Recording on where a run was cut off: the folder is that of a run that was never cut."""

import copy

import numpy as np
import pytest
from runs.recording.worlds import comings_and_goings

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.runs.recording.recording import record, resume
from steersman.runs.recording.truncation import resumable_steps, rewound

EACH = sm.EverySteps(1)


def watched():
    world = comings_and_goings()
    world.watch("boids", "polarization", every=0.1)
    return world


def test_a_run_that_goes_on_is_that_of_an_unbroken_one(tmp_path):
    whole = watched()
    with whole.record(tmp_path / "whole", every=EACH):
        whole.run(steps=100)
    saved = {}

    def keep(world):
        saved[world.steps] = (copy.deepcopy(world), sm.read_run(tmp_path / "run").frames)

    broken = watched()
    recording = record(broken, tmp_path / "run", every=EACH, keep=keep, keep_every=20)
    broken.run(steps=70)
    recording.close()  # As good as killed: frames after the last snapshot are there.
    assert {step: frames for step, (_, frames) in saved.items()} == {20: 21, 40: 41, 60: 61}
    assert set(saved) <= set(resumable_steps(tmp_path / "run"))
    assert (tmp_path / "run" / "snapshots").is_dir()

    again = saved[40][0]
    with resume(again, tmp_path / "run"):
        again.run(steps=60)
    assert state_hash(again) == state_hash(whole)
    ours, theirs = sm.read_run(tmp_path / "run"), sm.read_run(tmp_path / "whole")
    assert ours.table() == theirs.table()
    np.testing.assert_array_equal(ours.steps, theirs.steps)
    assert ours.meta["state_hashes"] == theirs.meta["state_hashes"]
    assert ours.meta["end"] == theirs.meta["end"]
    series, others = (each.metrics()["boids.polarization"] for each in (ours, theirs))
    np.testing.assert_array_equal(series.times, others.times)
    np.testing.assert_array_equal(series.values, others.values)


def test_it_goes_on_only_where_a_part_ends(tmp_path):
    world = comings_and_goings()
    with pytest.raises(sm.RunError, match="there is no recorded run that could go on"):
        resume(world, tmp_path / "run")
    with world.record(tmp_path / "run", every=EACH):
        world.run(steps=10)
        with pytest.raises(sm.RunError, match="another run is being recorded there"):
            resume(world, tmp_path / "run")
    world.run(steps=1)
    with pytest.raises(sm.RunError, match=r"goes on where a part ends \(the last ones: step 10\), got step 11"):
        resume(world, tmp_path / "run")
    assert sm.read_run(tmp_path / "run").frames == 11


@pytest.mark.parametrize("other", ["places", "ids", "populations", '"mass"', '"steps": 1'])
def test_a_recording_that_cannot_go_on_loses_nothing(tmp_path, other):
    """Frames after the step were deleted before the world was looked at, and another world was recorded on."""
    saved = {}

    def keep(world):
        saved[world.steps] = copy.deepcopy(world)

    world, meta = comings_and_goings(), tmp_path / "run" / "meta.json"
    recording = record(world, tmp_path / "run", every=EACH, columns=["mass"], keep=keep, keep_every=4)
    world.run(steps=10)
    recording.close()
    again, error = saved[4], "the recording is of another world: at step 4 the vehicles of 'boids'"
    if other == "places":
        again["boids"].position[0, 0] += 0.01
    elif other == "ids":
        again["boids"].remove(again["boids"].id[0])
    elif other == "populations":
        again.remove("boids")
    else:
        meta.write_text(meta.read_text().replace(other, other.replace("mass", "often").replace("steps", "often")))
        error = {'"mass"': "often", '"steps": 1': "every must be given"}[other]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(ValueError, match=error):
        resume(again, tmp_path / "run")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_what_was_kept_by_a_trigger_of_ones_own(tmp_path):
    class Often(sm.EverySteps.__mro__[1]):
        def due(self, steps, time, dt):
            return steps % 3 == 1

    world = comings_and_goings()
    with world.record(tmp_path / "run", every=Often()):
        world.run(steps=10)
    assert sm.read_run(tmp_path / "run").steps.tolist() == [0, 1, 4, 7, 10]
    with pytest.raises(sm.RunError, match="every must be given"):
        resume(world, tmp_path / "run")
    with resume(world, tmp_path / "run", every=Often()):
        world.run(steps=6)
    assert sm.read_run(tmp_path / "run").steps.tolist() == [0, 1, 4, 7, 10, 13, 16]


def test_the_hash_of_the_very_step_is_kept(tmp_path):
    world = comings_and_goings()
    with record(world, tmp_path / "run", every=EACH, keep=lambda world: None, keep_every=100):
        world.run(steps=201)
    assert list(rewound(tmp_path / "run", 100)["state_hashes"]) == ["0", "100"]


def test_readings_after_the_step_are_gone_where_few_parts_have_any(tmp_path):
    world = comings_and_goings()
    world.watch("boids", "polarization", every=sm.EverySteps(90))
    with record(world, tmp_path / "run", every=EACH, keep=lambda world: None, keep_every=40):
        world.run(steps=190)
    assert len(rewound(tmp_path / "run", 120)["metric_parts"]) == 2
    times = sm.read_run(tmp_path / "run").metrics()["boids.polarization"].times
    np.testing.assert_allclose(times / world.dt, [0, 90])


@pytest.mark.parametrize("asked", [[], ["length"], ["mass"]])
def test_bodies_that_are_longer_than_wide_have_their_lengths(tmp_path, asked):
    """In the table, in pictures, and where the recording goes on; others have no such column."""
    world = comings_and_goings()
    with world.record(tmp_path / "round", every=EACH):
        world.run(steps=1)
    assert "length" not in sm.read_run(tmp_path / "round").columns
    assert sm.read_run(tmp_path / "round").frame(-1)["boids"].as_vehicles().length.tolist() == [0] * 6
    world["boids"].length = [0, 1, 2, 3, 4, 5]
    with world.record(tmp_path / "run", every=EACH, columns=asked):
        world.run(steps=1)
    with resume(world, tmp_path / "run"):
        world.run(steps=1)
    run = sm.read_run(tmp_path / "run")
    assert run.columns.count("length") == 1
    assert run.meta["units"]["length"] == "m"
    vehicles = run.frame(2)["boids"].as_vehicles()
    assert vehicles.length.tolist() == [0, 1, 2, 3, 4, 5]
    assert vehicles.radius.tolist() == world["boids"].radius.tolist()

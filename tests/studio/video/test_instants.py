"""Instants: times that are steps or frames up to rounding are these, and no instant between them."""

import contextlib

import numpy as np
import pytest

import steersman as sm
from steersman.studio.video import video as module
from steersman.studio.video.instants import Spool, of_run, of_world


def coasting(dt=1 / 30):
    world = sm.World(dt=dt, threads=1)
    world.add(sm.Vehicles([[0.0, 0.0]], [[3.0, 1.0]], max_speed=9, dtype=np.float64), name="a")
    return world


ROUNDED = {"as they are": 0.0, "a rounding early": -1e-12, "a rounding late": 1e-12}


@pytest.mark.parametrize("off", ROUNDED.values(), ids=ROUNDED)
def test_a_world_makes_no_step_too_many_and_none_too_few_for_a_frame_at_a_step(off):
    world = coasting()
    for k, each in enumerate(of_world(world, np.arange(100) / 30 + off * (np.arange(100) > 0), {})):
        assert world.steps == k
        np.testing.assert_array_equal(each.vehicles["a"].position, world["a"].position)


def test_between_two_steps_a_world_makes_the_step_behind():
    world = coasting(dt=0.1)
    seen = [
        (world.steps, each.time, *each.vehicles["a"].position[0])
        for each in of_world(world, [0.0, 0.02, 0.09, 0.1, 0.34], {})
    ]
    expected = [(0, 0.0), (1, 0.02), (1, 0.09), (1, 0.1), (4, 0.34)]
    np.testing.assert_allclose(seen, [(k, t, 3 * t, t) for k, t in expected], rtol=1e-6)


@pytest.mark.parametrize("d", [2, 3])
def test_bodies_of_length_are_capsules_at_every_instant(d):
    """At a step, between two, and where the run is kept in a file until its extent is known."""
    world = sm.World(dt=0.1, threads=1)
    world.add(sm.Vehicles(np.eye(2, d), np.eye(2, d), radius=[0.3, 0.4], length=[2.0, 3.0]), name="a")
    with contextlib.closing(Spool(of_world(world, [0.0, 0.05, 0.1], {}), lambda _: None)) as kept:
        seen = [each.vehicles["a"] for each in (*kept, *of_world(world, [0.15, 0.2], {}))]
    for each in seen:
        np.testing.assert_allclose(each.length, [2.0, 3.0])
        np.testing.assert_allclose(each.radius, [0.3, 0.4], rtol=1e-6)


@pytest.mark.parametrize("off", ROUNDED.values(), ids=ROUNDED)
def test_of_a_recorded_run_a_frame_is_the_frame_with_those_who_have_just_come(tmp_path, off):
    """Between two frames those of the one before are seen."""
    world = coasting(dt=0.1)
    recording = world.record(tmp_path / "run")
    for _ in range(4):
        world.step()
        world["a"].spawn([[1.0, 1.0]])
    recording.close()
    run = sm.read_run(tmp_path / "run")
    seen = list(of_run(run, run.times + off))
    assert [len(each.vehicles["a"]) for each in seen] == [1, 1, 2, 3, 4]
    assert [each.time for each in seen] == run.times.tolist()
    (each,) = of_run(run, [0.25])
    assert len(each.vehicles["a"]) == 2
    np.testing.assert_allclose(each.vehicles["a"].position[0], [0.75, 0.25], rtol=1e-6)


LENGTHS = [
    (0.25, 30, 1.0, 7), (0.26, 30, 1.0, 8), (0.1, 30, 1.0, 3), (1 / 3, 30, 1.0, 10), (0.02, 30, 1.0, 1),
    (0.7, 10, 1.0, 7), (1.0, 24, 2.0, 12), (1.0, 24, 0.5, 48),
]  # fmt: skip


class EnoughError(Exception):
    """Raised to end a video before anything is painted."""


@pytest.mark.parametrize(("seconds", "fps", "speed", "frames"), LENGTHS)
def test_a_video_is_as_many_frames_as_fit_its_length(monkeypatch, seconds, fps, speed, frames):
    """Half a frame is none; a rounding below one is one. All of them are one frame apart."""
    asked = []

    def noted(_, times, __):
        asked.append(times)
        raise EnoughError

    monkeypatch.setattr(module, "of_world", noted)
    request = module.as_request("a.gif", fps=fps, speed=speed)
    world = coasting()
    world.run(steps=3)
    with pytest.raises(EnoughError):
        module.filmed(world, request, seconds, lambda *_: None)
    (times,) = asked
    np.testing.assert_allclose(times, world.time + np.arange(frames) * speed / fps, rtol=1e-12)


@pytest.mark.parametrize(("seconds", "frames"), [(None, 4), (0.2, 2), (0.4, 4), (5.0, 4)])
def test_a_video_of_a_recorded_run_ends_where_the_run_does(tmp_path, monkeypatch, seconds, frames):
    """Also where more is asked for; it begins where the run does."""
    world = coasting(dt=0.1)
    world.run(steps=5)
    with world.record(tmp_path / "run"):
        world.run(steps=4)
    run, asked = sm.read_run(tmp_path / "run"), []

    def noted(_, times):
        asked.append(times)
        raise EnoughError

    monkeypatch.setattr(module, "of_run", noted)
    with pytest.raises(EnoughError):
        module.filmed(run, module.as_request("a.gif", fps=10), seconds, lambda *_: None)
    np.testing.assert_allclose(asked[0], 0.5 + np.arange(frames) / 10)

"""Performances: how fast a run was, told from the steps that were made now."""

import itertools
import signal

import pytest

import steersman as sm
from steersman.cli.running import performance
from steersman.cli.running.starting import Performance
from steersman.cli.running.whole_run import whole_run
from steersman.runs.recording.folder import Lock


@pytest.mark.parametrize("done", [0, 30])
def test_the_speed_is_that_of_the_steps_made_now(done, monkeypatch):
    """A resumed run does not count what an earlier one made, and no run counts the first step, which compiles."""
    clock = itertools.count(100.0, 2.0)
    monkeypatch.setattr(performance.time, "perf_counter", lambda: next(clock))
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="a")
    stage = sm.Stage(world, seconds=4.0)
    steps = []
    outcome = performance.perform(stage, on_compile=lambda *about: None, on_step=steps.append, done=done)
    assert steps == list(range(done + 1, 41))
    assert (outcome.steps, outcome.done, outcome.planned) == (40, done, 40)
    assert outcome.wall == 2.0
    assert outcome.steps_per_second == (40 - done - 1) / 2.0


def test_a_run_that_was_whole_makes_no_step():
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="a")
    steps = []
    outcome = performance.perform(
        sm.Stage(world, seconds=4.0), on_compile=lambda *about: None, on_step=steps.append, done=40
    )  # fmt: skip
    assert (steps, world.steps, outcome.steps, outcome.wall) == ([], 0, 40, 0.0)


def test_a_run_that_is_split_makes_its_steps_in_its_own_way():
    world, calls = sm.World(dt=0.1), []
    world.add(sm.Vehicles([[0.0, 0.0]]), name="a")
    drive = performance.Drive(lambda: calls.append("step"), lambda: calls.append("finish"))
    whole_run(Performance(sm.Stage(world, seconds=0.3), drive=lambda: drive), quiet=True)
    assert calls == ["step", "step", "step", "finish"]
    assert world.steps == 0


def test_ctrl_c_is_as_it_was_after_a_run():
    before = signal.getsignal(signal.SIGINT)
    with performance.stoppable() as stop:
        signal.raise_signal(signal.SIGINT)
    assert stop.requested
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(ZeroDivisionError), performance.stoppable():
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("recorded", [True, False])
def test_a_run_that_fails_closes_its_recording_and_leaves_its_folder_to_the_next(tmp_path, recorded):
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="a")
    stage, begun = sm.Stage(world, seconds=2.0), []

    def begin():
        begun.append(stage.record(tmp_path) if recorded else Lock(tmp_path))
        return (begun[0], None) if recorded else (None, begun[0])

    def fail(world):
        if world.steps == 5:
            raise ZeroDivisionError

    world.on_step(fail, sm.EverySteps(1))
    with pytest.raises(ZeroDivisionError):
        whole_run(Performance(stage, begin=begin), quiet=True)
    Lock(tmp_path).release()
    if recorded:
        assert begun[0].closed
        assert sm.read_run(tmp_path).meta["closed"]


def test_kernels_that_are_compiled_are_announced(monkeypatch, two_kernels):
    told = []

    monkeypatch.setattr(performance, "watched_compilation", two_kernels)
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="a")
    stage = sm.Stage(world, seconds=0.3)
    outcome = performance.perform(stage, on_compile=lambda *about: told.append(about), on_step=lambda step: None)
    assert outcome.compiled
    assert told == [("seek", 1, 2), ("move", 2, 2)]

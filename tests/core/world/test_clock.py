"""Whole steps, whatever the frame rate; runs; observers and their triggers."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm
from steersman.core.kernels.call import Call
from steersman.core.world.clock import steps_to_run


def world(dt=0.25):
    made = sm.World(dt=dt)
    made.add(sm.Vehicles([0, 0], [1, 0]), name="one")
    return made


@pytest.mark.parametrize(
    ("arguments", "steps", "dt"),
    [
        ({"seconds": 1}, 4, 0.25),
        ({"seconds": 1.1}, 4, 0.25),
        ({"seconds": 0}, 0, 0.25),
        ({"steps": 3}, 3, 0.25),
        ({"steps": 0}, 0, 0.25),
        ({"seconds": 1, "dt": 0.1}, 10, 0.1),
        ({"steps": 3, "dt": 0.1}, 3, 0.1),
    ],
)
def test_run(arguments, steps, dt):
    made = world()
    made.run(**arguments)
    assert made.steps == steps
    assert made.dt == dt
    assert made.time == pytest.approx(steps * dt)
    assert made["one"].position[0, 0] == pytest.approx(steps * dt)


class Nothing(sm.WorldConstraint):
    """Python code among what moves vehicles, so that the step is not committed by machine code alone."""

    def bind(self, populations, domain):
        return [Call(lambda: None, whole=True)]


def test_steps_that_python_commits_are_counted_like_those_of_machine_code():
    counted = []
    for constraints in ([], [Nothing()]):
        made = sm.World(dt=0.25, constraints=constraints)
        vehicles = sm.Vehicles([0, 0], [1, 0])
        made.add(vehicles, steering=sm.Wander())
        heard = []
        made.on_step(lambda world, heard=heard: heard.append(world.time), sm.EverySeconds(0.5))
        made.run(steps=6)
        counted.append((made.steps, made.time, vehicles.moved, heard, vehicles.position.tolist()))
    assert counted[0] == counted[1]
    assert counted[0][:3] == (6, 1.5, 6)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ValueError, "run needs either seconds or steps, got seconds=None and steps=None"),
        ({"seconds": 1, "steps": 2}, ValueError, "run needs either seconds or steps, got seconds=1 and steps=2"),
        ({"seconds": -1}, ValueError, "seconds must be a finite number >= 0 s, got -1"),
        ({"seconds": np.inf}, ValueError, "seconds must be a finite number >= 0 s, got inf"),
        ({"seconds": np.nan}, ValueError, "seconds must be a finite number >= 0 s, got nan"),
        ({"seconds": "3"}, TypeError, "seconds must be a number >= 0 s, got '3'"),
        ({"steps": -1}, ValueError, "steps must be a whole number >= 0, got -1"),
        ({"steps": 2.5}, TypeError, "steps must be a whole number >= 0, got 2.5"),
        ({"steps": True}, TypeError, "steps must be a whole number >= 0, got True"),
        ({"steps": 1, "dt": -1}, ValueError, "dt must be a finite number > 0 s, got -1"),
        ({"dt": 0.5}, ValueError, "run needs either seconds or steps"),
    ],
)
def test_complaints_of_run(arguments, error, message):
    made = world()
    with pytest.raises(error, match=re.escape(message)):
        made.run(**arguments)
    assert (made.steps, made.dt) == (0, 0.25)


@pytest.mark.parametrize("value", [True, np.timedelta64(1)])
def test_truth_values_and_durations_of_numpy_are_no_numbers(value):
    """To Python both are whole numbers."""
    made = world()
    for call in (
        lambda: sm.World(seed=value), lambda: made.run(steps=value), lambda: made.run(seconds=value), lambda: made.step(value)
    ):  # fmt: skip
        with pytest.raises(TypeError, match="must be a"):
            call()


def test_advance_makes_whole_steps_and_says_how_far_into_the_next():
    made = world()
    assert made.advance(0.1) == pytest.approx(0.4)
    assert made.steps == 0
    assert made.advance(0.2) == pytest.approx(0.2)
    assert made.steps == 1
    assert made.advance(0.7) == 0
    assert made.steps == 4


def test_advance_drops_the_time_beyond_the_most_steps():
    made = world()
    assert made.advance(1000.1, max_steps=3) == pytest.approx(0.4)
    assert made.steps == 3
    assert made.advance(0.15) == pytest.approx(0)
    assert made.steps == 4


@given(st.lists(st.floats(0, 0.5), max_size=30), st.sampled_from([0.01, 1 / 60, 0.1, 0.3]))
def test_advance_loses_no_time(frames, dt):
    made = sm.World(dt=dt)
    for frame in frames:
        fraction = made.advance(frame, max_steps=100)
        assert 0 <= fraction < 1
    fraction = made.advance(0)
    assert (made.steps + fraction) * dt == pytest.approx(sum(frames), abs=1e-6)


def test_the_fraction_is_below_one_also_when_an_observer_makes_steps_shorter():
    world = sm.World(dt=0.1, threads=1)
    world.on_step(lambda world: setattr(world, "dt", 0.01))
    fraction = world.advance(0.15)
    assert world.steps == 1
    assert 0.99 < fraction < 1


def test_advance_does_not_miss_a_step_by_rounding():
    made = world(dt=0.1)
    for _ in range(1000):
        made.advance(0.1)
    assert made.steps == 1000
    made = world(dt=0.1)
    assert 0.3 / 0.1 < 3
    made.advance(0.3)
    assert made.steps == 3
    made = world(dt=1 / 60)
    for _ in range(600):
        made.advance(1 / 60)
    assert made.steps == 600


def test_a_step_that_was_made_is_counted_although_an_observer_raises():
    made = world(dt=0.1)
    troubles = [ValueError("once")]

    def observer(w):
        if troubles:
            raise troubles.pop()

    made.on_step(observer)
    with pytest.raises(ValueError, match="once"):
        made.advance(0.3)
    assert made.steps == 1
    assert made.advance(0.0) == pytest.approx(0)
    assert made.steps == 3


def test_the_time_of_a_refused_step_is_not_lost():
    made = world(dt=0.1)
    made.advance(0.15)
    made["one"].velocity[:] = np.nan
    with pytest.raises(sm.NonFiniteError):
        made.advance(0.2)
    made["one"].velocity[:] = 1
    assert made.advance(0.0) == pytest.approx(0.5)
    assert made.steps == 3


@pytest.mark.parametrize("frame_time", [1e308, 1.7e308, 1e20])
def test_no_frame_is_too_long_for_advance(frame_time):
    made = world()
    for k in range(1, 4):
        assert 0 <= made.advance(frame_time, max_steps=3) < 1
        assert made.steps == 3 * k
    assert 0 <= made.advance(0.25) < 1
    assert made.steps in (10, 11)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"frame_time": -0.1}, ValueError, "frame_time must be a finite number >= 0 s, got -0.1"),
        ({"frame_time": np.nan}, ValueError, "frame_time must be a finite number >= 0 s, got nan"),
        ({"frame_time": np.inf}, ValueError, "frame_time must be a finite number >= 0 s, got inf"),
        ({"frame_time": None}, TypeError, "frame_time must be a number >= 0 s, got None"),
        ({"frame_time": 1, "max_steps": 0}, ValueError, "max_steps must be a whole number >= 1, got 0"),
        ({"frame_time": 1, "max_steps": 1.5}, TypeError, "max_steps must be a whole number >= 1, got 1.5"),
    ],
)
def test_complaints_of_advance(arguments, error, message):
    made = world()
    with pytest.raises(error, match=re.escape(message)):
        made.advance(**arguments)
    assert made.advance(0.0) == 0


def test_observers_see_the_world_after_the_step():
    made = world()
    seen = []
    made.on_step(lambda w: seen.append((w.steps, w.time, float(w["one"].position[0, 0]))))
    made.run(steps=2)
    assert seen == [(1, 0.25, 0.25), (2, 0.5, 0.5)]


def test_triggers():
    made = world(dt=0.1)
    calls = {"third": [], "second": [], "often": []}
    made.on_step(lambda w: calls["third"].append(w.steps), sm.EverySteps(3))
    made.on_step(lambda w: calls["second"].append(w.steps), sm.EverySeconds(1))
    made.on_step(lambda w: calls["often"].append(w.steps), sm.EverySeconds(0.01))
    made.run(seconds=3)
    assert calls["third"] == list(range(3, 31, 3))
    assert calls["second"] == [10, 20, 30]
    assert calls["often"] == list(range(1, 31))


@pytest.mark.parametrize(("dt", "seconds"), [(1 / 60, 0.1), (0.1, 0.3), (1 / 3, 1.0), (0.07, 0.5)])
def test_every_seconds_neither_misses_nor_doubles(dt, seconds):
    made = sm.World(dt=dt)
    times = []
    made.on_step(lambda w: times.append(w.time), sm.EverySeconds(seconds))
    made.run(steps=5000)
    assert len(times) == int(made.time / seconds + 1e-6)
    late = np.array(times) - seconds * np.arange(1, len(times) + 1)
    assert (late > -1e-6).all()
    assert (late < dt).all()


def test_observers_are_called_in_order_and_may_be_taken_away():
    made = world()
    seen = []
    first = made.on_step(lambda w: seen.append("first"))
    made.on_step(lambda w: seen.append("second"))
    made.step()
    first()
    first()  # twice does no harm
    made.step()
    assert seen == ["first", "second", "second"]


def test_observers_may_add_and_remove_observers_and_vehicles():
    made = world()
    seen = []

    def once(w):
        forget()
        w["one"].spawn([1, 1])
        w.on_step(lambda w: seen.append(len(w["one"])))

    forget = made.on_step(once)
    made.run(steps=3)
    assert seen == [2, 2]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda w: w.on_step("print"), TypeError, "the observer must be a function of the world, got 'print'"),
        (lambda w: w.on_step(print, 3), TypeError, "when must be EverySteps(k) or EverySeconds(s), got 3"),
        (lambda w: sm.EverySteps(0), ValueError, "steps must be a whole number >= 1, got 0"),
        (lambda w: sm.EverySteps(1.5), TypeError, "steps must be a whole number >= 1, got 1.5"),
        (lambda w: sm.EverySeconds(0), ValueError, "seconds must be > 0 s, got 0"),
    ],
)
def test_complaints_of_on_step(call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call(world())


@pytest.mark.parametrize("dt", [0.1, 0.3, 0.7, 0.01, 1 / 60, 1 / 24, 0.05])
def test_a_run_of_whole_steps_has_as_many_as_were_meant(dt):
    """0.3 s are three steps of 0.1 s, though 0.3 / 0.1 is a little less than 3 in floating point."""
    seconds = [float(f"{steps * dt:.12g}") for steps in range(2000)]
    assert [steps_to_run(each, None, dt) for each in seconds] == list(range(2000))

"""Timings: the phases of steps are told where somebody asks, and what happens is the same; and threads that take turns."""

import copy
import threading
import time

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash


def small(n=40):
    rng = np.random.default_rng(5)
    world = sm.World(domain=sm.Torus([40, 40]), seed=3)
    boids = sm.Vehicles(rng.uniform(0, 40, (n, 2)), max_speed=6, max_force=20)
    world.add(boids, name="a", steering=sm.Separation(radius=4) + sm.Wander())
    return world


def slow(vehicles):
    time.sleep(0.004)
    return np.zeros((len(vehicles), 2))


def test_phases_are_told_and_add_up():
    world = small()
    world.run(steps=2)
    began = time.perf_counter()
    with world.timings() as timings:
        assert repr(timings) == "Timings of no steps"
        world.run(steps=20)
    passed = time.perf_counter() - began
    assert timings.steps == 20
    assert list(timings.seconds) == ["begin", "look", "steer", "move", "after"]
    assert all(seconds > 0 for seconds in timings.seconds.values())
    assert 0 < timings.total <= passed
    assert timings.step == pytest.approx(timings.total / 20)
    assert sum(timings.shares.values()) == pytest.approx(1)
    assert "Timings of 20 steps of" in repr(timings)
    world.step()
    assert timings.steps == 20


def test_what_takes_long_is_in_its_phase():
    world = small(3)
    world.populations["a"].steering = slow
    with world.timings() as timings:
        world.run(steps=5)
        steering = dict(timings.seconds)
        assert timings.seconds["steer"] >= 0.02
        world.on_step(lambda world: time.sleep(0.01))
        world.run(steps=5)
    assert timings.seconds["after"] - steering["after"] >= 0.05


def test_the_run_is_the_same():
    one, other = small(), small()
    one.run(steps=10)
    one.timings()
    one.run(steps=10)
    other.run(steps=20)
    assert state_hash(one) == state_hash(other)
    assert state_hash(copy.deepcopy(one)) == state_hash(other)


def test_a_step_that_is_refused_does_not_count():
    world = small()
    timings = world.timings()
    world.step()
    world["a"].position[0] = np.nan
    with pytest.raises(sm.NonFiniteError):
        world.step()
    assert timings.steps == 1
    assert np.isnan(small().timings().step)


def test_several_time_at_once_and_a_controller_too():
    world = small()
    one = world.timings()
    world.step()
    other = world.timings()
    world.step()
    one.end()
    one.end()
    world.step()
    assert (one.steps, other.steps) == (2, 2)
    game = sm.Controller(sm.Vehicles([[1, 2]]), sm.Seek([5, 5]))
    with game.timings() as timings:
        game.steer(0.1)
        game.steer(0.1)
    assert timings.steps == 2
    game.steer(0.1)


def test_between_steps_a_thread_waits_for_the_other():
    world = small(2)
    seen, ready = [], threading.Event()

    def steering(vehicles):
        ready.set()
        time.sleep(0.01)
        seen.append(world["a"].position[0, 0])
        return np.zeros((2, 2))

    world.populations["a"].steering = steering
    with world.between_steps():
        pass
    thread = threading.Thread(target=lambda: world.run(steps=10))
    thread.start()
    ready.wait()
    for k in range(5):
        with world.between_steps():
            steps = world.steps
            world["a"].position[0, 0] = k
            time.sleep(0.015)
            assert world.steps == steps
            assert world["a"].position[0, 0] == k
    thread.join()
    assert world.steps == 10


def test_between_steps_is_not_within_one():
    world = small(2)

    def steering(vehicles):
        with world.between_steps():
            return np.zeros((2, 2))

    world.populations["a"].steering = steering
    with pytest.raises(RuntimeError, match="between_steps is for between steps"):
        world.step()
    world.populations["a"].steering = None
    with world.between_steps(), world.between_steps():
        world.step()

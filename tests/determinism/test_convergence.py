"""Halving the time step brings trajectories together, and changes no statistics of chance."""

import numpy as np
import pytest

import steersman as sm

SECONDS = 2.0


def herd(n=20, **more):
    rng = np.random.default_rng(8)
    position, velocity = rng.uniform(-10, 10, (n, 2)), rng.normal(0, 1, (n, 2))
    arguments = {"max_speed": 4, "max_force": 6, "response_time": 0.3, "dtype": np.float64} | more
    return sm.Vehicles(position, velocity, **arguments)


def target():
    """A moving quarry that is in no need of steering."""
    return sm.Vehicles([[20.0, 3.0]], [[-3.0, 1.0]], max_speed=5, dtype=np.float64)


def seek():
    return herd(), sm.Seek([30, 40]), None


def arrive():
    return herd(max_force=20), sm.Arrive([2, 1]), None


def pursue():
    quarry = target()
    return herd(), sm.Pursue(quarry), quarry


def flock():
    steering = 2 * sm.Separation(radius=6) + sm.Cohesion(radius=30) + sm.Alignment(radius=30)
    return herd(), steering, None


def end(scene, dt):
    """Positions after some seconds."""
    vehicles, steering, quarry = scene()
    world = sm.World(dt=dt)
    world.add(vehicles, steering=steering)
    if quarry is not None:
        world.add(quarry)
    world.run(seconds=SECONDS)
    assert world.time == pytest.approx(SECONDS)
    return vehicles.position.copy()


@pytest.mark.parametrize("scene", [seek, arrive, pursue, flock])
def test_the_error_is_proportional_to_the_time_step(scene):
    reference = end(scene, 1 / 1280)
    errors = np.array([np.abs(end(scene, dt) - reference).mean() for dt in (1 / 20, 1 / 40, 1 / 80, 1 / 160)])
    order = np.log2(errors[:-1] / errors[1:])
    assert errors[-1] < 0.05
    assert (order > 0.7).all(), order
    assert (order < 1.6).all(), order


def turning(law, dt, seconds=10.0, n=4000):
    """Heading autocorrelation after half a second, and mean squared turn in that time."""
    vehicles = sm.Vehicles(np.zeros((n, 2)), [1, 0], max_speed=1, max_force=4)
    world = sm.World(seed=5, dt=dt, threads=1)
    world.add(vehicles, steering=sm.Wander(law))
    world.run(seconds=2)
    lag = round(0.5 / dt)
    headings = []
    world.on_step(lambda w: headings.append(vehicles.heading.copy()), sm.EverySteps(lag))
    world.run(seconds=seconds)
    turn = np.diff(headings, axis=0)
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    return np.array([np.cos(turn).mean(), (turn**2).mean()])


@pytest.mark.parametrize("law", ["sphere", "jitter", "turn", "orientation", "gradient", "lateral"])
def test_wandering_looks_the_same_at_every_time_step(law):
    coarse, fine, finer = (turning(law, dt) for dt in (1 / 30, 1 / 60, 1 / 120))
    assert fine[1] > 1e-3  # it does turn
    np.testing.assert_allclose(coarse, fine, rtol=0.15, atol=0.01)
    np.testing.assert_allclose(fine, finer, rtol=0.1, atol=0.01)

"""Turbulence keeps flocks of any size turning, all of a neighborhood alike."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics.motion import polarization


def wheeling(turbulence: float, n: int, d: int = 2) -> tuple[float, float]:
    """How far the mean heading of a flock in order turns in half a minute [rad], and its order then."""
    edge = (n / 0.05) ** (1 / d)
    rng = np.random.default_rng(1)
    boids = sm.Vehicles(
        rng.uniform(0, edge, (n, d)), np.tile([9.0, *[0.0] * (d - 1)], (n, 1)), max_speed=10, max_force=30
    )
    world = sm.World(domain=sm.Torus([edge] * d), seed=2, dt=1 / 20, threads=1)
    world.add(boids, steering=sm.Flocking(turbulence=turbulence))
    turned, before = 0.0, np.eye(d)[0]
    for _ in range(30):
        world.run(seconds=1)
        mean = boids.velocity.mean(axis=0) / np.linalg.norm(boids.velocity.mean(axis=0))
        turned += float(np.arccos(np.clip(mean @ before, -1, 1)))
        before = mean
    return turned, polarization(boids)


@pytest.mark.parametrize(("n", "d"), [(60, 2), (600, 2), (60, 3)])
def test_a_flock_goes_on_turning_and_keeps_its_order(n: int, d: int) -> None:
    """Independent noise would turn 600 hardly at all."""
    turned, order = wheeling(0.05, n, d)
    assert turned > 0.5
    assert order > 0.8
    still, order = wheeling(0.0, n, d)
    assert still < 0.15
    assert order > 0.95


def test_whoever_is_alone_feels_none() -> None:
    lone = sm.Vehicles([[0.0, 0.0], [500.0, 0.0]], [[5.0, 0.0], [0.0, 5.0]], max_speed=10, max_force=30)
    force = sm.Controller(lone, sm.Alignment(turbulence=1.0)).steer(0.1)
    np.testing.assert_array_equal(force, 0)


def test_gusts_go_on_across_the_seams_of_an_oblong_torus() -> None:
    pairs = [[0.0, 8], [69.999, 8], [33, 0.0], [33, 89.999]]
    boids = sm.Vehicles(pairs, [[5.0, 0.0]] * 4, max_speed=5, max_force=30)
    force = sm.Controller(boids, sm.Alignment(turbulence=1.0), domain=sm.Torus([70, 90])).steer(0.1)
    assert np.linalg.norm(force, axis=1).min() > 0.3
    np.testing.assert_allclose(force[::2], force[1::2], atol=0.03)

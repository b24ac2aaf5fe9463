"""What comes of simple rules: flocks, mills, order and disorder."""

import math

import numpy as np
import pytest

import steersman as sm
from steersman.gallery.registry import SCENARIOS
from steersman.runs.metrics.motion import milling, polarization


def swarm(alignment, seed):
    """A heap of vehicles that keep a speed, gather, keep apart, and align more or less."""
    rng = np.random.default_rng(seed)
    vehicles = sm.Vehicles(
        rng.normal(0, 6, (80, 2)), rng.normal(0, 3, (80, 2)), max_speed=6, max_force=10, response_time=0.3
    )
    world = sm.World(dt=1 / 30, seed=seed)
    gather = sm.Cohesion(radius=60.0, law="offset", strength=0.5)
    apart = sm.Separation(radius=2.0, fade=False)
    world.add(
        vehicles, steering=gather + apart + alignment * sm.Alignment(radius=4.0, law="velocity") + sm.TargetSpeed(5.0)
    )
    return world, vehicles


def test_a_flock_finds_one_heading_and_keeps_it():
    world, vehicles = swarm(0.3, seed=2)
    assert polarization(vehicles) < 0.3
    world.run(seconds=20)
    for _ in range(10):
        world.run(seconds=2)
        assert polarization(vehicles) > 0.95
        assert milling(vehicles) < 0.2


def test_with_little_alignment_it_mills():
    world, vehicles = swarm(0.05, seed=2)
    world.run(seconds=60)
    for _ in range(5):
        world.run(seconds=2)
        assert milling(vehicles) > 0.75
        assert polarization(vehicles) < 0.4


def test_noise_destroys_the_order_of_the_vicsek_model():
    orders = []
    for noise in (0.3, 2.5, 6.28):
        stage = SCENARIOS["vicsek"].stage(n=150, seed=1, noise=noise)
        stage.world.run(seconds=12)
        samples = []
        for _ in range(12):
            stage.world.run(seconds=0.5)
            samples.append(polarization(stage.world["particles"]))
        orders.append(float(np.mean(samples)))
    assert orders[0] > 0.98 > orders[1] > 0.5
    assert orders[2] < 0.25


@pytest.mark.parametrize("d", [2, 3])
def test_the_three_parts_normalized_are_flocking(d):
    """One pass for three sums, or three behaviors: the same force."""
    rng = np.random.default_rng(d)
    vehicles = sm.Vehicles(
        rng.uniform(0, 25, (80, d)), rng.normal(0, 2, (80, d)), max_speed=4, max_force=rng.uniform(1, 9, 80),
        dtype=np.float64,
    )  # fmt: skip
    fused = sm.Flocking(
        separation_weight=0.7, separation_radius=6.0, separation_angle=4.0, alignment_weight=0.2, alignment_radius=9.0,
        alignment_angle=2 * math.pi, cohesion_weight=-0.4, cohesion_radius=12.0, cohesion_angle=3.0, inner_radius=1.0,
        each="normalize", alignment_law="velocity", separation_fade=False,
    )  # fmt: skip
    parts = [
        sm.Separation(radius=6.0, angle=4.0, inner_radius=1.0, fade=False),
        sm.Alignment(radius=9.0, inner_radius=1.0, law="velocity"),
        sm.Cohesion(radius=12.0, angle=3.0, inner_radius=1.0),
    ]
    unfused = sm.WeightedSum(parts, weights=(0.7, 0.2, -0.4), each="normalize")
    domain = sm.Torus([25.0] * d)
    forces = [sm.Controller(vehicles, steering, domain=domain).steer(0.1).copy() for steering in (fused, unfused)]
    assert np.abs(forces[0]).max() > 1
    np.testing.assert_array_equal(forces[0], forces[1])


@pytest.mark.parametrize("d", [2, 3])
def test_one_pass_for_all_sums_is_as_good_as_one_pass_each(d):
    rng = np.random.default_rng(10 + d)
    vehicles = sm.Vehicles(rng.uniform(0, 25, (300, d)), rng.normal(0, 2, (300, d)), max_force=1e9, dtype=np.float64)
    parts = [sm.Separation(radius=3.0, strength=2.0), sm.Cohesion(radius=7.0), sm.Alignment(radius=5.0)]
    domain = sm.Torus([25.0] * d)
    together = sm.Controller(vehicles, sm.WeightedSum(parts, each="raw"), domain=domain).steer(0.1)
    apart = sum(sm.Controller(vehicles, part, domain=domain).steer(0.1).copy() for part in parts)
    np.testing.assert_allclose(together, apart, rtol=1e-9, atol=1e-9 * np.abs(apart).max())

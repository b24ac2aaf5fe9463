"""Flocks as they come fly: in order, at speed, without turning back, apart and together. Impostors do not."""

import numpy as np
import pytest
from stepping import ran

import steersman as sm
from steersman.runs.metrics.jitter import turn_jitter
from steersman.runs.metrics.motion import polarization
from steersman.runs.metrics.proximity import nearest_distances

LITERAL = {
    "each": "normalize", "alignment_law": "velocity", "separation_fade": False,
    **dict.fromkeys(("separation_angle", "alignment_angle", "cohesion_angle"), 1.5 * np.pi),
}  # fmt: skip


def plain(apart=1.6, together=1.0, alike=0.9):
    return apart * sm.Separation() + together * sm.Cohesion() + alike * sm.Alignment()


def readme():
    return 1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9)


def flown(steering, *, n=100, density=0.02, d=2, dtype=np.float32, seed=0, dt=1 / 30, seconds=60, last=3):
    """Fly, and record the velocities of the last seconds; boids at half their speed, without order, on a torus."""
    rng = np.random.default_rng(seed)
    edge = (n / density) ** (1 / d)
    velocity = rng.normal(size=(n, d))
    velocity *= 5 / np.linalg.norm(velocity, axis=1, keepdims=True)
    boids = sm.Vehicles(
        rng.uniform(0, edge, (n, d)), velocity, max_speed=10, max_force=30, response_time=0.2, dtype=dtype
    )
    world = ran(boids, steering, domain=sm.Torus([edge] * d), seed=seed, dt=dt, seconds=seconds - last)
    velocities = [boids.velocity.copy()]
    for _ in range(round(last / dt)):
        world.step()
        velocities.append(boids.velocity.copy())
    return world, boids, np.array(velocities, float)


def faults(steering, **where):
    """What is wrong with a flock."""
    world, boids, velocity = flown(steering, **where)
    speed = np.linalg.norm(velocity, axis=2)
    turned = np.sum(velocity[1:] * velocity[:-1], axis=2) < 0.5 * speed[1:] * speed[:-1]
    nearest = nearest_distances(boids, world.domain)
    touching = 2 * float(boids.radius[0])
    wrong = {
        "order": not polarization(boids) > 0.9,
        "speed": not speed.mean() > 0.6 * 10,
        "turns": not turned.mean() < 0.01,
        "apart": not np.quantile(nearest, 0.05) > touching,
        "together": not np.median(nearest) < 6.5,
        "calm": not turn_jitter(velocity, where.get("dt", 1 / 30)) < 20,
    }
    return {fault for fault, is_so in wrong.items() if is_so}


@pytest.mark.parametrize("make", [sm.Flocking, plain, readme])
def test_as_it_comes_it_flocks(make):
    for seed in range(4):
        assert faults(make(), seed=seed, dt=[1 / 30, 1 / 20][seed % 2]) == set()
    assert faults(make(), n=60, density=0.002, d=3, dtype=np.float64, seed=9) == set()


@pytest.mark.parametrize("make", [sm.Flocking, plain])
def test_in_a_dense_crowd_it_flocks_as_well(make):
    """At two meters squared a boid, where nobody has room to be where it wants to be."""
    assert faults(make(), n=150, density=0.5, seed=1, seconds=40) == set()


@pytest.mark.parametrize(("impostor", "fault"), [
    (plain(alike=0), "order"), (plain(apart=0), "apart"), (plain(together=0), "together"),

    (sm.WeightedSum([1.6 * sm.Separation(), sm.Cohesion(), 0.9 * sm.Alignment(law="velocity")]), "speed"),
    (sm.Flocking(**LITERAL), "speed"), (sm.Flocking(**LITERAL), "calm"), (sm.Flocking(each="normalize"), "calm"),
])  # fmt: skip
def test_impostors_do_not(impostor, fault):
    assert fault in faults(impostor, n=150, density=0.02, seed=1)


def test_in_the_open_whoever_is_together_stays_in_order():
    """Whoever parted company at the start does not meet again: order is that of each with its neighbors."""
    rng = np.random.default_rng(3)
    boids = sm.Vehicles(rng.uniform(0, 12, (60, 2)), rng.normal(0, 4, (60, 2)), max_speed=10, max_force=30)
    ran(boids, sm.Flocking(), seed=3, dt=1 / 30, seconds=30)
    offset = boids.position[:, None] - boids.position[None]
    near = np.linalg.norm(offset, axis=2) < 9
    assert near.sum(axis=1).mean() > 8
    unit = boids.velocity / boids.speed[:, None]
    order = [np.linalg.norm(unit[each].mean(axis=0)) for each in near]
    assert np.mean(order) > 0.95
    assert boids.speed.mean() > 6


@pytest.mark.parametrize("n", [10, 100])
def test_it_trembles_less_than_the_literal_law(n):
    """Normalizing what is nearly balanced trembles, and so do pushes that end with a jump."""
    jitter = {}
    for name, steering in (
        ("as it comes", sm.Flocking()),
        ("jump", sm.Flocking(separation_fade=False)),
        ("literal", sm.Flocking(**LITERAL)),
    ):
        jitter[name] = turn_jitter(flown(steering, n=n, seed=2)[2], 1 / 30)
    assert jitter["as it comes"] < 1
    assert jitter["jump"] > 5 * jitter["as it comes"]
    assert jitter["literal"] > 100 * jitter["as it comes"]


def test_nobody_stops_or_spins_for_others_who_come_head_on():
    """Exactly opposite headings have no side: they pass."""
    boids = sm.Vehicles([[0, 0], [6, 0]], [[5, 0], [-5, 0]], max_speed=10, max_force=30)
    ran(boids, sm.Alignment(radius=8), dt=1 / 60, seconds=2)
    np.testing.assert_allclose(boids.velocity, [[10, 0], [-10, 0]], rtol=1e-3)
    assert boids.position[0, 0] > 10 > -4 > boids.position[1, 0]


def test_headings_turn_at_the_rate_that_the_page_says():
    """A follower of a crowd that holds its heading: tan(angle / 2) decays within the response time."""
    crowd = sm.Vehicles([[0.0, 50.0]], [[3.0, 0.0]], max_speed=3, dtype=np.float64)
    start = 2.0
    boid = sm.Vehicles(
        [[0.0, 0.0]], 4.0 * np.array([[np.cos(start), np.sin(start)]]), max_speed=4, max_force=1e9, response_time=0.5,
        dtype=np.float64,
    )  # fmt: skip
    world = sm.World(dt=1e-4)
    world.add(crowd, name="crowd")
    world.add(boid, name="boid", steering=sm.Alignment(radius=np.inf, of=crowd))
    world.run(seconds=1.0)
    expected = 2 * np.arctan(np.tan(start / 2) * np.exp(-1.0 / 0.5))
    assert np.arctan2(*boid.velocity[0, ::-1]) == pytest.approx(expected, rel=1e-3)
    assert boid.speed[0] == pytest.approx(4, rel=1e-3)

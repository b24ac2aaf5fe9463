"""Vicsek's law beside an independent program, flocks beside an obstacle, and the tables of both."""

import math

import numpy as np
import pytest

from benchmarks import swarms
from steersman import metrics


def in_numpy(n, noise, steps, seed):
    """The mean order of Vicsek's law, written down once more: all pairs, angles."""
    rng = np.random.default_rng(seed)
    side = math.sqrt(n / swarms.DENSITY)
    place, angle, orders = rng.uniform(0, side, (n, 2)), np.zeros(n), []
    for step in range(steps):
        way = place[:, None] - place
        way -= side * np.rint(way / side)
        near = (way**2).sum(axis=-1) <= 1
        angle = np.arctan2(near @ np.sin(angle), near @ np.cos(angle)) + rng.uniform(-noise / 2, noise / 2, n)
        heading = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        place = (place + swarms.STEP * heading) % side
        if step >= 50:
            orders.append(np.linalg.norm(heading.mean(axis=0)))
    return np.mean(orders)


@pytest.mark.parametrize("noise", [1.5, 3.0])
def test_order_is_that_of_an_independent_program(noise):
    """Errors of both are about 0.01; a noise of a tenth more makes 0.05 less."""
    world = swarms.particles(64, 1)
    swarm = world.populations["particles"]
    swarm.steering = swarms.rule(noise)
    world.run(steps=300)
    orders = []
    for _ in range(3000):
        world.step()
        orders.append(metrics.polarization(swarm.vehicles))
    assert np.mean(orders) == pytest.approx(in_numpy(64, noise, 1500, 2), abs=0.03)


def test_a_flock_by_number_stays_together_where_one_by_a_radius_breaks_apart():
    parts = {name: swarms.meeting(swarms.FLOCKS[name], 0, 2.0) for name in ("nearest 7", "radius 1.3 m")}
    assert parts["radius 1.3 m"]["neighbors"] > 7
    assert 2 * parts["nearest 7"]["parts"] < parts["radius 1.3 m"]["parts"]


def test_exponents_and_peaks_of_known_curves():
    order = np.array([n**-0.25 for n in swarms.SIZES])[:, None] * np.ones(3)
    assert swarms.falling(order) == pytest.approx([0.5, 0.5, 0.5])
    noise = np.array(swarms.NOISES)
    found = swarms.peak(3 * np.exp(-((noise - 3.6) ** 2)))
    assert found == pytest.approx((3.6, 3.0))

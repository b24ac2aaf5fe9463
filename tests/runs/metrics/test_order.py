"""Order among neighbors."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics.motion import polarization
from steersman.runs.metrics.order import lane_order, local_polarization


def two_flocks(angle):
    """Ten who head along x, and far away ten who head another way."""
    rng = np.random.default_rng(0)
    there = np.repeat([[0.0, 0.0], [100.0, 0.0]], 10, axis=0)
    heading = np.repeat([[1.0, 0.0], [np.cos(angle), np.sin(angle)]], 10, axis=0)
    return sm.Vehicles(there + rng.normal(size=(20, 2)), 3 * heading)


def test_flocks_that_head_different_ways_are_in_order_each():
    assert local_polarization(two_flocks(np.pi)) == pytest.approx(1)
    assert polarization(two_flocks(np.pi)) == pytest.approx(0, abs=1e-6)


def test_of_all_it_is_the_polarization_and_counts_as_far_as_there_are_neighbors():
    flocks = two_flocks(2.0)
    assert local_polarization(flocks, k=19) == pytest.approx(polarization(flocks))
    assert local_polarization(flocks, k=99) == pytest.approx(polarization(flocks))


def test_neighbors_are_seen_across_the_edge_of_a_torus():
    pairs = sm.Vehicles([[1, 5], [99, 5], [51, 5], [49, 5]], [[1, 0], [1, 0], [-1, 0], [-1, 0]])
    assert local_polarization(pairs, sm.Torus([100, 10]), k=1) == pytest.approx(1)
    assert local_polarization(pairs, sm.Open(), k=1) < 0.9


def test_disorder_has_none_and_nobody_no_number():
    velocity = np.random.default_rng(1).normal(size=(2000, 2))
    crowd = sm.Vehicles(np.random.default_rng(2).uniform(0, 50, (2000, 2)), velocity)
    assert 0.2 < local_polarization(crowd) < 0.4
    assert np.isnan(local_polarization(sm.Vehicles(np.zeros((0, 2)))))


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("width", [0.9, 2.4, 2.6, 4.1, 5.5, 9.0])
def test_lanes_on_a_torus_count_every_vehicle_once_however_wide_one_looks(d, width):
    """On a torus 5 m wide, from a fifth of that to nearly twice as much: each vehicle beside one is one."""
    rng = np.random.default_rng(d)
    size = np.array([20.0, 5.0, 5.0])[:d]
    place = rng.uniform(0, size, (40, d)) + size * rng.integers(-1, 2, (40, d))
    velocity = np.zeros((40, d))
    velocity[:, 0] = rng.choice([-1.0, 1.0, 0.0], 40, p=[0.3, 0.6, 0.1])
    side = np.sign(velocity[:, 0])
    for domain in (sm.Torus(size), sm.Open()):
        way = place[:, None, 1:] - place[None, :, 1:]
        if isinstance(domain, sm.Torus):
            way -= 5.0 * np.rint(way / 5.0)
        near = (np.linalg.norm(way, axis=2) <= width) & (side != 0) & (side != 0)[:, None]
        balance = (near @ side / np.maximum(near.sum(axis=1), 1))[side != 0]
        found = lane_order(place, [1.0] + [0.0] * (d - 1), width, domain, velocity=velocity)
        assert found == pytest.approx(np.mean(balance**2))

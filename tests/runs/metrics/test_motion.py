"""Speed, order, spread."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm
from steersman.runs.metrics import motion

NOBODY = sm.Vehicles(np.zeros((0, 2)))


def test_mean_speed():
    assert motion.mean_speed(sm.Vehicles([[0, 0], [1, 1]], [[3, 4], [0, 0]], max_speed=9)) == 2.5


def test_polarization_of_known_flocks():
    assert motion.polarization(sm.Vehicles([[0, 0], [1, 1]], [[1, 0], [5, 0]])) == pytest.approx(1)
    assert motion.polarization(sm.Vehicles([[0, 0], [1, 1]], [[1, 0], [-5, 0]])) == pytest.approx(0)
    assert motion.polarization(sm.Vehicles([[0, 0], [1, 1]], [[1, 0], [0, 0]])) == pytest.approx(0.5)
    assert motion.polarization(sm.Vehicles([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [0, 1, 0]])) == pytest.approx(
        math.sqrt(0.5)
    )


@given(st.integers(1, 30), st.floats(0.1, 5), st.integers(0, 10))
def test_polarization_does_not_depend_on_speed(n, factor, seed):
    velocity = np.random.default_rng(seed).normal(size=(n, 2))
    a, b = (
        motion.polarization(sm.Vehicles(np.zeros((n, 2)), v, dtype=np.float64)) for v in (velocity, factor * velocity)
    )
    assert a == pytest.approx(b)
    assert 0 <= a <= 1 + 1e-12


def test_dispersion_and_center():
    vehicles = sm.Vehicles([[0, 0], [4, 0], [0, 4], [4, 4]])
    assert motion.center(vehicles) == pytest.approx([2, 2])
    assert motion.dispersion(vehicles) == pytest.approx(math.sqrt(8))


def test_the_middle_of_a_flock_that_straddles_the_seam():
    torus = sm.Torus([10, 10])
    vehicles = sm.Vehicles([[9.5, 5], [0.5, 5]])
    assert torus.difference(motion.center(vehicles, torus), [0, 5]) == pytest.approx([0, 0], abs=1e-6)
    assert motion.dispersion(vehicles, torus) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("origin", [[0, 0], [5, -5], [-30, 7]])
def test_the_middle_lies_in_the_torus(origin):
    """It was at the image that is nearest to zero, which may be outside."""
    torus, places = sm.Torus([10, 20], origin), np.add([[9, 19], [9.5, 19.5]], origin)
    np.testing.assert_allclose(motion.center(places, torus), np.add([9.25, 19.25], origin), rtol=0, atol=1e-9)
    both = motion.center([places, np.add(places, [0.5, 0.25])], torus)
    np.testing.assert_allclose(both[1], np.add([9.75, 19.5], origin), rtol=0, atol=1e-9)
    assert np.isnan(motion.center(np.zeros((3, 0, 2)), torus)).all()


def test_milling_tells_a_mill_from_a_march():
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    around = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    assert motion.milling(sm.Vehicles(ring, around)) == pytest.approx(1)
    assert motion.milling(sm.Vehicles(ring, [1, 0])) == pytest.approx(0, abs=1e-6)
    solid = [np.column_stack([part, np.zeros(12)]) for part in (ring, around)]
    assert motion.milling(sm.Vehicles(*solid)) == pytest.approx(1)


def test_nobody_has_no_metrics():
    for metric in (motion.mean_speed, motion.polarization, motion.dispersion, motion.milling):
        assert math.isnan(metric(NOBODY))

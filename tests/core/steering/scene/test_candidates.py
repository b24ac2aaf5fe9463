"""Candidates: nobody within the radius is left out, on a torus neither, and few others are taken."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.scene.candidates import FEW, candidates


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("k", [1, FEW, FEW + 1, 40])
def test_everybody_near_is_found_and_few_others(d, torus, k):
    rng = np.random.default_rng(d + k)
    size = np.array([100.0, 60, 80][:d])
    points = rng.uniform(-1.5, 2.5, (2000, d)) * size  # Also those beyond the seams.
    places = rng.uniform(0, 1, (k, d)) * size
    places[0] = points[7]
    domain = sm.Torus(size) if torus else sm.Open()
    period = domain.wrap(d, np.float64)[0]
    for radius in (0.0, 5.0, 29.9):
        told = 0
        for place, rows in zip(places, candidates(points, places, radius, period), strict=True):
            assert (np.diff(rows) > 0).all()
            away = np.linalg.norm(domain.difference(points, place), axis=1)
            assert np.isin(np.flatnonzero(away <= radius), rows).all()
            told += len(rows)
        if radius == 5:  # 100 square meters of 6,000 on a torus, and of 96,000 elsewhere.
            assert told <= (80 if torus else 20) * k


@pytest.mark.parametrize("radius", [50.0, 1e9, np.inf])
def test_all_may_be_within_a_radius_that_reaches_around_the_torus(radius):
    points = np.random.default_rng(0).uniform(0, 60, (50, 2))
    (rows,) = candidates(points, points[:1], radius, np.array([60.0, 60.0]))
    assert rows.tolist() == list(range(50))


def test_what_lies_exactly_at_the_radius_is_found():
    points = np.array([[0.1, 0.2], [0.1 + 0.3, 0.2], [1e6 + 0.3, 0.2]])
    for place, radius, row in (([0.1, 0.2], 0.3, 1), ([1e6, 0.2], 0.3, 2)):
        (rows,) = candidates(points, np.array([place]), radius, np.zeros(2))
        assert row in rows

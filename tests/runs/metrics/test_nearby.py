"""Nearby: pairs and the nearest vehicles of several frames and questions, against all distances."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import nearby
from steersman.runs.metrics.nearby import Nearby

SIZE = np.array([20.0, 13.0, 9.0])


def distances(domain, to, origin):
    return np.linalg.norm(domain.difference(to[None], origin[:, None]), axis=2)


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("few", [0, 150])
def test_answers_are_those_of_all_distances_whatever_was_asked_before(d, torus, few, monkeypatch):
    """One object answers for several k, reaches, and with and without others; from frame to frame vehicles move."""
    monkeypatch.setattr(nearby, "FEW", few)
    monkeypatch.setattr(nearby, "PAIRS", few * few)
    rng, domain = np.random.default_rng(d), sm.Torus(SIZE[:d]) if torus else sm.Open()
    near = Nearby(domain)
    for _ in range(2):
        place, others = rng.uniform(0, SIZE[:d], (40, d)), rng.uniform(0, SIZE[:d], (25, d))
        between, across = distances(domain, place, place), distances(domain, others, place)
        own = between + np.where(np.eye(40), np.inf, 0)
        for k in (1, 5, 2):
            for found, told in ((near.nearest(place, k), own), (near.nearest(place, k, others), across)):
                np.testing.assert_array_equal(found[0], np.argsort(told, axis=1)[:, :k])
                np.testing.assert_allclose(found[1], np.sort(told, axis=1)[:, :k])
        for reach in (2.0, 4.5, 0.0, np.inf):
            first, second, distance = near.pairs(place, reach)
            told = np.argwhere(np.triu(between <= reach, 1))
            np.testing.assert_array_equal(np.stack([first, second], axis=1), told)
            np.testing.assert_allclose(distance, between[first, second])

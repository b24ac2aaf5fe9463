"""Arriving: ways that end where they began, and goals of one's own."""

import math

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import arrival_times, arrived, detour, path_lengths


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("domain", [None, sm.Torus([10, 10])])
def test_who_is_back_where_it_began_has_no_detour(domain, dtype):
    """Rounding leaves 1e-16 m between the two ends, over which half of such ways were 1e16 times as long."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        loop = rng.uniform(4, 6, (7, 2, 2)).astype(dtype)
        loop[-1, 0] = loop[0, 0]
        loop[:, 1, 0], loop[:, 1, 1] = np.linspace(4, 6, 7), 5
        assert detour(loop, domain) == pytest.approx(1, abs=1e-6)
        assert math.isnan(detour(loop[:, :1], domain))


def test_a_short_way_is_a_way():
    steps = 1e-6 * np.array([[[0.0, 0.0]], [[1.0, 0.0]], [[1.0, 1.0]]])
    assert detour(steps) == pytest.approx(math.sqrt(2))
    assert detour(steps + 1.0) == pytest.approx(math.sqrt(2), rel=1e-6)


def test_around_a_torus_is_a_period_far():
    x = (np.arange(11) % 10.0)[:, None, None] * [1.0, 0.0]
    assert path_lengths(x, sm.Torus([10, 10])) == pytest.approx([10])
    assert detour(x, sm.Torus([10, 10])) == pytest.approx(1)
    assert math.isnan(detour(x))


def test_goals_of_ones_own():
    places, goals = [[0, 0], [5, 5], [9.9, 5]], [[5, 5], [5, 5], [0.1, 5]]
    assert arrived(places, goals, within=0.5) == pytest.approx(1 / 3)
    assert arrived(places, goals, sm.Torus([10, 10]), within=0.5) == pytest.approx(2 / 3)
    assert arrived(places, goals, sm.Torus([10, 10]), within=0.5, own=True) == pytest.approx(2 / 3)
    assert arrived(places, goals[::-1], sm.Torus([10, 10]), within=0.5, own=True) == pytest.approx(1 / 3)
    assert arrived(places, [goals[1], goals[0], [9, 9]], within=0.5, own=True) == pytest.approx(1 / 3)
    runs = [[[0, 0], [1, 0]], [[1, 0], [2, 0]], [[2, 0], [3, 0]]]
    assert arrival_times(runs, [[2, 0], [1, 0]], 0.5, within=0, own=True).tolist() == [1.0, 0.0]
    assert arrived(runs, runs, within=0, own=True).tolist() == [1.0, 1.0, 1.0]  # Goals that move.
    assert arrival_times(runs, [[2, 0], [1, 0]], 0.5, within=0).tolist() == [0.5, 0.0]
    with pytest.raises(ValueError, match="goal must be one for each of 2 vehicles, since they are their own, got 3"):
        arrival_times(runs, [[2, 0], [1, 0], [0, 0]], 0.5, within=0, own=True)

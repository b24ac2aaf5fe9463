"""The guard's judgment, by timings that are made up: noise alone is no regression, and a real one is found."""

import numpy as np
import pytest

from benchmarks.comparing import TOLERANCE, change, verdict


def timings(rng, turns, factor=1.0, noise=0.05, drift=None):
    """Times of turns: scattered, now and then with somebody else on the machine."""
    times = factor * rng.lognormal(0.0, noise, turns)
    times[rng.random(turns) < 0.1] *= 1.5
    return times if drift is None else times * drift


@pytest.mark.each_value
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("turns", [3, 5, 15, 40])
def test_noise_alone_is_hardly_ever_a_regression(turns, paired):
    found = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        found.append(change(timings(rng, turns), timings(rng, turns), paired=paired, seed=seed).verdict)
    assert found.count("slower") <= 5
    assert found.count("faster") <= 5


@pytest.mark.parametrize("paired", [True, False])
def test_ten_percent_are_found_with_enough_turns(paired):
    found = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        found.append(change(timings(rng, 80, 1.1), timings(rng, 80), paired=paired, seed=seed).verdict)
    assert found.count("slower") >= 95
    assert "same" not in found
    assert "faster" not in found


def test_ten_percent_faster_are_found_as_well():
    found = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        found.append(change(timings(rng, 80, 1 / 1.1), timings(rng, 80), paired=True, seed=seed).verdict)
    assert found.count("faster") >= 95


def test_with_many_turns_the_same_is_called_the_same():
    rng = np.random.default_rng(0)
    assert change(timings(rng, 200), timings(rng, 200), paired=True).verdict == "same"


def test_pairs_forgive_a_machine_that_changes_and_lists_do_not():
    rng = np.random.default_rng(1)
    drift = np.repeat([1.0, 3.0], 15)
    new, old = timings(rng, 30, 1.2, 0.01, drift), timings(rng, 30, 1.0, 0.01, drift)
    assert change(new, old, paired=True).verdict == "slower"
    assert change(new, old, paired=False).verdict == "unclear"


def test_an_interval_holds_its_ratio_about_as_often_as_it_says():
    held = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        found = change(rng.lognormal(0.1, 0.05, 25), rng.lognormal(0.0, 0.05, 25), paired=False, seed=seed)
        held += found.low <= np.exp(0.1) <= found.high
    assert held >= 180


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(1.06, 1.2, "slower"), (1.04, 1.2, "unclear"), (0.97, 1.04, "same"), (0.8, 0.94, "faster"), (0.8, 1.2, "unclear")],
)
def test_only_a_whole_interval_is_a_verdict(low, high, word):
    assert verdict(low, high, TOLERANCE) == word


def test_a_wider_tolerance_lets_more_pass():
    new, old = [1.1] * 5, [1.0] * 5
    assert change(new, old, paired=True).verdict == "slower"
    assert change(new, old, paired=True, tolerance=0.2).verdict == "same"


@pytest.mark.parametrize(
    ("new", "old", "words"),
    [
        ([1.0, 1.0], [1.0] * 5, "at least 3 turns"),
        ([1.0] * 4, [1.0] * 5, "as many of both"),
        ([1.0, 0.0, 1.0], [1.0] * 3, "positive"),
        ([1.0, np.nan, 1.0], [1.0] * 3, "positive"),
    ],
)
def test_what_cannot_be_compared_is_refused(new, old, words):
    with pytest.raises(ValueError, match=words):
        change(new, old, paired=True)
    with pytest.raises(ValueError, match="tolerance must be > 0"):
        change([1.0] * 3, [1.0] * 3, paired=True, tolerance=0.0)

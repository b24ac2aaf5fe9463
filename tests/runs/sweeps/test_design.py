"""Which values the runs of a sweep have."""

import numpy as np
import pytest
from later import later

from steersman.runs.sweeps.design import Span, as_axis, combinations

stats = later("scipy.stats")


def made(values, **about):
    return combinations({path: as_axis(path, each) for path, each in values.items()}, **about)


def test_a_grid_has_each_value_with_each():
    assert made({"a": [1, 2], "b": "x", "c": np.array([0.5, 1.5])}) == [
        (1, "x", 0.5),
        (1, "x", 1.5),
        (2, "x", 0.5),
        (2, "x", 1.5),
    ]
    assert made({}) == [()]
    assert type(made({"a": np.arange(2)})[0][0]) is int


@pytest.mark.parametrize("design", ["random", "latin", "sobol"])
def test_samples_are_in_their_ranges_and_always_the_same(design):
    values = {
        "low": {"low": 2, "high": 3},
        "log": {"low": 0.01, "high": 100, "log": True},
        "whole": {"low": 1, "high": 4, "whole": True},
        "normal": stats.norm(10, 1),
        "choice": ["a", "b"],
    }
    plan = made(values, design=design, samples=64, seed=5)
    low, log, whole, normal, choice = zip(*plan, strict=True)
    assert len(plan) == 64
    assert 2 <= min(low) < 2.2 < 2.8 < max(low) <= 3
    assert 0.01 <= min(log) < 1 < max(log) <= 100
    assert set(whole) == {1, 2, 3, 4}
    assert abs(np.mean(normal) - 10) < 0.5
    assert 20 < choice.count("a") < 44
    assert plan == made(values, design=design, samples=64, seed=5)
    assert plan != made(values, design=design, samples=64, seed=6)


@pytest.mark.parametrize(
    ("low", "high", "numbers"),
    [(-3, 2, range(-3, 3)), (-4, -1, range(-4, 0)), (0.5, 3.5, range(1, 4)), (0, 1, (0, 1)), (0.5, 1.5, (1,))],
)
def test_whole_numbers_are_all_as_likely(low, high, numbers):
    """Below zero, too, and between ends that are no whole numbers."""
    assert as_axis("a", {"low": low, "high": high, "whole": True}) == Span(low, high, whole=True)
    drawn = Span(low, high, whole=True).at((np.arange(600) + 0.5) / 600)
    assert {each: drawn.count(each) for each in numbers} == dict.fromkeys(numbers, 600 // len(numbers))
    assert Span(low, high, whole=True).at(np.array([0.0, 1.0])) == [numbers[0], numbers[-1]]


def test_a_latin_hypercube_has_one_sample_in_each_slice_and_sobol_fills_evenly():
    values = {"a": {"low": 0, "high": 10}, "b": {"low": 0, "high": 10}}
    for axis in zip(*made(values, design="latin", samples=10), strict=True):
        assert sorted(int(each) for each in axis) == list(range(10))
    for axis in zip(*made(values, design="sobol", samples=16), strict=True):
        assert sorted(int(each * 1.6) for each in axis) == list(range(16))


def test_a_span_knows_the_quantile_of_a_value():
    assert Span(1, 100, log=True).quantile(10) == pytest.approx(0.5)
    assert Span(1, 3).quantile(1.5) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("values", "about", "message"),
    [
        ({"a": []}, {}, "at least one value"),
        ({"a": {"low": 1}}, {}, "must be a list of values, or"),
        ({"a": {"low": 1, "high": 2, "step": 1}}, {}, "must be a list of values, or"),
        ({"a": {"low": 2, "high": 1}}, {}, "low < high"),
        ({"a": {"low": 2, "high": 2}}, {}, "low < high"),
        ({"a": {"low": 0, "high": 1, "log": True}}, {}, "low > 0"),
        ({"a": {"low": 1, "high": 9, "log": True, "whole": True}}, {}, "log or whole"),
        ({"a": {"low": 0.2, "high": 0.8, "whole": True}}, {}, "a whole number between low and high"),
        ({"a": {"low": 1, "high": 2}}, {}, "for a range give design= and samples="),
        ({"a": [1]}, {"samples": 3}, "must not be given for a grid"),
        ({"a": [1]}, {"design": "latin"}, "samples must be a whole number"),
        ({"a": [1]}, {"design": "lattice"}, "design must be one of grid, random"),
    ],
)
def test_wrong_values_are_refused(values, about, message):
    with pytest.raises((TypeError, ValueError), match=message):
        made(values, **about)

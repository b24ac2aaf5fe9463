"""Dithered: the share of each part, the time a choice is held, and what it becomes at the limits."""

from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import Push, some, steer

import steersman as sm

MANY = 4000


def share_of(force: Any, direction: Any) -> float:
    return float(np.mean(np.all(np.isclose(force, direction), axis=-1)))


def test_each_part_has_its_share() -> None:
    """0.5 for the first, 0.5 * 0.6 for the second, 0.5 * 0.4 * 0.9 for the third, 0.02 for nobody."""
    parts = [Push(1, 0), Push(0, 1), Push(-1, 0)]
    force = steer(some(MANY), sm.Dithered(parts, probabilities=(0.5, 0.6, 0.9)), steps=5)
    for direction, share in (([1, 0], 0.5), ([0, 1], 0.3), ([-1, 0], 0.18), ([0, 0], 0.02)):
        assert share_of(force, direction) == pytest.approx(share, abs=4 * (share / MANY / 5) ** 0.5)


def test_more_parts_than_words_of_a_draw() -> None:
    parts = [Push(k, 0) for k in range(1, 8)]
    force = steer(some(MANY), sm.Dithered(parts, probabilities=[0.2] * 7), steps=3)[..., 0]
    for k in range(7):
        assert np.mean(force == k + 1) == pytest.approx(0.2 * 0.8**k, abs=0.02)


def test_a_part_that_does_not_act_is_passed_over() -> None:
    force = steer(some(MANY), sm.Dithered([Push(0, 0), Push(0, 1)], probabilities=(1.0, 0.5)))
    assert share_of(force, [0, 1]) == pytest.approx(0.5, abs=0.03)


def test_certainty_is_a_priority_and_impossibility_silence() -> None:
    vehicles = some(max_force=3.0)
    parts = [sm.Flee([5.0, 5.0], panic_distance=3.0), sm.Seek([1.0, 2.0])]
    np.testing.assert_array_equal(
        steer(vehicles, sm.Dithered(parts, probabilities=(1, 1))), steer(vehicles, sm.Priority(parts))
    )
    asked = Push(1, 1)
    assert not steer(vehicles, sm.Dithered([asked], probabilities=(0,)), steps=3).any()
    assert asked.asked == 0


@pytest.mark.parametrize("dt", [0.01, 0.02, 0.05])
def test_a_choice_is_held_for_the_period_at_any_frame_rate(dt: float) -> None:
    """The very same choices are made at the same times, whatever the time step."""
    tree = sm.Dithered([Push(1, 0), Push(0, 1)], probabilities=(0.5, 1.0), period=0.1)
    held = round(0.1 / dt)
    force = steer(some(50), tree, steps=20 * held, dt=dt)[..., 0].reshape(20, held, 50)
    assert (force == force[:, :1]).all(), "a choice changed within its period"
    coarse = steer(some(50), tree, steps=20, dt=0.1)[..., 0]
    np.testing.assert_array_equal(force[:, 0], coarse)
    assert 0.3 < np.mean(np.diff(coarse, axis=0) != 0) < 0.7, "choices do not change from period to period"


def test_vehicles_choose_each_for_itself() -> None:
    force = steer(some(MANY), sm.Dithered([Push(1, 0), Push(0, 1)], probabilities=(0.5, 1.0)))[0, :, 0]
    assert 0.45 < np.mean(force[1:] == force[:-1]) < 0.55


@pytest.mark.parametrize(
    ("probabilities", "error", "message"),
    [
        ((0.5,), ValueError, r"probabilities must be as many as the parts \(2\), got 1"),
        ((0.5, 1.5), ValueError, r"probabilities must be in \[0, 1\], got 1.5"),
        ((0.5, float("nan")), ValueError, r"probabilities must be in \[0, 1\], got nan"),
        ((0.5, "1"), TypeError, r"probabilities must be numbers in \[0, 1\], got '1'"),
        (0.5, TypeError, r"probabilities must be a list of numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(probabilities: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sm.Dithered([Push(1, 0), Push(0, 1)], probabilities=probabilities)
    with pytest.raises(ValueError, match="period must be > 0 s, got 0"):
        sm.Dithered([Push(1, 0)], probabilities=(1,), period=0.0)

"""Jitter: against headings whose turn acceleration is known."""

import math

import numpy as np
import pytest

from steersman.runs.metrics.jitter import turn_accelerations, turn_jitter

DT = 0.001
TIME = np.arange(0, 3, DT)


def heading(angle: np.ndarray, speed: float = 2.0) -> np.ndarray:
    return speed * np.stack([np.cos(angle), np.sin(angle)], axis=-1)[:, None]


def test_a_swinging_heading_has_the_acceleration_of_its_swing() -> None:
    """angle = a sin(w t): the acceleration is a w^2 sin(w t), whose root mean square is a w^2 / sqrt 2."""
    angle = 0.3 * np.sin(4 * math.pi * TIME)
    assert turn_jitter(heading(angle), DT) == pytest.approx(0.3 * (4 * math.pi) ** 2 / math.sqrt(2), rel=1e-3)


def test_neither_straight_ways_nor_steady_turns_nor_speeds_count() -> None:
    assert turn_jitter(heading(0 * TIME + 1), DT) == pytest.approx(0, abs=1e-6)
    assert turn_jitter(heading(0.7 * TIME), DT) == pytest.approx(0, abs=1e-6)
    assert turn_jitter(heading(0 * TIME) * (1 + TIME)[:, None, None], DT) == pytest.approx(0, abs=1e-6)


def test_a_heading_that_flips_counts_most() -> None:
    """By +-a at every step: the second difference is 4 a / dt^2 for small a."""
    angle = 0.01 * (-1.0) ** np.arange(100)
    assert turn_jitter(heading(angle), 0.1) == pytest.approx(0.04 / 0.01, rel=1e-2)


def test_in_space_too() -> None:
    plane = heading(0.3 * np.sin(TIME))
    space = np.concatenate([plane, np.zeros_like(plane[..., :1])], axis=-1)
    assert turn_jitter(space, DT) == pytest.approx(turn_jitter(plane, DT))


def test_who_rests_does_not_count() -> None:
    both = np.concatenate([heading(np.sin(TIME)), np.zeros((len(TIME), 1, 2))], axis=1)
    assert turn_jitter(both, DT) == pytest.approx(turn_jitter(both[:, :1], DT))
    assert math.isnan(turn_jitter(np.zeros((5, 2, 2)), DT))


@pytest.mark.parametrize("rest", [0, 1, 2, 3, 4])
def test_a_frame_of_rest_takes_the_two_beside_it_out(rest: int) -> None:
    """It has no direction, so neither a change to it nor one from it counts: of five frames, three have both beside."""
    velocity = heading(np.array([0.0, 0.1, 0.3, 0.2, 0.6]))
    velocity[rest] = 0.0
    found = turn_accelerations(velocity, 0.1)[:, 0]
    assert np.isnan(found).tolist() == [abs(k - rest) <= 1 for k in (1, 2, 3)]
    whole = turn_accelerations(heading(np.array([0.0, 0.1, 0.3, 0.2, 0.6])), 0.1)[:, 0]
    there = np.isfinite(found)
    np.testing.assert_allclose(found[there], whole[there])
    if there.any():
        assert turn_jitter(velocity, 0.1) == pytest.approx(math.sqrt(np.mean(found[there] ** 2)))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"velocity must have shape \(frames, n, d\) with at least 3 frames, got \(2, 1, 2\)"
    ):
        turn_jitter(np.ones((2, 1, 2)), DT)
    with pytest.raises(ValueError, match=r"dt must be > 0 s, got 0"):
        turn_jitter(np.ones((3, 1, 2)), 0)

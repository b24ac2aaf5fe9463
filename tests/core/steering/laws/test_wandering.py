"""The three random walks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from steersman.core.steering import laws

AXES = np.array([[0.6, 0.8], [0.8, -0.6]])


@given(displacement=arrays(float, 2, elements=st.floats(-3, 3)), draw=arrays(float, 2, elements=st.floats(-1, 1)))
def test_wander_stays_on_its_circle(displacement: np.ndarray, draw: np.ndarray) -> None:
    steering, state = laws.wander(displacement, draw, AXES, strength=2.0, rate=0.5, distance=5.0)
    if displacement.any() or (0.5 * draw).any():
        assert laws.length(state) == pytest.approx(2.0)
    np.testing.assert_allclose(laws.to_local(steering, AXES), state + np.array([5.0, 0]), atol=1e-12)


def test_wander_per_frame_is_the_printed_law() -> None:
    before, draw = np.array([2.0, 0]), np.array([0.5, -1])
    _, after = laws.wander(before, draw, AXES, strength=2.0, rate=0.4, distance=5.0)
    moved = before + 0.4 * draw
    np.testing.assert_allclose(after, 2 * moved / np.linalg.norm(moved))


def test_a_step_to_the_center_is_not_taken() -> None:
    before = np.array([0.0, 2.0])
    _, after = laws.wander(before, -before, AXES, strength=2.0, rate=1.0, distance=5.0)
    np.testing.assert_array_equal(after, before)


def spread(dt: float) -> float:
    """Mean square angle that the state has walked after a second, over many walks."""
    rng = np.random.default_rng(5)
    state = np.tile([2.0, 0.0], (20_000, 1))
    for _ in range(round(1 / dt)):
        draw = laws.normalize(rng.normal(size=state.shape))
        _, state = laws.wander(state, draw, AXES, strength=2.0, rate=0.4, distance=5.0, dt=dt)
    return float(np.mean(np.arctan2(state[:, 1], state[:, 0]) ** 2))


def test_the_spread_of_wander_does_not_depend_on_the_step() -> None:
    # Half of a unit draw's square is tangential: (rate / strength)^2 / 2 after one second.
    assert spread(1 / 10) == pytest.approx(0.02, rel=0.05)
    assert spread(1 / 40) == pytest.approx(0.02, rel=0.05)


def test_turning_is_bounded_and_to_the_left() -> None:
    forward = np.array([1.0, 0])
    steering, rate = laws.wander_turning(0.0, 1.0, np.zeros(2), forward, 3.0, max_turn_rate=0.5, rate=0.2)
    assert rate == pytest.approx(0.2)
    np.testing.assert_allclose(steering, [3 * np.cos(0.2), 3 * np.sin(0.2)])
    for sign in (1.0, -1.0):
        _, rate = laws.wander_turning(sign * 0.45, sign, np.zeros(2), forward, 3.0, max_turn_rate=0.5, rate=0.2)
        assert rate == sign * 0.5


def test_turning_scales_with_the_step() -> None:
    _, rate = laws.wander_turning(0.1, 1.0, np.zeros(2), np.array([1.0, 0]), 3.0, max_turn_rate=9.0, rate=0.2, dt=0.25)
    assert rate == pytest.approx(0.1 + 0.2 * 0.5)


def test_turning_in_3d_is_around_up() -> None:
    up, forward = np.array([0.0, 0, 1]), np.array([1.0, 0, 0])
    steering, _ = laws.wander_turning(np.pi / 2, 0.0, np.zeros(3), forward, 2.0, max_turn_rate=9.0, rate=0.2, up=up)
    np.testing.assert_allclose(steering, [0, 2, 0], atol=1e-15)
    with pytest.raises(ValueError, match="up must be a unit vector"):
        laws.wander_turning(0.1, 0.0, np.zeros(3), forward, 2.0, max_turn_rate=9.0, rate=0.2)


def test_orientation_walks_on_the_circle_ahead() -> None:
    steering, bearing = laws.wander_orientation(0.0, 0.5, np.array([0.0, 1]), rate=0.4, offset=1.5, radius=4.0)
    assert bearing == pytest.approx(0.2)
    np.testing.assert_allclose(steering, [-4 * np.sin(0.2), 1.5 + 4 * np.cos(0.2)])
    _, bearing = laws.wander_orientation(1.0, 0.5, np.array([0.0, 1]), dt=0.25)
    assert bearing == pytest.approx(1.0 + 0.4 * 0.5 * 0.5)

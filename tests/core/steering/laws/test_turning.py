"""The equations of turning, against numbers worked out by hand."""

import math

import numpy as np
import pytest

from steersman import laws
from steersman.core.vehicles.orientation import axes_of


def test_the_shortest_turn_in_the_plane() -> None:
    forward = np.array([[1.0, 0], [0, 1], [-1, 0], [1, 0], [1, 0], [0.6, 0.8]])
    to = np.array([[0, 2.0], [5, 0], [-3, -3], [-1, 0], [0, 0], [6, 8]])
    expected = [[math.pi / 2], [-math.pi / 2], [math.pi / 4], [math.pi], [0], [0]]
    np.testing.assert_allclose(laws.turn_toward(forward, to), expected, atol=1e-12)
    assert laws.turn_toward([1.0, 0.0], [0.0, -1.0]).tolist() == [-math.pi / 2]


def test_the_shortest_turn_in_space() -> None:
    forward, up = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])
    np.testing.assert_allclose(laws.turn_toward(forward, [0, 3.0, 0], up), [0, 0, math.pi / 2], atol=1e-12)
    np.testing.assert_allclose(laws.turn_toward(forward, [1.0, 0, 1.0], up), [0, -math.pi / 4, 0], atol=1e-12)
    np.testing.assert_allclose(laws.turn_toward(forward, [-2.0, 0, 0], up), [0, 0, math.pi], atol=1e-12)
    assert not laws.turn_toward(forward, [0.0, 0, 0], up).any()


def test_the_rotation_vector_between_frames_is_that_of_rodrigues() -> None:
    """Frames are turned by known vectors, up to a half turn, and the vectors are found again."""
    rng = np.random.default_rng(0)
    axis = laws.normalize(rng.normal(size=(200, 3)))
    angle = np.concatenate([rng.uniform(0, math.pi, 150), math.pi - 10.0 ** rng.uniform(-9, -2, 50)])
    quaternion = rng.normal(size=(200, 4))
    forward, up = axes_of(quaternion)
    frames = np.stack([forward, up, np.cross(forward, up)], axis=1)
    turned = np.stack([laws.rotate(frames[:, k], angle, axis) for k in range(3)], axis=1)
    found = laws.turn_between_frames(frames, turned)
    np.testing.assert_allclose(laws.length(found), angle, atol=1e-7)
    sign = np.sign(np.sum(found * axis, axis=1))
    assert (sign[angle < math.pi - 1e-7] > 0).all()
    np.testing.assert_allclose(laws.normalize(found) * sign[:, None], axis, atol=2e-6)
    assert not laws.turn_between_frames(frames[0], frames[0]).any()


def test_speeds_of_both_laws() -> None:
    """Far away the top speed; within the slow angle, or by the rate, a part of the angle; never what brakes cannot stop."""
    angle = np.array([3.0, 0.5, 0.1])
    easy = {"max_angular_speed": 2.0, "max_angular_acceleration": 1e6, "response_time": 0.01}
    np.testing.assert_allclose(laws.angular_speed(angle, **easy), [2, 2, 2])
    np.testing.assert_allclose(laws.angular_speed(angle, **easy, slow_angle=1.0), [2, 1, 0.2])
    np.testing.assert_allclose(laws.angular_speed(angle, **easy, law="lag", rate=3.0), [2, 1.5, 0.3])
    braking = laws.braking_speed(angle, 1.0, 0.1)
    np.testing.assert_allclose(laws.angular_speed(angle, 50.0, 1.0, 0.1, law="lag", rate=30.0), braking)


def test_the_response_time_is_no_shorter_than_a_step_and_fast_enough_for_the_rate() -> None:
    assert laws.angular_response_time(0.5, 0.01) == 0.5
    assert laws.angular_response_time(0.0, 0.02) == 0.02
    assert laws.angular_response_time(0.5, 0.01, law="lag", rate=5.0) == pytest.approx(0.05)


def test_the_angular_acceleration() -> None:
    np.testing.assert_allclose(laws.turn([[0.4], [-0.2]], [[1.0], [1.0]], 3.0, 0.5), [[4], [-8]])
    np.testing.assert_allclose(laws.turn([0, 0, 0.1], [1.0, 0, 0], 2.0, 0.25), [-4, 0, 8])
    np.testing.assert_allclose(laws.turn([0.0], [1.0], 2.0, 0.5), [-2])


def test_banking_smoothing_and_walking() -> None:
    up = laws.banked_up([[0, 9.81, 0], [0, 0, 0], [50, 0, 0]], np.array([1.0, 0, 0]))
    np.testing.assert_allclose(up, [[0, math.sqrt(0.5), math.sqrt(0.5)], [0, 0, 1], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(laws.smoothed_headings([[1.0, 0], [0, 1], [0, 1]], 2), [[0.5, 0], [0.5, 0.5], [0, 1]])
    assert laws.walking_speed(5.4) == 0
    assert laws.walking_speed(8.0) == 0
    assert laws.walking_speed(0.01) == pytest.approx(1.34, abs=1e-9)

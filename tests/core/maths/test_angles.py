"""Angles: the short way round, and the edge of a field of view."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from steersman.core.maths.angles import cosine_edge, wrap_angle, wrap_angles

angle = st.floats(-1e4, 1e4)
property_test = settings(deadline=None, derandomize=True, max_examples=200)


def around(a, b):
    """How far apart two directions are [rad]."""
    return abs(math.remainder(a - b, 2 * math.pi))


@property_test
@given(angle)
@example(math.pi)
@example(-math.pi)
@example(3 * math.pi)
@example(-3 * math.pi)
@example(math.nextafter(math.pi, 4))
@example(math.nextafter(-math.pi, 4))
def test_wrapped_angles_lie_in_the_interval(a):
    wrapped = wrap_angle(a)
    assert -math.pi < wrapped <= math.pi
    assert around(wrapped, a) < 1e-9
    if -math.pi < a <= math.pi:
        assert wrapped == a


@property_test
@given(st.floats(-1e3, 1e3, width=32))
@example(np.float32(math.pi))
@example(-np.float32(math.pi))
@example(np.float32(3 * math.pi))
def test_wrapped_float32_angles_lie_in_the_interval(a):
    wrapped = wrap_angle(np.float32(a))
    pi = np.float32(math.pi)
    assert -pi < np.float32(wrapped) <= pi
    assert around(wrapped, float(a)) < 1e-6
    if -pi < a <= pi:
        assert wrapped == a


@property_test
@given(st.lists(angle, max_size=8))
@example([math.pi, -math.pi, 3 * math.pi, 0.0, -7.0])
def test_arrays_wrap_as_numbers_do(angles):
    wrapped = wrap_angles(np.array(angles))
    assert wrapped.shape == (len(angles),)
    assert np.all((wrapped > -math.pi) & (wrapped <= math.pi))
    for a, w in zip(angles, wrapped, strict=True):
        assert around(w, wrap_angle(a)) < 1e-12


def test_arrays_keep_their_type():
    given_angles = np.array([-np.pi, 4], np.float32)
    wrapped = wrap_angles(given_angles)
    assert wrapped.dtype == np.float32
    assert wrapped[0] == np.float32(np.pi)
    assert wrapped[1] == pytest.approx(4 - 2 * np.pi, abs=1e-6)
    assert given_angles[0] == -np.float32(np.pi)
    assert wrap_angles([4, 0]).dtype == np.float64


def test_not_a_number_stays_not_a_number():
    assert math.isnan(wrap_angle(math.nan))
    assert math.isnan(wrap_angle(math.inf))


@property_test
@given(st.floats(0, 2 * math.pi, exclude_max=True), st.floats(0, math.pi), st.floats(0.1, 10))
def test_the_edge_separates_what_is_seen(full, off_axis, distance):
    ahead = distance * math.cos(off_axis)
    seen = ahead * abs(ahead) >= cosine_edge(full) * distance**2
    if abs(off_axis - full / 2) > 1e-6:
        assert seen == (off_axis < full / 2)


@pytest.mark.parametrize(
    ("full", "offset"),
    [(math.pi / 2, (1, 1)), (math.pi, (0, 1)), (3 * math.pi / 2, (-1, 1)), (3 * math.pi / 2, (-3, -3))],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_neighbor_on_the_edge_is_seen(full, offset, dtype):
    x, y = (dtype(c) for c in offset)
    assert x * abs(x) >= dtype(cosine_edge(full)) * (x * x + y * y)


@pytest.mark.parametrize("full", np.linspace(0.0, 6.2, 32))
def test_the_edge_is_moved_by_a_few_roundings_alone(full):
    cosine = math.cos(full / 2)
    assert 0 < math.copysign(cosine**2, cosine) - cosine_edge(full) < 7 * np.finfo(float).eps


@pytest.mark.parametrize("full", [2 * math.pi, 7.0, math.inf])
def test_a_full_circle_sees_everything(full):
    assert cosine_edge(full) == -2

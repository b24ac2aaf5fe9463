"""Angles: the short way round, and the edge of a field of view."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from steersman.geometry.angles import (
    angle_between,
    angle_difference,
    angle_of,
    cosine_edge,
    rotate,
    wrap_angle,
    wrap_angles,
)

angle = st.floats(-1e4, 1e4)
component = st.floats(-100, 100).map(lambda x: round(x, 6))
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
    assert math.isnan(angle_of((math.nan, 0.0)))


def test_the_difference_goes_the_short_way_round():
    assert angle_difference(math.radians(-170), math.radians(170)) == pytest.approx(math.radians(20))
    assert angle_difference(math.radians(170), math.radians(-170)) == pytest.approx(math.radians(-20))
    assert angle_difference(0.5, 0.25) == 0.25


def test_the_angle_of_a_vector():
    assert angle_of((0.0, 2.0)) == pytest.approx(math.pi / 2)
    assert angle_of((-3.0, 0.0)) == math.pi
    assert angle_of((-3.0, -0.0)) == math.pi
    assert angle_of((0.0, 0.0)) == 0
    assert angle_of((1.0, -1.0)) == pytest.approx(-math.pi / 4)


@property_test
@given(st.floats(-math.pi, math.pi), st.floats(0.1, 100), angle)
def test_rotation_adds_to_the_angle_and_keeps_the_length(a, size, turn):
    x, y = rotate((size * math.cos(a), size * math.sin(a)), turn)
    assert math.hypot(x, y) == pytest.approx(size)
    assert around(angle_of((x, y)), a + turn) < 1e-9


def test_rotation_is_counter_clockwise():
    assert rotate((1.0, 0.0), math.pi / 2) == pytest.approx((0, 1))


@property_test
@given(st.tuples(component, component), st.tuples(component, component))
def test_angle_between_two_vectors(a, b):
    turn = angle_between(a, b)
    assert 0 <= turn <= math.pi
    assert turn == pytest.approx(angle_between((*a, 0.0), (*b, 0.0)), abs=1e-9)
    if math.hypot(*a) > 1e-3 and math.hypot(*b) > 1e-3:
        assert turn == pytest.approx(abs(angle_difference(angle_of(a), angle_of(b))), abs=1e-9)


def test_angle_to_the_zero_vector_is_zero():
    assert angle_between((0.0, 0.0), (-1.0, -1.0)) == 0
    assert angle_between((-1.0, -2.0, -3.0), (0.0, 0.0, 0.0)) == 0


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


@pytest.mark.parametrize("full", [2 * math.pi, 7.0, math.inf])
def test_a_full_circle_sees_everything(full):
    assert cosine_edge(full) == -2

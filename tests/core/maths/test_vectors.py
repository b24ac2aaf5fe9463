"""Vectors on tuples: the same source in 2D and 3D, and nothing degenerate produces NaN."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steersman.core.maths import vectors as v

number = st.floats(-1e6, 1e6)
flat = st.tuples(number, number)
solid = st.tuples(number, number, number)
vector = st.one_of(flat, solid)
pairs = st.one_of(st.tuples(flat, flat), st.tuples(solid, solid))
property_test = settings(deadline=None, derandomize=True, max_examples=150)


def single(*numbers):
    return tuple(np.float32(x) for x in numbers)


@property_test
@given(pairs, number)
def test_arithmetic_is_numpys(pair, s):
    a, b = pair
    x, y = np.array(a), np.array(b)
    assert v.add(a, b) == tuple(x + y)
    assert v.subtract(a, b) == tuple(x - y)
    assert v.scale(a, s) == tuple(x * s)
    assert np.allclose(v.add_scaled(a, b, s), x + y * s, rtol=1e-12, atol=1e-3)
    assert v.dot(a, b) == pytest.approx(float(x @ y), rel=1e-12, abs=1e-3)
    if len(a) == 3:
        assert np.allclose(v.cross(a, b), np.cross(x, y), rtol=1e-12, atol=1e-3)


@property_test
@given(vector)
def test_normalize_has_length_one_and_keeps_the_direction(a):
    size = math.hypot(*a)
    unit = v.normalize(a)
    if size < 1e-18:
        assert unit == (0.0,) * len(a) or math.hypot(*unit) == pytest.approx(1)
    else:
        assert np.allclose(np.array(unit) * size, a, rtol=1e-12)


def test_normalize_of_nothing_is_nothing():
    assert v.normalize(single(0, 0)) == (0, 0)
    assert v.normalize(single(1e-22, 0)) == (0, 0)  # Its square is a float32 with two digits left.
    assert v.normalize(single(0, 1e-18)) == (0, 1)
    assert all(math.isnan(x) for x in v.normalize(single(np.nan, 0)))


@property_test
@given(vector, st.floats(0, 1e6))
def test_truncate_shortens_only_what_is_longer(a, limit):
    short = v.truncate(a, limit)
    assert math.hypot(*short) <= limit * (1 + 1e-12) + 1e-18
    if math.hypot(*a) <= limit * (1 - 1e-12):
        assert short == a


def test_truncate_at_the_ends_of_float32():
    assert v.truncate(single(3e38, 0), np.float32(2)) == pytest.approx((2, 0))
    assert v.truncate(single(3e38, -3e38), np.float32(np.sqrt(2))) == pytest.approx((1, -1))
    assert v.truncate(single(3, 4), np.float32(np.inf)) == (3, 4)
    assert v.truncate(single(3, 4), np.float32(0)) == (0, 0)
    assert math.isnan(v.truncate(single(np.nan, 0), np.float32(1))[0])
    assert math.isnan(v.truncate(single(np.inf, 0), np.float32(1))[0])


@property_test
@given(vector)
def test_perpendicular_is_one_and_the_same_unit_vector(a):
    unit = v.normalize(a)
    if unit == (0.0,) * len(a):
        return
    across = v.perpendicular(unit)
    assert math.hypot(*across) == pytest.approx(1)
    assert v.dot(unit, across) == pytest.approx(0, abs=1e-15)
    assert across == v.perpendicular(unit)


def test_perpendicular_turns_left_and_leans_least():
    assert v.perpendicular((1.0, 0.0)) == (0.0, 1.0)
    assert v.perpendicular((1.0, 0.0, 0.0)) == (0.0, 0.0, 1.0)
    assert v.perpendicular((0.0, 1.0, 0.0)) == (0.0, 0.0, -1.0)
    assert v.perpendicular((0.0, 0.0, 1.0)) == (0.0, 1.0, 0.0)


def test_lateral_and_with_length():
    assert v.lateral((3.0, 4.0), (1.0, 0.0)) == (0.0, 4.0)
    assert v.with_length((0.0, 3.0, 4.0), 10.0) == pytest.approx((0, 6, 8))
    assert v.with_length((0.0, 0.0, 0.0), 10.0) == (0, 0, 0)
    assert v.length((0.0, 3.0, 4.0)) == 5


def test_rows_of_columns():
    columns = tuple(np.arange(6.0).reshape(3, 2))
    assert v.load(columns, 1) == (1, 3, 5)
    v.store(columns, 0, (7.0, 8.0, 9.0))
    v.accumulate(columns, 0, (1.0, 1.0, 1.0))
    assert v.load(columns, 0) == (8, 9, 10)
    assert v.load(columns, 1) == (1, 3, 5)
    plane = columns[:2]
    v.store(plane, 1, (0.5, 0.25))
    v.accumulate(plane, 1, (1.0, 1.0))
    assert v.load(plane, 1) == (1.5, 1.25)
    assert columns[2][1] == 5


@property_test
@given(pairs, st.floats(0.1, 1e3))
def test_difference_is_the_minimum_image(pair, period):
    origin, to = pair
    wrap = np.array([[period] * len(to), [1 / period] * len(to)])
    short = np.array(v.difference(to, origin, wrap))
    turns = (np.array(to) - np.array(origin) - short) / period
    assert np.all(np.abs(short) <= period / 2 + 1e-9)
    assert np.allclose(turns, np.round(turns), atol=1e-6)
    assert np.allclose(v.difference(to, origin, np.zeros((2, len(to)))), np.array(to) - np.array(origin))


def around(d, count=64):
    """Unit vectors in many directions, the axes and diagonals among them."""
    turns = np.arange(count) * (2 * np.pi / count)
    flat = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    if d == 2:
        return flat
    rise = np.tile([0.0, 1.0, -1.0, 0.5], count // 4)
    solid = np.column_stack([flat, rise])
    return solid / np.linalg.norm(solid, axis=1, keepdims=True)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e4])
def test_what_is_exactly_ahead_has_no_side(d, dtype, size):
    """The residue of a projection is 1e-16 or 1e-8 of the length, in any direction; normalized it would be a full one."""
    for axis in around(d).astype(dtype):
        forward = tuple(axis)
        ahead = tuple(dtype(size) * axis)
        side = v.perpendicular(forward)
        assert v.across(ahead, forward, side) == side
        assert v.across(v.scale(ahead, -1), forward, side) == side
        aside = v.add_scaled(ahead, side, dtype(-1e-3 * size))  # One in a thousand is a direction.
        assert np.allclose(v.across(aside, forward, side), np.negative(side), atol=1e-3)
        np.testing.assert_allclose(v.perpendicular(v.scale(forward, -1)), np.negative(side), atol=1e-7)


def test_no_direction_swallows_nan_and_none_is_made_of_nothing():
    nothing, up = single(0, 0), single(0, 1)
    assert v.direction_or(nothing, np.float32(0), up) == up
    assert v.across(nothing, single(1, 0), up) == up
    assert all(math.isnan(x) for x in v.across(single(np.nan, 1), single(1, 0), up))
    assert v.direction_or(single(3e-5, 0), np.float32(1), up) == (1, 0)
    assert v.direction_or(single(3e-6, 0), np.float32(1), up) == up

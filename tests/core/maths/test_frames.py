"""Local frames: right-handed, orthonormal, and always the same in degenerate cases."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steersman.core.maths.frames import (
    PARALLEL,
    as_units,
    frame_of,
    realign,
    realign_row,
    side_of,
    to_global,
    to_local,
    unit_rows,
    up_at,
)
from steersman.core.maths.vectors import normalize, perpendicular

component = st.floats(-10, 10).map(lambda x: round(x, 6))
solid = st.tuples(component, component, component)
property_test = settings(deadline=None, derandomize=True, max_examples=150)

NEARLY_Z = normalize((math.sqrt(PARALLEL) / 2, 0.0, 1.0))


def lengths(rows):
    return np.sqrt(np.sum(np.float64(rows) ** 2, axis=1))


@property_test
@given(solid, solid)
def test_realigned_up_is_a_unit_vector_across_forward(direction, up):
    forward = normalize(direction)
    if not any(forward):
        return
    new = realign(forward, up)
    assert math.hypot(*new) == pytest.approx(1, abs=1e-9)
    assert np.dot(new, forward) == pytest.approx(0, abs=1e-9)
    assert np.dot(new, up) >= -1e-6 * math.hypot(*up)
    assert new == pytest.approx(realign(forward, new), abs=1e-9)


@pytest.mark.parametrize("up", [(0.0, 0.0, 0.0), (0.0, 0.0, 5.0), (0.0, 0.0, -1.0), NEARLY_Z])
def test_up_parallel_to_forward_gives_the_perpendicular(up):
    forward = (0.0, 0.0, 1.0)
    assert realign(forward, up) == perpendicular(forward) == (0.0, 1.0, 0.0)


def test_up_survives_a_turn_and_is_not_turned_over():
    forward, up = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    for _ in range(5):
        assert realign(forward, up) == up
    climbing = normalize((1.0, 0.0, 1.0))
    assert realign(climbing, up) == pytest.approx((-math.sqrt(0.5), 0, math.sqrt(0.5)))


def test_not_a_number_stays_not_a_number():
    assert any(math.isnan(x) for x in realign((math.nan, 0.0, 0.0), (0.0, 0.0, 1.0)))


@property_test
@given(solid)
def test_units_stay_as_they_are(direction):
    if any(direction):
        unit = unit_rows(np.array([direction]))
        assert np.array_equal(as_units(unit), unit)
        assert np.array_equal(as_units(np.array([direction]) * 3), unit_rows(np.array([direction]) * 3))


def test_the_side_is_to_the_right():
    assert side_of((0.0, 1.0), ()) == (1.0, 0.0)
    assert side_of((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)) == (1.0, 0.0, 0.0)
    assert realign((0.0, 1.0), ()) == ()


def test_local_components():
    assert to_local((3.0, 7.0), (0.0, 1.0), ()) == (7.0, 3.0)
    assert to_local((3.0, 7.0, 2.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)) == (7.0, 2.0, 3.0)


@property_test
@given(solid, solid, solid)
def test_global_undoes_local(direction, up, offset):
    forward = normalize(direction)
    if not any(forward):
        return
    upright = realign(forward, up)
    local = to_local(offset, forward, upright)
    assert np.allclose(to_global(local, forward, upright), offset, atol=1e-9)
    flat = normalize(direction[:2])
    if any(flat):
        local = to_local(offset[:2], flat, ())
        assert np.allclose(to_global(local, flat, ()), offset[:2], atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_frame_of_the_largest_and_the_smallest_numbers(dtype):
    about = np.finfo(dtype)
    direction = np.array(
        [[about.max] * 3, [about.smallest_subnormal, 0, 0], [0, -about.tiny, about.tiny], [1, 2, 3], [0, 0, 0]], dtype
    )
    forward, up = frame_of(direction, np.tile(np.array([0, 0, about.max], dtype), (5, 1)))
    assert forward.dtype == up.dtype == dtype
    assert np.allclose(lengths(forward), 1, atol=4 * about.eps)
    assert np.allclose(lengths(up), 1, atol=4 * about.eps)
    assert np.allclose(np.sum(np.float64(forward) * up, axis=1), 0, atol=4 * about.eps)
    assert forward[1].tolist() == [1, 0, 0]
    assert np.allclose(forward[2], [0, -math.sqrt(0.5), math.sqrt(0.5)], atol=4 * about.eps)
    assert forward[4].tolist() == [1, 0, 0]
    plane, none = frame_of(direction[:, :2])
    assert none is None
    assert np.allclose(lengths(plane), 1, atol=4 * about.eps)
    assert plane[4].tolist() == [1, 0]


@property_test
@given(st.lists(st.tuples(solid, solid), min_size=1, max_size=5))
def test_frame_of_does_what_realign_does(rows):
    direction, up = (np.array(part) for part in zip(*rows, strict=True))
    forward, new = frame_of(direction, up)
    for i in range(len(rows)):
        assert np.allclose(new[i], realign(tuple(forward[i]), normalize(tuple(up[i]))), atol=1e-6)
        if math.hypot(*direction[i]) > 1e-18:
            assert np.allclose(forward[i], normalize(tuple(direction[i])), atol=1e-12)


def test_frame_of_parallel_rows_and_of_none():
    forward, up = frame_of(
        np.array([[0.0, 0, 2], [3, 0, 0], [0, -1, 0]]), np.array([[0.0, 0, 1], [0, 0, 1], [0, 0, 0]])
    )
    assert up.tolist() == [list(perpendicular(tuple(forward[0]))), [0, 0, 1], list(perpendicular(tuple(forward[2])))]
    forward, up = frame_of(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))
    assert forward.shape == up.shape == (0, 3)


def test_frame_of_leaves_its_arguments_alone():
    direction, up = np.array([[0.0, 0, 0], [0, 0, 2]]), np.array([[0.0, 1, 1], [0, 0, 1]])
    before = direction.copy(), up.copy()
    frame_of(direction, up)
    assert np.array_equal(direction, before[0])
    assert np.array_equal(up, before[1])


def test_up_too_short_to_be_squared_gives_the_perpendicular():
    forward = (0.0, 1.0, 0.0)
    assert realign(forward, (0.0, 0.0, 1e-25)) == perpendicular(forward)


def test_rows_of_up_columns_and_none_in_2d():
    columns = tuple(np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]]))
    climbing = normalize((1.0, 0.0, 1.0))
    realign_row(columns, 1, climbing)
    assert up_at(columns, 0) == (0, 0, 1)
    assert up_at(columns, 1) == realign(climbing, (0.0, 0.0, 1.0))
    realign_row((), 1, (1.0, 0.0))
    assert up_at((), 1) == ()

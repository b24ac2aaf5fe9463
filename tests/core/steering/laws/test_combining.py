"""Weighted sum, priority, vector arithmetic and the point mass."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from steersman.core.steering import laws

A, B = np.array([3.0, 4.0]), np.array([0.0, -1.0])
vectors = arrays(float, 3, elements=st.floats(-1e6, 1e6))


def test_weighted_sum_takes_parts_as_asked() -> None:
    np.testing.assert_allclose(laws.weighted_sum([A, B], [2, 3]), [6, 5])
    np.testing.assert_allclose(laws.weighted_sum([A, B], [2, 3], each="limit", max_force=2.5), [3, 1])
    np.testing.assert_allclose(laws.weighted_sum([A, B], [2, 3], each="normalize", max_force=10), [12, -14])
    np.testing.assert_allclose(laws.weighted_sum([A, B], [1, 3], normalize_weights=True), [0.75, 0.25])


def test_weighted_sum_refuses_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="weights must be 2 numbers, one a force, got 1"):
        laws.weighted_sum([A, B], [1])
    with pytest.raises(ValueError, match="must not add up to zero"):
        laws.weighted_sum([A, B], [1, -1], normalize_weights=True)
    with pytest.raises(ValueError, match="max_force must be finite"):
        laws.weighted_sum([A, B], [1, 1], each="normalize")
    with pytest.raises(ValueError, match='each must be "raw", "limit" or "normalize"'):
        laws.weighted_sum([A, B], [1, 1], each="clip")


def test_priority_takes_the_first_that_acts() -> None:
    first = np.array([[0.0, 0], [1, 0], [0, 0]])
    second = np.array([[0.0, 2], [0, 2], [0, 0]])
    np.testing.assert_array_equal(laws.priority([first, second]), [[0, 2], [1, 0], [0, 0]])
    # A satisfied goal claims, though its force is zero; a force that does not claim is passed over.
    acts = [np.array([True, False, False]), np.array([True, False, True])]
    np.testing.assert_array_equal(laws.priority([first, second], acts), [[0, 0], [0, 0], [0, 0]])
    np.testing.assert_array_equal(laws.priority([A, B]), A)


@given(vector=vectors, limit=st.floats(0, 1e3))
def test_truncate_keeps_direction_and_short_vectors(vector: np.ndarray, limit: float) -> None:
    cut = laws.truncate(vector, limit)
    assert laws.length(cut) <= limit * (1 + 1e-12) + 1e-300  # a subnormal limit has few digits
    if laws.length(vector) <= limit:
        np.testing.assert_array_equal(cut, vector)
    np.testing.assert_allclose(np.cross(cut, vector), 0, atol=1e-6 * max(1.0, float(laws.length(vector))))


def test_truncate_with_an_infinite_limit_changes_nothing() -> None:
    np.testing.assert_array_equal(laws.truncate(np.array([[0.0, 5], [0, 0]]), np.inf), [[0, 5], [0, 0]])


@given(vector=vectors)
def test_perpendicular_is(vector: np.ndarray) -> None:
    axis = laws.normalize(vector)
    if axis.any():
        side = laws.perpendicular(axis)
        assert laws.length(side) == pytest.approx(1)
        assert abs(side @ axis) < 1e-12
        np.testing.assert_array_equal(laws.perpendicular(axis), side)


def test_lateral_part_and_axis_part_make_the_whole() -> None:
    axis = laws.normalize(A)
    np.testing.assert_allclose(laws.lateral(B, axis) + (B @ axis) * axis, B)
    assert abs(laws.lateral(B, axis) @ axis) < 1e-15


def test_local_and_global_undo_each_other() -> None:
    axes = np.array([[0.6, 0.8, 0], [0, 0, 1], [0.8, -0.6, 0]])
    vector = np.array([1.0, 2, 3])
    np.testing.assert_allclose(laws.to_local(vector, axes), [2.2, 3, -0.4])
    np.testing.assert_allclose(laws.to_global(laws.to_local(vector, axes), axes), vector)


def test_a_vector_turns_to_the_left() -> None:
    np.testing.assert_allclose(laws.rotate(np.array([2.0, 0]), np.pi / 2), [0, 2], atol=1e-15)
    slanted = np.array([2.0, 0, 1])
    np.testing.assert_allclose(laws.rotate(slanted, np.pi / 2, np.array([0.0, 0, 1])), [0, 2, 1], atol=1e-15)


def test_point_mass_moves_with_the_new_velocity() -> None:
    p, v = laws.point_mass_step(
        np.zeros(2), np.array([1.0, 0]), np.array([0, 8.0]), mass=2.0, max_force=4.0, max_speed=10.0, dt=0.5
    )
    np.testing.assert_allclose(v, [1, 1])
    np.testing.assert_allclose(p, [0.5, 0.5])
    _, v = laws.point_mass_step(
        np.zeros(2), np.array([3.0, 0]), np.array([0, 8.0]), mass=2.0, max_force=8.0, max_speed=2.5, dt=1.0
    )
    np.testing.assert_allclose(v, [1.5, 2])


def test_truncated_sum_ends_where_max_force_is_spent() -> None:
    """Of 6, the first takes 5 (3, 4); by the length of the sum 1 is left, and by lengths too; the third gets the rest."""
    forces = [A, 10 * B, np.array([-100.0, 0])]
    np.testing.assert_allclose(laws.truncated_sum(forces[:2], [1, 1], 6.0), [3, 3])
    running, lengths = (laws.truncated_sum(forces, [1, 1, 1], 6.0, accounting=a) for a in ("running", "lengths"))
    np.testing.assert_allclose(running, [3 - (6 - 18**0.5), 3])
    np.testing.assert_allclose(lengths, [3, 3])
    np.testing.assert_allclose(laws.truncated_sum([A, A], [0.5, 10], 2.0), A * 0.4)


def test_truncated_sum_takes_many_at_once() -> None:
    forces = [np.stack([A, B]), np.stack([B, A])]
    each = laws.truncated_sum(forces, [1, 2], np.array([5.0, 3.0]))
    for i, limit in enumerate((5.0, 3.0)):
        np.testing.assert_allclose(each[i], laws.truncated_sum([force[i] for force in forces], [1, 2], limit))


def test_dithered_passes_over_what_is_not_drawn() -> None:
    np.testing.assert_array_equal(laws.dithered([A, B], [False, True]), B)
    np.testing.assert_array_equal(laws.dithered([A, B], [True, True]), A)
    np.testing.assert_array_equal(laws.dithered([A, B], [False, False]), 0)
    np.testing.assert_array_equal(laws.dithered([0 * A, B], [True, True], acts=[True, True]), 0)


def test_round_robin_goes_round() -> None:
    turns = [laws.round_robin([A, B], time, 0.5) for time in (0.0, 0.4, 0.6, 1.1)]
    np.testing.assert_array_equal(turns, [A, A, B, A])


def test_a_change_that_takes_less_than_a_step_is_over_after_it() -> None:
    """Nothing is left of it, and no time: not in that step, nor in the next."""
    force, rest, left = laws.faded(A, B, np.zeros(2), 0.0, True, 0.2, 0.1)
    np.testing.assert_array_equal(force, A)
    np.testing.assert_array_equal(rest, [0, 0])
    assert left == 0
    force, rest, left = laws.faded(A, force, np.array([4.0, 2.0]), 0.05, False, 0.2, 0.1)
    np.testing.assert_array_equal(force, A)
    np.testing.assert_array_equal(rest, [0, 0])
    assert left == 0
    force, rest, left = laws.faded(A, B, np.zeros(2), 0.0, True, 0.025, 0.1)
    np.testing.assert_allclose(rest, 0.75 * (B - A))
    assert left == pytest.approx(0.075)

"""Array arguments: converted or refused, with one form of message."""

import math

import numpy as np
import pytest

from steersman.core.parameters.arrays import as_floats, as_points, as_scalars, check_finite, columns_of, frozen


def test_numbers_are_copied_in_the_wanted_type():
    given = np.array([1.0, 2.0], np.float32)
    numbers = as_floats("mass", given, np.float32)
    assert numbers.dtype == np.float32
    numbers[0] = 5
    assert given[0] == 1
    assert as_floats("mass", [1, 2], np.float64).tolist() == [1, 2]


@pytest.mark.parametrize("value", ["one", [True, False], [None], [1j], [object()]])
def test_what_is_not_a_number_is_refused(value):
    with pytest.raises(TypeError, match="mass must be numbers, got"):
        as_floats("mass", value, np.float32)


def test_ragged_rows_are_refused():
    with pytest.raises(ValueError, match="position must have rows of one length"):
        as_floats("position", [[1, 2], [3]], np.float32)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.nan, "mass must be finite, got nan"),
        ([1, math.inf], r"mass must be finite, got inf at index 1$"),
        ([[1, 2], [3, -math.inf]], r"mass must be finite, got -inf at index \(1, 1\)$"),
        ([1, -1e300], r"mass must be finite in float32, got -1e\+300$"),
    ],
)
def test_what_is_not_finite_is_refused(value, message):
    with pytest.raises(ValueError, match=message):
        as_floats("mass", value, np.float32)


def test_a_finite_array_passes():
    check_finite("mass", np.ones(3))
    check_finite("mass", np.zeros((0, 2)))
    with pytest.raises(ValueError, match="mass must be finite, got nan at index 2"):
        check_finite("mass", np.array([0, 1, math.nan, math.nan]))


def test_points_have_two_or_three_columns():
    assert as_points("position", [1, 2], np.float32).shape == (1, 2)
    assert as_points("position", [1, 2, 3], np.float32).shape == (1, 3)
    assert as_points("position", np.zeros((0, 3)), np.float32).shape == (0, 3)
    assert as_points("position", np.zeros((5, 2)), np.float64, 2).dtype == np.float64


@pytest.mark.parametrize(
    ("value", "dimensions", "message"),
    [
        ([1, 2, 3, 4], None, r"position must have shape \(n, 2\) or \(n, 3\), got \(4,\)"),
        (np.zeros((2, 1)), None, r"position must have shape \(n, 2\) or \(n, 3\), got \(2, 1\)"),
        (1.0, None, r"position must have shape \(n, 2\) or \(n, 3\), got \(\)"),
        ([1, 2], 3, r"position must have shape \(n, 3\), got \(2,\)"),
        (np.zeros((2, 2, 2)), 2, r"position must have shape \(n, 2\), got \(2, 2, 2\)"),
    ],
)
def test_points_of_another_shape_are_refused(value, dimensions, message):
    with pytest.raises(ValueError, match=message):
        as_points("position", value, np.float32, dimensions)


def test_one_number_is_given_to_all():
    values = as_scalars("mass", 2, 3, np.float32, low=None, above=0.0, unit="kg")
    assert values.tolist() == [2, 2, 2]
    values[0] = 1
    assert values.tolist() == [1, 2, 2]
    assert as_scalars("mass", [1, 2], 2, np.float32, low=0.0, above=None, unit="kg").tolist() == [1, 2]
    assert as_scalars("mass", 1.0, 0, np.float32, low=0.0, above=None, unit="kg").shape == (0,)


@pytest.mark.parametrize(
    ("value", "low", "above", "message"),
    [
        (-1.0, 0.0, None, "mass must be >= 0 kg, got -1.0"),
        ([1, -2, -3], 0.0, None, "mass must be >= 0 kg, got -2.0"),
        (0, None, 0.0, "mass must be > 0 kg, got 0.0"),
        (1e-60, None, 0.0, "mass must be > 0 kg, got 0.0"),
        ([1, 2], 0.0, None, r"mass must be one number or have shape \(3,\), got shape \(2,\)"),
        ([[1], [2], [3]], 0.0, None, r"mass must be one number or have shape \(3,\), got shape \(3, 1\)"),
    ],
)
def test_scalars_out_of_range_are_refused(value, low, above, message):
    with pytest.raises(ValueError, match=message):
        as_scalars("mass", value, 3, np.float32, low=low, above=above, unit="kg")


def test_a_scalar_without_a_unit_or_a_bound():
    assert as_scalars("gain", -5, 1, np.float64, low=None, above=None, unit="").tolist() == [-5]
    with pytest.raises(ValueError, match=r"gain must be >= 1, got 0\.0"):
        as_scalars("gain", 0, 1, np.float64, low=1.0, above=None, unit="")


def test_frozen_arrays_cannot_be_written():
    array = frozen(np.zeros(2))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize("points", [np.zeros((3, 2), np.float32), np.zeros((1, 2), np.float32), np.zeros((2, 3)).T])
def test_columns_are_new_contiguous_writeable_arrays(points):
    columns = columns_of(frozen(points), np.float32)
    assert len(columns) == 2
    for column in columns:
        assert column.shape == (len(points),)
        assert column.dtype == np.float32
        assert column.flags.c_contiguous
        assert column.flags.writeable
        assert not np.shares_memory(column, points)

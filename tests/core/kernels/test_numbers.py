"""Scalar parameters of kernels, by name."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.kernels.numbers import named_numbers, number


class Line(NamedTuple):
    slope: float
    start: float


@kernel
def draw_line(start: int, stop: int, line: Line, height: Any) -> None:
    for i in range(start, stop):
        height[i] = line.start + line.slope * height.dtype.type(i)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fields_go_by_name_in_the_vehicles_type(dtype: Any) -> None:
    line = named_numbers(Line, np.dtype(dtype), start=True, slope=0.1)
    assert line == (dtype(0.1), dtype(1))
    assert {type(each) for each in line} == {dtype}
    assert type(number(np.dtype(dtype), 0.1)) is dtype


def test_what_is_not_given_is_negative() -> None:
    assert named_numbers(Line, np.float32, slope=None, start=2.0) == (-1.0, 2.0)
    assert number(np.float32, None) == -1.0


def test_a_field_that_is_missing_or_unknown() -> None:
    with pytest.raises(TypeError, match="start"):
        named_numbers(Line, np.float32, slope=1.0)
    with pytest.raises(TypeError, match="height"):
        named_numbers(Line, np.float32, slope=1.0, start=1.0, height=1.0)


def test_a_kernel_reads_them_by_name() -> None:
    line, height = named_numbers(Line, np.float32, slope=0.5, start=3.0), np.zeros(4, np.float32)
    entry_point(draw_line, (0, 4, line, height))(0, 4, line, height)
    np.testing.assert_array_equal(height, [3.0, 3.5, 4.0, 4.5])

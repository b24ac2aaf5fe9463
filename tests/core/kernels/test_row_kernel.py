"""Kernels that are written as the law of one row."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from steersman.core.kernels.cache import content_of
from steersman.core.kernels.kernel import is_compiling, kernel
from steersman.core.kernels.per_row import per_row
from steersman.core.kernels.row_kernel import row_kernel


class Truth(NamedTuple):
    active: Any
    holds: Any


@row_kernel
def halve(i: int, values: Any, active: Any) -> None:
    """Halve a value, unless it is negative."""
    if values[i] < 0:
        return
    values[i] *= 0.5


@row_kernel
def invert(i: int, truth: Truth) -> None:
    """Turn an answer over."""
    truth.holds[i] = not truth.holds[i]


@row_kernel
def shorten(i: int, columns: Any) -> None:
    """Halve all components."""
    columns[0][i] *= 0.5
    if len(columns) == 2:
        columns[1][i] *= 0.5


@row_kernel(every=True)
def count(i: int, active: Any, values: Any) -> None:
    """Add 1 where asked, else 10."""
    values[i] += 1 if active[i] else 10


@kernel
def total(values: Any) -> Any:
    values[0] += 1
    return values[0], values[1]


@row_kernel(once=total)
def add_both(i: int, values: Any, both: Any) -> None:
    """Add what all rows share."""
    first, second = both
    values[i] += first + second


@row_kernel(some=True)
def halve_large(i: int, active: Any, values: Any) -> Any:
    """Halve values above 10, and say whether there was one."""
    if values[i] <= 10:
        return False
    values[i] *= 0.5
    return True


def law_with(part: Any) -> Any:
    @row_kernel
    def law(i: int, values: Any) -> None:
        values[i] = part(values[i])

    return law


@kernel
def doubled(x: Any) -> Any:
    return 2 * x


@kernel
def squared(x: Any) -> Any:
    return x * x


def plain(compiled: Any) -> Any:
    return getattr(compiled, "py_func", compiled)


@pytest.mark.parametrize("large", [0, 1, 2])
def test_row_by_row_a_law_says_the_same_of_some(large: int) -> None:
    """As it is called where it has a number for each vehicle; whichever row it is."""
    values, some = np.ones(3), np.zeros(3, np.uint8)
    values[large] = 20.0
    rows, arguments = per_row(halve_large, (np.ones(3, np.uint8), values, some))
    rows(0, 3, *arguments)
    assert (values[large], some[0]) == (10.0, 1)


def test_the_law_holds_for_the_rows_in_the_range_that_are_asked() -> None:
    values = np.array([2.0, 4.0, -6.0, 8.0, 10.0])
    halve(1, 4, values, np.array([1, 1, 1, 0, 1], np.uint8))
    np.testing.assert_array_equal(values, [2.0, 2.0, -6.0, 8.0, 10.0])


def test_the_field_of_an_answer_says_which_rows_are_asked() -> None:
    holds = np.zeros(3, np.uint8)
    invert(0, 3, Truth(np.array([1, 0, 1], np.uint8), holds))
    np.testing.assert_array_equal(holds, [1, 0, 1])


def test_a_law_without_flags_holds_for_every_row() -> None:
    values = np.arange(4.0)
    law_with(doubled)(0, 4, values)
    np.testing.assert_array_equal(values, [0, 2, 4, 6])


def test_a_law_for_every_row_holds_for_those_that_are_not_asked() -> None:
    values = np.zeros(4)
    count(1, 4, np.array([1, 0, 1, 0], np.uint8), values)
    np.testing.assert_array_equal(values, [0, 10, 1, 10])


def test_what_all_rows_share_is_computed_once() -> None:
    values = np.array([1.0, 5.0, 10.0, 20.0])
    add_both(2, 4, values)
    np.testing.assert_array_equal(values, [2, 5, 17, 27])


@pytest.mark.parametrize(
    ("start", "stop", "flags"), [(0, 2, [0, 7, 7, 7, 7]), (2, 5, [7, 7, 1, 7, 7]), (1, 3, [7, 0, 7, 7, 7])]
)
def test_a_law_says_whether_there_was_a_row_of_its_kind(start: int, stop: int, flags: list[int]) -> None:
    values, active = np.array([2.0, 4.0, 12.0, 30.0, 6.0]), np.array([1, 1, 0, 1, 1], np.uint8)
    some = np.full(5, 7, np.uint8)
    halve_large(start, stop, active, values, some)
    np.testing.assert_array_equal(some, flags)
    np.testing.assert_array_equal(values, [2, 4, 12, 15 if stop == 5 else 30, 6])


def test_a_law_without_fast_math_sees_nan() -> None:
    @row_kernel(exact=True)
    def law(i: int, values: Any) -> None:
        if values[i] != values[i]:
            values[i] = 0

    values = np.array([np.nan, 1.0])
    law(0, 2, values)
    np.testing.assert_array_equal(values, [0, 1])
    if is_compiling():
        assert not law.targetoptions["fastmath"]


@pytest.mark.parametrize("dimensions", [1, 2])
def test_the_number_of_dimensions_is_a_constant_in_a_law(dimensions: int) -> None:
    columns = tuple(np.ones((dimensions, 3)))
    shorten(0, 3, columns)
    np.testing.assert_array_equal(columns, np.full((dimensions, 3), 0.5))


def test_the_kernel_bears_the_name_of_its_law() -> None:
    assert plain(halve).__name__ == "halve"
    assert plain(halve).__module__ == __name__
    assert plain(halve).__doc__ == "Halve a value, unless it is negative."


def test_the_digest_of_the_kernel_depends_on_the_law_and_its_parts() -> None:
    contents = {content_of(plain(each)) for each in (halve, invert, law_with(doubled), law_with(squared))}
    assert len(contents) == 4
    assert content_of(plain(law_with(doubled))) == content_of(plain(law_with(doubled)))


def test_errors_point_at_the_line_of_the_law() -> None:
    @row_kernel
    def wrong(i: int, values: Any) -> None:
        values[i] = values[i].nothing

    with pytest.raises(Exception, match="nothing") as caught:
        wrong(0, 1, np.zeros(1))
    lines = [entry.lineno + 1 for entry in caught.traceback if entry.path.name == "test_row_kernel.py"]
    line = law_line("values[i].nothing")
    assert line in lines or f"({line})" in str(caught.value)


def law_line(words: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(k for k, text in enumerate(file, 1) if words in text)

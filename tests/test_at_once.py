"""Small cases as one test fail as they would as many."""

import pytest
from at_once import at_once


def test_all_cases_are_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @at_once("number", range(5))
    def is_even(number: int, factor: int) -> None:
        tried.append(number)
        assert number * factor % 2 == 0, f"{number} is odd"

    is_even(factor=2)
    with pytest.raises(AssertionError, match="1 is odd") as raised:
        is_even(factor=1)
    assert raised.value.__notes__ == ["2 of 5 fail: 1, 3"]
    assert tried == [*range(5), *range(5)]


@at_once("one", ["a", "b"])
@pytest.mark.parametrize("other", [1, 2])
def test_fixtures_and_other_arguments_are_given(one: str, other: int, tmp_path: object) -> None:
    assert isinstance(one, str)
    assert isinstance(other, int)
    assert tmp_path is not None

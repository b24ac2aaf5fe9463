"""Varying: the values that a path takes."""

import pytest

from steersman.cli.shared.varying import axes_of, held_out_of, seeds_of


def test_a_path_takes_all_values_that_vary_and_the_one_that_is_set():
    found = axes_of(["a.radius=[1, 2.5]", "b.n={low = 1, high = 3}"], ["c.names=[1, 2]", "c.n=7"])
    assert found == {"a.radius": [1, 2.5], "b.n": {"low": 1, "high": 3}, "c.names": [[1, 2]], "c.n": [7]}


@pytest.mark.parametrize(
    ("vary", "changes", "words"),
    [
        (["a=3"], [], r"--vary a=3: must be \[value, value\]"),
        (["a=[3]"], ["a=4"], r"--set a=4: a is given twice"),
        ([], ["a"], r"--set a: "),
    ],
)
def test_what_cannot_be_read_is_refused(vary, changes, words):
    with pytest.raises(ValueError, match=words):
        axes_of(vary, changes)


def test_seeds_are_a_number_or_a_range():
    assert (seeds_of("50"), seeds_of("100:150")) == (range(50), range(100, 150))
    assert (held_out_of("5"), held_out_of("7:9")) == (5, range(7, 9))

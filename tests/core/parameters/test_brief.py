"""Values in messages: as `repr` writes them where they are short, and a line in any case."""

import numpy as np
import pytest

from steersman.core.parameters.brief import LONGEST, brief


@pytest.mark.parametrize(
    "value",
    [
        1, -2.5, "word", b"x", None, True, [], (), (1,), [1, [2, 3]], {"a": [1], 2: None}, set(), {1}, frozenset({1}),
        np.float32(1.5), float("nan"), 10**30,
    ],
)  # fmt: skip
def test_short_values_are_written_as_ever(value):
    assert brief(value) == repr(value)


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no repr")


def endless():
    within = [1]
    within.append(within)
    return within


def deep():
    within = []
    for _ in range(5000):
        within = [within]
    return within


LONG = [
    ("x" * 10**6, "(1000000 characters)"),
    ([1.0] * 10**6, "... and 999984 more"),
    (10**400, "10**400 or so"),
    (-(10**400), "-10**400 or so"),
    (10**5000, "10**5000 or so"),
    (endless(), "[...]"),
    (deep(), "[[[[[...]]]]]"),
    (Unprintable(), "<Unprintable>"),
    ([Unprintable()], "[<Unprintable>]"),
    (dict.fromkeys(range(99), "x" * 999), "999 characters"),
    (set(range(99)), "... and 83 more"),
    (np.zeros((1000, 3)), "array([[0., 0., 0.], [0., 0., 0.]"),
]


@pytest.mark.parametrize("k", range(len(LONG)))
def test_whatever_it_is_it_is_one_line(k):
    value, has = LONG[k]
    text = brief(value)
    assert has in text
    assert len(text) <= LONGEST
    assert "\n" not in text

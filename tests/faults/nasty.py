"""Values that nobody should give, each with what it is called; and numbers at the edges of what a parameter allows."""

import datetime
import decimal
import fractions
import math
from collections.abc import Callable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from steersman.core.parameters.kinds import Description

HUGE = 10**400
MANY = 1_000_000


def recursive() -> list[Any]:
    """A list that holds itself."""
    within: list[Any] = [1.0]
    within.append(within)
    return within


def deep() -> list[Any]:
    """A list a thousand lists deep."""
    within: list[Any] = []
    for _ in range(3000):
        within = [within]
    return within


class Unprintable:
    """Something whose repr raises."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Unreadable:
    """Something that raises when it is read as an array."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError("no array")


class Lying:
    """A sequence that is longer than it says."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> float:
        return [1.0, 2.0, 3.0, 4.0][k]


def numbers() -> Iterator[Any]:
    """Numbers of all kinds."""
    yield from (math.nan, math.inf, -math.inf, -0.0, 0, 1, -1, 2, 3, 5e-324, -5e-324, 1e-300, 1e15, 1e39, 1e308, -1e308)
    yield from (HUGE, -HUGE, 10**12, -(10**12), 2**31, 2**63, 2**64, 10**5000, True, False, 1j, complex(math.nan, 1))
    yield from (np.float32(math.nan), np.float64(math.inf), np.int8(-128), np.uint64(2**64 - 1), np.bool_(True))
    yield from (np.float16(65504), np.complex64(1j), np.longdouble(1) / 3, fractions.Fraction(1, 3))
    yield from (
        fractions.Fraction(HUGE),
        decimal.Decimal("1.5"),
        decimal.Decimal("NaN"),
        np.array(1.5),
        np.array([1.5]),
    )


def shapes() -> Iterator[Any]:
    """Lists and arrays of all shapes."""
    yield from ([], [[]], (), [[], []], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [[1, 2], [3]], [[1, 2], [3, 4]])
    yield from ([[1, 2, 3], [4, 5, 6]], [[[1, 2]]], [1, [2, 3]], [math.nan, 1], [[math.inf, 1], [2, 3]], [HUGE, 1])
    yield from (
        [[HUGE, 0], [0, 1]],
        [10**5000],
        [1e308, 1e308],
        [[1e308, -1e308], [1e39, 1]],
        [5e-324, 5e-324],
        [None, 1],
    )
    yield from (["a", "b"], [True, False], [1j, 2], [0, 0], [0, 0, 0], [-1, -1], [[0, 0], [0, 0]], [[1, 2], [1, 2]])
    yield from (np.zeros((0, 2)), np.zeros((2, 0)), np.zeros(2), np.full((3, 2), math.nan), np.zeros((2, 3, 4)))
    yield from (
        np.array([1, "a"], object),
        np.array([None, None]),
        np.array([[1, 2], [3, 4]], object),
        np.ma.masked_all(2),
    )
    yield from (
        np.array(["a", "b"]),
        np.array([1, 2], "datetime64[s]"),
        np.zeros(2, [("x", float)]),
        np.zeros(2, complex),
    )
    yield from (
        np.zeros(MANY),
        np.full((MANY, 2), math.nan),
        [1.0] * MANY,
        range(10),
        range(10**12),
        np.empty((), object),
    )
    yield from (
        np.zeros(2, np.float16),
        np.zeros((2, 2), np.int8),
        np.asfortranarray(np.ones((3, 2))),
        np.ones((4, 2))[::2],
    )


def objects() -> Iterator[Any]:
    """Everything else."""
    yield from (None, "", "nearest", "max", "nan", "é\n\0", "x" * MANY, b"bytes", bytearray(2), memoryview(b"ab"), ...)
    yield from (
        NotImplemented,
        object(),
        object,
        int,
        Exception("x"),
        SimpleNamespace(x=1),
        {},
        {"x": 1},
        {1: 2},
        set(),
    )
    yield from ({1, 2}, frozenset({1}), datetime.date(2026, 1, 1), datetime.datetime(2026, 1, 1), datetime.time(1))
    yield from (datetime.timedelta(1), np.datetime64("NaT"), np.timedelta64(1), math, len, print, lambda: None, abs)
    yield from (
        Unprintable(),
        Unreadable(),
        Lying(),
        recursive(),
        deep(),
        {"a": recursive()},
        np.random.default_rng(0),
    )
    yield from (
        np.float64,
        np.dtype(float),
        slice(1),
        type,
        [object()],
        [lambda: 1],
        [[object()]],
        {"a": {"b": 1}},
        [{}],
    )


def once() -> Iterator[Any]:
    """What can be gone through only once, made anew."""
    yield iter([1.0, 2.0])
    yield (x for x in (1, 2))
    yield map(float, "12")
    yield zip([1], [2], strict=True)


NASTY: list[Any] = [*numbers(), *shapes(), *objects()]
FRESH: Callable[[], list[Any]] = lambda: list(once())  # noqa: E731


def nasty(rng: Random) -> Any:
    """One of them."""
    return rng.choice(NASTY) if rng.random() < 0.97 else rng.choice(FRESH())


def edges(about: Description) -> list[Any]:
    """Values at, next to and beyond the edges of what a parameter allows; its choices, and words that are nearly one."""
    found: list[Any] = []
    for edge in (about.low, about.above, about.high):
        if edge is not None:
            found += [edge, math.nextafter(edge, math.inf), math.nextafter(edge, -math.inf), edge - 1, edge + 1, -edge]
    for word in about.choices:
        found += [word, word.upper(), word + " ", word.encode(), [word]]
    return found


def said(value: Any) -> str:
    """A value, short, for the description of an input."""
    try:
        text = f"{type(value).__name__} array {value.shape}" if isinstance(value, np.ndarray) else repr(value)
    except Exception as error:
        return f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return text if len(text) < 60 else f"{text[:40]}... ({type(value).__name__}, {len(text)} characters)"

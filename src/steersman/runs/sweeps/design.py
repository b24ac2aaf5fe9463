"""Designs: which values the runs of a sweep have, on a grid or drawn from distributions."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol, runtime_checkable

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.typing import Array

DESIGNS = ("grid", "random", "latin", "sobol")
SPREAD = "{low, high}, maybe with log or whole = true"


@runtime_checkable
class Distribution(Protocol):
    """Numbers of a distribution by their quantiles: frozen distributions of scipy.stats are such."""

    def ppf(self, q: Any) -> Any:
        """The values at quantiles from 0 to 1."""


@dataclass(frozen=True)
class Choice:
    """One of several values, each as likely as the others."""

    values: tuple[Any, ...]

    def at(self, quantile: Array) -> list[Any]:
        """The values at quantiles from 0 to 1."""
        last = len(self.values) - 1
        return [self.values[min(int(each * len(self.values)), last)] for each in quantile]


@dataclass(frozen=True)
class Span:
    """A range of numbers, all as likely.

    Attributes:
        low, high: Its ends.
        log: Whether equal steps of the logarithm are equally likely.
        whole: Whether only whole numbers are in it; both ends are, where they are whole numbers.
    """

    low: float
    high: float
    log: bool = False
    whole: bool = False

    def at(self, quantile: Array) -> list[Any]:
        """The values at quantiles from 0 to 1."""
        if self.whole:
            first, last = self.whole_ends
            return [first + min(int(each * (last - first + 1)), last - first) for each in quantile]
        if self.log:
            return [self.low * (self.high / self.low) ** float(each) for each in quantile]
        return [self.low + (self.high - self.low) * float(each) for each in quantile]

    @property
    def whole_ends(self) -> tuple[int, int]:
        """The least and the greatest whole number in it."""
        return math.ceil(self.low), math.floor(self.high)

    def holds(self, value: Any) -> bool:
        """Whether a value is a number between the ends."""
        return isinstance(value, (int, float)) and self.low <= value <= self.high

    def quantile(self, value: float) -> float:
        """The quantile of a value, from 0 to 1."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Quantiles:
    """A distribution of someone else."""

    distribution: Distribution

    def at(self, quantile: Array) -> list[Any]:
        """The values at quantiles from 0 to 1."""
        values: list[Any] = np.asarray(self.distribution.ppf(quantile)).tolist()
        return values


Axis = Choice | Span | Quantiles


def as_axis(path: str, values: Any) -> Axis:
    """The values that a path takes: one value, a list of values, a range, or a distribution.

    Args:
        path: The path, for messages.
        values: A number, a text, a list, an array, a range, a table `{low, high}`, or an object with `ppf`.

    Raises:
        ValueError: It has no values, or low is not below high.
    """
    if isinstance(values, Mapping):
        return _span(path, values)
    if isinstance(values, Distribution):
        return Quantiles(values)
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, (list, tuple, range)):
        if not len(values):
            raise ValueError(f"{path} must have at least one value, got {brief(values)}")
        return Choice(tuple(_plain(each) for each in values))
    return Choice((_plain(values),))


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def _span(path: str, table: Mapping[str, Any]) -> Span:
    numbers = all(
        isinstance(table.get(name), (int, float)) and not isinstance(table[name], bool) for name in ("low", "high")
    )
    if set(table) - {"low", "high", "log", "whole"} or not numbers:
        raise TypeError(f"{path} must be a list of values, or {SPREAD}, got {brief(dict(table))}")
    span = Span(float(table["low"]), float(table["high"]), bool(table.get("log")), bool(table.get("whole")))
    if not (math.isfinite(span.low) and math.isfinite(span.high) and span.low < span.high):
        raise ValueError(f"{path} must have low < high, got {table['low']!r} and {table['high']!r}")
    if span.log and not span.low > 0:
        raise ValueError(f"{path} must have low > 0 where log is true, got {table['low']!r}")
    if span.whole and span.log:
        raise ValueError(f"{path} must have log or whole, not both")
    if span.whole and span.whole_ends[0] > span.whole_ends[1]:
        raise ValueError(
            f"{path} must have a whole number between low and high, got {table['low']!r} and {table['high']!r}"
        )
    return span


def combinations(
    axes: Mapping[str, Axis], design: str = "grid", samples: int | None = None, seed: int = 0
) -> Sequence[tuple[Any, ...]]:
    """All combinations of values that a sweep tries.

    Args:
        axes: Path -> the values that it takes.
        design: "grid": each with each; "random", "latin" (Latin hypercube) or "sobol": that many samples.
        samples: How many, where it is no grid.
        seed: Seed of the samples.

    Returns:
        Values in the order of the axes.

    Raises:
        ValueError: There is no such design, or it does not fit.
        ImportError: scipy is not installed.
    """
    if design not in DESIGNS:
        raise ValueError(f"design must be one of {', '.join(DESIGNS)}, got {brief(design)}")
    if design == "grid":
        for path, axis in axes.items():
            if not isinstance(axis, Choice):
                raise ValueError(f"{path} must be a list of values for a grid; for a range give design= and samples=")
        if samples is not None:
            raise ValueError("samples must not be given for a grid, which has each value with each; give design=, too")
        return list(itertools.product(*(axis.values for axis in axes.values() if isinstance(axis, Choice))))
    if not isinstance(samples, int) or isinstance(samples, bool) or samples < 1:
        raise ValueError(f"samples must be a whole number >= 1 for the design {design!r}, got {brief(samples)}")
    quantiles = _quantiles(design, samples, len(axes), seed)
    return list(zip(*(axis.at(quantiles[:, k]) for k, axis in enumerate(axes.values())), strict=True)) or [()]


def _quantiles(design: str, samples: int, count: int, seed: int) -> Array:
    """Quantiles of each axis from 0 to 1, shape (samples, count)."""
    if design == "random" or not count:
        return np.random.default_rng(seed).random((samples, count))
    if find_spec("scipy") is None:
        raise ImportError(f'the design {design!r} needs scipy; please run: pip install "steersman[sweep]"')
    from scipy.stats import qmc

    if design == "latin":
        return np.asarray(qmc.LatinHypercube(count, rng=seed).random(samples))
    power = math.ceil(
        math.log2(samples)
    )  # Sobol points come in powers of two; the first of them are as good as it gets.
    return np.asarray(qmc.Sobol(count, rng=seed).random_base2(power))[:samples]

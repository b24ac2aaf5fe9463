"""Judging: means with intervals by bootstrap, and which of several points no other point beats."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steersman.core.typing import Array

RESAMPLES = 10_000
"""How many samples a bootstrap draws."""


class Estimate(NamedTuple):
    """A mean and the interval that holds it with 95 %.

    Attributes:
        mean: The mean; NaN where a run failed.
        low, high: The ends of the interval.
    """

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} ({self.low:.4g} to {self.high:.4g})"


def estimate(values: Array, seed: int = 0) -> Estimate:
    """The mean of values, shape (k,), and its interval by bootstrap: percentiles of the means of samples with replacement."""
    rows = np.random.default_rng(seed).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.percentile(values[rows].mean(axis=1), [2.5, 97.5])
    return Estimate(float(np.mean(values)), float(low), float(high))


def front(costs: Array) -> list[int]:
    """The Pareto front: the rows that no other row beats or, before them, equals in all columns; by the first column.

    Args:
        costs: The less the better, shape (n, goals); rows with NaN are not on it.
    """
    rows = [int(k) for k in np.flatnonzero(np.isfinite(costs).all(axis=1))]
    on = [
        k
        for k in rows
        if not any((costs[j] <= costs[k]).all() and ((costs[j] < costs[k]).any() or j < k) for j in rows if j != k)
    ]
    return sorted(on, key=lambda k: tuple(costs[k]))


def balanced(costs: Array, rows: Sequence[int]) -> int:
    """The row of a front that is nearest to the best of each column, where each column goes from 0 to 1 on the front."""
    chosen = costs[list(rows)]
    low, width = chosen.min(axis=0), np.ptp(chosen, axis=0)
    far = np.linalg.norm((chosen - low) / np.where(width > 0, width, 1.0), axis=1)
    return rows[int(np.argmin(far))]

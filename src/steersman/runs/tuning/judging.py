"""Judging: means with intervals of Student's t, and which of several points no other point beats."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steersman.core.typing import Array

FEWEST = 6
"""The fewest seeds that decide: five differences with the same sign come by chance in 6 % of cases, six in 3 %."""


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


def estimate(values: Array) -> Estimate:
    """The mean of values, shape (k,), and its interval by Student's t: without end for a single value."""
    from scipy.special import stdtrit

    count, mean = len(values), float(np.mean(values))
    if count < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = float(stdtrit(count - 1, 0.975) * np.std(values, ddof=1) / math.sqrt(count))
    return Estimate(mean, mean - half, mean + half)


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

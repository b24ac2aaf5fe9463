"""Whether a program has become slower, from times that scatter.

What is compared is the ratio of two medians; of times that were taken in pairs, one after the other, the median of
their ratios, so that whatever comes and goes with the time of day concerns both. How far it may be off is asked of the
times themselves: drawn anew with replacement many times (Efron 1979, the percentile bootstrap), they give an interval
of ratios. Only when the whole interval lies beyond the tolerance is it said that something changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 0.05
"""What a program may be slower, or faster, by before it counts."""

LEVEL = 0.95
DRAWS = 4000
LEAST = 3
"""Turns that are needed to say anything."""


@dataclass(frozen=True)
class Change:
    """New times over old ones.

    Attributes:
        ratio: Above 1 the new one is slower.
        low: Lower end of its interval.
        high: Upper end.
        verdict: "slower" or "faster" when the whole interval is beyond the tolerance, "same" when all of it is within,
            else "unclear": more turns would tell.
    """

    ratio: float
    low: float
    high: float
    verdict: str

    def __str__(self) -> str:
        return f"x{self.ratio:.3f}  [{self.low:.3f}, {self.high:.3f}]  {self.verdict}"


def change(
    new: Sequence[float], old: Sequence[float], *, paired: bool, tolerance: float = TOLERANCE, seed: int = 0
) -> Change:
    """Compare two lists of times.

    Args:
        new: Times of turns of the new program, in any unit.
        old: Times of the old one, in the same unit.
        paired: Whether new[i] and old[i] were taken one after the other. Else each list is drawn by itself.
        tolerance: What may be slower or faster before it counts, > 0.
        seed: Of the draws.

    Raises:
        ValueError: There are too few times, not as many of both although they are pairs, or some are not positive.
    """
    a, b = np.asarray(new, float), np.asarray(old, float)
    if min(len(a), len(b)) < LEAST:
        raise ValueError(f"there must be at least {LEAST} turns of both, got {len(a)} and {len(b)}: take more turns")
    if paired and len(a) != len(b):
        raise ValueError(f"pairs must be as many of both, got {len(a)} and {len(b)}")
    if not (np.isfinite(a).all() and np.isfinite(b).all() and (a > 0).all() and (b > 0).all()):
        raise ValueError("times must be positive")
    if not tolerance > 0:
        raise ValueError(f"tolerance must be > 0, got {tolerance!r}")
    rng = np.random.default_rng(seed)

    def medians(times: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.median(times[rng.integers(0, len(times), (DRAWS, len(times)))], axis=1)

    if paired:
        ratio, drawn = float(np.median(a / b)), medians(a / b)
    else:
        ratio, drawn = float(np.median(a) / np.median(b)), medians(a) / medians(b)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Change(ratio, float(low), float(high), verdict(float(low), float(high), tolerance))


def verdict(low: float, high: float, tolerance: float) -> str:
    """What an interval of ratios says."""
    slow, fast = 1 + tolerance, 1 / (1 + tolerance)
    if low > slow:
        return "slower"
    if high < fast:
        return "faster"
    return "same" if low >= fast and high <= slow else "unclear"


class Reference:
    """A fixed piece of work that has nothing to do with the library: how fast the machine is just now.

    Sorting, sums over lists of indices and arithmetic, of a size like a flock of some ten thousand, in NumPy.
    """

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self.values: NDArray[np.float32] = rng.random(40_000, dtype=np.float32)
        self.index = rng.integers(0, 40_000, 200_000)

    def work(self) -> float:
        """Do it once; the result is of no interest."""
        order = np.argsort(self.values, kind="stable")
        near = self.values[self.index] - self.values[order[self.index % 4096]]
        total = np.bincount(self.index, np.sqrt(near * near + 1.0))
        return float(total.sum())

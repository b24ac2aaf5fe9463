"""Blocks of space: each process owns the vehicles in one of them, and holds those around it that these may see.

Space is cut along the first axis, and each slice along the second, such that all blocks hold equally many vehicles. The
outermost blocks have no outer ends. On an axis that wraps, positions count from 0 to the period.
"""

import math
from collections.abc import Sequence

import numpy as np

from steersman.core.typing import Array


class Blocks:
    """Blocks that fill space.

    Args:
        period: The period of each axis [m], shape (d,); 0 where the axis does not wrap.
        along: Where the first axis is cut [m], ascending, shape (slices - 1,).
        across: Where each slice is cut along the second axis [m], ascending, one array a slice, each of shape (k - 1,).

    Attributes:
        count: The number of blocks.
        low, high: Their corners [m], shape (count, 2); infinite where a block has no end.
    """

    def __init__(self, period: Array, along: Array, across: Sequence[Array]) -> None:
        self._period, self._along, self._across = np.asarray(period, np.float64), along, across
        self.count = sum(len(each) + 1 for each in across)
        self._each = len(across[0]) + 1
        ends = np.concatenate([[-np.inf], along, [np.inf]])
        low, high = [], []
        for slice, cuts in enumerate(across):
            beside = np.concatenate([[-np.inf], cuts, [np.inf]])
            for k in range(len(cuts) + 1):
                low.append((ends[slice], beside[k]))
                high.append((ends[slice + 1], beside[k + 1]))
        self.low, self.high = np.array(low), np.array(high)

    @classmethod
    def even(cls, points: Array, shape: tuple[int, int], period: Array) -> "Blocks":
        """Blocks that hold equally many of some points.

        Args:
            points: Positions [m], shape (n, d).
            shape: The number of slices along the first axis, and of blocks in each.
            period: The period of each axis [m], shape (d,); 0 where it does not wrap.
        """
        places = in_one_period(points[:, :2], np.asarray(period, np.float64)[:2])
        along = cuts_of(places[:, 0], shape[0])
        slice = np.searchsorted(along, places[:, 0], side="right")
        return cls(period, along, [cuts_of(places[slice == k, 1], shape[1]) for k in range(shape[0])])

    def owners(self, points: Array) -> Array:
        """The block that each point lies in, shape (n,); points are of shape (n, d) [m]."""
        places = in_one_period(points[:, :2], self._period[:2])
        slice = np.searchsorted(self._along, places[:, 0], side="right")
        owner = slice * self._each
        if self._each > 1:
            for k, cuts in enumerate(self._across):
                here = slice == k
                owner[here] += np.searchsorted(cuts, places[here, 1], side="right")
        return owner

    def near(self, block: int, points: Array, reach: Array) -> Array:
        """Whether points lie in a block or next to it, shape (n,), bool.

        Args:
            block: Its number.
            points: Positions [m], shape (n, d).
            reach: The distance along each axis up to which they are next to it [m], shape (d,); may be infinite.
        """
        places = in_one_period(points[:, :2], self._period[:2])
        mask = np.ones(len(points), bool)
        for axis in range(2):
            low, high, width = self.low[block, axis], self.high[block, axis], reach[axis]
            if not math.isfinite(width) or (low == -np.inf and high == np.inf):
                continue
            x, period = places[:, axis], self._period[axis]
            inside = (x >= low - width) & (x <= high + width)
            if period > 0:
                inside |= x - period >= max(low, 0.0) - width
                inside |= x + period <= min(high, period) + width
            mask &= inside
        return mask


def in_one_period(points: Array, period: Array) -> Array:
    """Points [m], shape (n, k), in float64, less whole periods on axes that wrap; not finite ones are at 0."""
    places = np.nan_to_num(points.astype(np.float64), copy=False, nan=0.0, posinf=0.0, neginf=0.0)
    for axis in range(places.shape[1]):
        if period[axis] > 0:
            places[:, axis] -= period[axis] * np.floor(places[:, axis] / period[axis])
    return places


def cuts_of(places: Array, count: int) -> Array:
    """Where to cut an axis into parts that hold equally many of some places [m], ascending, shape (count - 1,)."""
    if not len(places):
        return np.arange(1.0, count)
    return np.asarray(np.quantile(places, np.arange(1, count) / count))


def shape_of(count: int, extent: Array, slices: bool) -> tuple[int, int]:
    """The numbers of slices and of blocks in each, for a number of blocks.

    Args:
        count: The number of blocks.
        extent: The extent of the vehicles along the first two axes [m], shape (2,).
        slices: Whether to cut along the first axis alone.
    """
    if slices:
        return count, 1
    pairs = [(k, count // k) for k in range(1, count + 1) if count % k == 0]
    x, y = np.asarray(extent, np.float64).tolist()[:2]
    return min(pairs, key=lambda pair: (pair[0] - 1) * y + (pair[1] - 1) * x)  # The shortest cuts.

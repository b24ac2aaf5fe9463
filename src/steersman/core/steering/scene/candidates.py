"""Candidates: the points that may lie within a radius of a few places, found without measuring all distances.

The caller measures the exact distances of the candidates; points that are left out are surely farther. Points are
selected by their first coordinate and then by their second: of those that are near along the first, few are near along
the second.
"""

from collections.abc import Iterator

import numpy as np

from steersman.core.typing import Array

FEW = 8
"""Number of places up to which all points are compared with each; for more, the points are sorted once."""

SLACK = 1e-9
"""Part of all lengths that is added to them, against rounding."""


def candidates(points: Array, places: Array, radius: float, period: Array) -> Iterator[Array]:
    """For each place the rows of points that may be within a radius of it, in ascending order.

    Args:
        points: Points [m], shape (m, d), float64.
        places: Places [m], shape (k, d), float64.
        radius: The radius [m], maybe infinite.
        period: After which length space repeats along each axis [m], shape (d,); 0 where it does not.

    Yields:
        Rows, shape (c,), for each place.
    """
    reach = radius + SLACK * (radius + max(np.abs(places).max(initial=0.0), float(period.max())))
    x, y = np.ascontiguousarray(points[:, 0]), points[:, 1]
    if not np.isfinite(reach) or (period[0] > 0 and 2 * reach >= period[0]):
        yield from (np.arange(len(points)) for _ in places)
        return
    row_groups: Iterator[Array]
    if len(places) <= FEW:
        row_groups = (np.flatnonzero(_near(x - each, reach, period[0])) for each in places[:, 0])
    else:
        row_groups = _sorted(x, places[:, 0], reach, period[0])
    for rows, place in zip(row_groups, places, strict=True):
        yield np.sort(rows[_near(y[rows] - place[1], reach, period[1])])


def _near(way: Array, reach: float, period: float) -> Array:
    """Whether offsets along an axis [m] are at most `reach` long; on a periodic axis the shortest image counts."""
    if period > 0:
        way -= period * np.rint(way / period)
    return np.asarray(np.abs(way) <= reach)


def _sorted(x: Array, here: Array, reach: float, period: float) -> Iterator[Array]:
    """For each place the rows of the points nearby along the first axis; in three images if the axis is periodic."""
    if period > 0:
        x, here = np.mod(x, period), np.mod(here, period)
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    for each in here:
        images = each + period * np.array([-1.0, 0.0, 1.0]) if period > 0 else np.array([each])
        low, high = np.searchsorted(ordered, images - reach, "left"), np.searchsorted(ordered, images + reach, "right")
        yield np.concatenate([order[start:stop] for start, stop in zip(low, high, strict=True)])

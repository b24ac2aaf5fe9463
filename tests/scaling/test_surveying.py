"""How far vehicles have gone since they were dealt out, and where they are: against the plain definition."""

import numpy as np
import pytest

from steersman.scaling.surveying import REACH, survey


@pytest.mark.parametrize("way", [-1, 1])
@pytest.mark.parametrize("wraps", [False, True])
def test_ways_and_bounds_are_those_of_the_owned(way, wraps):
    """To the left or to the right, over the seam or not; those that are not owned or are beyond all reach do not count."""
    rng = np.random.default_rng(2)
    d, room, period = 2, 9, np.array([20.0, 0.0]) * wraps
    position = tuple(rng.uniform(0, 20, room).astype(np.float32) for _ in range(d))
    owned = np.array([7, 2, 4, 5])
    places = np.stack([each[owned] for each in position]) - way * rng.uniform(1, 6, (d, len(owned)))
    if wraps:
        places[0] %= 20.0
    position[0][[0, 1]] = -99, 99
    position[1][5] = 2 * REACH
    places[1, 3] = position[1][5]
    extremes = np.full((3, 3), -np.inf)
    extremes[0] = 0.0
    survey(position, owned, places, period, extremes)
    for axis in range(d):
        gone = np.float64(position[axis][owned]) - places[axis]
        if period[axis]:
            gone -= period[axis] * np.round(gone / period[axis])
        there = [x for x in np.float64(position[axis][owned]) if abs(x) <= REACH]
        np.testing.assert_allclose(extremes[:, axis], [np.abs(gone).max(), -min(there), max(there)])
    survey(position, owned[:1], places[:, :1], period, before := extremes.copy())
    np.testing.assert_array_equal(before, extremes)  # Larger values stay.

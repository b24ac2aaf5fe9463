"""Comparisons by vectors, beside the same in NumPy."""

import numpy as np
import pytest

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.lanes import LANES, lanes_within, lowest_bit, within


@kernel
def near(position, row, first, here, radius2, own, found):
    found[0] = lanes_within(position, row, np.uint64(first), here, position[0].dtype.type(radius2), np.int32(own))


@kernel
def lowest(bits, found):
    found[0] = lowest_bit(bits[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [2, 3])
def test_bits_are_those_within_the_radius_but_for_the_own_row(d, dtype):
    rng = np.random.default_rng(d)
    position = tuple(rng.uniform(0, 2, (d, 40)).astype(dtype))
    row, found = rng.permutation(40).astype(np.int32), np.zeros(1, np.uint64)
    for first in (0, 5, 40 - LANES):
        here, own = tuple(each[first + 3] for each in position), row[first + 3]
        near(position, row, first, here, 0.7, own, found)
        expected = within(position, row, first, here, dtype(0.7), own)
        assert found[0] == expected
        assert 0 < int(expected).bit_count() < LANES - 1
        assert not int(expected) >> 3 & 1
        near(position, row, first, here, 0.7, -1, found)
        assert int(found[0]) == int(expected) | 1 << 3


def test_what_is_no_number_is_near_nobody():
    position = tuple(np.full((2, LANES), np.nan))
    found = np.ones(1, np.uint64)
    near(position, np.arange(LANES, dtype=np.int32), 0, (0.0, 0.0), np.inf, -1, found)
    assert found[0] == 0


@pytest.mark.parametrize("place", [0, 1, 15, 63])
def test_the_lowest_bit(place):
    found = np.zeros(1, np.uint64)
    lowest(np.array([(1 << 63 | 1 << place)], np.uint64), found)
    assert found[0] == place

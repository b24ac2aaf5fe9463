"""Blocks of space."""

import math

import numpy as np
import pytest

from steersman.scaling.blocks import Blocks, in_one_period, shape_of


@pytest.mark.parametrize("shape", [(1, 1), (4, 1), (1, 3), (3, 2)])
@pytest.mark.parametrize("period", [(0.0, 0.0), (40.0, 30.0), (40.0, 0.0)])
def test_every_point_is_in_one_block_and_blocks_are_even(shape: tuple[int, int], period: tuple[float, float]) -> None:
    rng = np.random.default_rng(1)
    points = rng.uniform(0, (40, 30), (600, 2))
    blocks = Blocks.even(points, shape, np.array(period))
    owner = blocks.owners(points)
    counts = np.bincount(owner, minlength=blocks.count)
    assert len(counts) == blocks.count == shape[0] * shape[1]
    assert np.ptp(counts) <= shape[0]
    inside = [
        ((points >= low) & (points < high)).all(axis=1) for low, high in zip(blocks.low, blocks.high, strict=True)
    ]
    assert (np.stack(inside, axis=1) == (owner[:, None] == np.arange(blocks.count))).all()


@pytest.mark.parametrize("period", [(0.0, 0.0), (40.0, 30.0), (0.0, 30.0)])
def test_near_are_the_points_within_reach_of_a_block_also_around_the_end_of_an_axis(
    period: tuple[float, float],
) -> None:
    rng = np.random.default_rng(2)
    points = rng.uniform(0, (40, 30), (400, 2))
    blocks, reach = Blocks.even(points, (3, 2), np.array(period)), np.array([3.0, 2.0, 0.0])
    owner = blocks.owners(points)
    way = np.abs(points[:, None] - points)
    for axis, length in enumerate(period):
        if length:
            way[..., axis] = np.minimum(way[..., axis], length - way[..., axis])
    for block in range(blocks.count):
        close = (way[:, owner == block] <= 2.0).all(axis=2).any(axis=1)
        found = blocks.near(block, points, reach)
        assert found[close].all()
        assert found[owner == block].all()
        assert not found.all()
    assert blocks.near(0, points, np.full(3, math.inf)).all()


def test_points_outside_of_the_period_count_as_their_images() -> None:
    points = np.random.default_rng(4).uniform(0, 40, (50, 2))
    blocks = Blocks.even(points, (2, 2), np.array([40.0, 40.0]))
    np.testing.assert_array_equal(blocks.owners(np.add(points, [80.0, -40.0])), blocks.owners(points))
    same = Blocks.even(np.add(points, [80.0, -40.0]), (2, 2), np.array([40.0, 40.0]))
    np.testing.assert_allclose([same.low, same.high], [blocks.low, blocks.high], rtol=1e-12)


def test_places_that_are_no_numbers_are_at_zero() -> None:
    places = in_one_period(np.array([[np.inf, np.inf], [-np.inf, -np.inf], [np.nan, 7]]), np.array([0.0, 4.0]))
    assert places.tolist() == [[0, 0], [0, 0], [0, 3]]


def test_shapes_have_the_shortest_cuts() -> None:
    assert shape_of(4, np.array([10.0, 10.0]), slices=False) == (2, 2)
    assert shape_of(4, np.array([100.0, 1.0]), slices=False) == (4, 1)
    assert shape_of(4, np.array([1.0, 100.0]), slices=False) == (1, 4)
    assert shape_of(4, np.array([10.0, 10.0]), slices=True) == (4, 1)

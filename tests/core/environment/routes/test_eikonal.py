"""Distances on a grid beside scikit-fmm, and beside what can be computed by hand."""

from typing import Any

import numpy as np
import pytest

import steersman as sm

Array = np.ndarray[Any, Any]


def rooms(n: int, seed: int) -> Array:
    """Random bars in a square of n x n nodes; True where a wall is. Its first three rows are free."""
    rng = np.random.default_rng(seed)
    walls = np.zeros((n, n), bool)
    for _ in range(n // 8):
        i, j, size = *rng.integers(3, n, 2), n // 5
        walls[i : i + size, j : j + 2] = True
        i, j = rng.integers(3, n, 2)
        walls[i : i + 2, j : j + size] = True
    return walls


def beside(walls: Array, cost: Array) -> tuple[Array, Array]:
    """The distances from the first row by this library and by scikit-fmm, on a grid with a spacing of 1 m."""
    fmm = pytest.importorskip("skfmm")
    n = len(walls)
    grid = sm.RouteGrid(
        region=sm.Box([n + 9.0, n + 9.0], origin=-5.0),
        spacing=1.0,
        clearance=0.1,
        cost=lambda points: priced(points, walls, cost),
    )
    found = grid.field(first_row(n)).remaining
    height = np.broadcast_to(np.arange(n)[:, None] + 0.0, (n, n))
    known = fmm.travel_time(np.ma.MaskedArray(height - 0.5, walls), 1 / cost, order=1)
    return found[5 : 5 + n, 5 : 5 + n], known


def priced(points: Array, walls: Array, cost: Array) -> Array:
    """The cost at nodes: infinite at walls, and outside of them."""
    n = len(walls)
    i, j = (np.rint(points[:, k]).astype(int) for k in range(2))
    inside = (i >= 0) & (i < n) & (j >= 0) & (j < n)
    found = np.full(len(points), np.inf)
    found[inside] = np.where(walls, np.inf, cost)[i[inside], j[inside]]
    return found


def first_row(n: int) -> sm.Polygon:
    """All that is half a spacing from the first row: the clearance is inside of it, too."""
    return sm.Polygon([[-9.0, -9.0], [0.6, -9.0], [0.6, n + 9.0], [-9.0, n + 9.0]])


@pytest.mark.parametrize("seed", [0, 1])
def test_distances_are_those_of_scikit_fmm(seed: int) -> None:
    n = 60
    walls, rng = rooms(n, seed), np.random.default_rng(seed)
    for cost in (np.ones((n, n)), 1 + 3 * rng.random((n, n))):
        found, known = beside(walls, cost)
        reached = ~np.ma.getmaskarray(known)
        reached[0] = False  # There scikit-fmm gives half a step back, for the border lies beyond it.
        assert np.isfinite(found[reached]).all()
        assert np.isinf(found[np.ma.getmaskarray(known)]).all()
        np.testing.assert_allclose(found[reached], known[reached], rtol=1e-6)


def test_distances_from_a_point_are_nearly_straight() -> None:
    """The error of first order is largest along the diagonals; with a fourth of the spacing it is less than half."""
    points = np.random.default_rng(1).uniform(-9, 9, (400, 2))
    worst = []
    for spacing in (0.5, 0.125):
        field = sm.FlowField.toward([[0.0, 0.0]], region=sm.Box([20, 20], origin=-10), spacing=spacing, clearance=0.01)
        error = field.distance(points) - np.hypot(*points.T)
        assert error.min() > -0.1 * spacing
        worst.append(error.max())
    assert worst[0] < 0.5
    assert worst[1] < worst[0] / 2


def test_a_way_past_a_corner_is_as_long_as_it_must_be() -> None:
    """A wall between two points: the way is that past its end, and the clearance on the way round."""
    wall = sm.Walls([[0.0, -20.0], [0.0, 3.0]])
    field = sm.FlowField.toward(
        [[4.0, 0.0]], obstacles=wall, region=sm.Box([20, 20], origin=-10), spacing=0.1, clearance=0.1
    )
    assert field.distance([-4.0, 0.0]) == pytest.approx(2 * np.hypot(4, 3.1), rel=0.03)


def test_a_swamp_is_gone_round() -> None:
    """Cost 5 in a square between start and goal: the way round it is the shortest."""
    swamp = sm.Box([4.0, 4.0], origin=-2.0)
    grid = sm.RouteGrid(
        region=sm.Box([20, 20], origin=-10),
        spacing=0.1,
        clearance=0.1,
        cost=lambda points: np.where(swamp.inside(points), 5.0, 1.0),
    )
    _, length = grid.guide([-6.0, 0.0], [6.0, 0.0])
    assert length == pytest.approx(2 * np.hypot(4, 2) + 4, rel=0.03)
    painted = sm.RouteGrid(region=sm.Box([20, 20]), spacing=0.5, cost=np.full((3, 5), 2.0))
    assert painted.guide([1.0, 10.0], [19.0, 10.0])[1] == pytest.approx(36, rel=0.02)


def test_hills_are_long_and_too_steep_ones_are_gone_round() -> None:
    """A ridge across the way with a pass at one end; and a slope of 3 in 4 all over."""
    heights = np.zeros((41, 41))
    heights[18:23, :30] = 6.0
    ridge = sm.Heightfield(heights, [0, 0], [40, 40])
    floor, ends = sm.Box([40.0, 40.0]), ([5.0, 10.0], [35.0, 10.0])
    assert sm.RouteGrid(region=floor, spacing=0.5).guide(*ends)[1] == pytest.approx(30, rel=0.01)
    assert sm.RouteGrid(region=floor, spacing=0.5, ground=ridge).guide(*ends)[1] > 2 * np.hypot(13, 18)
    ramp = sm.Heightfield(np.linspace(0, 30, 41)[:, None] * np.ones(41), [0, 0], [40, 40])
    assert sm.RouteGrid(region=floor, spacing=0.5, ground=ramp, max_slope=0.7).guide(*ends)[1] == pytest.approx(
        30 * 1.25, rel=0.01
    )
    assert np.isinf(sm.RouteGrid(region=floor, spacing=0.5, ground=ramp, max_slope=0.6).guide(*ends)[1])

"""Searches for the k nearest go through cells that fit the density, whatever radius is asked for."""

import math

import numpy as np
import pytest

import steersman as sm
from steersman.core.neighborhood.density import EACH
from steersman.core.neighborhood.neighbor_pass import NeighborPass
from steersman.core.neighborhood.request import NeighborList, NeighborSum

RNG = np.random.default_rng(1)
N = 1200
SIDE = math.sqrt(N)


def spots(spread, size):
    """Ten clusters in a large square."""
    return (RNG.uniform(0, size, (10, 2))[RNG.integers(0, 10, N)] + RNG.normal(0, spread, (N, 2))) % size


PLACES = {
    "uniform": (RNG.uniform(0, SIDE, (N, 2)), sm.Open()),
    "torus": (RNG.uniform(0, SIDE, (N, 2)), sm.Torus([SIDE, SIDE])),
    "oblong torus": (RNG.uniform(0, 1, (N, 2)) * [N / 2, 2.0], sm.Torus([N / 2, 2.0])),
    "spot on a torus": (RNG.uniform(0, SIDE, (N, 2)), sm.Torus([1e4, 3e4])),
    "across the seam": ((RNG.normal(0, 8, (N, 2))) % [1e4, 3e4], sm.Torus([1e4, 3e4])),
    "spots": (spots(5.0, 1e4), sm.Open()),
    "spots on a torus": (spots(5.0, 1e4), sm.Torus([1e4, 1e4])),
    "one far away": (np.append(RNG.uniform(0, SIDE, (N - 1, 2)), [[1e6, -1e5]], axis=0), sm.Open()),
    "diagonal": (np.repeat(RNG.uniform(0, N, (N, 1)), 2, axis=1), sm.Open()),
    "space": (RNG.uniform(0, N ** (1 / 3), (N, 3)), sm.Torus([N ** (1 / 3)] * 3)),
    "line in space": (RNG.uniform(0, N, (N, 1)) * [1.0, 0.0, 0.0], sm.Open()),
}


def grid_of(vehicles, requests, domain, of=None):
    """The grid in which the nearest are searched for, and how many are in its cells."""
    found = NeighborPass(vehicles, requests, domain, of)
    found.build()
    arrangement = found._arrangements[-1]
    cells = int(np.prod(arrangement.grid.shape))
    return arrangement.grid, np.diff(arrangement.candidates.start[: cells + 1])


@pytest.mark.parametrize("name", PLACES)
def test_vehicles_share_their_cells_with_a_few(name):
    """The work of a search is the mean over the vehicles of how many are in their cell, times a constant."""
    position, domain = PLACES[name]
    _, inside = grid_of(sm.Vehicles(position), (NeighborList(50.0, 8),), domain)
    assert inside.sum() == N
    assert (inside.astype(float) ** 2).sum() / N < 3 * (EACH + 1)
    assert len(inside) <= 2 * N + 64


@pytest.mark.parametrize("name", PLACES)
def test_the_radius_changes_no_cell(name):
    position, domain = PLACES[name]
    vehicles = sm.Vehicles(position)
    grids = [grid_of(vehicles, (NeighborList(radius, 8),), domain)[0] for radius in (0.1, 20.0, math.inf)]
    for grid in grids[1:]:
        np.testing.assert_array_equal(grid.axes, grids[0].axes)


@pytest.mark.parametrize("name", PLACES)
def test_a_radius_larger_than_needed_changes_no_bit(name):
    position, domain = PLACES[name]
    vehicles = sm.Vehicles(position, RNG.normal(size=position.shape))
    for make in (NeighborList, lambda radius, k: NeighborSum("velocity", radius, k=k)):
        requests = [make(radius, 3) for radius in (5e6, math.inf)]
        found = NeighborPass(vehicles, tuple(requests), domain, None)
        found.build()
        found.run()
        lists = found.lists or {each: np.stack([*sum.total, sum.count]) for each, sum in found.sums.items()}
        assert np.array(lists[requests[0]][0]).tobytes() == np.array(lists[requests[1]][0]).tobytes()


def test_sums_over_a_radius_have_cells_of_their_own():
    """One wide view of the nearest does not widen the cells of a sum over all within a short radius."""
    vehicles = sm.Vehicles(PLACES["uniform"][0])
    found = NeighborPass(vehicles, (NeighborList(30.0, 8), NeighborSum("offset", 3.0)), sm.Open(), None)
    found.build()
    widths = [1 / each.grid.axes[1, 0] for each in found._arrangements]
    assert widths[0] == pytest.approx(3.0, rel=1e-5)
    assert widths[1] < 2.5


def test_a_distant_crowd_of_others_is_searched_in_narrow_cells():
    """The cells fit those who are looked at, not the way to them."""
    herd = sm.Vehicles(RNG.uniform(0, SIDE, (N, 2)))
    _, inside = grid_of(sm.Vehicles([[1e5, 0.0], [0.0, -1e5]]), (NeighborList(20.0, 8, of=herd),), sm.Open(), herd)
    assert (inside.astype(float) ** 2).sum() / N < 3 * (EACH + 1)


@pytest.mark.parametrize("n", [0, 1, 97, 300])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_in_one_place_are_found(n, dtype):
    """No width parts them; cells stay as they are, and all are found."""
    vehicles = sm.Vehicles(np.full((n, 2), 1e3), dtype=dtype)
    request = NeighborList(20.0, 5)
    found = NeighborPass(vehicles, (request,), sm.Torus([2e3, 2e3]), None)
    found.build()
    found.run()
    assert (found.lists[request].number[:n] == min(5, max(n - 1, 0))).all()
    for i in range(n):
        expected = [j for j in range(6) if j != i][: min(5, n - 1)]
        assert list(found.lists[request].row[i][: len(expected)]) == expected

"""The grid: everybody is in one cell, whoever may be a neighbor is among the candidates, and memory is bounded."""

import itertools
import math

import numpy as np
import pytest
from brute_force import brute_force
from hypothesis import given
from hypothesis import strategies as st
from precision import assert_single_precision

import steersman as sm
from steersman.core.maths.vectors import ZERO
from steersman.core.neighborhood.arrangement import needs_images
from steersman.core.neighborhood.gather import gather
from steersman.core.neighborhood.grid import OWN_HIGH, OWN_LOW, find_runs
from steersman.core.neighborhood.neighbor_pass import FEW, NeighborPass
from steersman.core.neighborhood.request import NeighborSum
from steersman.core.neighborhood.sums import Pool, Watchers, sum_cell
from steersman.core.neighborhood.sweep import next_share, share_size

RADIUS = 3.0
SIZE = 30.0
REQUEST = NeighborSum("offset", RADIUS)


def arranged(points, domain):
    vehicles = sm.Vehicles(np.zeros_like(points), dtype=np.float64)
    vehicles.position[...] = points
    found = NeighborPass(vehicles, (REQUEST,), domain, None)
    found.build()
    (arrangement,) = found._arrangements
    return found, arrangement


@pytest.mark.parametrize(
    ("domain", "needed"),
    [(sm.Open(), False), (sm.Torus([SIZE, SIZE]), False), (sm.Torus([SIZE, 2.9 * RADIUS]), True)],
)
def test_whole_cells_move_unless_an_axis_has_fewer_than_three(domain, needed):
    """The minimum image of each pair takes time, which open space and large toruses save."""
    assert needs_images(domain.wrap(2, np.float64), RADIUS) is needed


def scattered(n, d, seed, spread):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, SIZE, (n, d)) * rng.choice([1.0, spread], (n, 1))


@given(
    n=st.sampled_from([20, FEW + 1, 400]), seed=st.integers(0, 10**6), spread=st.sampled_from([1.0, 1e3, 1e9, 1e300])
)
def test_everybody_is_in_one_cell_in_the_order_of_rows(n, seed, spread):
    points = scattered(n, 2, seed, spread)
    points[seed % n] = np.nan
    _, arrangement = arranged(points, sm.Open())
    start, row = arrangement.candidates.start, arrangement.candidates.row
    cells = int(np.prod(arrangement.grid.shape))
    assert cells <= 2 * n + 64
    assert sorted(row) == list(range(n))
    for c in range(cells + 1):
        members = row[start[c] : start[c + 1]]
        assert np.all(np.diff(members) > 0)
    lost = np.flatnonzero(~np.all(np.abs(points) <= 1e17, axis=1))
    assert list(row[start[cells] :]) == list(lost)


@pytest.mark.parametrize("domain", [sm.Open(), sm.Torus([SIZE, SIZE])])
@given(n=st.sampled_from([FEW + 1, 300]), seed=st.integers(0, 10**6), spread=st.sampled_from([1.0, 0.05, 40.0]))
def test_whoever_is_near_is_a_candidate_once(domain, n, seed, spread):
    """Whatever stretch of a row of cells is gathered, and wherever its neighbors are."""
    _, arrangement = arranged(scattered(n, 2, seed, spread), domain)
    grid, candidates, buffer = arrangement.grid, arrangement.candidates, arrangement.buffer(1)
    nx, ny, _ = grid.shape
    x, low = seed % nx, (seed // 7) % ny
    high = min(ny - 1, low + 4)
    gather(low, high, x, 0, grid, candidates, buffer)
    everybody = np.stack(candidates.position, 1)
    for y in range(low, high + 1):
        c = y * nx + x
        first, last = buffer.first[y - low], buffer.last[y - low + 2]
        pool = np.stack(buffer.position, 1)[first:last]
        for i in range(candidates.start[c], candidates.start[c + 1]):
            here = everybody[i]
            near = np.linalg.norm(domain.difference(everybody, here), axis=1) < RADIUS
            assert np.sum(np.linalg.norm(pool - here, axis=1) < RADIUS) == np.sum(near)


def test_a_flock_that_is_small_on_a_torus_needs_no_wrapping():
    points = np.random.default_rng(0).uniform(10, 20, (200, 2))
    _, arrangement = arranged(points, sm.Torus([SIZE, SIZE]))
    assert not arrangement.grid.wraps.any()
    _, arrangement = arranged(points * 3 - 30, sm.Torus([SIZE, SIZE]))
    assert arrangement.grid.wraps[:2].all()


def test_cells_adapt_to_the_flock_from_build_to_build():
    found, arrangement = arranged(np.random.default_rng(0).uniform(0, SIZE, (200, 2)), sm.Open())
    assert tuple(arrangement.grid.shape) == (10, 10, 1)
    found._vehicles.position[:, 0] *= 0.25
    found.build()
    assert tuple(arrangement.grid.shape) == (3, 10, 1)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e30])
def test_who_is_nowhere_sees_nobody_and_is_seen_by_nobody(bad):
    points = np.random.default_rng(2).uniform(0, SIZE, (200, 2))
    whole, _ = arranged(np.delete(points, 7, axis=0), sm.Open())
    found, _ = arranged(points, sm.Open())
    found.run()
    assert found.sums[REQUEST].count[7] > 0
    found._vehicles.position[7, 1] = bad
    found.build()
    found.run()
    whole.run()
    for some, every in zip((*found.sums[REQUEST].total, found.sums[REQUEST].count),
                           (*whole.sums[REQUEST].total, whole.sums[REQUEST].count), strict=True):  # fmt: skip
        assert some[7] == 0
        np.testing.assert_allclose(np.delete(some, 7), every, atol=1e-12)


@given(n=st.integers(0, 5000), workers=st.integers(1, 9))
def test_every_watcher_is_dealt_to_one_worker(n, workers):
    dealt = np.zeros(n, int)
    share = share_size(n, workers)
    for worker in range(workers):
        i = next_share(0, n, share, worker, workers)
        while i < n:
            stop = min(n, (i // share + 1) * share)
            dealt[i:stop] += 1
            i = next_share(stop, n, share, worker, workers)
    assert np.all(dealt == 1)


@pytest.mark.parametrize("repeats", [1, 2, 3])
@pytest.mark.parametrize("is_own", [False, True])
def test_the_innermost_loop_stays_in_single_precision(repeats, is_own):
    columns = tuple(np.zeros((2, 16), np.float32))
    watchers = Watchers(np.zeros(4, np.int32), np.zeros(16, np.int32), columns, np.zeros(16, np.float32))
    numbers = np.zeros((1, 12), np.float32)
    page = np.zeros((1, 16, 16), np.float32)
    own = (np.zeros((12, 16), np.float32),) * 2 if is_own else ()
    assert_single_precision(
        sum_cell, 0, 4, 0, watchers, columns, Pool(columns, columns, 0, 16, 0), page, 0,
        (np.zeros((2, 2), np.float32),), (numbers,) * repeats, (numbers,), (numbers,), ZERO, np.zeros(0, np.uint8), own,
    )  # fmt: skip


@pytest.mark.parametrize("size", [[900.0, 30.0], [30.0, 900.0], [400.0, 400.0]])
@given(seed=st.integers(0, 10**6))
def test_a_torus_that_is_folded_finds_neighbors_across_its_seams(size, seed):
    """A few vehicles on a torus of many cells: cells are taken away, and become wider. Half of them stand at the seams."""
    rng, domain = np.random.default_rng(seed), sm.Torus(size)
    points = rng.uniform(0, 1, (FEW + 40, 2)) * size
    edge = rng.random(len(points)) < 0.5
    axis = rng.integers(0, 2, len(points))
    rows = np.flatnonzero(edge)
    points[rows, axis[rows]] = rng.uniform(-1.5, 1.5, len(rows)) % np.array(size)[axis[rows]]
    points[1::2] = (points[::2][: len(points[1::2])] + rng.normal(0, 1.5, points[1::2].shape)) % size
    vehicles = sm.Vehicles(points, dtype=np.float64)
    found = NeighborPass(vehicles, (REQUEST,), domain, None)
    found.build()
    found.run()
    total, count = brute_force(vehicles.columns, REQUEST, domain)
    np.testing.assert_array_equal(found.sums[REQUEST].count, count)
    np.testing.assert_allclose(np.stack(found.sums[REQUEST].total, 1), total, atol=1e-9)


@pytest.mark.parametrize("last", [0, -1])
def test_the_extent_is_that_of_all_vehicles_whatever_their_number(last):
    """Coordinates are looked at in strips: none is left out at the end of one."""
    for n in range(FEW + 1, FEW + 36):
        points = scattered(n, 2, n, 1.0)
        points[last] = [SIZE + 5, -5.0]
        points[last - 1] = [-7.0, SIZE + 7]
        _, arrangement = arranged(points, sm.Open())
        np.testing.assert_array_equal(arrangement.grid.axes[OWN_LOW, :2], points.min(axis=0))
        np.testing.assert_array_equal(arrangement.grid.axes[OWN_HIGH, :2], points.max(axis=0))


@pytest.mark.parametrize("shape", [(5, 4, 1), (2, 3, 1), (1, 6, 1), (4, 3, 5)])
@pytest.mark.parametrize("wraps", [(0, 0, 0), (1, 1, 1), (1, 0, 0)])
def test_the_runs_of_a_cell_are_the_cells_around_it(shape: tuple[int, ...], wraps: tuple[int, ...]) -> None:
    nx, ny, nz = shape
    start, runs = np.arange(nx * ny * nz + 2), np.zeros((27, 2), np.int64)  # One vehicle in each cell.
    for c in range(nx * ny * nz):
        own, around = (c % nx, c // nx % ny, c // (nx * ny)), set()
        for steps in itertools.product((-1, 0, 1), repeat=3):
            place = [x + step for x, step in zip(own, steps, strict=True)]
            place = [x % count if wrap else x for x, count, wrap in zip(place, shape, wraps, strict=True)]
            if all(0 <= x < count for x, count in zip(place, shape, strict=True)):
                around.add(place[0] + nx * (place[1] + ny * place[2]))
        count = find_runs(c, np.array(shape), np.array(wraps), start, runs)
        found = [each for low, high in runs[:count].tolist() for each in range(low, high)]
        assert sorted(found) == sorted(around)
    assert find_runs(nx * ny * nz, np.array(shape), np.array(wraps), start, runs) == 0

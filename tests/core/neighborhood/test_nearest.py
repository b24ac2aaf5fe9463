"""The k nearest: exact, whatever the cells; of equal distances the lower row wins."""

import math

import numpy as np
import pytest
from brute_force import brute_force
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm
from steersman.core.neighborhood.nearest import SHARE, Watchers, is_due
from steersman.core.neighborhood.neighbor_pass import FEW, NeighborPass
from steersman.core.neighborhood.request import NeighborSum

SIZE = 24.0


def herd(kind, n, d, seed):
    rng = np.random.default_rng(seed)
    if kind == "lattice":
        points = rng.integers(0, 12, (n, d)) * 2.0
    elif kind == "two flocks":
        points = rng.normal(0, 1, (n, d)) + 1e4 * rng.integers(0, 2, (n, 1))
    elif kind == "in a line":
        points = np.zeros((n, d)) + rng.uniform(0, SIZE, (n, 1)) * np.eye(d)[0]
    else:
        points = rng.uniform(0, SIZE, (n, d))
    return sm.Vehicles(points, rng.normal(size=(n, d)), dtype=np.float64)


def check_equal(vehicles, request, domain):
    found = NeighborPass(vehicles, (request,), domain, None)
    found.build()
    found.run()
    total, count = brute_force(vehicles.columns, request, domain)
    np.testing.assert_array_equal(found.sums[request].count, count)
    scale = np.abs(total).max(initial=1.0)
    np.testing.assert_allclose(np.stack(found.sums[request].total, 1), total, atol=1e-9 * scale)
    return found


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("domain", ["open", "torus"])
@given(
    kind=st.sampled_from(["uniform", "lattice", "two flocks", "in a line"]),
    n=st.sampled_from([1, 2, 50, FEW + 1, 300]),
    k=st.sampled_from([1, 4, 60]),
    seed=st.integers(0, 10**6),
)
def test_of_all_equals_the_definition(d, domain, kind, n, k, seed):
    space = sm.Open() if domain == "open" else sm.Torus([SIZE] * d)
    check_equal(herd(kind, n, d, seed), NeighborSum("offset", math.inf, k=k), space)


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("asking", ["all", "some"])
def test_each_watcher_that_asks_is_in_the_share_of_one_worker(workers, asking):
    """In that of two it would be found as well, but would take twice the time."""
    rows = np.random.default_rng(0).permutation(5 * SHARE + 7)
    watchers = Watchers(np.zeros(2, np.int32), rows.astype(np.int32), (np.zeros(len(rows)),) * 2, ())
    flags = np.zeros(0, np.uint8) if asking == "all" else (np.arange(len(rows)) % 3 == 0).astype(np.uint8)
    shares = [[i for i in range(len(rows)) if is_due(i, k, workers, watchers, flags)] for k in range(workers)]
    due = range(len(rows)) if asking == "all" else np.flatnonzero(rows % 3 == 0).tolist()
    assert sorted(i for share in shares for i in share) == list(due)
    assert all(shares)


@pytest.mark.parametrize("radius", [3.0, math.inf])
@given(angle=st.sampled_from([0.5, 3.0]), inner=st.sampled_from([0.0, 1.0]), seed=st.integers(0, 10**6))
def test_only_those_in_view_count(radius, angle, inner, seed):
    check_equal(herd("uniform", 150, 2, seed), NeighborSum("offset", radius, angle, inner, k=3), sm.Torus([SIZE, SIZE]))


def test_of_equal_distances_the_lower_row_is_nearer():
    ring = [[0.0, 0.0], [0, 2], [2, 0], [0, -2], [-2, 0]]
    found = check_equal(sm.Vehicles(ring), NeighborSum("offset", 5.0, k=2), sm.Open())
    total = np.stack(next(iter(found.sums.values())).total, 1)
    np.testing.assert_array_equal(total[0], [2, 2])


@given(seed=st.integers(0, 10**6))
def test_repulsion_of_coincident_neighbors(seed):
    vehicles = herd("lattice", 200, 2, seed)
    check_equal(vehicles, NeighborSum("repulsion", 7.0, k=5), sm.Open())


def test_k_and_whole_sums_share_a_pass():
    vehicles = herd("uniform", 200, 2, 3)
    requests = tuple(NeighborSum("velocity", radius, k=k) for radius, k in ((4.0, None), (4.0, 2), (6.0, 3)))
    found = NeighborPass(vehicles, requests, sm.Open(), None)
    found.build()
    found.run()
    for request in requests:
        total, _ = brute_force(vehicles.columns, request, sm.Open())
        np.testing.assert_allclose(np.stack(found.sums[request].total, 1), total, atol=1e-9)


def test_any_number_of_workers_gives_the_same_bits():
    vehicles = herd("two flocks", 500, 2, 1)
    request = NeighborSum("offset", math.inf, k=7)
    found = NeighborPass(vehicles, (request,), sm.Open(), None)
    results = []
    for workers in (1, 2, 3):
        found.build()
        found.run(workers)
        results.append(np.stack(found.sums[request].total).tobytes())
        for column in found.sums[request].total:
            column[:] = np.nan
    assert len(set(results)) == 1


@pytest.mark.each_value
@pytest.mark.parametrize("size", [[300.0, 8.0], [8.0, 300.0], [40.0, 5.0, 90.0]])
@pytest.mark.parametrize("radius", [6.0, math.inf])
@given(seed=st.integers(0, 10**6), k=st.sampled_from([1, 3, 20]))
def test_on_oblong_tori_and_in_oblong_crowds_they_are_the_nearest(size, radius, seed, k):
    """Cells are as oblong as the torus; no search may end before the wide side of a cell was looked at."""
    rng, d = np.random.default_rng(seed), len(size)
    points = rng.uniform(0, 1, (FEW + 150, d)) * size
    vehicles = sm.Vehicles(points, rng.normal(size=points.shape), dtype=np.float64)
    for domain in (sm.Torus(size), sm.Open()):
        check_equal(vehicles, NeighborSum("offset", radius, k=k), domain)


def test_one_just_beyond_the_border_of_a_cell_is_nearer_than_one_within():
    """Both are as far away as the border, up to a part of 2e-7 and of 5e-7."""
    vehicles, request = herd("uniform", 300, 2, 1), NeighborSum("offset", math.inf, k=1)
    vehicles.position[:4] = SIZE * np.array([[0, 0], [1, 1], [0.1, 0.1], [0.1, 0.1]])
    for _ in range(2):  # The first pass says where a border is, the second one is at it.
        found = check_equal(vehicles, request, sm.Open())
        (low, inverse), shape = found._arrangements[0].grid.axes[:2, :2], found._arrangements[0].grid.shape
        x, y = low + (shape[:2] // 2 + [0.0, 0.5]) / inverse
        near = 0.3 / inverse[0]
        apart = np.linalg.norm(vehicles.position - [x - near, y], axis=1) < 2 * near
        vehicles.position[apart] = SIZE * np.array([0.1, 0.1])
        vehicles.position[4:7] = [[x - near, y], [x + 2e-7 * near, y], [x - near * (2 + 5e-7), y]]
    assert np.stack(found.sums[request].total, 1)[4, 0] == pytest.approx(near * (1 + 2e-7), rel=1e-9)

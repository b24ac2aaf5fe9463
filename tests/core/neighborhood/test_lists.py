"""Lists of the k nearest, and all neighbors as arrays: equal to every pair looked at, wherever the vehicles are."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm
from steersman.core.neighborhood.lookup import find_neighbors
from steersman.core.neighborhood.neighbor_pass import FEW, NeighborPass
from steersman.core.neighborhood.request import NeighborList, NeighborSum

SIZE = 40.0


SPACES = {
    "open": lambda d: sm.Open(),
    "torus": lambda d: sm.Torus([SIZE] * d),
    # Half of a short period is no multiple of 1/8: two that are that far apart would be seen in either direction.
    "oblong torus": lambda d: sm.Torus([SIZE, 5.0625, 9.0625][:d]),
    "great torus": lambda d: sm.Torus([100 * SIZE] * d),
    "box": lambda d: sm.Box([SIZE] * d),
}


def places(kind, n, d, rng):
    """Coordinates are multiples of 1/8, so that distances are exact and ties are ties."""
    if kind == "clustered":
        points = np.concatenate([rng.normal(20, 1.5, (n - n // 4, d)), rng.uniform(0, SIZE, (n // 4, d))])
    elif kind == "coincident":
        points = np.repeat(rng.uniform(0, SIZE, (n // 3 + 1, d)), 3, axis=0)[:n]
    elif kind == "half in a spot":
        points = rng.uniform(0, SIZE, (n, d)) * np.where(np.arange(n) % 2, 1.0, 0.02)[:, None]
    elif kind == "diagonal":
        points = np.repeat(rng.uniform(0, SIZE, (n, 1)), d, axis=1)
    elif kind == "on boundaries":
        points = rng.integers(0, 9, (n, d)) * 4.5
    else:
        points = rng.uniform(0, SIZE, (n, d))
    if kind == "far-flung":
        points[:1], points[1:2] = 1e6, -3e5
    return np.round(points * 8) / 8


def herd(kind, n, d, seed):
    rng = np.random.default_rng(seed)
    angle = rng.integers(0, 8, n) * (math.pi / 4) + 0.1
    forward = np.zeros((n, d))
    forward[:, 0], forward[:, 1] = np.cos(angle), np.sin(angle)
    return sm.Vehicles(places(kind, n, d, rng), forward=forward, dtype=np.float64)


def definition(vehicles, request, domain, of=None):
    """Rows of the neighbors of each, by looking at every pair."""
    others = (vehicles if of is None else of).position
    rows = []
    for i in range(len(vehicles)):
        r = domain.difference(others, vehicles.position[i])
        d2 = np.sum(r * r, axis=1)
        ahead = r @ vehicles.forward[i] >= math.cos(request.angle / 2) * np.sqrt(d2)
        near = d2 <= request.radius**2
        seen = near & (ahead | (d2 <= request.inner_radius**2) | (d2 == 0) | (request.angle >= 2 * math.pi))
        if of is None:
            seen[i] = False
        found = np.flatnonzero(seen)
        rows.append(list(found[np.lexsort((found, d2[found]))][: request.k]))
    return rows


def broken_rule(vehicles, request, domain, i, j, found, expected):
    """Why the rows of vehicle i differ in j, in words."""
    r = domain.difference(vehicles.position[j], vehicles.position[i])
    distance, ahead = math.hypot(*r), float(r @ vehicles.forward[i])
    if i == j:
        rule = "nobody is a neighbor of itself"
    elif distance > request.radius:
        rule = f"the radius of {request.radius} is left"
    elif distance == request.radius:
        rule = f"the radius of {request.radius} is inclusive"
    elif distance == 0:
        rule = "who is in the same place is seen at every angle"
    elif request.angle < 2 * math.pi and ahead < math.cos(request.angle / 2) * distance:
        rule = f"outside of the view of {request.angle} only those within {request.inner_radius} are seen"
    elif len(expected) == request.k:
        rule = f"the nearest {request.k} are kept, at equal distance those of lower rows"
    else:
        rule = "whoever is in reach and in view is a neighbor"
    return f"vehicle {i}: {j} at {distance:g} m is {'missing' if j in expected else 'too much'}: {rule}"


def assert_neighbors(rows, expected, vehicles, request, domain):
    """The rows are those of the definition; the first that is not says which rule it breaks."""
    assert len(rows) == len(expected)
    for i, (found, right) in enumerate(zip(rows, expected, strict=True)):
        for j in sorted(set(found) ^ set(right)):
            pytest.fail(broken_rule(vehicles, request, domain, i, j, found, right))
        assert found == right, f"vehicle {i}: nearest first, at equal distance by row: {found} instead of {right}"


def listed(vehicles, requests, domain, of=None, workers=1):
    found = NeighborPass(vehicles, requests, domain, of)
    found.build()
    found.run(workers)
    return found


def rows_of(listing):
    assert all((row[number:] == -1).all() for row, number in zip(listing.row, listing.number, strict=True))
    return [list(row[:number]) for row, number in zip(listing.row, listing.number, strict=True)]


@pytest.mark.each_value
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("domain", ["open", "torus", "oblong torus", "great torus", "box"])
@given(
    kind=st.sampled_from(
        ["uniform", "clustered", "coincident", "half in a spot", "diagonal", "on boundaries", "far-flung"]
    ),
    n=st.sampled_from([0, 1, 2, 60, FEW + 60]),
    k=st.sampled_from([1, 5, 40]),
    radius=st.sampled_from([4.5, 9.0, 30.0, math.inf]),
    view=st.sampled_from([(2 * math.pi, 0.0), (3.0, 0.0), (1.0, 4.5)]),
    seed=st.integers(0, 10**6),
)
def test_a_list_equals_its_definition(d, domain, kind, n, k, radius, view, seed):
    space = SPACES[domain](d)
    vehicles = herd(kind, n, d, seed)
    request = NeighborList(radius, k, *view)
    listing = listed(vehicles, (request,), space, workers=1 + seed % 3).lists[request]
    assert_neighbors(rows_of(listing), definition(vehicles, request, space), vehicles, request, space)


@given(n=st.sampled_from([0, 3, 150]), m=st.sampled_from([0, 1, 200]), seed=st.integers(0, 10**6))
def test_a_list_of_others_equals_its_definition(n, m, seed):
    vehicles, others = herd("uniform", n, 2, seed), herd("clustered", m, 2, seed + 1)
    request, domain = NeighborList(8.0, 4), sm.Torus([SIZE, SIZE])
    assert rows_of(listed(vehicles, (request,), domain, others).lists[request]) == definition(
        vehicles, request, domain, others
    )


def test_lists_share_one_grid_and_sums_another():
    vehicles = herd("uniform", 200, 2, 3)
    short, near, total = NeighborList(3.0, 6), NeighborList(9.0, 100), NeighborSum("offset", 9.0)
    found = listed(vehicles, (total, short, near), sm.Open())
    assert len(found._arrangements) == 2
    np.testing.assert_array_equal(found.sums[total].count, found.lists[near].number)
    assert rows_of(found.lists[short]) == definition(vehicles, short, sm.Open())


def test_one_vehicle_far_away_costs_no_memory():
    def peak(away):
        position = np.random.default_rng(0).uniform(0, 100, (3000, 2))
        position[0] = away
        vehicles = sm.Vehicles(position)
        listed(vehicles, (NeighborList(2.0, 4),), sm.Open())  # Compiled, and warm.
        tracemalloc.start()
        listed(vehicles, (NeighborList(2.0, 4),), sm.Open())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(1e12) < 1.1 * peak(50.0)


@given(
    radius=st.sampled_from([2.0, 6.0, math.inf]),
    n=st.sampled_from([0, 1, 40, 150]),
    k=st.sampled_from([None, 3]),
    inner=st.sampled_from([0.0, 1.5]),
    seed=st.integers(0, 10**6),
)
def test_the_world_says_who_is_near_whom(radius, n, k, inner, seed):
    world = sm.World(domain=sm.Torus([SIZE, SIZE]))
    world.add(herd("clustered", n, 2, seed), name="sheep")
    found = world.neighbors("sheep", radius, angle=4.0, inner_radius=inner, k=k)
    expected = definition(world["sheep"], NeighborList(radius, k, 4.0, inner), world.domain)
    assert [list(found.indices[a:b]) for a, b in zip(found.indptr[:-1], found.indptr[1:], strict=True)] == expected
    own = np.repeat(np.arange(n), np.diff(found.indptr))
    offsets = world.domain.difference(world["sheep"].position[found.indices], world["sheep"].position[own])
    np.testing.assert_array_equal(found.offsets, offsets)
    np.testing.assert_allclose(found.distances, np.hypot(*offsets.T), rtol=1e-15)


def test_the_world_says_who_is_near_others():
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0.0], [10.0, 0.0]]), name="dogs")
    world.add(sm.Vehicles([[1.0, 0.0], [9.0, 0.0], [0.0, 3.0]]), name="sheep")
    found = world.neighbors("dogs", 5.0, of="sheep")
    np.testing.assert_array_equal(found.indptr, [0, 2, 3])
    np.testing.assert_array_equal(found.indices, [0, 2, 1])
    np.testing.assert_array_equal(found.distances, [1, 3, 1])
    np.testing.assert_array_equal(world.neighbors("dogs", 5.0, of=[[0.0, 4.0]]).offsets, [[0, 4]])
    np.testing.assert_array_equal(find_neighbors(world["dogs"], sm.Open(), 10.0).indices, [1, 0])
    with pytest.raises(KeyError, match="no population is called 'cats'"):
        world.neighbors("dogs", 5.0, of="cats")
    with pytest.raises(ValueError, match="radius must be > 0 m"):
        world.neighbors("dogs", 0.0)
    with pytest.raises(ValueError, match="k must be >= 1"):
        world.neighbors("dogs", 1.0, k=0)

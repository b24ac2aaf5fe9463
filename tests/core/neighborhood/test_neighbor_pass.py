"""The pass over neighbors equals its definition, wherever the vehicles are and however the work is dealt out."""

import math
import threading

import numpy as np
import pytest
from brute_force import brute_force
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm
from steersman.core.neighborhood.neighbor_pass import FEW, NeighborPass
from steersman.core.neighborhood.request import NeighborSum

SIZE = 40.0
TRIO = (
    NeighborSum("repulsion", 5.0, 4.7, 1.5),
    NeighborSum("forward", 7.5, 1.6, 1.5),
    NeighborSum("offset", 9.0, 3.4, 1.5),
)
ALL_AROUND = (NeighborSum("repulsion", 6.0), NeighborSum("velocity", 6.0), NeighborSum("offset", 6.0))
MIXED = (
    *TRIO,
    NeighborSum("repulsion", 3.0),
    NeighborSum("repulsion", 8.0, 5.0, 0.0, None, None, 2.0, 0.5),
    NeighborSum("velocity", 4.0),
)
RANKED = (NeighborSum("offset", 9.0, k=3), NeighborSum("velocity", math.inf, 4.0, k=6))
EVERYBODY = (NeighborSum("offset", math.inf), NeighborSum("repulsion", math.inf))


def places(kind, n, d, rng):
    """Positions that a grid may stumble over."""
    if kind == "clustered":
        return np.concatenate([rng.normal(20, 0.8, (n - n // 4, d)), rng.uniform(0, SIZE, (n // 4, d))])
    if kind == "coincident":
        return np.repeat(rng.uniform(0, SIZE, (n // 3 + 1, d)), 3, axis=0)[:n]
    if kind == "on boundaries":
        return rng.integers(0, 9, (n, d)) * 4.5 + 0.0
    if kind == "far-flung":
        points = rng.uniform(0, SIZE, (n, d))
        points[:1], points[1:2] = 1e6, -3e5 + 17  # Not both at the origin of a torus: which is nearer would be chance.
        return points
    return rng.uniform(0, SIZE, (n, d))


KINDS = ("uniform", "clustered", "coincident", "on boundaries", "far-flung")


def herd(kind, n, d, seed):
    rng = np.random.default_rng(seed)
    points = places(kind, n, d, rng) if n else np.zeros((0, d))
    ids = rng.permutation(5 * n)[:n]
    return sm.Vehicles(points, rng.normal(size=(n, d)), id=ids, dtype=np.float64)


def space(name, d):
    return {
        "open": sm.Open(),
        "torus": sm.Torus([SIZE] * d),
        "small torus": sm.Torus([SIZE, 11.0, 13.0][:d]),
        "box": sm.Box([SIZE] * d),
    }[name]


def check_equal(vehicles, requests, domain, of=None):
    found = NeighborPass(vehicles, requests, domain, of)
    found.build()
    found.run()
    for request in requests:
        total, count = brute_force(vehicles.columns, request, domain, of)
        np.testing.assert_array_equal(found.sums[request].count, count, err_msg=str(request))
        scale = np.abs(total).max(initial=1.0)
        np.testing.assert_allclose(
            np.stack(found.sums[request].total, 1), total, atol=1e-9 * scale, err_msg=str(request)
        )


@pytest.mark.each_value
@pytest.mark.parametrize("domain", ["open", "torus", "small torus", "box"])
@pytest.mark.parametrize("d", [2, 3])
@given(kind=st.sampled_from(KINDS), n=st.sampled_from([0, 1, 2, 30, FEW + 1, 220]), seed=st.integers(0, 10**6))
def test_sums_equal_their_definition(domain, d, kind, n, seed):
    check_equal(herd(kind, n, d, seed), TRIO, space(domain, d))


@pytest.mark.each_value
@pytest.mark.parametrize(
    "requests", [ALL_AROUND, MIXED, RANKED, EVERYBODY], ids=["all around", "mixed", "ranked", "everybody"]
)
@pytest.mark.parametrize("domain", ["open", "torus"])
@given(kind=st.sampled_from(KINDS), n=st.sampled_from([1, 40, 150]), seed=st.integers(0, 10**6))
def test_any_requests_together(requests, domain, kind, n, seed):
    check_equal(herd(kind, n, 2, seed), requests, space(domain, 2))


@pytest.mark.parametrize("domain", ["open", "torus"])
@given(n=st.sampled_from([0, 3, 130]), m=st.sampled_from([0, 1, 120]), seed=st.integers(0, 10**6))
def test_another_population(domain, n, m, seed):
    check_equal(herd("uniform", n, 2, seed), TRIO, space(domain, 2), herd("clustered", m, 2, seed + 1))


@given(n=st.sampled_from([1, 130]), seed=st.integers(0, 10**6))
def test_fixed_points(n, seed):
    rocks = sm.Spheres(np.random.default_rng(seed).uniform(0, SIZE, (110, 2)), 1.0)
    check_equal(herd("uniform", n, 2, seed), (TRIO[0], TRIO[2]), sm.Torus([SIZE, SIZE]), rocks)


def test_sums_follow_the_vehicles():
    """The arrays stay; what is in them is made anew by every build."""
    vehicles = herd("uniform", 150, 2, 1)
    found = NeighborPass(vehicles, TRIO, sm.Open(), None)
    arrays = found.sums[TRIO[0]].total
    for seed in range(3):
        vehicles.position = np.random.default_rng(seed).uniform(0, SIZE * (seed + 1), (150, 2))
        found.build()
        found.run()
        total, _ = brute_force(vehicles.columns, TRIO[0], sm.Open())
        np.testing.assert_allclose(np.stack(arrays, 1), total, atol=1e-9)


def run_share(share):
    for each in share:
        each.call()


@pytest.mark.parametrize("kind", ["uniform", "clustered", "far-flung"])
def test_any_number_of_workers_gives_the_same_bits(kind):
    vehicles = herd(kind, 3000, 2, 5)
    results = []
    for workers in (1, 2, 3):
        found = NeighborPass(vehicles, TRIO, sm.Torus([SIZE, SIZE]), None)
        found.build()
        threads = [threading.Thread(target=run_share, args=(share,)) for share in found.run_stages(workers)[0]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        run_share([each for share in found.column_stage(workers) for each in share])
        results.append([np.stack([*found.sums[request].total, found.sums[request].count]) for request in TRIO])
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            assert a.tobytes() == b.tobytes()


@given(kind=st.sampled_from(["uniform", "clustered", "coincident"]), seed=st.integers(0, 10**6))
def test_pushes_between_two_are_opposite(kind, seed):
    """Newton's third law: with a full view, all pushes and all offsets add up to nothing."""
    vehicles = herd(kind, 130, 2, seed)
    found = NeighborPass(vehicles, ALL_AROUND, sm.Torus([SIZE, SIZE]), None)
    found.build()
    found.run()
    for request in (ALL_AROUND[0], ALL_AROUND[2]):
        total = np.stack(found.sums[request].total, 1)
        assert np.all(np.abs(total.sum(axis=0)) <= 1e-9 * np.abs(total).sum() + 1e-9)


def test_float32_is_close_and_finite_even_for_coincident_vehicles():
    points = np.repeat(np.random.default_rng(1).uniform(0, SIZE, (80, 3)), 2, axis=0)
    vehicles = sm.Vehicles(points, np.ones((160, 3)))
    found = NeighborPass(vehicles, ALL_AROUND, sm.Open(), None)
    found.build()
    found.run()
    pushes = np.stack(found.sums[ALL_AROUND[0]].total, 1)
    assert pushes.dtype == np.float32
    assert np.isfinite(pushes).all()
    assert np.all(np.linalg.norm(pushes[0::2] - pushes[1::2], axis=1) > 0)


def test_one_far_away_costs_no_memory():
    """Cells are bounded by the number of vehicles, not by the space that they span."""
    vehicles = herd("far-flung", 500, 3, 2)
    found = NeighborPass(vehicles, TRIO, sm.Open(), None)
    found.build()
    for arrangement in found._arrangements:
        assert int(np.prod(arrangement.grid.shape)) <= 2 * 500 + 64


def test_points_have_no_heading():
    vehicles = herd("uniform", 5, 2, 1)
    with pytest.raises(ValueError, match=r"velocity|forward"):
        NeighborPass(vehicles, (TRIO[1],), sm.Open(), sm.Spheres([[0, 0]], 1))

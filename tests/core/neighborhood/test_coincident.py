"""Vehicles in one place: they are pushed apart, in the same direction every time, and nothing becomes infinite."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm
from steersman.core.neighborhood.coincident import direction
from steersman.core.neighborhood.neighbor_pass import NeighborPass
from steersman.core.neighborhood.request import NeighborSum

IDS = st.integers(0, 2**40)


def pushes(vehicles, request, of=None, tie=1):
    found = NeighborPass(vehicles, (request,), sm.Open(), of, tie=tie)
    found.build()
    found.run()
    return np.stack(found.sums[request].total, 1)


@pytest.mark.parametrize("d", [2, 3])
@given(own=IDS, other=IDS)
def test_directions_are_unit_vectors_and_turn_round_with_the_ids(d, own, other):
    like = tuple(np.zeros((d, 1)))
    way = np.array(direction(own, other, 1, like))
    assert math.isclose(np.linalg.norm(way), 1, rel_tol=1e-12)
    np.testing.assert_array_equal(way, -np.array(direction(other, own, -1, like)))
    np.testing.assert_array_equal(way, direction(own, other, 1, like))


def test_directions_of_different_pairs_differ():
    like = tuple(np.zeros((2, 1)))
    ways = np.array([direction(i, j, 1, like) for i in range(20) for j in range(i)])
    assert len(np.unique(ways.round(9), axis=0)) == len(ways)
    assert np.linalg.norm(ways.mean(axis=0)) < 0.2


@pytest.mark.parametrize(("falloff", "limit", "size"), [
    (1.0, math.inf, 1e6 / 0.5), (1.0, 30.0, 30.0), (2.0, math.inf, (1e6 / 0.5) ** 2), (2.0, 1.5, 1.5),
    (2.2, math.inf, (1e6 / 0.5) ** 2.2), (4.0, math.inf, (1e6 / 0.5) ** 4), (40.0, math.inf, 1e30),
    (0.0, math.inf, 1.0),
])  # fmt: skip
def test_size_of_the_push(falloff, limit, size):
    """As if at a millionth of the radius, no more than the limit, and never so large that the sum of many overflows."""
    vehicles = sm.Vehicles(np.full((2, 2), 7.0))
    found = pushes(vehicles, NeighborSum("repulsion", 0.5, falloff=falloff, limit=limit))
    np.testing.assert_allclose(np.linalg.norm(found.astype(float), axis=1), size, rtol=1e-5)
    np.testing.assert_array_equal(found[0], -found[1])


@pytest.mark.parametrize("k", [None, 1])
def test_who_sees_far_does_not_take_who_is_near_for_coincident(k):
    """Half a meter is a distance and a direction, however large the neighborhood is."""
    vehicles = sm.Vehicles([[7.0, 7.0], [7.5, 7.0]])
    found = pushes(vehicles, NeighborSum("repulsion", 1e6, k=k))
    np.testing.assert_allclose(found, [[-2.0, 0.0], [2.0, 0.0]], rtol=1e-6)


def test_they_are_seen_at_any_angle_but_the_others_are_not():
    vehicles = sm.Vehicles([[0, 0], [0, 0], [-1, 0]], velocity=[1, 0])
    request = NeighborSum("velocity", 5.0, 1.0)
    found = NeighborPass(vehicles, (request,), sm.Open(), None)
    found.build()
    found.run()
    np.testing.assert_array_equal(found.sums[request].count, [1, 1, 2])


def test_equal_ids_of_two_populations_part_if_one_of_them_breaks_the_tie():
    a, b = sm.Vehicles([[1.0, 2.0]]), sm.Vehicles([[1.0, 2.0]])
    request = NeighborSum("repulsion", 5.0)
    np.testing.assert_array_equal(pushes(a, request, b), -pushes(b, request, a, tie=-1))


def test_many_in_one_place_push_each_other_apart():
    vehicles = sm.Vehicles(np.full((300, 3), 2.0))
    found = pushes(vehicles, NeighborSum("repulsion", 5.0))
    assert np.isfinite(found).all()
    assert len(np.unique(found, axis=0)) == 300
    assert np.abs(found.sum(axis=0, dtype=float)).max() <= 1e-4 * np.abs(found).sum(dtype=float)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize(
    "avoid",
    [
        lambda of: sm.Separation(radius=2, of=of),
        lambda of: sm.AvoidNeighbors(of=of),
        lambda of: sm.AvoidNeighbors(law="imminent", of=of),
        lambda of: sm.ORCA(of=of),
    ],
    ids=["separation", "smooth", "imminent", "orca"],
)
def test_equal_ids_of_two_populations_part(avoid, first, d):
    """Two vehicles in one place, each the first of its population, go to opposite sides."""
    place = np.full((1, d), 5.0)
    world = sm.World(seed=1, threads=1)
    made = {name: sm.Vehicles(place, max_speed=2, max_force=5, radius=0.3, dtype=np.float64) for name in "ab"}
    for name in sorted(made, reverse=first == "b"):
        world.add(made[name], name=name, steering=avoid(made["b" if name == "a" else "a"]))
    world.run(seconds=1)
    np.testing.assert_allclose(made["a"].position - place, place - made["b"].position, atol=1e-6)
    assert np.linalg.norm(made["a"].position - made["b"].position) > 0.5

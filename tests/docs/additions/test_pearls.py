"""Pearls: examples for the tests that every kind of obstacles must pass, and a promise of their own."""

import numpy as np
import pytest

import steersman as sm

OBSTACLES = {"pearls": sm.Pearls([[30, 30], [20, 32]]), "pearls in space": sm.Pearls([[30, 30, 30], [22, 30, 20]])}


@pytest.mark.parametrize("side", ["outside", "inside", "both"])
def test_they_answer_like_the_spheres_that_they_are(side: str) -> None:
    rng = np.random.default_rng(2)
    centers, points, ahead = rng.uniform(0, 90, (30, 2)), rng.uniform(0, 90, (200, 2)), rng.normal(size=(200, 2))
    pearls, spheres = sm.Pearls(centers, seen_from=side), sm.Spheres(centers, 4, seen_from=side)
    assert 10 < spheres.inside(points).sum() < 190
    for mine, theirs in (
        (pearls.nearest(points), spheres.nearest(points)),
        (pearls.cast(points, ahead, 30.0), spheres.cast(points, ahead, 30.0)),
    ):
        np.testing.assert_allclose(mine.distance, theirs.distance, rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(mine.which, theirs.which)


def test_a_map_of_routes_leads_around_them() -> None:
    floor = sm.Box([40, 20])
    mine, theirs = (
        sm.NavMesh.around(each, region=floor, clearance=0.5)
        for each in (sm.Pearls([[20.0, 10.0]]), sm.Spheres([[20.0, 10.0]], 4.0))
    )
    length = mine.lengths([[5.0, 10.0]], [[35.0, 10.0]])
    np.testing.assert_allclose(length, theirs.lengths([[5.0, 10.0]], [[35.0, 10.0]]), rtol=1e-9)
    assert length[0] > 30.5


def test_vehicles_avoid_them() -> None:
    world, both = sm.World(dt=0.05), [sm.Pearls([[20.0, 0.1]]), sm.Spheres([[40.0, -0.1]], 1.0)]
    walker = sm.Vehicles([[0.0, 0.0]], velocity=[[1.0, 0.0]], radius=0.3)
    world.add(walker, steering=sm.Priority([sm.AvoidObstacles(both), sm.Seek([70.0, 0.0])]))
    nearest = np.inf
    for _ in range(1200):
        world.step()
        nearest = min(nearest, *(float(each.nearest(walker.position[0]).distance) for each in both))
    assert 0.3 <= nearest < 1.0
    assert walker.position[0, 0] > 45

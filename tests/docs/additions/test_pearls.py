"""Pearls: examples for the tests that every kind of obstacles must pass, and a promise of their own."""

import numpy as np

import steersman as sm

OBSTACLES = {"pearls": sm.Pearls([[30, 30], [20, 32]]), "pearls in space": sm.Pearls([[30, 30, 30], [22, 30, 20]])}


def test_they_answer_like_the_spheres_that_they_are() -> None:
    rng = np.random.default_rng(2)
    centers, points, ahead = rng.uniform(0, 90, (30, 2)), rng.uniform(0, 90, (50, 2)), rng.normal(size=(50, 2))
    pearls, spheres = sm.Pearls(centers), sm.Spheres(centers, 4)
    outside = ~spheres.inside(points)
    for mine, theirs in (
        (pearls.nearest(points), spheres.nearest(points)),
        (pearls.cast(points, ahead, 30.0), spheres.cast(points, ahead, 30.0)),
    ):
        np.testing.assert_allclose(mine.distance[outside], theirs.distance[outside], rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(mine.which[outside], theirs.which[outside])


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

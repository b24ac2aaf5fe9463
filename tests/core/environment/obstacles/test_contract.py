"""The contract of a kind of obstacles: its two kernels, its sizes and its hulls are about the same bodies."""

import numpy as np
import pytest
from contract.obstacles import KINDS

import steersman as sm

RNG = np.random.default_rng(5)


def places(obstacles, n=300):
    """Points in and around a set."""
    center, radius = obstacles.bounding_spheres()
    low, high = (center - radius[:, None]).min(axis=0), (center + radius[:, None]).max(axis=0)
    return RNG.uniform(low - 5, high + 5, (n, obstacles.dimensions))


def toward(obstacles, points):
    """Unit vectors from points to some of the bodies."""
    center, radius = obstacles.bounding_spheres()
    k = RNG.integers(len(center), size=len(points))
    way = center[k] + 0.3 * radius[k, None] * RNG.normal(size=points.shape) - points
    return way / np.linalg.norm(way, axis=1, keepdims=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_ray_ends_where_the_distance_is_zero(kind):
    obstacles = KINDS[kind]
    points = places(obstacles)
    points = points[obstacles.nearest(points).distance > 0]
    hits = obstacles.cast(points, toward(obstacles, points))
    struck = hits.which >= 0
    assert struck.mean() > 0.3
    nearest = obstacles.nearest(hits.point[struck])
    np.testing.assert_allclose(nearest.distance, 0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_no_ray_goes_through(kind):
    """A ray is free as far as the next hit: all places before it are outside."""
    obstacles = KINDS[kind]
    points = places(obstacles, 60)
    points = points[obstacles.nearest(points).distance > 0]
    ahead = toward(obstacles, points)
    free = np.minimum(obstacles.cast(points, ahead).distance, 30)
    if obstacles.is_closed:
        for share in np.linspace(0, 0.999, 40):
            assert not obstacles.inside(points + (share * free)[:, None] * ahead).any()


@pytest.mark.parametrize("kind", KINDS)
def test_the_normal_is_the_way_in_which_the_distance_grows(kind):
    obstacles, points, step = KINDS[kind], places(KINDS[kind]), 1e-5
    found = obstacles.nearest(points)
    farther = obstacles.nearest(points + step * found.normal)
    clear = (farther.which == found.which) & (np.abs(found.distance) > 1e-3)
    assert clear.mean() > 0.9
    np.testing.assert_allclose((farther.distance - found.distance)[clear], step, rtol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_lie_in_their_bounding_spheres(kind):
    obstacles = KINDS[kind]
    points, (center, radius) = places(obstacles), obstacles.bounding_spheres()
    gap = np.linalg.norm(points[:, None] - center, axis=2) - radius
    assert np.all(obstacles.nearest(points).distance >= gap.min(axis=1) - 1e-9)


@pytest.mark.parametrize("kind", [kind for kind, each in KINDS.items() if not each.hulls(np.float64).triangles])
def test_hulls_are_as_near_as_the_bodies(kind):
    obstacles, d = KINDS[kind].viewed_from("outside"), KINDS[kind].dimensions
    rows, points = obstacles.hulls(np.float64).parts.rows, places(obstacles)
    axes = rows[:, 2 * d : 2 * d + d * d].reshape(-1, d, d)
    local = np.einsum("mij,pmj->pmi", axes, points[:, None] - rows[:, :d])
    gap = np.linalg.norm(np.maximum(np.abs(local) - rows[:, d : 2 * d], 0), axis=2) - rows[:, -1]
    distance = np.abs(obstacles.nearest(points).distance)
    outside = gap.min(axis=1) > 1e-9
    np.testing.assert_allclose(gap.min(axis=1)[outside], distance[outside], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_torus_repeats_it(kind):
    obstacles, period = KINDS[kind], 200.0
    points, torus = places(obstacles), sm.Torus([period] * KINDS[kind].dimensions)
    there = obstacles.nearest(points + period, torus).distance
    np.testing.assert_allclose(there, obstacles.nearest(points).distance, atol=1e-6)

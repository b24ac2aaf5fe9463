"""The inside of closed obstacles as a region: like the regions of the same shape."""

import numpy as np
import pytest

import steersman as sm

PAIRS = {
    "box": (lambda: sm.Boxes([[3, 4, 5]], [[4, 3, 2]]), lambda: sm.Box([8, 6, 4], [-1, 1, 3])),
    "disc": (lambda: sm.Spheres([[3, 4]], 5), lambda: sm.Sphere([3, 4], 5)),
    "walls": (
        lambda: sm.Walls([[0, 0], [9, 0], [9, 7], [0, 7]], closed=True),
        lambda: sm.Polygon([[0, 0], [9, 0], [9, 7], [0, 7]]),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_like_the_region_of_the_same_shape(name):
    obstacles, region = (make() for make in PAIRS[name])
    inside = sm.Interior(obstacles)
    rng = np.random.default_rng(0)
    low, high = region.bounds
    points = rng.uniform(low - 2, high + 2, (300, region.dimensions))
    np.testing.assert_allclose(inside.nearest(points).distance, region.nearest(points).distance, atol=1e-9)
    np.testing.assert_array_equal(inside.inside(points), region.inside(points))
    begin, end = points[region.inside(points)], points[~region.inside(points)]
    k = min(len(begin), len(end))
    for found, expected in zip(inside.leaving(begin[:k], end[:k]), region.leaving(begin[:k], end[:k]), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)
    assert inside.depth == pytest.approx(-region.nearest(region.middle).distance, rel=0.2)


def test_from_outside_no_way_leaves():
    corners = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    walls = sm.Walls([[-1, -1], [1, -1], [1, 1], [-1, 1]], closed=True)
    for obstacles in (sm.TriangleMesh(corners, faces), walls, sm.Spheres([[0, 0]], 1.0), sm.Boxes([[0, 0]], 1.0)):
        begin = np.array([[-3.0, 0.2, 0.1]])[:, : obstacles.dimensions]
        distance, normal = sm.Interior(obstacles).leaving(begin, -begin)
        np.testing.assert_array_equal(distance, 0)
        assert normal[0, 0] > 0.5


def test_nobody_leaves_a_tank_of_triangles():
    trimesh = pytest.importorskip("trimesh")
    mesh = trimesh.creation.icosphere(subdivisions=2, radius=10.0)
    tank = sm.TriangleMesh(mesh.vertices, mesh.faces)
    rng = np.random.default_rng(1)
    vehicles = sm.Vehicles(rng.uniform(-5, 5, (30, 3)), rng.normal(0, 2, (30, 3)), max_speed=4, max_force=20)
    world = sm.World(dt=1 / 30, seed=1, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.Contain(tank, margin=0.5), sm.Wander()]))
    for _ in range(20):
        world.run(seconds=1)
        assert np.linalg.norm(vehicles.position, axis=1).max() < 10
    assert vehicles.speed.mean() > 2


def test_what_is_refused():
    with pytest.raises(ValueError, match="Walls must be closed to be a region, got 1 of 1 chains"):
        sm.Contain(sm.Walls([[0, 0], [1, 0]]))
    with pytest.raises(TypeError, match="obstacles must be one set of obstacles, got 3"):
        sm.Interior(3)

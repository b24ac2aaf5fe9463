"""NavMesh: the shortest ways beside a brute-force visibility graph; doors; routes as paths."""

from typing import Any

import numpy as np
import pytest
import shapely

import steersman as sm

Array = np.ndarray[Any, Any]

FLOOR = sm.Box([40.0, 30.0])
WALLS = sm.Walls([[[5.0, 0.0], [5.0, 20.0]], [[20.0, 30.0], [20.0, 8.0]], [[25.0, 10.0], [35.0, 10.0]]])


def scene(seed: int) -> tuple[sm.NavMesh, Any]:
    """Rocks, walls, pills and a box that is turned; and the free space as a Shapely geometry."""
    rng = np.random.default_rng(seed)
    rocks = sm.Spheres(rng.uniform(3, 27, (8, 2)) * [1.3, 1], rng.uniform(0.5, 2.5, 8))
    things = [
        rocks,
        WALLS,
        sm.Boxes([[30.0, 20.0]], [[6.0, 4.0]], 0.4),
        sm.Capsules([[8.0, 25.0]], [[14.0, 27.0]], 0.5),
    ]
    mesh = sm.NavMesh.around(things, region=FLOOR, clearance=0.4)
    return mesh, shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in mesh.polygons])


def by_brute_force(free: Any, corners: Array, a: Array, b: Array, bars: Any = None) -> float:
    """The length of the shortest way over corners of which each sees the next."""
    nodes = np.vstack([a, b, corners])
    one, other = np.triu_indices(len(nodes), 1)
    lines = shapely.linestrings(np.stack([nodes[one], nodes[other]], axis=1))
    room = free.buffer(1e-9)
    shapely.prepare(room)
    seen = shapely.covers(room, lines)
    if bars is not None:
        seen &= ~shapely.intersects(lines, bars)
    length = np.full((len(nodes), len(nodes)), np.inf)
    length[one[seen], other[seen]] = length[other[seen], one[seen]] = np.hypot(*(nodes[one] - nodes[other]).T)[seen]
    best, done = np.full(len(nodes), np.inf), np.zeros(len(nodes), bool)
    best[0] = 0
    for _ in range(len(nodes)):
        k = int(np.argmin(np.where(done, np.inf, best)))
        done[k] = True
        best = np.minimum(best, best[k] + length[k])
    return float(best[1])


def pairs(free: Any, n: int, seed: int) -> tuple[Array, Array]:
    points = np.random.default_rng(seed).uniform([0.5, 0.5], [39.5, 29.5], (6 * n, 2))
    points = points[shapely.covers(free, shapely.points(points))][: 2 * n]
    return points[:n], points[n:]


@pytest.mark.parametrize("seed", [0, 1])
def test_ways_are_the_shortest(seed: int) -> None:
    mesh, free = scene(seed)
    origins, goals = pairs(free, 15, seed)
    found = mesh.lengths(origins, goals)
    known = [by_brute_force(free, mesh.mesh.point, a, b) for a, b in zip(origins, goals, strict=True)]
    assert np.isfinite(known).sum() > 8
    np.testing.assert_allclose(found, known, rtol=1e-9)


def test_a_way_that_does_not_bend_is_straight_and_one_around_a_wall_touches_its_end() -> None:
    mesh = sm.NavMesh(shapely.Polygon([[0, 0], [10, 0], [10, 10], [0, 10]], [[[4, 2], [6, 2], [6, 8], [4, 8]]]))
    assert mesh.lengths([[1, 1]], [[9, 1]])[0] == pytest.approx(8)
    assert mesh.lengths([[1, 5]], [[9, 5]])[0] == pytest.approx(2 * np.hypot(3, 3) + 2)
    path = mesh.route([1, 4], [9, 4], radius=0.5)
    np.testing.assert_allclose(path.points, [[1, 4], [4, 2], [6, 2], [9, 4]])
    assert path.length == pytest.approx(mesh.lengths([[1, 4]], [[9, 4]])[0])


@pytest.mark.parametrize("seed", [0, 1])
def test_routes_are_as_long_as_the_ways_and_lie_in_the_free_space(seed: int) -> None:
    mesh, free = scene(seed)
    origins, goals = pairs(free, 12, seed + 7)
    for a, b, length in zip(origins, goals, mesh.lengths(origins, goals), strict=True):
        if np.isfinite(length):
            path = mesh.route(a, b)
            assert path.length == pytest.approx(length, rel=1e-9)
            assert free.buffer(1e-6).covers(shapely.LineString(path.points))
        else:
            with pytest.raises(ValueError, match="no way leads from origin"):
                mesh.route(a, b)


def test_doors_open_shut_and_cost() -> None:
    """Two rooms with two doors: the near one is shut, then it costs."""
    wall = sm.Walls([[[10.0, 0.0], [10.0, 4.0]], [[10.0, 6.0], [10.0, 14.0]], [[10.0, 16.0], [10.0, 20.0]]])
    doors = [[[10.0, 4.0], [10.0, 6.0]], [[10.0, 14.0], [10.0, 16.0]]]
    mesh = sm.NavMesh.around(wall, region=sm.Box([20.0, 20.0]), clearance=0.3, doors=doors)
    ends = [[5.0, 5.0]], [[15.0, 5.0]]
    assert mesh.lengths(*ends)[0] == pytest.approx(10)
    mesh.shut(0)
    free = shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in mesh.polygons])
    around = by_brute_force(
        free, mesh.mesh.point, np.array(ends[0][0]), np.array(ends[1][0]), shapely.LineString([[10, 4.1], [10, 5.9]])
    )
    assert mesh.lengths(*ends)[0] == pytest.approx(around, rel=1e-9)
    mesh.set_toll(0, 3.0)
    assert mesh.lengths(*ends)[0] == pytest.approx(13)
    mesh.set_toll(0, 50.0)
    assert mesh.lengths(*ends)[0] == pytest.approx(around, rel=1e-9)
    mesh.shut(0)
    mesh.shut(1)
    assert np.isinf(mesh.lengths(*ends)[0])
    mesh.open(0)
    assert mesh.lengths(*ends)[0] == pytest.approx(10)
    assert mesh.current_tolls.tolist() == [0.0, np.inf]


def test_who_is_outside_is_led_in_first() -> None:
    mesh = sm.NavMesh.around(region=sm.Box([20.0, 20.0]), clearance=1.0)
    ahead, length = mesh.guide([[0.2, 10.0], [10.0, 10.0]], [15.0, 10.0])
    np.testing.assert_allclose(ahead, [[15.0, 10.0], [15.0, 10.0]], atol=1e-6)
    np.testing.assert_allclose(length, [14.8, 5.0], atol=1e-6)


def test_a_disc_is_a_region() -> None:
    wall = sm.Walls([[[15.0, 12.0], [15.0, 18.0]]])
    mesh = sm.NavMesh.around(wall, region=sm.Sphere([15.0, 15.0], 12.0), clearance=0.5, tolerance=8)
    (rings,) = mesh.polygons
    assert shapely.Polygon(rings[0]).hausdorff_distance(shapely.Point(15, 15).buffer(11.5)) < 0.05


def test_a_polygon_is_a_region_and_an_array_of_its_corners_a_floor() -> None:
    corners = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [6.0, 8.0], [6.0, 20.0], [0.0, 20.0]])
    wall = sm.Walls([[[2.0, 2.0], [4.0, 2.0]]])
    (rings,) = sm.NavMesh.around(wall, region=sm.Polygon(corners), clearance=0.5).polygons
    outer = shapely.Polygon(corners).buffer(-0.5)
    assert shapely.Polygon(rings[0]).hausdorff_distance(outer) < 0.05
    ((floor,),) = sm.NavMesh(corners).polygons
    assert shapely.Polygon(floor).equals(shapely.Polygon(corners))


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="polygons must be Shapely polygons"):
        sm.NavMesh("floor")
    with pytest.raises(ValueError, match="polygons must have an area"):
        sm.NavMesh(shapely.Polygon())
    with pytest.raises(ValueError, match="tolls must be numbers >= 0 m"):
        sm.NavMesh(shapely.box(0, 0, 9, 9), doors=[[[0, 5], [9, 5]]], tolls=-1)
    with pytest.raises(ValueError, match=r"doors must be segments, shape \(k, 2, 2\)"):
        sm.NavMesh(shapely.box(0, 0, 9, 9), doors=[[0, 5]])
    with pytest.raises(
        ValueError, match="door must be one of the map's, got 1: it has none; give it doors= or leaves="
    ):
        sm.NavMesh(shapely.box(0, 0, 9, 9)).shut(1)
    with pytest.raises(ValueError, match="obstacles must have 2 dimensions, got 3"):
        sm.NavMesh.around(sm.TriangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), region=FLOOR)
    with pytest.raises(ValueError, match="region must have 2 dimensions, got 3"):
        sm.NavMesh.around(WALLS, region=sm.Box([40.0, 30.0, 5.0]))
    with pytest.raises(ValueError, match="obstacles must have 2 dimensions, got 3"):
        sm.NavMesh.around(sm.Spheres([[5.0, 5.0, 5.0]], [1.0]), region=FLOOR)
    with pytest.raises(ValueError, match="clearance must be smaller: nothing is left of the region, got 20"):
        sm.NavMesh.around(WALLS, region=FLOOR, clearance=20)
    with pytest.raises(ValueError, match="tolerance must be a whole number >= 1, got 0"):
        sm.NavMesh.around(WALLS, region=FLOOR, tolerance=0)
    with pytest.raises(TypeError, match="tolerance must be a whole number >= 1, got 'x'"):
        sm.NavMesh.around(WALLS, region=FLOOR, tolerance="x")  # type: ignore[arg-type]


@pytest.mark.parametrize("door", ["front", [0], None, 0.5])
def test_a_door_is_a_number(door: Any) -> None:
    mesh = sm.NavMesh(shapely.box(0, 0, 9, 9), doors=[[[0, 5], [9, 5]]])
    for change in (mesh.shut, mesh.open, lambda door: mesh.set_toll(door, 2.0)):
        with pytest.raises(TypeError, match="door must be a whole number >= 0, got"):
            change(door)
    mesh.shut(np.int64(0))
    assert np.isinf(mesh.current_tolls).all()


def test_a_leaf_that_is_put_aside_leaves_the_tolls_of_other_doors() -> None:
    leaves = sm.Walls([[[10.0, 4.0], [10.0, 6.0]], [[10.0, 14.0], [10.0, 16.0]]])
    mesh = sm.NavMesh(shapely.box(0, 0, 20, 20), leaves=leaves, tolls=[2.0, 3.0])
    assert np.isinf(mesh.current_tolls).all()
    leaves.disable([0, 1])
    mesh.set_tolls([2.0, 3.0])
    leaves.enable([0])
    assert mesh.current_tolls.tolist() == [np.inf, 3.0]
    leaves.disable([0])
    assert mesh.current_tolls.tolist() == [0.0, 3.0]

"""WalkMesh: ways on hills and over stairs beside exact ones; floors above each other; doors; the ground that it is."""

from typing import Any

import numpy as np
import pytest
import shapely

import steersman as sm

Array = np.ndarray[Any, Any]


def floor(x0: float, y0: float, x1: float, y1: float, z0: float, z1: float | None = None) -> list[list[float]]:
    """A rectangle that is z0 high at x0 and z1 at x1."""
    end = z0 if z1 is None else z1
    return [[x0, y0, z0], [x1, y0, end], [x1, y1, end], [x0, y1, z0]]


def mesh_of(floors: list[list[list[float]]]) -> sm.TriangleMesh:
    rows = 4 * np.arange(len(floors))[:, None]
    corners = np.array([0, 1, 2, 0, 2, 3])
    return sm.TriangleMesh(np.reshape(floors, (-1, 3)), (rows + corners).reshape(-1, 3))


TREADS = [floor(6 + 0.3 * k, 4, 6.3 + 0.3 * k, 6, 0.2 * (k + 1)) for k in range(14)]
"""Fourteen steps of 0.2 m; the floor above is the fifteenth."""

HOUSE = mesh_of([floor(0, 0, 6, 10, 0), *TREADS, floor(10.2, 0, 20, 10, 3), floor(12, 0, 20, 10, 0)])
"""A floor, stairs, a floor above, and below that one another, to which no way leads."""


def in_the_plane(points: Array) -> Array:
    return np.column_stack([points, np.zeros(len(points))])


@pytest.mark.parametrize(("spacing", "mean", "most"), [(None, 1.001, 1.03), (0.4, 1.0001, 1.005)])
@pytest.mark.parametrize("seed", [0, 1])
def test_ways_in_the_plane_are_as_long_as_exact_ones(
    seed: int, spacing: float | None, mean: float, most: float
) -> None:
    rng = np.random.default_rng(seed)
    rocks = sm.Spheres(rng.uniform(3, 27, (8, 2)) * [1.3, 1], rng.uniform(0.5, 2.5, 8))
    exact = sm.NavMesh.around(rocks, region=sm.Box([40.0, 30.0]), clearance=0.4)
    walk = sm.WalkMesh(
        sm.TriangleMesh(in_the_plane(exact.mesh.point), exact.mesh.triangle), clearance=0, spacing=spacing
    )
    points = rng.uniform(0.5, 29.5, (400, 2)) * [1.3, 1]
    free = shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in exact.polygons])
    points = points[shapely.covers(free, shapely.points(points))][:240]
    a, b = points[:120], points[120:]
    known, found = exact.lengths(a, b), walk.lengths(in_the_plane(a), in_the_plane(b))
    assert (found > known * (1 - 1e-9)).all()
    assert found.max() < np.inf
    assert (found / known).mean() < mean
    assert (found / known).max() < most


@pytest.mark.parametrize("shared", [False, True], ids=["pairs", "one goal"])
def test_ways_over_many_triangles_are_nearly_straight(shared: bool) -> None:
    walk = sm.WalkMesh(sm.Heightfield(np.zeros((21, 21)), [0, 0], [20, 20]), clearance=0.3)
    a, b = in_the_plane(np.random.default_rng(0).uniform(0.5, 19.5, (400, 2))).reshape(2, 200, 3)
    b = np.repeat(b[:1], 200, axis=0) if shared else b
    ratio = walk.lengths(a, b) / np.linalg.norm(a - b, axis=1)
    assert ratio.min() > 1 - 1e-9
    assert ratio.mean() < 1.002
    assert ratio.max() < 1.02


def test_a_way_over_a_roof_is_straight_on_the_roof_laid_flat() -> None:
    corners = np.array([[0, 0, 0], [4, 0, 3], [8, 0, 0], [0, 10, 0], [4, 10, 3], [8, 10, 0]], float)
    roof = sm.WalkMesh(sm.TriangleMesh(corners, [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]), clearance=0.1)
    assert roof.lengths([[0.8, 1, 0.6]], [[7.2, 9, 0.6]]) == pytest.approx([np.hypot(8, 8)])
    path = roof.route([0.8, 1, 0.6], [7.2, 9, 0.6])
    np.testing.assert_allclose(path.points, [[0.8, 1, 0.6], [4, 5, 3], [7.2, 9, 0.6]], atol=1e-9)


def test_stairs_join_floors_if_their_steps_are_low_enough_and_wide_enough() -> None:
    below, above, under = [1.0, 5.0, 0.0], [15.0, 5.0, 3.0], [15.0, 5.0, 0.0]
    found = sm.WalkMesh(HOUSE, clearance=0.3).lengths([below, below], [above, under])
    np.testing.assert_allclose(found, [14, np.inf])
    assert sm.WalkMesh(HOUSE, clearance=0.3, step=0.19).lengths([below], [above]) == [np.inf]
    assert np.isfinite(sm.WalkMesh(HOUSE, clearance=0.99).lengths([below], [above]))
    assert sm.WalkMesh(HOUSE, clearance=1.01).lengths([below], [above]) == [np.inf]


def test_ways_keep_their_clearance_from_the_rim() -> None:
    walk = sm.WalkMesh(HOUSE, clearance=0.5)
    path = walk.route([1.0, 1.0, 0.0], [19.0, 9.0, 3.0])
    places = path.point_at(np.linspace(0, path.length, 500))
    ends = np.array([[6.0, 4.0], [6.0, 6.0], [10.2, 4.0], [10.2, 6.0]])
    off = np.linalg.norm(places[:, None, :2] - ends, axis=2)
    assert off.min() > 0.7 * 0.5
    on_map = np.linalg.norm(np.diff(path.points[:, :2], axis=0), axis=1).sum()  # Risers do not count.
    assert on_map == pytest.approx(float(walk.guide([1.0, 1.0, 0.0], [19.0, 9.0, 3.0])[1]), rel=1e-6)


def test_floors_that_fit_only_in_part_are_joined_along_that_part() -> None:
    walk = sm.WalkMesh(mesh_of([floor(0, 0, 5, 10, 0), floor(5, 3, 9, 4, 0), floor(5, 7, 9, 20, 0)]), clearance=0.2)
    path = walk.route([1.0, 1.0, 0.0], [8.0, 3.5, 0.0])
    np.testing.assert_allclose(path.points[1], [5, 3.2, 0], atol=1e-6)
    assert walk.lengths([[8.0, 3.5, 0.0]], [[8.0, 9.5, 0.0]])[0] > 6 + 3


@pytest.mark.parametrize("turned", [False, True])
def test_floors_that_part_along_an_edge_are_not_joined(turned: bool) -> None:
    """Two that meet at one end of their edge, and are three meters apart at the other."""
    here, there = (0.0, 3.0) if turned else (3.0, 0.0)
    slope = [[5, 0, there], [12, 0, there], [12, 10, here], [5, 10, here]]
    walk = sm.WalkMesh(mesh_of([floor(0, 0, 5, 10, 0), slope]), clearance=0.2)
    np.testing.assert_array_equal(walk.lengths([[2.0, 5.0, 0.0]], [[8.0, 5.0, 1.5]]), [np.inf])


@pytest.mark.parametrize("first", [0, 1])
def test_the_riser_of_a_step_is_no_way_when_goals_are_compared(first: int) -> None:
    """The nearer one by the way is up a step of a meter, whichever of the floors comes first."""
    floors = [floor(0, 0, 5, 10, 0), floor(5, 0, 10, 10, 1)]
    walk = sm.WalkMesh(mesh_of([floors[first], floors[1 - first]]), step=1.2, clearance=0.2, spacing=0.1)
    up, down = [5.3, 5.0, 1.0], [4.7, 5.0, 0.0]
    for here, there, level in ((down, up, [3.7, 5.0, 0.0]), (up, down, [6.3, 5.0, 1.0])):
        _, left = walk.guide(here, [level, there])
        assert left == pytest.approx(0.6, abs=0.01)


def test_the_way_to_the_mesh_is_part_of_the_way() -> None:
    walk = sm.WalkMesh(HOUSE, clearance=0.3)
    _, left = walk.guide([[5.0, 9.0, 0.0], [6.8, 9.0, 0.0]], [1.0, 9.0, 0.0])
    np.testing.assert_allclose(left, [4, 5 + 0.8], atol=1e-9)


def test_steep_ground_is_no_way() -> None:
    x = np.linspace(0, 20, 41)
    wall = np.where((x[:, None] > 9.9) & (x[:, None] < 10.1) & (x[None] < 15), 3.0, 0.0)
    hills = sm.Heightfield(wall, [0, 0], [20, 20])
    around = sm.WalkMesh(hills, clearance=0.4).lengths([[5.0, 5.0, 0.0]], [[15.0, 5.0, 0.0]])[0]
    assert around > 2 * np.hypot(5, 10)
    over = sm.WalkMesh(hills, clearance=0.4, max_slope=1.5).lengths([[5.0, 5.0, 0.0]], [[15.0, 5.0, 0.0]])[0]
    assert over == pytest.approx(9 + 2 * np.hypot(0.5, 3), rel=0.01)


def two_rooms(**options: Any) -> sm.WalkMesh:
    """Two rooms beside each other with two doors: at y = 2, and at y = 17."""
    floors = [floor(0, 0, 10, 20, 0), floor(10, 1, 10.5, 3, 0), floor(10, 16, 10.5, 18, 0), floor(10.5, 0, 20, 20, 0)]
    doors = [[[10, 1, 0], [10, 3, 0]], [[10, 16, 0], [10, 18, 0]]]
    return sm.WalkMesh(mesh_of(floors), clearance=0.3, doors=doors, **options)


def test_doors_shut_and_cost_and_open_again() -> None:
    walk, here, there = two_rooms(), [[8.0, 2.0, 0.0]], [[12.0, 2.0, 0.0]]
    near = walk.lengths(here, there)[0]
    assert near == pytest.approx(4)
    walk.shut(0)
    far = walk.lengths(here, there)[0]
    assert far > 2 * 14
    walk.set_toll(0, 3.0)
    assert walk.lengths(here, there)[0] == pytest.approx(7)
    walk.set_toll(0, 100.0)
    assert walk.lengths(here, there)[0] == far
    walk.open(0)
    assert walk.lengths(here, there)[0] == near
    np.testing.assert_array_equal(two_rooms(tolls=[np.inf, 0]).lengths(here, there), [far])
    with pytest.raises(ValueError, match="door 0 does not"):
        sm.WalkMesh(HOUSE, doors=[[[1, 1, 0], [2, 2, 0]]])


def test_a_door_is_on_its_own_floor() -> None:
    """Two pairs of rooms, one above the other: a door below is none above, and the other way round."""
    rooms = [floor(x0, 0, x1, 10, z) for z in (0, 4) for x0, x1 in ((0, 5), (5, 10))]
    walk = sm.WalkMesh(mesh_of(rooms), clearance=0.2, doors=[[[5, 0, z], [5, 10, z]] for z in (0, 4)])
    here, there = ([[x, 5.0, z] for z in (0.0, 4.0)] for x in (2.0, 8.0))
    np.testing.assert_allclose(walk.lengths(here, there), [6, 6])
    for door, wanted in ((0, [np.inf, 6]), (1, [6, np.inf])):
        walk.set_tolls([0.0, 0.0])
        walk.shut(door)
        np.testing.assert_allclose(walk.lengths(here, there), wanted)


def test_bodies_stand_on_the_nearest_floor_above_or_below_or_on_the_rim() -> None:
    walk = sm.WalkMesh(HOUSE, clearance=0.3)
    asked = np.array([[5, 5, 0.1], [6.1, 5, 0], [13, 5, 2.0], [13, 5, 1.4], [6.2, 9, 0], [10.1, 9, 2.9]])
    places, normals = walk.project(asked)
    np.testing.assert_allclose(
        places, [[5, 5, 0], [6.1, 5, 0.2], [13, 5, 3], [13, 5, 0], [6, 9, 0], [10.2, 9, 3]], atol=1e-12
    )
    np.testing.assert_allclose(normals, np.tile([0, 0, 1.0], (6, 1)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_people_walk_upstairs_and_down_and_stop_at_their_goals(dtype: Any) -> None:
    walk = sm.WalkMesh(HOUSE, clearance=0.3)
    start = np.array([[1, 1, 0], [2, 9, 0], [19, 9, 3], [18, 1, 3.0]])
    goal = np.array([[19, 1, 3], [12, 9, 3], [1, 1, 0], [2, 9, 0.0]])
    people = sm.Vehicles(start, max_speed=1.5, max_force=10, radius=0.3, response_time=0.2, dtype=dtype)
    world = sm.World(dt=1 / 20)
    world.add(people, steering=sm.GoTo(goal, by=walk), locomotion=sm.SurfaceBound(walk))
    for _ in range(25):
        world.run(seconds=1)
        on_ground, _ = walk.project(people.position)
        np.testing.assert_allclose(people.position, on_ground, atol=1e-4)
    np.testing.assert_allclose(people.position, goal, atol=0.05)


def test_a_goal_upstairs_is_not_one_below_it() -> None:
    walk = sm.WalkMesh(HOUSE, clearance=0.3)
    people = sm.Vehicles([[15.0, 5.0, 0.0], [15.0, 5.0, 3.0]], max_speed=1.5, max_force=10)
    world = sm.World(dt=1 / 20)
    world.add(people, steering=sm.GoTo([18.0, 5.0, 3.0], by=walk), locomotion=sm.SurfaceBound(walk))
    world.run(seconds=5)
    np.testing.assert_allclose(people.position, [[15, 5, 0], [18, 5, 3]], atol=0.05)


def test_people_follow_a_door_that_shuts_and_a_goal_that_moves() -> None:
    walk = two_rooms()
    leader = sm.Vehicles([[15.0, 10.0, 0.0]], max_speed=1, max_force=10)
    people = sm.Vehicles([[5.0, 4.0, 0.0]], max_speed=2, max_force=20)
    world = sm.World(dt=1 / 20)
    world.add(leader, steering=sm.GoTo([18.0, 18.0, 0.0], by=walk), locomotion=sm.SurfaceBound(walk))
    world.add(people, steering=sm.GoTo(leader, by=walk), locomotion=sm.SurfaceBound(walk))
    world.run(seconds=1)
    assert people.velocity[0, 1] < 0
    walk.shut(0)
    world.run(seconds=1)
    assert people.velocity[0, 1] > 1
    world.run(seconds=15)
    assert np.linalg.norm(people.position - leader.position) < 0.1
    np.testing.assert_allclose(leader.position, [[18, 18, 0]], atol=0.05)


def test_the_nearest_goal_counts_by_the_way() -> None:
    walk = sm.WalkMesh(HOUSE, clearance=0.3)
    goals = [[13.0, 5.0, 3.0], [2.0, 2.0, 0.0]]
    _, found = walk.guide([[13.0, 5.0, 2.9], [5.0, 2.0, 0.0], [13.0, 5.0, 0.0]], goals)
    np.testing.assert_allclose(found, [0, 3, np.inf], atol=1e-9)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="no triangle is walkable"):
        sm.WalkMesh(sm.TriangleMesh([[0, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2]]))
    with pytest.raises(TypeError, match="TriangleMesh, or a Heightfield"):
        sm.WalkMesh(sm.Plane([0, 0, 0], [0, 0, 1]))
    walk = sm.WalkMesh(HOUSE)
    with pytest.raises(ValueError, match="shape"):
        walk.lengths([[1.0, 1.0]], [[2.0, 2.0]])
    with pytest.raises(ValueError, match="no way leads"):
        walk.route([1.0, 1.0, 0.0], [15.0, 5.0, 0.0])
    with pytest.raises(ValueError, match="3 dimensions"):
        walk.guide([[1.0, 1.0, 0.0]], sm.Box([1, 1]))


@pytest.mark.parametrize("spacing", [1e-12, 5e-324])
def test_more_nodes_than_fit_into_memory_are_refused(spacing: float) -> None:
    with pytest.raises(ValueError, match=r"spacing must be larger: .* nodes on the edges of triangles would take"):
        sm.WalkMesh(sm.Heightfield(np.zeros((3, 3)), low=[0, 0], high=[10, 10]), spacing=spacing)

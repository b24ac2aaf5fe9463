"""Switching: parts of obstacles are taken away and put back, and everything goes by it from the next step on."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.drawing.scenery_flat import in_plane

CENTERS = np.array([[float(k), 3.0] for k in range(0, 40, 4)])

SETS = {
    "spheres": lambda: sm.Spheres(CENTERS, 1.0),
    "boxes": lambda: sm.Boxes(CENTERS, size=1.0),
    "tanks": lambda: sm.Boxes(CENTERS, size=1.0, seen_from="inside"),
    "capsules": lambda: sm.Capsules(CENTERS - np.array([0.5, 0]), CENTERS + np.array([0.5, 0]), 0.7),
    "walls": lambda: sm.Walls(np.stack([CENTERS - np.array([1.0, 0]), CENTERS + np.array([1.0, 0])], axis=1)),
}


@pytest.mark.parametrize("kind", SETS)
def test_a_set_without_some_parts_is_the_set_of_the_others(kind: str) -> None:
    rng = np.random.default_rng(1)
    points, directions = rng.uniform(-2, 42, (200, 2)) * [1, 0.15], rng.normal(size=(200, 2))
    some, stay = SETS[kind](), np.ones(10, bool)
    some.disable([2, 3, 7])
    stay[[2, 3, 7]] = False
    np.testing.assert_array_equal(some.enabled, stay)
    few = {"center": CENTERS[stay]}
    if kind == "walls":
        few = {"points": [p for p, there in zip(some.points, stay, strict=True) if there], "closed": False}
    elif kind == "capsules":
        few = {"a": some.a[stay], "b": some.b[stay], "radius": 0.7}
    elif kind == "spheres":
        few["radius"] = 1.0
    else:
        few |= {"size": some.size[stay], "orientation": some.orientation[stay]}
    others = some.replace(**few)
    numbers = np.append(np.flatnonzero(stay), -1)
    for mine, theirs in (
        (some.nearest(points), others.nearest(points)),
        (some.cast(points, directions), others.cast(points, directions)),
    ):
        np.testing.assert_array_equal(mine.distance, theirs.distance)
        np.testing.assert_array_equal(mine.normal, theirs.normal)
        np.testing.assert_array_equal(mine.which, numbers[theirs.which])
    some.enable()
    np.testing.assert_array_equal(some.nearest(points).distance, SETS[kind]().nearest(points).distance)


BEHAVIORS = {
    "AvoidObstacles": lambda things: sm.AvoidObstacles(things, lookahead=3),
    "ORCA": lambda things: sm.ORCA(obstacles=things, obstacle_horizon=3),
    "Whiskers": lambda things: sm.Whiskers(things, reach=3),
    "ContextMap": lambda things: sm.ContextMap([sm.Seek([8.0, 10.0])], obstacles=things),
    "FollowWall": lambda things: sm.FollowWall(things),
    "Hide": lambda things: sm.Hide(PURSUER, things),
    "Separation": lambda things: sm.Separation(of=things, radius=9.0),
    "Separation from the nearest": lambda things: sm.Separation(of=things, radius=9.0, k=1),
}
PURSUER = sm.Vehicles([[8.0, -6.0]])


@pytest.mark.each_value
@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("behavior", BEHAVIORS)
def test_a_world_that_steps_goes_by_what_is_there(kind: str, behavior: str) -> None:
    """Taken away in a world that was planned with all, put back, and taken away before it was planned: the same bits."""
    if kind == "tanks" and behavior == "FollowWall":
        return
    hashes = []
    for when in ("before", "between", "never"):
        things = SETS[kind]()
        if when == "before":
            things.disable([2])
        vehicles = sm.Vehicles(
            [[8.0, 0.0], [7.8, 3.2]], [[0.3, 2.0], [0.0, 1.0]], max_speed=2, max_force=20, radius=0.3
        )
        world = sm.World(dt=1 / 30, constraints=[sm.ZeroOverlap(things)])
        world.add(vehicles, steering=BEHAVIORS[behavior](things))
        if when == "between":
            world.sketch(id=0)
            things.disable([2])
        world.run(steps=60)
        hashes.append(vehicles.position.tobytes())
    assert hashes[0] != hashes[2]
    assert hashes[0] == hashes[1]


def test_it_hides_only_behind_what_is_there() -> None:
    """Of two rocks the nearer is taken away, then the other one, then both: it goes behind the other one, back, and flees."""
    rocks, pursuer = sm.Spheres([[10.0, 0.0], [0.0, 30.0]], 2.0), sm.Vehicles([[0.0, 0.0]])
    prey = sm.Vehicles([[5.0, 0.0]], radius=0.5, max_speed=5.0, max_force=1e3)
    world = sm.World()
    world.add(pursuer, name="pursuer")
    world.add(prey, name="prey", steering=sm.Hide(pursuer, [sm.Spheres([[90.0, 90.0]], 1.0), rocks], margin=0.5))
    rocks.disable(0)
    for spot in ((0.0, 33.0), (13.0, 0.0)):
        world.run(seconds=15)
        np.testing.assert_allclose(prey.position, [spot], atol=0.02)
        rocks.disable(1)
        rocks.enable(0)
        assert world.sketch("prey", 0)
    rocks.disable()
    world.run(seconds=5)
    assert prey.position[0, 0] > 25


def test_a_wall_without_its_far_half_hides_with_the_near_one() -> None:
    """Walls that hang together are one body, and the circle around it is that of what is there."""
    wall = sm.Walls([[[0, 0], [4, 0]], [[4, 0], [4, 8]], [[30, 0], [30, 2]]])
    wall.disable([1, 2])
    center, radius = wall.present_spheres()
    np.testing.assert_allclose(center[0], [2, 0])
    np.testing.assert_allclose(radius, [2, -1])
    np.testing.assert_allclose(wall.position, [[2, 0], [np.nan, np.nan]])
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 9, 9], [9, 8, 9], [8, 9, 9]]
    mesh = sm.TriangleMesh(corners, [[0, 1, 2], [3, 4, 5]])
    mesh.disable(0)
    assert np.isnan(mesh.position[0]).all()
    np.testing.assert_allclose(mesh.position[1], np.mean(corners[3:], axis=0))


@pytest.mark.parametrize("kind", [kind for kind in SETS if kind != "tanks"])
def test_maps_know_their_obstacles_whether_they_are_there_or_not(kind: str) -> None:
    """A grid asked for first while a part was away led through it from then on, and a mesh did not."""
    floor, ways = sm.Box([44, 20], origin=[-4, -6]), [[8.0, 0.0], [8.0, 6.0]]
    lengths = []
    for off in (False, True):
        things = SETS[kind]()
        if off:
            things.disable([2])
        options = {"region": floor, "clearance": 0.3}
        grid, field = sm.RouteGrid(things, **options), sm.FlowField.toward(ways[1], obstacles=things, **options)
        mesh = sm.NavMesh.around(things, **options)
        lengths.append([grid.guide(*ways)[1], field.distance(ways[:1])[0], mesh.lengths(ways[:1], ways[1:])[0]])
    assert lengths[0] == lengths[1]
    assert min(lengths[0]) > 6.05


def test_who_stands_where_a_leaf_is_put_back_is_moved_out() -> None:
    leaf = sm.Walls([[[0, -1], [0, 1]]])
    leaf.disable()
    vehicles = sm.Vehicles([[0.1, 0.0]], radius=0.4)
    world = sm.World(constraints=[sm.ZeroOverlap(leaf)])
    world.add(vehicles)
    world.run(steps=3)
    assert vehicles.position[0, 0] == pytest.approx(0.1)
    leaf.enable(0)
    world.step()
    assert vehicles.position[0, 0] == pytest.approx(0.4)


def test_views_share_switches_and_copies_have_their_own() -> None:
    things = SETS["boxes"]()
    view = things.viewed_from("both")
    things.disable(4)
    assert not view.enabled[4]
    assert view.nearest([16.0, 3.0]).distance > 1
    for other in (copy.deepcopy(things), pickle.loads(pickle.dumps(things))):
        assert not other.enabled[4]
        other.enable()
        assert not things.enabled[4]
        assert other.nearest([16.0, 3.0]).distance < 0
    assert things.replace(size=2.0).enabled.all()


def test_old_plans_leave_nothing() -> None:
    things = SETS["spheres"]()
    for _ in range(50):
        things.nearest([[0.0, 0.0]])
    assert len(things.switches._held) <= 2


HALL = sm.Box([20, 20])
WALL = sm.Walls([[[10, 0], [10, 4]], [[10, 6], [10, 14]], [[10, 16], [10, 20]]])
DOORS = np.array([[[10, 4], [10, 6]], [[10, 14], [10, 16]]], float)


def leaves() -> sm.Walls:
    return sm.Walls(DOORS)


MAPS = {
    "mesh": lambda leaf: sm.NavMesh.around(WALL, region=HALL, clearance=0.4, leaves=leaf),
    "grid": lambda leaf: sm.RouteGrid(WALL, region=HALL, clearance=0.4, leaves=leaf),
}


def hall(kind: str, leaf: sm.Walls) -> tuple[sm.World, sm.Vehicles, Any]:
    """Three people before the first of two doors, who want to go through."""
    by = MAPS[kind](leaf)
    people = sm.Vehicles([[3, 4.6], [3, 5.4], [6, 5]], max_speed=1.5, max_force=10, radius=0.3)
    world = sm.World(dt=1 / 30, constraints=[sm.ZeroOverlap([WALL, leaf])])
    avoid = sm.AvoidObstacles([WALL, leaf], lookahead=0.5)
    world.add(people, steering=sm.Priority([avoid, sm.AvoidNeighbors(), sm.GoTo([15.0, 5.0], by=by)]))
    return world, people, by


@pytest.mark.parametrize("kind", MAPS)
def test_a_door_and_its_leaf_are_one(kind: str) -> None:
    leaf = leaves()
    by = MAPS[kind](leaf)
    assert np.isinf(by.current_tolls).all()
    assert not np.isfinite(by.guide([5.0, 5.0], [15.0, 5.0])[1])
    by.open(0)
    np.testing.assert_array_equal(leaf.enabled, [False, True])
    assert by.guide([5.0, 5.0], [15.0, 5.0])[1] == pytest.approx(10, rel=0.05)
    leaf.enable(0)
    leaf.disable(1)
    np.testing.assert_array_equal(by.current_tolls, [np.inf, 0])
    assert 20 < by.guide([5.0, 5.0], [15.0, 5.0])[1] < 25
    by.set_toll(1, 4.0)
    assert not leaf.enabled[1]


@pytest.mark.parametrize("kind", MAPS)
def test_people_turn_round_before_a_door_that_shuts_and_nobody_comes_through(kind: str) -> None:
    leaf = leaves()
    world, people, by = hall(kind, leaf)
    by.set_tolls(0.0)
    world.run(seconds=1)
    by.shut(0)
    for _ in range(60):
        world.run(seconds=0.5)
        through = people.position[:, 0] > 10
        assert not (through & (np.abs(people.position[:, 1] - 5) < 1.0) & (people.position[:, 0] < 11)).any()
        if through.all():
            break
    world.run(seconds=12)
    assert np.linalg.norm(people.position - [15, 5], axis=1).max() < 2


@pytest.mark.parametrize("kind", MAPS)
def test_snapshots_hold_what_is_there(kind: str, tmp_path: Path) -> None:
    world, _, by = hall(kind, leaves())
    by.open(1)
    whole = state_hash(world)
    world.run(steps=20)
    world.save(tmp_path / "hall.steersman")
    kept = state_hash(world)
    again = sm.World.load(tmp_path / "hall.steersman")
    assert state_hash(again) == kept
    by.open(0)
    assert state_hash(world) != kept
    world.restore(tmp_path / "hall.steersman")
    assert state_hash(world) == kept != whole
    for each in (world, again):
        each.run(steps=30)
    assert state_hash(again) == state_hash(world)


def test_a_snapshot_of_a_world_where_all_is_there_puts_all_back(tmp_path: Path) -> None:
    rocks = SETS["spheres"]()
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0.0]]), steering=sm.AvoidObstacles(rocks))
    world.save(tmp_path / "rocks.steersman")
    rocks.disable(3)
    world.restore(tmp_path / "rocks.steersman")
    assert rocks.enabled.all()


def test_leaves_of_a_restored_world_are_those_of_its_doors(tmp_path: Path) -> None:
    """What AvoidObstacles sees and what the map opens is one set again."""
    world, _, _ = hall("mesh", leaves())
    world.save(tmp_path / "hall.steersman")
    again = sm.World.load(tmp_path / "hall.steersman")
    (population,) = again.populations.values()
    avoid, _, go = population.steering.components
    go.by.open(0)
    assert not avoid.obstacles.sets[1].enabled[0]
    assert not again.constraints[0].obstacles.sets[1].enabled[0]


@pytest.mark.parametrize("kind", SETS)
def test_pictures_show_what_is_there(kind: str) -> None:
    def points() -> int:
        return sum(len(getattr(each, "rings", getattr(each, "points", ()))) for each in in_plane(things, None))

    things = SETS[kind]()
    whole = points()
    things.disable([0, 1, 2])
    rest = points()
    things.enable([0, 1, 2])
    things.disable(range(3, len(things)))
    assert rest > 0
    assert points() == whole - rest > 0


def test_nonsense_is_refused() -> None:
    things = SETS["spheres"]()
    with pytest.raises(ValueError, match="parts must be from 0 to 9, got 10"):
        things.disable(10)
    with pytest.raises(TypeError, match="whole numbers or flags"):
        things.enable(0.5)
    with pytest.raises(ValueError, match="flags of shape"):
        things.enable([True, False])
    with pytest.raises(ValueError, match="leaves must have a part for each of 2 doors, got 10"):
        sm.NavMesh([HALL_CORNERS], doors=DOORS, leaves=things)
    with pytest.raises(TypeError, match="one set of obstacles"):
        sm.RouteGrid(WALL, region=HALL, leaves=3)


HALL_CORNERS = [[[0, 0], [20, 0], [20, 20], [0, 20]]]


def test_where_a_triangle_is_put_aside_its_place_is_none() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    mesh = sm.TriangleMesh(np.concatenate([corners, corners + 20]), [[0, 1, 2], [3, 4, 5]])
    whole = mesh.position.copy()
    mesh.disable([0])
    assert np.isnan(mesh.position[0]).all()
    np.testing.assert_allclose(mesh.position[1], whole[1])
    mesh.enable([0])
    np.testing.assert_allclose(mesh.position, whole)

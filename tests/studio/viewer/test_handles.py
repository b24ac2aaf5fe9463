"""Handles: what can be taken is found, and moved in everything that the world knows it by; memory and all else stay."""

import json

import numpy as np
import pytest

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.handles import MOST, handles_of, pieces, put_in_place
from steersman.studio.viewer.simulation import Simulation

SQUARE = np.array([[0.0, 0], [10, 0], [10, 10], [0, 10]])


def handles(subject):
    contents = contents_of(subject)
    stage = subject if isinstance(subject, sm.Stage) else None
    return handles_of(subject if stage is None else stage.world, stage, contents.scenery, describe(contents))


def world_with(*trees, **about):
    world = sm.World(seed=1, **about)
    for tree in trees:
        world.add(sm.Vehicles([[20.0, 20], [25, 22]], max_speed=5), steering=tree)
    return world


def two_of_each():
    """Sets of two pieces, the place of the second of which is known."""
    inner = SQUARE * 0.4 + 3
    return {
        "Spheres": (sm.Spheres([[0, 0], [30, 5]], [1, 2]), [30, 5]),
        "Boxes": (sm.Boxes([[0, 0], [30, 5]], [[1, 2], [3, 1]], [0.3, 0.8]), [30, 5]),
        "Capsules": (sm.Capsules([[0, 0], [28, 4]], [[5, 0], [32, 6]], [1, 0.5]), [30, 5]),
        "Walls": (sm.Walls([[[0, 0], [9, 3]], [[28, 4], [31, 7], [32, 3]]]), [30, 5]),
        "rings": (sm.Walls([inner, SQUARE], closed=True), [5, 5]),
        "a ring in an open chain": (sm.Walls([SQUARE * 0.1 + 1, SQUARE * 4], closed=[True, False]), [20, 20]),
        "solid Spheres": (sm.Spheres([[0, 0, 0], [30, 5, 1]], [1, 2]), [30, 5, 1]),
        "solid Boxes": (sm.Boxes([[0, 0, 0], [30, 5, 1]], 2.0), [30, 5, 1]),
    }


@pytest.mark.parametrize("name", two_of_each())
def test_one_piece_moves_and_the_others_stay(name):
    item, place = two_of_each()[name]
    found = pieces(item)
    assert len(found) == 2
    assert found[1].place == pytest.approx(place)
    way = np.array([1.5, -2, 2][: item.dimensions])
    moved = found[1].moved(way)
    now = pieces(moved)
    assert now[1].place == pytest.approx(place + way)
    first = found[0].place + way if name == "rings" else found[0].place  # What is within a ring comes along.
    assert now[0].place == pytest.approx(first)
    probe = np.array(place) + 0.5
    assert moved.nearest(probe + way).distance == pytest.approx(item.nearest(probe).distance, abs=1e-9)
    assert len(found[1].alone) < len(item)
    assert len(found[0].moved(way)) == len(item)


def test_a_mesh_moves_as_a_whole():
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mesh = sm.TriangleMesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    (piece,) = pieces(mesh)
    assert piece.moved(np.array([1, 2, 3])).vertices == pytest.approx(corners + np.array([1, 2, 3]))


def test_rocks_move_in_all_that_knows_them_and_memory_stays():
    rocks, other = sm.Spheres([[50.0, 50], [80, 80]], 5), sm.Boxes([[10.0, 60]], 2)
    tree = sm.Priority([sm.AvoidObstacles([rocks, other]), sm.Wander()])
    world = world_with(tree, sm.AvoidObstacles(rocks) + sm.Wander(), domain=sm.Torus([100, 100]))
    stage = sm.Stage(world, scenery={"rocks": rocks, "box": other})
    stage.watch("vehicles", "penetration")
    world.run(steps=5)
    before = [each.memory("Wander") for each in world.populations.values()]
    taken = handles(stage)
    assert [each.label for each in taken.values()] == ["Spheres 0", "Spheres 1", "Boxes"]
    taken["obstacle 0 1"].move(np.array([5.0, -10]))
    one, two = world.populations.values()
    moved = stage.scenery["rocks"]
    assert moved.center.tolist() == [[50, 50], [85, 70]]
    assert rocks.center.tolist() == [[50, 50], [80, 80]]
    assert one.node("AvoidObstacles").behavior.obstacles.sets == (moved, other)
    assert one.node("AvoidObstacles").behavior.obstacles.sets[0] is moved
    assert two.node("AvoidObstacles").behavior.obstacles is moved
    assert next(iter(world.meters.values())).subject.obstacles[0] is moved
    for each, remembered in zip(world.populations.values(), before, strict=True):
        assert all(np.array_equal(each.memory("Wander")[name], remembered[name]) for name in remembered)
    assert list(handles(stage)) == list(taken)
    assert handles(stage)["obstacle 0 1"].place.tolist() == [85, 70]
    world.run(steps=3)
    assert "85" in str(sm.to_document(stage))


def test_those_who_avoid_it_avoid_it_where_it_is_now():
    def path(moved):
        world = sm.World(seed=0)
        car = sm.Vehicles([0.0, 0], [5.0, 0], max_speed=5, max_force=20)
        world.add(car, steering=sm.Priority([sm.AvoidObstacles(sm.Spheres([20, 30], 4)), sm.Seek([60, 0])]))
        if moved:
            handles(world)["obstacle 0 0"].move(np.array([0.0, -29.5]))
        bow = 0.0
        for _ in range(400):
            world.step()
            bow = max(bow, abs(car.position[0, 1]))
        return bow

    assert path(False) < 0.01
    assert path(True) > 3


def test_an_interior_is_moved_by_its_walls():
    rock = sm.Walls([SQUARE * 3], closed=True, seen_from="inside")
    world = world_with(sm.Contain(sm.Interior(rock)))
    (handle,) = handles(world).values()
    handle.move(np.array([1.0, 2]))
    region = world.populations["vehicles"].steering.region
    assert region.obstacles.points[0].tolist() == (SQUARE * 3 + [1, 2]).tolist()


@pytest.mark.parametrize(
    "things", [sm.Spheres([[0.0, 0], [5, 0]], 1.0), sm.Walls([[[0, 0], [1, 0]], [[5, 0], [6, 0]]])]
)
def test_what_is_switched_off_stays_so_when_another_piece_is_dragged(things):
    things.disable(1)
    world = sm.World()
    world.add(sm.Vehicles([[9.0, 9.0]]), steering=sm.AvoidObstacles(things))
    handles(world)["obstacle 0 0"].move(np.array([0.0, 2.0]))
    (population,) = world.populations.values()
    assert population.steering.obstacles.enabled.tolist() == [True, False]


def test_a_door_that_was_shut_stays_so_when_a_rock_of_its_map_is_dragged():
    rock = sm.Spheres([[5.0, 5]], 1.0)
    floor = sm.RouteGrid(rock, region=sm.Box((20, 10)), doors=[[[10, 0], [10, 10]], [[15, 0], [15, 10]]])
    world = sm.World()
    walker = world.add(sm.Vehicles([[2.0, 2]]), steering=sm.GoTo((18, 5), by=floor))
    floor.set_tolls([np.inf, 7])
    put_in_place(world, None, rock, sm.Spheres([[6.0, 5]], 1.0))
    assert walker.steering.by is not floor
    assert walker.steering.by.current_tolls.tolist() == [np.inf, 7]


def test_a_room_in_a_body_or_a_constraint_is_moved_too():
    rock = sm.Spheres([50.0, 50], 5)
    world = world_with(sm.Contain(sm.Interior(rock)), constraints=[sm.ZeroOverlap(obstacles=rock)])
    handles(world)["obstacle 0 0"].move(np.array([1.0, 0]))
    (population,) = world.populations.values()
    assert population.node("Contain").behavior.region.obstacles.center.tolist() == [[51, 50]]
    assert world.constraints[0].obstacles.center.tolist() == [[51, 50]]


BEND = [[0.0, 0], [40, 0], [40, 40]]


def test_a_point_of_a_path_moves_and_who_follows_it_goes_there():
    path = sm.Path(BEND, radius=[2, 3])
    world = sm.World(seed=3)
    follow, stay = sm.FollowPath(path) + 0.1 * sm.Wander(), sm.Priority([sm.StayOnPath(path), sm.FollowPath(path)])
    for tree in (follow, stay):
        world.add(sm.Vehicles([[1.0, 0.5], [2, 1]], max_speed=5, max_force=20), steering=tree)
    stage = sm.Stage(world, scenery={"road": path})
    stage.watch(next(iter(world.populations)), "path_error", to=path)
    world.run(steps=30)
    before = [{node.key: each.memory(node.label) for node in each.tree.walk() if node.key in each.memories}
              for each in world.populations.values()]  # fmt: skip
    assert any(before[0])
    assert any(before[1])
    taken = handles(stage)
    assert list(taken) == ["Path 0", "Path 0 point 0", "Path 0 point 1", "Path 0 point 2"]
    assert taken["Path 0"].place.tolist() == [20, 20]
    taken["Path 0 point 1"].move(np.array([0.0, -30]))
    moved = stage.scenery["road"]
    assert moved.points.tolist() == [[0, 0], [40, -30], [40, 40]]
    assert moved.radius.tolist() == [2, 3]
    assert path.points.tolist() == BEND
    one, two = world.populations.values()
    assert one.node("FollowPath").behavior.path is moved
    assert two.node("StayOnPath").behavior.path is moved
    assert two.node("FollowPath").behavior.path is moved
    assert next(iter(world.meters.values())).subject.to is moved
    for each, remembered in zip(world.populations.values(), before, strict=True):
        for node in each.tree.walk():
            for name, column in remembered.get(node.key, {}).items():
                assert np.array_equal(each.memory(node.label)[name], column)
    assert list(handles(stage)) == list(taken)
    world.run(seconds=6)
    for each in world.populations.values():
        assert moved.project(each.vehicles.position).distance.max() < 3.5
        assert path.project(each.vehicles.position).distance.min() > 8


@pytest.mark.parametrize("closed", [False, True])
def test_a_smooth_path_moves_as_a_whole(closed):
    path = sm.Path.spline([[0.0, 0, 0], [30, 10, 5], [60, 0, 0], [60, 60, 9]], closed=closed)
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0, 0]]), steering=sm.FollowPath(path))
    ((name, handle),) = handles(world).items()
    assert (name, handle.label) == ("Path 0", "Path")
    handle.move(np.array([1.0, 2, 3]))
    moved = world.populations["vehicles"].steering.path
    assert moved.points == pytest.approx(path.points + np.array([1, 2, 3]))
    assert moved.closed is closed
    assert handles(world)["Path 0"].place == pytest.approx(handle.place + np.array([1, 2, 3]))


@pytest.mark.parametrize(
    ("points", "closed", "several"),
    [
        (sm.spawn.circle(24, 3), True, False),
        (sm.spawn.circle(24, 3), False, False),
        (sm.spawn.circle(12, 3), True, True),
        (np.linspace([0, 0], [8, 0], 5), False, True),
        (np.vstack([np.linspace([0, 0], [8, 0], 9), [[8, 4]]]), False, True),
    ],
    ids=["circle", "most of a circle", "twelve corners", "few in a row", "one corner"],
)
def test_points_of_a_curve_are_not_taken_one_by_one(points, closed, several):
    """A ring of crosses around a fire told nothing."""
    path = sm.Path(points, closed=closed)
    taken = handles(world_with(sm.FollowPath(path)))
    assert len(taken) == (1 + len(points) if several else 1)


def test_a_path_of_one_point_and_one_across_a_seam():
    torus = sm.Torus([50, 50])
    world = world_with(sm.FollowPath([[10.0, 10]]), sm.FollowPath([[40.0, 10], [60, 10]]), domain=torus)
    taken = handles(world)
    assert list(taken) == ["Path 0 point 0", "Path 1", "Path 1 point 0", "Path 1 point 1"]
    assert taken["Path 1"].wraps
    assert not taken["Path 1 point 1"].wraps
    assert taken["Path 1 point 1"].message()["wraps"] is False
    population = list(world.populations.values())[1]
    path = population.steering.path
    with pytest.raises(ValueError, match="torus larger"):
        taken["Path 1 point 1"].move(np.array([1e6, 1e6]))
    assert population.steering.path is path
    world.run(steps=2)


@pytest.mark.parametrize("name", ["polygon", "disc", "box", "ball", "room"])
def test_a_region_moves_in_all_that_knows_it(name):
    region = {
        "polygon": sm.Polygon(SQUARE), "disc": sm.Sphere([5.0, 5], 5), "box": sm.Box([10, 10]),
        "ball": sm.Sphere([5.0, 5, 5], 5), "room": sm.Box([10, 10, 10]),
    }[name]  # fmt: skip
    d = region.dimensions
    world = sm.World(seed=1)
    rng = np.random.default_rng(0)
    vehicles = sm.Vehicles(rng.uniform(3, 7, (6, d)), max_speed=6, max_force=40)
    world.add(vehicles, steering=sm.Priority([sm.Contain(region), sm.Wander()]))
    stage = sm.Stage(world, scenery={"place": region})
    stage.watch("vehicles", "outside", to=region)
    world.run(steps=5)
    before = world.memory("vehicles", "Wander")
    (handle,) = handles(stage).values()
    assert handle.label == type(region).__name__
    assert all(getattr(each, "face", None) is None for each in handle.elements)  # It is taken by its rim.
    way = np.array([12.0, -7, 3][:d])
    handle.move(way)
    (now,) = handles(stage).values()
    assert now.place == pytest.approx(handle.place + way)
    moved = world.populations["vehicles"].node("Contain").behavior.region
    assert stage.scenery["place"] is moved
    assert next(iter(world.meters.values())).subject.to is moved
    probe = region.middle + 3
    assert moved.nearest(probe + way).distance == pytest.approx(region.nearest(probe).distance)
    assert all(np.array_equal(world.memory("vehicles", "Wander")[key], before[key]) for key in before)
    world.run(seconds=8)
    assert moved.nearest(vehicles.position).distance.max() < 0.2
    assert region.nearest(vehicles.position).distance.max() > 1


def test_the_walls_of_the_world_stay_where_they_are():
    space = sm.Box([30, 30])
    world = world_with(sm.Contain(space) + sm.Explore(sm.Box([30, 30]), reach=3), domain=space)
    assert handles(world) == {}


def test_points_that_are_one_are_moved_together():
    goal = [40.0, 30]
    modes = sm.Modes(
        {"go": sm.Arrive(goal) + sm.Wander(), "rest": sm.Wander()},
        transitions=[("go", "rest", sm.Arrived(goal, 2.0)), ("rest", "go", sm.After(9.0))],
        start="go",
    )
    world = world_with(modes, sm.Interpose([0.0, 0], [80, 80]))
    stage = sm.Stage(world, labels={"home": goal, "else": [1.0, 1]})
    for metric, place in (("distance_to", goal), ("closest_to", np.array(goal)), ("farthest_from", (7.0, 8.0))):
        stage.watch("vehicles", metric, to=place)
    taken = {each.label: each for each in handles(stage).values()}
    assert set(taken) == {"Arrive: target, Arrived: target", "Interpose: a", "Interpose: b"}
    world.run(steps=3)
    before = world.memory("vehicles", "Modes")
    taken["Arrive: target, Arrived: target"].move(np.array([5.0, 5]))
    one, two = world.populations.values()
    assert one.node("Arrive").behavior.target.tolist() == [45, 35]
    assert one.node("Arrived").behavior.target.tolist() == [45, 35]
    assert np.asarray(stage.labels["home"]).tolist() == [45, 35]
    assert stage.labels["else"] == [1.0, 1]
    assert [list(each.subject.to) for each in world.meters.values()] == [[45, 35], [45, 35], [7, 8]]
    assert all(np.array_equal(world.memory("vehicles", "Modes")[name], before[name]) for name in before)
    taken["Interpose: b"].move(np.array([-80.0, 0]))
    assert (two.node("Interpose").behavior.a.tolist(), two.node("Interpose").behavior.b.tolist()) == ([0, 0], [0, 80])
    assert set(handles(stage)) == {each.id for each in taken.values()}


def test_one_of_several_points_and_what_is_no_point():
    world = world_with(sm.Seek([[1.0, 2], [3, 4]]) + sm.MatchVelocity([1.0, 0]) + sm.Flee(sm.Vehicles([[0, 0]])))
    taken = handles(world)
    assert [each.place.tolist() for each in taken.values()] == [[1, 2], [3, 4]]
    list(taken.values())[1].move(np.array([1.0, 1]))
    assert world.populations["vehicles"].node("Seek").behavior.target.tolist() == [[1, 2], [4, 5]]


def test_what_is_not_allowed_changes_nothing():
    walls = sm.Walls([SQUARE, SQUARE + np.array([20, 0])], closed=True)
    world = world_with(sm.AvoidObstacles(walls))
    before = world.populations["vehicles"].steering
    with pytest.raises(ValueError, match="cross"):
        handles(world)["obstacle 0 0"].move(np.array([15.0, 5]))
    assert world.populations["vehicles"].steering is before


def test_thousands_are_not_taken():
    many = sm.Spheres(np.random.default_rng(0).uniform(0, 100, (MOST + 1, 2)), 0.5)
    assert handles(world_with(sm.AvoidObstacles(many))) == {}


def test_every_scenario_s_things_are_told():
    found = 0
    for name, scenario in SCENARIOS.items():
        stage = scenario.stage(n=max(scenario.least, 5))
        for each in handles(stage).values():
            told = json.loads(json.dumps(each.message(), allow_nan=False))
            assert told["elements"], (name, each.label)
            found += 1
    assert found > 50


def test_what_is_held_and_not_moved_is_not_told_of():
    shown = Simulation(sm.Stage(world_with(sm.AvoidObstacles(sm.Spheres([[50.0, 50]], 5))), seconds=1))
    (name, rock), said = next(iter(shown.handles.items())), []
    shown.tell = lambda kind, message: said.append(kind)
    shown.put(name, rock.place.copy(), done=False)
    assert not {"moved", "scenery", "handles"} & {*said}
    shown.put(name, rock.place + 1.0, done=False)
    assert "moved" in said


def test_things_of_a_tree_that_changes_are_told_with_their_handles():
    shown, said = Simulation(world_with(sm.AvoidObstacles(sm.Spheres([[50.0, 50]], 5)))), []
    (population,) = shown.world.populations.values()
    shown.tell = lambda kind, message: said.append(kind)
    shown.changed()
    assert not {"scenery", "handles"} & {*said}
    population.steering = sm.AvoidObstacles(sm.Spheres([[70.0, 50], [80, 50]], 5))
    shown.changed()
    assert {"scenery", "handles"} <= {*said}
    assert len(shown.handles) == 2

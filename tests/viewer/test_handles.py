"""Handles: what can be taken is found, and moved in everything that the world knows it by; memory and all else stay."""

import json

import numpy as np
import pytest

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.scenarios.registry import SCENARIOS
from steersman.viewer.handles import MOST, handles_of, pieces

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


def test_a_room_in_a_body_or_a_constraint_is_moved_too():
    rock = sm.Spheres([50.0, 50], 5)
    world = world_with(sm.Contain(sm.Interior(rock)), constraints=[sm.ZeroOverlap(obstacles=rock)])
    handles(world)["obstacle 0 0"].move(np.array([1.0, 0]))
    (population,) = world.populations.values()
    assert population.node("Contain").behavior.region.obstacles.center.tolist() == [[51, 50]]
    assert world.constraints[0].obstacles.center.tolist() == [[51, 50]]


def test_points_that_are_one_are_moved_together():
    goal = [40.0, 30]
    modes = sm.Modes(
        {"go": sm.Arrive(goal) + sm.Wander(), "rest": sm.Wander()},
        transitions=[("go", "rest", sm.Arrived(goal, 2.0)), ("rest", "go", sm.After(9.0))],
        start="go",
    )
    world = world_with(modes, sm.Interpose([0.0, 0], [80, 80]))
    stage = sm.Stage(world, labels={"home": goal, "else": [1.0, 1]})
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
            told = json.loads(json.dumps(each.told(), allow_nan=False))
            assert told["elements"], (name, each.label)
            found += 1
    assert found > 50

"""The purposes of behaviors, as ends of sentences."""

import re

import pytest

import steersman as sm
from steersman.core.steering.behavior import Behavior, Function
from steersman.studio.viewer.purposes import NAMED, PURPOSES, goal_of, namer, noun_of, one_of, purpose_of, reacts_to

BEHAVIORS = [name for name in sm.__all__ if isinstance(each := getattr(sm, name), type) and issubclass(each, Behavior)]


@pytest.mark.parametrize("name", BEHAVIORS)
def test_each_behavior_has_a_purpose_that_ends_a_sentence(name):
    behavior = object.__new__(getattr(sm, name))
    words = purpose_of(behavior)
    assert re.fullmatch(r"[a-z][^.;:()]{4,90}", words), words


def test_purposes_are_those_of_behaviors():
    assert set(PURPOSES) <= {*BEHAVIORS}
    assert set(NAMED) <= {*BEHAVIORS}


def test_targets_are_called_by_the_names_that_they_have_in_the_world():
    """Of populations, also in what is known of one; of places with labels, of which each vehicle may have its own."""
    world = sm.World()
    dog, sheep, wolves = sm.Vehicles([[0.0, 0.0]]), sm.Vehicles([[5.0, 0.0], [9.0, 0.0]]), sm.Vehicles([[7.0, 0]] * 2)
    for name, vehicles in (("dog", dog), ("pasture: sheep", sheep), ("wolves", wolves)):
        world.add(vehicles, name=name)
    posts = [[1.0, 2.0], [3.0, 4.0]]
    labels = {"lamp": (7.0, 7.0), "post 2": posts[1], "1": posts[0], "home": [0, 9]}
    rocks, walls, road, trap = (
        sm.Spheres([[0, 0]], 1),
        sm.Walls([[0, 0], [1, 1]]),
        sm.Path([[0, 0], [9, 0]]),
        sm.Boxes([[0, 0]], 1),
    )
    labels |= {"rocks": rocks, "icy walls": walls, "road": road, "trap": trap}
    first, second = (namer(world, "dog", labels, row) for row in (0, 1))
    for behavior, named, expected in (
        (sm.Evade(dog), first, "get away from the dog"),
        (sm.Evade(wolves), first, "get away from the nearest wolf"),
        (sm.Seek(sm.LastSeen(sheep, forget=5)), first, "reach the nearest sheep"),
        (sm.Seek(wolves, which="first"), first, "reach the wolf"),
        (sm.Interpose(dog, wolves, which_b=[0, 1]), first, "get between the dog and the wolf"),
        (sm.Interpose(dog, [1.0, 1.0]), first, "get between two others, and stay there"),
        (sm.Flee([7, 7]), second, "get away from the lamp"),
        (sm.Flee([7, 8]), second, "get away"),
        (sm.Arrive(posts), first, "arrive at place 1"),
        (sm.Arrive(posts), second, "arrive at post 2"),
        (sm.Seek([0, 9]), second, "reach home"),
        (sm.Seek(lambda: posts), first, "reach its goal"),
        (sm.Seek("column:goal"), first, "reach the place that it was sent to"),
        (sm.AvoidObstacles([rocks, walls]), first, "go around a rock or an icy wall"),
        (sm.AvoidObstacles(trap), first, "go around the trap"),
        (sm.AvoidObstacles(sm.Spheres([[0, 0]], 1)), first, "go around what is in its way"),
        (sm.FollowPath(road), first, "follow the road"),
        (sm.TargetSpeed(0), first, "stand still"),
        (sm.TargetSpeed(0.1), first, "keep its usual speed"),
        (sm.Hide(wolves, rocks), first, "hide from the nearest wolf behind a rock"),
        (sm.Formation(dog), first, "take its place around the dog"),
        (sm.Formation([7, 8]), first, "take its place in the formation"),
    ):
        assert purpose_of(behavior, named=named) == expected


def test_a_place_that_a_vehicle_was_sent_to_is_called_by_its_name():
    """Of each vehicle its own, of whatever it was told last; one that was sent nowhere in particular goes nowhere by name."""
    world = sm.World()
    seek, fall_in = sm.Seek("column:goal"), sm.Formation("column:rally")
    steering = sm.Orders(seek + fall_in, {"goal": None, "rally": None})
    army = world.add(sm.Vehicles([[0.0, 0.0], [5.0, 0.0]]), name="army", steering=steering)
    army.order([0], goal=[7, 7])
    army.order([1], goal=[7, 8], rally=[3, 4])
    first, second = (namer(world, "army", {"lamp": (7.0, 7.0), "square": [3, 4]}, row) for row in (0, 1))
    assert purpose_of(seek, named=first) == "reach the lamp"
    assert purpose_of(seek, named=second) == "reach the place that it was sent to"
    assert purpose_of(fall_in, named=second) == "take its place at the square"
    assert purpose_of(fall_in.replace(slots="circle"), named=second) == "take its place around the square"


def test_what_a_behavior_reacts_to_is_called_by_its_name_without_an_article():
    """Of two targets, both are, in their order."""
    world = sm.World()
    dog, wolves = sm.Vehicles([[0.0, 0.0]]), sm.Vehicles([[7.0, 0]] * 2)
    rocks = sm.Spheres([[0, 0]], 1)
    for name, vehicles in (("dog", dog), ("wolves", wolves)):
        world.add(vehicles, name=name)
    names = namer(world, "dog", {"rocks": rocks, "lamp": (7.0, 7.0)}, 0)
    for behavior, expected in (
        (sm.Evade(dog), ("dog",)),
        (sm.Pursue(wolves), ("nearest wolf",)),
        (sm.Hide(wolves, rocks), ("nearest wolf", "rock")),
        (sm.Hide(wolves, sm.Spheres([[0, 0]], 1)), ("nearest wolf", "obstacle")),
        (sm.Seek([7, 7]), ("lamp",)),
        (sm.Seek([7, 8]), ()),
        (sm.AvoidObstacles(rocks), ("rock",)),
        (sm.AvoidObstacles(sm.Spheres([[0, 0]], 1)), ("obstacle",)),
        (sm.Separation(), ("neighbor",)),
        (sm.Interpose(dog, wolves, which_b=[0]), ("dog", "wolf")),
        (sm.Interpose(dog, [7, 8]), ()),
        (sm.Wander(), ()),
    ):
        assert reacts_to(behavior, names) == expected
        goal = "its goal" if isinstance(behavior, sm.Seek) else ""
        assert goal_of(behavior, reacts_to(behavior, names)) == ("lamp" if expected == ("lamp",) else goal)


def test_the_place_that_a_path_leads_to_is_called_by_the_name_of_the_path():
    road, lane = sm.Path([[0, 0], [9, 0]]), sm.Path([[0, 3], [9, 3]])
    names = namer(sm.World(), "cars", {"icy road": road}, 0)
    assert goal_of(sm.FollowPath(road), reacts_to(sm.FollowPath(road), names)) == "ahead on the icy road"
    assert goal_of(sm.FollowPath(lane), reacts_to(sm.FollowPath(lane), names)) == "ahead on the path"
    assert goal_of(sm.StayOnPath(road), reacts_to(sm.StayOnPath(road), names)) == ""


def test_the_place_that_a_map_leads_to_is_on_the_way_to_the_goal():
    names = namer(sm.World(), "cars", {"lamp": (7.0, 7.0)}, 0)
    floor = sm.RouteGrid(sm.Walls([[0, 4], [4, 4]]), region=sm.Box([9, 9]), spacing=1)
    for by, expected in ((None, "lamp"), (floor, "ahead on the way to the lamp")):
        ways = sm.GoTo([7, 7], by=by)
        assert goal_of(ways, reacts_to(ways, names)) == expected


def test_a_checkpoint_is_called_by_the_name_of_that_which_is_due():
    posts = [[0.0, 2.0], [3.0, 4.0]]
    world, round_ = sm.World(), sm.Patrol(posts)
    world.add(sm.Vehicles([[9.0, 9.0], [9.0, 8.0]]), name="guards", steering=round_)
    world.step()
    world.populations["guards"].remember("Patrol", [1], checkpoint=1)
    labels = {"the gate": posts[0], "post 2": posts[1]}
    assert [purpose_of(round_, named=namer(world, "guards", labels, row)) for row in (0, 1)] == [
        "reach the gate",
        "reach post 2",
    ]
    assert purpose_of(round_, named=namer(world, "guards", {}, 0)) == "reach its next checkpoint"


def test_a_function_is_called_by_what_its_docstring_says_that_it_returns():
    def behind(vehicles):
        """The place behind the cow, in an arc: shape (2,)."""
        return vehicles.position

    def wind(vehicles):
        """A constant force
        to the left."""
        return vehicles.velocity

    def other(vehicles):
        """Compute."""
        return vehicles.velocity

    names = namer(sm.World(), "riders", {}, 0)
    assert purpose_of(sm.Arrive(behind), named=names) == "arrive at the place behind the cow"
    assert purpose_of(sm.Arrive(other), named=names) == "arrive at its goal"
    assert purpose_of(Function(wind)) == "because a constant force to the left pushes it"
    assert purpose_of(Function(other)) == ""


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("wolves", "wolf"),
        ("quarries", "quarry"),
        ("grass", "grass"),
        ("sheep", "sheep"),
        ("wild boids", "wild boid"),
        ("dog", "dog"),
    ],
)
def test_the_singular_of_a_name(plural, singular):
    assert one_of(plural) == singular


def test_of_behaviors_with_parts_those_have_one_that_choose_another_motion():
    assert purpose_of(object.__new__(sm.ORCA), parts=True) == "without colliding"
    assert purpose_of(sm.Priority([sm.Seek((0, 0))]), parts=True) == ""
    rocks, world = sm.Spheres([[0, 0]], 1), sm.World()
    world.add(sm.Vehicles([[0.0, 0.0]]), name="dog")
    for known, words in (({"rocks": rocks}, ("a rock", "rock")), ({}, ("anything", "obstacle"))):
        named, behavior = namer(world, "dog", known, 0), sm.ContextMap([sm.Seek([0, 9])], obstacles=rocks)
        assert purpose_of(behavior, parts=True, named=named) == f"without hitting {words[0]}"
        assert reacts_to(behavior, named) == (words[1],)


def test_a_behavior_of_a_user_has_the_purpose_of_its_docstring():
    class Orbit(sm.Seek):
        """Circle around a point: at a distance, and at a speed."""

    assert purpose_of(Orbit((0, 0))) == "circle around a point"
    assert purpose_of(lambda vehicles: 0) == ""


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((5, 1), "get out of the way of the chief"),
        ((5, 2.4), "get out of the way of the chief"),
        ((5, 2.6), "place"),
        ((5, 4), "place"),
        ((-5, 0), "place"),
    ],
)
def test_a_follower_leaves_the_way_of_its_leader_or_comes_to_its_place(place, expected):
    world, chief = sm.World(), sm.Vehicles([[0.0, 0.0]], [[2.0, 0.0]])
    behavior = sm.FollowLeader(chief, clear_length=8, clear_width=4)
    world.add(sm.Vehicles([place], radius=0.5), name="crowd", steering=behavior)
    world.add(chief, name="chief")
    expected = expected.replace("place", "get to its place behind the chief")
    assert purpose_of(behavior, named=namer(world, "crowd", {}, 0)) == expected


@pytest.mark.parametrize(
    ("population", "size", "glyph", "noun"),
    [
        ("wolves", 3, "animal", "wolf"),
        ("caribou", 50, "animal", "caribou"),
        ("naive: quarries", 3, None, "quarry"),
        ("dog", 1, "animal", "dog"),
        ("vehicles", 12, "ship", "ship"),
        ("vehicles", 12, None, "vehicle"),
        ("stubborn", 4, "car", "car"),
        ("free", 4, "dart", ""),
        ("a", 1, None, ""),
    ],
)
def test_a_vehicle_is_called_what_its_population_or_its_glyph_says(population, size, glyph, noun):
    assert noun_of(population, size, glyph) == noun

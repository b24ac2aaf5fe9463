"""The purposes of behaviors, as ends of sentences."""

import re

import pytest

import steersman as sm
from steersman.core.steering.behavior import Behavior
from steersman.studio.viewer.purposes import NAMED, PURPOSES, namer, purpose_of

BEHAVIORS = [name for name in sm.__all__ if isinstance(each := getattr(sm, name), type) and issubclass(each, Behavior)]


@pytest.mark.parametrize("name", BEHAVIORS)
def test_each_behavior_has_a_purpose_that_ends_a_sentence(name):
    behavior = object.__new__(getattr(sm, name))
    words = purpose_of(behavior)
    assert re.fullmatch(r"[a-z][^.;:()]{4,90}", words), words


def test_purposes_are_those_of_behaviors():
    assert set(PURPOSES) <= {*BEHAVIORS, "Function"}
    assert set(NAMED) <= {*BEHAVIORS}


def test_targets_are_called_by_the_names_that_they_have_in_the_world():
    """Of populations, also in what is known of one; of places with labels, of which each vehicle may have its own."""
    world = sm.World()
    dog, sheep = sm.Vehicles([[0.0, 0.0]]), sm.Vehicles([[5.0, 0.0], [9.0, 0.0]])
    world.add(dog, name="dog")
    world.add(sheep, name="pasture: sheep")
    posts = [[1.0, 2.0], [3.0, 4.0]]
    labels = {"lamp": (7.0, 7.0), "post 2": posts[1], "1": posts[0], "home": [0, 9]}
    rocks, walls, road = sm.Spheres([[0, 0]], 1), sm.Walls([[0, 0], [1, 1]]), sm.Path([[0, 0], [9, 0]])
    labels |= {"rocks": rocks, "walls": walls, "road": road}
    first, second = (namer(world, labels, row) for row in (0, 1))
    for behavior, named, expected in (
        (sm.Evade(dog), first, "get away from where the dog will be"),
        (sm.Seek(sm.LastSeen(sheep, forget=5)), first, "reach the sheep"),
        (sm.Interpose(dog, sheep), first, "get between the dog and the sheep"),
        (sm.Interpose(dog, [1.0, 1.0]), first, "get between two others, and stay there"),
        (sm.Flee([7, 7]), second, "get away from the lamp"),
        (sm.Flee([7, 8]), second, "get away"),
        (sm.Arrive(posts), first, "get to place 1"),
        (sm.Arrive(posts), second, "get to post 2"),
        (sm.Seek([0, 9]), second, "reach home"),
        (sm.Seek(lambda: posts), first, "reach its target"),
        (sm.AvoidObstacles([rocks, walls]), first, "go around the rocks and walls"),
        (sm.AvoidObstacles(sm.Spheres([[0, 0]], 1)), first, "go around what is in its way"),
        (sm.FollowPath(road), first, "stay on the road"),
    ):
        assert purpose_of(behavior, named=named) == expected


def test_of_behaviors_with_parts_those_have_one_that_choose_another_motion():
    assert purpose_of(object.__new__(sm.ORCA), parts=True) == "without meeting others"
    assert purpose_of(sm.Priority([sm.Seek((0, 0))]), parts=True) == ""


def test_a_behavior_of_a_user_has_the_purpose_of_its_docstring():
    class Orbit(sm.Seek):
        """Circle around a point: at a distance, and at a speed."""

    assert purpose_of(Orbit((0, 0))) == "circle around a point"
    assert purpose_of(lambda vehicles: 0) == ""

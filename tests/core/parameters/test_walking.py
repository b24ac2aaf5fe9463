"""Walks over parameters, and parameters with other values in them."""

from typing import NamedTuple

import numpy as np

import steersman as sm
from steersman.core.parameters.walking import rewritten, walk

ROCKS = sm.Spheres([[0.0, 5.0]], 1.0)


def tree():
    modes = {"go": sm.Seek([1, 2], name="there") + sm.AvoidObstacles(ROCKS), "rest": sm.AvoidObstacles(ROCKS)}
    return sm.Modes(modes, start="go", transitions=[("go", "rest", sm.Near(target=[1, 2], distance=3))])


def kinds_in(value, **about):
    return [type(each).__name__ for each in walk(value, **about) if isinstance(each, (sm.Behavior, sm.Condition))]


def test_a_walk_comes_to_parts_in_sums_mappings_and_lists_outer_ones_first():
    assert kinds_in(tree()) == ["Modes", "WeightedSum", "Seek", "AvoidObstacles", "AvoidObstacles", "Near"]


def test_a_walk_comes_to_an_object_with_several_references_once():
    assert [each for each in walk((tree(), ROCKS)) if isinstance(each, sm.Spheres)] == [ROCKS]


def test_a_walk_leaves_out_numbers_and_texts():
    assert [*walk([1, 2.0, "three", None, True, {"four": (5,)}])] == [
        [1, 2.0, "three", None, True, {"four": (5,)}], {"four": (5,)}, (5,)
    ]  # fmt: skip


def test_a_walk_does_not_go_into_values_that_it_is_told_to_pass():
    assert kinds_in(tree(), inside=lambda value: not isinstance(value, sm.WeightedSum)) == [
        "Modes", "WeightedSum", "AvoidObstacles", "Near"
    ]  # fmt: skip


def test_an_object_that_is_replaced_in_several_places_stays_one():
    hill = sm.Spheres([[3.0, 4.0]], 2.0)
    made = rewritten(tree(), lambda value: hill if value is ROCKS else value)
    found = [each.obstacles for each in walk(made) if isinstance(each, sm.AvoidObstacles)]
    assert len(found) == 2
    assert found[0] is found[1] is hill


def test_an_object_that_changes_inside_stays_one():
    seek = sm.Seek([1, 2])
    made = rewritten([seek, (seek,)], lambda value: np.zeros(2) if value is seek.target else value)
    assert made[0] is made[1][0] is not seek
    np.testing.assert_array_equal(made[0].target, [0, 0])


def test_what_does_not_change_stays_the_same_object():
    before = tree()
    assert rewritten(before, lambda value: value) is before
    made = rewritten(before, lambda value: sm.Flee([0, 0]) if isinstance(value, sm.Seek) else value)
    assert kinds_in(made) == ["Modes", "WeightedSum", "Flee", "AvoidObstacles", "AvoidObstacles", "Near"]
    assert made.modes["rest"] is before.modes["rest"]


class Place(NamedTuple):
    x: int
    y: int


def test_containers_keep_their_kinds():
    made = rewritten([Place(1, 3), (3,), {"a": [3]}], lambda value: 4 if value == 3 else value)
    assert made == [Place(1, 4), (4,), {"a": [4]}]
    assert isinstance(made[0], Place)

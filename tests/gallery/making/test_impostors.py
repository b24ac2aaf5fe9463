"""Impostors: other behaviors in the place of those of a stage, wherever they stand in its trees."""

import pytest

import steersman as sm
from steersman.gallery.making.impostors import instead, nothing, without


def stage(steering):
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]], max_speed=1, max_force=1), name="ants", steering=steering)
    return sm.Stage(world)


def steering_after(impostor, steering):
    there = stage(steering)
    impostor(there)
    return there.world.populations["ants"].steering


def test_parts_of_a_sum_and_a_list_are_replaced():
    made = steering_after(
        instead(sm.Seek, lambda it: sm.Flee(it.target)), sm.Priority([sm.Wander(), 2 * sm.Seek([1, 2])])
    )
    assert repr(made) == repr(sm.Priority([sm.Wander(), 2 * sm.Flee([1, 2])]))


def test_conditions_of_modes_are_replaced():
    modes = {"go": sm.Seek([1, 2]), "rest": sm.Arrive([0, 0])}
    made = steering_after(
        instead(sm.After, sm.Near(target=[1, 2], distance=3)),
        sm.Modes(modes, start="go", transitions=[("go", "rest", sm.After(2))]),
    )
    assert repr(made) == repr(
        sm.Modes(modes, start="go", transitions=[("go", "rest", sm.Near(target=[1, 2], distance=3))])
    )


def test_bodies_are_replaced_and_those_of_other_populations_are_left():
    there = stage(sm.Seek([1, 2]))
    there.world.add(sm.Vehicles([[5, 5]]), name="bees", steering=sm.Seek([3, 4]), locomotion=sm.Wheeled(wheelbase=1))
    ants, bees = there.world.populations.values()
    instead(sm.Wheeled, sm.PointMass())(there)
    instead(sm.Seek, sm.Flee([0, 0]), of="bees")(there)
    assert repr(bees.locomotion) == repr(sm.PointMass())
    assert (repr(ants.steering), repr(bees.steering)) == (repr(sm.Seek([1, 2])), repr(sm.Flee([0, 0])))
    with pytest.raises(ValueError, match="there must be a Flee"):
        without(sm.Flee, of="ants")(there)


def test_what_is_left_out_wants_nothing():
    made = steering_after(without(sm.Seek), sm.Seek([1, 2]))
    assert made.function is nothing


def test_there_must_be_something_to_replace():
    with pytest.raises(ValueError, match="there must be a Flee to be replaced, there is none"):
        instead(sm.Flee, sm.Seek([1, 2]))(stage(sm.Seek([1, 2])))

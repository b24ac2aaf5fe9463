"""A warning of behaviors that turn bodies which cannot turn by themselves."""

import pytest

import steersman as sm


@pytest.mark.parametrize("turn", [sm.ReachOrientation(1.0), sm.Face([9.0, 9.0])])
def test_turning_a_point_mass_is_warned_of(turn: sm.Behavior) -> None:
    world = sm.World()
    world.add(sm.Vehicles([0.0, 0.0]), name="guards", steering=sm.Seek([9, 0]) + turn)
    with pytest.warns(
        RuntimeWarning, match=f"{turn.title} of 'guards' does nothing: a PointMass faces where it goes"
    ) as told:
        world.step()
    assert {each.filename for each in told} == {__file__}
    world.step()  # Once is enough.


def test_looking_where_one_goes_is_what_a_point_mass_does() -> None:
    world = sm.World()
    world.add(sm.Vehicles([0.0, 0.0]), steering=sm.LookWhereYouGo() + sm.Seek([9.0, 9.0]))
    world.step()


def test_a_free_body_turns() -> None:
    world = sm.World()
    world.add(sm.Vehicles([0.0, 0.0]), steering=sm.ReachOrientation(1.0), locomotion=sm.FreeBody())
    world.step()

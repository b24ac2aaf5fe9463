"""Conditions in plain words."""

import numpy as np
import pytest

import steersman as sm
from steersman.studio.viewer.conditions import PlainNames, plainly, reasons_of

WOLVES = sm.Vehicles([[0.0, 0.0]], max_speed=1)
SEEN, HEARD = sm.LastSeen(WOLVES, forget=9), sm.LastHeard(forget=9)


def tired(vehicles):
    return np.zeros(len(vehicles), bool)


@pytest.mark.parametrize(
    ("condition", "holds", "fails"),
    [
        (sm.Near(WOLVES, 30, leave=40), "wolves within 30 m", "wolves farther than 40 m"),
        (sm.Near([5, 2.5], 3), "(5, 2.5) within 3 m", "(5, 2.5) farther than 3 m"),
        (sm.Near([[1, 2], [3, 4]], 3), "one of 2 places within 3 m", "one of 2 places farther than 3 m"),
        (sm.Sees(WOLVES, range=5, memory=2), "it sees wolves", "it does not see wolves"),
        (sm.Knows(SEEN), "it knows where wolves may be", "it has forgotten wolves"),
        (sm.Knows(SEEN, within=2), "it has news of wolves, at most 2 s old", "it has had no news of wolves for 2 s"),
        (sm.Knows(HEARD, within=2), "it has news of a noise, at most 2 s old", "it has had no news of a noise for 2 s"),
        (sm.Near(SEEN, 2), "the last known place of wolves within 2 m", "the last known place of wolves farther than 2 m"),
        (sm.Arrived([5, 2]), "it has arrived at (5, 2)", "it has not arrived at (5, 2)"),
        (sm.Sees([7, 1], range=5), "it sees the camp", "it does not see the camp"),
        (sm.After(9), "9 s are over", "9 s are not over"),
        (sm.Chance(0.25), "of chance (0.25 times a second)", "chance did not have it"),
        (sm.Where(tired), "“tired” holds", "“tired” does not hold"),
        (sm.Where(lambda it: it.id > 2), "a function of the program holds", "a function of the program does not hold"),
        (sm.After(9, name="an itch"), "an itch", "not an itch"),
        (sm.After(9) & ~sm.Sees(WOLVES), "9 s are over and it does not see wolves", "9 s are not over or it sees wolves"),
        (sm.After(9) | sm.After(2), "9 s are over or 2 s are over", "9 s are not over and 2 s are not over"),
    ],
)  # fmt: skip
def test_a_condition_and_its_opposite(condition, holds, fails):
    names = PlainNames({"wolves": WOLVES}, {"camp": [7, 1], "fold": sm.Spheres([[5, 2]], 1)})
    assert plainly(condition, names) == holds
    assert plainly(condition, names, holds=False) == fails
    assert plainly(~condition, names) == fails


def test_reasons_are_found_by_transition():
    world = sm.World(dt=0.1)
    tree = sm.Modes({"a": sm.Wander(), "b": sm.Wander()}, start="a", transitions=[("a", "b", sm.Near(WOLVES, 9))])
    sheep = world.add(sm.Vehicles([[1.0, 1.0]], max_speed=1), name="sheep", steering=sm.Priority([tree]))
    world.add(WOLVES, name="wolves")
    world.run(steps=2)
    (change,) = [node.change for node in world.explain("sheep").walk() if node.change is not None]
    assert reasons_of(world, sheep.name)[int(change.fired[0])] == "wolves within 9 m"

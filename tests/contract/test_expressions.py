"""What a behavior is printed as is Python that makes it again, short."""

import numpy as np
from contract.examples import EXAMPLES
from contract.examples.modes import Slow
from contract.examples.users import Drift, Tiring
from contract.places import State
from contract.trying import ALL

import steersman as sm
from steersman.core.parameters.expression import names_in
from steersman.core.steering.behavior import as_behavior

KNOWN = {"sm": sm, "Slow": Slow, "Drift": Drift, "Tiring": Tiring}


@ALL
def test_the_expression_of_a_tree_makes_the_same_tree(name: str) -> None:
    tree = as_behavior(EXAMPLES[name](State.random(5, 3 if "roll" in name else 2).place()))
    again = as_behavior(eval(repr(tree), KNOWN | names_in(tree)))
    assert again == tree
    assert repr(again) == repr(tree)


def test_only_what_is_chosen_is_written() -> None:
    rocks = sm.Spheres([[60, 80], [140, 120]], [12, 20])
    assert (
        repr(sm.AvoidObstacles(rocks)) == "sm.AvoidObstacles(sm.Spheres([[60.0, 80.0], [140.0, 120.0]], [12.0, 20.0]))"
    )
    assert repr(sm.Box([20, 10])) == "sm.Box([20.0, 10.0])"
    assert repr(sm.Wander("turn", rate=2.0)) == "sm.Wander('turn', rate=2.0)"


def test_sums_are_written_as_equations() -> None:
    tree = 1.5 * sm.Separation(radius=4) + sm.Cohesion(radius=9)
    assert repr(tree) == "1.5 * sm.Separation(radius=4) + sm.Cohesion(radius=9)"
    assert repr(sm.WeightedSum([sm.Wander()], weights=[2])) == "sm.WeightedSum([sm.Wander()], weights=(2.0,))"


def test_what_is_long_or_lives_stands_by_a_name() -> None:
    many = sm.Spheres(np.random.default_rng(1).uniform(0, 99, (50, 2)), 2.0)
    ants, bees = sm.Vehicles([[0, 0]]), sm.Vehicles([[9, 9]])
    tree = sm.Priority([sm.AvoidObstacles(many), sm.Seek(ants), sm.Flee(bees), sm.Pursue(ants)])
    assert repr(tree) == (
        "sm.Priority([sm.AvoidObstacles(spheres), sm.Seek(vehicles), sm.Flee(vehicles_2), sm.Pursue(vehicles)])"
    )
    assert names_in(tree) == {"spheres": many, "vehicles": ants, "vehicles_2": bees}

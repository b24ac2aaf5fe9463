"""Standard impostors: found in the trees of a stage, each changes one population and nothing else."""

import numpy as np
import pytest
from stories import impostors_of

import steersman as sm
from steersman.gallery.making.scenario import Scenario
from tests.standard_impostors import fewer, standard_impostors

ROCKS = sm.Spheres([[9, 0], [0, 9], [-9, 0]], [1, 2, 3])


def stage(*, seed: int = 0, n: int = 1) -> sm.Stage:
    """Hunters with most of what there are rules about, and quarries that run."""
    world = sm.World(seed=seed)
    quarries = sm.Vehicles([[20, 0], [20, 9]], [1, 0], max_speed=1, max_force=1)
    hunters = sm.Vehicles([[0, 0], [0, 5]], [0, 3], max_speed=2, max_force=1)
    world.add(
        hunters,
        name="hunters",
        steering=sm.Priority([sm.AvoidObstacles(ROCKS), sm.Pursue(quarries) + sm.Separation() + 0.5 * sm.Alignment()]),
        locomotion=sm.Wheeled(wheelbase=1),
    )
    world.add(quarries, name="quarries", steering=sm.Evade(hunters))
    return sm.Stage(world)


def after(name: str) -> sm.World:
    """The world of the stage with an impostor."""
    there = stage()
    standard_impostors(there)[name](there)
    return there.world


def test_all_that_a_stage_has_parts_for():
    assert sorted(standard_impostors(stage())) == [
        "hunters: Alignment is told the heading", "hunters: AvoidObstacles ignores some",
        "hunters: AvoidObstacles is left out", "hunters: Pursue predicts 1 s, always", "hunters: Pursue seeks",
        "hunters: Separation is left out", "hunters: Wheeled has no wheelbase", "hunters: drift",
        "hunters: point masses", "hunters: stand still", "quarries: Evade flees",
        "quarries: Evade minds the first alone", "quarries: Evade predicts 5 s, always", "quarries: drift",
        "quarries: stand still",
    ]  # fmt: skip


def test_who_stands_still_is_at_rest_and_who_drifts_is_not():
    for name, speed in (("hunters: stand still", 0), ("hunters: drift", 3)):
        world = after(name)
        assert world.populations["hunters"].steering is None
        assert world.populations["quarries"].steering is not None
        assert world["hunters"].speed.tolist() == [speed, speed]


def test_a_part_is_replaced_wherever_it_stands():
    seeking = repr(after("hunters: Pursue seeks").populations["hunters"].steering)
    assert "Seek(" in seeking
    assert "Pursue(" not in seeking
    assert "Separation(" in seeking
    told = repr(after("hunters: Alignment is told the heading").populations["hunters"].steering)
    assert "MatchVelocity([3" in told.replace("array(", "")


def test_bodies_are_exchanged():
    assert type(after("hunters: point masses").populations["hunters"].locomotion) is sm.PointMass
    assert after("hunters: Wheeled has no wheelbase").populations["hunters"].locomotion.wheelbase is None


def test_the_first_pursuer_alone_is_minded():
    assert after("quarries: Evade minds the first alone").populations["quarries"].steering.which == "first"


def test_every_impostor_runs():
    for name in standard_impostors(stage()):
        after(name).run(steps=2)


def test_every_other_obstacle_is_ignored():
    assert fewer(ROCKS).center.tolist() == [[0, 9]]
    assert fewer(ROCKS).radius.tolist() == [2]
    assert fewer(sm.Spheres([[0, 0]], 1)) is None


def test_one_of_several_walls_is_ignored():
    assert len(fewer(sm.Walls([[[0, 0], [1, 0]], [[0, 5], [1, 5]]]))) == 1
    ring = fewer(sm.Walls([[0, 0], [4, 0], [4, 4]], closed=True))
    assert ring.points[0].tolist() == [[4, 0], [4, 4], [0, 0]]
    assert fewer(sm.Walls([[0, 0], [1, 0]])) is None


def test_exemptions_must_be_of_something():
    scenario = Scenario(stage, tags=("test",), exempt={"hunters: drift": "said so"}, name="hunt")
    assert "hunters: drift" not in impostors_of(scenario)
    assert "hunters: stand still" in impostors_of(scenario)
    with pytest.raises(ValueError, match="exempt from what there is not: \\['hunters: dance'\\]"):
        impostors_of(Scenario(stage, exempt={"hunters: dance": "no"}, name="hunt"))


def test_places_are_told_where_neighbors_were_asked():
    world = sm.World()
    crowd = sm.Vehicles([[0, 0], [4, 2]], [1, 0], max_speed=2, max_force=1)
    world.add(crowd, name="crowd", steering=sm.Cohesion() + sm.Flocking())
    there = sm.Stage(world)
    standard_impostors(there)["crowd: Cohesion is told the place"](there)
    assert "Seek(" in repr(world.populations["crowd"].steering)
    there = sm.Stage(world)
    standard_impostors(there)["crowd: Flocking is told the heading"](there)
    world.run(steps=2)
    assert np.isfinite(crowd.position).all()

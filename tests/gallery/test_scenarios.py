"""The built-in scenarios: each builds, runs, passes its check, and fails it when an impostor takes part.

One seed is tried here, and of every second scenario that does not run for long one of its own impostors, which its name
chooses; with STEERSMAN_ALL=1 all impostors of all scenarios are. `python -m tests.stories` tries all, with twenty seeds and
all numbers of vehicles.
"""

import numpy as np
import pytest
from runs.documents.rounds import read_again
from sampling import EVERYTHING, drawn, is_drawn
from stories import Trial, impostors_of

from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.world.state_hash import state_hash
from steersman.core.world.surroundings import surroundings
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.problems import ScenarioError

LONG = {"capture_the_flag", "cowboys", "hide_and_seek", "map_drive", "mounts", "patrol", "pedestrians", "soccer"}
"""Scenarios that run for five seconds or more; their impostors are tried with STEERSMAN_ALL=1 alone."""

pytestmark = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)


def test_it_passes_its_check(scenario):
    assert Trial(scenario.name, scenario.quick or scenario.n, 1).problems() == []


def test_its_check_fails_for_an_impostor(scenario):
    if (scenario.name in LONG or not is_drawn(scenario.name, 2, "impostors")) and not EVERYTHING:
        pytest.skip("it is tried with STEERSMAN_ALL=1")
    names = impostors_of(scenario)
    own = [name for name in names if name in scenario.impostors]
    passed = [
        impostor
        for impostor in (names if EVERYTHING else drawn(own or names, 1, scenario.name))
        if not Trial(scenario.name, scenario.quick or scenario.n, 1, impostor).problems()
    ]
    assert passed == []


def told_of(stage):
    """What a stage tells of itself before its first step: state, trees, bodies and obstacles."""
    world = stage.world
    populations = world.populations.values()
    known = [each for each in surroundings(populations, world.constraints) if isinstance(each, Obstacles)]
    seen = sorted(str(each.bounding_spheres()) for each in known)
    parts = [(each.steering, each.locomotion, each.flows) for each in populations]
    return repr((state_hash(world), world.dt, world.constraints, parts, seen))


def test_its_impostors_are_others_than_it_and_than_each_other(scenario):
    """All of them: of few it is tried whether the check fails."""
    told = {}
    for name, impostor in {"the scenario itself": lambda _: None, **scenario.impostors}.items():
        stage = scenario.stage(n=scenario.quick, seed=1, threads=1)
        impostor(stage)
        told.setdefault(told_of(stage), []).append(name)
    assert [names for names in told.values() if len(names) > 1] == []


def test_all_obstacles_are_perceived(scenario):
    stage = scenario.stage(n=scenario.quick)
    known = {id(each) for each in surroundings(stage.world.populations.values(), stage.world.constraints)}
    unseen = [name for name, each in stage.scenery.items() if isinstance(each, Obstacles) and id(each) not in known]
    assert unseen == []


@pytest.mark.one_in(3)
def test_the_resolved_document_gives_the_same_bits(scenario):
    n = min(scenario.n, 40)
    first = scenario.stage(n=n, seed=3, threads=1)
    again = read_again(first, threads=2)
    other = scenario.stage(n=n, seed=4)
    hashes = []
    for stage in (first, again, other):
        stage.world.run(steps=30)
        hashes.append(state_hash(stage.world))
    assert hashes[0] == hashes[1] != hashes[2]


def test_it_is_described(scenario):
    stage = scenario.stage(n=4)
    assert scenario.shows.endswith(".")
    assert scenario.tags
    assert stage.name == scenario.name
    assert next(iter(stage.world.populations.values())).vehicles.dimensions == scenario.dimensions
    assert len(stage.meters)


@pytest.mark.each_value
@pytest.mark.parametrize("n", [1, 2])
def test_few_vehicles_will_do(scenario, n):
    world = scenario.build(n=n, seed=0)
    world.run(steps=5)
    assert all(np.isfinite(population.vehicles.block).all() for population in world.populations.values())


def test_nonsense_is_refused(scenario):
    with pytest.raises(ScenarioError, match="n must be a whole number >= 1, got 0"):
        scenario.build(n=0)
    with pytest.raises(ScenarioError, match="seed must be a whole number >= 0"):
        scenario.build(seed=-1)

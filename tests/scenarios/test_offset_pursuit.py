"""The scenario of offset pursuit: it holds for every seed, and for nothing else that goes to the cruiser."""

import pytest

import steersman as sm
from steersman.scenarios.library.offset_pursuit import RADIUS
from steersman.scenarios.registry import SCENARIOS

SCENARIO = SCENARIOS["offset_pursuit"]


def problems(seed, instead=None):
    stage = SCENARIO.stage(n=8, seed=seed, threads=1)
    if instead is not None:
        stage.world.populations["ships"].steering = instead(stage.world["cruiser"])
    stage.world.run(steps=stage.steps)
    return list(SCENARIO.check(stage.world))


def test_it_passes_whatever_the_seed():
    assert {seed: problems(seed) for seed in range(20)} == {seed: [] for seed in range(20)}


@pytest.mark.parametrize(
    "instead",
    [
        lambda cruiser: sm.Shadow(cruiser, distance=RADIUS),
        sm.Seek,
        sm.Pursue,
        lambda cruiser: sm.OffsetPursuit(cruiser, radius=RADIUS, law="literal"),
    ],
    ids=["shadow", "seek", "pursue", "literal"],
)
def test_its_check_fails_for_other_behaviors(instead):
    assert all(problems(seed, instead) for seed in range(3))

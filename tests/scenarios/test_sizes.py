"""Scenarios pass their checks with few and with many, not only with the numbers they come with."""

import pytest

from steersman.scenarios.registry import SCENARIOS


@pytest.mark.parametrize(
    ("name", "n", "seed"),
    [
        ("flocking", 100, 0),
        ("flocking", 2000, 0),
        ("murmuration", 150, 0),
        ("murmuration", 600, 2),
        ("circle_swap", 60, 0),
        ("circle_swap", 2, 0),
        ("circle_swap_orca", 60, 0),
    ],
)
def test_it_passes_its_check(name, n, seed):
    stage = SCENARIOS[name].stage(n=n, seed=seed)
    stage.world.run(steps=stage.steps)
    assert stage.check(stage.world) == []

"""Some random walks over the library; `python -m tests.walks --hours 3` walks on."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import walks
from sampling import EVERYTHING

import steersman as sm

WALKS, LENGTH = 25 if EVERYTHING else 10, 40


def test_walks_hold_their_bits_and_stay_finite() -> None:
    walks.walk(WALKS, LENGTH)


@pytest.mark.parametrize("d", [2, 3])
def test_a_walk_has_every_tree_and_body(d: int) -> None:
    """What is refused when it is made is refused alike in both worlds: a walk would leave it out, and say nothing."""
    rng = np.random.default_rng(1)
    world = sm.World(seed=1, threads=1)
    for name in walks.NAMES:
        world.add(sm.Vehicles(rng.uniform(-15, 15, (3, d))), name=name)
    a, other = world.populations["a"], world["b"]
    for made in walks.TREES.values():
        a.steering = made(d, rng, other)
    for made in walks.BODIES.values():
        a.locomotion = made(d, rng, other)


def test_a_walk_is_not_asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that accepts what is not finite is found."""
    honest = sm.World.step

    def careless(world: sm.World, dt: float | None = None) -> None:
        honest(world, dt)
        for each in world.populations.values():
            if len(each.vehicles) > 2:
                each.vehicles.velocity[2] = np.nan

    monkeypatch.setattr(sm.World, "step", careless)
    with pytest.raises(AssertionError, match="a step has accepted what is not finite"):
        walks.walk(WALKS, LENGTH)


def test_the_command_walks() -> None:
    command = [sys.executable, "-m", "tests.walks", "--hours", "0"]
    assert subprocess.run(command, cwd=Path(__file__).parents[2], check=False).returncode == 0

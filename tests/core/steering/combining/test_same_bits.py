"""Every combinator gives the same bits for any number of threads, and any way to cut rows into blocks."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world import section
from steersman.core.world.state_hash import state_hash

ROCKS = sm.Spheres(np.random.default_rng(0).uniform(0, 100, (12, 2)), 3.0)


def even(vehicles: sm.Vehicles) -> Any:
    return vehicles.id % 2 == 0


def tree() -> Any:
    """All of them in one."""
    goal, flee = sm.Seek([90.0, 50.0]), sm.Flee([40.0, 40.0], panic_distance=30.0)
    return sm.Priority(
        [
            sm.Dithered([sm.AvoidObstacles(ROCKS), flee], probabilities=(0.8, 0.3)),
            sm.Switch(sm.ContextMap([goal, sm.Wander()], danger=[flee], obstacles=ROCKS, directions=8), on=even),
            sm.Switch(sm.ContextMap([goal], neighbors=True, time_horizon=1.0), on=lambda v: v.id % 5 == 0),
            sm.Switch(sm.Pipeline(sm.Toward([5.0, 5.0]), constraints=sm.KeepClear(ROCKS)), on=lambda v: v.id % 3 == 0),
            sm.RoundRobin([sm.TruncatedSum([0.3 * flee, sm.Wander(), goal]), goal + 0.5 * sm.Wander("turn")]),
        ]
    )


def run(threads: int) -> str:
    rng = np.random.default_rng(4)
    vehicles = sm.Vehicles(rng.uniform(0, 100, (5000, 2)), rng.normal(0, 2, (5000, 2)), max_speed=4.0, max_force=9.0)
    world = sm.World(seed=6, threads=threads, dt=0.02)
    world.add(vehicles, steering=tree())
    world.run(steps=6)
    return state_hash(world)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    assert run(1) == run(2) == run(3)


@pytest.mark.parametrize("size", [64, 1024])
def test_any_size_of_blocks_gives_the_same_bits(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run(1)
    monkeypatch.setattr(section, "BLOCK", size)
    assert run(1) == expected

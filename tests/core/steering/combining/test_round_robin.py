"""RoundRobin: whose turn it is, and that momentum makes the mean of it."""

import itertools

import numpy as np
import pytest
from core.steering.combining.crowd import Push, some, steer

import steersman as sm


@pytest.mark.parametrize(("dt", "each"), [(0.02, 5), (0.05, 2), (0.1, 1)])
def test_turns_take_the_period_at_any_frame_rate(dt: float, each: int) -> None:
    tree = sm.RoundRobin([Push(1, 0), Push(2, 0), Push(3, 0)], period=0.1)
    force = steer(some(2), tree, steps=12 * each, dt=dt)[:, 0, 0]
    np.testing.assert_array_equal(force, np.repeat(np.tile([1, 2, 3], 4), each))


@pytest.mark.parametrize("dt", [0.04, 1 / 15, 0.1, 0.5])
def test_no_turn_is_left_out_where_steps_are_long(dt: float) -> None:
    """With two parts and steps of two periods the second part would never be heard."""
    force = steer(some(2), sm.RoundRobin([Push(1, 0), Push(2, 0)]), steps=8, dt=dt)[:, 0, 0]
    np.testing.assert_array_equal(force, [1, 2] * 4)


def test_only_the_part_whose_turn_it_is_is_computed() -> None:
    parts = [Push(1, 0), Push(2, 0), Push(3, 0)]
    steer(some(), sm.RoundRobin(parts, period=0.1), steps=10, dt=0.1)
    assert [part.asked for part in parts] == [4, 3, 3]


def test_momentum_makes_the_mean_of_it() -> None:
    """Heavy vehicles go where the mean force sends them."""
    ways = {}
    for name, steering in (
        ("turns", sm.RoundRobin([Push(3, 0), Push(0, 1)])),
        ("mean", sm.WeightedSum([Push(3, 0), Push(0, 1)], weights=(0.5, 0.5), each="raw")),
    ):
        vehicles = sm.Vehicles([[0.0, 0.0]], mass=5.0, max_speed=50.0, max_force=50.0, dtype=np.float64)
        world = sm.World(threads=1)
        world.add(vehicles, steering=steering)
        world.run(seconds=4, dt=1 / 60)
        ways[name] = vehicles.position[0].copy()
    np.testing.assert_allclose(ways["turns"], ways["mean"], rtol=0.02)


def test_memory_rests_between_turns() -> None:
    world = sm.World(seed=1, threads=1)
    population = world.add(some(), steering=sm.RoundRobin([sm.Wander(), Push(0, 0)], period=0.1))
    seen = [next(iter(population.memories.values())).snapshot()["point"]]
    for _ in range(4):
        world.step(0.1)
        seen.append(next(iter(population.memories.values())).snapshot()["point"])
    changed = [bool((b != a).any()) for a, b in itertools.pairwise(seen)]
    assert changed == [True, False, True, False]

"""Trees of every combinator are edited while running, and nobody's memory is lost or mixed up."""

import time
from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import some

import steersman as sm
from steersman.core.steering.tree.tree import assign_keys, grow

ROCKS = sm.Spheres([[50.0, 50.0]], 1.0)
ASLEEP = sm.Flee([900.0, 0.0], panic_distance=1.0)


def seek() -> sm.Seek:
    return sm.Seek([1.0, 2.0])


EDITS = {
    "truncated sum": (
        lambda: sm.TruncatedSum([seek(), sm.Wander("turn")]),
        lambda: sm.TruncatedSum([ASLEEP, 0.5 * seek(), 2 * sm.Wander("turn")], accounting="lengths"),
    ),
    "dithered": (
        lambda: sm.Dithered([seek(), sm.Wander("turn")], probabilities=(0.5, 1)),
        lambda: sm.Dithered([ASLEEP, seek(), sm.Wander("turn")], probabilities=(1, 0.1, 0.9), period=0.5),
    ),
    "round robin": (
        lambda: sm.RoundRobin([sm.Wander("turn"), seek()]),
        lambda: sm.RoundRobin([sm.Wander("turn"), seek(), ASLEEP], period=0.5),
    ),
    "switch": (
        lambda: sm.Switch(sm.Wander("turn"), on=lambda vehicles: True),
        lambda: sm.Switch(sm.Wander("turn"), on=np.ones(6, bool)),
    ),
    "context map": (
        lambda: sm.ContextMap([sm.Wander("turn")], danger=[ASLEEP]),
        lambda: sm.ContextMap([seek(), sm.Wander("turn")], danger=[ASLEEP], obstacles=ROCKS, directions=12),
    ),
    "pipeline": (
        lambda: sm.Pipeline(sm.Toward([1.0, 2.0]), constraints=sm.KeepClear(ROCKS), fallback=sm.Wander("turn")),
        lambda: sm.Pipeline(sm.Toward([3.0, 2.0]), fallback=sm.Wander("turn"), rounds=2),
    ),
    "from one to another": (
        lambda: sm.RoundRobin([seek(), sm.Wander("turn")]),
        lambda: sm.Priority([ASLEEP, sm.TruncatedSum([sm.ContextMap([sm.Wander("turn")]), seek()])]),
    ),
}


@pytest.mark.parametrize(("before", "after"), EDITS.values(), ids=EDITS)
def test_a_wander_keeps_its_memory(before: Any, after: Any) -> None:
    world = sm.World(seed=2, threads=1, dt=0.05)
    population = world.add(some(), steering=before())
    world.run(steps=7)
    angles = population.memory("Wander")["angles"]
    key = population.node("Wander").key
    population.steering = after()
    np.testing.assert_array_equal(population.memory("Wander")["angles"], angles)
    assert population.node("Wander").key == key
    world.run(steps=7)


def test_the_way_taken_last_is_kept_too() -> None:
    world = sm.World(seed=2, threads=1, dt=0.05)
    population = world.add(some(), steering=sm.ContextMap([seek()]))
    world.run(steps=3)
    way = population.memory("ContextMap")["direction"]
    np.testing.assert_allclose(np.linalg.norm(way, axis=1), 1)
    population.steering = sm.ContextMap([seek()], commitment=0.3, directions=32)
    np.testing.assert_array_equal(population.memory("ContextMap")["direction"], way)


@pytest.mark.parametrize("kind", ["all different", "all alike", "a few of many"])
def test_hundreds_of_parts_are_matched_quickly(kind: str) -> None:
    """Two seconds and a half it once took; it is to be done in a frame or two."""
    place = {"all different": lambda k: float(k), "all alike": lambda k: 0.0, "a few of many": lambda k: k * 7.0 % 13}
    tree = grow(sm.WeightedSum([sm.Seek([place[kind](k), 2.0]) for k in range(300)]))
    first = assign_keys(tree, None, 0)
    parts = [sm.Seek([place[kind](k), 2.0]) for k in range(300)]
    edited = grow(sm.WeightedSum([*parts[:150], sm.Seek([-1.0, 0.0]), *parts[150:]]))
    start = time.thread_time()  # Other programs do not count.
    assign_keys(edited, tree, first)
    assert time.thread_time() - start < 0.8
    keys = [node.key for node in edited.children]
    assert keys[:150] + keys[151:] == [node.key for node in tree.children]
    assert keys[150] >= first

"""The trace: what every node contributed to a step."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.trace import Record
from steersman.core.world.plan import SteeringPlan
from steersman.core.world.population import Population

ROCKS = sm.Spheres([[14.0, 10.0], [5.0, 12.0]], [2.0, 1.0])


def herd() -> sm.Vehicles:
    rng = np.random.default_rng(5)
    return sm.Vehicles(
        rng.uniform(0, 20, (12, 2)), rng.normal(0, 1, (12, 2)), max_speed=3.0, max_force=4.0, dtype=float
    )


def trace(vehicles: sm.Vehicles, steering: Any) -> list[Record]:
    clock = Clock.new(vehicles.dtype)
    clock.set(0.1, 0, 0.0)
    population = Population("vehicles", vehicles, steering, sm.PointMass())
    plan = SteeringPlan(population, sm.Open(), clock, 0, np.zeros((2, len(vehicles))))
    return plan.trace().records


def stacked(columns: Any) -> Any:
    return np.stack(columns, axis=1)


def hardly_anything(vehicles: sm.Vehicles) -> Any:
    """A force too small to claim anybody."""
    return vehicles.velocity * 1e-8


TREES = {
    "sum": 1.5 * sm.Seek([3.0, 4.0]) + 0.5 * sm.Wander() + sm.Separation(radius=4.0),
    "raw sum": sm.WeightedSum([sm.Seek([3.0, 4.0]), sm.Wander()], weights=(2, -1), each="raw"),
    "shares": sm.WeightedSum([sm.Seek([3.0, 4.0]), sm.Wander()], weights=(2, 1), normalize_weights=True),
    "flocking": sm.Flocking(),
    "priority": sm.Priority([
        hardly_anything, sm.AvoidObstacles(ROCKS), sm.Separation(radius=2.0), sm.Seek([3.0, 4.0])
    ]),
    "nested": sm.Priority([
        sm.AvoidObstacles(ROCKS),
        sm.WeightedSum([sm.Separation(radius=2.0), 2 * sm.Alignment(radius=3.0)], each="normalize"),
        sm.Priority([sm.Flee([10.0, 10.0], panic_distance=5.0), lambda vehicles: -vehicles.velocity]),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_every_node_is_recorded_parents_first(tree: Any) -> None:
    records = trace(herd(), tree)
    assert records[0].depth == 0
    assert [record.node for record in records] == list(records[0].node.walk())
    assert all(record.depth == record.node.depth for record in records)


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_what_is_kept_of_the_parts_is_the_whole(tree: Any) -> None:
    records = trace(herd(), tree)
    kept = {id(record.node): stacked(record.contribution) for record in records}
    for record in records:
        if record.node.children:
            parts = sum(kept[id(child)] for child in record.node.children)
            np.testing.assert_allclose(stacked(record.raw), parts, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(stacked(records[0].contribution), stacked(records[0].raw))


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_steering_without_the_trace_gives_the_same_force(tree: Any) -> None:
    vehicles = herd()
    raw = stacked(trace(vehicles, tree)[0].raw)
    size = np.linalg.norm(raw, axis=1, keepdims=True)
    expected = raw * np.minimum(1, 4.0 / np.maximum(size, 1e-300))
    np.testing.assert_allclose(sm.Controller(vehicles, tree, threads=1).steer(0.1), expected, rtol=1e-9, atol=1e-12)


def test_a_priority_keeps_the_winner_alone() -> None:
    vehicles = herd()
    records = trace(vehicles, TREES["priority"])
    parts = records[1:]
    acts = np.stack([record.acts for record in parts])
    assert acts.sum(axis=0).max() == 1, "a part below a winner was asked"
    assert (acts.sum(axis=1) > 0).sum() >= 2, "the example is too plain"
    for record in parts:
        kept, raw = stacked(record.contribution), stacked(record.raw)
        won = record.acts != 0
        np.testing.assert_allclose(kept[won], raw[won])
        assert not kept[~won].any()


def test_a_part_is_limited_or_stretched_as_the_sum_asks() -> None:
    vehicles = herd()
    for each in ("limit", "normalize"):
        tree = sm.WeightedSum([sm.Seek([3.0, 4.0]), lambda v: v.velocity * 0.1], weights=(0.5, 2), each=each)
        seek, push = trace(vehicles, tree)[1:]
        for record, weight in ((seek, 0.5), (push, 2)):
            raw = np.linalg.norm(stacked(record.raw), axis=1)
            expected = weight * (np.minimum(raw, 4.0) if each == "limit" else 4.0)
            np.testing.assert_allclose(np.linalg.norm(stacked(record.contribution), axis=1), expected)


def test_nothing_advances_while_tracing() -> None:
    vehicles = herd()
    population = Population("vehicles", vehicles, sm.Wander(), sm.PointMass())
    plan = SteeringPlan(population, sm.Open(), Clock.new(vehicles.dtype), 0, np.zeros((2, 12)))
    plan.clock.set(0.1, 0, 0.0)
    before, block = population.memories[0].snapshot()["point"], vehicles.block.copy()
    first, again = (stacked(plan.trace().records[0].raw) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(population.memories[0].snapshot()["point"], before)
    np.testing.assert_array_equal(vehicles.block, block)


def test_the_innermost_culprit_of_a_bad_force_is_named() -> None:
    def broken(vehicles: sm.Vehicles) -> Any:
        force = vehicles.velocity * 0
        force[vehicles.id == 7] = np.nan
        return force

    tree = sm.Priority(
        [sm.Flee([9e5, 0.0], panic_distance=1.0), sm.Wander() + 0.5 * sm.Priority([broken], name="inner")]
    )
    controller = sm.Controller(herd(), tree, threads=1)
    with pytest.raises(sm.NonFiniteError, match=r"broken made the force \[nan, nan\] N for vehicle 7 of 'vehicles'"):
        controller.steer(0.1)

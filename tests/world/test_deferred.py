"""Neighbors that only some modes need are looked at for those who are in them, and not at all while nobody is."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.geometry.kernel import ENTRY_POINTS
from steersman.neighborhood.neighbor_pass import NeighborPass, to_columns
from steersman.steering.behavior import Behavior

FLOCK = sm.Separation(radius=3) + sm.Cohesion(radius=6, angle=5.0) + sm.Alignment(radius=6, angle=5.0)


def in_turns(vehicles: sm.Vehicles) -> Any:
    """Every fifth, and in turns: whose position is left of a line."""
    return (vehicles.id % 5 == 0) | (vehicles.position[:, 0] < 12)


def machine() -> sm.Behavior:
    flock = sm.Priority([sm.AvoidNeighbors(lookahead=1.0), FLOCK])
    inner = sm.Modes({"x": sm.Seek([9.0, 9.0]) + FLOCK, "y": sm.Cohesion(radius=6, angle=5.0)}, start="x",
                     transitions=[("x", "y", sm.After(0.1))])  # fmt: skip
    return sm.Modes(
        {"flock": flock, "more": sm.Seek([0.0, 0.0]) + inner, "rest": sm.Wander()},
        start="rest",
        transitions=[("rest", "flock", in_turns), ("flock", "more", sm.After(0.15)), ("more", "rest", sm.After(0.2))],
    )


def switched() -> sm.Behavior:
    return sm.Switch(FLOCK, on=in_turns) + sm.Switch(sm.Separation(radius=5), on=False) + 0.5 * sm.Wander()


def end_of(tree: sm.Behavior, n: int, threads: int, steps: int = 24) -> bytes:
    rng = np.random.default_rng(3)
    size = (n * 4.0) ** 0.5
    vehicles = sm.Vehicles(rng.uniform(0, size, (n, 2)), rng.normal(0, 3, (n, 2)), max_speed=6, max_force=20)
    vehicles.position[:9] = vehicles.position[9]
    world = sm.World(domain=sm.Torus([size, size]), dt=1 / 60, threads=threads)
    world.add(vehicles, steering=tree)
    world.run(steps=steps)
    return vehicles.block.tobytes()


@pytest.mark.parametrize("make", [machine, switched])
def test_the_bits_are_those_of_looking_at_everybody_before(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = [end_of(make(), n, threads, steps) for n, threads, steps in ((500, 1, 24), (5000, 2, 8))]
    for kind in (sm.Modes, sm.Switch):
        monkeypatch.setattr(kind, "defers", Behavior.defers)
    assert ends == [end_of(make(), n, 1, steps) for n, steps in ((500, 24), (5000, 8))]


def test_what_looks_later_is_compiled_with_everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENTRY_POINTS, to_columns, {})
    vehicles = sm.Vehicles(np.random.default_rng(1).uniform(0, 9, (20, 2)), max_speed=2)
    nobody = [("rest", "flock", lambda _: np.zeros(20, bool))]
    world = sm.World()
    world.add(vehicles, steering=sm.Modes({"rest": sm.Wander(), "flock": FLOCK}, start="rest", transitions=nobody))
    world.step()
    assert len(ENTRY_POINTS[to_columns]) == 1


def test_nobody_looks_while_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    stages = NeighborPass.run_stages
    monkeypatch.setattr(
        NeighborPass,
        "run_stages",
        lambda self, workers: [[[(lambda: looked.append(len(self.sums)), ())]], *stages(self, workers)],
    )
    there = np.zeros(20, bool)
    vehicles = sm.Vehicles(np.random.default_rng(1).uniform(0, 9, (20, 2)), max_speed=2)
    tree = sm.Modes(
        {"rest": sm.Wander(), "flock": FLOCK}, start="rest", transitions=[("rest", "flock", lambda _: there)]
    )
    world = sm.World()
    world.add(vehicles, steering=tree)
    world.run(steps=3)
    assert looked == []
    there[7] = True
    world.run(steps=2)
    assert looked == [3, 3]
    assert world.explain("vehicles", 7).id.tolist() == [7]
    looked.clear()
    world.populations["vehicles"].steering = tree + 0.1 * sm.Cohesion(radius=6, angle=5.0)
    world.step()
    assert looked == [3]


def test_a_controller_does_the_same() -> None:
    vehicles = sm.Vehicles([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], max_force=9)
    on = np.zeros(3, bool)
    controller = sm.Controller(vehicles, sm.Switch(sm.Separation(radius=3), on=on))
    assert not controller.steer(0.1).any()
    on[1] = True
    force = controller.steer(0.1).copy()
    assert force[1].any()
    assert not force[[0, 2]].any()
    np.testing.assert_array_equal(force[1], sm.Controller(vehicles, sm.Separation(radius=3)).steer(0.1)[1])

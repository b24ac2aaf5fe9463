"""Patrol by a map of routes."""

from typing import Any

import numpy as np
import pytest

import steersman as sm

WALLS = sm.Walls([[12, 8], [24, 8], [24, 22], [12, 22]])

FLOOR = sm.Box([40, 30])

STOPS = np.array([[18.0, 15.0], [32.0, 15.0], [18.0, 4.0]])
"""One in the pocket, and two outside: no straight way leads from the first to the second."""


def grid(**about: Any) -> Any:
    return sm.RouteGrid(WALLS, region=FLOOR, clearance=0.5, **about)


def mesh() -> Any:
    return sm.NavMesh.around(WALLS, region=FLOOR, clearance=0.4)


def rounds(by: Any, *, seconds: float = 60, **about: Any) -> Any:
    """The checkpoints that each of two guards has visited, in order."""
    guards = sm.Vehicles([[14.0, 15.0], [30.0, 25.0]], max_speed=3, max_force=30, radius=0.3)
    world = sm.World(dt=1 / 30)
    patrol = sm.Patrol(STOPS, by=by, **about)
    world.add(guards, steering=sm.Priority([sm.AvoidObstacles(WALLS, lookahead=0.5), patrol]))
    visited: list[list[int]] = [[0], [0]]
    for _ in range(int(seconds * 10)):
        world.run(steps=3)
        for own, due in zip(visited, world.memory("vehicles", "Patrol")["checkpoint"], strict=True):
            own += [int(due)] if own[-1] != due else []
    return visited


@pytest.mark.parametrize(
    "make", [grid, mesh, lambda: grid(doors=[[[25, 15], [39, 15]]])], ids=["grid", "mesh", "doors"]
)
def test_a_guard_comes_out_of_a_pocket_by_the_map(make: Any) -> None:
    for visited in rounds(make()):
        assert visited[:5] == [0, 1, 2, 0, 1]


def test_without_a_map_it_stays_there() -> None:
    assert all(len(visited) < 3 for visited in rounds(None))


def test_the_last_stop_is_the_last_without_a_loop() -> None:
    assert rounds(grid(), loop=False)[0] == [0, 1, 2]


@pytest.mark.parametrize("loop", [True, False])
def test_the_round_is_drawn_as_it_is_gone_and_the_checkpoint_as_it_is_due(loop: bool) -> None:
    """Also before the first step, with memory of the caller."""
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0.0]]), steering=sm.Patrol(STOPS, loop=loop)).remember("Patrol", checkpoint=-4)
    shapes = {shape.means: shape for each in world.sketch(id=0) for shape in each.shapes}
    assert shapes["its round"].closed == loop
    assert shapes["where it counts as reached"].center.tolist() == [STOPS[0].tolist()]


def test_vehicles_that_come_later_are_guided() -> None:
    guards = sm.Vehicles(np.zeros((0, 2)), max_speed=3, max_force=30, radius=0.3)
    world = sm.World(dt=1 / 30)
    group = world.add(guards, steering=sm.Patrol(STOPS, by=grid()))
    world.step()
    guards.spawn([[14.0, 15.0]], max_speed=3, max_force=30, radius=0.3)
    world.run(seconds=14)
    assert group.memory("Patrol")["checkpoint"].tolist() == [2]


@pytest.mark.parametrize("due", [4, -3])
def test_who_was_on_a_longer_patrol_goes_to_a_checkpoint_that_there_is(due: int) -> None:
    """To the last one, or the first: memory may also come from the caller."""
    vehicles = sm.Vehicles([[0.0, 0.0]], max_speed=2, max_force=9)
    controller = sm.Controller(vehicles, sm.Patrol([[9.0, 9.0], [-9.0, 9.0]]))
    controller.remember("Patrol", checkpoint=due)
    force = controller.steer(0.02)[0]
    assert controller.memory("Patrol")["checkpoint"].tolist() == [1 if due > 0 else 0]
    np.testing.assert_allclose(force[0] / force[1], -1 if due > 0 else 1, rtol=1e-5)

"""Flying: what is exactly true of a roll."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws


@pytest.mark.parametrize("climb", [0.0, 30.0, 60.0, 85.0, -60.0])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 20])
def test_without_a_roll_time_it_rolls_at_once_also_in_a_climb(climb: float, dt: float) -> None:
    angle = np.radians(climb)
    forward = np.array([np.cos(angle), 0, np.sin(angle)])
    ups: list[Any] = [[0.0, 1, 0], [0.3, -1, 0.2], [0, 0.1, -1]]
    vehicles = sm.Vehicles(np.zeros((3, 3)), [4 * forward] * 3, up=ups, max_speed=4, dtype=np.float64)
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, locomotion=sm.Flying(roll_time=0.0))
    world.step()
    level = laws.normalize(laws.lateral(np.array([0.0, 0, 1]), forward))
    np.testing.assert_allclose(vehicles.up, [level] * 3, atol=1e-9)


def test_a_roll_does_not_depend_on_the_step() -> None:
    ends = []
    for dt in (1 / 20, 1 / 240):
        vehicles = sm.Vehicles([[0.0, 0, 0]], [[2.0, 0, 2]], up=[0, 1, 0], max_speed=4, dtype=np.float64)
        world = sm.World(dt=dt, threads=1)
        world.add(vehicles, locomotion=sm.Flying(roll_time=0.4))
        world.run(seconds=0.4)
        ends.append(vehicles.up[0].copy())
    assert 0.2 < ends[0][1] < 0.8
    np.testing.assert_allclose(ends[0], ends[1], atol=0.03)


def test_upside_down_it_rolls_to_its_right() -> None:
    vehicles = sm.Vehicles([[0.0, 0, 0]], [[3.0, 0, 0]], up=[0, 0, -1], max_speed=4, dtype=np.float64)
    right = np.cross(vehicles.forward[0], vehicles.up[0])
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, locomotion=sm.Flying(roll_time=0.4))
    world.step()
    assert vehicles.up[0] @ right > 0.02
    np.testing.assert_allclose(vehicles.up[0] @ right, 1 - np.exp(-1 / 60 / 0.4), rtol=0.05)


def bank(vehicles: sm.Vehicles) -> Any:
    """The roll about forward against the horizon [rad], and how far from the vertical forward is (sine)."""
    up = np.array([0.0, 0, 1])
    level = laws.normalize(laws.lateral(up, vehicles.forward))
    side = np.cross(vehicles.forward, level)
    angle = np.arctan2(np.sum(vehicles.up * side, axis=1), np.sum(vehicles.up * level, axis=1))
    return angle, np.sqrt(1 - vehicles.forward[:, 2] ** 2)


@pytest.mark.each_value
@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 20])
@pytest.mark.parametrize("body", [sm.Flying(), sm.Flying(roll_time=1.0, limits=[sm.Drag(0.1)])])
def test_no_step_rolls_from_rest_or_where_a_flyer_turns_back(dt: float, body: Any) -> None:
    """Forward jumps to wherever the goal is; the roll against the horizon goes on from what it was."""
    rng = np.random.default_rng(0)
    goals = 6 * laws.normalize(rng.normal(size=(150, 3)))
    vehicles = sm.Vehicles(np.zeros((150, 3)), forward=rng.normal(size=(150, 3)), max_speed=10, max_force=12,
                           dtype=np.float64)  # fmt: skip
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=sm.Seek(goals), locomotion=body)
    while world.time < 4:
        before, far = bank(vehicles)
        facing = vehicles.forward.copy()
        world.step()
        after, far_now = bank(vehicles)
        rolled = np.abs((after - before + np.pi) % (2 * np.pi) - np.pi)
        np.testing.assert_allclose(np.sum(vehicles.up * vehicles.forward, axis=1), 0, atol=1e-6)
        np.testing.assert_allclose(np.linalg.norm(vehicles.up, axis=1), 1, rtol=1e-6)
        jumped = np.sum(facing * vehicles.forward, axis=1) < 0.9
        assert np.degrees(rolled[(far > 0.5) & (far_now > 0.5)]).max(initial=0) < 15
        assert (
            np.degrees(rolled[jumped & (far > 0.2) & (far_now > 0.2)]).max(initial=0) < 60 * (1 - np.exp(-dt / 0.3)) + 1
        )


def test_it_banks_by_no_more_force_than_it_has() -> None:
    """A function asks for 300 N, of 12 N that there are."""
    ups = []
    for force in (12.0, 300.0):
        vehicles = sm.Vehicles([[0.0, 0, 0]], [[5.0, 0, 0]], max_speed=10, max_force=12, dtype=np.float64)
        world = sm.World(dt=1 / 60, threads=1)
        world.add(vehicles, steering=lambda those, force=force: np.array([[0.0, force, 0.0]]), locomotion=sm.Flying())
        world.run(steps=2)
        ups.append(vehicles.up)
    np.testing.assert_allclose(*ups, atol=1e-12)
    assert ups[0][0, 1] > 0.05


def test_straight_up_from_level_the_floor_turns_with_the_nose() -> None:
    """There is no horizon to keep a roll against: up turns back as forward turns up, in the shortest way."""
    vehicles = sm.Vehicles([[0.0, 0, 0]], forward=[1.0, 0, 0], max_speed=10, max_force=12, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.Seek([0, 0, 50]), locomotion=sm.Flying())
    world.step()
    np.testing.assert_allclose(vehicles.forward, [[0, 0, 1]], atol=1e-9)
    np.testing.assert_allclose(vehicles.up, [[-1, 0, 0]], atol=1e-6)

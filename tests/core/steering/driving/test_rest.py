"""Whoever goes to a point that rests comes to rest there, or goes on about it without trembling."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

Array = np.ndarray[Any, Any]
POINT = [3.0, 2.0]
STILL = sm.Vehicles([[3.0, 2.0]], radius=0.4)
OTHER = sm.Vehicles([[9.0, -2.0]], radius=0.4)
ROAD = [[-6.0, 0.0], [0.0, 0.0], POINT]

GOALS: dict[str, Callable[[], Any]] = {
    "Seek": lambda: sm.Seek(POINT),
    "Pursue": lambda: sm.Pursue(STILL),
    "slot": lambda: sm.OffsetPursuit(STILL, offset=[2, 1], law="literal", approach="seek"),
    "Interpose": lambda: sm.Interpose(STILL, OTHER, approach="seek"),
    "Explore": lambda: sm.Explore(sm.Sphere(POINT, 1.0), reach=9.0),
    **{f"point {law}": lambda law=law: sm.FollowPath([POINT], law=law) for law in ("lane", "tube", "parameter")},
    **{
        f"end {law}": lambda law=law: sm.FollowPath(ROAD, law=law, end="seek")
        for law in ("lane", "predicted", "waypoints")
    },
}
SIZES = np.array([[1.3, 5], [4, 12], [10, 20], [10, 500], [100, 50]])
"""Top speeds [m/s] and forces [N] at 1 kg: from those that take seconds to stop to those that stop in a step."""


def crowd(seed: int = 0) -> sm.Vehicles:
    rng = np.random.default_rng(seed)
    return sm.Vehicles(
        rng.uniform(-5, 11, (5, 2)), rng.normal(0, 1, (5, 2)), max_speed=SIZES[:, 0], max_force=SIZES[:, 1], radius=0.4
    )


def unrest(world: sm.World, crowds: dict[str, sm.Vehicles], steps: int) -> dict[str, float]:
    """The greatest speed and force of each population in so many steps, as parts of the most there is."""
    found = dict.fromkeys(crowds, 0.0)
    for _ in range(steps):
        before = {name: each.velocity.copy() for name, each in crowds.items()}
        world.step()
        for name, each in crowds.items():
            force = np.linalg.norm(each.velocity - before[name], axis=1) / world.dt / each.max_force
            found[name] = max(found[name], float((each.speed / each.max_speed).max()), float(force.max()))
    return found


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
def test_whoever_goes_to_a_point_comes_to_rest(dt: float) -> None:
    world = sm.World(dt=dt, threads=1)
    crowds = {name: crowd() for name in GOALS}
    for name, each in crowds.items():
        world.add(each, name=name.replace(" ", "_"), steering=GOALS[name]())
    world.run(seconds=60)
    assert {name: size for name, size in unrest(world, crowds, 20).items() if size > 1e-3} == {}


def test_a_body_that_turns_slowly_does_not_creep_around_its_target() -> None:
    """Nor does it go on turning."""
    world = sm.World(dt=1 / 60, threads=1)
    crowds = {f"{rate:g}": crowd() for rate in (0.5, 2.0)}
    for name, each in crowds.items():
        limits = [sm.TurnRate(float(name))]
        world.add(
            each, name=f"r{name}".replace(".", "_"), steering=sm.Seek(POINT), locomotion=sm.PointMass(limits=limits)
        )
    world.run(seconds=60)
    assert max(unrest(world, crowds, 5).values()) < 1e-3


def test_seek_passes_through_and_turns_back() -> None:
    """The paper's moth: it neither slows down before the target nor stops at the first pass."""
    moth = sm.Vehicles([[-20.0, 0.0]], [[10.0, 0.0]], max_speed=10, max_force=20)
    world = sm.World(dt=1 / 60)
    world.add(moth, steering=sm.Seek([0.0, 0.0]))
    world.run(steps=118)
    assert moth.position[0, 0] < 0
    assert moth.speed[0] == pytest.approx(10)
    world.run(seconds=0.5)
    assert moth.position[0, 0] > 2.0
    world.run(seconds=0.5)
    assert moth.velocity[0, 0] < -3


def test_seek_is_the_paper_s_law_until_a_step_is_left() -> None:
    vehicles = sm.Vehicles([[0.0, 0.0]], [[3.0, 1.0]], max_speed=10, max_force=1e3, dtype=np.float64)
    for far, desired in ((0.168, 10.0), (0.1, 6.0), (0.0, 0.0)):
        force = sm.Controller(vehicles, sm.Seek([0.0, far])).steer(1 / 60)
        np.testing.assert_allclose(force[0], np.array([-3, desired - 1]) / 0.1, rtol=1e-9)


@pytest.mark.parametrize("part", [0.0, 0.3, 0.8])
def test_a_pursuer_stays_with_a_quarry_that_it_has_caught(part: float) -> None:
    """It does not run to and fro through it; a quarry that gets away is pursued anew."""
    quarry = sm.Vehicles([[3.0, 2.0]], [[part * 4, 0.0]], max_speed=4, max_force=12)
    hunter = sm.Vehicles([[-3.0, 0.0]], max_speed=4, max_force=12)
    world = sm.World(dt=1 / 60)
    world.add(quarry, name="quarry", steering=sm.TargetSpeed(part * 4))
    world.add(hunter, name="hunter", steering=sm.Pursue(quarry))
    world.run(seconds=15)
    assert unrest(world, {"hunter": hunter}, 1)["hunter"] < part + 1e-3
    np.testing.assert_allclose(hunter.velocity, quarry.velocity, atol=0.01)
    np.testing.assert_allclose(hunter.position, quarry.position, atol=0.05)
    assert world.memory("hunter", "Pursue")["caught"].tolist() == quarry.id.tolist()
    quarry.position[:, 0] += 30.0
    world.step()
    world.step()
    assert world.memory("hunter", "Pursue")["caught"].tolist() == [-1]
    assert hunter.velocity[0, 0] > part * 4

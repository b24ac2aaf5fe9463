"""Wander strolls: whatever its law, nobody twitches."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.wandering.wander import DEFAULTS

LOCOMOTIONS = {"point mass": sm.PointMass(), "drag": sm.PointMass(limits=[sm.Drag(0.5)])}


def sharp_turns(law: str, dt: float, d: int, body: Any, seconds: float, dtype: Any, **options: Any) -> float:
    """Fraction of the steps in which a vehicle turns by more than 60 degrees; from rest, seconds of 40 vehicles."""
    vehicles = sm.Vehicles(np.zeros((40, d)), max_speed=6.0, max_force=5.0, dtype=dtype)
    world = sm.World(dt=dt, threads=1, seed=3)
    world.add(vehicles, steering=sm.Wander(law, **options), locomotion=body)
    turns = steps = 0
    before = vehicles.forward.copy()
    for _ in range(round(seconds / dt)):
        world.step()
        turns += int(np.sum(np.sum(before * vehicles.forward, axis=1) < 0.5))
        steps += len(vehicles)
        before = vehicles.forward.copy()
    return turns / steps


@pytest.mark.parametrize("law", DEFAULTS)
def test_nobody_twitches(law: str) -> None:
    for dt, d, body, dtype in (
        (1 / 20, 2, "point mass", np.float32), (1 / 60, 2, "drag", np.float32), (1 / 30, 3, "point mass", np.float64),
    ):  # fmt: skip
        assert sharp_turns(law, dt, d, LOCOMOTIONS[body], 30.0, dtype) < 1e-3


def test_a_circle_wider_than_it_is_far_ahead_twitches() -> None:
    """With the lecture's own numbers, which need a body that keeps its orientation."""
    assert sharp_turns("orientation", 1 / 20, 2, sm.PointMass(), 60.0, np.float32, distance=1.5, strength=4.0) > 0.02


def test_opensteers_wander_steers_to_the_sides_alone() -> None:
    """Its walk stays within -1 and 1, and reaches both."""
    vehicles = sm.Vehicles(
        np.zeros((50, 3)), forward=[1.0, 0, 0], velocity=[3.0, 0, 0], max_force=2.0, dtype=np.float64
    )
    controller = sm.Controller(vehicles, sm.Wander("lateral", distance=0.0), seed=5)
    forces = np.array([controller.steer(1 / 30).copy() for _ in range(300)])
    np.testing.assert_allclose(np.sum(forces * vehicles.forward, axis=2), 0, atol=1e-12)
    aside = np.sum(forces * np.cross(vehicles.forward, vehicles.up), axis=2)
    assert aside.min() < -1.4
    assert aside.max() > 1.4
    assert abs(aside.mean()) < 0.1

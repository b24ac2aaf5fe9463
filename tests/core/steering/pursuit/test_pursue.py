"""Pursue: a car that has caught its quarry stays with it."""

import numpy as np
import pytest
from stepping import ran

import steersman as sm

CARS = [
    (2.0, 5.0, 10.0, 0.0),
    (2.0, 5.0, 10.0, 0.5),
    (2.0, 5.0, 10.0, 2.0),
    (4.0, 5.0, 10.0, 0.0),
    (4.0, 8.0, 10.0, 0.0),
]


@pytest.mark.parametrize(("radius", "max_speed", "max_force", "pace"), CARS)
def test_a_car_stays_with_its_quarry(radius: float, max_speed: float, max_force: float, pace: float) -> None:
    """As it turned around to it, it forgot the catch, came at full speed again and ran by, for ever: 146 of 200."""
    rng, n = np.random.default_rng(2), 40
    quarry = sm.Vehicles(np.zeros((n, 2)), [pace, 0.0])
    position, heading = rng.uniform(-12, 12, (n, 2)), rng.uniform(-np.pi, np.pi, n)
    vehicles = sm.Vehicles(position, heading=heading, max_speed=max_speed, max_force=max_force)
    body = sm.Wheeled(turning_radius=radius)
    world = ran(vehicles, sm.Pursue(quarry, which=quarry.id), locomotion=body, dt=1 / 20, threads=1, seconds=0)
    world.add(quarry)
    world.run(seconds=80)
    for _ in range(10):
        world.run(seconds=1)
        assert np.linalg.norm(vehicles.position - quarry.position, axis=1).max() < 0.3
        assert np.linalg.norm(vehicles.velocity - quarry.velocity, axis=1).max() < 0.1

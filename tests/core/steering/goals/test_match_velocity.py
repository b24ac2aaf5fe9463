"""MatchVelocity and TargetSpeed."""

import math

import numpy as np
import pytest

import steersman as sm


def test_a_velocity_is_reached_exponentially() -> None:
    """v' = (u - v) / tau: after time t the difference is e^(-t/tau) of what it was."""
    vehicle = sm.Vehicles([[0.0, 0.0]], [1.0, 0.0], max_speed=50.0, max_force=1e6, response_time=0.5, dtype=np.float64)
    world = sm.World(dt=1e-3, threads=1)
    world.add(vehicle, steering=sm.MatchVelocity([4.0, -2.0]))
    world.run(steps=500)
    np.testing.assert_allclose(
        vehicle.velocity[0], np.array([4.0, -2.0]) + math.exp(-1) * np.array([-3.0, 2.0]), rtol=2e-3
    )


def test_the_nearest_is_matched() -> None:
    others = sm.Vehicles([[9.0, 0.0], [3.0, 0.0]], [[1.0, 1.0], [0.0, 2.0]], dtype=np.float64)
    vehicle = sm.Vehicles([[0.0, 0.0]], mass=2.0, response_time=0.5, max_force=100.0, dtype=np.float64)
    np.testing.assert_allclose(sm.Controller(vehicle, sm.MatchVelocity(others)).steer(0.1), [[0.0, 8.0]])
    np.testing.assert_allclose(sm.Controller(vehicle, sm.MatchVelocity(others, which=0)).steer(0.1), [[4.0, 4.0]])


def test_a_speed_is_reached_along_forward_only() -> None:
    """Drifting sideways at 3 m/s is nobody's business here: 2 kg * (5 - 1) m/s / 0.5 s = 16 N ahead."""
    vehicle = sm.Vehicles(
        [[0.0, 0.0]], [1.0, 3.0], forward=[[1.0, 0.0]], mass=2.0, response_time=0.5, max_force=100.0, max_speed=5.0,
        dtype=np.float64,
    )  # fmt: skip
    np.testing.assert_allclose(sm.Controller(vehicle, sm.TargetSpeed()).steer(0.1), [[16.0, 0.0]])
    np.testing.assert_allclose(sm.Controller(vehicle, sm.TargetSpeed(0.0)).steer(0.1), [[-4.0, 0.0]])


def test_what_is_no_velocity_is_refused() -> None:
    with pytest.raises(ValueError, match="of must be"):
        sm.MatchVelocity([[[1.0]]])
    with pytest.raises(ValueError, match="speed must be"):
        sm.TargetSpeed(-1.0)

"""Arrive with a hard stop."""

import numpy as np
import pytest

import steersman as sm


def rest(dt: float, **options: bool) -> tuple[float, float]:
    """With the Unity lecture's numbers: how far from the target it comes to rest [m], and how fast it still is [m/s]."""
    vehicle = sm.Vehicles([[-20.0, 0.0]], max_speed=10.0, max_force=10.0, response_time=0.5, dtype=np.float64)
    arrive = sm.Arrive([0.0, 0.0], stop_distance=1.5, slowing_distance=5.0, **options)
    world = sm.World(dt=dt, threads=1)
    world.add(vehicle, steering=arrive)
    world.run(seconds=10)
    return float(np.hypot(*vehicle.position[0])), float(vehicle.speed[0])


@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
@pytest.mark.parametrize("dt", [1 / 20, 1 / 50, 1 / 240])
def test_a_hard_stop_stops_within_the_ring(dt: float) -> None:
    distance, speed = rest(dt, hard_stop=True)
    assert speed < 1e-9
    assert 0 <= distance < 1.5
    softly, _ = rest(dt)
    assert abs(softly - distance) > 0.2

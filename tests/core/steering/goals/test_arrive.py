"""Arrive with a hard stop, and Arrive that learns."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws


def rest(dt: float, mass: float, **options: bool) -> tuple[float, float]:
    """With the Unity lecture's numbers: how far from the target it comes to rest [m], and how fast it still is [m/s]."""
    vehicle = sm.Vehicles(
        [[-20.0, 0.0]], max_speed=10.0, max_force=10 * mass, mass=mass, response_time=0.5, dtype=np.float64
    )
    arrive = sm.Arrive([0.0, 0.0], stop_distance=1.5, slowing_distance=5.0, **options)
    world = sm.World(dt=dt, threads=1)
    world.add(vehicle, steering=arrive)
    world.run(seconds=10)
    return float(np.hypot(*vehicle.position[0])), float(vehicle.speed[0])


@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
@pytest.mark.parametrize(("dt", "mass"), [(1 / 20, 1.0), (1 / 50, 7.0), (1 / 240, 0.2)])
def test_a_hard_stop_stops_within_the_ring(dt: float, mass: float) -> None:
    """Whatever its mass, a vehicle with the force for the same brakes, and all at the same place."""
    distance, speed = rest(dt, mass, hard_stop=True)
    assert speed < 1e-9
    assert 0 <= distance < 1.5
    assert distance == pytest.approx(rest(dt, 1.0, hard_stop=True)[0], rel=1e-9)
    softly, _ = rest(dt, mass)
    assert abs(softly - distance) > 0.2


LEGS = 6
"""So many times somebody is sent to the other post."""


def legs(body: sm.Locomotion, d: int = 2, **options: Any) -> tuple[list[float], list[float]]:
    """Sent to and fro between posts 60 m apart: how far past the post each time [m], and how careful then."""
    ends = np.zeros((2, d))
    ends[1, 0] = 60
    world = sm.World(dt=1 / 60, threads=1)
    vehicle = sm.Vehicles([ends[0]], max_speed=10, max_force=20, response_time=0.2, dtype=np.float64)
    leg = 0
    lorry = world.add(vehicle, steering=sm.Arrive(lambda: ends[(leg + 1) % 2], **options), locomotion=body)
    past, care = [], []
    for leg in range(LEGS):
        way, far = (1 if leg % 2 == 0 else -1), 0.0
        for step in range(15 * 60):
            world.step()
            if step > 5 * 60:
                far = max(far, way * float(vehicle.position[0, 0] - ends[(leg + 1) % 2][0]))
        past.append(far)
        care.append(float(lorry.memory("Arrive")["care"][0]) if options.get("calibrate") else 1.0)
    return past, care


@pytest.mark.parametrize("limit", [sm.Asymmetric(brake=0.2), sm.SmoothForce(0.6)])
def test_who_calibrates_overshoots_less_and_less(limit: sm.Limit) -> None:
    """Who does not, always by the same; each time care grows, and it stays where it is once nobody overshoots."""
    body, habit = sm.PointMass(limits=[limit]), {"slowing_distance": 8.0, "ramp": [0, 1]}
    stubborn, _ = legs(body, **habit)
    learning, care = legs(body, **habit, calibrate=0.5)
    assert min(stubborn) > 0.7
    assert np.ptp(stubborn) < 0.2
    assert learning[-1] < 0.05
    assert (np.diff(learning) < 0.01).all()
    assert (np.diff(care) >= 0).all()
    assert care[-1] == pytest.approx(care[-2], rel=0.01)
    braking, _ = legs(body, calibrate=0.5, ramp="braking")  # It has farther to go: to brakes of a fifth.
    assert braking[-1] < 0.5 * min(stubborn)


def test_a_body_that_does_as_it_is_told_learns_nothing() -> None:
    """The targets jump in front of it and behind it, and that is no overshoot."""
    for d in (2, 3):
        past, care = legs(sm.PointMass(), d, calibrate=1.0)
        assert max(past) < 1e-3
        assert care == [1.0] * LEGS


@pytest.mark.parametrize(("speed", "full", "learned"), [("max", 8.0, 1.3), (1.0, 1.0, 1.6)])
def test_care_grows_as_its_law_says(speed: str | float, full: float, learned: float) -> None:
    """One passing at a known speed; a faster one than full speed counts as that, and there is an end to it."""
    world = sm.World(dt=0.01, threads=1)
    vehicle = sm.Vehicles([[-0.045, 0]], [4, 0], max_speed=8, max_force=0, dtype=np.float64)
    population = world.add(vehicle, steering=sm.Arrive([0.0, 0.0], speed=speed, calibrate=0.6))
    world.run(steps=4)
    expected = laws.learned_care(1.0, 4.0, full, 0.6)
    assert expected == pytest.approx(learned)
    assert population.memory("Arrive")["care"][0] == pytest.approx(expected, rel=1e-12)
    assert laws.learned_care(2.0, 99.0, 8.0, 0.5) == 3
    assert laws.learned_care(40.0, 8.0, 8.0, 1.0) == 50


def test_calibrate_must_not_be_negative() -> None:
    with pytest.raises(ValueError, match=r"calibrate must be >= 0, got -1"):
        sm.Arrive([0, 0], calibrate=-1)

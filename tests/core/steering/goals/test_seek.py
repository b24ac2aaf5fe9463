"""Seek rests at a target that stands, after swings whose number does not depend on the time step."""

from typing import Any

import numpy as np
import pytest

import steersman as sm

STEPS = (1 / 20, 1 / 60, 1 / 240)


def swings(
    dt: float, *, speed: float, force: float, d: int = 2, dtype: Any = np.float32, meter: float = 1.0, mass: float = 1.0
) -> Any:
    """When twenty point masses come to rest [s], how often each turns back, and the part of max_speed of the first pass.

    `speed` is in units of `meter` [m], and `force` in those of `meter` and `mass` [kg].
    """
    speed, force = meter * speed, meter * mass * force
    rng = np.random.default_rng(5)
    offsets = rng.standard_normal((20, d))
    offsets *= (rng.uniform(1, 2, 20) * speed**2 * mass / force)[:, None] / np.linalg.norm(offsets, axis=1)[:, None]
    target = meter * np.arange(3.0, 3.0 - d, -1)
    vehicles = sm.Vehicles(
        target + offsets, mass=mass, max_speed=speed, max_force=force, radius=0.4 * meter, dtype=dtype
    )
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=sm.Seek(target))
    rests, turns, passed = np.zeros(20), np.zeros(20), np.full(20, np.nan)
    ahead, before = vehicles.forward.copy(), target - vehicles.position
    for k in range(round(40 * speed * mass / force / dt)):
        world.step()
        left = target - vehicles.position
        turns += (vehicles.forward * ahead).sum(axis=1) < 0
        first = ((left * before).sum(axis=1) < 0) & np.isnan(passed)
        passed[first] = vehicles.speed[first] / speed
        rests[vehicles.speed > 0.01 * speed] = (k + 1) * dt
        ahead, before = vehicles.forward.copy(), left
    return rests, turns, passed


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("speed", "force"), [(10.0, 5.0), (3.0, 1.0), (6.0, 4.0), (30.0, 20.0)])
def test_weak_brakes_rest_after_a_few_swings_whatever_the_step_is(
    speed: float, force: float, d: int, dtype: Any
) -> None:
    """In units of the time to stop, which is 1.5 to 3 s."""
    times = []
    for dt in STEPS:
        rests, turns, passed = swings(dt, speed=speed, force=force, d=d, dtype=dtype)
        assert (rests < 15 * speed / force).all(), rests * force / speed
        assert (turns <= 20).all(), turns
        assert (passed > 0.85).all(), passed  # It passes through: it does not arrive.
        times.append(np.median(rests))
    assert max(times) < 1.15 * min(times), times


@pytest.mark.parametrize(("meter", "mass"), [(1e-6, 1e-12), (1e-9, 1e-3), (1e6, 1e6)])
def test_weak_brakes_rest_in_worlds_of_every_size(meter: float, mass: float) -> None:
    """Micrometers and picograms among them, whose energies float32 does not hold."""
    rests, turns, passed = swings(1 / 60, speed=10.0, force=5.0, meter=meter, mass=mass)
    assert (rests < 30).all(), rests
    assert (turns <= 20).all(), turns
    assert (passed > 0.85).all(), passed


def test_one_that_can_stop_within_a_few_steps_lands_within_one() -> None:
    rests, _, passed = swings(1 / 20, speed=2.0, force=100.0)
    assert (rests < 3).all()
    assert (passed[~np.isnan(passed)] < 1.01).all()


def test_a_target_that_moves_is_not_landed_on() -> None:
    """One that slows down before its quarry would stay behind it; one that stands is landed on, whatever it is given as."""

    def gap(pace: float) -> float:
        quarry = sm.Vehicles([[0.0, 0.0]], [[pace, 0.0]], max_speed=10.0)
        hunter = sm.Vehicles([[-30.0, 0.0]], max_speed=10.0, max_force=5.0, dtype=np.float64)
        world = sm.World(dt=1 / 60, threads=1)
        world.add(quarry, steering=sm.TargetSpeed(pace))
        world.add(hunter, steering=sm.Seek(quarry))
        world.run(seconds=30)
        behind = []
        for _ in range(round(10 / world.dt)):
            world.step()
            behind.append(float(quarry.position[0, 0] - hunter.position[0, 0]))
        return float(np.max(np.abs(behind))) if pace == 0 else float(np.min(behind))

    assert gap(0.0) < 0.01
    assert (
        gap(6.0) < 6 / 50
    )  # By the step in which it lands, not by the time in which it would land on one that stands.


@pytest.mark.parametrize("end", ["seek", "waypoints"])
def test_other_behaviors_that_pass_through_a_point_land_there_likewise(end: str) -> None:
    steering: Any = sm.OffsetPursuit(sm.Vehicles([[0.0, 0.0]]), offset=[0.0, 0.0], law="literal", approach="seek")
    if end == "waypoints":
        steering = sm.FollowPath(sm.Path([[-60, 0], [-40, 0], [0, 0]]), law=end, end="seek")
    for dt in STEPS:
        vehicles = sm.Vehicles([[-50.0, 2.0]], max_speed=10.0, max_force=5.0, dtype=np.float64)
        world = sm.World(dt=dt, threads=1)
        world.add(vehicles, steering=steering)
        world.run(seconds=40)
        assert np.linalg.norm(vehicles.position) < 0.02, dt
        assert vehicles.speed[0] < 0.02, dt

"""ConstantBearing: on a collision course the line of sight does not turn."""

import math

import numpy as np
import pytest

import steersman as sm


def chase(law: str, *, gain: float = 3.0, seconds: float = 30.0) -> tuple[list[float], float]:
    """Bearings of a quarry that crosses at 6 m/s, seen by a hunter at 10 m/s; and the least distance."""
    quarry = sm.Vehicles([[60.0, 0.0]], [0.0, 6.0], max_speed=6.0, dtype=np.float64)
    hunter = sm.Vehicles([[0.0, 0.0]], [10.0, 0.0], max_speed=10.0, max_force=60.0, dtype=np.float64)
    world = sm.World(dt=1 / 100, threads=1)
    world.add(quarry, name="quarry", steering=None)
    world.add(hunter, name="hunter", steering=sm.ConstantBearing(quarry, law=law, gain=gain))
    bearings, least = [], math.inf
    while world.time < seconds:
        world.step()
        offset = quarry.position[0] - hunter.position[0]
        bearings.append(math.atan2(offset[1], offset[0]))
        least = min(least, float(np.hypot(*offset)))
        if least < 0.2:
            break
    return bearings, least


@pytest.mark.parametrize("law", ["proportional", "parallel"])
def test_a_crossing_quarry_is_met_at_a_bearing_that_settles(law: str) -> None:
    bearings, least = chase(law)
    assert least < 0.2
    late = bearings[len(bearings) // 2 : -20]
    assert max(late) - min(late) < 0.05
    # Parallel navigation needs sqrt(10^2 - 6^2) = 8 m/s along the line of sight: 60 m take 7.5 s.
    assert len(bearings) / 100 == pytest.approx(7.5, abs=0.6)


def test_parallel_course_by_hand() -> None:
    """A 3-4-5 triangle: 3 m/s across are matched, 4 m/s are left along the line of sight."""
    course = sm.laws.parallel_navigation([0.0, 0.0], [0.0, 0.0], [10.0, 0.0], [1.0, 3.0], 5.0)
    np.testing.assert_allclose(course, [4.0, 3.0])
    np.testing.assert_allclose(sm.laws.parallel_navigation([0, 0], [1.0, 1.0], [10, 0], [0, 20.0], 5.0), [-1.0, 4.0])


def test_proportional_navigation_by_hand() -> None:
    """Line of sight along x, 10 m long; the target crosses at 2 m/s: it turns with 0.2 rad/s, the velocity with 0.6."""
    turn = sm.laws.proportional_navigation([0.0, 0.0], [5.0, 0.0], [10.0, 0.0], [0.0, 2.0], 3.0)
    np.testing.assert_allclose(turn, [0.0, 3.0], atol=1e-15)
    on_course = sm.laws.proportional_navigation([0.0, 0.0], [4.0, 3.0], [10.0, 0.0], [1.0, 3.0], 3.0)
    np.testing.assert_allclose(on_course, 0.0, atol=1e-15)


@pytest.mark.parametrize("law", ["proportional", "parallel"])
@pytest.mark.parametrize("d", [2, 3])
def test_heavy_and_weak_vehicles_with_a_gain_of_their_own_follow_the_laws(d: int, law: str) -> None:
    """Whatever mass, force, speed and response time, one vehicle by one; each has a quarry of its own."""
    rng, n = np.random.default_rng(d), 60
    quarry = sm.Vehicles(rng.uniform(-30, 30, (n, d)), rng.normal(0, 2, (n, d)), max_speed=9, dtype=np.float64)
    mass, tau, force = rng.uniform(0.2, 9, n), rng.uniform(0.1, 1, n), rng.uniform(1, 80, n)
    hunters = sm.Vehicles(
        rng.uniform(-30, 30, (n, d)), rng.normal(0, 3, (n, d)), mass=mass, max_force=force, response_time=tau,
        max_speed=rng.uniform(5, 9, n), dtype=np.float64,
    )  # fmt: skip
    steering = sm.ConstantBearing(quarry, which=quarry.id, law=law, gain=4.0)
    found = sm.Controller(hunters, steering, threads=1).steer(0.05)
    way = quarry.position - hunters.position
    here = (hunters.position, hunters.velocity, quarry.position, quarry.velocity)
    if law == "parallel":
        told = (mass / tau)[:, None] * sm.laws.parallel_navigation(*here, hunters.max_speed)
        np.testing.assert_allclose(found, sm.laws.truncate(told, force), rtol=1e-6)
        return
    turn = mass[:, None] * sm.laws.proportional_navigation(*here, 4.0)
    ahead = (np.sum(way * hunters.velocity, axis=1) > 0) & (np.linalg.norm(found, axis=1) < force * (1 - 1e-6))
    side = found - np.sum(found * hunters.velocity, axis=1, keepdims=True) * hunters.velocity / (
        np.sum(hunters.velocity**2, axis=1, keepdims=True)
    )
    np.testing.assert_allclose(side[ahead], turn[ahead], rtol=1e-6, atol=1e-9)
    assert ahead.sum() > 10


def test_a_target_behind_is_turned_to() -> None:
    vehicle = sm.Vehicles([[0.0, 0.0]], [8.0, 0.0], max_speed=8.0, max_force=40.0, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicle, steering=sm.ConstantBearing([-30.0, 1.0]))
    least = math.inf
    for _ in range(600):
        world.step()
        least = min(least, float(np.hypot(*(vehicle.position[0] - [-30.0, 1.0]))))
    assert least < 0.2


@pytest.mark.parametrize("law", ["proportional", "parallel"])
@pytest.mark.parametrize(("d", "dt"), [(2, 1 / 25), (2, 1 / 120), (3, 1 / 50)])
@pytest.mark.parametrize("escape", [0.0, 2.0, 4.5])
def test_a_slower_quarry_is_caught_and_never_circled(law: str, d: int, dt: float, escape: float) -> None:
    """The tightest circle at full speed has a radius of 9.8 m; quarries start 2 to 30 m away on all sides."""
    rng = np.random.default_rng(7)
    ways = rng.normal(0, 1, (3, 48, d))
    off, along, away = ways / np.linalg.norm(ways, axis=2, keepdims=True)
    lanes = 1000.0 * np.arange(48)[:, None] * np.eye(d)[0]
    quarries = sm.Vehicles(lanes + off * np.linspace(2, 30, 48)[:, None], escape * away, max_speed=5, dtype=np.float64)
    hunters = sm.Vehicles(lanes, along * np.linspace(0, 7, 48)[::-1, None], max_speed=7, max_force=5, dtype=np.float64)
    world = sm.World(dt=dt, threads=1)
    world.add(quarries, name="quarries", steering=None)
    world.add(hunters, name="hunters", steering=sm.ConstantBearing(quarries, which=quarries.id, law=law))
    least = np.full(48, np.inf)
    while world.time < 60 and least.max() > 0.2:
        world.step()
        least = np.minimum(least, np.linalg.norm(hunters.position - quarries.position, axis=1))
    assert least.max() < 0.2


@pytest.mark.parametrize(("name", "value"), [("gain", 0.5), ("speed", -1.0), ("law", "line")])
def test_nonsense_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{name} must be"):
        sm.ConstantBearing([1.0, 2.0], **{name: value})

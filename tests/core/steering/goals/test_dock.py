"""Dock: position, heading, velocity and time are met; the tolerances are stated here."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from stepping import ran

import steersman as sm

N = 24


def fleet(dimensions: int = 2, seed: int = 0) -> sm.Vehicles:
    """Vehicles all around the origin, and on it, under way in all directions."""
    rng = np.random.default_rng([seed, dimensions])
    position = rng.uniform(-50, 50, (N, dimensions))
    position[0] = 0
    return sm.Vehicles(
        position, rng.normal(0, 3, (N, dimensions)), max_speed=10.0, max_force=20.0, response_time=0.1, dtype=np.float64
    )


def headings(vehicles: sm.Vehicles, axis: Any) -> Any:
    """Angles between where vehicles face and an axis [degrees]."""
    return np.degrees(np.arccos(np.clip(vehicles.forward @ np.asarray(axis), -1, 1)))


def sail(vehicles: sm.Vehicles, steering: sm.Behavior, seconds: float, dt: float = 1 / 60) -> sm.World:
    return ran(vehicles, steering, dt=dt, threads=1, seconds=seconds)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_pose_is_met_from_everywhere(dimensions: int) -> None:
    """After 25 s: within 1 cm and 1 degree, and at rest."""
    vehicles, axis = fleet(dimensions), np.eye(dimensions)[1]
    sail(vehicles, sm.Dock(np.zeros(dimensions), forward=axis), 25)
    assert np.linalg.norm(vehicles.position, axis=1).max() < 0.01
    assert headings(vehicles, axis).max() < 1.0
    assert vehicles.speed.max() < 0.01


@pytest.mark.parametrize(("max_speed", "max_force", "dt"), [(3.0, 6.0, 1 / 20), (6.0, 9.0, 1 / 60), (2.0, 5.0, 1 / 30)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_who_has_docked_stays(max_speed: float, max_force: float, dt: float, dtype: Any) -> None:
    """A minute long nobody leaves the dock again, or turns there."""
    rng, axis = np.random.default_rng(1), [0.0, -1.0]
    position, heading = rng.uniform(-15, 15, (N, 2)), rng.uniform(-np.pi, np.pi, N)
    vehicles = sm.Vehicles(position, heading=heading, max_speed=max_speed, max_force=max_force, dtype=dtype)
    world = sail(vehicles, sm.Dock([2.0, 1.0], forward=axis), 40, dt)
    for _ in range(60):
        world.run(seconds=1, dt=dt)
        assert np.linalg.norm(vehicles.position - [2.0, 1.0], axis=1).max() < 0.01
        assert vehicles.speed.max() < 1e-3
        assert headings(vehicles, axis).max() < 15


@pytest.mark.parametrize(
    ("max_speed", "max_force", "dt"), [(1.0, 1.0, 1 / 60), (5.0, 10.0, 1 / 20), (6.0, 9.0, 1 / 60)]
)
def test_who_has_docked_with_a_late_force_stays(max_speed: float, max_force: float, dt: float) -> None:
    """As it docked a force that lags pushed the vehicle back, so it faced back, went out and came in again: 43 of 44 did."""
    rng, axis = np.random.default_rng(1), [0.0, -1.0]
    position, heading = rng.uniform(-9, 9, (N, 2)), rng.uniform(-np.pi, np.pi, N)
    vehicles = sm.Vehicles(position, heading=heading, max_speed=max_speed, max_force=max_force)
    body = sm.PointMass(limits=[sm.SmoothForce()])
    world = ran(vehicles, sm.Dock([2.0, 1.0], forward=axis), locomotion=body, dt=dt, threads=1, seconds=60)
    for _ in range(40):
        world.run(seconds=1, dt=dt)
        assert np.linalg.norm(vehicles.position - [2.0, 1.0], axis=1).max() < 0.05
        assert headings(vehicles, axis).max() < 15


def test_a_body_that_turns_by_itself_rests_at_the_dock() -> None:
    """ReachOrientation turns it. Before, it stood at the rim of the tolerance, and its force jumped 20 times a second."""
    rng, axis = np.random.default_rng(1), [0.0, -1.0]
    position, heading = rng.uniform(-9, 9, (N, 2)), rng.uniform(-np.pi, np.pi, N)
    dock = sm.Dock([2.0, 1.0], forward=axis)
    for steering, angle in ((dock, 180.0), (sm.WeightedSum([dock, sm.ReachOrientation(-np.pi / 2)]), 0.1)):
        vehicles = sm.Vehicles(position, heading=heading, dtype=np.float64)
        ran(vehicles, steering, locomotion=sm.FreeBody(), dt=1 / 60, threads=1, seconds=60)
        assert np.linalg.norm(vehicles.position - [2.0, 1.0], axis=1).max() < 0.005
        assert vehicles.speed.max() < 1e-3
        assert headings(vehicles, axis).max() <= angle


def test_a_dock_above_the_ground_is_met_below_it() -> None:
    """Only the way along the ground counts; before, they turned to and fro there, up to 8 times a second."""
    rng, axis = np.random.default_rng(1), np.array([0.0, -1.0, 0.0])
    vehicles = sm.Vehicles(rng.uniform(-9, 9, (N, 3)), dtype=np.float64)
    body = sm.SurfaceBound(sm.Plane([0, 0, 0], [0, 0, 1]))
    world = ran(vehicles, sm.Dock([2, 1, 1.5], forward=[0, -1, 0.5]), locomotion=body, threads=1, seconds=60)
    for _ in range(60):
        world.step()
        assert np.linalg.norm(vehicles.position - [2, 1, 0], axis=1).max() < 0.01
        assert headings(vehicles, axis).max() < 5


@pytest.mark.parametrize("limit", [sm.TurnRate(1.2), sm.TurnRate(3.0), sm.MomentOfInertia(1.0)])
@pytest.mark.parametrize(("max_speed", "max_force", "dt"), [(3.0, 6.0, 1 / 20), (6.0, 9.0, 1 / 60)])
def test_a_body_that_turns_slowly_faces_the_axis(limit: Any, max_speed: float, max_force: float, dt: float) -> None:
    """At the dock it turns on the spot: within the tolerance and 18 degrees, and at rest."""
    rng, axis = np.random.default_rng(1), [0.0, -1.0]
    position, heading = rng.uniform(-15, 15, (N, 2)), rng.uniform(-np.pi, np.pi, N)
    vehicles = sm.Vehicles(position, heading=heading, max_speed=max_speed, max_force=max_force)
    body = sm.PointMass(limits=[limit])
    ran(vehicles, sm.Dock([2.0, 1.0], forward=axis), locomotion=body, dt=dt, threads=1, seconds=80)
    assert np.linalg.norm(vehicles.position - [2.0, 1.0], axis=1).max() < 0.15
    assert vehicles.speed.max() < 0.01
    assert headings(vehicles, axis).max() < 18.5


@pytest.mark.parametrize("limit", [sm.TurnRate(1.2), sm.MomentOfInertia(1.0)])
def test_a_body_that_turns_slowly_turns_at_the_dock(limit: Any) -> None:
    """It starts at the dock and faces elsewhere, and comes to rest within the tolerance and 18 degrees."""
    rng, axis = np.random.default_rng(3), [0.0, -1.0]
    position, heading = rng.uniform([1.94, 0.94], [2.06, 1.06], (N, 2)), rng.uniform(-np.pi, np.pi, N)
    vehicles = sm.Vehicles(position, heading=heading, max_speed=4.0, max_force=8.0)
    body = sm.PointMass(limits=[limit])
    ran(vehicles, sm.Dock([2.0, 1.0], forward=axis), locomotion=body, dt=1 / 30, threads=1, seconds=60)
    assert np.linalg.norm(vehicles.position - [2.0, 1.0], axis=1).max() < 0.15
    assert vehicles.speed.max() < 0.01
    assert headings(vehicles, axis).max() < 18.5


@pytest.mark.parametrize("dt", [1 / 30, 1 / 120])
def test_a_pose_is_met_in_time(dt: float) -> None:
    """At 20 s, not before: within 2 cm, 2 degrees and 0.05 m/s; a second earlier they are still under way."""
    vehicles, early = fleet(), fleet()
    steering = sm.Dock([0.0, 0.0], forward=[1.0, 0.0], at_time=20.0)
    sail(early, steering, 19.0, dt)
    sail(vehicles, steering, 20.0, dt)
    assert np.linalg.norm(vehicles.position, axis=1).max() < 0.02
    assert headings(vehicles, [1.0, 0.0]).max() < 2.0
    assert vehicles.speed.max() < 0.05
    away = np.delete(np.linalg.norm(early.position, axis=1), 0)
    assert away.min() > 0.01


def test_a_velocity_is_met_in_time_and_kept() -> None:
    """At 22 s they are at the dock within 5 cm with (4, 0) m/s within 0.1 m/s; 2 s later they are 8 m farther."""
    vehicles = fleet()
    world = sail(vehicles, sm.Dock([0.0, 0.0], velocity=[4.0, 0.0], at_time=22.0), 22)
    np.testing.assert_allclose(vehicles.position, 0.0, atol=0.05)
    np.testing.assert_allclose(vehicles.velocity, [[4.0, 0.0]] * N, atol=0.1)
    world.run(seconds=2)
    np.testing.assert_allclose(vehicles.position, [[8.0, 0.0]] * N, atol=0.1)


def test_a_velocity_is_met_without_a_time() -> None:
    """Everybody passes the dock within the tolerance, along the axis within 3 degrees, and goes on at that velocity."""
    vehicles = fleet()
    world = sm.World(dt=1 / 60, threads=1)
    population = world.add(vehicles, steering=sm.Dock([0.0, 0.0], velocity=[0.0, 5.0], tolerance=0.2))
    (memory,) = population.memories.values()
    passed = np.zeros(N, bool)
    for _ in range(60 * 40):
        world.step()
        fresh = (memory.now("phase") == 2) & ~passed
        assert (np.linalg.norm(vehicles.position[fresh], axis=1) < 0.2 + 5 / 60).all()
        assert (headings(vehicles, [0.0, 1.0])[fresh] < 3).all()
        passed |= fresh
    assert passed.all()
    np.testing.assert_allclose(vehicles.velocity, [[0.0, 5.0]] * N, atol=1e-3)


def test_a_moving_dock_gives_its_own_pose() -> None:
    """The carrier goes along y at 3 m/s and faces that way: so do those who have docked, at its place."""
    carrier = sm.Vehicles([[0.0, 0.0]], [0.0, 3.0], max_speed=3.0, dtype=np.float64)
    vehicles = fleet(seed=1)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(carrier, name="carrier", steering=None)
    world.add(vehicles, name="vehicles", steering=sm.Dock(carrier))
    world.run(seconds=35)
    assert np.linalg.norm(vehicles.position - carrier.position, axis=1).max() < 0.1
    np.testing.assert_allclose(vehicles.velocity, [[0.0, 3.0]] * N, atol=0.05)


def around(n: int) -> Any:
    """Places all around the dock at a distance of 1 m, shape (n, 2)."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def dock_cars(start: Any, body: sm.Wheeled, speed: float, seconds: float, dt: float = 1 / 20, **facing: Any) -> None:
    """Let cars dock: at the end all are within the tolerance along and aside, face the dock, and stand."""
    cars = sm.Vehicles(start, max_speed=speed, max_force=2 * speed, dtype=np.float64, **facing)
    ran(cars, sm.Dock([0.0, 0.0], forward=[1.0, 0.0]), body, dt=dt, threads=1, seconds=seconds)
    assert np.linalg.norm(cars.position, axis=1).max() < 0.15
    assert headings(cars, [1.0, 0.0]).max() < 18.3
    assert cars.speed.max() < 0.01


@pytest.mark.parametrize(
    ("turning_radius", "max_speed", "wheelbase"), [(2.0, 3.0, None), (5.0, 1.0, None), (5.0, 3.0, 1.5)]
)
def test_cars_dock_from_all_directions(turning_radius: float, max_speed: float, wheelbase: float | None) -> None:
    """A car needs room to come onto the axis."""
    facing = np.random.default_rng(1).permutation(around(32))
    body = sm.Wheeled(turning_radius=turning_radius, wheelbase=wheelbase)
    dock_cars(30 * around(32), body, max_speed, (90 + 72 * turning_radius) / min(max_speed, 2), forward=facing)


@pytest.mark.each_value
@pytest.mark.parametrize("distance", [1.0, 3.0, 10.0])
@pytest.mark.parametrize(("turning_radius", "wheelbase"), [(5.0, None), (5.0, 1.5), (1.0, None)])
def test_a_car_before_the_dock_that_faces_elsewhere_goes_out_once_more(
    turning_radius: float, wheelbase: float | None, distance: float
) -> None:
    """It rested there, with its front across the axis: at rest a car cannot turn."""
    body = sm.Wheeled(turning_radius=turning_radius, wheelbase=wheelbase)
    for seed in range(2):
        facing = np.random.default_rng(seed).permutation(around(32))
        dock_cars(distance * around(32), body, 6.0, 1.5 * (45 + 36 * turning_radius), forward=facing)


@pytest.mark.each_value
@pytest.mark.parametrize("distance", [8.0, 30.0])
@pytest.mark.parametrize(("radius", "speed", "wheelbase"), [(2.0, 3.0, None), (2.0, 6.0, None), (3.0, 8.0, 1.5)])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
def test_cars_with_a_reverse_gear_dock_with_their_front(
    distance: float, radius: float, speed: float, wheelbase: float | None, dt: float
) -> None:
    """12 to 21 of 64 stood before the dock with their back to it, or passed it again and again."""
    heading = np.random.default_rng(3).uniform(-np.pi, np.pi, 64)
    body = sm.Wheeled(turning_radius=radius, wheelbase=wheelbase, reverse=True)
    dock_cars(distance * around(64), body, speed, 90, dt, heading=heading)


def test_a_body_of_ones_own_gets_the_room_that_it_says_it_needs() -> None:
    """From beside the dock, one that turns on the spot goes straight to it; one with a circle goes out first."""

    @dataclass(frozen=True, eq=False)
    class Boat(sm.PointMass):
        tightest = 4.0

    aside = []
    for body in (sm.PointMass(), Boat()):
        boat = sm.Vehicles([[1.0, 12.0]], max_speed=2.0, max_force=20.0, response_time=0.1, dtype=np.float64)
        ran(boat, sm.Dock([0.0, 0.0], forward=[1.0, 0.0]), body, dt=1 / 60, threads=1, seconds=1)
        aside.append(boat.position[0, 1])
    assert aside[0] < 11
    assert aside[1] > 12


def test_who_is_late_docks_as_soon_as_possible() -> None:
    vehicles = fleet()
    sail(vehicles, sm.Dock([0.0, 0.0], forward=[1.0, 0.0], at_time=1.0), 25)
    assert np.linalg.norm(vehicles.position, axis=1).max() < 0.01


def test_the_plan_by_hand() -> None:
    """12 m before the dock, 3 s left, 2 m/s to have there: A = 2 T + (2/3) T^2, so 6 m/s now, -4/3 m/s^2."""
    plan = {"slowing_distance": 5.0, "standoff": 5.0, "response_time": 0.1, "time_left": 3.0}
    pull = sm.laws.dock([12.0, 0.0], [6.0, 0.0], [1.0, 0.0], 2.0, 10.0, **plan)
    np.testing.assert_allclose(pull, [-4 / 3, 0.0])
    # 3 m beside the axis, 3 s left: l = T^3 / 9, so 3 m/s across now, and -2 m/s^2.
    pull = sm.laws.dock([12.0, 3.0], [6.0, 3.0], [1.0, 0.0], 2.0, 10.0, **plan)
    np.testing.assert_allclose(pull, [-4 / 3, -2.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"forward": [0.0, 0.0]}, "forward must not be zero"),
        ({"forward": [1.0, 0.0], "velocity": [0.0, 2.0]}, "velocity must be along forward"),
        ({"velocity": 3.0}, "velocity must be a vector where there is no forward"),
        ({"forward": [1.0, 0.0], "velocity": -3.0}, "velocity must be a vector or a speed >= 0"),
        ({"forward": [math.nan, 0.0]}, "forward must be finite"),
        ({"standoff": 0.0}, "standoff must be"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sm.Dock([0.0, 0.0], **options)


def test_cars_dock_where_no_direction_is_asked_for() -> None:
    """Then none is faced wrongly, and nobody goes out once more: from all headings they stand at the dock in 10 s."""
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    vehicles = sm.Vehicles(
        np.tile([[6.0, 0.5]], (16, 1)), heading=angle, max_speed=3, max_force=10, radius=0.4, dtype=np.float64
    )
    world = ran(vehicles, sm.Dock([0.0, 0.0]), sm.Wheeled(turning_radius=1.5), dt=1 / 30, threads=1, seconds=10)
    assert np.linalg.norm(vehicles.position, axis=1).max() < 0.1
    world.run(seconds=15)
    assert np.linalg.norm(vehicles.position, axis=1).max() < 0.05

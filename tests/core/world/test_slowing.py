"""Velocities follow what constraints leave of a motion."""

from typing import Any

import numpy as np
import pytest

import steersman as sm


def pushers(d: int, dtype: Any, dt: float, **how: Any) -> tuple[sm.World, sm.Vehicles, Any]:
    """One walks straight at a wall, one at 45 degrees, one along it, touching; one is far away."""
    wall = sm.Boxes([6.0, 0, 0][:d], [1.0, 50, 50][:d])
    start, heading = np.zeros((4, d)), np.zeros((4, d))
    start[:, 0], start[:, 1] = [4.4, 4.4, 4.5, -20], [0, 10, 20, 0]
    heading[:, :2] = [[1, 0], [np.sqrt(0.5), np.sqrt(0.5)], [0, 1], [1, 0]]
    vehicles = sm.Vehicles(start, 2 * heading, max_speed=2, max_force=8, radius=0.5, dtype=dtype)
    world = sm.World(dt=dt, threads=1, constraints=[sm.ZeroOverlap(wall, **how)])
    population = world.add(
        vehicles,
        steering=lambda them: 10 * (2 * heading - them.velocity),
        locomotion=sm.PointMass(limits=[sm.Gait(1.0)]),
    )
    return world, vehicles, population


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(("dt", "dtype"), [(1 / 20, np.float64), (1 / 60, np.float32), (1 / 240, np.float64)])
def test_velocities_are_what_was_really_moved(d: int, dt: float, dtype: Any) -> None:
    world, vehicles, population = pushers(d, dtype, dt)
    world.run(seconds=1)
    before, phase = vehicles.position.astype(float), sm.gait_of(population).phase.astype(float)
    world.step()
    moved = (vehicles.position - before) / dt
    np.testing.assert_allclose(vehicles.velocity, moved, atol=2e-3 if dtype == np.float64 else 5e-3)
    assert vehicles.speed[0] < 0.01
    assert vehicles.speed[1] == pytest.approx(np.sqrt(2), rel=0.01)  # Slides along.
    np.testing.assert_allclose(vehicles.speed[2:], 2, rtol=1e-5)
    strides = (sm.gait_of(population).phase - phase) % 1
    np.testing.assert_allclose(np.minimum(strides, 1 - strides), np.linalg.norm(moved, axis=1) * dt, atol=1e-3)


def test_positions_alone_change_on_request() -> None:
    world, vehicles, _ = pushers(2, np.float64, 1 / 60, velocities=False)
    world.run(seconds=1)
    np.testing.assert_allclose(vehicles.speed, 2, rtol=1e-6)


def test_nobody_is_thrown() -> None:
    """A pile that is untangled by meters in one step lies still afterwards; who flees from it keeps its velocity."""
    rng = np.random.default_rng(3)
    vehicles = sm.Vehicles(rng.uniform(0, 1, (60, 2)), dtype=np.float64)
    outward = sm.Vehicles([[9.0, 0], [9.3, 0]], [[-1.0, 0], [1, 0]], max_speed=1, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1, constraints=[sm.ZeroOverlap()])
    world.add(vehicles)
    world.add(outward)
    world.step()
    assert np.linalg.norm(vehicles.position - 0.5, axis=1).max() > 2
    assert vehicles.speed.max() == 0
    np.testing.assert_allclose(outward.velocity, [[-1, 0], [1, 0]])


def test_who_walks_behind_another_is_not_stopped_by_a_touch() -> None:
    """Rounding lets them overlap by a hair at every step."""
    line = sm.Vehicles(np.arange(5)[:, None] * [1.0 - 1e-5, 0], [1.5, 0], max_speed=1.5, radius=0.5)
    world = sm.World(dt=1 / 60, threads=1, constraints=[sm.ZeroOverlap(tolerance=0.0)])
    world.add(line, steering=sm.TargetSpeed(1.5))
    world.run(seconds=2)
    np.testing.assert_allclose(line.speed, 1.5, rtol=1e-3)


def test_across_the_edge_of_a_torus() -> None:
    """Moved over the seam, a vehicle does not lose more than it was moved by."""
    two = sm.Vehicles([[9.95, 5], [0.85, 5]], [[1.0, 0], [-1, 0]], max_speed=1, radius=0.5, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1, domain=sm.Torus([10, 10]), constraints=[sm.ZeroOverlap()])
    world.add(two)
    world.step()
    np.testing.assert_allclose(two.velocity, [[0, 0], [0, 0]], atol=1e-9)
    world.run(seconds=1)
    np.testing.assert_allclose(two.velocity, [[0, 0], [0, 0]], atol=1e-9)

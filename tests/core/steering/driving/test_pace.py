"""Pace: people who go slower, the denser it is ahead."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.driving.pace import SLOWEST, weidmann


def test_the_curve_is_that_of_weidmann() -> None:
    """1.34 m/s alone, 1.06 at 1/m^2, 0.61 at 2, 0.33 at 3; nobody stands for ever."""
    np.testing.assert_allclose(1.34 * weidmann(np.array([1e-6, 1.0, 2.0, 3.0])), [1.34, 1.06, 0.61, 0.33], atol=0.005)
    assert (weidmann(np.array([5.4, 9.0])) == SLOWEST).all()


def test_the_density_is_that_ahead() -> None:
    """Eight around at 1 m: three of the seven nearer ones lie ahead, so 6 / pi of them on a square meter."""
    angle = np.radians([10, 60, -60, 120, 180, 240, 200, 170])
    others = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.linspace(0.9, 1, 8)[:, None]
    assert sm.laws.density_ahead(np.array([1.0, 0.0]), others) == pytest.approx(6 / np.pi)
    beside_and_last = np.array([[0.0, 1.0], [2.0, 0.0]])
    assert sm.laws.density_ahead(np.array([1.0, 0.0]), beside_and_last) == 0
    start = np.concatenate([[[0.0, 0.0]], 4 * others])
    people = sm.Vehicles(start, radius=0.1, max_speed=2.0, max_force=1e6, response_time="step", dtype=np.float64)
    half = sm.ORCA(0.1, toward=sm.Seek([99.0, 0.0]), speed=lambda density: np.where(density > 0, 0.5, 1.0), radius=25.0)
    force = sm.Controller(people, half).steer(0.1)
    assert force[0, 0] * 0.1 == pytest.approx(1.0, rel=0.06)
    alone = sm.Controller(sm.Vehicles(start[:4], max_speed=2.0, max_force=1e6, response_time="step"), half).steer(0.1)
    assert alone[0, 0] * 0.1 == pytest.approx(2.0, rel=0.1)


def test_the_density_is_exact_to_the_rounding_of_the_vehicles() -> None:
    """One of the two nearest lies ahead: a constant that is rounded to float32 would show in the eighth digit."""
    places, goal = np.array([[0.0, 0.0], [0.5, 0.3], [1.5, 0.8]]), np.array([99.0, 0.0])
    density = sm.laws.density_ahead(goal, places[1:])
    people = sm.Vehicles(places, radius=0.1, max_speed=2.0, max_force=1e6, response_time=0.1, dtype=np.float64)
    tree = sm.ORCA(0.1, toward=sm.Seek(goal), speed=lambda density: density / 10, k=2, radius=9.0)
    force = sm.Controller(people, tree).steer(0.1)[0]
    np.testing.assert_allclose(force, [2.0 * density / 10 / 0.1, 0.0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("density", [1.0, 2.0])
def test_a_stream_of_orca_walks_as_people_do(density: float) -> None:
    """Within 25 % of what Weidmann measured; without it, they go nearly as fast as alone."""
    speeds = {}
    for speed in (None, "weidmann"):
        rng = np.random.default_rng(1)
        side = 1 / np.sqrt(density)
        x, y = np.divmod(np.arange(100), 10)
        start = (np.stack([x, y], axis=1) + rng.uniform(0.35, 0.65, (100, 2))) * side
        people = sm.Vehicles(start, radius=0.2, max_speed=1.34, max_force=15.0, response_time=0.1)
        world = sm.World(dt=0.05, domain=sm.Torus([10 * side, 10 * side]))
        go = lambda vehicles: (np.array([1.34, 0.0]) - vehicles.velocity) / 0.1  # noqa: E731
        world.add(people, steering=sm.ORCA(2.0, toward=go, speed=speed))
        world.run(seconds=15)
        speeds[speed] = people.velocity[:, 0].mean()
    assert speeds["weidmann"] == pytest.approx(float(sm.laws.walking_speed(density)), rel=0.25)
    assert speeds[None] > 1.2


def test_what_is_no_pace_is_refused() -> None:
    with pytest.raises(ValueError, match="neighbors=True"):
        sm.ContextMap([sm.Seek([1, 1])], speed="weidmann")
    with pytest.raises(TypeError, match="speed must be"):
        sm.ORCA(speed=3)
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0.0]]), steering=sm.ORCA(speed=lambda density: 2 * density))
    with pytest.raises(ValueError, match="parts from 0 to 1"):
        world.step()

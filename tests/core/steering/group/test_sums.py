"""Behaviors that add up over their neighbors: vehicles without size, and noise that is held for a while."""

import math

import numpy as np
import pytest

import steersman as sm


def push_between(steering: sm.Behavior, distance: float) -> float:
    """The force on one of two points, away from the other [N]."""
    points = sm.Vehicles([[0.0, 0.0], [distance, 0.0]], radius=0.0, max_force=6.0, dtype=np.float64)
    force = sm.Controller(points, steering).steer(0.1)
    np.testing.assert_array_equal(force[0], -force[1])
    return float(-force[0, 0])


@pytest.mark.parametrize(
    ("radius", "falloff", "touching"), [(10.0, 1.0, 1.0), (10.0, 2.0, 1.0), (4.0, 1.0, 0.4), (math.inf, 1.0, 0.1)]
)
def test_points_touch_at_a_tenth_of_the_radius(radius: float, falloff: float, touching: float) -> None:
    steering = sm.Separation(radius=radius, falloff=falloff, fade=False)
    assert push_between(steering, 2.0) == pytest.approx(6.0 * (touching / 2.0) ** falloff)
    assert push_between(steering, touching) == pytest.approx(6.0)


@pytest.mark.parametrize("falloff", [40.0, 1e9])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_steep_push_of_large_vehicles_is_a_number(falloff: float, dtype: type) -> None:
    """(2 * 5 m)^40 is none in float32. One of two deep within each other is pushed with all its force, one far off is not."""
    pair = sm.Vehicles([[0.0, 0.0], [0.5, 0.0], [60.0, 0.0]], radius=5.0, max_force=6.0, dtype=dtype)
    world = sm.World()
    world.add(pair, name="pair", steering=sm.Separation(radius=70.0, falloff=falloff, fade=False))
    world.step()
    np.testing.assert_allclose(world.explain("pair").force, [[-6, 0], [6, 0], [0, 0]], atol=1e-6)
    shapes = [shape for each in world.sketch("pair", [0]) for shape in each.shapes]
    arrows = [each.value for each in shapes if isinstance(each, sm.shapes.ScaledArrow)]
    assert arrows
    assert all(np.isfinite(each).all() for each in arrows)


def test_followers_without_size_touch_at_a_tenth_of_the_radius() -> None:
    leader = sm.Vehicles([[50.0, 0.0]], [[1.0, 0.0]])
    alone, two = (
        sm.Controller(
            sm.Vehicles(places, radius=0.0, max_force=6.0, dtype=np.float64),
            sm.FollowLeader(leader, law="sum", separation_radius=10.0),
        ).steer(0.1)[0]
        for places in ([[40.0, 0.0]], [[40.0, 0.0], [40.0, 2.0]])
    )
    both = alone + np.array([0.0, -3.0])
    np.testing.assert_allclose(two, both * (6.0 / np.hypot(*both)))


def test_noise_is_drawn_anew_when_its_time_is_over_and_not_a_step_later() -> None:
    """Eight steps of 0.1 s add up to a little less than 0.8 s, which is two periods all the same."""
    vehicle = sm.Vehicles([[0.0, 0.0]], [[1.0, 0.0]], max_force=1e6, response_time="step", dtype=np.float64)
    world = sm.World(dt=0.1, threads=1)
    world.add(vehicle, steering=sm.Alignment(radius=5.0, law="vicsek", noise=1.0, noise_time=0.4, speed=1.0))
    headings = [float(vehicle.heading[0])]
    for _ in range(16):
        world.step()
        headings.append(float(vehicle.heading[0]))
    turns = np.diff(headings).reshape(4, 4)
    np.testing.assert_allclose(turns, np.repeat(turns[:, :1], 4, axis=1), atol=1e-12)
    assert len(np.unique(turns[:, 0].round(9))) == 4


@pytest.mark.each_value
@pytest.mark.parametrize("size", [2.0**-3, 2.0**-8, 2.0**-20])
@pytest.mark.parametrize("radius", [8.0, np.array([8.0, 7.0, 9.0])])
@pytest.mark.parametrize("falloff", [1.0, 2.0, 2.5, 4.0])
def test_separation_is_the_same_at_every_size(falloff, radius, size):
    """In float32: 0.1 m is no smallest radius."""
    pushes = []
    for unit in (1.0, size):
        vehicles = sm.Vehicles(
            np.array([[0, 0], [1, 0], [0, 2]]) * unit, radius=0.5 * unit, max_speed=unit, max_force=100 * unit
        )
        steering = sm.Separation(radius=radius * unit, falloff=falloff)
        pushes.append(sm.Controller(vehicles, steering).steer(0.1) / unit)
    np.testing.assert_allclose(pushes[1], pushes[0], rtol=1e-5)

"""Mass and strength count as their ratio: a vehicle that is four times as heavy and as strong goes the same way."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

ROCKS = sm.Spheres([[8.0, 0.0], [0.0, 9.0], [-9.0, -3.0]], [1.5, 2.0, 1.0])
HALL = sm.Walls([[-30.0, -30.0], [30.0, -30.0], [30.0, 30.0], [-30.0, 30.0]], closed=True, seen_from="inside")
PATH = sm.Path([[-12.0, -12.0], [12.0, -10.0], [12.0, 12.0], [-12.0, 12.0]], radius=2.0, closed=True)
FLOOR = sm.Box([60.0, 60.0], [-30.0, -30.0])
MAP = sm.RouteGrid(ROCKS, region=FLOOR, spacing=1.0, clearance=1.0)
FLOW = sm.FlowField.toward([[20.0, 20.0]], obstacles=ROCKS, region=FLOOR, spacing=1.0)

STEERING: dict[str, Callable[[sm.Vehicles], Any]] = {
    "arrive": lambda other: sm.Arrive([6.0, 5.0]),
    "avoid neighbors": lambda other: sm.Priority([sm.AvoidNeighbors(), sm.Seek([9.0, 3.0])]),
    "avoid obstacles": lambda other: sm.Priority([sm.AvoidObstacles(ROCKS), sm.Seek([20.0, 1.0])]),
    "balanced": lambda other: sm.AvoidObstacles(ROCKS) + sm.AvoidNeighbors() + sm.Seek([20.0, 1.0]),
    "contain": lambda other: sm.Priority([sm.Contain(HALL), sm.Seek([99.0, 1.0])]),
    "context map": lambda other: sm.ContextMap(interest=[sm.Seek([20.0, 1.0])], danger=[sm.AvoidObstacles(ROCKS)]),
    "dock": lambda other: sm.Dock([0.0, 0.0], forward=[1.0, 0.0]),
    "explore": lambda other: sm.Explore(FLOOR, reach=4.0),
    "follow flow": lambda other: sm.FollowFlow(FLOW),
    "follow path": lambda other: sm.FollowPath(PATH),
    "follow wall": lambda other: sm.FollowWall(HALL),
    "go to": lambda other: sm.GoTo([15.0, 3.0], by=MAP),
    "offset pursuit": lambda other: sm.OffsetPursuit(other, offset=[-2.0, 1.0]),
    "orca": lambda other: sm.ORCA(toward=sm.Arrive([9.0, 3.0]), obstacles=[ROCKS, HALL]),
    "pursue": lambda other: sm.Pursue(other),
    "queue": lambda other: sm.Priority([sm.Queue(doorway=[9.0, 3.0]), sm.Seek([9.0, 3.0])]),
    "shadow": lambda other: sm.Shadow(other),
    "stay on path": lambda other: sm.Priority([sm.StayOnPath(PATH), sm.Seek([30.0, 1.0])]),
    "whiskers": lambda other: sm.Priority([sm.Whiskers([ROCKS, HALL]), sm.Wander()]),
}
"""Behaviors without a strength in newtons."""

BODIES = {
    "points": sm.PointMass(),
    "smooth force": sm.PointMass(limits=[sm.SmoothForce(0.3)]),
    "slow turns": sm.PointMass(limits=[sm.LowSpeedTurn()]),
    "wheels": sm.Wheeled(turning_radius=2.0),
    "bicycles": sm.Wheeled(wheelbase=1.0, reverse=True),
}


def ways(body: sm.Locomotion, times: float) -> dict[str, Any]:
    """Where all vehicles have come after some time, by the name of their behavior."""
    world = sm.World(dt=1 / 30, seed=1, threads=1)
    other = sm.Vehicles([[12.0, -4.0]], [[0.0, 2.0]], max_speed=3, radius=0.4)
    world.add(other, name="other", steering=sm.Seek([12.0, 90.0]))
    rng = np.random.default_rng(4)
    for name, steering in STEERING.items():
        place, moves = rng.uniform(-6, 6, (6, 2)), rng.normal(0, 1, (6, 2))
        about = {"mass": 1.5 * times, "max_force": 8.0 * times, "response_time": 0.2, "radius": 0.4}
        world.add(sm.Vehicles(place, moves, max_speed=3, **about), name=name, steering=steering(other), locomotion=body)
    world.run(seconds=4)
    return {name: world[name].position.copy() for name in STEERING}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_vehicle_four_times_as_heavy_and_strong_goes_the_same_way(body: sm.Locomotion) -> None:
    """A power of two keeps all bits."""
    light, heavy = ways(body, 1.0), ways(body, 4.0)
    assert [name for name in STEERING if not np.array_equal(light[name], heavy[name])] == []

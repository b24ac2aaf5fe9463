"""The warning about steps that are too long for the response time: only where somebody steers by it."""

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import steersman as sm


@dataclass(frozen=True, eq=False)
class Match(sm.Behavior):
    """A behavior of one's own that steers by the response time."""

    def steer(self, scene: Any, memory: Any, out: Any) -> None:
        """Come to rest."""
        out.linear[:] = -scene.vehicles.velocity / scene.vehicles.response_time[:, None]


ROCKS = sm.Spheres([[50.0, 50.0]], 1.0)
BY_RESPONSE = {
    "seek": lambda: sm.Seek([0, 0]),
    "below a priority": lambda: sm.Priority([sm.AvoidObstacles(ROCKS), sm.Wander() + sm.Arrive([3, 3])]),
    "by law": lambda: sm.Wander("turn"),
    "in a mode": lambda: sm.Modes({"go": sm.Flee([0, 0]), "rest": sm.Wander()}, start="go", transitions=[]),
    "own": Match,
    "own, below": lambda: sm.Priority([Match(), sm.Wander()]),
    "function": lambda: lambda v: -v.velocity / v.response_time[:, None],
    "function with an argument": lambda: partial(lambda gain, v: -gain * v.velocity / v.response_time[:, None], 2.0),
    "function in a function": lambda: lambda v: (lambda: -v.velocity / v.response_time[:, None])(),
}
NOT = {
    "wander": sm.Wander,
    "gradient": lambda: sm.Wander("gradient"),
    "function": lambda: lambda v: np.ones_like(v.position),
    "avoid": lambda: sm.Priority([sm.AvoidObstacles(ROCKS), sm.Wander() + (lambda v: 0.1 * v.velocity)]),
    "separation": lambda: sm.Separation(radius=3) + sm.Cohesion(radius=4),
    "nobody": lambda: None,
}


def step(tree: Any, dt: float, how: str, **columns: Any) -> list[str]:
    """What is warned of, by a world and by a controller."""
    vehicles = sm.Vehicles([[0.0, 0.0], [1.0, 2.0]], [[1.0, 0.0]] * 2, **columns)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if how == "world":
            world = sm.World(threads=1)
            world.add(vehicles, name="boids", steering=tree)
            world.step(dt)
            world.run(steps=1, dt=dt)
        else:
            controller = sm.Controller(vehicles, tree, name="boids", threads=1)
            controller.steer(dt)
            controller.steer(dt)
    assert all(each.filename == __file__ for each in caught)
    return [str(each.message) for each in caught]


@pytest.mark.parametrize("how", ["world", "controller"])
@pytest.mark.parametrize("name", BY_RESPONSE)
def test_who_steers_by_the_response_time_is_warned_once(name: str, how: str) -> None:
    (message,) = step(BY_RESPONSE[name](), 0.21, how)
    assert "dt = 0.21 s is not below twice the shortest response_time of 'boids' (0.1" in message
    assert step(BY_RESPONSE[name](), 0.19, how) == []
    if not name.startswith(("own", "function")):  # They would divide by zero.
        assert step(BY_RESPONSE[name](), 0.21, how, response_time="step") == []


@pytest.mark.parametrize("how", ["world", "controller"])
@pytest.mark.parametrize("name", NOT)
def test_who_does_not_is_left_alone(name: str, how: str) -> None:
    if name != "nobody" or how == "world":
        assert step(NOT[name](), 5.0, how) == []


def test_a_body_that_reads_the_response_time_takes_no_shorter_one_than_the_step() -> None:
    world = sm.World(threads=1)
    world.add(sm.Vehicles([[0.0, 0.0]]), steering=sm.Wander(), locomotion=sm.Wheeled(limits=[sm.LowSpeedTurn()]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world.step(0.5)

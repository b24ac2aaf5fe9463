"""The warning about vehicles that rounding holds where they are: once, and only where somebody wants to go somewhere."""

import warnings
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.rounding import STEPS


def herd(at: float, **more: Any) -> sm.Vehicles:
    return sm.Vehicles([[0.0, 0.0], [at, 1.0]], id=[4, 7], **more)


def warned(world: Any, steps: int = 1) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(steps):
            world.step() if isinstance(world, sm.World) else world.steer(1 / 60)
    assert all(each.filename == __file__ for each in caught)
    return [str(each.message) for each in caught]


def world_of(vehicles: sm.Vehicles, steering: Any = "seek") -> sm.World:
    world = sm.World()
    world.add(vehicles, steering=sm.Seek([0.0, 0.0]) if steering == "seek" else steering)
    return world


@pytest.mark.parametrize("make", [world_of, lambda vehicles: sm.Controller(vehicles, sm.Seek([0.0, 0.0]))])
def test_who_is_too_far_away_for_float32_is_named(make: Any) -> None:
    world = make(herd(1e6))
    (message,) = warned(world, STEPS + 2)
    assert message.startswith(
        "vehicle 7 of 'vehicles' is at [1000000.0, 1.0] m, where numbers of float32 are 0.0625 m apart"
    )
    assert "0.0167 m is all that it moves in a step" in message
    assert "Please make them with dtype=np.float64, or put the origin nearer" in message


def test_it_is_true() -> None:
    stuck, free = herd(1e6, velocity=[1.0, 0.0]), herd(1e6, velocity=[1.0, 0.0], dtype=np.float64)
    with pytest.warns(RuntimeWarning, match="rounding"):
        world_of(stuck, None).run(seconds=10)
    world_of(free, None).run(seconds=10)
    assert stuck.position[1, 0] == 1e6
    assert free.position[1, 0] == pytest.approx(1e6 + 10)


@pytest.mark.parametrize(
    ("vehicles", "steering"),
    [
        (herd(1e6, dtype=np.float64), sm.Wander()),
        (herd(1e4), sm.Wander()),
        (herd(1e6, max_speed=100.0), sm.Wander()),
        (herd(1e6), None),
        (herd(1e6, max_speed=0.0), sm.Wander()),
        (sm.Vehicles(np.zeros((0, 2))), sm.Wander()),
    ],
)
def test_nobody_else_is_bothered(vehicles: sm.Vehicles, steering: Any) -> None:
    assert not warned(world_of(vehicles, steering), 2)


def test_who_gets_far_away_is_seen_later_and_once() -> None:
    world = world_of(herd(0.0))
    assert not warned(world, 3)
    world["vehicles"].position[:] = 1e8
    (message,) = warned(world, 2 * STEPS)
    assert "2 of 2 vehicles" in message
    world.add(herd(1e8), name="others", steering=sm.Wander())
    assert not warned(world, STEPS + 1)


def test_float64_has_an_end_too() -> None:
    (message,) = warned(world_of(herd(1e16, dtype=np.float64)))
    assert message.endswith("Please put the origin nearer to them.")

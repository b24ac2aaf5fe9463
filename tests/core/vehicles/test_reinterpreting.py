"""Arrays that are handed out: what is done to their type, shape and size reaches nobody else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # NumPy will refuse some of it one day.

COLUMNS = (
    "position", "velocity", "forward", "angular_velocity", "mass", "radius", "max_speed", "max_force", "response_time",
    "max_angular_speed", "max_angular_acceleration", "length", "id", "block", "whole", "count",
)  # fmt: skip


def herd(d: int) -> sm.Vehicles:
    return sm.Vehicles(np.random.default_rng(2).uniform(0, 9, (12, d)), max_speed=2, dtype=np.float64)


def world_of(d: int) -> sm.World:
    world = sm.World(seed=4, threads=1)
    world.add(herd(d), name="herd", steering=sm.Wander() + sm.Separation(radius=3))
    world.run(steps=2)
    return world


def retype(array: Any) -> None:
    array.dtype = np.uint8


def reshape(array: Any) -> None:
    array.shape = (1, *array.shape)


def restride(array: Any) -> None:
    array.strides = (0,) * array.ndim


def resize(array: Any) -> None:
    array.resize((100_000,), refcheck=False)


def chain(array: Any) -> list[Any]:
    """An array, its base, the base of that."""
    found = []
    while isinstance(array, np.ndarray):
        found.append(array)
        array = array.base
    return found


def everything(vehicles: sm.Vehicles) -> dict[str, Any]:
    """All arrays that vehicles hand out, by what they are called."""
    found = {name: getattr(vehicles, name) for name in (*COLUMNS, *(["up"] if vehicles.dimensions == 3 else []))}
    for about, tuples in (("columns", vehicles.columns), ("spin", vehicles.spin)):
        for name, value in tuples._asdict().items():
            for k, each in enumerate(value if isinstance(value, tuple) else (value,)):
                found[f"{about}.{name}[{k}]"] = each
    return found


def goes_on(world: sm.World) -> str:
    vehicles = world["herd"]
    for _ in range(2):
        world.step()
        vehicles.spawn(np.ones((2, vehicles.dimensions)))
        world.step()
        vehicles.remove(vehicles.id[:3])
    vehicles.spawn(np.ones((40, vehicles.dimensions)))  # More than there is room for.
    world.step()
    return state_hash(world)


@pytest.mark.parametrize("change", [retype, reshape, restride, resize], ids=lambda change: change.__name__)
@pytest.mark.parametrize("d", [2, 3])
def test_a_plan_does_not_see_what_becomes_of_arrays(change: Callable[[Any], None], d: int) -> None:
    expected, world = goes_on(world_of(d)), world_of(d)
    changed = 0
    for array in everything(world["herd"]).values():
        for each in chain(array):
            try:
                change(each)
                changed += 1
            except (ValueError, AttributeError, TypeError):
                pass  # NumPy refuses.
    assert changed or change is resize
    assert goes_on(world) == expected


@pytest.mark.parametrize("d", [2, 3])
def test_what_vehicles_hand_out_cannot_be_resized(d: int) -> None:
    for name, array in everything(herd(d)).items():
        for each in chain(array):
            assert not each.flags.owndata, name


def test_every_array_is_another_one_each_time() -> None:
    vehicles = herd(3)
    first, second = everything(vehicles), everything(vehicles)
    assert not [name for name in first if first[name] is second[name]]


def test_what_behaviors_remember_and_a_controller_returns_cannot_be_resized() -> None:
    seen: list[Any] = []

    class Remembering(sm.Behavior):
        def init(self, vehicles: sm.Vehicles) -> dict[str, Any]:
            return {"count": np.zeros(len(vehicles)), "pair": np.zeros((len(vehicles), 2))}

        def steer(self, scene: Any, memory: Any, out: Any) -> None:
            memory["count"] += 1
            seen.extend([memory["count"], memory["pair"]])

    game = sm.Controller(herd(2), Remembering() + sm.Wander(), threads=1)
    seen += [game.steer(0.1), game.turning]
    for array in seen:
        for each in chain(array):
            assert not each.flags.owndata
    reshape(game.steer(0.1))
    assert game.steer(0.1).shape == (12, 2)

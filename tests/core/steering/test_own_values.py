"""Arrays with an entry for each vehicle go by id: vehicles that stay keep theirs while others come and go."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

N = 5
AXES = np.stack([np.cos(np.arange(N)), np.sin(np.arange(N))], axis=1)
PLACES = 20 * AXES

LEADER = sm.Vehicles([[0, 0]], [1, 0], max_speed=1)

STEERINGS: dict[str, Callable[[Any], tuple[sm.Behavior, Any]]] = {
    "Dock to face": lambda rows: (sm.Dock([0, 0], forward=AXES[rows]), None),
    "Dock with a velocity": lambda rows: (sm.Dock(PLACES[rows], velocity=AXES[rows] * (1 + rows)[:, None]), None),
    "OffsetPursuit": lambda rows: (sm.OffsetPursuit(LEADER, offset=PLACES[rows]), None),
    "ReachOrientation": lambda rows: (sm.ReachOrientation(np.arange(N)[rows] - 2.0), sm.FreeBody()),
}


def world_of(steering: str, rows: Any) -> tuple[sm.World, sm.Vehicles]:
    make, body = STEERINGS[steering](rows)
    vehicles = sm.Vehicles(-1.5 * PLACES[rows] + [3, 0], AXES[rows], max_speed=4 + rows, max_force=20)
    world = sm.World(seed=1, threads=1)
    world.add(vehicles, steering=make, locomotion=body)
    return world, vehicles


@pytest.mark.parametrize("gone", [0, 2, N - 1])
@pytest.mark.parametrize("steering", STEERINGS)
def test_those_who_stay_go_as_if_the_others_had_never_been(steering: str, gone: int) -> None:
    rows = np.delete(np.arange(N), gone)
    (world, vehicles), (other, fewer) = world_of(steering, np.arange(N)), world_of(steering, rows)
    for each in (world, other):
        each.run(steps=40)
    vehicles.remove(gone)
    for each in (world, other):
        each.run(steps=600)
    assert np.array_equal(vehicles.position, fewer.position)
    assert np.array_equal(vehicles.forward, fewer.forward)
    vehicles.spawn([[40.0, 3.0]])
    for each in (world, other):
        each.run(steps=40)
    assert np.array_equal(vehicles.position[:-1], fewer.position)
    assert np.isfinite(vehicles.position).all()


@pytest.mark.parametrize("steering", STEERINGS)
def test_there_must_be_as_many_as_vehicles(steering: str) -> None:
    world = sm.World(threads=1)
    world.add(
        sm.Vehicles(np.zeros((N - 1, 2))), steering=STEERINGS[steering](np.arange(N))[0], locomotion=sm.FreeBody()
    )
    with pytest.raises(ValueError, match=r"must .*\(5,"):
        world.step()


def test_there_are_none_for_vehicles_that_come_to_an_empty_population() -> None:
    ships = sm.Vehicles(np.zeros((0, 2)))
    world = sm.World(threads=1)
    world.add(ships, steering=sm.OffsetPursuit(LEADER, offset=np.zeros((0, 2))))
    world.step()
    ships.spawn([[1.0, 1.0]])
    with pytest.raises(ValueError, match=r"offset must have shape \(2,\) or \(1, 2\), got \(0, 2\)"):
        world.step()


def test_a_number_that_is_computed_of_a_column_follows_the_column() -> None:
    """Flee takes the square of its distance."""
    vehicles = sm.Vehicles([[3.0, 0.0], [0.0, 6.0]])
    steered = sm.Controller(vehicles, sm.Orders(sm.Flee([0.0, 0.0], panic_distance="column:far"), {"far": 4.0}))
    for far, flees in (((4.0, 4.0), [True, False]), ((2.0, 7.0), [False, True]), ((9.0, 1.0), [True, False])):
        steered.order(vehicles.id, far=far)
        assert steered.steer(0.1).any(axis=1).tolist() == flees

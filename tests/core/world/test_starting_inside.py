"""Vehicles that start where they do not see an obstacle: the world says so, once, at the start."""

import warnings

import numpy as np
import pytest
from stepping import ways

import steersman as sm

ROOM = [[0, 0], [20, 0], [20, 10], [0, 10]]


def world_with(obstacles, place, **options):
    """A world of vehicles at given places that avoid obstacles."""
    world = sm.World(seed=1, dt=1 / 30, threads=1)
    vehicles = sm.Vehicles(place, [2.0, 1.0], radius=0.5, max_speed=4, max_force=10, **options)
    world.add(vehicles, name="guests", steering=sm.Priority([sm.AvoidObstacles(obstacles), sm.Seek([60.0, 30.0])]))
    return world, vehicles


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("obstacles", "place", "message"),
    [
        (sm.Walls(ROOM, closed=True, seen_from="outside"), [[-9, 5], [4, 5], [6, 5]], "1 .* inside of Walls.*2 of 3"),
        (sm.Walls(ROOM, closed=True, seen_from="inside"), [[4, 5], [-9, 5]], "1 .* outside of Walls.*1 of 2"),
        (sm.Spheres([[0, 0], [9, 9]], 3.0), [[9.5, 9], [20, 0]], "0 .* inside of Spheres.*1 of 2"),
        ([sm.Walls(ROOM), sm.Boxes([5, 5], 1.0)], [[5.5, 5]], "0 .* inside of Boxes.*1 of 1"),
    ],
)
def test_who_starts_inside_is_told_of_once(obstacles, place, message, dtype):
    world, _ = world_with(obstacles, place, dtype=dtype)
    with pytest.warns(RuntimeWarning, match=f"^vehicle {message}") as told:
        world.step()
    assert [each.filename for each in told] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world.step()


def test_who_starts_inside_over_the_seam_of_a_torus_is_told_of():
    world = sm.World(domain=sm.Torus([20, 20]))
    world.add(sm.Vehicles([[19.5, 5], [10, 5]]), steering=sm.AvoidObstacles(sm.Spheres([[1.0, 5]], 2.0)))
    with pytest.warns(RuntimeWarning, match=r"^vehicle 0 .* inside of Spheres.*1 of 2"):
        world.step()


def test_nobody_is_told_of_who_is_where_obstacles_are_seen():
    for obstacles, place in (
        (sm.Walls(ROOM, closed=True), [[4, 5], [-9, 5]]),
        (sm.Walls(ROOM, closed=True, seen_from="inside"), [[4, 5]]),
        (sm.Spheres([[0, 0]], 3.0), [[3.1, 0]]),
        (sm.Walls(ROOM[:3], seen_from="outside"), [[4, 5], [4, -5]]),
    ):
        world, _ = world_with(obstacles, place)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            world.step()


def test_a_room_around_vehicles_holds_them():
    """Without a word about the side: a ring of walls is solid from inside and from outside."""
    walls = sm.Walls(ROOM, closed=True)
    world, vehicles = world_with(walls, [[4, 5], [10, 3], [18, 8], [-9, 5], [10, -4]])
    assert np.abs(walls.nearest(ways(world, vehicles, 240).reshape(-1, 2)).distance).min() > 0.5
    assert walls.inside(vehicles.position.astype(float)).tolist() == [True, True, True, False, False]

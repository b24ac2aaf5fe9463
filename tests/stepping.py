"""Worlds of one population that have run for some time."""

from typing import Any

import numpy as np

import steersman as sm


def ran(vehicles: sm.Vehicles, steering: Any, locomotion: Any = None, *, dt: float = 1 / 60, **about: Any) -> sm.World:
    """A world of these vehicles after some time.

    Args:
        vehicles: The vehicles.
        steering: What steers them.
        locomotion: Their body. Default: a point mass.
        dt: Time step [s].
        **about: seconds or steps to run, and arguments of the world.
    """
    how_long = {name: about.pop(name) for name in ("seconds", "steps") if name in about}
    world = sm.World(dt=dt, **about)
    world.add(vehicles, steering=steering, locomotion=locomotion)
    world.run(**how_long)
    return world


def ways(world: sm.World, vehicles: sm.Vehicles, steps: int) -> Any:
    """Positions after each of so many steps [m], shape (steps, n, d): to measure all at once takes less than each step."""
    places = np.empty((steps, *vehicles.position.shape), vehicles.dtype)
    for place in places:
        world.step()
        place[:] = vehicles.position
    return places

"""A small run to be exported: a flock on a torus in 2D or 3D, and walkers that come and go."""

from functools import cache

import numpy as np
from runs.recording.worlds import flock

import steersman as sm
from steersman.adapters.frames import Frame, frames_of


def lively(dimensions: int = 2) -> sm.World:
    world = flock(6, dimensions)
    world["boids"].position[0] = 39.9  # It crosses the seam soon.
    world["boids"].velocity[0] = 4.0
    places = np.array([18.0, 25.0, 5.0])[:, None] * np.ones(dimensions)
    walkers = sm.Vehicles(np.zeros((0, dimensions)), max_speed=2, max_force=10, radius=0.3)
    flows = [sm.Spawner(20.0, places), sm.Sink(older_than=0.3)]
    world.add(walkers, name="walkers", steering=sm.Wander(), flows=flows)
    return world


@cache
def frames(dimensions: int = 2) -> tuple[Frame, ...]:
    """21 frames, 0.04 s apart."""
    return tuple(frames_of(lively(dimensions), seconds=0.8, every=0.04))

"""Small worlds to be recorded."""

import numpy as np

import steersman as sm


def flock(n=12, dimensions=2, seed=3, dtype=np.float32):
    rng = np.random.default_rng(seed)
    boids = sm.Vehicles(
        rng.uniform(0, 40, (n, dimensions)), rng.normal(0, 3, (n, dimensions)), max_speed=6, max_force=20, dtype=dtype
    )
    world = sm.World(domain=sm.Torus([40] * dimensions), seed=seed, dt=0.02, threads=1)
    world.add(boids, name="boids", steering=sm.Separation(radius=4) + 0.5 * sm.Wander())
    return world


def comings_and_goings():
    """Walkers who come by a flow and go after a while, in two modes, beside a flock."""
    world = flock(6)
    walkers = sm.Vehicles(np.zeros((0, 2)), max_speed=2, max_force=10)
    brain = sm.Modes(
        {"walk": sm.Wander(), "flee": sm.Flee([20, 20])},
        start="walk",
        transitions=[("walk", "flee", sm.Near([20, 20], 8)), ("flee", "walk", sm.After(0.3))],
    )
    flows = [sm.Spawner(20.0, [[18, 20], [25, 25], [5, 5]]), sm.Sink(older_than=0.7)]
    world.add(walkers, name="walkers", steering=brain, flows=flows)
    return world

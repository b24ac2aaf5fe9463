"""Worlds to split."""

import numpy as np

import steersman as sm


def flock(n: int = 300, *, torus: bool = True, size: float = 90.0, flows: bool = True) -> sm.World:
    """Boids with obstacles, Wander and a leader in another population; some come, some go."""
    rng = np.random.default_rng(3)
    world = sm.World(domain=sm.Torus([size, size]) if torus else None, seed=5, dt=1 / 30, threads=1)
    rocks = sm.Spheres(rng.uniform(0, size, (6, 2)), 2.0, seen_from="both")
    leader = sm.Vehicles(rng.uniform(0, size, (1, 2)), max_speed=5, max_force=20)
    world.add(leader, name="leader", steering=sm.Wander())
    boids = sm.Vehicles(
        rng.uniform(0, size, (n, 2)),
        rng.normal(0, 2, (n, 2)),
        max_speed=6,
        max_force=25,
        radius=rng.uniform(0.1, 0.3, n),
    )
    tree = sm.Priority(
        [
            sm.AvoidObstacles(rocks),
            1.5 * sm.Separation(radius=2)
            + sm.Cohesion(radius=4)
            + sm.Alignment(radius=4)
            + 0.5 * sm.Wander()
            + 0.2 * sm.Seek(leader),
        ]
    )
    door, exit = sm.Box([6, 6], [20, 20]), sm.Sphere([40, 40], 8.0)
    world.add(
        boids,
        name="flock",
        steering=tree,
        flows=[sm.Spawner(9.0, door, velocity=[1.0, 0.0]), sm.Sink(exit)] if flows else [],
    )
    return world

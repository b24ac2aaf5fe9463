"""Two thousand boids on a torus that flock, wander a little, and get out of the way of two rocks."""

import numpy as np

import steersman as sm

rng = np.random.default_rng(7)
rocks = sm.Spheres(center=[[60, 80], [140, 120]], radius=[12, 20])  # circles in 2D
space = sm.Torus([200, 200])
boids = sm.Vehicles(
    position=sm.spawn.inside(2000, space, obstacles=rocks, clearance=1, rng=rng),
    velocity=rng.normal(0, 5, (2000, 2)),
    max_speed=12,
    max_force=30,
)

world = sm.World(domain=space, seed=7)
world.add(
    boids,
    name="boids",
    steering=sm.Priority(
        [
            sm.AvoidObstacles(rocks, lookahead=2.0),
            1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9) + 0.2 * sm.Wander(),
        ]
    ),
)
world.run(seconds=30, dt=1 / 60)
print(boids.position, boids.speed.mean())

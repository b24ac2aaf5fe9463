"""A crowd on hills: what an artist gives are maps, a gray picture of heights, a path and a meadow drawn from above.

The positions of every frame are saved for the renderer.
"""

import numpy as np

import steersman as sm

# A gray picture will do, too: sm.Heightfield("heights.png", [0, 0], [100, 100], scale=12)
x = np.linspace(0, 1, 51)
land = sm.Heightfield(np.outer(np.sin(5 * x), np.cos(4 * x)), [0, 0], [100, 100], scale=8)
track = sm.Path.spline([[10, 10], [45, 20], [50, 60], [90, 85]], radius=3)
meadow = sm.Polygon([[55, 5], [95, 10], [90, 55], [60, 45]])
place = np.array([[30.0, 14.0], [52.0, 40.0], [70.0, 72.0]])


def on_land(points: np.ndarray) -> np.ndarray:
    """Points of the map, shape (n, 2), on the ground, shape (n, 3)."""
    return np.column_stack([points, land.height_at(points)])


boulders = sm.Spheres(center=on_land(place), radius=2)
rng = np.random.default_rng(1)
hikers = sm.Vehicles(on_land(track.point_at(rng.uniform(0, 30, 20))), max_speed=3, max_force=9)
sheep = sm.Vehicles(on_land(rng.uniform([65, 15], [85, 40], (30, 2))), max_speed=2, max_force=6)

world = sm.World(seed=1)
feet = sm.SurfaceBound(land)
world.add(
    hikers,
    name="hikers",
    steering=sm.Priority([sm.AvoidObstacles(boulders), sm.FollowPath(track) + sm.Separation(radius=2)]),
    locomotion=feet,
)
world.add(
    sheep,
    name="sheep",
    steering=sm.Priority([sm.Contain(meadow), sm.Wander() + sm.Separation(radius=2)]),
    locomotion=feet,
)

frames = []
for _frame in range(24 * 10):
    world.run(steps=2, dt=1 / 48)
    frames.append(np.concatenate([hikers.position, sheep.position]))
np.save("frames.npy", frames)
world.draw("hills.png", style=sm.Picture(azimuth=-60, elevation=50, size=0.5))
print(np.shape(frames), "off the ground:", np.abs(hikers.position[:, 2] - land.height_at(hikers.position[:, :2])).max())

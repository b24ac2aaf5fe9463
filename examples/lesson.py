# %% [markdown]
"""A lesson: from one urge to a flock, cell by cell. Open it as a notebook (VS Code, Jupytext), or run it as a program."""

# %%
import numpy as np

import steersman as sm

# %% Seek runs past its goal and turns back, again and again. Arrive slows down.
start = [[0.0, 0.0]]
for behavior in (sm.Seek([20, 5]), sm.Arrive([20, 5])):
    world = sm.World(dt=0.05)
    one = sm.Vehicles(start, velocity=[0, 3], max_speed=5, max_force=6)
    world.add(one, name="one", steering=behavior)
    meters = world.watch("one", "distance_to", to=[20, 5], every=0.5)
    world.run(seconds=12)
    print(type(behavior).__name__, meters["one.distance_to"].values.round(1)[-8:])

# %% The law itself, as an equation on arrays.
print(sm.laws.seek(np.array(start), np.array([[0.0, 3.0]]), np.array([[20.0, 5.0]]), 5.0))

# %% Three urges make a flock. Leave one out: what happens?
rng = np.random.default_rng(3)
urges = {
    "separation": 1.6 * sm.Separation(radius=3),
    "cohesion": sm.Cohesion(radius=8),
    "alignment": sm.Alignment(radius=8),
}
for left_out in (None, *urges):
    birds = sm.Vehicles(rng.uniform(0, 60, (120, 2)), rng.normal(0, 4, (120, 2)), max_speed=6, max_force=20)
    world = sm.World(domain=sm.Torus([60, 60]), seed=3, dt=0.05)
    world.add(birds, name="birds", steering=sm.WeightedSum([urge for name, urge in urges.items() if name != left_out]))
    meters = world.watch("birds", "polarization", "nearest_distance")
    world.run(seconds=15)
    print(f"without {left_out}:", meters)

# %% Who wants what? Ask for one bird.
print(world.explain("birds", 0))

# %% The picture, with the forces on three of them. A cell that ends in `world` shows it beside a table.
world.draw(forces=[0, 1, 2])

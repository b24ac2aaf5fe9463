"""An experiment: how much wandering does a flock bear? Ten seeds for each weight; series, means and spreads.

The same seeds give the same numbers, on any machine and with any number of threads.
"""

import numpy as np

import steersman as sm

N, SIZE, SEEDS = 200, 60.0, range(10)
WEIGHTS = (0.0, 0.5, 1.0, 2.0, 4.0)


def order(weight: float, seed: int) -> np.ndarray:
    """How the polarization of a flock goes over 20 s, for one weight of Wander."""
    rng = np.random.default_rng(seed)
    boids = sm.Vehicles(rng.uniform(0, SIZE, (N, 2)), rng.normal(0, 3, (N, 2)), max_speed=6, max_force=20)
    world = sm.World(domain=sm.Torus([SIZE, SIZE]), seed=seed, dt=0.05)
    world.add(boids, name="boids", steering=sm.Flocking() + weight * sm.Wander())
    meters = world.watch("boids", "polarization", every=0.5)
    world.run(seconds=20)
    return meters["boids.polarization"].values


series = {weight: np.array([order(weight, seed) for seed in SEEDS]) for weight in WEIGHTS}
print("weight  order after 20 s")
for weight, runs in series.items():
    late = runs[:, -10:].mean(axis=1)  # The last 5 s of each run.
    print(f"{weight:6.1f}  {late.mean():.3f} +- {late.std(ddof=1):.3f}")

"""Imitation: three weights of a flock are found from its recorded tracks alone.

A flock is recorded, and its weights are forgotten. Flocks with other weights start from the same places; the one whose boids
come nearest to the recorded ones after two seconds has the weights.
"""

import numpy as np

import steersman as sm

HIDDEN = {"separation": 1.6, "alignment": 0.9, "cohesion": 1.2}
SEEDS, FRESH, SECONDS = range(3), range(100, 108), 2.0


def flock(*, seed: int = 0, separation: float = 1.0, alignment: float = 1.0, cohesion: float = 1.0) -> sm.Stage:
    """Twenty boids that start anywhere."""
    rng = np.random.default_rng(seed)
    boids = sm.Vehicles(rng.uniform(0, 20, (20, 2)), rng.normal(0, 2, (20, 2)), max_speed=5, max_force=20)
    world = sm.World(domain=sm.Torus([20, 20]), seed=seed, dt=0.05)
    parts = (separation * sm.Separation(radius=4), alignment * sm.Alignment(radius=7), cohesion * sm.Cohesion(radius=7))
    world.add(boids, name="boids", steering=sm.WeightedSum(parts))
    return sm.Stage(world, seconds=SECONDS)


def record(seed: int) -> np.ndarray:
    """The places of the boids at the end of a recorded run, shape (n, 2)."""
    stage = flock(seed=seed, **HIDDEN)
    with stage.record(f"tracks/{seed}", every=0.5, force=True):
        stage.world.run(seconds=SECONDS)
    moment = sm.read_run(f"tracks/{seed}").positions(SECONDS)["boids"]
    return np.asarray(moment.position[np.argsort(moment.id)], float)


RECORDED = {seed: record(seed) for seed in (*SEEDS, *FRESH)}


def distance(stage: sm.Stage) -> float:
    """How far the boids are from the recorded ones at the end, in the mean of squares [m]."""
    away = stage.world["boids"].position - RECORDED[stage.world.seed]
    away -= 20 * np.round(away / 20)  # On a torus the shortest way counts.
    return float(np.sqrt(np.mean(np.sum(away**2, axis=1))))


if __name__ == "__main__":
    span = {"low": 0.0, "high": 3.0}
    tuned = sm.tune(
        flock, dict.fromkeys(HIDDEN, span), minimize=distance, seeds=SEEDS, held_out=FRESH, budget=200, search_seed=1
    )
    print(tuned)
    for name, hidden in HIDDEN.items():
        print(f"{name}: {tuned.values[name]:.3f}, and was {hidden}: {100 * (tuned.values[name] / hidden - 1):+.2f} %")

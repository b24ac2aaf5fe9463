"""Many small worlds in one step, beside the same worlds one by one: `python -m benchmarks.worlds [worlds] [threads]`.

In turns, by processor time: the least of several measurements of each.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

import steersman as sm

VEHICLES, EXTENT, STEPS, TURNS = 20, 20.0, 20, 7


def make(seed: int) -> sm.World:
    """A flock that wanders on a torus."""
    rng = np.random.default_rng(seed)
    world = sm.World(domain=sm.Torus((EXTENT, EXTENT)), seed=seed, threads=1)
    boids = sm.Vehicles(
        rng.uniform(0, EXTENT, (VEHICLES, 2)), rng.normal(size=(VEHICLES, 2)), max_speed=3, max_force=10
    )
    world.add(boids, steering=sm.Flocking() + 0.5 * sm.Wander())
    return world


def main(count: int = 1000, threads: int = 1) -> None:
    """Measure, and print a table."""
    worlds = sm.Worlds(make, count, threads=threads)
    alone = [make(seed) for seed in range(min(count, 100))]

    def step_each() -> None:
        for _ in range(STEPS):
            worlds.step()

    def one_by_one() -> None:
        for _ in range(STEPS):
            for world in alone:
                world.step()

    ways: dict[str, tuple[Callable[[], object], int]] = {
        "one by one": (one_by_one, len(alone)),
        "together, step()": (step_each, count),
        f"together, run(steps={STEPS})": (lambda: worlds.run(steps=STEPS), count),
    }
    least: dict[str, tuple[float, float]] = dict.fromkeys(ways, (np.inf, np.inf))
    for _ in range(TURNS):
        for name, (way, among) in ways.items():
            begin, busy = time.perf_counter(), time.process_time()
            way()
            spent = time.process_time() - busy, time.perf_counter() - begin
            one, other = (each / (among * STEPS) * 1e6 for each in spent)
            least[name] = min(least[name][0], one), min(least[name][1], other)
    print(f"{count} worlds of {VEHICLES} vehicles, {threads} threads: microseconds for a step of a world")
    for name, (busy, wall) in least.items():
        rate = VEHICLES / wall
        print(f"{name:24} {busy:6.2f} of processor time, {wall:6.2f} of the clock: {rate:5.1f} million vehicle steps/s")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:]))

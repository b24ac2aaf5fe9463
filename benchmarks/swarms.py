"""Swarms beside published numbers: Vicsek's transition over the size of the system, and flocks with k neighbors or a radius.

    python -m benchmarks.swarms                          # prints the tables
    python -m benchmarks.swarms vicsek --seeds 2         # a part
    python -m benchmarks.swarms --keep FILE --write      # goes on with FILE; writes tables and pictures into docs/

Vicsek et al. 1995: particles at constant speed on a torus take the mean heading of all within one radius, turned by an angle
uniform in [-noise / 2, noise / 2]. Here four in a square of the radius, and a tenth of a radius in a step. Each size begins
at random with the least noise, and goes on from noise to noise.

Ballerini et al. 2008 and Camperi et al. 2012: flocks that go by the nearest few stay together where flocks that go by a
radius break apart. Here two such flocks, which have as many neighbors in their undisturbed state, meet the same obstacle,
from which each turns back that comes nearer than its radius.
"""

import argparse
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import steersman as sm
from steersman import metrics

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "validation.md"
PICTURE = DOCS / "benchmarks" / "swarms.png"
BEGIN, END = "<!-- swarms: made by benchmarks/swarms -->", "<!-- end of the swarms -->"

SIZES = (64, 256, 1024, 4096)
NOISES = (0.5, 1.5, 2.5, 3.0, 3.5, 3.8, 4.0, 4.2, 4.4, 4.6, 5.0, 5.5, 2 * math.pi)
DENSITY, STEP = 4.0, 0.1
SETTLING, READINGS, EVERY = 1000, 400, 10
SEEDS = 5

BETA, GAMMA, NU = 0.45, 2.3, 1.6
"""Exponents of Baglietto and Albano 2008: order, susceptibility, correlation length; with errors of 0.03, 0.4, 0.3."""

Numbers = dict[str, float]


# ------------------------------------------------------------------------------------------------ Vicsek


def particles(n: int, seed: int) -> sm.World:
    """Particles on a torus, with any heading."""
    rng = np.random.default_rng(seed)
    space = sm.Torus([math.sqrt(n / DENSITY)] * 2)
    place, heading = sm.spawn.inside(n, space, rng=rng), sm.spawn.any_direction(n, speed=1, rng=rng)
    swarm = sm.Vehicles(place, heading, radius=0, max_speed=1, max_force=100, response_time="step")
    world = sm.World(domain=space, seed=seed, dt=STEP, threads=1)
    world.add(swarm, name="particles", steering=rule(NOISES[0]))
    return world


def rule(noise: float) -> sm.Alignment:
    """Vicsek's law with a noise [rad]."""
    return sm.Alignment(law="vicsek", radius=1, speed=1, noise=noise)


def transition(n: int, seed: int, settling: int = SETTLING, readings: int = READINGS) -> dict[str, Numbers]:
    """The order over the noise: its mean, the susceptibility and Binder's cumulant."""
    world, found = particles(n, seed), {}
    swarm = world.populations["particles"]
    for noise in NOISES:
        swarm.steering = rule(noise)
        world.run(steps=settling)
        order = np.zeros(readings)
        for k in range(readings):
            world.run(steps=EVERY)
            order[k] = metrics.polarization(swarm.vehicles)
        found[f"{noise:.6g}"] = {
            "order": float(order.mean()),
            "susceptibility": float(metrics.susceptibility(order, n)),
            "binder": float(metrics.binder_cumulant(order)),
        }
    return found


# ------------------------------------------------------------------------------------------------ the nearest, or a radius


BIRDS, SPEED, ROCKS = 200, 4.0, (1.0, 2.0)


def flocking(k: int | None, radius: float) -> sm.Flocking:
    """A flock that goes by its nearest, or by all within a radius [m]; it keeps apart alike."""
    return sm.Flocking(
        k=k, separation_radius=1.0, alignment_radius=radius, cohesion_radius=radius, alignment_weight=1.0
    )


FLOCKS: dict[str, sm.Flocking] = {
    "nearest 7": flocking(7, math.inf),
    "radius 1.3 m": flocking(None, 1.3),
    "nearest 20": flocking(20, math.inf),
    "radius 1.75 m": flocking(None, 1.75),
}


def meeting(law: sm.Behavior, seed: int, rock: float) -> Numbers:
    """A flock in 3D that meets an obstacle of a radius [m]: each that comes into it turns back, regardless of others."""
    rng = np.random.default_rng(seed)
    place = rng.normal(size=(BIRDS, 3))
    place *= 4 * rng.uniform(0, 1, (BIRDS, 1)) ** (1 / 3) / np.linalg.norm(place, axis=1, keepdims=True)
    velocity = np.array([SPEED, 0, 0]) + rng.normal(0, 0.3, (BIRDS, 3))
    birds = sm.Vehicles(place, velocity, max_speed=SPEED, max_force=8, radius=0.2)
    middle = np.full(3, np.inf)

    def turn_back(vehicles: Any) -> Any:
        away = vehicles.position - middle
        distance = np.linalg.norm(away, axis=1, keepdims=True)
        inside = distance < rock
        wanted = SPEED * np.where(inside, away, 0.0) / np.where(inside, np.maximum(distance, 1e-9), 1.0)
        return np.where(inside, (wanted - vehicles.velocity) / 0.1, 0.0)

    world = sm.World(dt=0.05, seed=seed, threads=1)
    world.add(birds, name="birds", steering=sm.Priority([turn_back, law]))
    world.run(seconds=20)
    seventh = np.median(world.neighbors("birds", math.inf, k=7).distances.reshape(BIRDS, 7)[:, 6])
    most = max(law.cohesion_radius if math.isfinite(law.cohesion_radius) else 0.0, 0.0)
    neighbors = law.k or len(world.neighbors("birds", most).indices) / BIRDS
    heading = birds.velocity.mean(axis=0)
    reach = 2 * metrics.dispersion(birds) + rock
    middle[:] = metrics.center(birds) + reach * heading / np.linalg.norm(heading)
    before = metrics.cluster_count(birds, 2 * seventh)
    world.run(seconds=30)
    return {
        "neighbors": float(neighbors),
        "before": float(before),
        "parts": float(metrics.cluster_count(birds, 2 * seventh)),
        "largest": float(metrics.largest_cluster(birds, 2 * seventh)),
    }


# ------------------------------------------------------------------------------------------------ all of them


Key = tuple[str, str, float, int]
Runs = dict[Key, dict[str, Any]]


def keys(cases: Iterable[str], seeds: int) -> list[Key]:
    """What is to be run: the case, its law, its number and a seed."""
    each: dict[str, list[tuple[str, float]]] = {
        "vicsek": [("order", float(n)) for n in SIZES],
        "flocks": [(law, rock) for rock in ROCKS for law in FLOCKS],
    }
    return [(case, law, number, seed) for seed in range(seeds) for case in cases for law, number in each[case]]


def run(key: Key) -> dict[str, Any]:
    """The numbers of one run."""
    case, law, number, seed = key
    return transition(int(number), seed) if case == "vicsek" else meeting(FLOCKS[law], seed, number)


def collected(wanted: list[Key], path: Path | None) -> Runs:
    """The numbers of all runs; those that a file of lines has are not computed again."""
    runs: Runs = {}
    if path is not None and path.exists():
        lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        runs = {(key[0], key[1], key[2], key[3]): found for key, found in lines}
    for key in wanted:
        if key not in runs:
            runs[key] = run(key)
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, runs[key]]) + "\n")
    return {key: runs[key] for key in wanted}


def over_seeds(runs: Runs, n: int, number: str) -> Any:
    """One number of a size at every noise, of all seeds; shape (seeds, noises)."""
    found = [each for key, each in runs.items() if key[:3] == ("vicsek", "order", float(n))]
    return np.array([[each[f"{noise:.6g}"][number] for noise in NOISES] for each in found])


def main() -> None:
    """Run, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", choices=["vicsek", "flocks", []], help="default: both")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--keep", type=Path, help="a file of lines that numbers are kept in")
    parser.add_argument("--write", action="store_true", help="write the tables and the picture into docs/")
    given = parser.parse_args()
    runs = collected(keys(given.cases or ("vicsek", "flocks"), given.seeds), given.keep)


if __name__ == "__main__":
    main()

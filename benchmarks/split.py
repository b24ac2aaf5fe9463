"""One world in several processes, against one process with threads: time, what is sent, and whether the bits agree.

    python -m benchmarks.split --alone --n 200000 --threads 2         # one process
    mpiexec --bind-to none -n 2 python -m benchmarks.split --n 200000 # two
    mpiexec --bind-to none -n 4 python -m benchmarks.split --n 20000 --steps 500 --hash --story
    python -m benchmarks.split --fit docs/benchmarks/split.jsonl      # the model of docs/scaling.md, from such lines

Each prints one line of JSON. `busy_ms` is the processor time of a step without waiting for others, of the process with the
most; it does not depend on what else the machine does. `wall_ms` does, so measure it on a machine that does nothing else.
"""

import argparse
import json
import statistics
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import steersman as sm
from steersman.scaling.link import Link, MPILink
from steersman.scaling.split_world import SKIN

WARM = 12
"""Steps before timing begins."""


class Metered:
    """A link that notes how long it waits, and how many bytes it sends."""

    def __init__(self, link: Link) -> None:
        self._link, self.rank, self.ranks = link, link.rank, link.ranks
        self.waited = self.waited_busy = 0.0
        self.sent = self.calls = 0

    def _noted(self, call: Any, *arguments: Any) -> Any:
        self.calls += 1
        began, busy = time.perf_counter(), time.process_time()
        found = call(*arguments)
        self.waited += time.perf_counter() - began
        self.waited_busy += time.process_time() - busy
        return found

    def most(self, values: Any) -> Any:
        """See Link."""
        return self._noted(self._link.most, values)

    def swap(self, parts: Any, sizes: Any = None) -> Any:
        """See Link."""
        self.sent += sum(each.size for other, each in enumerate(parts) if other != self.rank)
        return self._noted(self._link.swap, parts, sizes)

    def gather(self, value: Any) -> Any:
        """See Link."""
        return self._noted(self._link.gather, value)

    def tell(self, value: Any) -> Any:
        """See Link."""
        return self._noted(self._link.tell, value)

    def fail(self, error: BaseException) -> Any:
        """See Link."""
        return self._link.fail(error)

    def quit(self, code: int) -> None:
        """See Link."""
        self._link.quit(code)


def flock(n: int, threads: int) -> sm.World:
    """Boids on a torus, 0.05 a square meter."""
    size = float(np.sqrt(n / 0.05))
    rng = np.random.default_rng(7)
    world = sm.World(domain=sm.Torus([size, size]), seed=7, dt=1 / 60, threads=threads)
    boids = sm.Vehicles(rng.uniform(0, size, (n, 2)), rng.normal(0, 3, (n, 2)), max_speed=12, max_force=30)
    world.add(boids, steering=1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9))
    return world


def story(n: int, threads: int) -> sm.World:
    """The same with obstacles, Wander, a leader, births and deaths."""
    size = float(np.sqrt(n / 0.05))
    rng = np.random.default_rng(7)
    world = sm.World(domain=sm.Torus([size, size]), seed=7, dt=1 / 60, threads=threads)
    leader = sm.Vehicles(rng.uniform(0, size, (1, 2)), max_speed=12, max_force=30)
    world.add(leader, name="leader", steering=sm.Wander())
    rocks = sm.Spheres(rng.uniform(0, size, (200, 2)), 4.0, seen_from="both")
    boids = sm.Vehicles(rng.uniform(0, size, (n, 2)), rng.normal(0, 3, (n, 2)), max_speed=12, max_force=30)
    flocking = 1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9)
    tree = sm.Priority([sm.AvoidObstacles(rocks), flocking + 0.5 * sm.Wander() + 0.1 * sm.Seek(leader)])
    door, exit = sm.Box([50.0, 50.0], [10.0, 10.0]), sm.Sphere([size / 2, size / 2], 12.0)
    world.add(boids, name="boids", steering=tree, flows=[sm.Spawner(30.0, door, velocity=[3.0, 0.0]), sm.Sink(exit)])
    return world


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """What a run of these arguments costs; in other processes than the first, what it costs them."""
    world = (story if arguments.story else flock)(arguments.n, arguments.threads)
    link = Metered(MPILink()) if arguments.alone == 0 else None
    split = sm.split_world(world, link, threads=arguments.threads, slices=arguments.slices) if link else None
    moving = world if split is None else split
    walls, busies = [], []
    warm = min(WARM, arguments.steps // 2)
    dealt = 0
    for k in range(arguments.steps):
        if k == warm and link is not None and split is not None:
            link.sent = link.calls = 0
            link.waited = link.waited_busy = 0.0
            dealt = split.dealt
        began, busy = time.perf_counter(), time.process_time()
        waiting = link.waited_busy if link is not None else 0.0
        moving.step()
        walls.append(time.perf_counter() - began)
        busies.append(time.process_time() - busy - ((link.waited_busy if link is not None else 0.0) - waiting))
    timed = slice(warm, None)
    steps = max(1, len(walls[timed]))
    found: dict[str, Any] = {
        "n": arguments.n, "ranks": 1 if link is None else link.ranks, "threads": arguments.threads,
        "wall_ms": 1e3 * statistics.median(walls[timed]), "least_wall_ms": 1e3 * min(walls[timed]),
        "busy_ms": 1e3 * statistics.fmean(busies[timed]), "busy_median_ms": 1e3 * statistics.median(busies[timed]),
    }  # fmt: skip
    if link is not None and split is not None:
        found |= {
            "kilobytes_a_step": link.sent / steps / 1e3, "messages_a_step": link.calls / steps,
            "waiting_ms": 1e3 * link.waited / steps, "steps_a_deal": steps / max(1, split.dealt - dealt),
            "held": sum(split.held.values()), "owned": sum(split.owned.values()),
        }  # fmt: skip
    if arguments.hash:
        found["hash"] = sm.state_hash(world) if split is None else split.state_hash()
    if link is not None:
        every = link.gather(found)
        if every:
            worst = {name: max(each[name] for each in every) for name in found}
            found = found | {name: worst[name] for name in found if name.endswith(("_ms", "_step", "held"))}
    return found


DENSITY, WIDTH = 0.05, 9.0
"""Vehicles a square meter, and the width of a cell [m], of the flock."""

CELL = 7e-6
"""Time to clear, count and visit an empty cell [ms]. On a torus the process at its corner does it for all cells."""

LATENCY, BANDWIDTH = 0.005, 1e6
"""Of a network between machines: the time of a message [ms], and the bytes that a process sends in a millisecond."""

BYTES = 76
"""The bytes of a vehicle of the flock, with its names."""


def halo_of(owned: float, ranks: int) -> float:
    """How many vehicles around a square block a process holds, for the number that it owns."""
    if ranks == 1:
        return 0.0
    side, reach = np.sqrt(owned / DENSITY), 2 * WIDTH * (1 + SKIN)
    return float(((side + 2 * reach) ** 2 - side**2) * DENSITY)


def fitted(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """The time of a vehicle that is held, and more for one that is not owned [ms], fitted to measured steps."""
    split = [row for row in rows if "held" in row and row["ranks"] > 1]
    held = np.array([row["held"] for row in split])
    halo = held - np.array([row["n"] / row["ranks"] for row in split])
    busy = np.array([row["busy_ms"] for row in split])
    terms = np.stack([held, halo], axis=1) / busy[:, None]  # Errors count relative to the time.
    found, *_ = np.linalg.lstsq(terms, np.ones(len(busy)), rcond=None)
    return float(found[0]), float(max(found[1], 0.0))


def predicted(n: float, ranks: int, each: float, around: float) -> dict[str, float]:
    """The time of a step [ms], without and with the cells of a torus, and the memory to make the world [GB], by the model."""
    owned = n / ranks
    halo = halo_of(owned, ranks)
    cells = n / (DENSITY * WIDTH**2)
    parts = {
        "own": each * owned, "halo": (each + around) * halo,
        "messages": (2 * np.log2(ranks) + 8) * LATENCY + halo * BYTES / BANDWIDTH,
    }  # fmt: skip
    step = sum(parts.values())
    return {**parts, "step": step, "on a torus": step + CELL * cells, "GB to make": n * 2 * BYTES / 1e9}


def fit(path: Path) -> None:
    """Print the model and what it says."""
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]
    each, around = fitted([row for row in rows if "hash" not in row])
    print(f"{1e6 * each:.0f} ns for a vehicle that is held, {1e6 * around:.0f} ns more for one that is not owned")
    for row in rows:
        if row["ranks"] > 1 and "hash" not in row:
            owned = row["n"] / row["ranks"]
            model = each * row["held"] + around * (row["held"] - owned)
            print(f"n = {row['n']:,} ranks = {row['ranks']}: measured {row['busy_ms']:.1f} ms, model {model:.1f} ms")
    for n, ranks in ((1e6, 10), (1e7, 10), (1e7, 100), (1e8, 100), (1e8, 1000), (1e9, 1000)):
        words = ", ".join(f"{name} {value:.3g}" for name, value in predicted(n, ranks, each, around).items())
        print(f"n = {n:.0e} ranks = {ranks}: {words}")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=200_000)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", action="store_true", help="also print the hash of the state at the end")
    parser.add_argument("--story", action="store_true", help="with obstacles, Wander, a leader, births and deaths")
    parser.add_argument("--slices", action="store_true", help="cut space along one axis alone")
    parser.add_argument("--alone", action="store_true", help="one process that is not split")
    parser.add_argument("--fit", type=Path, help="fit the model to the lines of a file")
    arguments = parser.parse_args()
    if arguments.fit is not None:
        fit(arguments.fit)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = measured(arguments)
    from mpi4py import MPI

    if MPI.COMM_WORLD.Get_rank() == 0:
        print(json.dumps({name: round(each, 3) if isinstance(each, float) else each for name, each in found.items()}))


if __name__ == "__main__":
    main()

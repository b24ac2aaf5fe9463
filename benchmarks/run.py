"""Runs the workloads and writes medians to a CSV.

    python -m benchmarks.run --sizes 10000 100000 --threads 1 2 --out results.csv
    python -m benchmarks.run --yardstick ./boids --sizes 10000

Every line of the CSV says what was run, so that two files can be compared. With `--yardstick` (a program that takes
`N dimensions threads steps` and prints `total X (min Y) ms`), it and the library take turns in one sitting, and `ratio` is
the median of the ratios of neighboring turns.
"""

import argparse
import csv
import platform
import re
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

import steersman as sm
from benchmarks.workloads import among_obstacles, clustered, flock, on_hills, small_world

FIELDS = [
    "workload",
    "n",
    "dimensions",
    "threads",
    "ms",
    "min_ms",
    "turns",
    "yardstick_ms",
    "ratio",
    "machine",
    "versions",
]


def median_step(world: sm.World, steps: int) -> float:
    """Median time of a step [ms], of so many."""
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        world.step()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def mean_step(world: sm.World, steps: int) -> float:
    """Mean time of a step [ms], of so many in one go: for steps of microseconds."""
    start = time.perf_counter()
    world.run(steps=steps)
    return 1e3 * (time.perf_counter() - start) / steps


def yardstick_step(program: Path, n: int, dimensions: int, threads: int, steps: int) -> float:
    """The yardstick's median time of a step [ms]."""
    command = [str(program.resolve()), str(n), str(dimensions), str(threads), str(steps)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=program.resolve().parent).stdout
    return float(re.search(r"total ([\d.]+)", output).group(1))


def measure(
    label: str, n: int, d: int, threads: int, build: Callable[[], sm.World], options: argparse.Namespace, peer: bool
) -> dict[str, object]:
    """One line of the table."""
    steps = max(10, min(100, 2_000_000 // max(n, 1)))
    world = build()
    small = n <= 1000 and not peer
    take = (lambda: mean_step(world, 2000)) if small else (lambda: median_step(world, steps))
    take()
    ours, theirs = [], []
    for _ in range(options.turns):
        if not small:
            world = build()
            median_step(world, 3)
        if peer and options.yardstick:
            theirs.append(yardstick_step(options.yardstick, n, d, threads, steps))
        ours.append(take())
    row = dict.fromkeys(FIELDS, "")
    row |= {
        "workload": label, "n": n, "dimensions": d, "threads": threads, "ms": f"{statistics.median(ours):.4f}",
        "min_ms": f"{min(ours):.4f}", "turns": options.turns, "machine": platform.processor() or platform.machine(),
        "versions": f"python {platform.python_version()} numpy {np.__version__} numba {numba.__version__}",
    }  # fmt: skip
    if theirs:
        row["yardstick_ms"] = f"{statistics.median(theirs):.4f}"
        row["ratio"] = f"{statistics.median(a / b for a, b in zip(ours, theirs, strict=True)):.3f}"
    return row


def main() -> None:
    """Parse, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--dimensions", type=int, nargs="+", default=[3, 2])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--forms", nargs="+", default=["sum", "flocking"])
    parser.add_argument("--domains", nargs="+", default=["torus"])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--yardstick", type=Path)
    parser.add_argument("--small", action="store_true", help="the small worlds only")
    parser.add_argument("--clustered", action="store_true", help="add the clustered flock")
    parser.add_argument("--obstacles", action="store_true", help="add vehicles among many obstacles")
    parser.add_argument("--hills", action="store_true", help="add vehicles bound to a landscape")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []

    def add(label: str, n: int, d: int, threads: int, build: Callable[[], sm.World], peer: bool) -> None:
        rows.append(measure(label, n, d, threads, build, options, peer))
        row = rows[-1]
        print(
            f"{label:28} n={n:<8} {d}D threads={threads} {float(row['ms']):10.4f} ms  x{row['ratio'] or '-'}",
            flush=True,
        )

    for n in (1, 100):
        add("small world", n, 2, 1, lambda n=n: small_world(n), False)
    for n in [] if options.small else options.sizes:
        for d in options.dimensions:
            for threads in options.threads:
                for domain in options.domains:
                    for form in options.forms:
                        build = lambda: flock(n, d, threads, form, domain)  # noqa: E731, B023
                        add(f"flock {form} {domain}", n, d, threads, build, True)
                if options.clustered:
                    add("flock clustered", n, d, threads, lambda: clustered(n, d, threads), False)  # noqa: B023
    for n in options.sizes if options.obstacles else []:
        for kind in ("circles", "spheres", "mesh"):
            for threads in options.threads:
                build = lambda: among_obstacles(n, kind, threads)  # noqa: E731, B023
                add(f"avoid {kind}", n, 2 if kind == "circles" else 3, threads, build, False)
    for n in options.sizes if options.hills else []:
        for threads in options.threads:
            add("bound to hills", n, 3, threads, lambda: on_hills(n, threads), False)  # noqa: B023
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        with options.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()

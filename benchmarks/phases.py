"""Where the time of a step goes: which share its phases take, of the flock of workload W.

    python -m benchmarks.phases --out docs/benchmarks/phases.csv

It prints a table in Markdown, and writes a CSV with --out. The phases are those of `World.timings`: begin (clocks and
checks), look (who is near whom), steer (forces and velocities), move, after (flows and observers). Every cell is stepped
for a second in each of some turns, which the cells take one after the other; the median of the shares is told.
"""

import argparse
import csv
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.turns import Case
from benchmarks.workloads import named
from steersman.core.kernels.thread_count import processors
from steersman.core.world.timings import PHASES

SIZES = (100, 10_000, 100_000)
WORKLOAD = "flock sum torus"
FIELDS = ("workload", "n", "dimensions", "threads", "phase", "share", "ms", "turns")

Share = dict[str, float]


def turn(case: Case, seconds: float) -> Share:
    """How long each phase of a step took on average [ms], when a new world was stepped for so long."""
    world = named(case.workload, case.n, case.dimensions, case.threads)()
    world.run(steps=3)
    end = time.perf_counter() + seconds
    with world.timings() as timings:
        while timings.steps < 3 or time.perf_counter() < end:
            world.step()
    return {phase: 1e3 * spent / timings.steps for phase, spent in timings.seconds.items()}


def measure(cases: Sequence[Case], turns: int, seconds: float) -> dict[Case, list[Share]]:
    """All cases, one after the other, so many times."""
    found: dict[Case, list[Share]] = {case: [] for case in cases}
    for _ in range(turns):
        for case in cases:
            found[case].append(turn(case, seconds))
    return found


def shares(turns: Sequence[Share]) -> Share:
    """The median of what the phases were of a step, from 0 to 1, by name."""
    return {phase: statistics.median(each[phase] / sum(each.values()) for each in turns) for phase in PHASES}


def table(found: dict[Case, list[Share]]) -> str:
    """In Markdown."""
    lines = ["| | " + " | ".join(PHASES) + " |", "|---|" + "---:|" * len(PHASES)]
    for case, turns in found.items():
        cells = " | ".join(f"{100 * share:.0f} %" for share in shares(turns).values())
        threads = f"{case.threads} thread{'s' * (case.threads > 1)}"
        lines.append(f"| {case.n:,} in {case.dimensions}D, {threads} | {cells} |")
    return "\n".join(lines)


def write(path: Path, found: dict[Case, list[Share]]) -> None:
    """A line for each phase of a case."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(FIELDS)
        for case, turns in found.items():
            about = (case.workload, case.n, case.dimensions, case.threads)
            for phase, share in shares(turns).items():
                ms = statistics.median(each[phase] for each in turns)
                lines.writerow([*about, phase, f"{share:.4f}", f"{ms:.6g}", len(turns)])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--dimensions", type=int, nargs="+", choices=(2, 3), default=(2, 3))
    parser.add_argument("--threads", type=int, nargs="+", default=sorted({1, processors()}))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long a cell is stepped in a turn")
    parser.add_argument("--out", type=Path, help="the CSV to write")
    options = parser.parse_args()
    each = [(n, d, threads) for n in options.sizes for d in options.dimensions for threads in options.threads]
    found = measure([Case(WORKLOAD, *about) for about in each], options.turns, options.seconds)
    print(table(found))
    if options.out:
        write(options.out, found)


if __name__ == "__main__":
    main()

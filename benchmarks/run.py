"""Runs the workloads, writes every turn to a CSV, and says what has become slower.

    python -m benchmarks.run --sizes 10000 100000 --threads 1 2 --out results.csv
    python -m benchmarks.run --yardstick ./boids --sizes 10000
    python -m benchmarks.run --against HEAD~5           # two versions take turns; exit 1 if today's is slower
    python -m benchmarks.run --compare results.csv      # the CSV's workloads anew; exit 1 if they are slower

Every line of the CSV says what was run, so that two files can be compared, and has the time of a step in each turn.
With `--yardstick` (a program that takes `N dimensions threads steps` and prints `total X (min Y) ms`), it and the
library take turns in one sitting, and `ratio` is the median of the ratios of neighboring turns.

`--against` is the sharper guard: two processes, today's library and that of a commit, alternate in one sitting.
`--compare` has only the numbers of another sitting. So beside every turn a piece of work that has nothing to do with
the library is timed (`reference_each_ms`), then and now, and turns are compared as multiples of it: a machine that is
slower today is slower at both. It cannot know what the reference does not feel, so use it on the same machine. Of the
ratio of medians an interval is told (see benchmarks/comparing.py); only if all of it is beyond 1 + `--tolerance` the
verdict is "slower", and the exit code 1. What cannot be judged ends with 2: a damaged CSV, that of another machine, an
unknown commit, a version with which nothing could be run.
"""

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.against import ROOT, Program, laid_out, pairs
from benchmarks.comparing import LEAST, TOLERANCE, Change, Reference, change
from benchmarks.machine import processors
from benchmarks.results import case_of, multiples, read_rows, row_of, write_rows
from benchmarks.turns import Case, Turning, machine_now
from benchmarks.workloads import DOMAINS, FORMS, OBSTACLES


def yardstick_step(program: Path, case: Case, steps: int | None = None) -> float:
    """The yardstick's time of a step [ms], of so many; as many as a turn has, where nothing is said."""
    given = (case.n, case.dimensions, case.threads, steps or case.steps)
    command = [str(program.resolve()), *map(str, given)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=program.resolve().parent).stdout
    return float(re.search(r"total ([\d.]+)", output).group(1))


def measure(case: Case, turns: int, reference: Reference, yardstick: Path | None = None) -> dict[str, str]:
    """One line of the table."""
    turning = Turning(case)
    ours, theirs, machine = [], [], []
    for _ in range(turns):
        if yardstick and case.workload.startswith("flock") and "clustered" not in case.workload:
            theirs.append(yardstick_step(yardstick, case))
        before = machine_now(reference)
        ours.append(turning.turn())
        machine.append((before + machine_now(reference)) / 2)
    return row_of(case, ours, machine, theirs)


def median_ms(row: dict[str, str], name: str = "each_ms") -> float:
    """The median of the times in a cell [ms]."""
    return statistics.median(float(each) for each in row[name].split())


def cases(options: argparse.Namespace) -> Iterator[Case]:
    """What the options ask for."""
    for n in (1, 100):
        yield Case("small world", n, 2, 1)
    for n in (100, 1000):
        yield Case("coming and going", n, 2, 1)
    for n in [] if options.small else options.sizes:
        for d in options.dimensions:
            for threads in options.threads:
                for domain in options.domains:
                    for form in options.forms:
                        yield Case(f"flock {form} {domain}", n, d, threads)
                if options.clustered:
                    yield Case("flock clustered", n, d, threads)
    for n in options.sizes if options.obstacles else []:
        for kind in OBSTACLES:
            for threads in options.threads:
                yield Case(f"avoid {kind}", n, 2 if kind == "circles" else 3, threads)
    for n in options.sizes if options.hills else []:
        for threads in options.threads:
            yield Case("bound to hills", n, 3, threads)


def compare(path: Path, options: argparse.Namespace) -> tuple[list[Change], list[dict[str, str]]]:
    """The workloads of a CSV anew, each against what it was.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no such CSV, is damaged, or was measured on another machine.
    """
    old, here = read_rows(path), processors()
    if others := sorted({row["machine"] for row in old} - {here}):
        raise ValueError(
            f"{path} was measured on another machine ({others[0]}; this one: {here}): measure it anew here with --out, or "
            "let two versions take turns with --against"
        )
    reference, found, rows = Reference(), [], []
    for row in old:
        rows.append(measure(case_of(row), options.turns, reference))
        found.append(change(multiples(rows[-1]), multiples(row), paired=False, tolerance=options.tolerance))
        machine = [median_ms(one, "reference_each_ms") for one in (rows[-1], row)]
        print(
            f"{case_of(row)} {median_ms(row):10.4f} -> {median_ms(rows[-1]):10.4f} ms  {found[-1]}"
            f"  (the machine: x{machine[0] / machine[1]:.2f})",
            flush=True,
        )
    return found, rows


def against(options: argparse.Namespace) -> list[Change]:
    """Today's library and that of a commit, by turns."""
    found = []
    with laid_out(options.against) as tree:
        programs = []
        try:
            programs += [Program(ROOT)]
            programs += [Program(tree)]
            for case in cases(options):
                new, old, problem = pairs(case, *programs, options.turns)
                if problem:
                    print(f"{case} left out: {problem}", flush=True)
                    continue
                found.append(change(new, old, paired=True, tolerance=options.tolerance))
                medians = statistics.median(old), statistics.median(new)
                print(f"{case} {medians[0]:10.4f} -> {medians[1]:10.4f} ms  {found[-1]}", flush=True)
        finally:
            for program in programs:
                program.close()
    return found


def judged(found: list[Change], tolerance: float) -> int:
    """A last line, and the exit code: 1 if anything is slower, 2 if there is nothing to judge."""
    counts = {word: sum(each.verdict == word for each in found) for word in ("slower", "faster", "same", "unclear")}
    words = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    print(f"{words or 'nothing was compared'}; tolerance {100 * tolerance:g} %, intervals of 95 %")
    return 2 if not found else 1 if counts["slower"] else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, measure, write; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--dimensions", type=int, nargs="+", default=[3, 2])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=["sum", "flocking"])
    parser.add_argument("--domains", nargs="+", choices=DOMAINS, default=["torus"])
    parser.add_argument("--turns", type=int, default=None, help="default: 5; with --compare and --against 15")
    parser.add_argument("--yardstick", type=Path)
    parser.add_argument(
        "--small", action="store_true", help="the small worlds only, and those in which vehicles come and go"
    )
    parser.add_argument("--clustered", action="store_true", help="add the clustered flock")
    parser.add_argument("--obstacles", action="store_true", help="add vehicles among many obstacles")
    parser.add_argument("--hills", action="store_true", help="add vehicles bound to a landscape")
    parser.add_argument("--out", type=Path)
    guard = parser.add_mutually_exclusive_group()
    guard.add_argument(
        "--compare", type=Path, metavar="OLD.csv", help="measure a CSV's workloads anew, just those, and judge"
    )
    guard.add_argument("--against", metavar="COMMIT", help="take turns with the library of a commit, and judge")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="what may be slower before it counts")
    options = parser.parse_args(arguments)
    judging = options.compare is not None or options.against is not None
    options.turns = options.turns or (15 if judging else 5)
    if judging and options.turns < LEAST:
        parser.error(f"--turns must be at least {LEAST} to judge, got {options.turns}")
    if not options.tolerance > 0:
        parser.error(f"--tolerance must be > 0, got {options.tolerance}")
    try:
        if options.against is not None:
            return judged(against(options), options.tolerance)
        if options.compare is not None:
            found, rows = compare(options.compare, options)
            if options.out:
                write_rows(options.out, rows)
            return judged(found, options.tolerance)
    except (OSError, ValueError, RuntimeError, MemoryError, subprocess.SubprocessError) as problem:
        parser.error(str(problem))  # With 2: what cannot be judged has not become slower.
    rows, reference = [], Reference()
    for case in cases(options):
        rows.append(measure(case, options.turns, reference, options.yardstick))
        print(f"{case} {float(rows[-1]['ms']):10.4f} ms  x{rows[-1]['ratio'] or '-'}", flush=True)
    if options.out:
        write_rows(options.out, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())

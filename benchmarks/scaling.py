"""How the time of a step grows: with how many there are, threads, density, crowding, dimensions and type of number.

    python -m benchmarks.scaling
    python -m benchmarks.scaling --yardstick ./boids --most 100000
    python -m benchmarks.scaling --from-csv docs/benchmarks/scaling.csv     # the chart alone

It steps the flock of workload W for at most two minutes, asks for memory and starts, and writes a CSV and one chart. A
cell's time is the median of its steps; `cpu_ns` is what all threads together were busy for, which other programs on the
machine disturb less. With a yardstick (see `benchmarks.run`) it and the library take turns.
"""

import argparse
import csv
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

import steersman as sm
from benchmarks.cold import FIRST, ROOT, said
from benchmarks.run import yardstick_step
from benchmarks.turns import Case
from benchmarks.workloads import NEIGHBORS, clustered, flock
from steersman.core.kernels.thread_count import processors
from steersman.drawing.palette import FAINT, INK, PALETTE, PAPER

SIZES = (100, 1000, 10_000, 100_000, 1_000_000)
MIDDLE = 100_000
"""The size at which everything else is varied."""

PATIENCE = 120.0
"""For how long cells may be stepped [s]; the rest takes less than a minute."""

CELL = 1.0
"""How long one cell is stepped [s]; at least three steps."""

WINDOW = 100
"""Steps after which it begins again, and that the yardstick makes at most."""

FIELDS = (
    "what", "n", "dimensions", "threads", "neighbors", "dtype", "ns_per_vehicle", "cpu_ns", "steps", "yardstick_ns", "value",
    "unit",
)  # fmt: skip

Row = dict[str, Any]


def stepped(make: Callable[[], sm.World], n: int, seconds: float = CELL) -> Row:
    """Times for one vehicle and step [ns]: of the clock, and of all threads. A flock draws together, so it begins again."""
    times, busy, end = [], 0.0, time.perf_counter() + seconds
    while len(times) < 3 or (len(times) < 2000 and time.perf_counter() < end):
        if len(times) % WINDOW == 0:
            world = make()
            world.run(steps=3)
        began, since = time.perf_counter(), time.process_time()
        world.step()
        busy += time.process_time() - since
        times.append(time.perf_counter() - began)
    return {
        "ns_per_vehicle": 1e9 * statistics.median(times) / n,
        "cpu_ns": 1e9 * busy / len(times) / n,
        "steps": len(times),
    }


def cells(most: int) -> Iterator[tuple[Row, Callable[[], sm.World]]]:
    """What is stepped, and how its world is made; the sizes last, from small to large."""
    some, both = min(MIDDLE, most), sorted({1, processors()})
    usual = {"neighbors": NEIGHBORS, "dtype": "float32"}
    for d in (2, 3):
        for threads in sorted({*both, *(2**k for k in range(8) if 2**k < processors())}):
            about = {"what": "threads", "n": some, "dimensions": d, "threads": threads, **usual}
            yield about, lambda d=d, threads=threads: flock(some, d, threads, "sum", "torus")
        for neighbors in (5, NEIGHBORS, 80):
            about = {"what": "density", "n": some, "dimensions": d, "threads": 1, **usual, "neighbors": neighbors}
            yield about, lambda d=d, k=neighbors: flock(some, d, 1, "sum", "torus", k)
        for threads in both:
            about = {"what": "clustered", "n": some, "dimensions": d, "threads": threads, **usual}
            yield about, lambda d=d, threads=threads: clustered(some, d, threads)
        about = {"what": "float64", "n": some, "dimensions": d, "threads": 1, **usual, "dtype": "float64"}
        yield about, lambda d=d: flock(some, d, 1, "sum", "torus", NEIGHBORS, "float64")
    for n in SIZES:
        for d in (2, 3):
            for threads in both if n <= most else ():
                about = {"what": "size", "n": n, "dimensions": d, "threads": threads, **usual}
                yield about, lambda n=n, d=d, threads=threads: flock(n, d, threads, "sum", "torus")


MEMORY = """
import re, resource, sys
from pathlib import Path
from benchmarks.workloads import flock
world = flock(int(sys.argv[1]), int(sys.argv[2]), 1, "sum", "torus")
world.run(steps=2)
status = Path("/proc/self/status")  # getrusage knows what the process was a part of before, too.
if status.exists():
    print(int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]))
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory(n: int, d: int) -> int:
    """The most memory that a process needs which steps so many vehicles [bytes]."""
    unit = 1 if sys.platform == "darwin" else 1024
    command = [sys.executable, "-c", MEMORY, str(n), str(d)]
    return unit * int(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


def others(most: int, end: float) -> Iterator[Row]:
    """Memory, and the first step with an empty cache folder and with a full one, as long as there is time."""
    many = min(MIDDLE * 4, most)
    few = many // 10
    for d in (2, 3):
        each = (memory(many, d) - memory(few, d)) / (many - few)
        yield {"what": "memory", "n": many, "dimensions": d, "value": round(each), "unit": "bytes per vehicle"}
    with tempfile.TemporaryDirectory() as folder:
        for what in ("cold start", "warm start"):
            if time.perf_counter() < end:
                seconds = float(said(FIRST, Path(folder)).split()[0])
                yield {"what": what, "value": round(seconds, 3), "unit": "s to the first step"}


def read_rows(file: Path) -> list[Row]:
    """What was measured before; a number is one again."""
    with file.open(newline="", encoding="utf-8") as lines:
        return [{name: as_number(value) for name, value in row.items() if value} for row in csv.DictReader(lines)]


def as_number(text: str) -> Any:
    """A whole number, a number, or the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


# ------------------------------------------------------------------------------------------------ the chart


def draw(rows: list[Row], file: Path) -> None:
    """One chart: time for a vehicle and step over how many there are; beside it what else it depends on."""
    sheet = Figure(figsize=(10, 4.2), dpi=110, facecolor=PAPER, layout="constrained")
    left, right = sheet.subplots(1, 2, width_ratios=(3, 2))
    sizes = [row for row in rows if row["what"] == "size"]
    known: set[int] = set()
    for d, color in ((2, PALETTE["blue"]), (3, PALETTE["orange"])):
        for threads in sorted({row["threads"] for row in sizes}):
            line = [row for row in sizes if (row["dimensions"], row["threads"]) == (d, threads)]
            style = {
                "color": color,
                "linestyle": "-" if threads == 1 else (0, (5, 2)),
                "marker": "o",
                "markersize": 3.5,
            }
            n, ns = [row["n"] for row in line], [row["ns_per_vehicle"] for row in line]
            left.plot(n, ns, label=f"{d}D, {threads} thread{'s' if threads > 1 else ''}", **style)
            if measured := [row for row in line if row.get("yardstick_ns")]:
                there = [row["n"] for row in measured], [row["yardstick_ns"] for row in measured]
                left.plot(*there, color=color, linestyle="", marker="_" if threads == 1 else "x", markersize=7)
                known |= {threads}
    left.set(xscale="log", yscale="log", xlabel="vehicles", ylabel="ns for a vehicle and step")
    left.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    left.xaxis.set_minor_locator(NullLocator())
    left.yaxis.set_major_locator(FixedLocator([20, 50, 100, 200, 500, 1000]))
    left.yaxis.set_major_formatter(FuncFormatter(lambda ns, _: f"{ns:g}"))
    left.yaxis.set_minor_locator(NullLocator())
    for threads in sorted(known):
        label = f"C++ by hand, {threads} thread{'s' if threads > 1 else ''}"
        left.plot([], [], color=INK, linestyle="", marker="_" if threads == 1 else "x", markersize=7, label=label)
    left.set_ylim(top=2.3 * left.get_ylim()[1])  # Room for the legend.
    left.legend(handlelength=3.4, frameon=False, labelcolor=INK, loc="upper right", ncols=2, fontsize=8)
    bars(right, rows)
    for axes in (left, right):
        axes.set_facecolor(PAPER)
        axes.tick_params(colors=INK)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(FAINT)
        for label in (axes.xaxis.label, axes.yaxis.label):
            label.set_color(INK)
    file.parent.mkdir(parents=True, exist_ok=True)
    sheet.savefig(file)


def bars(axes: Axes, rows: list[Row]) -> None:
    """What a step takes in other circumstances, as multiples of the usual ones."""
    usual = {
        row["dimensions"]: row["ns_per_vehicle"] for row in rows if row["what"] == "density" and row["neighbors"] == 20
    }
    named = {
        "5 neighbors": lambda row: row["what"] == "density" and row["neighbors"] == 5,
        "80 neighbors": lambda row: row["what"] == "density" and row["neighbors"] == 80,
        "one cluster": lambda row: row["what"] == "clustered" and row["threads"] == 1,
        "float64": lambda row: row["what"] == "float64",
        "all threads": lambda row: row["what"] == "threads" and row["threads"] == processors() > 1,
    }
    for k, test in enumerate(named.values()):
        for row in filter(test, rows):
            d = row["dimensions"]
            place = k + (0.2 if d == 3 else -0.2)
            times = row["ns_per_vehicle"] / usual[d]
            axes.barh(place, times, 0.36, color=PALETTE["blue" if d == 2 else "orange"])
            axes.text(times, place, f" {times:.2f}", va="center", color=INK, fontsize=8)
    axes.axvline(1, color=FAINT, zorder=0)
    axes.set_yticks(range(len(named)), named)
    axes.invert_yaxis()
    some = next(row["n"] for row in rows if row["what"] == "density")
    axes.set_xlabel(f"times as long as with {NEIGHBORS} neighbors,\nfloat32, uniform, one thread ({some:,} vehicles)")


# ------------------------------------------------------------------------------------------------ all of it


def main() -> None:
    """Measure, write, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the largest number of vehicles")
    parser.add_argument("--yardstick", type=Path, help="a program that takes N dimensions threads steps")
    parser.add_argument("--out", type=Path, default=Path("scaling.csv"))
    parser.add_argument("--chart", type=Path, default=Path("docs/benchmarks/scaling.png"))
    parser.add_argument("--from-csv", type=Path, help="measure nothing; make the chart from a CSV")
    options = parser.parse_args()
    if options.from_csv:
        draw(read_rows(options.from_csv), options.chart)
        return
    end, rows = time.perf_counter() + PATIENCE, []

    def add(row: Row) -> None:
        rows.append(row)
        words = " ".join(
            f"{row[field]:.4g}" if isinstance(row[field], float) else str(row[field])
            for field in FIELDS
            if field in row
        )
        print(words, flush=True)

    for about, make in cells(options.most):
        if time.perf_counter() > end:
            print(f"no time left for {about}", flush=True)
            continue
        row = about | stepped(make, about["n"])
        if options.yardstick and about["what"] == "size":
            n = about["n"]
            steps = max(5, min(WINDOW, int(1e9 / row["ns_per_vehicle"] / n)))
            case = Case("flock", n, about["dimensions"], about["threads"])
            row["yardstick_ns"] = 1e6 * yardstick_step(options.yardstick, case, steps) / n
        add(row)
    for row in others(options.most, end):
        add(row)
    with options.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, options.chart)
    print(f"wrote {options.out} and {options.chart}")


if __name__ == "__main__":
    main()

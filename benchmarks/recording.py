"""What recording costs, in turns with no recording; and how fast a large run is read back.

    python -m benchmarks.recording --n 10000 --folder runs/recorded

A turn steps one world so many times with and without a recording, one after the other; the medians of turns are told. The
time of a recorded turn ends when its last frame is on the disk.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import steersman as sm
from benchmarks.workloads import flock


def seconds(world: sm.World, steps: int) -> tuple[float, float]:
    """Time of so many steps [s], by the clock and of all processors."""
    start, worked = time.perf_counter(), time.process_time()
    world.run(steps=steps)
    return time.perf_counter() - start, time.process_time() - worked


def recorded(world: sm.World, steps: int, every: int, folder: Path, form: str) -> tuple[float, float, int, int]:
    """Time of so many recorded steps [s], by the clock and of all processors, until all is on the disk; frames; bytes."""
    start, worked = time.perf_counter(), time.process_time()
    recording = world.record(folder, every=sm.EverySteps(every), format=form)
    world.run(steps=steps)
    recording.close()
    return time.perf_counter() - start, time.process_time() - worked, recording.frames, recording.bytes


def cost(n: int, d: int, threads: int, every: int, steps: int, turns: int, base: Path, form: str) -> str:
    """A line of the table."""
    world = flock(n, d, threads, "sum", "torus")
    world.run(steps=20)
    plain: list[tuple[float, float]] = []
    busy: list[tuple[float, float]] = []
    frames = size = 0
    for turn in range(turns):
        folder = base / f"{form}-{d}-{threads}-{every}-{turn}"
        for kind in ("plain", "recorded") if turn % 2 else ("recorded", "plain"):
            if kind == "plain":
                plain.append(seconds(world, steps))
            else:
                *times, frames, size = recorded(world, steps, every, folder, form)
                busy.append((times[0], times[1]))
        shutil.rmtree(folder)
    line = f"{form:8}{d}D {threads:3} {every:6}"
    for k in (0, 1):
        pairs = [(a[k], b[k], b[k] / a[k] - 1) for a, b in zip(plain, busy, strict=True)]
        before, after, slower = (statistics.median(each) for each in zip(*pairs, strict=True))
        line += f"   {1e3 * before / steps:7.3f} {1e3 * (after - before) / frames:8.3f} {100 * slower:7.1f} %"
    return line + f" {size / frames / n:9.1f}"


def reading(rows: int, n: int, base: Path) -> str:
    """How long it takes to read from a run of so many rows."""
    world = flock(n, 2, 2, "sum", "torus")
    folder = base / "large"
    with world.record(folder, every=sm.EverySteps(1)):
        world.run(steps=rows // n - 1)
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    lines = [f"{rows:,} rows, {size / 1e6:.0f} MB"]
    rng = np.random.default_rng(0)

    def told(what: str, times: list[float]) -> None:
        lines.append(f"  {what:28} median {statistics.median(times):7.3f} s, worst {max(times):7.3f} s of {len(times)}")

    def timed(function: object, *arguments: object) -> float:
        start = time.perf_counter()
        function(*arguments)  # type: ignore[operator]
        return time.perf_counter() - start

    told("read_run", [timed(sm.read_run, folder) for _ in range(5)])
    run = sm.read_run(folder)
    told("one id's path", [timed(run.path, int(id)) for id in rng.integers(0, n, 7)])
    told("one frame", [timed(run.frame, int(k)) for k in rng.integers(0, run.frames, 20)])
    told("all frames, id, x, y", [timed(run.table, ["frame", "id", "x", "y"]) for _ in range(3)])
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path, default=None, help="where to record; default: a temporary folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        base = Path(temporary)
        print(f"{options.n:,} vehicles, {options.steps} steps, medians of {options.turns} turns")
        print("                         ----- by the clock -----     --- of all processors ---")
        print("format  d threads every  step ms ms/frame    more      step ms ms/frame    more  bytes/row")
        for d, threads, every in ((2, 1, 1), (2, 1, 6), (2, 2, 1), (2, 2, 6), (3, 2, 1), (3, 2, 6)):
            print(cost(options.n, d, threads, every, options.steps, options.turns, base, "parquet"), flush=True)
        print(cost(options.n, 2, 2, 6, options.steps, 3, base, "csv"), flush=True)
        if options.rows:
            print(reading(options.rows, options.n, base), flush=True)


if __name__ == "__main__":
    main()

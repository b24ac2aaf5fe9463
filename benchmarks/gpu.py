"""How fast a graphics processor steps the flock of workload W, or a crowd with ORCA, and where the time goes.

    python -m benchmarks.gpu 100000 1000000 10000000 crowd:100000

For each number of vehicles: the 50 steps after 5, by the clock of the device (median; and that of each phase, which is
repeated by itself after these steps), and `World.step` by the clock on the wall.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from benchmarks.workloads import crowd, flock

PHASES = ("sort", "sum", "steer", "move")
STEPS, WARM = 50, 5


def milliseconds(starts: Sequence[Any], stream: Any, times: int) -> list[float]:
    """The time of each repetition of some graphs [ms]."""
    from numba import cuda

    events = [cuda.event() for _ in range(times + 1)]
    events[0].record(stream)
    for event in events[1:]:
        for each in starts:
            each.start()
        event.record(stream)
    events[-1].synchronize()
    return [cuda.event_elapsed_time(*pair) for pair in pairwise(events)]


def measure(world: Any) -> dict[str, float]:
    """Times of one world [ms]."""
    from steersman.gpu.device import Graph

    world.device = "cuda"
    world.run(steps=WARM)
    launched = world._plan._launched
    stream = launched._stream
    device = statistics.median(milliseconds(launched._graphs, stream, STEPS))
    wall = []
    for _ in range(STEPS):
        begin = time.perf_counter()
        world.step()
        wall.append(1000 * (time.perf_counter() - begin))
    phases = {}
    for phase in PHASES:
        alone = Graph([each for each in launched.launches if each.phase == phase], stream)
        phases[phase] = statistics.median(milliseconds([alone], stream, 20))
    return {"device": device, "wall": statistics.median(wall), **phases}


def main(sizes: Sequence[str]) -> None:
    """Print a table."""
    print("| world | step, device | World.step | " + " | ".join(PHASES) + " |")
    for size in sizes:
        kind, _, n = size.rpartition(":")
        found = measure(crowd(int(n), 2) if kind == "crowd" else flock(int(n), 3, 2, "sum", "torus"))
        print(f"| {kind} {int(n):,} | " + " | ".join(f"{each:.3f}" for each in found.values()) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

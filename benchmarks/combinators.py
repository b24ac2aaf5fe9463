"""What each combinator costs, and how well it does, on one scene: the table of docs/which_combinator.md.

    python -m benchmarks.combinators                # print the table
    python -m benchmarks.combinators --write        # put it into the page

The scene: a crowd crosses a field of rocks to a goal far away. Three parts, the same for all: avoid the rocks, keep a
distance from others, seek the goal. Cost is the whole of `Controller.steer`, neighbors included, by one thread.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import steersman as sm
from steersman.runs.metrics.jitter import turn_jitter

PAGE = Path(__file__).parent.parent / "docs" / "which_combinator.md"
BEGIN, END = "<!-- table: made by benchmarks/combinators.py -->", "<!-- end of table -->"

DT = 1 / 60


def field(n: int) -> tuple[sm.Vehicles, sm.Spheres, float]:
    """A crowd to the left of a field of rocks, as dense for every n, and the width of the field [m]."""
    rng = np.random.default_rng(5)
    width = 3.0 * n**0.5
    place = np.stack([rng.uniform(-width, 0, n), rng.uniform(0, width, n)], axis=1)
    crowd = sm.Vehicles(place, np.tile([3.0, 0.0], (n, 1)), max_speed=4.0, max_force=16.0, radius=0.3)
    centers = np.stack(np.meshgrid(np.arange(8.0, 60, 9), np.arange(4.0, width, 9)), axis=-1).reshape(-1, 2)
    return crowd, sm.Spheres(centers + rng.uniform(-2.5, 2.5, centers.shape), 1.5), width


def trees(rocks: sm.Spheres, width: float) -> dict[str, Callable[[], Any]]:
    """Each combinator with the three parts."""
    goal = [500.0, width / 2]

    def parts() -> list[Any]:
        return [sm.AvoidObstacles(rocks, lookahead=1.5), sm.Separation(radius=2.0), sm.Seek(goal)]

    return {
        "`WeightedSum(each=\"raw\")`": lambda: sm.WeightedSum(parts(), each="raw"),
        "`WeightedSum` (`+`)": lambda: sm.WeightedSum(parts()),
        "`Priority`": lambda: sm.Priority(parts()),
        "`Priority` of groups": lambda: sm.Priority([parts()[0], parts()[1] + parts()[2]]),
        "`TruncatedSum`": lambda: sm.TruncatedSum(parts(), each="limit"),
        "`TruncatedSum(\"lengths\")`": lambda: sm.TruncatedSum(parts(), each="limit", accounting="lengths"),
        "`Dithered`": lambda: sm.Dithered(parts(), probabilities=(0.9, 0.5, 1.0)),
        "`RoundRobin`": lambda: sm.RoundRobin(parts()),
        "`ContextMap`": lambda: sm.ContextMap(parts()[2:], danger=[0.5 * parts()[1]], obstacles=rocks, lookahead=1.5),
        "`Pipeline`": lambda: sm.Pipeline(
            sm.Toward(goal), constraints=sm.KeepClear(rocks), actuator=sm.Straight("seek"), fallback=parts()[2]
        ),
    }  # fmt: skip


def cost(build: Callable[[sm.Spheres, float], Any], n: int, turns: int) -> float:
    """Nanoseconds of the processor for one vehicle and step, the least of many: others may use the machine too."""
    crowd, rocks, width = field(n)
    crowd.position[:, 0] += width / 2  # Half of them are among the rocks.
    controller = sm.Controller(crowd, build(rocks, width), threads=1)
    controller.steer(DT)
    times = []
    for _ in range(turns):
        start = time.process_time()
        controller.steer(DT)
        times.append(time.process_time() - start)
    return min(times) / n * 1e9


def quality(build: Callable[[sm.Spheres, float], Any], n: int, seconds: float) -> tuple[float, float, float]:
    """Jitter [rad/s^2], the deepest overlap with a rock [m], and the mean speed ahead [m/s]."""
    crowd, rocks, width = field(n)
    world = sm.World(threads=1, dt=DT)
    world.add(crowd, steering=build(rocks, width))
    start = crowd.position[:, 0].mean()
    velocities, depth = [], 0.0
    for _ in range(round(seconds / DT)):
        world.step()
        velocities.append(crowd.velocity.copy())
        depth = max(depth, float(np.max(crowd.radius - rocks.nearest(crowd.position).distance)))
    return turn_jitter(np.array(velocities), DT), depth, float(crowd.position[:, 0].mean() - start) / seconds


def rows(n: int, many: int, seconds: float, turns: int) -> list[str]:
    """The lines of the table."""
    lines = [
        f"| combinator | cost, n = {many} [ns] | jitter [rad/s²] | into rocks [m] | speed ahead [m/s] |",
        "|---|---:|---:|---:|---:|",
    ]
    _, rocks, width = field(n)
    for name in trees(rocks, width):
        build = lambda rocks, width, name=name: trees(rocks, width)[name]()  # noqa: E731
        spent = cost(build, many, turns)
        jitter, depth, speed = quality(build, n, seconds)
        lines.append(f"| {name} | {spent:.0f} | {jitter:.1f} | {max(depth, 0):.2f} | {speed:.2f} |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Measure, print, and write on request."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=150, help="vehicles of the crowd that is judged")
    parser.add_argument("--many", type=int, default=10_000, help="vehicles whose cost is measured")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--turns", type=int, default=31)
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    options = parser.parse_args()
    lines = rows(options.n, options.many, options.seconds, options.turns)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

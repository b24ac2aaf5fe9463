"""What a law of a user's own costs: the push of Separation as it is built in, as a kernel, as a law of pairs, and in NumPy.

    python -m benchmarks.own_laws

Steps of 10,000 vehicles on a torus with 14 neighbors each, in one thread, in turns; processor time.
"""

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import load, scale
from steersman.core.neighborhood.request import NeighborSum
from steersman.core.steering.tree.forces import deposit

N, RADIUS, NEIGHBORS, ROUNDS = 10_000, 3.0, 14, 40


@dataclass(frozen=True, eq=False)
class Pairs(sm.PairBehavior):
    """The push as a law of pairs."""

    strength: float = sm.parameter(3.0, unit="N")

    @staticmethod
    def law(own: Any, other: Any, to: Any, distance: Any, p: Any) -> Any:
        """Push away, as one over the distance."""
        return -p.strength / distance


@row_kernel
def pushed(i: int, vehicles: Any, pushes: Any, strength: Any, out: Any) -> None:
    """The sum of the pushes, times the strength."""
    deposit(out, i, scale(load(pushes.total, i), strength), vehicles.max_force[i], False)


@dataclass(frozen=True, eq=False)
class Rows(sm.Behavior):
    """The push as a kernel, of a sum that the shared pass makes."""

    def needs(self) -> tuple[NeighborSum, ...]:
        """The sum of the pushes."""
        return (NeighborSum("repulsion", RADIUS),)

    def bind(self, scene: Any, memory: Any, out: Any) -> list[Call]:
        """One call."""
        strength = scene.vehicles.dtype.type(3.0)
        return [Call(pushed, (scene.columns, scene.sum(self.needs()[0]), strength, out))]


@dataclass(frozen=True, eq=False)
class Arrays(sm.Behavior):
    """The push in NumPy."""

    sort: bool = sm.parameter(True, kind=sm.FLAG)

    def steer(self, scene: Any, memory: Any, out: Any) -> None:
        """Push away, as one over the distance."""
        near = scene.neighbors(RADIUS, sort=self.sort)
        whose = np.repeat(np.arange(len(scene.vehicles)), np.diff(near.indptr))
        push = near.offsets * (-3.0 / near.distances**2)[:, None]
        for axis in range(2):
            out.linear[:, axis] = np.bincount(whose, push[:, axis], len(scene.vehicles))


LAWS: dict[str, Any] = {
    "Separation": sm.Separation(radius=RADIUS, strength=3.0, fade=False),
    "kernel": Rows(),
    "PairBehavior": Pairs(radius=RADIUS),
    "NumPy, sort=False": Arrays(sort=False),
    "NumPy": Arrays(),
    "no neighbors": sm.Seek([0, 0]),
}


def world(steering: Any) -> sm.World:
    """A world in which vehicles hardly move."""
    side = math.sqrt(N * math.pi * RADIUS**2 / NEIGHBORS)
    position = np.random.default_rng(1).uniform(0, side, (N, 2))
    made = sm.World(domain=sm.Torus([side, side]), threads=1)
    made.add(sm.Vehicles(position, max_speed=0.01), steering=steering)
    made.step(dt=1 / 60)
    return made


def main() -> None:
    """Print the table."""
    worlds = {name: world(steering) for name, steering in LAWS.items()}
    times: dict[str, list[float]] = {name: [] for name in worlds}
    for _ in range(ROUNDS):
        for name, each in worlds.items():
            begin = time.process_time()
            each.run(steps=5, dt=1 / 60)
            times[name].append((time.process_time() - begin) / 5)
    middle = {name: 1e3 * sorted(each)[len(each) // 2] for name, each in times.items()}
    for name, each_time in middle.items():
        print(f"{name:20} {each_time:7.2f} ms a step {each_time / middle['Separation']:6.1f} times Separation")


if __name__ == "__main__":
    main()

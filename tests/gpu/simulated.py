"""Worlds stepped by the processor and by Numba's simulator of a graphics processor, in a process of their own.

python -m tests.gpu.simulated [case ...] prints the largest differences of position and velocity for each case: dimensions,
domain and tree, as in "2,torus,views"; or "columns".
"""

import os
import sys

os.environ |= {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}

from types import SimpleNamespace

import numpy as np

import steersman as sm

SIDE = 40.0
TREES = {
    "views": lambda: (
        sm.Separation(radius=5, angle=4, inner_radius=1.5)
        + 0.5 * sm.Alignment(radius=7.5, angle=3, inner_radius=1.5)
        + sm.Cohesion(radius=9, angle=5)
    ),
    "all round": lambda: sm.Separation(radius=5) + sm.Alignment(radius=7.5, law="velocity"),
    "two sets": lambda: sm.Separation(radius=5) + sm.Separation(radius=3, falloff=2.0) + sm.Cohesion(radius=6),
    "nearest": lambda: (
        sm.Separation(radius=5, k=4) + sm.Alignment(radius=np.inf, k=7, angle=4) + sm.Cohesion(radius=9, k=3)
    ),
    "ORCA": lambda: sm.ORCA(k=6),
    "deferred": lambda: sm.Priority([sm.AvoidNeighbors(k=5), sm.Wander()]),
}
DOMAINS = {
    "torus": lambda d: sm.Torus([SIDE] * d),
    "small torus": lambda d: sm.Torus([14.0] * d),
    "open": lambda d: sm.Open(),
    "box": lambda d: sm.Box([SIDE] * d),
}


def world(device: str, d: int, domain: str, tree: str, n: int = 24) -> sm.World:
    """A world of n vehicles, some of them in the same place."""
    rng = np.random.default_rng(3)
    position = rng.random((n, d)) * SIDE
    position[1], position[7] = position[0], position[5]
    vehicles = sm.Vehicles(position, rng.normal(size=(n, d)) * 3, max_speed=9, max_force=27)
    made = sm.World(domain=DOMAINS[domain](d), seed=1, threads=1, device=device)
    made.add(vehicles, steering=TREES[tree]())
    return made


def differences(d: int, domain: str, tree: str) -> tuple[float, float]:
    """The largest differences of position [m] and velocity [m/s] after two steps."""
    one, other = world("cpu", d, domain, tree), world("cuda", d, domain, tree)
    one.run(steps=2)
    other.run(steps=2)
    a, b = one["vehicles"], other["vehicles"]
    apart = one.domain.difference(a.position, b.position)
    return float(np.abs(apart).max()), float(np.abs(a.velocity - b.velocity).max())


def columns() -> list[float]:
    """What other libraries see of columns and write to them, as differences that should be zero [m, m/s]."""
    made = world("cuda", 2, "torus", "all round")
    made.step()
    position, mass = (np.from_dlpack(made.device_column("vehicles", name)) for name in ("position", "mass"))
    writable = SimpleNamespace(__array_interface__=made.device_column("vehicles", "velocity").__cuda_array_interface__)
    np.asarray(writable)[:] = [3.0, 0.0]
    before = position.copy()
    assert mass.shape == (24,)
    made.device = "cpu"
    same = made.domain.difference(made["vehicles"].position, before)
    return [float(np.abs(same).max()), float(np.abs(made["vehicles"].velocity - [3.0, 0.0]).max())]


if __name__ == "__main__":
    for case in sys.argv[1:]:
        if case == "columns":
            print(*columns())
            continue
        dimensions, domain, tree = case.split(",")
        print(*differences(int(dimensions), domain, tree))

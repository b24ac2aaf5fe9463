"""A program in a storm of Ctrl-C: `python -m tests.faults.storming 4` catches every KeyboardInterrupt for four seconds.

It steps a world, and meanwhile makes worlds, changes them, compiles kernels and lets go of all that. It ends with 0 if the
world is, to the bit, where as many whole steps lead without signals.
"""

import gc
import signal
import sys
import time
from collections.abc import Callable
from itertools import cycle
from types import FrameType
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.world.state_hash import state_hash

EVERY = 0.004
"""Time between two signals [s]."""

TORN = 3
"""How it ends when the world is another one."""

CALM = 6
"""Of so many turns one is calm: where the machine is busy, a step may take longer than the time between two signals."""


class Storm:
    """A signal every so often, each of which raises KeyboardInterrupt."""

    def __init__(self) -> None:
        self.blows, self.heard = True, 0

    def begin(self) -> None:
        """Let it blow."""
        signal.signal(signal.SIGALRM, self.hear)
        signal.setitimer(signal.ITIMER_REAL, EVERY, EVERY)

    def end(self) -> None:
        """No signal after this is heard."""
        self.blows = False
        signal.setitimer(signal.ITIMER_REAL, 0)

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Answer as Python answers Ctrl-C; but not in the loop that catches it, which could not go on."""
        if self.blows and frame is not None and frame.f_code not in SHELTERED:
            self.heard += 1
            raise KeyboardInterrupt


def herd(n: int, d: int = 2) -> sm.Vehicles:
    """Vehicles at random places."""
    return sm.Vehicles(np.random.default_rng(3).uniform(0, 200, (n, d)), max_speed=4)


def lasting() -> sm.World:
    """The world that outlives the storm: with threads, neighbors, modes, and vehicles that come and go."""
    world = sm.World(seed=1, dt=0.05, threads=2, domain=sm.Torus([200, 200]))
    world.add(herd(5000), name="many", steering=sm.Wander())
    modes = sm.Modes(
        {"go": sm.Wander(), "stay": sm.Separation(radius=2)}, start="go", transitions=[("go", "stay", sm.After(0.3))]
    )
    flows = [sm.Spawner(20.0, [[1.0, 1.0]], clearance=None), sm.Sink(older_than=0.4)]
    world.add(herd(50), name="few", steering=modes, flows=flows)
    return world


def change() -> None:
    """Make a world, step it, change it, and let it go."""
    world = sm.World(seed=2, threads=1)
    vehicles = world.add(herd(3), name="x", steering=sm.Wander()).vehicles
    world.step()
    vehicles.spawn(np.zeros((5, 2)))
    vehicles.remove(vehicles.id[:2])
    world.step()
    world.populations["x"].steering = sm.Seek([1.0, 2.0])
    world.step()


def share() -> None:
    """Step a world whose threads take part, and let it go."""
    world = sm.World(seed=2, threads=2)
    world.add(herd(5000), steering=sm.Wander())
    world.step()


def compile_one(number: int) -> None:
    """Compile a kernel that never was before, and let go of what compiling left behind."""

    def made(start: int, stop: int, values: Any) -> None:
        for i in range(start, stop):
            values[i] = values[i] * scale + 1.0

    scale = number + 0.5
    values, compiled = np.ones(4), kernel(made)
    entry_point(compiled, (0, 1, values))(0, 4, values)
    assert (values == scale + 1.0).all()
    gc.collect()


def main(seconds: float) -> int:
    """Weather a storm; 0 if all is well."""
    world, storm, number = lasting(), Storm(), 0
    world.step()
    for prepared in (change, share):
        prepared()
    works: dict[str, Callable[[], object]] = {
        "steps": world.step, "changes": change, "crews": share, "kernels": lambda: compile_one(number),
    }  # fmt: skip
    done, interrupted = dict.fromkeys(works, 0), dict.fromkeys(works, 0)
    end, turns = time.monotonic() + seconds, cycle(works)
    storm.begin()
    while time.monotonic() < end:
        number += 1
        storm.blows = number % CALM > 0
        name = next(turns) if storm.blows else "steps"
        try:
            works[name]()
        except KeyboardInterrupt:
            interrupted[name] += 1
        else:
            done[name] += 1
    storm.end()
    assert storm.heard, "nobody heard a signal"
    print(f"{storm.heard} signals; done: {done}; interrupted: {interrupted}")
    world.step()
    other = lasting()
    other.run(steps=world.steps)
    return 0 if state_hash(world) == state_hash(other) else TORN


SHELTERED = {main.__code__, Storm.hear.__code__, Storm.begin.__code__, Storm.end.__code__}
"""Where signals are not answered."""

if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))

"""Snapshots that are damaged in every way: a refusal, or the world that was saved."""

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np

import steersman as sm
from steersman.core.world.state_hash import state_hash

from .judging import source

SAYS = re.compile(r": (is (empty|damaged|no snapshot)|was written by a newer|this makes no world)")
"""What a refusal says of a file."""


def flipped(rng: Random, data: bytearray) -> str:
    """Turn over one bit."""
    bit = rng.randrange(8 * len(data))
    data[bit // 8] ^= 1 << bit % 8
    return f"bit {bit} flipped"


def cut(rng: Random, data: bytearray) -> str:
    """Take away the end."""
    length = rng.choice([rng.randrange(len(data)), len(data) - rng.randrange(1, 200)])
    del data[length:]
    return f"cut to {length} bytes"


def overwritten(rng: Random, data: bytearray) -> str:
    """Put something else in the place of a part."""
    start, size = rng.randrange(len(data)), rng.choice([2, 64, 512, 4096])
    data[start : start + size] = rng.choice([bytes, rng.randbytes])(len(data[start : start + size]))
    return f"{size} bytes overwritten at {start}"


def shifted(rng: Random, data: bytearray) -> str:
    """Put something in between, or take something out."""
    start, size = rng.randrange(len(data)), rng.randrange(1, 600)
    if rng.random() < 0.5:
        data[start:start] = rng.randbytes(size)
        return f"{size} bytes put in at {start}"
    del data[start : start + size]
    return f"{size} bytes taken out at {start}"


def nothing_of_it(rng: Random, data: bytearray) -> str:
    """Something else altogether."""
    start = rng.choice([b"", b"PK\x03\x04", b"PK\x05\x06", b"\x89PNG", b"\x80\x04", b"seed = 3\n"])
    data[:] = start + rng.randbytes(rng.choice([0, 1, 20, 1000]))
    return f"{len(data)} bytes that begin with {start!r}"


@source("snapshots", documented=(sm.SnapshotError,), says=SAYS)
def snapshots(rng: Random, count: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Damage one snapshot again and again."""
    world = small_world()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "world.steersman"
        world.save(file)
        whole, known = file.read_bytes(), state_hash(world)
        for _ in range(count):
            data = bytearray(whole)
            what = rng.choice([flipped, flipped, flipped, cut, overwritten, shifted, nothing_of_it])(rng, data)
            file.write_bytes(data)
            yield f"a snapshot, {what}", lambda: load_or_fail(file, known)


def load_or_fail(file: Path, known: str) -> None:
    """Load a world, which must be the one that was saved."""
    if state_hash(sm.World.load(file)) != known:
        raise AssertionError("another world was loaded, and nothing said")


def small_world() -> sm.World:
    """A world in mid-run, with memory, flows, meters and obstacles."""
    place = np.random.default_rng(3).uniform(0, 50, (60, 2))
    world = sm.World(domain=sm.Torus([50, 50]), seed=4, threads=1)
    steering = sm.Priority([sm.AvoidObstacles(sm.Spheres([[9, 9]], 2)), sm.Wander()])
    world.add(sm.Vehicles(place, max_speed=4), name="ants", steering=steering, flows=[sm.Sink(sm.Sphere([1, 1], 2))])
    world.watch("ants", "mean_speed")
    world.run(steps=9)
    return world

"""The work: what is to be done, by everybody with the same numbers, and how it is seen afterwards that it was done.

Everything is in 2D and in open space, since not everybody here knows a torus. Vehicles have mass 1, and turn a desired
velocity into the force `desired - velocity`, as in the paper. A step is look, steer, truncate to max_force, velocity,
truncate to max_speed, position.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Told = dict[str, float]


@dataclass(frozen=True)
class Work:
    """A workload.

    Attributes:
        name: One word.
        title: What it is, for charts and tables.
        sizes: Numbers of vehicles.
        numbers: Its parameters, plain enough for JSON.
        starts: (n, seed) -> positions and velocities, shape (n, 2).
        seen: (positions, velocities, starting positions, seconds) -> what tells whether the work was done.
        one_sided: Of that, what may be better than ours: -1 for less, 1 for more.
        checked: How many vehicles, and steps, that is tried with.
        window: Steps after which everybody begins anew from the start: a flock draws together, and who is faster would do
            harder work.
    """

    name: str
    title: str
    sizes: tuple[int, ...]
    numbers: dict[str, Any]
    starts: Callable[[int, int], tuple[Array, Array]]
    seen: Callable[[Array, Array, Array, float], Told]
    one_sided: dict[str, int] = field(default_factory=dict)
    checked: tuple[int, int] = (100, 100)
    window: int = 20

    @property
    def dt(self) -> float:
        """Time step [s]."""
        return float(self.numbers["dt"])


def headings(n: int, speed: float, rng: np.random.Generator) -> Array:
    """Velocities in all directions."""
    angle = rng.uniform(0, 2 * math.pi, n)
    return speed * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def polarization(velocity: Array) -> float:
    """Length of the mean unit velocity."""
    speed = np.linalg.norm(velocity, axis=1, keepdims=True)
    return float(np.linalg.norm((velocity / np.maximum(speed, 1e-12)).mean(axis=0)))


def distances(position: Array) -> Array:
    """Distances between all, infinite to oneself, shape (n, n)."""
    apart = np.linalg.norm(position[:, None] - position[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return apart


# The flock: nine parameters, about 20 others within the largest radius.

FLOCK = {
    "dt": 1 / 60, "max_speed": 9.0, "max_force": 27.0, "inner_radius": 1.5,
    "separation_radius": 5.0, "separation_cosine": -0.707, "separation_weight": 12.0,
    "alignment_radius": 7.5, "alignment_cosine": 0.7, "alignment_weight": 8.0,
    "cohesion_radius": 9.0, "cohesion_cosine": -0.15, "cohesion_weight": 8.0,
}  # fmt: skip


def flock_starts(n: int, seed: int) -> tuple[Array, Array]:
    """All over a square, heading anywhere."""
    rng = np.random.default_rng(seed)
    half = math.sqrt(n * math.pi * FLOCK["cohesion_radius"] ** 2 / 20) / 2
    return rng.uniform(-half, half, (n, 2)), headings(n, 2.7, rng)


def flock_seen(position: Array, velocity: Array, start: Array, seconds: float) -> Told:
    """In order, apart, together."""
    apart = distances(position)
    return {
        "polarization": polarization(velocity),
        "nearest distance [m]": float(np.median(apart.min(axis=1))),
        "neighbors": float((apart < FLOCK["cohesion_radius"]).sum(axis=1).mean()),
        "speed [m/s]": float(np.linalg.norm(velocity, axis=1).mean()),
    }


# The small world: seek, arrive, wander, avoid 20 circles, follow a path of 10 segments, all in one sum.


def circles(seed: int, count: int, low: float, high: float, radius: tuple[float, float]) -> tuple[Array, Array]:
    """Centers and radii."""
    rng = np.random.default_rng(seed)
    return rng.uniform(low, high, (count, 2)), rng.uniform(*radius, count)


def arc(radius: float, turn: float, points: int) -> Array:
    """Points on a circle about the origin."""
    angle = np.linspace(0, turn, points)
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


ROCKS = circles(3, 20, -100, 100, (1, 5))
SMALL = {
    "dt": 1 / 60, "max_speed": 8.0, "max_force": 20.0, "seek": [30.0, 40.0], "arrive": [-20.0, 10.0],
    "slowing_distance": 32.0, "wander_distance": 10.0, "wander_radius": 8.0, "wander_rate": 1.5, "lookahead": 2.0,
    "avoid_weight": 2.0, "centers": ROCKS[0].tolist(), "radii": ROCKS[1].tolist(),
    "path": arc(80, math.pi, 11).tolist(), "closed": False, "path_radius": 4.0, "predict": 1.0, "reach": 8.0,
}  # fmt: skip


def small_starts(n: int, seed: int) -> tuple[Array, Array]:
    """All over the place, clear of the circles."""
    rng = np.random.default_rng(seed)
    return clear(n, (-100, -100), (100, 100), ROCKS, 1.0, rng), headings(n, 1.0, rng)


def clear(n: int, low: Any, high: Any, rocks: tuple[Array, Array], room: float, rng: np.random.Generator) -> Array:
    """Positions outside of circles."""
    found = np.empty((0, 2))
    while len(found) < n:
        tried = rng.uniform(low, high, (2 * n, 2))
        found = np.concatenate([found, tried[depth(tried, rocks) < -room]])
    return found[:n]


def depth(position: Array, rocks: tuple[Array, Array]) -> Array:
    """How deep each is in the circle that is nearest [m]; negative outside."""
    return (rocks[1] - np.linalg.norm(position[:, None] - rocks[0][None], axis=2)).max(axis=1)


def small_seen(position: Array, velocity: Array, start: Array, seconds: float) -> Told:
    """How fast, and where it led."""
    return {
        "speed [m/s]": float(np.linalg.norm(velocity, axis=1).mean()),
        "way [m]": float(np.linalg.norm(position - start, axis=1).mean()),
        "distance to the goal [m]": float(np.linalg.norm(position - SMALL["seek"], axis=1).mean()),
        "inside circles": float((depth(position, ROCKS) > 0.1).mean()),
    }


# Obstacles: everybody crosses a field of circles; first comes to avoid them, then to seek a point far away.

FIELD = circles(4, 100, 0, 400, (2, 8))
AVOID = {
    "dt": 1 / 60, "max_speed": 8.0, "max_force": 30.0, "lookahead": 2.0, "seek": [10_000.0, 200.0],
    "centers": FIELD[0].tolist(), "radii": FIELD[1].tolist(),
}  # fmt: skip


def avoid_starts(n: int, seed: int) -> tuple[Array, Array]:
    """All over the field, on the way already."""
    rng = np.random.default_rng(seed)
    return clear(n, (0, 0), (350, 400), FIELD, 1.0, rng), np.tile([8.0, 0.0], (n, 1))


def avoid_seen(position: Array, velocity: Array, start: Array, seconds: float) -> Told:
    """How many are in a circle, and how fast they came forward."""
    return {
        "inside circles": float((depth(position, FIELD) > 0.1).mean()),
        "forward [m/s]": float((position - start)[:, 0].mean() / seconds),
    }


# A path: round and round a track of 100 segments.

TRACK = arc(200, 2 * math.pi, 101)[:100]
PATH = {
    "dt": 1 / 60, "max_speed": 8.0, "max_force": 20.0, "path": TRACK.tolist(), "closed": True, "path_radius": 4.0,
    "predict": 1.0, "reach": 8.0,
}  # fmt: skip


def path_starts(n: int, seed: int) -> tuple[Array, Array]:
    """Along the track and up to 8 m beside it, half of that beyond its edge, heading anywhere."""
    rng = np.random.default_rng(seed)
    angle, radius = rng.uniform(0, 2 * math.pi, n), 200 + rng.uniform(-8, 8, n)
    return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), headings(n, 4.0, rng)


def path_seen(position: Array, velocity: Array, start: Array, seconds: float) -> Told:
    """How far from the spine, and how fast around."""
    radius = np.linalg.norm(position, axis=1)
    angle = np.arctan2(position[:, 1], position[:, 0]) - np.arctan2(start[:, 1], start[:, 0])
    around = (angle + math.pi) % (2 * math.pi) - math.pi
    return {
        "off the spine [m]": float(np.abs(radius - 200).mean()),
        "along [m/s]": float(200 * around.mean() / seconds),
    }


# A crowd: everybody walks to a place of their own, and nobody may touch.

CROWD = {
    "dt": 0.1, "max_speed": 2.0, "walk": 1.3, "radius": 0.3, "neighbors": 10, "neighbor_distance": 6.0,
    "time_horizon": 3.0,
}  # fmt: skip


def crowd_starts(n: int, seed: int) -> tuple[Array, Array]:
    """One in every cell of 2 m x 2 m, somewhere in its middle; a quarter of them stays out, so that there is room."""
    rng = np.random.default_rng(seed)
    side = math.ceil(math.sqrt(n / 0.75))
    cell = rng.permutation(side * side)[:n]
    corner = 2.0 * np.stack([cell % side, cell // side], axis=1)
    return corner + rng.uniform(0.4, 1.6, (n, 2)), np.zeros((n, 2))


def crowd_goals(n: int, seed: int) -> Array:
    """Where each walks to: 40 m away, in any direction."""
    start, _ = crowd_starts(n, seed)
    return start + headings(n, 40.0, np.random.default_rng(seed + 1000))


def crowd_seen(position: Array, velocity: Array, start: Array, seconds: float) -> Told:
    """How far they came, and how near to each other."""
    apart = distances(position).min(axis=1)
    return {
        "way [m/s]": float(np.linalg.norm(position - start, axis=1).mean() / seconds),
        "nearest distance [m]": float(np.median(apart)),
        "overlapping": float((apart < 2 * CROWD["radius"] - 0.05).mean()),
    }


WORKS = {
    work.name: work
    for work in (
        Work("flock", "A flock", (100, 1000, 10_000, 100_000), FLOCK, flock_starts, flock_seen),
        Work(
            "small", "A small world of five behaviors", (1, 10, 100, 1000), SMALL, small_starts, small_seen,
            {"inside circles": -1}, (100, 300), 200,
        ),
        Work(
            "avoid", "100 obstacles to avoid", (1000,), AVOID, avoid_starts, avoid_seen,
            {"inside circles": -1, "forward [m/s]": 1}, (100, 300),
        ),
        Work(
            "path", "A path of 100 segments to follow", (1000,), PATH, path_starts, path_seen,
            {"off the spine [m]": -1, "along [m/s]": 1}, (30, 400),
        ),
        Work(
            "crowd", "A crowd in which nobody touches", (100, 1000, 10_000), CROWD, crowd_starts, crowd_seen,
            {"overlapping": -1, "way [m/s]": 1, "nearest distance [m]": 1}, (100, 100),
        ),
    )
}  # fmt: skip

"""Where behaviors live: somebody to chase, somebody to fear, rocks, and a population that is watched for ten minutes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import steersman as sm
from steersman.runs.metrics.jitter import turn_jitter

DT = 1 / 30
MINUTES = 10
SIZE = 60.0
"""Edge of the square or cube in which everything lies, with its middle in the origin [m]."""

Array = np.ndarray[Any, Any]


class Place:
    """A world with a population to steer, and what it may perceive.

    Args:
        n: How many are steered; one stands for "alone".
        d: Dimensions.
        seed: Where everybody starts.
        torus: Whether the world has no edge.
    """

    def __init__(self, n: int, d: int = 2, seed: int = 1, *, torus: bool = False) -> None:
        rng = np.random.default_rng([seed, n, d])
        self.d, self.rng, self.torus = d, rng, torus
        self.origin = np.zeros(d)
        half = SIZE / 2
        middle = self.origin - half if torus else self.origin
        self.world = sm.World(domain=sm.Torus([SIZE] * d) if torus else None, seed=seed, dt=DT, threads=1)
        self.shift = middle + half
        kind = {"radius": 0.4, "dtype": np.float32 if d == 2 else np.float64}  # As the other tests: it saves compiling.
        self.vehicles = sm.Vehicles(
            self.scattered(n, 4.5), rng.normal(0, 1.0, (n, d)), max_speed=4.0, max_force=12.0, **kind
        )
        self.stranger = sm.Vehicles(self.scattered(1, 14), max_speed=2.0, max_force=6.0, **kind)
        self.other = sm.Vehicles(self.scattered(1, 14), max_speed=2.0, max_force=6.0, **kind)
        self.rocks = sm.Spheres([self.at(10, 0), self.at(-9, 8), self.at(-6, -11), self.at(4, 12)], [3, 2.5, 3.5, 2])
        self.food = sm.Resources(self.scattered(40, 20), 1.0)
        self.home = sm.Sphere(self.shift, 26.0)

    def at(self, *numbers: float) -> Array:
        """A point so far from the middle; zeros behind what is given."""
        return self.shift + np.array([*numbers, *[0.0] * (self.d - len(numbers))])

    def scattered(self, n: int, reach: float) -> Array:
        """Points at random, at most `reach` from the middle along each axis."""
        return self.shift + self.rng.uniform(-reach, reach, (n, self.d))

    def ring(self, radius: float = 12.0, count: int = 12) -> Array:
        """Points of a circle about the middle."""
        turns = np.arange(count) * (2 * np.pi / count)
        return np.array([self.at(radius * np.cos(turn), radius * np.sin(turn)) for turn in turns])

    def live(self, steering: Any, body: Any = None, minutes: float = MINUTES) -> "Life":
        """Let everybody live, and keep what the last minute was like."""
        strolling = sm.Priority([sm.Contain(self.home), sm.Wander()])
        self.world.add(self.vehicles, name="watched", steering=steering, locomotion=body)
        self.world.add(self.stranger, name="stranger", steering=strolling)
        self.world.add(self.other, name="other", steering=strolling)
        kept = round(60 / DT)
        self.world.run(steps=round(minutes * 60 / DT) - kept)
        rows: dict[str, list[Array]] = {
            "position": [],
            "velocity": [],
            "stranger": [],
            "stranger_velocity": [],
            "other": [],
        }
        for _ in range(kept):
            self.world.step()
            rows["position"].append(self.vehicles.position.astype(float))
            rows["velocity"].append(self.vehicles.velocity.astype(float))
            rows["stranger"].append(self.stranger.position.astype(float))
            rows["stranger_velocity"].append(self.stranger.velocity.astype(float))
            rows["other"].append(self.other.position.astype(float))
        return Life(self, **{name: np.array(each) for name, each in rows.items()})


@dataclass(frozen=True)
class Life:
    """The last minute of ten.

    Attributes:
        place: Where it was.
        position, velocity: Of the watched, shape (steps, n, d).
        stranger, stranger_velocity, other: Of the two that stroll about, shape (steps, 1, d).
    """

    place: Place
    position: Array
    velocity: Array
    stranger: Array
    stranger_velocity: Array
    other: Array

    @property
    def speed(self) -> Array:
        """Shape (steps, n)."""
        return np.asarray(np.linalg.norm(self.velocity, axis=2))

    def far(self, to: Any) -> Array:
        """Distances to points, shape (steps, n): the minimum image where the world has no edge."""
        return np.asarray(np.linalg.norm(self.place.world.domain.difference(self.position, np.asarray(to)), axis=2))

    @property
    def sharp_turns(self) -> float:
        """Part of all steps in which somebody who moves turns by more than 60 degrees."""
        moving = self.speed > 0.02 * self.place.vehicles.max_speed.max()
        both = moving[1:] & moving[:-1]
        cosine = np.sum(self.velocity[1:] * self.velocity[:-1], axis=2)
        sharp = both & (cosine < 0.5 * self.speed[1:] * self.speed[:-1])
        return float(sharp.sum() / sharp.size)

    @property
    def jitter(self) -> float:
        """Root mean square turn acceleration [rad/s^2] while moving; 0 where nobody moves."""
        slow = self.speed < 0.02 * self.place.vehicles.max_speed.max()
        jitter = turn_jitter(np.where(slow[..., None], 0.0, self.velocity), DT)
        return 0.0 if np.isnan(jitter) else jitter

    @property
    def nearest_pair(self) -> float:
        """The least distance of two of the watched [m]; infinite for one alone."""
        n = self.position.shape[1]
        first, second = np.triu_indices(n, 1)
        if not len(first):
            return np.inf
        way = self.place.world.domain.difference(self.position[:, first], self.position[:, second])
        return float(np.linalg.norm(way, axis=2).min())


Promise = Callable[[Life], Sequence[tuple[str, Any]]]
"""What must hold: a few words, and whether it does."""

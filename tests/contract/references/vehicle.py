"""One vehicle in a place, and how it is asked. On a torus every point is replaced by its image nearest to the vehicle."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from contract.places import Array, Place
from contract.running import DT, NAME, SEED

import steersman as sm
from steersman import laws
from steersman.core.maths.random import draw, key_of, signed_uniform
from steersman.core.steering.targets.selection import Among

Answer = tuple[Array, bool]
"""A force [N] (d,), and whether it claims the vehicle whatever its length."""

Reference = Callable[[Any, "At"], Answer]
Combination = Callable[[Any, "At", list[Answer]], Answer]

LIKE = np.zeros(1)
"""Random numbers come as float64."""


@dataclass(frozen=True)
class At:
    """One vehicle in a place, at a step."""

    place: Place
    i: int
    step: int = 0
    key: int = 0
    """Of the node whose answer is wanted: its random numbers depend on it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.place.vehicles, name)[self.i]

    @property
    def tau(self) -> float:
        return float(self.place.vehicles.response_time[self.i] or DT)

    @property
    def axes(self) -> Array:
        """Forward and side in 2D, forward, up and side in 3D, as rows."""
        forward = self.forward
        if len(forward) == 2:
            return np.array([forward, [forward[1], -forward[0]]])
        return np.array([forward, self.up, np.cross(forward, self.up)])

    def near(self, points: Any) -> Array:
        """The images of points that are nearest to the vehicle."""
        return np.asarray(self.position + self.place.domain.difference(np.asarray(points, float), self.position))

    def match(self, steering: Array) -> Array:
        """The force of a literal steering vector."""
        return np.asarray(self.mass * steering / self.tau)

    def drive(self, behavior: Any, steering: Array) -> Array:
        """The force of a literal steering vector, or full thrust along what is desired."""
        if behavior.thrust == "full":
            return laws.thrust(steering + self.velocity, self.max_force)
        return self.match(steering)

    def drive_to(self, behavior: Any, point: Array, moved: Any = 0.0) -> Array:
        """The force of Seek; where less than the landing time is left, that of the landing, on a point that moves so."""
        asked = self.position, self.velocity, point, self.max_speed
        steering = laws.seek(*asked, speed=behavior.speed)
        speed = laws.length(steering + self.velocity)
        time = DT
        if np.linalg.norm(moved) <= 0.02 * self.max_speed:
            time = laws.landing_time(speed, self.max_force / self.mass, DT)
        if laws.length(point - self.position) < speed * time:
            return self.match(laws.seek(*asked, speed=behavior.speed, dt=time))
        return self.drive(behavior, steering)

    def row(self, population: sm.Vehicles, which: Any) -> int | None:
        """Whom of a population the vehicle watches."""
        if isinstance(which, str) and which == "first":
            return 0
        if isinstance(which, dict):
            which = which[self.id]
        elif isinstance(which, np.ndarray):
            which = which[self.i]
        if isinstance(which, (int, np.integer)):
            return int(np.flatnonzero(population.id == which)[0])
        distance = laws.length(self.near(population.position) - self.position)
        if isinstance(which, Among):
            distance[~np.isin(population.id, which.ids)] = np.inf
        if population is self.place.vehicles:
            distance[self.i] = np.inf
        return int(np.argmin(distance))

    def target(self, target: Any, which: Any) -> Array:
        """Where the target of the vehicle is."""
        if isinstance(target, sm.Vehicles):
            points = target.position[self.row(target, which)]
        else:
            points = np.asarray(target() if callable(target) else target)
        return self.near(points[self.i] if points.ndim == 2 else points)


@dataclass(frozen=True)
class Others:
    """Several populations, one behind the other; nothing steers those that are not the own one."""

    position: Array
    velocity: Array
    forward: Array
    radius: Array
    mass: Array
    max_speed: Array
    max_force: Array
    id: Array
    share: Array


COLUMNS = ("velocity", "forward", "radius", "mass", "max_speed", "max_force")
"""Columns that are empty where something without them is watched."""


def joined(of: Any, at: At) -> tuple[Others, int | None]:
    """The neighbors that a behavior looks at, and the row of the vehicle itself among them."""
    vehicles = at.place.vehicles
    named = of if isinstance(of, tuple) else (vehicles if of is None else of,)
    parts = sorted(named, key=lambda each: each is not vehicles)
    shift = (1 << 32) + 40503 if len(parts) > 1 else 0
    found = {
        name: np.concatenate([getattr(each, name) for each in parts])
        for name in ("position", *COLUMNS)
        if all(hasattr(each, name) for each in parts)
    }
    ids = [getattr(each, "id", np.arange(len(each.position))) + k * shift for k, each in enumerate(parts)]
    share = [np.full(len(each.position), 0.5 if each is vehicles else 1.0) for each in parts]
    empty = dict.fromkeys(COLUMNS, np.zeros(0))
    others = Others(**{**empty, **found}, id=np.concatenate(ids), share=np.concatenate(share))
    return others, at.i if parts[0] is vehicles else None


def words(at: At, step: int, number: int) -> Any:
    """Random words of the vehicle."""
    return draw(key_of(SEED, NAME, at.key), at.id, step, number)


def noise(at: At, place: float, number: int) -> float:
    """Coherent noise in [-1, 1): random at whole places, a smoothstep in between."""
    k = math.floor(place)
    before, after = (signed_uniform(words(at, k + step, number)[0], LIKE) for step in (0, 1))
    x = place - k
    return float(before + (after - before) * x * x * (3 - 2 * x))


def spring_time(at: At, strength: float, deepest: float) -> float:
    """The response time where a region is so deep that the room fits in [s]."""
    return float(max(min(at.tau, math.sqrt(0.25 * deepest / (3 * strength))), 2 * DT))


def slowing(b: Any, at: At, full: float) -> float:
    """Where slowing begins [m]."""
    shortest = max(4 * full * at.tau, at.mass * full**2 / at.max_force)
    return float(shortest if b.slowing_distance is None else b.slowing_distance)

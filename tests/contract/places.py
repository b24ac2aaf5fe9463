"""Places: a population, another one to watch, obstacles and points, as plain arrays that can be turned, moved and spoilt."""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.environment.domain import Domain
from steersman.core.maths.frames import frame_of

Array = np.ndarray[Any, Any]

SIZE = 24.0
"""Edge of the square or cube that everything lies in [m]."""

PERIODS = np.array([24.0, 31.0, 27.0])
"""Sizes of a torus along the axes [m]: oblong, so that no axis can stand for another."""

LOWEST = np.array([-3.0, 5.0, 2.0])
"""Its lowest corner [m]."""


@dataclass(frozen=True)
class State:
    """What a place is made of; every array is float64, of n vehicles in d dimensions.

    The names say what an array is for: `point` (d,) and `points` (n, d) are targets, `sites` (m, d) are fixed points,
    `chosen` (n,) are ids of the others, `wind` (d,) is the force of a user's behavior.
    """

    position: Array
    velocity: Array
    forward: Array
    up: Array | None
    mass: Array
    radius: Array
    max_speed: Array
    max_force: Array
    response_time: Array
    id: Array
    others_position: Array
    others_velocity: Array
    others_forward: Array
    others_mass: Array
    others_radius: Array
    others_max_speed: Array
    others_max_force: Array
    others_id: Array
    rock_center: Array
    rock_radius: Array
    sites: Array
    point: Array
    points: Array
    chosen: Array
    wind: Array
    periods: Array
    torus: bool = False

    @property
    def dimensions(self) -> int:
        return self.position.shape[1]

    @classmethod
    def random(cls, seed: int, dimensions: int, n: int = 9, *, torus: bool = False) -> "State":
        """Everything in general position: nobody at rest, or where somebody else is; some inside of rocks."""
        rng = np.random.default_rng([seed, dimensions, n, torus])
        d = dimensions
        others_id = np.array([4, 9, 2, 30, 7])
        unlike = np.random.default_rng([seed, dimensions, 5])
        return cls(
            position=rng.uniform(0, SIZE, (n, d)),
            velocity=rng.normal(0, 2, (n, d)),
            forward=directions(rng, n, d),
            up=None,
            mass=rng.uniform(0.5, 3, n),
            radius=rng.uniform(0.1, 0.9, n),
            max_speed=rng.uniform(1, 4, n),
            max_force=rng.uniform(2, 60, n),
            response_time=np.where(np.arange(n) % 3 == 2, 0.0, rng.uniform(0.1, 2, n)),
            id=rng.permutation(40)[:n],
            others_position=rng.uniform(0, SIZE, (5, d)),
            others_velocity=rng.normal(0, 1.5, (5, d)),
            others_forward=directions(rng, 5, d),
            others_mass=unlike.uniform(0.5, 3, 5),
            others_radius=unlike.uniform(0.1, 0.9, 5),
            others_max_speed=unlike.uniform(1, 4, 5),
            others_max_force=unlike.uniform(2, 60, 5),
            others_id=others_id,
            rock_center=rng.uniform(0, SIZE, (8, d)),
            rock_radius=rng.uniform(0.5, 4.0, 8),
            sites=rng.uniform(0, SIZE, (4, d)),
            point=rng.uniform(0, SIZE, d),
            points=rng.uniform(0, SIZE, (n, d)),
            chosen=rng.choice(others_id, n),
            wind=rng.normal(0, 1, d),
            periods=PERIODS[:d],
            torus=torus,
        )._with_frames(directions(rng, n, 3) if d == 3 else None)

    def _with_frames(self, up: Array | None) -> "State":
        forward, realigned = frame_of(self.forward, up)
        return replace(self, forward=forward, up=realigned)

    def rounded(self, dtype: Any) -> "State":
        """All numbers as they are in a type, in float64 still; directions stay as long as they come out."""
        reals = {field.name: getattr(self, field.name) for field in fields(self)}
        kept = {name: each for name, each in reals.items() if isinstance(each, np.ndarray) and each.dtype == np.float64}
        return replace(self, **{name: each.astype(dtype).astype(np.float64) for name, each in kept.items()})

    def moved(self, matrix: Array, shift: Array) -> "State":
        """Everything turned (or mirrored) by a matrix about the origin, then moved; a torus by quarter turns only."""
        turned = ("velocity", "forward", "up", "others_velocity", "others_forward", "wind")
        placed = ("position", "others_position", "rock_center", "sites", "point", "points")
        changes = {name: getattr(self, name) @ matrix.T for name in turned if getattr(self, name) is not None}
        if self.torus and not np.isin(matrix, (-1, 0, 1)).all():
            raise ValueError(f"a torus cannot be turned by {matrix}")
        periods = np.abs(matrix) @ self.periods if self.torus else self.periods
        return replace(
            self, **changes, **{name: getattr(self, name) @ matrix.T + shift for name in placed}, periods=periods
        )

    def permuted(self, order: Array) -> "State":
        """The vehicles in another order, everything that belongs to one along with it."""
        own = (
            "position", "velocity", "forward", "up", "mass", "radius", "max_speed", "max_force", "response_time", "id",
            "points", "chosen",
        )  # fmt: skip
        return replace(self, **{name: getattr(self, name)[order] for name in own if getattr(self, name) is not None})

    def place(self, dtype: Any = np.float64) -> "Place":
        """The objects."""
        frames = {} if self.up is None else {"up": self.up}
        vehicles = sm.Vehicles(
            self.position, self.velocity, forward=self.forward, mass=self.mass,
            radius=self.radius, max_speed=self.max_speed, max_force=self.max_force, response_time=self.response_time,
            id=self.id, dtype=dtype, **frames,
        )  # fmt: skip
        others = sm.Vehicles(
            self.others_position, self.others_velocity, forward=self.others_forward, mass=self.others_mass,
            radius=self.others_radius, max_speed=self.others_max_speed, max_force=self.others_max_force,
            id=self.others_id, dtype=dtype,
        )  # fmt: skip
        domain = sm.Torus(self.periods, LOWEST[: self.dimensions]) if self.torus else sm.Open()
        return Place(self, vehicles, others, sm.Spheres(self.rock_center, self.rock_radius), domain)


@dataclass(frozen=True)
class Place:
    """The objects that examples of behaviors are made for."""

    state: State
    vehicles: sm.Vehicles
    others: sm.Vehicles
    rocks: sm.Spheres
    domain: Domain

    def fingerprint(self) -> bytes:
        """All bytes of everything that a behavior may look at."""
        numbers = [getattr(self.state, field.name) for field in fields(self.state)]
        arrays = [self.vehicles.block, self.vehicles.id, self.others.block, self.others.id, self.rocks.center]
        return b"".join(
            np.asarray(each).tobytes() for each in [*arrays, self.rocks.radius, *numbers] if each is not None
        )


def directions(rng: np.random.Generator, n: int, d: int) -> Array:
    """Random unit vectors, shape (n, d)."""
    rows = rng.normal(size=(n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def rotation(dimensions: int, angle: float) -> Array:
    """A rotation matrix; in 3D about a slanted axis (Rodrigues' formula)."""
    c, s = math.cos(angle), math.sin(angle)
    if dimensions == 2:
        return np.array([[c, -s], [s, c]])
    x, y, z = np.array([1.0, -2.0, 0.5]) / np.linalg.norm([1.0, -2.0, 0.5])
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + s * cross + (1 - c) * cross @ cross)


def mirror(dimensions: int) -> Array:
    """The reflection that turns the second axis over."""
    return np.diag([1.0, -1.0, 1.0][:dimensions])

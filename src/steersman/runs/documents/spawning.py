"""Spawn shapes: where the vehicles of a population are at the start."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.parameters.kinds import POINTS, VECTOR
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.typing import Array
from steersman.core.world import spawn
from steersman.core.world.flows.places import buried


@dataclass(frozen=True, eq=False)
class Shape(Parameters):
    """Base of all spawn shapes.

    Args:
        center: Its middle [m]; by default the domain's.
    """

    center: Any = parameter(None, kind=VECTOR, optional=True, unit="m")
    drawn = True  # Whether its places are random, so that others may be drawn instead.

    @property
    @abstractmethod
    def dimensions(self) -> int | None:
        """2 or 3; None where the shape leaves it open."""

    @property
    def count(self) -> int | None:
        """The number of vehicles, where the shape sets it; else None."""
        return None

    @abstractmethod
    def offsets(self, n: int, extent: Array, rng: np.random.Generator) -> Array:
        """Positions [m] relative to the center, shape (n, d).

        Args:
            n: The number of positions.
            extent: Size of the domain [m], shape (d,); infinite where the domain has no end.
            rng: The random generator.

        Raises:
            ValueError: The shape needs a domain of limited size.
        """

    def positions(
        self,
        n: int,
        dimensions: int,
        domain: Domain,
        obstacles: Sequence[Obstacles],
        clear: float,
        rng: np.random.Generator,
    ) -> Array:
        """Positions [m], shape (n, d), clear of obstacles.

        Raises:
            ValueError: The shape does not fit the domain, or has no room beside the obstacles.
        """
        origin, extent = bounds(domain, dimensions)
        middle = np.where(np.isfinite(extent), origin + extent / 2, 0.0) if self.center is None else self.center
        if self.drawn:
            return spawn.settled(lambda k: middle + self.offsets(k, extent, rng), n, obstacles, clear, 0.0, domain)
        points = np.asarray(middle + self.offsets(n, extent, rng))
        if (inside := buried(points, obstacles, clear, domain)).any():
            raise spawn.no_room(n, int(inside.sum()))
        return points


@final
@dataclass(frozen=True, eq=False)
class BoxShape(Shape):
    """Uniform in a rectangle or box.

    Args:
        size: Lengths of the edges [m]; by default the domain's.
    """

    size: Any = parameter(None, kind=VECTOR, optional=True, unit="m")

    def validate(self) -> None:
        """Check the size."""
        if self.size is not None and np.any(self.size < 0):
            raise ValueError(f"size must be >= 0 m, got {self.size.min()}")

    @property
    def dimensions(self) -> int | None:
        """As many as the size or the center has."""
        size_or_center = self.size if self.size is not None else self.center
        return None if size_or_center is None else len(size_or_center)

    def offsets(self, n: int, extent: Array, rng: np.random.Generator) -> Array:
        """Uniform in the box."""
        size = extent if self.size is None else self.size
        if not np.isfinite(size).all():
            raise ValueError("size must be given, for the domain is open")
        return np.asarray((rng.random((n, len(size))) - 0.5) * size)


@dataclass(frozen=True, eq=False)
class Round(Shape):
    """Base of the round shapes.

    Args:
        radius: Its radius [m].
    """

    radius: float = parameter(low=0.0, unit="m")


@dataclass(frozen=True, eq=False)
class Filled(Round):
    """Base: uniform within a radius."""

    def offsets(self, n: int, extent: Array, rng: np.random.Generator) -> Array:
        """Uniform within the radius."""
        d = len(extent)
        return spawn.directions(n, d, rng) * (self.radius * rng.random((n, 1)) ** (1 / d))


@dataclass(frozen=True, eq=False)
class Hollow(Round):
    """Base: uniform at a distance."""

    def offsets(self, n: int, extent: Array, rng: np.random.Generator) -> Array:
        """Uniform at the distance of the radius."""
        return spawn.directions(n, len(extent), rng) * self.radius


@final
@dataclass(frozen=True, eq=False)
class Disc(Filled):
    """Uniform in a disc."""

    dimensions = 2


@final
@dataclass(frozen=True, eq=False)
class Ball(Filled):
    """Uniform in a ball."""

    dimensions = 3


@final
@dataclass(frozen=True, eq=False)
class Ring(Hollow):
    """Uniform on a circle."""

    dimensions = 2


@final
@dataclass(frozen=True, eq=False)
class Shell(Hollow):
    """Uniform on the surface of a sphere."""

    dimensions = 3


@final
@dataclass(frozen=True, eq=False)
class Grid(Shape):
    """On a square or cubic grid around the center, as compact as it gets.

    Args:
        spacing: Distance of neighbors [m].
    """

    spacing: float = parameter(above=0.0, unit="m")
    drawn = False

    @property
    def dimensions(self) -> int | None:
        """As many as the center has."""
        return None if self.center is None else len(self.center)

    def offsets(self, n: int, extent: Array, rng: np.random.Generator) -> Array:
        """Row by row."""
        return spawn.grid(n, self.spacing, center=np.zeros(len(extent)))


@final
@dataclass(frozen=True, eq=False)
class Points(Shape):
    """At given points, relative to the center if one is given.

    Args:
        position: One point per vehicle [m], shape (n, d).
    """

    position: Any = parameter(kind=POINTS, unit="m")
    drawn = False

    def validate(self) -> None:
        """Points that have no center stay where they are."""
        if self.center is None:
            self._put(center=np.zeros(self.dimensions))

    @property
    def dimensions(self) -> int:
        """As many as the points have."""
        return int(self.position.shape[1])

    @property
    def count(self) -> int:
        """As many vehicles as points."""
        return len(self.position)

    def offsets(self, n: int, extent: Array, rng: np.random.Generator) -> Array:
        """The points."""
        return np.array(self.position)


SHAPES: dict[str, type[Shape]] = {
    "box": BoxShape,
    "disc": Disc,
    "ball": Ball,
    "ring": Ring,
    "shell": Shell,
    "grid": Grid,
    "points": Points,
}
"""Name in documents -> spawn shape."""

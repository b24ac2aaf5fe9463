"""Starting velocities: how the vehicles of a population move at the start."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.parameters.kinds import DIRECTION
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.typing import Array
from steersman.core.world import spawn
from steersman.core.world.spawn import unit
from steersman.runs.documents.spread import SPREAD, Spread


@dataclass(frozen=True, eq=False)
class Start(Parameters):
    """Base of all starting velocities."""

    @abstractmethod
    def velocities(self, position: Array, rng: np.random.Generator) -> Array:
        """Velocities [m/s], shape (n, d), of vehicles at these positions [m]."""


@dataclass(frozen=True, eq=False)
class Moving(Start):
    """Base of the starting velocities that have a speed.

    Args:
        speed: Speed at the start [m/s].
    """

    speed: Spread = parameter(kind=SPREAD, low=0.0, unit="m/s")

    def _with_speed(self, direction: Array, rng: np.random.Generator) -> Array:
        speeds = np.broadcast_to(self.speed.draw(len(direction), rng), len(direction))
        return np.asarray(direction * speeds[:, None])


@final
@dataclass(frozen=True, eq=False)
class Rest(Start):
    """At rest, facing along the x axis."""

    def velocities(self, position: Array, rng: np.random.Generator) -> Array:
        """Zero."""
        return np.zeros_like(position)


@final
@dataclass(frozen=True, eq=False)
class AnyDirection(Moving):
    """Each vehicle in its own random direction."""

    def velocities(self, position: Array, rng: np.random.Generator) -> Array:
        """Uniform over all directions."""
        return self._with_speed(spawn.directions(len(position), position.shape[1], rng), rng)


@final
@dataclass(frozen=True, eq=False)
class Along(Moving):
    """All vehicles in one direction.

    Args:
        direction: The direction; its length does not matter.
    """

    direction: Any = parameter(kind=DIRECTION)

    def velocities(self, position: Array, rng: np.random.Generator) -> Array:
        """Along the direction."""
        if len(self.direction) != position.shape[1]:
            raise ValueError(f"direction must have {position.shape[1]} numbers, got {len(self.direction)}")
        return self._with_speed(unit(np.broadcast_to(self.direction, position.shape)), rng)


@final
@dataclass(frozen=True, eq=False)
class Around(Moving):
    """Counter-clockwise around the middle of the population, in 3D around the vertical (z) axis."""

    def velocities(self, position: Array, rng: np.random.Generator) -> Array:
        """Perpendicular to the way from the middle."""
        return self._with_speed(spawn.around(position, 1.0), rng)


STARTS: dict[str, type[Start]] = {"rest": Rest, "random": AnyDirection, "along": Along, "around": Around}
"""Name in documents -> starting velocity."""

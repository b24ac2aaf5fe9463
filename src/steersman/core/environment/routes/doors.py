"""Doors: segments across the free space of a map, with tolls that change in place."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.obstacle import OBSTACLES, as_one_set
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.routes.route_map import RouteMap
from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import INTEGER, NUMBERS, POINTS, Description, Kind, as_number
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array


def as_doors(name: str, value: Any, dimensions: int) -> Array:
    """Segments, shape (k, 2, d), read-only."""
    segments = as_floats(name, value, np.float64)
    if segments.size == 0:
        segments = segments.reshape(0, 2, dimensions)
    if segments.ndim != 3 or segments.shape[1:] != (2, dimensions):
        raise ValueError(f"{name} must be segments, shape (k, 2, {dimensions}), got {segments.shape}")
    return frozen(segments)


LEAVES = Kind("obstacles", "one set of obstacles", partial(as_one_set, kind=ObstacleSet), like=OBSTACLES)
DOORS = Kind("doors", "segments (k, 2, 2)", partial(as_doors, dimensions=2), like=POINTS)
DOORS_IN_SPACE = Kind("doors", "segments (k, 2, 3)", partial(as_doors, dimensions=3), like=POINTS)


@dataclass(frozen=True, eq=False)
class Doored(RouteMap):
    """Base of the maps that have doors.

    Args:
        doors: Segments that doors lie on [m], shape (k, 2, d).
        tolls: The cost of passing each door [m], as a longer way; infinite for shut. One number, or one each.
        leaves: Obstacles that stand in the doors while they are shut, a part for each door: a door is shut by enabling its
            part, and opened by disabling it, and the other way round. Of Walls the doors need not be given.
    """

    _: KW_ONLY
    doors: Any = parameter((), kind=DOORS, unit="m")
    tolls: Any = parameter(0.0, kind=NUMBERS, unit="m")
    leaves: Any = parameter(None, kind=LEAVES, optional=True)

    def validate(self) -> None:
        """Bring the doors and the tolls to their normal form."""
        if isinstance(self.leaves, Walls) and not len(self.doors) and self.dimensions == 2:
            self._put(doors=frozen(np.stack([self.leaves.segments.a, self.leaves.segments.b], axis=1)))
        if self.leaves is not None and len(self.leaves) != len(self.doors):
            raise ValueError(f"leaves must have a part for each of {len(self.doors)} doors, got {len(self.leaves)}")
        self._put(tolls=frozen(self._as_tolls(self.tolls)))

    def _as_tolls(self, value: Any) -> Array:
        """Tolls, one for each door, shape (k,)."""
        numbers = as_floats("tolls", value, np.float64, infinite=True)
        if numbers.ndim > 1 or not (numbers >= 0).all() or numbers.size not in (1, len(self.doors)):
            raise ValueError(f"tolls must be numbers >= 0 m, one or {len(self.doors)}, got {brief(value)}")
        return np.array(np.broadcast_to(numbers, (len(self.doors),)))

    @cached_property
    def _toll(self) -> Array:
        """The tolls now [m], shape (k,). At first a door is shut where its leaf is there."""
        tolls = np.array(self.tolls, np.float64)
        if self.leaves is not None:
            tolls[self.leaves.enabled] = np.inf
            self.leaves.switches.follow(self._leaves_changed)
        return tolls

    def _leaves_changed(self) -> None:
        """Shut the doors whose leaves are there, and open the others."""
        there = self.leaves.enabled
        self.set_tolls(np.where(there, np.inf, np.where(np.isinf(self._toll), 0.0, self._toll)))

    @property
    def current_tolls(self) -> Array:
        """The cost of passing each door now [m], shape (k,), a copy."""
        return np.array(self._toll)

    def set_tolls(self, tolls: Any) -> None:
        """Change the cost of passing the doors [m], >= 0, infinite for shut: one number, or one each.

        Raises:
            ValueError: There are not as many as doors.
        """
        new_tolls = self._as_tolls(tolls)
        if not np.array_equal(new_tolls, self._toll):
            self._toll[:] = new_tolls
            self._tolls_changed()
            if self.leaves is not None:
                self.leaves.switches.set(np.isinf(new_tolls))

    def set_toll(self, door: int, toll: float) -> None:
        """Change the cost of passing a door [m], >= 0, infinite for shut."""
        if not len(self._toll):
            raise ValueError(
                f"door must be one of the map's, got {brief(door)}: it has none; give it doors= or leaves="
            )
        number = int(Description("door", INTEGER, low=0).normal(door))
        if number >= len(self._toll):
            raise ValueError(f"door must be one of {len(self._toll)}, from 0, got {number}")
        new_tolls = self._toll.copy()
        new_tolls[number] = as_number("toll", toll, low=0.0, unit="m", infinite=True)
        self.set_tolls(new_tolls)

    def _tolls_changed(self) -> None:
        """Forget the values that depend on tolls."""

    def shut(self, door: int) -> None:
        """Shut a door: no way leads through it any more. The arguments are as for `set_toll`."""
        self.set_toll(door, np.inf)

    def open(self, door: int) -> None:
        """Open a door: it costs nothing to pass it."""
        self.set_toll(door, 0.0)

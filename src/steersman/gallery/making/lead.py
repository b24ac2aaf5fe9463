"""Leads: whether vehicles steer for where others will be, or away from there, and not for where they are.

A vehicle that intercepts keeps the bearing of its quarry: across the line between them both move alike. One that heads
for where the quarry is moves along the line alone. One that evades steps aside, to where the pursuer does not go.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from steersman.core.parameters.keeping import Keeping
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World
from steersman.gallery.making.by_id import extended, pairs


class Lead(Keeping):
    """How much of the motion of others across the line to them vehicles make themselves: an observer.

    Formula: sum of v . w / sum of w . w over all looks, with v a vehicle's velocity, and w the part of the other's velocity
    across the line between them. It is 1 where the bearing stays the same, 0 for a vehicle that heads for the other or
    straight away from it, and negative for one that steps out of its way.

    Attributes:
        led: The first sum [m^2/s^2].
        moved: The second sum [m^2/s^2].
    """

    only_watches = True
    saved_attributes: ClassVar[tuple[str, ...]] = ("led", "moved")

    def __init__(
        self,
        vehicles: Vehicles,
        others: Vehicles,
        *,
        own: bool = False,
        near: float = 0.0,
        far: float = np.inf,
        which: Callable[[], Array] | None = None,
        without: Callable[[], Array] | None = None,
    ) -> None:
        """Look at vehicles and others.

        Args:
            vehicles: The vehicles that lead.
            others: The vehicles that they lead: each the nearest.
            own: Whether each leads the one with its own id instead.
            near: Distance from which on they are looked at [m].
            far: Distance up to which they are looked at [m].
            which: Returns which of the vehicles are looked at, shape (n,), bool. Default: all.
            without: Returns the part of their velocities that has nothing to do with the others [m/s], shape (n, d): the
                rest alone counts as theirs. Default: all of their motion.
        """
        self.vehicles, self.others, self.own, self.near, self.far, self.which = vehicles, others, own, near, far, which
        self.without = without
        self.led = self.moved = 0.0

    def __call__(self, world: World) -> None:
        """Look at them once."""
        if not (len(self.vehicles) and len(self.others)):
            return
        rows, _, passing = self._others_in_range(world)
        made = self.vehicles.velocity - (0.0 if self.without is None else self.without())
        self.led += float(np.sum(made[rows] * passing))
        self.moved += float(np.sum(passing * passing))

    def _others_in_range(self, world: World) -> tuple[Array, Array, Array]:
        """Rows of those that are looked at; the unit vectors to their others, and these others' velocities across [m/s]."""
        way = self._ways(world)
        distance = np.linalg.norm(way, axis=2)
        rows, pick = np.arange(len(distance)), distance.argmin(axis=1)
        if self.own:
            rows, pick = pairs(self.vehicles, self.others)
        distance, line = distance[rows, pick], way[rows, pick]
        inside = (distance > max(self.near, 1e-9)) & (distance < self.far)
        if self.which is not None:
            inside &= self.which()[rows]
        line = line[inside] / distance[inside, None]
        other = self.others.velocity.astype(float)[pick[inside]]
        return rows[inside], line, across(other, line)

    def share(self, _: Any = None) -> float:
        """The part; 0 where no vehicle was looked at."""
        return self.led / self.moved if self.moved else 0.0

    def _ways(self, world: World) -> Array:
        to, origin = (each.position.astype(float) for each in (self.others, self.vehicles))
        return world.domain.difference(to[None], origin[:, None])


class Swerve(Lead):
    """To which side vehicles turn while others pass, whatever their way was before: an observer.

    Formula: sum of a . w / sum of |a| |w| over all looks, with a the change of a vehicle's velocity since the last look,
    and w the other's velocity, both without their parts along the line between the two. It is the mean cosine of the
    turns: 1 for vehicles that all turn to where the other goes, -1 for those that all turn out of its way. `Lead` tells
    the same of the vehicles' velocities, which in a flock are those of the flock.
    """

    saved_attributes = ("led", "moved", "before")
    before: Array | None = None
    """Velocities at the last look [m/s], by id, NaN for those that were not there; None before the first look."""

    def __call__(self, world: World) -> None:
        """Look at them once; those that have come since the last look do not count."""
        ids, velocity = self.vehicles.id, self.vehicles.velocity.astype(float)
        before, self.before = self.before, np.full((self.vehicles.next_id, velocity.shape[1]), np.nan)
        self.before[ids] = velocity
        if before is None or not (len(velocity) and len(self.others)):
            return
        change = velocity - extended(before, self.vehicles, np.nan)[ids]
        rows, line, passing = self._others_in_range(world)
        known = np.isfinite(change[rows]).all(axis=1)
        line, passing = line[known], passing[known]
        turned = across(change[rows[known]], line)
        self.led += float(np.sum(turned * passing))
        self.moved += float(np.sum(np.linalg.norm(turned, axis=1) * np.linalg.norm(passing, axis=1)))


def across(vectors: Array, line: Array) -> Array:
    """Vectors without their parts along unit vectors, all of shape (n, d)."""
    without: Array = vectors - np.sum(vectors * line, axis=1, keepdims=True) * line
    return without

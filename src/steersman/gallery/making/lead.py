"""Leads: whether vehicles steer for where others will be, or away from there, and not for where they are.

A vehicle that intercepts keeps the bearing of its quarry: across the line between them both move alike. One that heads
for where the quarry is moves along the line alone. One that evades steps aside, to where the pursuer does not go.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.parameters.keeping import Keeping
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World


class Lead(Keeping):
    """How much of the motion of others across the line to them vehicles make themselves: an observer.

    Formula: sum of v . w / sum of w . w over all looks, with v a vehicle's velocity, and w the part of the other's velocity
    across the line between them. It is 1 where the bearing stays the same, 0 for a vehicle that heads for the other or
    straight away from it, and negative for one that steps out of its way.

    Attributes:
        led: The first sum [m^2/s^2].
        moved: The second sum [m^2/s^2].
    """

    only_watches, saved_attributes = True, ("led", "moved")

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
            own: Whether each leads the one in its own row instead.
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
        way = self._ways(world)
        distance = np.linalg.norm(way, axis=2)
        rows = np.arange(len(distance))
        pick = rows if self.own else distance.argmin(axis=1)
        distance, line = distance[rows, pick], way[rows, pick]
        inside = (distance > max(self.near, 1e-9)) & (distance < self.far)
        if self.which is not None:
            inside &= self.which()
        line = line[inside] / distance[inside, None]
        other = self.others.velocity.astype(float)[pick[inside]]
        across = other - np.sum(other * line, axis=1, keepdims=True) * line
        made = self.vehicles.velocity - (0.0 if self.without is None else self.without())
        self.led += float(np.sum(made[inside] * across))
        self.moved += float(np.sum(across * across))

    def share(self, _: Any = None) -> float:
        """The part; 0 where no vehicle was looked at."""
        return self.led / self.moved if self.moved else 0.0

    def _ways(self, world: World) -> Array:
        to, origin = (each.position.astype(float) for each in (self.others, self.vehicles))
        return world.domain.difference(to[None], origin[:, None])

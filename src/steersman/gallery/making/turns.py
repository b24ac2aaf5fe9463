"""Turns: how abruptly vehicles turn in the plane."""

from typing import Any

import numpy as np

from steersman.core.parameters.keeping import Keeping
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World
from steersman.gallery.making.by_id import Own, extended, mean


class Turns(Keeping):
    """How far any vehicle turned within a step, and how abruptly turning began: an observer of every step.

    Attributes:
        before, rate: Heading [rad] and turn rate [rad/s] at the last look, by id; NaN where there was none.
        largest: The largest turn from step to step so far [degrees].
        jolt: The greatest change of the turn rate per second so far [rad/s^2].
    """

    only_watches, saved_attributes = True, ("before", "rate", "largest", "jolt")

    def __init__(self, vehicles: Vehicles) -> None:
        self.vehicles, self.before = vehicles, vehicles.heading.copy()
        self.rate: Array | None = None
        self.largest = self.jolt = 0.0

    def __call__(self, world: World) -> None:
        """Compare where they face with where they faced."""
        ids, heading = self.vehicles.id, self.vehicles.heading
        self.before = extended(self.before, self.vehicles, np.nan)
        turned = (heading - self.before[ids] + np.pi) % (2 * np.pi) - np.pi
        self.before[ids], rate = heading, turned / world.dt
        self.largest = max(self.largest, float(np.degrees(np.abs(turned)).max(initial=0, where=np.isfinite(turned))))
        if self.rate is None:
            self.rate = np.full(len(self.before), np.nan)
        self.rate = extended(self.rate, self.vehicles, np.nan)
        change = np.abs(rate - self.rate[ids])
        self.jolt = max(self.jolt, float(change.max(initial=0, where=np.isfinite(change))) / world.dt)
        self.rate[ids] = rate


def turned(vehicles: Vehicles) -> Any:
    """A metric: how far they have turned from where they head now, on average [degrees]; in the plane."""
    first = Own(vehicles, vehicles.velocity.astype(float))

    def angle(vehicles: Vehicles) -> float:
        rows, start = first.of(vehicles)
        now = vehicles.velocity[rows]
        lengths = np.linalg.norm(start, axis=1) * np.linalg.norm(now, axis=1)
        cosine = np.sum(start * now, axis=1) / np.maximum(lengths, 1e-9)
        return mean(np.degrees(np.arccos(np.clip(cosine, -1, 1))))

    return angle

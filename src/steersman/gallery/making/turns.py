"""Turns: how abruptly vehicles turn in the plane."""

from typing import Any

import numpy as np

from steersman.core.parameters.keeping import Keeping
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World


class Turns(Keeping):
    """How far any vehicle turned within a step, and how abruptly turning began: an observer of every step.

    Attributes:
        largest: The largest turn from step to step so far [degrees].
        jolt: The greatest change of the turn rate per second so far [rad/s^2].
    """

    only_watches, saved_attributes = True, ("before", "rate", "largest", "jolt")

    def __init__(self, vehicles: Vehicles) -> None:
        self.vehicles, self.before = vehicles, vehicles.heading
        self.rate: Array | None = None
        self.largest = self.jolt = 0.0

    def __call__(self, world: World) -> None:
        """Compare where they face with where they faced."""
        turned = (self.vehicles.heading - self.before + np.pi) % (2 * np.pi) - np.pi
        self.before, rate = self.vehicles.heading, turned / world.dt
        self.largest = max(self.largest, float(np.degrees(np.abs(turned)).max()))
        if self.rate is not None:
            self.jolt = max(self.jolt, float(np.abs(rate - self.rate).max()) / world.dt)
        self.rate = rate


def turned(vehicles: Vehicles) -> Any:
    """A metric: how far they have turned from where they head now, on average [degrees]; in the plane."""
    start = vehicles.velocity.astype(float).copy()

    def angle(vehicles: Vehicles) -> float:
        lengths = np.linalg.norm(start, axis=1) * np.linalg.norm(vehicles.velocity, axis=1)
        cosine = np.sum(start * vehicles.velocity, axis=1) / np.maximum(lengths, 1e-9)
        return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).mean())

    return angle

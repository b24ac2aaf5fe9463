"""Agreement: whether vehicles find their heading among their neighbors, or are given it.

Vehicles that go by their neighbors agree with them before all agree: parts of a crowd are in order while they head
different ways. Where each is given a heading, neighbors agree no more than any two do.
"""

from typing import Any

import numpy as np

from steersman.core.parameters.keeping import Keeping
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World
from steersman.runs.metrics.motion import polarization
from steersman.runs.metrics.order import NEAREST, local_polarization


class Agreement(Keeping):
    """By how much neighbors agreed, at most, beyond the agreement of all: an observer of the first seconds.

    Formula: the greatest L - sqrt(P^2 + (1 - P^2) / (k + 1)), with P the polarization and L the local one with k neighbors;
    the root is the value that L would have if neighbors had nothing to do with each other.

    Attributes:
        most: The greatest so far.
    """

    only_watches, saved_attributes = True, ("most",)

    def __init__(self, vehicles: Vehicles, seconds: float = 6) -> None:
        self.vehicles, self.seconds, self.most = vehicles, seconds, 0.0

    def __call__(self, world: World) -> None:
        """Look at them once."""
        if len(self.vehicles) > NEAREST and world.time <= self.seconds:
            order = float(polarization(self.vehicles))
            alone = np.sqrt(order**2 + (1 - order**2) / (NEAREST + 1))
            local = float(local_polarization(self.vehicles, world.domain))
            self.most = max(self.most, local - float(alone))

    def now(self, _: Any = None) -> float:
        """The greatest so far, as a metric."""
        return self.most

"""Order among those who are near each other: a large flock may head several ways, each part of it in order."""

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.metrics.motion import directions
from steersman.metrics.proximity import distances, sample
from steersman.vehicles.holding import of_vehicles
from steersman.vehicles.vehicles import Vehicles

NEAREST = 7
"""How many neighbors starlings seem to go by."""


@of_vehicles
def local_polarization(vehicles: Vehicles, domain: Domain | None = None, k: int = NEAREST) -> float:
    """Mean over all vehicles of the polarization of each with its k nearest neighbors; NaN for nobody.

    It is 1 when everybody heads as its neighbors do, even where those far away head elsewhere, and about 1 / sqrt(k + 1)
    when nobody agrees. In large populations an even sample is measured, see `proximity.sample`.
    """
    rows = sample(vehicles, len(vehicles))
    if not len(rows):
        return np.nan
    position, ahead = vehicles.position.astype(np.float64), directions(vehicles)
    count = min(k + 1, len(vehicles))
    order = np.zeros(len(rows))
    for part, distance in distances(position[rows], position, domain or Open()):
        near = np.argpartition(distance, count - 1, axis=1)[:, :count]
        order[part] = np.linalg.norm(ahead[near].mean(axis=1), axis=1)
    return float(order.mean())

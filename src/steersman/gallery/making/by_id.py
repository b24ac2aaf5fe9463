"""By id: what belongs to a vehicle stays with it while others come and go, as they do in the window.

A scenario knows the vehicles of its start: each has a goal, a partner, a record of what it did. Rows change when a vehicle
is removed; ids do not. So meters, notes and observers find what they keep by the id. A vehicle that comes later has no
goal and no partner, and its record begins when it comes.
"""

from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles


class Own:
    """A value for each vehicle that is there at the start: its goal, its start, its course.

    Attributes:
        ids: The ids of these vehicles, shape (n,).
        values: Their values, shape (n, ...).
    """

    def __init__(self, vehicles: Vehicles, values: Any) -> None:
        self.ids, self.values = vehicles.id.copy(), np.array(values)

    def of(self, vehicles: Vehicles) -> tuple[Array, Array]:
        """The rows of the vehicles that have a value and are still there, shape (k,), and their values, shape (k, ...)."""
        there = vehicles.alive(self.ids)
        return vehicles.rows(self.ids[there]), self.values[there]

    def distances(self, vehicles: Vehicles) -> Array:
        """How far the vehicles that have a place are from it [m], shape (k,)."""
        rows, places = self.of(vehicles)
        distances: Array = np.linalg.norm(vehicles.position[rows] - places, axis=1)
        return distances


def pairs(one: Vehicles, other: Vehicles) -> tuple[Array, Array]:
    """The rows of the vehicles of two populations that have the same id, both of shape (k,)."""
    ids = one.id[other.alive(one.id)]
    return one.rows(ids), other.rows(ids)


def gaps(one: Vehicles, other: Vehicles) -> Array:
    """How far the vehicles of two populations with the same id are apart [m], shape (k,)."""
    rows, others = pairs(one, other)
    distances: Array = np.linalg.norm(one.position[rows] - other.position[others], axis=1)
    return distances


def extended(record: Array, vehicles: Vehicles, value: float = 0) -> Array:
    """A record with an entry for every id, shape (m, ...): for ids that are new with a value."""
    new = vehicles.next_id - len(record)
    if new <= 0:
        return record
    return np.concatenate([record, np.full((new, *record.shape[1:]), value, record.dtype)])


def mean(values: Any) -> float:
    """The mean of some values; NaN where there are none."""
    return float(np.mean(values)) if np.size(values) else np.nan


def largest(values: Any) -> float:
    """The largest of some values; NaN where there are none."""
    return float(np.max(values)) if np.size(values) else np.nan


def smallest(values: Any) -> float:
    """The smallest of some values; NaN where there are none."""
    return float(np.min(values)) if np.size(values) else np.nan

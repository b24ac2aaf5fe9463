"""Leading: what a behavior that knows the route tells the one that avoids obstacles.

AvoidObstacles sees what lies straight ahead. Behind the next corner of a route that is always a wall; a vehicle that is
fast would turn away from it long before the route turns, to any side, and the behavior that follows the route, which is
asked only if AvoidObstacles leaves it the vehicle, could neither slow down nor turn in. So the two share memory, which
belongs to the first behavior that avoids obstacles:

    place    where the route turned, or ended, when it was last asked
    until    the time up to which this counts: TRUST longer than it was asked, or the vehicle avoided something

What is farther away than the place is no reason to turn aside. It is one to stop: nobody is led into a wall.

Reynolds 1999 has no such rule: his cylinder is as long as the speed asks for, whatever the vehicle is about to do.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import INFINITE, ZERO, add, difference, dot, load, store
from steersman.core.steering.scene.clock import Clock
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

TRUST = 1.0
"""For how long [s] a route counts that was not asked again: other parts of a Priority may steer for a moment."""


class Lead(NamedTuple):
    """Memory of where routes turn; without rows where nobody leads.

    Attributes:
        place: Where they do on the map [m], 2 arrays of shape (capacity,).
        until: The time up to which this counts [s], shape (capacity,), float64.
    """

    place: Columns
    until: Array


NO_LEAD = Lead((), np.zeros(0))


def lead_memory(vehicles: Vehicles) -> dict[str, Array]:
    """The columns at the start: no routes."""
    n = len(vehicles)
    return {"place": np.zeros((n, 2), vehicles.dtype), "until": np.full(n, -np.inf)}


def lead_sides(memory: Memory | None) -> tuple[Lead, Lead]:
    """The columns as they are and as they will be."""
    if memory is None:
        return NO_LEAD, NO_LEAD
    now, following = (Lead(*map(side, Lead._fields)) for side in (memory.now, memory.next))
    return now, following


@kernel
def note_turn(
    way: Vector, turns: bool, i: int, vehicles: VehicleColumns, place: Columns, until: Array, clock: Clock
) -> None:
    """Note for vehicle i that its route turns or ends `way` from it [m], if it does."""
    if len(place) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
        if turns:
            store(place, i, add(load(vehicles.position, i), way))
            until[i] = clock.time[0] + TRUST


@kernel
def counted_way(
    i: int, vehicles: VehicleColumns, place: Columns, until: Array, wrap: Array, time: Array
) -> Any:  # fmt: skip
    """How far ahead obstacles are a reason for vehicle i to turn aside [m]; infinite where nobody leads it."""
    way = INFINITE + ZERO * vehicles.radius[i]
    if len(place) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
        if until[i] >= time[0]:
            ahead = difference(load(place, i), load(vehicles.position[:2], i), wrap)
            way = math.sqrt(dot(ahead, ahead))
    return way

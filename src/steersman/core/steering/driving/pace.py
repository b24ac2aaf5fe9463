"""Pace: people who go slower, the denser the crowd ahead of them is.

    wanted velocity * fraction(density),   density = 2 m / (pi d^2)

with d the distance of the last neighbor that is looked at, and m the number of the nearer ones that lie ahead of the wanted
velocity: those in half a disc. "weidmann" is the curve that Weidmann 1993 measured, as a part of the free speed:

    fraction = 1 - exp(-1.913 (1 / density - 1 / 5.4)),   at least SLOWEST

so that nobody stands for ever in a crowd denser than any that walks.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, add_scaled, difference, dot, load, scale, store, subtract, truncate
from steersman.core.neighborhood.request import Listing
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import FUNCTION, Kind
from steersman.core.steering.laws.moving import walking_speed
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import Out, response
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns

PACE = Kind("function", "a function of densities [1/m^2] that returns parts of the speed", base=Callable, like=FUNCTION)

SLOWEST = 0.05
"""The least part of the wanted speed, with "weidmann"."""

DENSEST, STEPS = 10.0, 200
"""A function is taken at so many densities up to this one [1/m^2], and straight in between."""

TINY_AREA = np.float32(1e-12)
"""Crowds within less [m^2] are as dense as can be."""


def weidmann(density: Any) -> Any:
    """The part of the free speed at which people walk at densities [1/m^2]."""
    return np.maximum(walking_speed(density) / walking_speed(1e-9), SLOWEST)


@row_kernel
def slow_down(
    i: int, active: Array, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, wrap: Array, table: Array,
    per_ahead: Any, clock: Clock, force: Columns,
) -> None:  # fmt: skip
    """Make the desired velocity of a force shorter, and the force accordingly.

    Args:
        per_ahead: The steps of the table by which one neighbor ahead, with the last at 1 m, makes it denser.
    """
    velocity, place, last = load(vehicles.velocity, i), load(vehicles.position, i), listing.number[i] - 1
    if last < listing.row.shape[1] - 1:
        return
    gain = response(vehicles.response_time[i], clock.dt[0]) / vehicles.mass[i]
    target = truncate(add_scaled(velocity, load(force, i), gain), vehicles.max_speed[i])
    far = difference(load(others.position, listing.row[i, last]), place, wrap)
    ahead = ZERO * gain
    for k in range(last):
        if dot(difference(load(others.position, listing.row[i, k]), place, wrap), target) > ZERO:
            ahead += ONE
    at = min(ahead / max(dot(far, far), TINY_AREA) * per_ahead, ONE * (table.size - 2))
    low = int(at)
    part = table[low] + (table[low + 1] - table[low]) * (at - ONE * low)
    store(force, i, scale(subtract(scale(target, part), velocity), ONE / gain))


def pace_calls(scene: Scene, pace: Any, of: Any, listing: Listing, desired: Out) -> list[Call]:
    """The calls that slow a desired velocity down; none where no pace is given.

    Raises:
        ValueError: The function returns something else than a part for each density.
    """
    if pace is None:
        return []
    density = np.linspace(0, DENSEST, STEPS + 1)
    with np.errstate(divide="ignore"):
        parts = np.asarray((weidmann if pace == "weidmann" else pace)(density), float)
    if parts.shape != density.shape or not ((parts >= 0) & (parts <= 1)).all():
        raise ValueError(
            f"speed must return parts from 0 to 1, one for each of {len(density)} densities, got {brief(parts)}"
        )
    dtype = scene.vehicles.dtype
    vehicles, others, *_ = scene.encounter(of)
    per_ahead = dtype.type(2 / np.pi * STEPS / DENSEST)
    inputs = (desired.active, vehicles, others, listing, scene.wrap, parts.astype(dtype), per_ahead)
    return [Call(slow_down, (*inputs, scene.clock, desired.linear))]

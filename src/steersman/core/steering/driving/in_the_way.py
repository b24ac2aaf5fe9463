"""In the way: how far a vehicle may go on until it meets another.

Bodies that cannot step aside, such as cars, turn around as they decide, whatever the force is. Behaviors tell them how far
they may go on (`Scene.free_way`), and they stop there. A neighbor ahead that goes the same
way at a speed u goes on for u^2 / 2 a at least, so that cars in a column follow each other at speed.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import HALF, INFINITE, NOISE, ZERO, dot, load
from steersman.core.neighborhood.bodies import Bodies, body_offset
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

BRAKING = ("mass", "max_force")
"""The columns of neighbors that `free_behind` needs, for `Scene.encounter`."""

MARGIN = np.float32(0.05)
"""Gap before one in the way at which a vehicle is to stand, as a part of both radii."""


@kernel
def gap_along(offset: Vector, way: Vector, both: Any) -> Any:
    """How far a vehicle may go along a unit vector until it meets another, at an offset [m]; infinite if it does not.

    `both` is the sum of their radii [m]. A way as short as a rounding counts as none: the speed along it would move nothing.
    """
    along = dot(offset, way)
    aside2 = max(dot(offset, offset) - along * along, ZERO)
    if not (along > ZERO and aside2 < both * both):
        return INFINITE + ZERO * along
    gap = along - math.sqrt(both * both - aside2) - MARGIN * both
    return gap if gap > NOISE * both else ZERO * gap


@kernel
def free_gap(offset: Vector, way: Vector, velocity: Vector, both: Any) -> Any:
    """The same, and half as far where the other, with a velocity [m/s], comes nearer along the way."""
    gap = gap_along(offset, way, both)
    return HALF * gap if dot(velocity, way) < ZERO else gap


@kernel
def free_behind(
    offset: Vector, way: Vector, i: int, j: int, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies
) -> Any:
    """The same for vehicle i behind j, which may brake with all its force as it goes on along the way."""
    gap = gap_along(body_offset(offset, i, j, vehicles, others, bodies), way, vehicles.radius[i] + others.radius[j])
    if not gap < INFINITE:
        return gap
    ahead = dot(load(others.velocity, j), way)
    if not ahead > ZERO:
        return HALF * gap if ahead < ZERO else gap
    push = others.max_force[j]
    return gap + HALF * ahead * ahead * others.mass[j] / push if push > ZERO else INFINITE + gap


@kernel
def hear_of(
    ways: tuple[Array, ...], offset: Vector, course: Vector, i: int, j: int, vehicles: VehicleColumns,
    others: VehicleColumns, bodies: Bodies,
) -> None:  # fmt: skip
    """Shorten the way that vehicle i may go on along its course to that behind j; `ways` is empty where it need not know."""
    if len(ways) != 0:
        ways[0][i] = min(ways[0][i], free_behind(offset, course, i, j, vehicles, others, bodies))

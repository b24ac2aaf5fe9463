"""Room to turn: the velocities that a body with a turning circle (Wheeled) can have soon, for ORCA (why: see `orca.py`).

They lie within some angle of its heading, as large as it can turn in half a second. Two planes through the origin say so:

    n . v >= 0,   n = sin(turn) forward +- cos(turn) left

Such a body goes back only where it has room to stop and to turn around, ahead and to both sides (`may_turn_round`), and of
two in a line the one behind does all of the avoiding (`order_in_line`).
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.frames import up_at
from steersman.core.maths.ground import level_direction
from steersman.core.maths.vectors import (
    HALF,
    ONE,
    TWO,
    ZERO,
    add_scaled,
    cross,
    direction_or,
    dot,
    length,
    load,
    normalize,
    perpendicular,
    scale,
)
from steersman.core.steering.driving.approach import brake_force
from steersman.core.steering.group.half_spaces import is_barred, set_plane
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

AHEAD = np.float32(0.5)
"""A body with a turning circle may wish for headings that it can have after this time [s]."""

LEAST_TURN, MOST_TURN = np.float32(0.3), np.float32(1.5)
"""The angle to each side that it may wish for at least and at most, however slow or fast it is [rad]."""

SLOW = np.float32(1e-3)
"""A body is taken to be at least so fast [m/s]."""

IN_LINE = np.float32(0.7)
"""A car follows another if it lies ahead by both headings: the cosine of the angle to it is larger than this."""


@kernel
def left_of(v: Vector, up: Vector) -> Vector:
    """A velocity turned to the left by a right angle; in 3D around `up`, or to any side if it goes along `up`."""
    if len(v) == 2:
        return perpendicular(v)
    speed = length(v)
    return scale(direction_or(cross(up, v), speed, perpendicular(normalize(v))), speed)


@kernel
def let_turn(planes: Array, count: int, like: Vector) -> int:
    """Write two planes behind the first `count` that hold for every velocity; returns how many there are now."""
    for k in range(2):
        set_plane(planes, count + k, scale(like, ZERO), -ONE)
    return count + 2


@kernel
def keep_ahead(planes: Array, k: int, i: int, vehicles: VehicleColumns, tightest: Any, ground: Columns) -> None:
    """Write planes k and k + 1: the velocities that a body with wheels can have soon, ahead and some way to both sides."""
    velocity = load(vehicles.velocity, i)
    forward = level_direction(load(vehicles.forward, i), ground, i)
    speed = length(velocity)
    strength = vehicles.max_force[i] / vehicles.mass[i]
    turn = max(min(AHEAD * speed / tightest, AHEAD * strength / max(speed, SLOW)), LEAST_TURN)
    turn = min(turn, MOST_TURN)
    left = left_of(forward, up_at(vehicles.up, i))
    set_plane(planes, k, add_scaled(scale(forward, math.sin(turn)), left, math.cos(turn)), ZERO * speed)
    set_plane(planes, k + 1, add_scaled(scale(forward, math.sin(turn)), left, -math.cos(turn)), ZERO * speed)


@kernel
def may_turn_round(
    planes: Array, count: int, i: int, vehicles: VehicleColumns, numbers: Any, ground: Columns, slack: Any
) -> bool:  # fmt: skip
    """Whether a car has room to stop and to turn around, ahead and to both sides, within the time horizon."""
    velocity, strength = load(vehicles.velocity, i), brake_force(i, vehicles, numbers.brakes) / vehicles.mass[i]
    forward = level_direction(load(vehicles.forward, i), ground, i)
    left = left_of(forward, up_at(vehicles.up, i))
    rate = ONE / numbers.time_horizon
    ahead = (HALF * dot(velocity, velocity) / strength + TWO * numbers.tightest) * rate
    aside = TWO * numbers.tightest * rate
    barred = is_barred(planes, count, velocity, slack) or is_barred(planes, count, scale(forward, ahead), slack)
    for side in (-aside, aside):
        barred |= is_barred(planes, count, scale(left, side), slack)
    return not barred


@kernel
def order_in_line(offset: Vector, own: Vector, other: Vector) -> Any:
    """Of two cars of one way: 1 for the one behind, -1 for the one ahead, 0 where none is behind the other.

    Args:
        offset: From here to the other [m].
        own, other: Where they head [unit vectors].
    """
    far = IN_LINE * length(offset)
    along, its = dot(offset, own), dot(offset, other)
    if along > far and its > far:
        return ONE + ZERO * far
    if along < -far and its < -far:
        return -ONE + ZERO * far
    return ZERO * far

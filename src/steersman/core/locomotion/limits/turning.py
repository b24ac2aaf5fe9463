"""Turning: the heading that limits of turning share, turned step by step, and the velocity along it.

A vehicle with a limited direction may have to turn on the spot; so its heading is remembered apart from its velocity,
and after the move it faces along it.
"""

import math
from typing import Any

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import realign_row, side_of, up_at
from steersman.core.maths.ground import level
from steersman.core.typing import Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@kernel
def turn_toward(forward: Vector, desired: Vector, limit: Any, left: Vector) -> Vector:
    """The unit vector `forward`, turned toward the vector `desired` by an angle of `limit` [rad] at most.

    A `desired` vector exactly behind is turned to over the unit vector `left`.
    """
    aside = v.lateral(desired, forward)
    along, across2 = v.dot(desired, forward), v.dot(aside, aside)
    side = v.across(desired, forward, v.scale(forward, v.ZERO))
    if v.dot(side, side) == v.ZERO:
        if not along < v.ZERO:
            return forward
        side = left
    angle = min(math.atan2(math.sqrt(across2), along), limit)
    return v.normalize(v.add(v.scale(forward, math.cos(angle)), v.scale(side, math.sin(angle))))


@kernel
def left_of(vehicles: VehicleColumns, i: int, axis: Vector) -> Vector:
    """The unit vector to the left of an axis of vehicle i: the side to turn to where there is no other.

    Across its up direction, so that a vehicle upon a surface stays there.
    """
    if len(axis) == 2:
        return v.perpendicular(axis)
    left = v.scale(side_of(v.load(vehicles.forward, i), up_at(vehicles.up, i)), -v.ONE)
    return v.across(left, axis, v.perpendicular(axis))


@kernel
def along_heading(heading: Vector, proposed: Vector) -> Vector:
    """The part of a proposed velocity along a heading; never backwards."""
    return v.scale(heading, max(v.dot(heading, proposed), v.ZERO))


@row_kernel
def face_heading(i: int, vehicles: VehicleColumns, heading: Columns, ground: Columns) -> None:
    """Face along the remembered heading; as before, where headings cancel. On ground upright, along the ground."""
    forward = v.direction_or(level(v.load(heading, i), ground, i), v.ONE, v.load(vehicles.forward, i))
    v.store(vehicles.forward, i, forward)
    if len(ground) == 0:
        realign_row(vehicles.up, i, forward)


def facing_of(chassis: Chassis) -> Columns:
    """The heading from which a limit turns: where vehicles face, or the limit's own heading where that is smoothed."""
    own: Columns = chassis.memory.now("heading") if chassis.smoothed else chassis.columns.forward
    return own

"""Moving: the last part of every step. The body takes the proposed velocity, and faces along it or turns by itself."""

import math
from typing import Any

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after, moves
from steersman.core.maths.frames import realign_row
from steersman.core.maths.vectors import ONE, TINY, add_scaled, cross, dot, load, normalize, scale, store
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns


@row_kernel
def face(i: int, vehicles: VehicleColumns, proposed: Columns, dt: Array) -> None:
    """Take the proposed velocity, move with it, and face along it."""
    velocity = load(proposed, i)
    store(vehicles.velocity, i, velocity)
    store(vehicles.position, i, add_scaled(load(vehicles.position, i), velocity, dt[0]))
    if moves(velocity, vehicles.max_speed[i]):
        ahead = heading_after(velocity, velocity, vehicles.max_speed[i])
        store(vehicles.forward, i, ahead)
        realign_row(vehicles.up, i, ahead)


@row_kernel
def turn(i: int, vehicles: VehicleColumns, turning: Spin, proposed: Columns, spin: Columns, dt: Array) -> None:
    """Take the proposed velocity and angular velocity, move with the one and turn with the other."""
    velocity, rate = load(proposed, i), load(spin, i)
    store(vehicles.velocity, i, velocity)
    store(turning.velocity, i, rate)
    store(vehicles.position, i, add_scaled(load(vehicles.position, i), velocity, dt[0]))
    turn_row(vehicles, i, scale(rate, dt[0]))


@kernel
def turn_row(vehicles: VehicleColumns, i: int, angle: Vector) -> None:
    """Turn the frame of row i: in 2D by an angle [rad], in 3D by a rotation vector [rad]."""
    forward = load(vehicles.forward, i)
    if len(angle) == 1:
        c, s = math.cos(angle[0]), math.sin(angle[0])
        turned = (c * forward[0] - s * forward[1], s * forward[0] + c * forward[1])
        store(vehicles.forward, i, normalize(turned))
        return
    size2 = dot(angle, angle)
    if not size2 > TINY:
        return
    size = math.sqrt(size2)
    axis, c, s = scale(angle, ONE / size), math.cos(size), math.sin(size)
    ahead = normalize(rotated(forward, axis, c, s))
    store(vehicles.up, i, rotated(load(vehicles.up, i), axis, c, s))
    store(vehicles.forward, i, ahead)
    realign_row(vehicles.up, i, ahead)


@kernel
def rotated(a: Vector, axis: Vector, c: Any, s: Any) -> Vector:
    """A 3D vector turned about a unit axis by the angle of this cosine and sine (Rodrigues' formula)."""
    along = dot(a, axis) * (ONE - c)
    return add_scaled(add_scaled(scale(a, c), cross(axis, a), s), axis, along)

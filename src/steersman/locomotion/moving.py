"""Moving: the last part of every step. What was proposed is taken, and the body faces along it or turns by itself."""

import math
from typing import Any

from steersman.geometry.facing import heading_after, moves
from steersman.geometry.frames import realign_row
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import (
    ONE,
    TINY,
    Array,
    Columns,
    Vector,
    add_scaled,
    cross,
    dot,
    load,
    normalize,
    scale,
    store,
)
from steersman.vehicles.body import Body, Spin


@kernel
def face(start: int, stop: int, body: Body, proposed: Columns, dt: Array) -> None:
    """Take the proposed velocity, move with it, and face along it."""
    for i in range(start, stop):
        velocity = load(proposed, i)
        store(body.velocity, i, velocity)
        store(body.position, i, add_scaled(load(body.position, i), velocity, dt[0]))
        if moves(velocity, body.max_speed[i]):
            ahead = heading_after(velocity, velocity, body.max_speed[i])
            store(body.forward, i, ahead)
            realign_row(body.up, i, ahead)


@kernel
def turn(start: int, stop: int, body: Body, turning: Spin, proposed: Columns, spin: Columns, dt: Array) -> None:
    """Take the proposed velocity and angular velocity, move with the one and turn with the other."""
    for i in range(start, stop):
        velocity, rate = load(proposed, i), load(spin, i)
        store(body.velocity, i, velocity)
        store(turning.velocity, i, rate)
        store(body.position, i, add_scaled(load(body.position, i), velocity, dt[0]))
        turn_row(body, i, scale(rate, dt[0]))


@kernel
def turn_row(body: Body, i: int, angle: Vector) -> None:
    """Turn the frame of row i: in 2D by an angle [rad], in 3D by a rotation vector [rad]."""
    forward = load(body.forward, i)
    if len(angle) == 1:
        c, s = math.cos(angle[0]), math.sin(angle[0])
        turned = (c * forward[0] - s * forward[1], s * forward[0] + c * forward[1])
        store(body.forward, i, normalize(turned))
        return
    size2 = dot(angle, angle)
    if not size2 > TINY:
        return
    size = math.sqrt(size2)
    axis, c, s = scale(angle, ONE / size), math.cos(size), math.sin(size)
    ahead = normalize(rotated(forward, axis, c, s))
    store(body.up, i, rotated(load(body.up, i), axis, c, s))
    store(body.forward, i, ahead)
    realign_row(body.up, i, ahead)


@kernel
def rotated(a: Vector, axis: Vector, c: Any, s: Any) -> Vector:
    """A 3D vector turned about a unit axis by the angle of this cosine and sine (Rodrigues' formula)."""
    along = dot(a, axis) * (ONE - c)
    return add_scaled(add_scaled(scale(a, c), cross(axis, a), s), axis, along)

"""PointMass: Reynolds' simple vehicle model.

    force    = truncate(steering, max_force)
    velocity = truncate(velocity + force / mass * dt, max_speed)
    position = position + velocity * dt

Reynolds 1999, "A Simple Vehicle Model" (there dt = 1): the new velocity moves the vehicle. Forward follows the velocity
and is kept while the vehicle is nearly still; in 3D, side = unit(forward x up) and up = side x forward, from the old up.
"""

import math
from dataclasses import dataclass

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.frames import realign_row
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import ONE, TINY, Array, Columns, add_scaled, dot, load, scale, store, truncate
from steersman.locomotion.locomotion import Locomotion, Motion
from steersman.vehicles.body import Body
from steersman.vehicles.vehicles import Vehicles

STILL = np.float32(1e-6)
"""Below this part of its top speed a vehicle keeps the direction it faces: what it still has may be rounding alone."""

USUAL = np.float32(100)
"""A higher top speed [m/s] counts as this one there, for it may stand for no limit at all."""


@kernel
def propose_velocity(start: int, stop: int, body: Body, force: Columns, dt: Array, proposed: Columns) -> None:
    """The velocity after the step: force and speed truncated, as in the paper."""
    for i in range(start, stop):
        steering = truncate(load(force, i), body.max_force[i])
        velocity = add_scaled(load(body.velocity, i), steering, dt[0] / body.mass[i])
        store(proposed, i, truncate(velocity, body.max_speed[i]))


@kernel
def move(start: int, stop: int, body: Body, proposed: Columns, dt: Array) -> None:
    """Take the proposed velocity, move with it, and face along it."""
    for i in range(start, stop):
        velocity = load(proposed, i)
        store(body.velocity, i, velocity)
        store(body.position, i, add_scaled(load(body.position, i), velocity, dt[0]))
        v2 = dot(velocity, velocity)
        still = STILL * min(body.max_speed[i], USUAL)
        if v2 > still * still and v2 > TINY:
            forward = scale(velocity, ONE / math.sqrt(v2))
            store(body.forward, i, forward)
            realign_row(body.up, i, forward)


@dataclass(frozen=True, eq=False)
class PointMass(Locomotion):
    """A point with a mass, pushed by its steering force, that faces where it goes."""

    def bind(self, vehicles: Vehicles, force: Columns, proposed: Columns, dt: Array) -> Motion:
        """The calls that move a population."""
        body = vehicles.body
        return Motion(
            [Call(propose_velocity, (body, force, dt, proposed))],
            [Call(move, (body, proposed, dt))],
        )

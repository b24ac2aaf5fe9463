"""Slot keeping: be in a slot that moves, without a lag.

    slot velocity u = leader velocity + turn x offset          (of a slot that turns with its leader)
    desired = truncate(u + tau turn x u + full * min(1, left / slowing_distance) unit(way), V)

The velocity of the slot is part of the desired velocity, so no vehicle lags behind a leader that goes straight on; a
leader that turns steadily also asks for the acceleration turn x u, which the response time tau takes up. The turn
[rad/s] is how fast the leader's forward direction turns, averaged over a response time; it is remembered. The rest is
Reynolds 1999, "Arrival".
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.steering.driving.approach import full_speed, slowing_distance, slowing_distance_of
from steersman.core.steering.driving.arriving import ArrivingNumbers
from steersman.core.steering.driving.drive import thrust
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.forces import match
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.columns import turning_components
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

NEVER = -1
"""The step of the last sight of a leader that was never seen."""


class Watch(NamedTuple):
    """Memory of the turning of every vehicle's leader, as it is and as it will be.

    Attributes:
        last_look: The step at which it was looked at last, NEVER at the start, shape (n,), int64.
        heading: Where it headed then [unit vector], d arrays of shape (n,).
        turn: How fast it turns [rad/s], 1 array of shape (n,) in 2D, 3 in 3D.
    """

    last_look: Array
    next_look: Array
    heading: Columns
    heading_next: Columns
    turn: Columns
    turn_next: Columns


def new_watch(vehicles: Vehicles) -> dict[str, Array]:
    """The memory of a watch, at the start."""
    n, d, dtype = len(vehicles), vehicles.dimensions, vehicles.dtype
    return {
        "seen": np.full(n, NEVER, np.int64),
        "heading": np.zeros((n, d), dtype),
        "turn": np.zeros((n, turning_components(d)), dtype),
    }


def watch_of(memory: Memory) -> Watch:
    """The watch that is kept in a memory."""
    return Watch(*(look(name) for name in ("seen", "heading", "turn") for look in (memory.now, memory.next)))


@kernel
def swing(before: Vector, after: Vector) -> Vector:
    """The sine of the angle between two unit vectors, along the axis of the turn from one to the other."""
    if len(before) == 2:
        return (before[0] * after[1] - before[1] * after[0],)
    return v.cross(before, after)


@kernel
def carried(turn: Vector, arm: Vector) -> Vector:
    """The velocity [m/s] of a point at an arm [m] from the center of a turn [rad/s]: turn x arm."""
    if len(arm) == 2:
        return (-turn[0] * arm[1], turn[0] * arm[0])
    return v.cross(turn, arm)


@kernel
def watched_turn(i: int, watch: Watch, forward: Vector, known: bool, tau: Any, clock: Clock) -> Vector:
    """How fast the leader of vehicle i turns [rad/s]; its heading is remembered. Zero at first sight."""
    now, turn = np.int64(clock.step[0]), v.load(watch.turn, i)
    since = clock.dt.dtype.type(now - watch.last_look[i]) * clock.dt[0]
    if not known or watch.last_look[i] == NEVER:
        turn = v.scale(turn, v.ZERO)
    elif since > v.ZERO:
        rate = v.scale(swing(v.load(watch.heading, i), forward), v.ONE / since)
        turn = v.add_scaled(turn, v.subtract(rate, turn), since / (since + tau))
    watch.next_look[i] = now
    v.store(watch.heading_next, i, forward)
    v.store(watch.turn_next, i, turn)
    return turn


@kernel
def velocity_of_slot(offset: Vector, velocity: Vector, turn: Vector, turned: bool, tau: Any) -> Vector:
    """The velocity to ask for in a slot at an offset [m] from its leader; `turned`: slots turn with it."""
    moving = velocity
    if turned:
        moving = v.add(moving, carried(turn, offset))
    return v.add_scaled(moving, carried(turn, moving), tau)


@kernel
def keep(way: Vector, lead: Vector, i: int, vehicles: VehicleColumns, end: ArrivingNumbers, tau: Any) -> Vector:
    """The force that moves vehicle i along a way [m] to a slot that moves with the velocity `lead`."""
    velocity, mass = v.load(vehicles.velocity, i), vehicles.mass[i]
    full = full_speed(way, velocity, vehicles.max_speed[i], end.go)
    slowing = slowing_distance(full, i, vehicles, end.brakes, tau, slowing_distance_of(full, end))
    remaining = math.sqrt(v.dot(way, way))
    speed = full * (remaining / slowing) if remaining < slowing else full
    desired = v.truncate(v.add(lead, v.with_length(way, speed)), vehicles.max_speed[i])
    return thrust(way, match(desired, velocity, mass, tau, tau), vehicles.max_force[i], end.go.full)

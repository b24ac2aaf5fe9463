"""Leaders: staying behind a leader, out of its way, or in formation with it.

Reynolds 1999, "Leader following".
"""

import itertools
import math
from collections.abc import Callable

import numpy as np

from steersman.core.steering.laws.arriving import braking_speed
from steersman.core.steering.laws.vectors import (
    Number,
    across,
    dot,
    lateral,
    length,
    per_vehicle,
    perpendicular,
    ratio,
    truncate,
    with_length,
)
from steersman.core.typing import Array


def behind_leader(
    leader: Array, leader_forward: Array, leader_velocity: Array, behind: Number, behind_time: Number = 0.0
) -> Array:
    """The point to arrive at: behind + behind_time * speed behind the leader [m], shape (d,) or (n, d).

    Source: Reynolds 1999, "Leader following" ("the offset distance might optionally increase with speed").
    """
    distance = behind + np.multiply(behind_time, length(leader_velocity))
    return np.asarray(leader - per_vehicle(distance) * np.asarray(leader_forward))


def clear_way(
    offset: Array, leader_forward: Array, clear_length: Number, clear_width: Number, side: Array | None = None
) -> Array:
    """The direction out of the rectangle in front of a leader: a unit vector, zero for vehicles outside it.

    Source: Reynolds 1999, "Leader following": "it will steer laterally away from the leader's path".

    Args:
        offset: From the leader to the vehicle [m], shape (d,) or (n, d).
        leader_forward: Unit forward vector of the leader, shape (d,) or (n, d).
        clear_length: Length of the rectangle [m].
        clear_width: Its full width [m].
        side: The direction for vehicles exactly in front, unit vectors across the leader's forward; see
            `perpendicular`, which is the default.

    Returns:
        Unit vectors or zero, shape (d,) or (n, d).
    """
    ahead, aside = dot(offset, leader_forward), lateral(offset, leader_forward)
    inside = (ahead > 0) & (ahead < clear_length) & (length(aside) < np.multiply(clear_width, 0.5))
    out = across(offset, leader_forward, perpendicular(leader_forward) if side is None else side)
    return np.where(inside[..., None], out, 0)


def safe_speed(room: Number, acceleration: Number, response_time: Number) -> Array:
    """The speed [m/s] at which to use up some room [m]; where it is negative, minus the speed at which to make room.

    It is `braking_speed`: vehicles that use up their room with it stop in time.
    """
    return np.asarray(np.sign(room) * braking_speed(np.abs(room), acceleration, response_time))


def clear_plane(
    offset: Array,
    leader_forward: Array,
    leader_velocity: Array,
    clear_length: float,
    clear_width: float,
    *,
    radius: float,
    side: Array,
    max_speed: float,
    acceleration: float,
    response_time: float,
) -> tuple[Array, float] | None:
    """The half-space of velocities that keeps a vehicle out of the rectangle ahead of a leader: normal . v >= offset.

    At both ends of the rectangle it fades out.

    Args:
        offset: From the leader to the vehicle [m], shape (d,).
        leader_forward: Unit forward vector of the leader, shape (d,).
        leader_velocity: Its velocity [m/s], shape (d,).
        clear_length: Length of the rectangle [m].
        clear_width: Its full width [m].
        radius: Radius of the vehicle [m].
        side: Where to go when exactly in front: a unit vector, shape (d,).
        max_speed: Maximum speed of the vehicle [m/s].
        acceleration: Deceleration of its brakes [m/s^2].
        response_time: Its response time [s].

    Returns:
        Unit normal, shape (d,), and offset [m/s]; None beside and behind the rectangle's length.
    """
    ahead, half = float(dot(offset, leader_forward)), clear_width / 2
    if not 0 < ahead < clear_length:
        return None
    out = across(offset, leader_forward, side)
    room = float(length(lateral(offset, leader_forward))) - half - radius
    fade = min(ahead / half, (clear_length - ahead) / (clear_length / 4), 1.0) if half > 0 else 0.0
    allowed = float(safe_speed(room, acceleration, response_time)) + (1 - fade) * 2 * max_speed
    return out, float(dot(out, leader_velocity)) - allowed


def apart_plane(
    away: Array, velocity: Array, gap: float, acceleration: float, response_time: float
) -> tuple[Array, float]:
    """The half-space of velocities that keep a gap: normal . v >= normal . velocity - safe speed of the gap.

    Args:
        away: Unit vector from the other to the vehicle, shape (d,).
        velocity: The velocity relative to which the gap is to be kept [m/s], shape (d,): the other's velocity, or the
            mean of both when each does half, of half the gap.
        gap: Free room that may be used up [m]; negative where some is to be made.
        acceleration: Deceleration of the brakes [m/s^2].
        response_time: Response time [s].

    Returns:
        Unit normal, shape (d,), and offset [m/s].
    """
    return away, float(dot(away, velocity) - safe_speed(gap, acceleration, response_time))


def formation_slots(shape: str, count: int, spacing: float, dimensions: int = 2) -> Array:
    """Slots of a formation in the local frame of its leader, which has no slot.

    Args:
        shape: "line": abreast; "column": one behind the other; "wedge": the two legs of a V behind the leader; "circle":
            around it, the first straight ahead.
        count: How many.
        spacing: Distance between neighbors [m] (along the circle).
        dimensions: 2 or 3.

    Returns:
        Local positions [m], shape (count, d): (forward, side) in 2D, (forward, up, side) in 3D; side is to the right.
    """
    k = np.arange(count)
    forward: Array
    side: Array
    pair, sign = k // 2 + 1, np.where(k % 2 == 0, 1.0, -1.0)
    if shape == "line":
        forward, side = np.zeros(count), sign * pair * spacing
    elif shape == "column":
        forward, side = -(k + 1.0) * spacing, np.zeros(count)
    elif shape == "wedge":
        forward, side = -pair * spacing / math.sqrt(2), sign * pair * spacing / math.sqrt(2)
    elif shape == "circle":
        radius = spacing * max(count, 1) / (2 * math.pi)
        turn = 2 * math.pi * k / max(count, 1)
        forward, side = radius * np.cos(turn), radius * np.sin(turn)
    else:
        raise ValueError(f'shape must be "line", "column", "wedge" or "circle", got {shape!r}')
    slots = np.zeros((count, dimensions))
    slots[:, 0], slots[:, -1] = forward, side
    return slots


def hold_slot(
    offset: Array,
    velocity: Array,
    leader_velocity: Array,
    max_speed: Number,
    slowing_distance: Number,
    *,
    speed: Number | None = None,
) -> Array:
    """Steer into a moving slot and stay in it: the slot's velocity, and on top of it an arrival.

        desired = truncate(leader velocity + speed min(1, |offset| / slowing_distance) unit(offset), V)

    Args:
        offset: The way to the slot [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        leader_velocity: Velocity of the leader, or of the slot where it turns with the leader (see `velocity_of_slot`)
            [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds V [m/s], a number or shape (n,).
        slowing_distance: Distance from the slot at which slowing begins [m], a number or shape (n,).
        speed: How fast to approach the slot [m/s], a number or shape (n,). Default: V.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    full = max_speed if speed is None else speed
    closing = np.multiply(full, np.minimum(1, ratio(length(offset), slowing_distance, otherwise=1.0)))
    return np.asarray(truncate(leader_velocity + with_length(offset, closing), max_speed) - velocity)


def velocity_of_slot(
    leader_velocity: Array, turn: Array, offset: Array | None = None, response_time: Number = 0.0
) -> Array:
    """The velocity to ask for in a slot whose leader turns steadily: u + response_time * turn x u.

        u = leader velocity + turn x offset

    A vehicle follows a requested velocity late by its response time; so the request is the slot's velocity by then.

    Args:
        leader_velocity: Velocities of the leaders [m/s], shape (d,) or (n, d).
        turn: How fast they turn [rad/s]: in 2D numbers, to the left, shape () or (n,); in 3D vectors, (3,) or (n, 3).
        offset: Offsets of slots that turn with the leader, in the axes of the world [m], shape (d,) or (n, d). Default:
            slots do not turn.
        response_time: Response times [s], a number or shape (n,).

    Returns:
        Velocities [m/s], shape (d,) or (n, d).
    """
    moving = np.asarray(leader_velocity)
    if offset is not None:
        moving = moving + _carried(turn, offset)
    return np.asarray(moving + per_vehicle(response_time) * _carried(turn, moving))


def _carried(turn: Array, arm: Array) -> Array:
    """Turn x arm."""
    if np.shape(arm)[-1] == 2:
        return np.asarray(per_vehicle(turn) * np.stack([-np.asarray(arm)[..., 1], np.asarray(arm)[..., 0]], axis=-1))
    return np.cross(turn, arm)


def assign_slots(position: Array, slots: Array, *, difference: Callable[[Array, Array], Array] = np.subtract) -> Array:
    """Assign slots: empty ones in order to the nearest, then so that the sum of squared distances is the least.

    Then slots are exchanged, also with empty ones, as long as that saves a tenth of the squared distances.

    Args:
        position: Positions [m], shape (n, d), of vehicles that have no slot yet.
        slots: The slots [m], shape (k, d).
        difference: The way from one point to another; that of a domain on a torus.

    Returns:
        For every vehicle the row of its slot, -1 for none; shape (n,).
    """
    cost = np.sum(difference(np.asarray(slots)[:, None, :], np.asarray(position)[None, :, :]) ** 2, axis=2)
    holder = np.full(len(slots), -1)
    for k in range(min(len(slots), len(position))):
        free = np.setdiff1d(np.arange(len(position)), holder)
        holder[k] = free[np.argmin(cost[k, free])]
    held = np.flatnonzero(holder >= 0)
    holder[held] = holder[held][_matched(cost[np.ix_(held, holder[held])])]
    changed = True
    while changed:
        changed = False
        for a, b in itertools.combinations(range(len(slots)), 2):
            i, j = holder[a], holder[b]
            before = (cost[a, i] if i >= 0 else 0) + (cost[b, j] if j >= 0 else 0)
            after = (cost[b, i] if i >= 0 else 0) + (cost[a, j] if j >= 0 else 0)
            if after < 0.9 * before:
                holder[a], holder[b] = j, i
                changed = True
    slot = np.full(len(position), -1)
    slot[holder[holder >= 0]] = np.flatnonzero(holder >= 0)
    return slot


def _matched(cost: Array) -> Array:
    """For each row its column, so that the sum of the costs (m, m) is the least (Hungarian method)."""
    m = len(cost)
    price, rent, row_of = np.zeros(m + 1), np.zeros(m + 1), np.zeros(m + 1, np.int64)
    for row in range(1, m + 1):
        row_of[0], at = row, 0
        near, before, reached = np.full(m + 1, np.inf), np.zeros(m + 1, np.int64), np.zeros(m + 1, bool)
        while row_of[at]:
            reached[at] = True
            reduced = np.append(np.inf, cost[row_of[at] - 1] - price[row_of[at]] - rent[1:])
            nearer = ~reached & (reduced < near)
            near[nearer], before[nearer] = reduced[nearer], at
            at = int(np.argmin(np.where(reached, np.inf, near)))
            least = near[at]
            price[row_of[reached]] += least
            rent[reached] -= least
            near[~reached] -= least
        while at:
            row_of[at] = row_of[before[at]]
            at = before[at]
    column_of = np.zeros(m, np.int64)
    column_of[row_of[1:] - 1] = np.arange(m)
    return column_of

"""Crowds: nearest approaches, and waiting in line.

Reynolds 1999, "Unaligned collision avoidance". Neighbors are given as arrays of shape (m, d), and the ones that count
for each vehicle as a mask `visible`, shape (m,) or (n, m), as in `grouping`.
"""

import numpy as np

from steersman.core.parameters.renaming import renamed_arguments
from steersman.core.steering.laws.predicting import nearest_approach
from steersman.core.steering.laws.vectors import (
    Number,
    beside,
    direction_or,
    dot,
    lateral,
    length,
    level,
    normalize,
    per_vehicle,
    ratio,
    with_length,
)
from steersman.core.typing import Array

NOTICEABLE = 0.02
"""Part of max_acceleration below which law "smooth" does not act."""

EXACT = 1e-3
"""Part of their distance within which two that go on as they do would meet exactly."""

SLOW = 0.7
"""Part of the time in which a vehicle moves aside by the free room: approaches that take longer make it brake."""

DEEP = 10.0
"""How much more a push counts where two are in one place: for each part of the way from a touch to there, so much more."""

LEFT = 0.02
"""Part of the greatest danger that a ContextMap sees to its left, so that two that meet head on turn to the right."""


def evasion(
    position: Array,
    velocity: Array,
    other: Array,
    other_velocity: Array,
    room: Number,
    *,
    lookahead: Number = np.inf,
    up: Array | None = None,
) -> tuple[Array, Array]:
    """The acceleration that widens the nearest approach of two vehicles to the room they need, and its time.

        c = offset + w T,   acceleration = -unit(c) * 2 (room - |c|) / T^2

    with T, c and w as in `nearest_approach`. Away from c is a turn where the two meet head on or one overtakes the
    other; where their ways cross it is also a push ahead for the vehicle that will be there first, and a brake for the
    other. If they would meet exactly, each evades to its left of w: to opposite sides.

    Source: Reynolds 1999, "Unaligned collision avoidance": the site is avoided laterally, and reached before or after.
    He leaves the size open; here it suffices if one of the two does it all.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        other: Positions of the others [m], shape (d,) or (n, d).
        other_velocity: Velocities of the others [m/s], shape (d,) or (n, d).
        room: Distance that they should keep [m], a number or shape (n,).
        lookahead: How far ahead an approach matters [s], a number or shape (n,).
        up: Of vehicles that cannot leave a surface its unit normals, shape (3,) or (n, 3): they evade along it.

    Returns:
        Accelerations [m/s^2], shape (d,) or (n, d), zero where nothing threatens; and times [s], infinite there.
    """
    offset, w = np.subtract(other, position), np.subtract(other_velocity, velocity)
    time, distance = nearest_approach(position, velocity, other, other_velocity)
    threatens = (time > 0) & (time <= lookahead) & (distance < room)
    away = direction_or(-level(offset + per_vehicle(time) * w, up), length(offset), beside(normalize(w), up))
    size = ratio(2 * np.subtract(room, distance), time * time, otherwise=np.finfo(offset.dtype).max)
    acceleration = np.where(threatens[..., None], away * np.where(threatens, size, 0)[..., None], 0)
    return acceleration, np.where(threatens, time, np.inf)


def smooth_evasion(
    position: Array,
    velocity: Array,
    other: Array,
    other_velocity: Array,
    touch: Number,
    *,
    distance: Number,
    lookahead: Number,
    max_acceleration: Number = np.inf,
    apart: Array | None = None,
    up: Array | None = None,
) -> Array:
    """The acceleration that widens the nearest approach of two vehicles to the room they need, and never jumps.

        acceleration = -unit(c) * 2 (room - |c|) * (1 / t^2 - 1 / lookahead^2),   room = touch + distance

    with c as in `evasion`, but between now and the end of the lookahead, and now if the two overlap; and t the time until
    the other is within the room, 0 if it is, but at least tau = sqrt(2 distance / max_acceleration). Of one within the room
    that goes away at a speed u, u t counts as room that there is already. Of one that comes, T is multiplied by
    1 - s (1 - k) with s = (room - |offset|) / distance and k = min(SLOW tau / T, 1) min(|c| / touch, 1), so that the
    vehicle brakes before a touch. If two would meet exactly, each also evades to its left of w, by as much as along
    -unit(c), within the room by 1 - s of it; from there to EXACT of their distance, ever less.

    Source: Reynolds 1999, "Unaligned collision avoidance", made continuous.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        other: Positions of the others [m], shape (d,) or (n, d).
        other_velocity: Velocities of the others [m/s], shape (d,) or (n, d).
        touch: Distance at which they touch [m], a number or shape (n,).
        distance: Free room to keep [m].
        lookahead: How far ahead an approach matters [s].
        max_acceleration: The most that it may be [m/s^2], a number or shape (n,).
        apart: Unit vectors for pairs in one place that do not move against each other. Default: they stay.
        up: Of vehicles that cannot leave a surface its unit normals, shape (3,) or (n, 3): they evade along it.

    Returns:
        Accelerations [m/s^2], shape (d,) or (n, d), zero where nothing threatens.
    """
    options = (distance, lookahead, max_acceleration, apart, up)
    return _smooth_evasion(position, velocity, other, other_velocity, touch, *options)[0]


def _smooth_evasion(
    position: Array, velocity: Array, other: Array, other_velocity: Array, touch: Number, distance: Number,
    lookahead: Number, max_acceleration: Number, apart: Array | None, up: Array | None,
) -> tuple[Array, Array]:  # fmt: skip
    """The acceleration of `smooth_evasion`, and how fast it answers: |a| t / gap [1/s]."""
    offset, w = np.subtract(other, position), np.subtract(other_velocity, velocity)
    room, now = np.add(touch, distance), length(offset)
    nearest = np.maximum(nearest_approach(position, velocity, other, other_velocity)[0], 0)
    met = length(offset + per_vehicle(nearest) * w)
    spare = room**2 - met**2
    within, comes = now <= room, (nearest > 0) & (spare > 0)
    entry = np.where(within, 0, nearest - np.sqrt(ratio(np.maximum(spare, 0), dot(w, w))))
    soonest2 = np.broadcast_to(ratio(np.multiply(2.0, distance), max_acceleration, otherwise=0.0), np.shape(now))
    soon = np.minimum(ratio(SLOW * np.sqrt(soonest2), nearest, otherwise=1.0), 1)
    part = soon * np.minimum(ratio(met, touch, otherwise=1.0), 1)
    near = np.where(now < touch, 1, np.clip(ratio(room - now, distance), 0, 1))
    nearest = nearest * (1 - near * (1 - part))
    nearest = np.where(now < touch, 0, np.minimum(nearest, lookahead))
    miss = offset + per_vehicle(nearest) * w
    gap = room - length(miss)
    otherwise = np.zeros_like(offset) if apart is None else np.broadcast_to(apart, offset.shape)
    otherwise = np.where((dot(w, w) > 0)[..., None], beside(normalize(w), up), otherwise)
    exact = np.where(comes, (1 - near) * np.maximum(1 - ratio(met, EXACT * now, otherwise=1.0), 0), 0)
    miss = miss - per_vehicle(exact * length(miss)) * otherwise
    away = direction_or(-level(miss, up), now, otherwise)
    time2 = np.maximum(entry**2, soonest2)
    parts = np.where(within, np.maximum(ratio(dot(offset, w), now), 0), 0)
    gap = gap - parts * np.sqrt(time2)
    urgency = ratio(1.0, time2, otherwise=np.finfo(offset.dtype).max) - 1 / np.square(lookahead)
    threatens = (within | comes) & (entry < lookahead)
    size = 2 * np.where(threatens, np.maximum(gap, 0) * np.maximum(urgency, 0), 0)
    size = np.minimum(size, max_acceleration)
    return np.asarray(away * per_vehicle(size)), ratio(size * np.sqrt(time2), np.maximum(gap, 0))


@renamed_arguments(seen="visible")
def avoid_neighbors(
    position: Array,
    velocity: Array,
    radius: Number,
    neighbors: Array,
    neighbors_velocity: Array,
    neighbors_radius: Number,
    visible: bool | Array = True,
    *,
    lookahead: Number,
    distance: Number = 0.0,
    max_acceleration: Number = np.inf,
    law: str = "smooth",
    apart: Array | None = None,
    up: Array | None = None,
    dt: Number = 0.0,
) -> Array:
    """Evade the most imminent collision, or all collisions that threaten.

    Source: Reynolds 1999, "Unaligned collision avoidance". See `evasion` and `smooth_evasion`.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        radius: Radii [m], a number or shape (n,).
        neighbors: Positions of the neighbors [m], shape (m, d).
        neighbors_velocity: Their velocities [m/s], shape (m, d).
        neighbors_radius: Their radii [m], a number or shape (m,).
        visible: The neighbors that count for each vehicle, shape (m,) or (n, m).
        lookahead: How far ahead an approach matters [s], a number or shape (n,).
        distance: Free room to keep [m].
        max_acceleration: The largest acceleration away from one neighbor [m/s^2], a number or shape (n,).
        law: "imminent": the nearest approach in time alone (Reynolds); "all": the sum over all that threaten; "smooth":
            the sum over all by `smooth_evasion`, if it is more than NOTICEABLE of max_acceleration, of those that overlap
            times 1 + DEEP (1 - |offset| / touch); divided by 2 dt sum(|a| t / gap), where this is more than 1. Neighbors
            that overlap, or come nearer within the room, are the most imminent; they are evaded by `smooth_evasion` under
            every law.
        apart: Unit vectors away from neighbors in the same place, shape (m, d) or (n, m, d).
        dt: The time step [s].

    Returns:
        Accelerations [m/s^2], shape (d,) or (n, d).
    """
    if law not in ("smooth", "imminent", "all"):
        raise ValueError(f'law must be "smooth", "imminent" or "all", got {law!r}')
    here, moving = np.asarray(position)[..., None, :], np.asarray(velocity)[..., None, :]
    touch, ahead = per_vehicle(radius) + np.asarray(neighbors_radius), per_vehicle(lookahead)
    others, velocities, room = np.asarray(neighbors), np.asarray(neighbors_velocity), touch + distance
    options = (distance, ahead, per_vehicle(max_acceleration), apart, None)
    evasions, haste = _smooth_evasion(here, moving, others, velocities, touch, *options)
    if law == "smooth":
        more = 1 + DEEP * np.maximum(1 - ratio(length(others - here), touch, otherwise=1.0), 0)
        hasty = np.sum(np.where(visible, haste * more, 0), axis=-1)
        total = np.sum(np.where(np.asarray(visible)[..., None], evasions * more[..., None], 0), axis=-2)
        total = total / per_vehicle(np.maximum(2 * np.multiply(dt, hasty), 1))
        least = np.where(np.isfinite(max_acceleration), max_acceleration, 0) * NOTICEABLE
        return np.where((length(total) > least)[..., None], total, 0)
    pushes, times = evasion(here, moving, others, velocities, room, lookahead=ahead)
    apart_now, closing = length(others - here), dot(others - here, velocities - moving) < 0
    close = (apart_now < touch) | ((apart_now < room) & closing)
    pushes, times = np.where(close[..., None], evasions, pushes), np.where(close, 0, times)
    times = np.where(visible, times, np.inf)
    most = np.broadcast_to(per_vehicle(max_acceleration), times.shape)
    pushes = with_length(pushes, np.minimum(length(pushes), most))
    counts = np.isfinite(times)
    if law == "imminent" and times.shape[-1]:
        counts &= np.arange(times.shape[-1]) == np.argmin(times, axis=-1)[..., None]
    return np.asarray(np.sum(np.where(counts[..., None], pushes, 0), axis=-2))


def meeting_danger(
    position: Array,
    velocity: Array,
    other: Array,
    other_velocity: Array,
    touch: Number,
    *,
    margin: Number = 0.0,
    time_horizon: Number,
) -> Array:
    """The danger of a velocity while another vehicle goes on as it does, from 0 to 1.

        (1 - t / time_horizon) * min((room - m) / margin, 1),   room = touch + margin

    with t the time until the two are within the room, and m the distance of their nearest approach. A vehicle within
    the room has t = 0; if it gets away from the neighbor, m is the present distance, and the danger is multiplied by
    1 + c, with c the cosine between the way to the other and the relative velocity.

    Source: the time to collision by direction, as in van den Berg, Lin and Manocha 2008, "Reciprocal velocity obstacles",
    and Fray 2013, "Context Steering"; the margin makes it continuous.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities that they would go at [m/s], shape (d,) or (n, d).
        other: Positions of the others [m], shape (d,) or (n, d).
        other_velocity: Velocities of the others [m/s], shape (d,) or (n, d).
        touch: Distance at which they touch [m], a number or shape (n,).
        margin: Free room beyond that [m], a number or shape (n,).
        time_horizon: How far ahead meetings count [s], a number or shape (n,).

    Returns:
        Dangers, shape () or (n,).
    """
    offset, w = np.subtract(other, position), np.subtract(velocity, other_velocity)
    distance, speed2, ahead, room = length(offset), dot(w, w), dot(offset, w), np.add(touch, margin)
    within, comes = distance < room, ahead > 0
    nearest = np.where(comes, ratio(ahead, speed2), 0)
    miss = length(offset - per_vehicle(nearest) * w)
    entry = nearest - np.sqrt(ratio(np.maximum(room**2 - miss**2, 0), speed2))
    time = np.where(within, 0, np.where(comes & (miss < room), entry, np.inf))
    deep = np.minimum(ratio(np.maximum(room - miss, 0), margin, otherwise=1.0), 1)
    turned = np.where(within & ~comes, 1 + ratio(ahead, distance * np.sqrt(speed2)), 1)
    return np.asarray(np.maximum(1 - time / time_horizon, 0) * np.where(miss < room, deep, 0) * turned)


def queue_speed(
    position: Array,
    radius: Number,
    doorway: Array,
    ahead: Array,
    ahead_radius: Number,
    max_speed: Number,
    *,
    headway: Number,
    spacing: Number = 0.0,
    rest: Number = 0.0,
) -> Array:
    """The speed toward a doorway behind others that leaves a time gap to the nearest one in the way.

        speed = min(V, max(|offset| - both radii - spacing, 0) / headway)

    over all vehicles ahead in the lane, as wide as both and the spacing: offset . e > 0 and |lateral offset| < both
    radii + spacing. Of one that moves on before this vehicle comes, the offset is that to the nearest point in the lane
    of the way that it still has.

    Source: the collision-free speed model of Tordeux, Chraibi and Seyfried (2016), for one direction.

    Args:
        position: Position [m], shape (d,).
        radius: Radius [m].
        doorway: Where all vehicles go [m], shape (d,).
        ahead: Positions of the vehicles that go first [m], shape (m, d).
        ahead_radius: Their radii [m], a number or shape (m,).
        max_speed: Speed with no vehicle in the way [m/s].
        headway: Time gap [s].
        spacing: Room to keep at rest [m].
        rest: The straight ways that they still have [m], shape (m, d). Default: they stay.

    Returns:
        Speed [m/s], shape ().
    """
    direction = normalize(np.subtract(doorway, position))
    offset = np.reshape(ahead, (-1, len(direction))) - np.asarray(position)
    rest, both = np.broadcast_to(rest, offset.shape), radius + np.asarray(ahead_radius) + spacing
    aside, shift = lateral(offset, direction), lateral(rest, direction)
    beyond, slope = dot(aside, aside) - both**2, -dot(aside, shift)
    square = slope**2 - beyond * dot(shift, shift)
    later = ratio(beyond, slope + np.sqrt(np.maximum(square, 0)), otherwise=np.inf)
    enters = np.where(beyond <= 0, 0, np.where((slope > 0) & (square >= 0), later, np.inf))
    nearest = np.minimum(np.maximum(ratio(-dot(offset, rest), dot(rest, rest)), enters), 1)
    there = offset + nearest[:, None] * rest
    in_lane = (enters <= 1) & (dot(there, direction) > 0)
    gap = np.where(in_lane, length(there) - both, np.inf).min(initial=np.inf)
    return np.asarray(np.minimum(max_speed, np.maximum(gap, 0) / headway))

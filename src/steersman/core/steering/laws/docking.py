"""Docking: arrival that also meets an orientation, a velocity and a time.

Reynolds 1999, among the sketches beside "Leader following": arrival constrains position and speed; it can be extended to
constrain orientation (docking) or a velocity that is not zero, and to meet these at a given time. How is left open. Here:

    A = way . axis    how far it is along the docking axis, positive before the dock
    l = way - A axis  how far it is to the axis

Outside of the approach cone (60 degrees from the axis, its tip a little behind the dock) the vehicle goes to a point on the
axis before the dock, around it if need be. In the cone

    desired = s(A) axis + l min(3 s / A, 1 / (4 tau)),   s = w + (V - w) min(1, A / slowing_distance)

so that l shrinks with the cube of A: the vehicle comes in along the axis, and passes the dock with the velocity w axis.
With a time T left, the plan is A = w T + c T^2 and l = k T^3, which the vehicle reads backwards:
s = w + 2 (A - w T) / T, at least 0 (then it waits), and l 3 / T. The acceleration of the plan is applied as such;
errors fade faster than T does.
"""

import math

import numpy as np

from steersman.core.steering.laws.vectors import (
    Number,
    across,
    dot,
    length,
    normalize,
    per_vehicle,
    perpendicular,
    ratio,
    truncate,
)
from steersman.core.typing import Array

DRAW_IN = 3.0
"""The power of the distance along the axis with which the distance from the axis shrinks."""

TIP = 0.1
"""Tip of the approach cone behind the dock, as part of the standoff."""

SPREAD = math.sqrt(3.0)
"""Tangent of the angle between the axis and the side of the cone (60 degrees)."""


def docking_approach(way: Array, axis: Array, standoff: Number) -> tuple[Array, Array, Array]:
    """Whether a vehicle is in the approach cone, and the way that it goes if it is not.

    Args:
        way: From the vehicle to the dock [m], shape (d,) or (n, d).
        axis: Unit vectors to face at the dock, shape (d,) or (n, d).
        standoff: Distance before the dock of the point to go to [m], a number or shape (n,).

    Returns:
        Whether it is in the cone, shape () or (n,); the distances A along the axis [m]; and for vehicles outside of the
        cone the ways to the point before the dock [m], shape (d,) or (n, d), which lead around the dock from beyond it.
    """
    along = dot(way, axis)
    aside = way - along[..., None] * np.asarray(axis)
    tip = TIP * np.asarray(standoff)
    inside = (along + tip > 0) & (length(aside) <= SPREAD * (along + tip))
    out = -across(way, axis, -perpendicular(axis))
    before = way - per_vehicle(standoff) * np.asarray(axis)
    around = before + per_vehicle(standoff) * out
    return inside, along, np.where((along < 0)[..., None], around, before)


def dock(
    way: Array,
    velocity: Array,
    axis: Array,
    arrival_speed: Number,
    speed: Number,
    *,
    slowing_distance: Number,
    standoff: Number,
    response_time: Number,
    time_left: Number = 0.0,
    dt: Number = 0.0,
    approaching: Array | None = None,
) -> Array:
    """The acceleration that brings a vehicle to a dock with an orientation, a velocity, and in time.

    Source: Reynolds 1999, the sketch of docking; the equations are this library's own, see above.

    Args:
        way: From the vehicle to the dock [m], shape (d,) or (n, d).
        velocity: Velocities relative to the dock [m/s], shape (d,) or (n, d).
        axis: Unit vectors to face at the dock, shape (d,) or (n, d); a zero vector leaves it open.
        arrival_speed: Speed w along the axis at the dock [m/s], a number or shape (n,).
        speed: Speeds V far from the dock [m/s], a number or shape (n,).
        slowing_distance: Distance along the axis at which slowing begins [m], a number or shape (n,).
        standoff: Distance before the dock of the point to go to from outside of the cone [m], a number or shape (n,).
        response_time: Response times tau [s], > 0, a number or shape (n,).
        time_left: Time left [s], a number or shape (n,); zero or less: as soon as possible.
        dt: The time step [s], for vehicles with little time left.
        approaching: Whether the approach has begun, shape () or (n,). Default: where the vehicle is in the cone.

    Returns:
        Accelerations [m/s^2], shape (d,) or (n, d).
    """
    way, velocity = np.asarray(way), np.asarray(velocity)
    free = (dot(axis, axis) == 0)[..., None]
    axis = np.where(free, normalize(way), axis)
    w, fast, tau = np.asarray(arrival_speed), np.asarray(speed), np.asarray(response_time)
    inside, along, detour = docking_approach(way, axis, standoff)
    inside = inside if approaching is None else np.asarray(approaching)
    aside = way - along[..., None] * axis

    soon = w + (fast - w) * np.minimum(ratio(along, slowing_distance, otherwise=1.0), 1)
    draw = np.where(along > 0, ratio(DRAW_IN * soon, along, otherwise=np.inf), np.inf)
    draw = np.clip(draw, 0, ratio(1.0, 4 * tau))
    at_once = soon[..., None] * axis + draw[..., None] * aside

    duration = np.maximum(time_left, 6 * np.asarray(dt))
    room = along - w * np.asarray(time_left)
    pace = w + 2 * ratio(room, duration)
    planned = np.where((pace > 0) & (pace < fast), -2 * ratio(room, duration * duration), 0)
    in_time = np.clip(pace, 0, fast)[..., None] * axis + (DRAW_IN * ratio(1.0, duration))[..., None] * aside
    bend = planned[..., None] * axis - (6 * ratio(1.0, duration * duration))[..., None] * aside
    bend = np.where((length(in_time) > fast)[..., None], 0, bend)

    timed = inside & (np.asarray(time_left) > 0)
    desired = np.where(timed[..., None], in_time, at_once)
    desired = np.where(inside[..., None], desired, fast[..., None] * normalize(detour))
    quick = np.minimum(np.maximum(ratio(1.0, tau), ratio(6.0, duration)), ratio(1.0, dt, otherwise=np.inf))
    gain = np.where(timed, quick, ratio(1.0, tau))
    correction = gain[..., None] * (truncate(desired, fast) - velocity)
    return np.asarray(correction + np.where(timed[..., None], bend, 0))

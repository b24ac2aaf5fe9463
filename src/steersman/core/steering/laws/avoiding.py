"""Obstacle avoidance: keep a cylinder of free space ahead, and steer sideways from the first obstacle that enters it.

Reynolds 1999, "Obstacle avoidance". The cylinder lies along forward, is as thick as the vehicle's bounding sphere, and
reaches as far as the vehicle looks ahead. An obstacle enters it, exactly, if the vehicle's sphere, moving straight on,
touches the obstacle's within that length. An obstacle whose center is not ahead is being left behind.
"""

import numpy as np

from steersman.core.steering.laws.vectors import Number, across, beside, dot, lateral, length, level, per_vehicle, ratio
from steersman.core.typing import Array

LEAST, RELEASE = 0.5, 0.1
"""Of "needed": the part of max_force that must be needed before AvoidObstacles acts, and until which it goes on acting."""

FADE = 0.25
"""Of "needed": the last part of max_speed, over which the least force fades from LEAST to nothing."""

SPARE = 2.0
"""How much more force is used than needed: for bodies that answer late, and for other forces in a sum."""


def ray_sphere_crossings(origin: Array, direction: Array, center: Array, radius: Number) -> tuple[Array, Array]:
    """Where the line through a ray enters a sphere, and where it leaves it.

        t = c . f -+ sqrt(radius^2 - |c - (c . f) f|^2),   c = center - origin

    Args:
        origin: Where rays start [m], shape (d,) or (n, d).
        direction: Unit vectors f, shape (d,) or (n, d).
        center: Centers of the spheres [m], shape (d,) or (n, d).
        radius: Their radii [m], a number or shape (n,).

    Returns:
        Two distances along the ray [m], shape () or (n,): negative behind its start, both infinite where the line
        misses the sphere. A tangent line touches it.
    """
    offset = np.subtract(center, origin)
    along, aside = dot(offset, direction), length(lateral(offset, direction))
    half_chord = np.sqrt(np.maximum(np.subtract(radius, aside) * np.add(radius, aside), 0)).astype(along.dtype)
    hit = aside <= radius
    return np.where(hit, along - half_chord, np.inf), np.where(hit, along + half_chord, np.inf)


def ray_sphere_entry(origin: Array, direction: Array, center: Array, radius: Number) -> Array:
    """How far along a ray a sphere begins [m]: zero inside it, infinite where the ray misses it.

    Arguments as for `ray_sphere_crossings`.
    """
    entry, leave = ray_sphere_crossings(origin, direction, center, radius)
    return np.where(leave >= 0, np.maximum(entry, 0), np.inf)


def nearest_threat(
    position: Array,
    forward: Array,
    radius: Number,
    centers: Array,
    radii: Number,
    reach: Number,
) -> tuple[Array, Array]:
    """The obstacle in the cylinder that crosses the forward axis nearest in front of the vehicle.

    Source: Reynolds 1999, "Obstacle avoidance"; game AI lecture, "Obstacle Avoidance Algorithm": the obstacles are
    expanded by the vehicle's radius, and the closest intersection point in front counts. Of an expanded obstacle in
    which the vehicle is already, that is the point where it leaves it.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        radius: Radii of the vehicles [m], a number or shape (n,).
        centers: Centers of the obstacles [m], shape (m, d).
        radii: Radii of the obstacles [m], a number or shape (m,).
        reach: Length of the cylinder ahead [m], a number or shape (n,).

    Returns:
        Rows of the obstacles, -1 where none is in the way (of two that are equally near, the first); and the distances
        [m] after which they are touched, infinite where there is none. Both of shape () or (n,).
    """
    start, heading = np.asarray(position)[..., None, :], np.asarray(forward)[..., None, :]
    centers = np.reshape(centers, (-1, start.shape[-1]))
    if len(centers) == 0:
        none = np.zeros(start.shape[:-2], heading.dtype)
        return none.astype(np.intp) - 1, none + np.inf
    entry, leave = ray_sphere_crossings(start, heading, centers, per_vehicle(radius) + np.asarray(radii))
    threatens = (dot(centers - start, heading) > 0) & (entry <= per_vehicle(reach))
    in_front = np.where(threatens, np.where(entry >= 0, entry, leave), np.inf)
    first = np.argmin(in_front, axis=-1)
    picked = first[..., None]
    hit = np.take_along_axis(threatens, picked, axis=-1)[..., 0]
    touch = np.maximum(np.take_along_axis(entry, picked, axis=-1)[..., 0], 0)
    return np.where(hit, first, -1), np.where(hit, touch, np.inf)


def avoid_sideways(
    offset: Array,
    forward: Array,
    max_force: Number,
    *,
    magnitude: str = "full",
    nearness: Number = 1.0,
    needed: Number = 1.0,
    least: Number = LEAST,
    up: Array | None = None,
) -> Array:
    """The lateral steering away from an obstacle's center.

    Source: Reynolds 1999, "Obstacle avoidance": the negated lateral projection of the center. Straight ahead the
    projection is mere rounding error, no direction, and the vehicle turns to a fixed side: see `across`.

    Args:
        offset: The way from the vehicle to the obstacle's center [m], shape (d,) or (n, d). For an obstacle that is not
            round: minus the normal where the vehicle will touch it, times the obstacle's size.
        forward: Unit forward vectors, shape (d,) or (n, d).
        max_force: Maximum forces [N], a number or shape (n,).
        magnitude: "full": max_force; "literal": as many newtons as the center is meters off the axis, which is least
            where the danger is greatest; "proximity": nearness * max_force (game AI lecture, "Obstacle Avoidance");
            "needed": SPARE times the part of max_force that is needed, but at least `least` of it.
        nearness: For "proximity": from 0 at the end of the cylinder to 1 at touch, a number or shape (n,).
        needed: For "needed": see `needed_part`, a number or shape (n,).
        least: For "needed": the least part of max_force, a number or shape (n,).
        up: Of vehicles that cannot leave a surface its unit normals, shape (3,) or (n, 3): they steer along it.

    Returns:
        Steering vectors [N], shape (d,) or (n, d), perpendicular to forward.
    """
    offset = level(offset, up)
    if magnitude == "literal":
        return -lateral(offset, forward)
    if magnitude not in ("full", "proximity", "needed"):
        raise ValueError(f'magnitude must be "needed", "full", "literal" or "proximity", got {magnitude!r}')
    parts = {"full": 1.0, "proximity": nearness, "needed": np.clip(np.multiply(SPARE, needed), least, 1.0)}
    away = across(np.negative(offset), forward, beside(forward, up))
    return np.asarray(per_vehicle(np.multiply(max_force, parts[magnitude])) * away).astype(away.dtype)


def needed_part(
    touch: Number, sine: Number, bend: Number, speed: Number, strength: Number, tightest: Number = 0.0
) -> Array:
    """The part of max_force that turns a vehicle past an obstacle, in a circle tangent to it; 1 if no part suffices.

        a = 2 v^2 b (1 - sin) / (t (t + 2 b cos)),   of a sphere  2 v^2 (b - offset) / (distance^2 - b^2)

    Of a body that turns no tighter than in a circle of the radius R, the part of its curvature 1 / R, if that is more.

    Source: this library's own; with the circle through the vehicle along forward that touches the sphere of radius b.

    Args:
        touch: How far it is to the contact t [m], a number or shape (n,).
        sine: Sine of the angle between forward and the normal at the contact: a sphere's offset over b.
        bend: Radius of the obstacle where the vehicle's center passes it, b [m]: its own and the vehicle's, and the
            clearance.
        speed: Speeds [m/s].
        strength: Accelerations at max_force [m/s^2].
        tightest: Radius R of the tightest circle of the body [m].

    Returns:
        Parts in [0, 1], shape () or (n,).
    """
    needed = 2 * np.maximum(np.square(speed), np.multiply(strength, tightest)) * bend * np.subtract(1, sine)
    limit = np.multiply(strength, touch) * (touch + 2 * np.multiply(bend, np.sqrt(np.maximum(1 - np.square(sine), 0))))
    return np.where(needed >= limit, 1.0, ratio(needed, limit))


def avoid_obstacles(
    position: Array,
    forward: Array,
    radius: Number,
    centers: Array,
    radii: Number,
    reach: Number,
    max_force: Number,
    *,
    magnitude: str = "full",
) -> Array:
    """Steer sideways from the nearest threat; zero where nothing is in the way.

    Source: Reynolds 1999, "Obstacle avoidance".

    Args:
        position: Positions [m], shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        radius: Radii of the vehicles [m], a number or shape (n,).
        centers: Centers of the obstacles [m], shape (m, d).
        radii: Radii of the obstacles [m], a number or shape (m,).
        reach: Length of the cylinder ahead [m], a number or shape (n,).
        max_force: Maximum forces [N], a number or shape (n,).
        magnitude: "full", "literal" or "proximity": see `avoid_sideways`.

    Returns:
        Steering vectors [N], shape (d,) or (n, d).
    """
    row, distance = nearest_threat(position, forward, radius, centers, radii, reach)
    position = np.asarray(position)
    known = np.reshape(centers, (-1, position.shape[-1]))
    center = known[row] if len(known) else position
    nearness = 1 - ratio(np.where(row < 0, 0, distance), reach)
    steering = avoid_sideways(center - position, forward, max_force, magnitude=magnitude, nearness=nearness)
    return np.where((row < 0)[..., None], 0, steering)

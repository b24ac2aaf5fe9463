"""Walls: feelers that touch them, the push off them, and the way along them.

Unity lecture, "Obstacle Avoidance" (whiskers); game AI lecture, "Wall Avoidance"; Reynolds 1999, "Wall following".
"""

import math

import numpy as np

from steersman.core.steering.laws.vectors import Number, across, direction_or, lateral, per_vehicle, perpendicular
from steersman.core.typing import Array


def feeler_directions(axes: Array, spread: float, count: int = 3) -> Array:
    """Directions of feelers: ahead, to the right, to the left, and in 3D up and down.

    Source: Unity lecture, "Obstacle Avoidance"; game AI lecture, "Wall Avoidance".

    Args:
        axes: A vehicle's own axes as rows: forward and side in 2D, forward, up and side in 3D. Side is to the right.
        spread: Full angle between the feelers to the right and to the left [rad].
        count: 1, 3, or in 3D 5.

    Returns:
        Unit vectors, shape (count, d).
    """
    axes = np.asarray(axes)
    ahead, aside = math.cos(spread / 2) * axes[0], math.sin(spread / 2)
    sides = [aside * axes[-1], -aside * axes[-1]]
    if len(axes) == 3:
        sides += [aside * axes[1], -aside * axes[1]]
    return np.array([axes[0], *(ahead + side for side in sides)])[:count]


def beside_hit(hit: Array, normal: Array, clearance: Number) -> Array:
    """The point to seek beside the hit of a feeler: hit + normal * clearance [m], shape (d,) or (n, d).

    Source: Unity lecture, "Obstacle Avoidance".
    """
    return np.asarray(hit + per_vehicle(clearance) * np.asarray(normal))


def push_off(distance: Number, normal: Array, reach: Number, strength: Number) -> Array:
    """The push of a wall that a feeler reaches into: strength * (reach - distance) * normal.

    Source: game AI lecture, "Wall Avoidance".

    Args:
        distance: How far along the feeler the wall is [m], a number or shape (n,); infinite where there is none.
        normal: Unit normals of the wall, shape (d,) or (n, d).
        reach: Length of the feeler [m], a number or shape (n,).
        strength: Force per meter [N/m], a number or shape (n,).

    Returns:
        Forces [N], shape (d,) or (n, d).
    """
    return np.asarray(
        per_vehicle(np.multiply(strength, np.maximum(np.subtract(reach, distance), 0))) * np.asarray(normal)
    )


def along_wall(normal: Array, forward: Array, off: Array | None = None) -> Array:
    """The unit vector along a wall nearest to forward; along a wall straight ahead a fixed one: see `perpendicular`.

    Args:
        normal: Unit normals, shape (d,) or (n, d).
        forward: Unit forward vectors, shape (d,) or (n, d).
        off: In a corner, the normals of the other wall, to turn away from.

    Returns:
        Unit vectors, shape (d,) or (n, d).
    """
    ahead = across(forward, normal, perpendicular(normal))
    return ahead if off is None else direction_or(lateral(np.add(forward, off), normal), 1.0, ahead)


def wall_way(distance: Number, normal: Array, along: Array, offset: Number, reach: Number) -> Array:
    """The way to go to follow a wall: along * reach + normal * (offset - distance).

    Source: Reynolds 1999, "Wall following" (the offset from the projected position; the reach is this library's).

    Args:
        distance: Distance from the wall [m], a number or shape (n,).
        normal: Unit normals of the wall, toward the vehicle's side, shape (d,) or (n, d).
        along: Unit vectors along the wall, shape (d,) or (n, d): see `along_wall`.
        offset: Distance to keep [m], a number or shape (n,).
        reach: How far along to aim [m], a number or shape (n,).

    Returns:
        Ways [m], shape (d,) or (n, d).
    """
    off = np.subtract(offset, distance)
    return np.asarray(per_vehicle(reach) * np.asarray(along) + per_vehicle(off) * np.asarray(normal))

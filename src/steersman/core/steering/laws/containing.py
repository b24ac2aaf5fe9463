"""Containment: stay within a region. Reynolds 1999, "Containment".

The laws take a region's signed distance (positive outside) and outward normal at the place where the vehicle is about
to be.
"""

from typing import Any

import numpy as np

from steersman.core.steering.laws.predicting import predict
from steersman.core.steering.laws.reaching import seek
from steersman.core.steering.laws.vectors import Number, lateral, length, per_vehicle
from steersman.core.typing import Array


def inside_point(predicted: Array, distance: Number, normal: Array, depth: Number) -> Array:
    """A point inside: the predicted position brought to the boundary, and further in by a depth.

    Source: Reynolds 1999, "Containment": "project the future position to the obstacle surface, and then extend this
    offset to obtain a target point".

    Args:
        predicted: Predicted positions [m], shape (d,) or (n, d).
        distance: Their signed distances from the boundary [m], positive outside, a number or shape (n,).
        normal: Outward unit normals there, shape (d,) or (n, d).
        depth: How far inside the point lies [m], a number or shape (n,).

    Returns:
        Points [m], shape (d,) or (n, d).
    """
    return np.asarray(predicted - per_vehicle(np.add(distance, depth)) * np.asarray(normal))


def contain(
    position: Array,
    velocity: Array,
    distance: Number,
    normal: Array,
    max_speed: Number,
    *,
    lookahead: Number = 1.0,
    depth: Number | None = None,
    speed: Any = "max",
) -> Array:
    """Seek a point inside where the predicted position is outside; else zero.

    Source: Reynolds 1999, "Containment", first way.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        distance: Signed distances of the predicted positions from the boundary [m], positive outside.
        normal: Outward unit normals there, shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        lookahead: How far the positions were predicted [s], a number or shape (n,).
        depth: How far inside the point lies [m]; None: as far as was looked ahead, lookahead |v|, so that a vehicle
            that comes head-on turns back at once.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    deep = np.multiply(lookahead, length(velocity)) if depth is None else depth
    target = inside_point(predict(position, velocity, lookahead), distance, normal, deep)
    outside = np.asarray(np.asarray(distance) > 0)
    return np.where(outside[..., None], seek(position, velocity, target, max_speed, speed=speed), 0)


def way_back(
    velocity: Array, distance: Number, normal: Array, *, lookahead: Number = 1.0, margin: Number = 0.0
) -> Array:
    """The way out of a corner that is too narrow to turn in: back along the way, and off the boundary beside.

        way = - lookahead * velocity - max(lookahead |velocity| + distance + margin, 0) * normal

    Args:
        velocity: Velocities [m/s], shape (d,) or (n, d).
        distance: Signed distances from the boundary [m], negative inside, a number or shape (n,).
        normal: Outward unit normals there, shape (d,) or (n, d).
        lookahead: How far is looked ahead [s], a number or shape (n,).
        margin: How far inside the boundary to stay [m], a number or shape (n,).

    Returns:
        Ways [m], shape (d,) or (n, d).
    """
    near = np.maximum(np.multiply(lookahead, length(velocity)) + distance + margin, 0)
    return np.asarray(-per_vehicle(lookahead) * np.asarray(velocity) - per_vehicle(near) * np.asarray(normal))


def contain_sideways(forward: Array, normal: Array) -> Array:
    """The part of the inward normal that is lateral to forward: the corrective steering, in parts of the whole normal.

    Source: Reynolds 1999, "Containment", second way; `normal` is that of the boundary where the predicted way crosses
    it. Head-on it vanishes, and has no effect: then take `contain`.

    Args:
        forward: Unit forward vectors, shape (d,) or (n, d).
        normal: Outward unit normals, shape (d,) or (n, d).

    Returns:
        Lateral vectors, at most of length 1, shape (d,) or (n, d).
    """
    return lateral(-np.asarray(normal), forward)

"""Senses: the perception of vehicles in their own frames, in two dimensions, for n worlds of k vehicles at once.

Lengths come in units of a reach, so that observations are of about the same size. The frame of a vehicle is its forward
direction, and its left.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.open import Open
from steersman.core.environment.paths.path import Path
from steersman.core.typing import Array

SPACE = Open()


def turned(vectors: Array, forward: Array) -> Array:
    """Vectors as seen by vehicles that face a direction: the part ahead, and the part to the left.

    Args:
        vectors: Shape (..., 2).
        forward: Unit vectors, of a shape that broadcasts.

    Returns:
        Shape (..., 2).
    """
    x, y = vectors[..., 0], vectors[..., 1]
    fx, fy = forward[..., 0], forward[..., 1]
    return np.stack([x * fx + y * fy, y * fx - x * fy], axis=-1)


def nearest(
    position: Array, forward: Array, others: Array, count: int, *, reach: float, domain: Domain = SPACE,
    velocity: Array | None = None, their_velocity: Array | None = None,
) -> Array:  # fmt: skip
    """The nearest others of each vehicle, the nearest first, in its own frame.

    Args:
        position: Of the vehicles [m], shape (n, k, 2).
        forward: The directions that they face, of the same shape.
        others: Positions of the others [m], shape (n, m, 2); the same array, or another view of it, where they are the
            vehicles themselves.
        count: How many of them. Where there are fewer, or one is beyond the reach, there are zeros.
        reach: The unit of length [m], and how far they see.
        domain: The space.
        velocity, their_velocity: Velocities of both [m/s]: then the relative velocities are perceived, too, in reaches a
            second.

    Returns:
        Shape (n, k, 2 count), or (n, k, 4 count) with velocities.
    """
    n, k, _ = position.shape
    to = domain.difference(others[:, None], position[:, :, None])
    distance = np.sum(to**2, axis=-1)
    if _are_one(others, position):
        distance[:, np.arange(k), np.arange(k)] = np.inf
    order = np.argsort(distance, kind="stable")[:, :, :count]
    visible = np.take_along_axis(distance, order, 2)[..., None] <= reach * reach
    parts = [to]
    if velocity is not None and their_velocity is not None:
        parts.append(their_velocity[:, None] - velocity[:, :, None])
    local = [turned(np.take_along_axis(each, order[..., None], 2), forward[:, :, None]) / reach for each in parts]
    shown = np.zeros((n, k, count, 2 * len(parts)))
    shown[:, :, : order.shape[2]] = np.where(visible, np.concatenate(local, axis=-1), 0.0)
    return shown.reshape(n, k, -1)


def _are_one(one: Array, other: Array) -> bool:
    """Whether arrays are the same one: a population gives a new view of its positions each time that it is asked."""
    about, of_other = one.__array_interface__, other.__array_interface__
    return all(about[key] == of_other[key] for key in ("data", "shape", "strides", "typestr"))


def toward(position: Array, forward: Array, goal: Any, *, reach: float, domain: Domain = SPACE) -> Array:
    """The way to a goal in the own frame, no longer than 1.

    Args:
        position, forward: As for `nearest`.
        goal: A point [m], of a shape that broadcasts with (n, k, 2).
        reach: The length that is 1 [m].
        domain: The space.

    Returns:
        Shape (n, k, 2).
    """
    way = turned(domain.difference(np.asarray(goal, float), position), forward) / reach
    return np.asarray(way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1.0))


def rays(
    obstacles: Obstacles, position: Array, forward: Array, count: int, *, reach: float, spread: float = math.pi,
    domain: Domain = SPACE,
) -> Array:  # fmt: skip
    """How near obstacles are along rays around the forward direction: 0 at the reach and beyond, 1 at a touch.

    Args:
        obstacles: The obstacles.
        position, forward: As for `nearest`.
        count: The number of rays.
        reach: Their length [m].
        spread: The angle between the first and the last [rad].
        domain: The space.

    Returns:
        Shape (n, k, count), from the right to the left.
    """
    angles = np.linspace(-spread / 2, spread / 2, count) if count > 1 else np.zeros(1)
    c, s = np.cos(angles), np.sin(angles)
    x, y = forward[..., None, 0], forward[..., None, 1]
    ways = np.stack([x * c - y * s, x * s + y * c], axis=-1)
    origins = np.broadcast_to(position[:, :, None], ways.shape)
    hits = obstacles.cast(origins.reshape(-1, 2), ways.reshape(-1, 2), reach, domain).distance
    return np.asarray(1.0 - np.minimum(hits, reach) / reach).reshape(ways.shape[:-1])


def along(path: Path, position: Array, forward: Array, *, reach: float) -> Array:
    """The frame of a path: how far beside it a vehicle is, and where the path leads, in the own frame.

    Args:
        path: The path.
        position, forward: As for `nearest`.
        reach: The unit of length [m].

    Returns:
        Shape (n, k, 4): the way to the nearest point of the path, and the direction of the path there.
    """
    s = path.project(position.reshape(-1, 2)).s
    point, way = path.point_at(s).reshape(position.shape), path.tangent_at(s).reshape(position.shape)
    return np.concatenate([turned(point - position, forward) / reach, turned(way, forward)], axis=-1)

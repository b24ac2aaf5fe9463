"""Orientation: conversion of arguments of users to unit vectors, and of these to matrices and quaternions.

The axes of a body are forward, left and up. A vehicle that faces along x, with z upwards, has the identity as its matrix and
(1, 0, 0, 0) as its quaternion.
"""

from functools import cache
from typing import Any

import numpy as np

from steersman.core.maths.frames import frame_of, rotation_matrices, unit_rows
from steersman.core.parameters.arrays import as_scalars, frozen
from steersman.core.typing import Array
from steersman.core.vehicles.columns import as_vectors


def frames(velocity: Array, forward: Any, up: Any, heading: Any) -> tuple[Array, Array | None]:
    """Unit vectors `forward`, shape (n, d), and `up`, shape (n, 3) or None, of n vehicles.

    Raises:
        ValueError: Forward is zero or given twice.
    """
    (n, d), dtype = velocity.shape, velocity.dtype
    if heading is not None:
        if d != 2 or forward is not None:
            raise ValueError("heading is for 2D vehicles, and instead of forward: give one of the two")
        angle = as_scalars("heading", heading, n, dtype, low=None, above=None, unit="rad")
        forward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if up is not None and d != 3:
        raise ValueError(f"up is for 3D vehicles; these have {d} dimensions")
    facing = None if forward is None else as_vectors("forward", forward, n, d, dtype)
    if facing is not None and not np.all(np.any(facing != 0, axis=1)):
        raise ValueError("forward must not be the zero vector")
    direction = velocity if facing is None else facing
    desired_up = None if d == 2 else as_vectors("up", (0.0, 0.0, 1.0) if up is None else up, n, d, dtype)
    return frame_of(direction, desired_up)


@cache
def frames_at_rest(dimensions: int, dtype: "np.dtype[Any]") -> tuple[Array, Array | None]:
    """The frame of a vehicle at rest without a given direction: arrays of shape (1, d), read-only."""
    forward, up = frames(np.zeros((1, dimensions), dtype), None, None, None)
    return frozen(forward), None if up is None else frozen(up)


def matrices_of(forward: Array, up: Array | None) -> Array:
    """Rotation matrices, shape (n, d, d): their columns are forward, left and, in 3D, up."""
    if up is None:
        left = np.stack([-forward[:, 1], forward[:, 0]], axis=1)
        return np.stack([forward, left], axis=2)
    return np.stack([forward, np.cross(up, forward), up], axis=2)


def quaternions_of(matrices: Array) -> Array:
    """Unit quaternions (w, x, y, z) with w >= 0 of 3D rotation matrices, shape (n, 4).

    The largest component is found first, so that nothing is divided by a small number.
    """
    m = matrices
    x, y, z = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    xy, xz, yz = m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1]
    wx, wy, wz = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    # Row k is four times component k, times the quaternion.
    rows = np.stack(
        [
            np.stack([1 + x + y + z, wx, wy, wz], axis=1),
            np.stack([wx, 1 + x - y - z, xy, xz], axis=1),
            np.stack([wy, xy, 1 - x + y - z, yz], axis=1),
            np.stack([wz, xz, yz, 1 - x - y + z], axis=1),
        ],
        axis=1,
    )
    largest = np.argmax(np.stack([rows[:, k, k] for k in range(4)], axis=1), axis=1)
    quaternion = unit_rows(rows[np.arange(len(rows)), largest])
    return np.where(quaternion[:, :1] < 0, -quaternion, quaternion)


def axes_of(quaternion: Array) -> tuple[Array, Array]:
    """Forward and up, shape (n, 3) each, of quaternions (w, x, y, z) of any length but zero, shape (n, 4)."""
    matrices = rotation_matrices(unit_rows(quaternion))
    return matrices[:, :, 0], matrices[:, :, 2]

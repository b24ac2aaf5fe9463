"""Hulls: the parts of all obstacles in one form, as convex bodies, to be kept clear of as a whole.

A hull is a box with rounded edges (a wall is a box without a width, a capsule a rounded one, a sphere one without a size)
or a triangle. All that is asked of one is its nearest point, and how far it reaches in a direction: its support.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.box_tree import Boxed, boxed
from steersman.core.maths.frames import unit_rows
from steersman.core.typing import Array


class Hulls(NamedTuple):
    """Convex bodies for kernels.

    Attributes:
        parts: The tree. Rows of boxes: center, half extents, axes one after the other, how far they are rounded; rows of
            triangles begin with three corners.
        triangles: Whether they are triangles.
        hollow: Whether they are surfaces, which stand in the way on both sides, and not solid bodies.
    """

    parts: Boxed
    triangles: bool
    hollow: bool


def rounded_boxes(
    center: Array, half: Array, axes: Array, radius: Any, dtype: Any, side: int, *, hollow: bool = False
) -> Hulls:
    """Hulls out of boxes.

    Args:
        center: Their middles [m], shape (m, d).
        half: Half extents [m], shape (m, d).
        axes: Their axes as rows, shape (m, d, d).
        radius: How far they are rounded [m], shape (m,) or a number.
        dtype: The floating-point type of the kernels.
        side: From where they are seen.
        hollow: See Hulls.
    """
    m, d = center.shape
    around = np.broadcast_to(radius, m)
    extent = np.einsum("mi,mij->mj", half, np.abs(axes)) + around[:, None]
    rows = np.column_stack([center, half, axes.reshape(m, d * d), around])
    return Hulls(boxed(rows, center - extent, center + extent, dtype, side), False, hollow)


def rounded_segments(a: Array, b: Array, radius: Any, dtype: Any, side: int, *, hollow: bool = False) -> Hulls:
    """Hulls out of segments from a to b [m], shape (m, d); see `rounded_boxes`."""
    half = np.zeros_like(a)
    half[:, 0] = 0.5 * np.linalg.norm(b - a, axis=1)
    return rounded_boxes(0.5 * (a + b), half, axes_along(b - a), radius, dtype, side, hollow=hollow)


def axes_along(way: Array) -> Array:
    """Axes as rows, of which the first leads along a way, shape (m, d) -> (m, d, d)."""
    d = way.shape[1]
    first = unit_rows(way)
    first[~first.any(axis=1), 0] = 1.0
    if d == 2:
        return np.stack([first, np.stack([-first[:, 1], first[:, 0]], axis=1)], axis=1)
    least = np.eye(3)[np.argmin(np.abs(first), axis=1)]
    second = unit_rows(np.cross(first, least))
    return np.stack([first, second, np.cross(first, second)], axis=1)


def faces_of_boxes(center: Array, half: Array, axes: Array, dtype: Any, side: int) -> Hulls:
    """Hulls out of the faces of boxes, two for each axis; see `rounded_boxes`."""
    d = center.shape[1]
    middles, extents = [], []
    for axis in range(d):
        flat = half.copy()
        flat[:, axis] = 0
        for sign in (-1.0, 1.0):
            middles.append(center + sign * half[:, axis, None] * axes[:, axis])
            extents.append(flat)
    every = np.tile(axes, (2 * d, 1, 1))
    return rounded_boxes(np.concatenate(middles), np.concatenate(extents), every, 0.0, dtype, side, hollow=True)

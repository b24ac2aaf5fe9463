"""Local frames: forward, side and, in 3D, up. Reynolds 1999, "A Simple Vehicle Model".

    side = unit(forward x up)        to the right of the vehicle
    up   = side x forward

(The paper's other order, up = forward x side, would turn `up` over at every step.) In 2D `up` is the constant normal of
the plane, toward the viewer, and is written as the empty tuple; side is then (fy, -fx).
"""

from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import TINY, add, cross, dot, normalize, perpendicular, scale
from steersman.core.typing import Array, Columns, Vector

PARALLEL = np.float32(1e-6)
"""Squared sine of the angle up to which `up` counts as parallel to `forward` (a milliradian)."""


@kernel
def realign(forward: Vector, up: Vector) -> Vector:
    """The unit vector perpendicular to `forward` that is nearest to the old `up`.

    Args:
        forward: Unit vector.
        up: Old up direction, of any length. If it is zero (shorter than 3e-19) or nearly parallel to forward, the result is
            `perpendicular(forward)`. Empty in 2D.

    Returns:
        The new up; empty in 2D.
    """
    if len(forward) == 2:
        return up
    side = cross(forward, up)
    s2 = dot(side, side)
    if s2 <= PARALLEL * dot(up, up) or s2 < TINY:
        return perpendicular(forward)
    return cross(normalize(side), forward)


@kernel
def up_at(up: Columns, i: int) -> Vector:
    """Row i of the up columns; the empty tuple in 2D."""
    if len(up) == 3:
        return (up[0][i], up[1][i], up[2][i])
    return ()


@kernel
def realign_row(up: Columns, i: int, forward: Vector) -> None:
    """Make row i of the up columns perpendicular to its new forward; in 2D there is nothing to do."""
    if len(up) == 3:
        up[0][i], up[1][i], up[2][i] = realign(forward, (up[0][i], up[1][i], up[2][i]))


@kernel
def side_of(forward: Vector, up: Vector) -> Vector:
    """The side direction, to the right: forward x up. `up` is empty in 2D, and perpendicular to forward in 3D."""
    if len(forward) == 2:
        return (forward[1], -forward[0])
    return cross(forward, up)


@kernel
def to_local(offset: Vector, forward: Vector, up: Vector) -> Vector:
    """Local components of a world vector [any unit]: (forward, side) in 2D, (forward, up, side) in 3D."""
    side = side_of(forward, up)
    if len(forward) == 2:
        return (dot(offset, forward), dot(offset, side))
    return (dot(offset, forward), dot(offset, up), dot(offset, side))


@kernel
def to_global(local: Vector, forward: Vector, up: Vector) -> Vector:
    """World vector of local components (forward, side) or (forward, up, side): the inverse of `to_local`."""
    side = side_of(forward, up)
    if len(forward) == 2:
        return add(scale(forward, local[0]), scale(side, local[1]))
    return add(add(scale(forward, local[0]), scale(up, local[1])), scale(side, local[2]))


def frame_of(direction: Array, up: Array | None = None) -> tuple[Array, Array | None]:
    """Frames of many vehicles, from the directions they face.

    Args:
        direction: Finite directions of any length, shape (n, d). A zero direction stands for the x axis.
        up: Finite wanted up directions of any length, shape (n, 3), made perpendicular as `realign` does; None in 2D.

    Returns:
        Unit vectors `forward`, shape (n, d), and `up`, shape (n, 3) or None, as new arrays in the dtype of `direction`.
    """
    forward = unit_rows(direction)
    forward[~forward.any(axis=1), 0] = 1
    if up is None:
        return forward, None
    desired_up = unit_rows(np.asarray(up, dtype=direction.dtype))
    side = np.cross(forward, desired_up)
    lost = np.sum(side * side, axis=1) <= PARALLEL * np.sum(desired_up * desired_up, axis=1)
    realigned = np.cross(unit_rows(side), forward)
    if lost.any():
        least = np.eye(3, dtype=direction.dtype)[np.argmin(np.abs(forward[lost]), axis=1)]
        realigned[lost] = unit_rows(np.cross(forward[lost], least))
    return forward, realigned


ROUNDING = 8
"""The largest error of the square of a unit vector, in units in the last place."""


def unit_rows(rows: Array) -> Array:
    """Unit vectors along the rows, shape (n, d), in their dtype; zero rows stay zero.

    Every row is scaled by a power of two first, so that squaring neither overflows nor underflows.
    """
    largest = np.max(np.abs(rows), axis=1, keepdims=True, initial=0)
    scaled = np.ldexp(rows, -np.frexp(largest)[1])
    size: Any = np.sqrt(np.sum(scaled * scaled, axis=1, keepdims=True))
    result: Array = scaled / np.where(size == 0, size.dtype.type(1), size)
    return result


def as_units(rows: Array) -> Array:
    """Unit vectors along the rows, shape (n, d). Rows that are unit vectors, to rounding, are returned unchanged."""
    off: Any = np.abs(np.sum(rows * rows, axis=1, keepdims=True) - 1)
    return np.where(off <= ROUNDING * np.finfo(rows.dtype).eps, rows, unit_rows(rows))


def rotation_matrices(quaternion: Array) -> Array:
    """The rotation matrices of unit quaternions (w, x, y, z), shape (m, 4): shape (m, 3, 3); or of one, shape (4,)."""
    w, x, y, z = np.moveaxis(quaternion, -1, 0)
    matrix = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    return np.asarray(np.moveaxis(matrix, (0, 1), (-2, -1)))

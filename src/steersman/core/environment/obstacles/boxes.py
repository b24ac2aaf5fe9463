"""Boxes: oriented boxes, rectangles in 2D.

A ball touches a face where its center touches that of a box made larger by the radius, and otherwise an edge or a corner,
where its center comes within the radius of a segment or a point. Both are exact.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.environment.box_tree import Boxed, boxed
from steersman.core.environment.obstacles.box_contact import (
    distance_from_straight_box,
    from_box,
    to_box,
    touch_straight_box,
)
from steersman.core.environment.obstacles.hulls import Hulls, faces_of_boxes, rounded_boxes
from steersman.core.environment.obstacles.obstacle_set import Kernels, Solids
from steersman.core.environment.obstacles.searching import Ball
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.frames import rotation_matrices
from steersman.core.maths.vectors import subtract, vector_of
from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.kinds import POINTS, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Vector


def as_halves(name: str, value: Any, centers: Array) -> Array:
    """Half extents [m] of boxes around some centers: for all, or for each; shape (m, d), read-only."""
    m, d = centers.shape
    halves = as_floats(name, value, np.float64)
    if halves.shape not in ((), (d,), (m, d)):
        raise ValueError(
            f"{name} must be a number or have shape ({d},) or ({m}, {d}), of half extents, got {halves.shape}"
        )
    if np.any(halves < 0):
        raise ValueError(f"{name} must be >= 0 m, as half extents, got {halves.min()}")
    return frozen(np.array(np.broadcast_to(halves, (m, d))))


HALVES = Kind("points", "a number, a vector (d,) or vectors (m, d)", as_halves, like=POINTS)
ORIENTATIONS = Kind("orientations", "one or several angles, matrices or quaternions")


@dataclass(frozen=True, eq=False)
class Boxes(Solids):
    """Oriented boxes, rectangles in 2D. Copied, and read-only from then on.

    Args:
        center: Centers [m], shape (m, d), or (d,) for one.
        size: Half extents along each box's own axes [m], >= 0, shape (m, d), or (d,) or a number for all: a box of 4 m by 2 m
            has [2, 1]. (The size of a Box, the domain or region, is its whole lengths.)
        orientation: How they are turned. In 2D angles [rad], counterclockwise, shape (m,) or one for all; in 3D rotation
            matrices (columns are the box's axes), shape (m, 3, 3) or (3, 3), or unit quaternions w, x, y, z, shape
            (m, 4) or (4,). Default: along the axes of space.
        seen_from: From which side they are obstacles: "outside", "inside" (a room) or "both".

    Raises:
        ValueError: A matrix is no rotation.
    """

    center: Any = parameter(kind=POINTS, positional=True, unit="m")
    size: Any = parameter(1.0, kind=HALVES, of="center", positional=True, unit="m")
    orientation: Any = parameter(None, kind=ORIENTATIONS, positional=True, optional=True)

    def validate(self) -> None:
        """Convert the orientation to rotation matrices (m, d, d), and set the default of `seen_from`."""
        self._put(orientation=frozen(rotations(self.orientation, *self.center.shape)))
        self.settle_side()

    @property
    def corners(self) -> Array:
        """The corners [m], shape (m, 2^d, d); in 2D in order around the rectangle."""
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        if self.dimensions == 3:
            signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij"), axis=-1).reshape(8, 3)
        local = signs * self.size[:, None, :]
        turned = np.einsum("mij,mcj->mci", self.orientation, local)
        return np.asarray(self.center[:, None, :] + turned)

    def bounding_spheres(self) -> tuple[Array, Array]:
        """The spheres through the corners."""
        return np.asarray(self.center), np.linalg.norm(self.size, axis=1)

    def parts(self, dtype: Any) -> Boxed:
        """The boxes for kernels: rows of center, half extents, and the box's axes one after the other."""
        axes = np.swapaxes(self.orientation, 1, 2).reshape(len(self), self.dimensions**2)
        rows, corners = np.column_stack([self.center, self.size, axes]), self.corners
        return boxed(rows, corners.min(axis=1), corners.max(axis=1), dtype, self.side)

    def hulls(self, dtype: Any) -> Hulls:
        """The boxes as hulls; if they are seen from inside, their faces."""
        axes = np.swapaxes(self.orientation, 1, 2)
        if self.seen_from == "outside":
            return rounded_boxes(np.asarray(self.center), self.size, axes, 0.0, dtype, self.side)
        return faces_of_boxes(np.asarray(self.center), self.size, axes, dtype, self.side)

    @property
    def kernels(self) -> Kernels:
        """The kernels of boxes; the box of the first contact is the obstacle in the way."""
        return Kernels(touch_box, distance_from_box)


def rotations(orientation: Any, m: int, d: int) -> Array:
    """Rotation matrices of m boxes, shape (m, d, d)."""
    if orientation is None:
        return np.array(np.broadcast_to(np.eye(d), (m, d, d)))
    values = as_floats("orientation", orientation, np.float64)
    if values.shape in ((d, d), (m, d, d)):
        matrices = np.array(np.broadcast_to(values, (m, d, d)))
        product = np.einsum("mij,mkj->mik", matrices, matrices)
        if not np.allclose(product, np.eye(d), atol=1e-6) or np.any(np.linalg.det(matrices) < 0):
            raise ValueError(
                "orientation must consist of rotation matrices; their columns are unit vectors at right angles"
            )
        return matrices
    if d == 2 and values.shape in ((), (m,)):
        c, s = np.cos(values), np.sin(values)
        return np.array(np.broadcast_to(np.moveaxis(np.array([[c, -s], [s, c]]), (0, 1), (-2, -1)), (m, 2, 2)))
    if d == 3 and values.shape in ((4,), (m, 4)):
        size = np.linalg.norm(values, axis=-1, keepdims=True)
        worst = size.ravel()[np.argmax(np.abs(size - 1))] if m else 1.0
        if abs(worst - 1) > 1e-3:
            raise ValueError(f"orientation must consist of unit quaternions, got one of length {worst:g}")
        return np.array(np.broadcast_to(rotation_matrices(values / size), (m, 3, 3)))
    expected = f"({m},) of angles" if d == 2 else f"({m}, 3, 3) of matrices or ({m}, 4) of quaternions"
    raise ValueError(f"orientation must have shape {expected}, or that of one for all, got {values.shape}")


@kernel
def touch_box(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a box [m], and the normal there."""
    place = to_box(rows, k, subtract(ball.place, vector_of(rows, k, 0, ball.place)))
    forward, half = to_box(rows, k, ball.forward), vector_of(rows, k, len(place), place)
    distance, normal = touch_straight_box(place, forward, half, ball.radius, side)
    return distance, from_box(rows, k, normal)


@kernel
def distance_from_box(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a box is, the signed distance from it [m], and the direction in which that grows."""
    local = to_box(rows, k, subtract(place, vector_of(rows, k, 0, place)))
    distance, normal = distance_from_straight_box(local, vector_of(rows, k, len(place), place))
    return distance, distance, from_box(rows, k, normal)

"""Capsules: all that is no farther from a segment than a radius: pillars, logs, thick walls."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.environment.box_tree import INSIDE, OUTSIDE, Boxed, boxed
from steersman.core.environment.obstacles.contact import BLUR, never, touch_segment
from steersman.core.environment.obstacles.hulls import Hulls, rounded_segments
from steersman.core.environment.obstacles.obstacle import RADII
from steersman.core.environment.obstacles.obstacle_set import Kernels, Solids
from steersman.core.environment.obstacles.searching import Ball
from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import unit_rows
from steersman.core.parameters.kinds import POINTS
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Vector


@dataclass(frozen=True, eq=False)
class Capsules(Solids):
    """Thick segments with round ends. Copied, and read-only from then on.

    Args:
        a: Where the segments begin [m], shape (m, d), or (d,) for one.
        b: Where they end [m], of the same shape; a capsule of length zero is a sphere.
        radius: Radii [m], >= 0, shape (m,) or one for all. Larger ones are given more room.
    """

    a: Any = parameter(kind=POINTS, positional=True, unit="m")
    b: Any = parameter(kind=POINTS, positional=True, unit="m")
    radius: Any = parameter(1.0, kind=RADII, of="a", positional=True, unit="m")

    def validate(self) -> None:
        """Check that segments end which begin, and settle from which side they are seen."""
        if self.a.shape != self.b.shape:
            raise ValueError(f"b must have shape {self.a.shape} like a, got {self.b.shape}")
        self.settle_side()

    def bounding_spheres(self) -> tuple[Array, Array]:
        """The spheres that touch both ends."""
        return 0.5 * (self.a + self.b), 0.5 * np.linalg.norm(self.b - self.a, axis=1) + self.radius

    def parts(self, dtype: Any) -> Boxed:
        """The capsules for kernels: rows of start, unit vector, length and radius."""
        way, around = self.b - self.a, self.radius[:, None]
        rows = np.column_stack([self.a, unit_rows(way), np.linalg.norm(way, axis=1), self.radius])
        low, high = np.minimum(self.a, self.b) - around, np.maximum(self.a, self.b) + around
        return boxed(rows, low, high, dtype, self.side)

    def hulls(self, dtype: Any) -> Hulls:
        """Rounded segments."""
        return rounded_segments(self.a, self.b, self.radius, dtype, self.side)

    @property
    def kernels(self) -> Kernels:
        """The first contact decides which capsule stands in the way."""
        return Kernels(touch_capsule, distance_from_capsule)


@kernel
def touch_capsule(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a capsule [m], and the normal there."""
    place, forward, d = ball.place, ball.forward, len(ball.place)
    way, tangent = v.subtract(place, v.vector_of(rows, k, 0, place)), v.vector_of(rows, k, d, place)
    size, thickness = rows[k, 2 * d], rows[k, 2 * d + 1]
    s = min(max(v.dot(way, tangent), v.ZERO), size)
    off = v.add_scaled(way, tangent, -s)
    if v.dot(off, off) >= thickness * thickness:
        if side == INSIDE:
            return never(forward)
        distance, _, normal = touch_segment(way, forward, tangent, size, thickness + ball.radius)
        if v.dot(normal, normal) == v.ZERO:
            return distance, v.scale(forward, -v.ONE)
        return distance, normal
    if side == OUTSIDE:
        return never(forward)
    return leave_capsule(way, forward, tangent, size, thickness - ball.radius)


@kernel
def leave_capsule(way: Vector, forward: Vector, tangent: Vector, size: Any, room: Any) -> tuple[Any, Vector]:
    """When a point comes as far as `room` from a segment [m], from inside: as if it came back from far outside."""
    far = v.TWO * (size + abs(room) + math.sqrt(v.dot(way, way)))
    back, _, _ = touch_segment(
        v.add_scaled(way, forward, far), v.scale(forward, -v.ONE), tangent, size, max(room, v.ZERO)
    )
    distance = max(far - back, v.ZERO)
    there = v.add_scaled(way, forward, distance)
    inward = v.add_scaled(v.scale(there, -v.ONE), tangent, min(max(v.dot(there, tangent), v.ZERO), size))
    return distance, v.direction_or(inward, v.length(way), v.scale(forward, -v.ONE))


@kernel
def distance_from_capsule(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a capsule is, the signed distance from it [m], and the direction in which that grows."""
    d = len(place)
    way, tangent = v.subtract(place, v.vector_of(rows, k, 0, place)), v.vector_of(rows, k, d, place)
    off = v.add_scaled(way, tangent, -min(max(v.dot(way, tangent), v.ZERO), rows[k, 2 * d]))
    distance = math.sqrt(v.dot(off, off)) - rows[k, 2 * d + 1]
    return distance, distance, off_axis(off, v.length(way), tangent)


@kernel
def off_axis(off: Vector, size: Any, tangent: Vector) -> Vector:
    """The unit vector along `off`; on the axis, one perpendicular to it; in a sphere's center, the first axis.

    `size` is the length of the vectors that `off` was computed from [m].
    """
    none = off[0] * v.ZERO
    beside = (v.ONE + none, none) if len(off) == 2 else (v.ONE + none, none, none)
    if v.dot(tangent, tangent) > v.ZERO:
        beside = v.perpendicular(tangent)
    return v.direction_or(off, BLUR * size, beside)

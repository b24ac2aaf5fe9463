"""Sphere: a ball to stay in, or a planet to walk on; in 2D a disc."""

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.regions.region import Region
from steersman.core.environment.shape import SurfaceProjection, keep_foot
from steersman.core.environment.surface import Ground, Surface, foot_of, place_on_surface
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, TINY, ZERO, add_scaled, dot, load, scale, store, subtract
from steersman.core.parameters.kinds import VECTOR
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector


@kernel
def first_axis(like: Vector) -> Vector:
    """The unit vector along x."""
    none = like[0] * ZERO
    if len(like) == 2:
        return (none + ONE, none)
    return (none + ONE, none, none)


@kernel
def point_of(numbers: Array, row: int, like: Vector) -> Vector:
    """A row of numbers as a vector."""
    if len(like) == 2:
        return (numbers[row, 0], numbers[row, 1])
    return (numbers[row, 0], numbers[row, 1], numbers[row, 2])


@kernel
def outward(way: Vector) -> Vector:
    """The unit vector along a way from the center; along x at the center itself."""
    n2 = dot(way, way)
    if n2 < TINY:
        return first_axis(way)
    return scale(way, ONE / math.sqrt(n2))


@row_kernel
def foot_on_sphere(i: int, points: Columns, center: Array, radius: Array, foot: SurfaceProjection) -> None:
    """The nearest points of a sphere."""
    place = load(points, i)
    way = subtract(place, point_of(center, 0, place))
    foot.distance[i] = math.sqrt(dot(way, way)) - radius[0]
    store(foot.normal, i, outward(way))


@row_kernel
def leave_sphere(
    i: int, origin: Columns, points: Columns, center: Array, radius: Array, foot: SurfaceProjection,
    leaving: SurfaceProjection,
) -> None:  # fmt: skip
    """Where ways leave a sphere: |from + t (to - from)| = radius."""
    keep_foot(i, foot, leaving)
    if foot.distance[i] <= ZERO:
        return
    here, there = load(origin, i), load(points, i)
    begin, way = subtract(here, point_of(center, 0, here)), subtract(there, here)
    a, b = dot(way, way), dot(begin, way)
    c = dot(begin, begin) - radius[0] * radius[0]
    if c <= ZERO and a > ZERO:
        t = min((math.sqrt(max(b * b - a * c, ZERO)) - b) / a, ONE)
        normal = outward(add_scaled(begin, way, t))
        leaving.distance[i] = max(dot(way, normal) * (ONE - t), TINY)
        store(leaving.normal, i, normal)


@final
@dataclass(frozen=True, eq=False)
class Sphere(Region, Surface):
    """A ball as a region, its skin as a surface; a disc and a circle in 2D.

    Args:
        center: The center [m], shape (d,).
        radius: The radius [m], > 0.
    """

    center: Any = parameter(kind=VECTOR, positional=True, unit="m")
    radius: float = parameter(1.0, above=0.0, positional=True, unit="m")

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return len(self.center)

    @property
    def middle(self) -> Array:
        """The center [m]."""
        return np.asarray(self.center)

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner of a box around it [m]."""
        return self.center - self.radius, self.center + self.radius

    @property
    def is_convex(self) -> bool:
        """True."""
        return True

    @property
    def is_sharp(self) -> bool:
        """False."""
        return False

    @property
    def depth(self) -> float:
        """The radius [m]."""
        return float(self.radius)

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """One call."""
        return [Call(foot_on_sphere, (points, *self._numbers(points), foot))]

    def leaving_calls(
        self, origin: Columns, points: Columns, foot: SurfaceProjection, leaving: SurfaceProjection
    ) -> list[Call]:
        """One call."""
        return [Call(leave_sphere, (origin, points, *self._numbers(points), foot, leaving))]

    def project_calls(self, points: Columns, ground: Ground) -> list[Call]:
        """The nearest points."""
        foot = foot_of(points, ground)
        return [*self.foot_calls(points, foot), Call(place_on_surface, (points, foot, ground.position))]

    def _numbers(self, points: Columns) -> tuple[Array, Array]:
        dtype = points[0].dtype
        return np.array([self.center], dtype), np.array([self.radius], dtype)

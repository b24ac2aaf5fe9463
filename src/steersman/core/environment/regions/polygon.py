"""Polygon: a region of the plane with straight edges."""

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.obstacles.outlines import area, check_rings
from steersman.core.environment.regions.region import Region
from steersman.core.environment.shape import SurfaceProjection, keep_foot
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, TINY, ZERO, add_scaled, dot, load, scale, store, subtract
from steersman.core.parameters.arrays import as_points, frozen
from steersman.core.parameters.kinds import POINTS, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector

ROUNDING = 1e-9
"""Cosine of an angle up to which it is a right angle, and sine up to which it is straight."""

START, TANGENT, LENGTH = 0, 2, 4
"""Columns of an edge: where it begins [m], its unit vector, its length [m]. The inside is to its left."""


@kernel
def ray_crosses(edges: Array, k: int, place: Vector) -> bool:
    """Whether a ray to the right crosses edge k, of which one end is above it then, and the other is not."""
    above, end_above = edges[k, 1] > place[1], edges[(k + 1) % edges.shape[0], 1] > place[1]
    side = (place[0] - edges[k, 0]) * edges[k, 3] - (place[1] - edges[k, 1]) * edges[k, 2]
    return bool(above != end_above and (side < ZERO) == (edges[k, 3] > ZERO))


@row_kernel
def foot_on_polygon(i: int, points: Columns, edges: Array, active: Array, foot: SurfaceProjection) -> None:
    """The nearest points of a polygon. `edges`, shape (k, 5): see START, TANGENT, LENGTH."""
    place = load(points, i)
    least, nearest, along, within = ZERO, -1, place[0], False
    for k in range(edges.shape[0]):
        tangent = (edges[k, 2], edges[k, 3])
        way = subtract(place, (edges[k, 0], edges[k, 1]))
        s = min(max(dot(way, tangent), ZERO), edges[k, 4])
        off = add_scaled(way, tangent, -s)
        d2 = dot(off, off)
        if nearest < 0 or d2 < least:
            least, nearest, along = d2, k, s
        if ray_crosses(edges, k, place):
            within = not within
    tangent = (edges[nearest, 2], edges[nearest, 3])
    way = subtract(place, (edges[nearest, 0], edges[nearest, 1]))
    normal = (tangent[1], -tangent[0])
    distance = dot(way, normal)
    if least > ZERO and (along <= ZERO or along >= edges[nearest, 4]):  # The nearest point is a corner.
        distance = math.sqrt(least)
        off = add_scaled(way, tangent, -along)
        if within:
            distance = -distance
        normal = scale(off, ONE / distance)
    foot.distance[i] = distance
    store(foot.normal, i, normal)


@row_kernel
def leave_polygon(
    i: int, origin: Columns, points: Columns, edges: Array, foot: SurfaceProjection, leaving: SurfaceProjection
) -> None:
    """The edges through which ways from inside leave a polygon first, also those that come back in."""
    keep_foot(i, foot, leaving)
    here, within = load(origin, i), False
    way = subtract(load(points, i), here)
    soonest, first = ONE, -1
    for k in range(edges.shape[0]):
        if ray_crosses(edges, k, here):
            within = not within
        tangent = (edges[k, 2], edges[k, 3])
        normal = (tangent[1], -tangent[0])
        toward = dot(way, normal)
        begin = subtract((edges[k, 0], edges[k, 1]), here)
        if toward <= ZERO or dot(begin, normal) < ZERO:
            continue
        t = dot(begin, normal) / toward
        s = dot(subtract(scale(way, t), begin), tangent)
        if t < soonest and ZERO <= s <= edges[k, 4]:
            soonest, first = t, k
    if first >= 0 and (within or soonest == ZERO):  # At once: it begins on the boundary.
        normal = (edges[first, 3], -edges[first, 2])
        leaving.distance[i] = max(dot(way, normal) * (ONE - soonest), TINY)
        store(leaving.normal, i, normal)


def as_corners(name: str, value: Any) -> Array:
    """The corners of a polygon [m], shape (k, 2), its inside to the left; read-only."""
    points = as_points(name, value, np.float64, 2)
    points = points[np.any(points != np.roll(points, 1, axis=0), axis=1)]
    if len(points) < 3:
        raise ValueError(f"{name} must be at least 3 different corners, got {len(points)}")
    check_rings([points])
    return frozen(points if area(points) > 0 else points[::-1].copy())


CORNERS = Kind("points", "points (k, 2)", as_corners, like=POINTS)


@final
@dataclass(frozen=True, eq=False)
class Polygon(Region):
    """A simple polygon in the plane: a floor, a meadow, a rink.

    Args:
        points: Corners in order, either way round [m], shape (k, 2), k >= 3. The first need not be repeated at the end.

    Raises:
        ValueError: There are fewer than 3 different corners, or edges cross or touch.
    """

    points: Any = parameter(kind=CORNERS, positional=True, unit="m")

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    @property
    def middle(self) -> Array:
        """The middle of its bounds [m]."""
        low, high = self.bounds
        return np.asarray((low + high) / 2)

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner of a box around it [m]."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def area(self) -> float:
        """Its area [m^2]."""
        return area(self.points) / 2

    @property
    def is_convex(self) -> bool:
        """Whether there is no dent."""
        return bool(np.all(self._turns()[0] >= -ROUNDING))

    @property
    def is_sharp(self) -> bool:
        """Whether there is a corner of less than a right angle."""
        sine, cosine = self._turns()
        return bool(np.any((sine > 0) & (cosine < -ROUNDING)))

    def _turns(self) -> tuple[Array, Array]:
        """Sines and cosines of the angles by which the boundary turns to the left at each corner, shape (k,) each."""
        sides = np.roll(self.points, -1, axis=0) - self.points
        sides /= np.hypot(sides[:, 0], sides[:, 1])[:, None]
        following = np.roll(sides, -1, axis=0)
        return sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0], np.sum(sides * following, axis=1)

    @property
    def depth(self) -> float:
        """Area over perimeter [m]: the deepest point inside is at least so far from the boundary."""
        sides = np.roll(self.points, -1, axis=0) - self.points
        return self.area / float(np.hypot(sides[:, 0], sides[:, 1]).sum())

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """One call."""
        return self.some_foot_calls(points, foot, np.ones(len(points[0]), np.uint8))

    def some_foot_calls(self, points: Columns, foot: SurfaceProjection, active: Array) -> list[Call]:
        """One call."""
        return [Call(foot_on_polygon, (points, self._edges(points), active, foot))]

    def leaving_calls(
        self, origin: Columns, points: Columns, foot: SurfaceProjection, leaving: SurfaceProjection
    ) -> list[Call]:
        """One call."""
        return [Call(leave_polygon, (origin, points, self._edges(points), foot, leaving))]

    def _edges(self, points: Columns) -> Array:
        sides = np.roll(self.points, -1, axis=0) - self.points
        size = np.hypot(sides[:, 0], sides[:, 1])
        return np.column_stack([self.points, sides / size[:, None], size]).astype(points[0].dtype)

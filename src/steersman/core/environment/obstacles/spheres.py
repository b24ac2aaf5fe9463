"""Spheres: round obstacles, circles in 2D.

The sphere in the way of a ball is chosen as in Reynolds 1999, "Obstacle avoidance": the obstacles are made larger by
the vehicle's radius, and the one whose surface the axis crosses first counts. A vehicle leaves a sphere whose center is
not ahead.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.box_tree import INSIDE, OUTSIDE, Boxed, boxed
from steersman.core.environment.obstacles.answers import Sight
from steersman.core.environment.obstacles.contact import leave_ball, touch_ball
from steersman.core.environment.obstacles.hulls import Hulls, rounded_segments
from steersman.core.environment.obstacles.obstacle import RADII
from steersman.core.environment.obstacles.obstacle_set import Kernels, Solids
from steersman.core.environment.obstacles.searching import Ball, search_along
from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.parameters.arrays import as_points, columns_of, frozen
from steersman.core.parameters.kinds import POINTS, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector


def as_centers(name: str, value: Any) -> Array:
    """Points [m], shape (m, d), read-only; none where the shape says of how many dimensions."""
    if np.size(value) == 0 and np.ndim(value) < 2:
        raise ValueError(f"{name} must have shape (m, 2) or (m, 3), got no points; np.empty((0, 2)) is none in 2D")
    return frozen(as_points(name, value, np.float64))


CENTERS = Kind("points", "points (m, d)", as_centers, like=POINTS)


@dataclass(frozen=True, eq=False)
class Spheres(Solids):
    """Round obstacles: spheres in 3D, circles in 2D. Copied, and read-only from then on.

    Args:
        center: Centers [m], shape (m, d), or (d,) for one.
        radius: Radii [m], >= 0, shape (m,) or one for all. Larger ones are given more room.
        seen_from: From which side they are obstacles: "outside", "inside" (round tanks) or "both".
    """

    center: Any = parameter(kind=CENTERS, positional=True, unit="m")
    radius: Any = parameter(1.0, kind=RADII, of="center", positional=True, unit="m")

    def validate(self) -> None:
        """Set the default of `seen_from`."""
        self.settle_side()

    def bounding_spheres(self) -> tuple[Array, Array]:
        """The spheres themselves."""
        return np.asarray(self.center), np.asarray(self.radius)

    def columns(self, dtype: Any) -> "SphereColumns":
        """The spheres as columns, in the dtype of the vehicles."""
        return SphereColumns(columns_of(self.center, dtype), np.array(self.radius, dtype))

    def parts(self, dtype: Any) -> Boxed:
        """The spheres for kernels, in the dtype of the vehicles: rows of center and radius."""
        around = self.radius[:, None]
        rows = np.column_stack([self.center, self.radius])
        return boxed(rows, self.center - around, self.center + around, dtype, self.side)

    def hulls(self, dtype: Any) -> Hulls:
        """Rounded points."""
        center = np.asarray(self.center)
        return rounded_segments(center, center, self.radius, dtype, self.side)

    @property
    def kernels(self) -> Kernels:
        """The kernels of spheres; the rule of the paper chooses the obstacle in the way."""
        return Kernels(touch_sphere, distance_from_sphere, search_along(sweep_sphere, keep_sight))


class SphereColumns(NamedTuple):
    """Spheres as columns: d arrays of centers [m] and one of radii [m], each of shape (m,)."""

    center: Columns
    radius: Array


@kernel
def sweep_sphere(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Any, Any, Vector]:
    """Where the paper's cylinder meets a sphere [m]: where that crosses the axis, where it begins, its room; the way there.

    Spheres are ordered by where they cross the axis in front: where they begin, or, for one that the ball overlaps
    already, where it ends. The nearest image of a sphere counts.
    """
    home, forward, reach = ball.home, ball.forward, ball.reach
    offset = v.difference(v.vector_of(rows, k, 0, home), home, wrap)
    ahead, room = v.dot(offset, forward), rows[k, len(home)] + ball.radius
    if ahead <= v.ZERO or ahead - room > reach:
        return v.INFINITE + room, room, room, offset
    aside = v.lateral(offset, forward)
    half_chord2 = room * room - v.dot(aside, aside)
    if half_chord2 < v.ZERO:
        return v.INFINITE + room, room, room, offset
    half_chord = math.sqrt(half_chord2)
    begin = ahead - half_chord
    if begin > reach:
        return v.INFINITE + room, room, room, offset
    return begin if begin >= v.ZERO else ahead + half_chord, max(begin, v.ZERO), room, offset


@kernel
def keep_sight(sight: Sight, i: int, contact: tuple[Any, Any, Any, Vector], far: Any, which: int) -> None:
    """Keep a sphere that is met before the best so far; of two that are met at the same time, the one of the lower number."""
    crossing, touch, room, offset = contact
    if crossing < v.INFINITE:
        sight.free[i] = min(sight.free[i], touch)
    if crossing < sight.order[i] or (crossing == sight.order[i] and which < sight.which[i]):
        sight.order[i], sight.touch[i] = crossing, touch
        sight.room[i], sight.bend[i], sight.which[i] = room, room, which
        v.store(sight.away, i, v.scale(offset, -v.ONE))


@kernel
def touch_sphere(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a sphere [m], and the normal there."""
    way, size = v.subtract(ball.place, v.vector_of(rows, k, 0, ball.place)), rows[k, len(ball.place)]
    if v.dot(way, way) >= size * size:
        if side == INSIDE:
            return v.INFINITE + size, ball.forward
        return touch_ball(way, ball.forward, size + ball.radius)
    if side == OUTSIDE:
        return v.INFINITE + size, ball.forward
    return leave_ball(way, ball.forward, size - ball.radius)


@kernel
def distance_from_sphere(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a sphere is, the signed distance from it [m], and the direction in which that grows."""
    way = v.subtract(place, v.vector_of(rows, k, 0, place))
    distance = math.sqrt(v.dot(way, way)) - rows[k, len(place)]
    return distance, distance, v.normalize(way)

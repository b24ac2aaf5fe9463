"""Spheres: round obstacles, circles in 2D.

What stands in the way of a ball is decided as in Reynolds 1999, "Obstacle avoidance": the obstacles are made larger by the
vehicle's radius, and the one whose surface the axis crosses first counts. One whose center is not ahead is being left.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.box_tree import (
    INSIDE,
    OUTSIDE,
    Boxed,
    boxed,
    count_of,
    first_row,
    image,
    images_ahead,
    images_near,
    inverse_of,
    limited,
    next_leaf_along,
    next_leaf_near,
)  # fmt: skip
from steersman.environment.obstacles.contact import keep_hit, keep_nearest, leave_ball, touch_ball
from steersman.environment.obstacles.hulls import Hulls, rounded_segments
from steersman.environment.obstacles.obstacle import (
    RADII,
    Hits,
    Kernels,
    Nearest,
    Rays,
    Sight,
    Solids,
    as_obstacles,
)
from steersman.geometry.arrays import as_points, columns_of, frozen
from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import POINTS, Kind
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import (
    INFINITE,
    ONE,
    ZERO,
    Array,
    Columns,
    Vector,
    difference,
    dot,
    lateral,
    load,
    normalize,
    scale,
    store,
    subtract,
)  # fmt: skip


def as_centers(name: str, value: Any) -> Array:
    """Points [m], shape (m, d), read-only; none where the shape says of how many dimensions.

    Raises:
        TypeError: They are no numbers.
        ValueError: They have another shape, or hold NaN or infinity.
    """
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

    Raises:
        TypeError: An argument does not consist of numbers.
        ValueError: A shape does not fit, or a number is NaN, infinite or negative.
    """

    center: Any = parameter(kind=CENTERS, positional=True, unit="m")
    radius: Any = parameter(1.0, kind=RADII, of="center", positional=True, unit="m")

    def validate(self) -> None:
        """Settle from which side they are seen."""
        self.settle_side()

    def __len__(self) -> int:
        return len(self.center)

    @property
    def dimensions(self) -> int:
        """2 for circles, 3 for spheres."""
        return int(self.center.shape[1])

    def bounding_spheres(self) -> tuple[Array, Array]:
        """The spheres themselves."""
        return np.asarray(self.center), np.asarray(self.radius)

    def columns(self, dtype: Any) -> "SphereColumns":
        """The spheres as columns, in the dtype of the vehicles."""
        return SphereColumns(columns_of(self.center, dtype), np.ascontiguousarray(self.radius, dtype=dtype))

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
        """What stands in the way is decided by the paper."""
        return Kernels(sweep_spheres, cast_spheres, nearest_spheres)


class SphereColumns(NamedTuple):
    """Spheres as columns: d arrays of centers [m] and one of radii [m], each of shape (m,)."""

    center: Columns
    radius: Array


def as_spheres(obstacles: Any) -> Spheres:
    """Spheres, or several sets of them as one.

    Raises:
        TypeError: It is neither.
        ValueError: There is none, or their dimensions differ.
    """
    sets = as_obstacles(obstacles)
    if not all(isinstance(each, Spheres) for each in sets):
        raise TypeError(f"obstacles must be Spheres or a list of Spheres, got {obstacles!r}")
    centers, radii = zip(*(each.bounding_spheres() for each in sets), strict=True)
    return Spheres(np.concatenate(centers), np.concatenate(radii))


@kernel
def center_of(rows: Array, k: int, like: Vector) -> Vector:
    """The center of a sphere [m], in the dimensions of `like`."""
    if len(like) == 2:
        return (rows[k, 0], rows[k, 1])
    return (rows[k, 0], rows[k, 1], rows[k, 2])


@kernel
def sweep_spheres(start: int, stop: int, rays: Rays, active: Array, wrap: Array, parts: Boxed, sight: Sight) -> None:
    """What the paper's cylinder meets first, of the nearest images of all spheres.

    Spheres are ordered by where they cross the axis in front: where they begin, or, for one that the ball overlaps
    already, where it ends.
    """
    for i in range(start, stop):
        if not active[i]:
            continue
        place, forward, reach, radius = load(rays.origin, i), load(rays.direction, i), rays.reach[i], rays.radius[i]
        inverses, best = inverse_of(forward), sight.order[i]
        far = limited(reach, wrap)
        images = images_ahead(place, forward, far, radius, parts.boxes, wrap)
        for turn in range(count_of(images)):
            near, node, trail = image(place, images, turn, wrap), 1, 0
            while node > 0:
                leaf, node, trail = next_leaf_along(parts.boxes, near, inverses, radius, min(best, far), node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    offset = difference(center_of(parts.rows, k, place), place, wrap)
                    ahead, room = dot(offset, forward), parts.rows[k, len(place)] + radius
                    if ahead <= ZERO or ahead - room > reach:
                        continue
                    aside = lateral(offset, forward)
                    half_chord2 = room * room - dot(aside, aside)
                    if half_chord2 < ZERO:
                        continue
                    half_chord = math.sqrt(half_chord2)
                    begin = ahead - half_chord
                    crossing = begin if begin >= ZERO else ahead + half_chord
                    if begin > reach or crossing > best:
                        continue
                    if crossing < best or parts.order[k] < sight.which[i]:
                        best = crossing
                        sight.order[i], sight.touch[i] = crossing, max(begin, ZERO)
                        sight.room[i], sight.bend[i], sight.which[i] = room, room, parts.order[k]
                        store(sight.away, i, scale(offset, -ONE))


@kernel
def cast_spheres(start: int, stop: int, rays: Rays, active: Array, wrap: Array, parts: Boxed, hits: Hits) -> None:
    """What thick rays hit first."""
    for i in range(start, stop):
        if not active[i]:
            continue
        place, forward, radius = load(rays.origin, i), load(rays.direction, i), rays.radius[i]
        inverses, far = inverse_of(forward), limited(rays.reach[i], wrap)
        images = images_ahead(place, forward, far, radius, parts.boxes, wrap)
        for turn in range(count_of(images)):
            near, node, trail = image(place, images, turn, wrap), 1, 0
            while node > 0:
                best = min(far, hits.distance[i])
                leaf, node, trail = next_leaf_along(parts.boxes, near, inverses, radius, best, node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    way = subtract(near, center_of(parts.rows, k, place))
                    t, normal = touch_sphere(way, forward, parts.rows[k, len(place)], radius, parts.side)
                    if t <= far:
                        keep_hit(hits, i, t, normal, parts.order[k])


@kernel
def touch_sphere(way: Vector, forward: Vector, size: Any, radius: Any, side: int) -> tuple[Any, Vector]:
    """How far a ball moves until it touches a sphere [m], and the normal there; `way` leads there from the center."""
    if dot(way, way) >= size * size:
        if side == INSIDE:
            return INFINITE + radius, forward
        return touch_ball(way, forward, size + radius)
    if side == OUTSIDE:
        return INFINITE + radius, forward
    return leave_ball(way, forward, size - radius)


@kernel
def nearest_spheres(
    start: int, stop: int, points: Columns, reach: Array, active: Array, wrap: Array, parts: Boxed, nearest: Nearest
) -> None:
    """The spheres nearest to points."""
    for i in range(start, stop):
        if not active[i]:
            continue
        place = load(points, i)
        images = images_near(place, reach[i], parts.boxes, wrap)
        for turn in range(count_of(images)):
            near, node, trail = image(place, images, turn, wrap), 1, 0
            while node > 0:
                best = min(reach[i], nearest.distance[i])
                leaf, node, trail = next_leaf_near(parts.boxes, near, best, node, trail)
                if leaf < 0:
                    break
                for k in range(first_row(parts, leaf), first_row(parts, leaf + 1)):
                    way = subtract(near, center_of(parts.rows, k, place))
                    distance = math.sqrt(dot(way, way)) - parts.rows[k, len(place)]
                    if distance <= reach[i]:
                        keep_nearest(nearest, i, distance, normalize(way), parts.order[k])

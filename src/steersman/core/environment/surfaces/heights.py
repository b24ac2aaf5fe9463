"""Kernels of a landscape: the height of a place, and the nearest point of the ground.

Every cell of the grid is cut along its diagonal from the lower left to the upper right node; so the ground is made of
flat triangles, and its height, its normals, its nearest points and its picture are all of one thing.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.shape import SurfaceProjection
from steersman.core.environment.surface import Ground
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, add_scaled, cross, dot, load, scale, store, subtract
from steersman.core.typing import Array, Columns, Vector

NEAR = np.float32(1e-4)
"""A point nearer to the ground than this part of a cell has the normal of the triangle below it."""


class HeightColumns(NamedTuple):
    """A landscape as kernels take it.

    Attributes:
        heights: Heights at the nodes [m], shape (nx, ny).
        frame: Where the first node is [m], the spacing of nodes [m] and its inverse, where the last node is [m], and the
            inverse of the way from the first to the last, shape (5, 2).
        repeats: Whether the landscape goes on beyond its rim, over and over.
    """

    heights: Array
    frame: Array
    repeats: bool


@kernel
def inside_rim(x: Any, low: Any, high: Any, per_meter: Any, repeats: bool) -> Any:
    """The coordinate [m] that stands for one beyond the rim."""
    if repeats:
        x -= (high - low) * np.floor((x - low) * per_meter)
    return min(max(x, low), high)


@kernel
def cell_at(x: Any, low: Any, per_meter: Any, cells: int) -> tuple[int, Any]:
    """The cell, of so many, that holds a coordinate within the rim [m], and how far into it."""
    u = (x - low) * per_meter
    k = 0  # The first cell; of NaN, too, which has no whole part.
    if u >= ONE:
        k = min(int(u), cells - 1)
    return k, min(u - np.float32(k), ONE)


@kernel
def choose(first: bool, a: Any, b: Any) -> Any:
    """One of two numbers, both of which are there already: no branch that cannot be predicted."""
    if first:
        return a
    return b


@kernel
def ground_at(land: HeightColumns, place: Vector) -> tuple[Vector, Vector]:
    """The point of the ground above or below a place, and the normal there; beyond the rim, on the rim.

    There is no branch here: with one, references to the arrays would be counted, which takes longer than all the rest.
    """
    frame, heights = land.frame, land.heights
    here_x = inside_rim(place[0], frame[0, 0], frame[3, 0], frame[4, 0], land.repeats)
    here_y = inside_rim(place[1], frame[0, 1], frame[3, 1], frame[4, 1], land.repeats)
    i, x = cell_at(here_x, frame[0, 0], frame[2, 0], heights.shape[0] - 1)
    j, y = cell_at(here_y, frame[0, 1], frame[2, 1], heights.shape[1] - 1)
    z, z_x, z_y, z_xy = heights[i, j], heights[i + 1, j], heights[i, j + 1], heights[i + 1, j + 1]
    dx, dy = choose(x >= y, z_x - z, z_xy - z_y), choose(x >= y, z_xy - z_x, z_y - z)
    gx, gy = dx * frame[2, 0], dy * frame[2, 1]
    size = ONE / math.sqrt(ONE + gx * gx + gy * gy)
    point = (choose(land.repeats, place[0], here_x), choose(land.repeats, place[1], here_y), z + x * dx + y * dy)
    return point, (-gx * size, -gy * size, size)


@row_kernel
def stand_on_ground(i: int, points: Columns, land: HeightColumns, ground: Ground) -> None:
    """Put points on the ground, straight up or down."""
    place = load(points, i)
    point, normal = ground_at(land, place)
    store(ground.position, i, point)
    store(ground.normal, i, normal)


@kernel
def node_at(heights: Array, frame: Array, i: int, j: int) -> Vector:
    """Where a node is [m]."""
    x, y = frame[0, 0] + np.float32(i) * frame[1, 0], frame[0, 1] + np.float32(j) * frame[1, 1]
    return (x, y, heights[i, j])


@kernel
def nearest_on_segment(place: Vector, a: Vector, b: Vector) -> Vector:
    """The nearest point of a segment that is not a point."""
    along = subtract(b, a)
    t = min(max(dot(subtract(place, a), along) / dot(along, along), ZERO), ONE)
    return add_scaled(a, along, t)


@kernel
def nearest_on_triangle(place: Vector, a: Vector, b: Vector, c: Vector) -> Vector:
    """The nearest point of a triangle with corners that are not in line."""
    normal = cross(subtract(b, a), subtract(c, a))
    n2 = dot(normal, normal)
    way = subtract(place, a)
    u = dot(cross(way, subtract(c, a)), normal) / n2
    v = dot(cross(subtract(b, a), way), normal) / n2
    if u >= ZERO and v >= ZERO and u + v <= ONE:
        return add_scaled(place, normal, -dot(way, normal) / n2)
    best = nearest_on_segment(place, a, b)
    best_d2 = dot(subtract(place, best), subtract(place, best))
    other = nearest_on_segment(place, b, c)
    d2 = dot(subtract(place, other), subtract(place, other))
    if d2 < best_d2:
        best, best_d2 = other, d2
    other = nearest_on_segment(place, c, a)
    d2 = dot(subtract(place, other), subtract(place, other))
    if d2 < best_d2:
        best = other
    return best


@kernel
def nearest_in_cell(heights: Array, frame: Array, i: int, j: int, place: Vector) -> Vector:
    """The nearest point of the two triangles of a cell."""
    a, c = node_at(heights, frame, i, j), node_at(heights, frame, i + 1, j + 1)
    first = nearest_on_triangle(place, a, node_at(heights, frame, i + 1, j), c)
    second = nearest_on_triangle(place, a, c, node_at(heights, frame, i, j + 1))
    if dot(subtract(place, second), subtract(place, second)) < dot(subtract(place, first), subtract(place, first)):
        return second
    return first


@kernel
def cells_within(x: Any, reach: Any, frame: Array, axis: int, cells: int) -> tuple[int, int]:
    """The first and last cell that a coordinate can reach [m]."""
    low, high, per_meter = frame[0, axis], frame[3, axis], frame[2, axis]
    first, _ = cell_at(min(max(x - reach, low), high), low, per_meter, cells)
    last, _ = cell_at(min(max(x + reach, low), high), low, per_meter, cells)
    return first, last


@row_kernel
def foot_on_ground(r: int, points: Columns, land: HeightColumns, foot: SurfaceProjection) -> None:
    """The nearest points of the ground. No cell is looked at that is farther away than the ground straight below."""
    heights, frame = land.heights, land.frame
    place = load(points, r)
    if land.repeats:
        x = inside_rim(place[0], frame[0, 0], frame[3, 0], frame[4, 0], True)
        place = (x, inside_rim(place[1], frame[0, 1], frame[3, 1], frame[4, 1], True), place[2])
    best, normal = ground_at(land, place)
    side = place[2] - best[2]
    way = subtract(place, best)
    best_d2 = dot(way, way)
    reach = math.sqrt(best_d2)
    i0, i1 = cells_within(place[0], reach, frame, 0, heights.shape[0] - 1)
    j0, j1 = cells_within(place[1], reach, frame, 1, heights.shape[1] - 1)
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            off = subtract(place, nearest_in_cell(heights, frame, i, j, place))
            d2 = dot(off, off)
            if d2 < best_d2:
                way, best_d2 = off, d2
    distance = math.sqrt(best_d2)
    if distance > NEAR * min(frame[1, 0], frame[1, 1]):
        if side < ZERO:
            distance = -distance
        foot.distance[r] = distance
        store(foot.normal, r, scale(way, ONE / distance))
    else:
        foot.distance[r] = side * normal[2]
        store(foot.normal, r, normal)

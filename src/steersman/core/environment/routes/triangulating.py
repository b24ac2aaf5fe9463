"""From polygons to a mesh of triangles, by a constrained Delaunay triangulation (Shapely, GEOS)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.regions.polygon import Polygon
from steersman.core.environment.regions.region import Region
from steersman.core.environment.regions.sphere import Sphere
from steersman.core.environment.shapely import shapely
from steersman.core.parameters.arrays import as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array

Rings = tuple[Array, ...]
"""A polygon: its outline, and its holes; each a ring of points, shape (k, 2), without the first one at the end."""


def as_polygons(name: str, value: Any) -> tuple[Rings, ...]:
    """Polygons in their normal form, from Shapely, Polygon, rings, or rings with holes."""
    polygons = [
        each for one in (value if isinstance(value, (list, tuple)) else [value]) for each in _polygons(name, one)
    ]
    geometry = shapely().normalize(shapely().union_all([_shape(rings) for rings in polygons]))
    rings = tuple(_rings_of(each) for each in parts_of(geometry))
    if not rings:
        raise ValueError(f"{name} must have an area, got {brief(value)}")
    return rings


def _polygons(name: str, value: Any) -> list[Rings]:
    """The polygons that a value stands for."""
    if isinstance(value, Polygon):
        return [(value.points,)]
    if hasattr(value, "geom_type"):
        return [_rings_of(each) for each in parts_of(value)]
    if isinstance(value, (list, tuple)) and len(value) and np.ndim(value[0]) == 2:
        return [tuple(as_points(name, ring, np.float64, 2) for ring in value)]
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return [(as_points(name, value, np.float64, 2),)]
    raise TypeError(f"{name} must be Shapely polygons, a Polygon, or a list of polygons (rings), got {brief(value)}")


def parts_of(geometry: Any) -> list[Any]:
    """The polygons of a Shapely geometry."""
    if geometry.geom_type == "Polygon":
        return [] if geometry.is_empty else [geometry]
    return [one for each in getattr(geometry, "geoms", ()) for one in parts_of(each)]


def _rings_of(polygon: Any) -> Rings:
    rings = (polygon.exterior, *polygon.interiors)
    return tuple(frozen(np.array(ring.coords, np.float64)[:-1, :2]) for ring in rings)


def _shape(rings: Rings) -> Any:
    return shapely().make_valid(shapely().Polygon(rings[0], rings[1:]))


def free_space(obstacles: Obstacles | None, region: Region, clearance: float, tolerance: int) -> Any:
    """The Shapely polygons where the center of a body may be.

    Args:
        obstacles: Obstacles in the plane.
        region: Where bodies may be.
        clearance: How near they may come [m].
        tolerance: Into so many segments a quarter of a circle is divided. The corners of the polygons lie outside of it.

    Raises:
        TypeError: A kind of region has no outline.
        ValueError: They are not in the plane.
    """
    package, finest = shapely(), 1 / np.cos(np.pi / (4 * tolerance))

    def grown(shape: Any, by: float) -> Any:
        return package.buffer(shape, by * finest, quad_segs=tolerance)

    free = grown(_region(region, tolerance, package), -clearance / finest)
    solids = [
        grown(shape, radius + clearance)
        for each in (obstacles.sets if obstacles is not None else ())
        for shape, radius in _solids(each, package)
    ]
    return package.difference(free, package.union_all(solids)) if solids else free


def _region(region: Region, tolerance: int, package: Any) -> Any:
    if region.dimensions != 2:
        raise ValueError(f"region must have 2 dimensions, got {region.dimensions}")
    if isinstance(region, Polygon):
        return package.Polygon(region.points)
    if isinstance(region, Sphere):
        return package.buffer(package.Point(region.center), region.radius, quad_segs=4 * tolerance)
    if region.is_convex:
        return package.box(*np.concatenate(region.bounds))
    raise TypeError(f"region must be a Box, a Polygon or a Sphere, got {brief(region)}")


def _solids(each: ObstacleSet, package: Any) -> Iterator[tuple[Any, float]]:
    """Outlines and radii around them."""
    if each.dimensions != 2:
        raise ValueError(f"obstacles must have 2 dimensions, got {each.dimensions}")
    if isinstance(each, Walls):
        ring = package.Polygon if each.seen_from == "outside" else package.LinearRing
        for points, closed in zip(each.points, each.closed, strict=True):
            yield (ring if closed else package.LineString)(points), 0.0
    else:
        for row in each.viewed_from("outside").hulls(np.float64).parts.rows:
            center, half, axes, radius = row[:2], row[2:4], row[4:8].reshape(2, 2), float(row[8])
            corners = center + np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * half @ axes
            sizes = np.count_nonzero(half)
            kind = (package.Point, package.LineString, package.Polygon)[sizes]
            yield kind((corners[0], corners[[0, 2]], corners)[sizes]), radius


def triangulated(polygons: tuple[Rings, ...]) -> tuple[Array, Array]:
    """Vertices, shape (v, 2), and triangles, counter-clockwise, shape (t, 3), of polygons that do not overlap."""
    package = shapely()
    pieces = [package.constrained_delaunay_triangles(_shape(rings)) for rings in polygons]
    corners = np.concatenate([
        np.array([triangle.exterior.coords[:3] for triangle in parts_of(piece)]).reshape(-1, 3, 2) for piece in pieces
    ])  # fmt: skip
    point, index = np.unique(corners.reshape(-1, 2), axis=0, return_inverse=True)
    triangle = index.reshape(-1, 3)
    a, b, c = (point[triangle[:, k]] for k in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    triangle[area < 0] = triangle[area < 0][:, ::-1]
    return point, triangle[area != 0]


def beside_of(triangle: Array) -> Array:
    """The triangle beyond each edge, -1 for none, shape (t, 3)."""
    edges = np.stack([triangle, np.roll(triangle, -1, axis=1)], axis=-1).reshape(-1, 2)
    known = {(int(a), int(b)): k // 3 for k, (a, b) in enumerate(edges)}
    return np.array([known.get((int(b), int(a)), -1) for a, b in edges], np.int32).reshape(-1, 3)


def lists_of(keys: Array, values: Array, count: int) -> tuple[Array, Array]:
    """Values sorted by key, and where those of each key begin, shape (count + 1,)."""
    order = np.argsort(keys, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=count))])
    return values[order].astype(np.int32), first.astype(np.int64)


def cells_of(point: Array, triangle: Array, low: Array, edge: float, shape: Array) -> tuple[Array, Array]:
    """The triangles that may lie in each cell of a grid."""
    corners = (point[triangle] - low) / edge
    first = np.clip(np.floor(corners.min(axis=1) - 1e-9).astype(int), 0, shape - 1)
    last = np.clip(np.floor(corners.max(axis=1) + 1e-9).astype(int), 0, shape - 1)
    keys, values = [], []
    for t, ((i0, j0), (i1, j1)) in enumerate(zip(first, last, strict=True)):
        block = (np.arange(i0, i1 + 1)[:, None] * shape[1] + np.arange(j0, j1 + 1)).ravel()
        keys.append(block)
        values.append(np.full(len(block), t))
    return lists_of(np.concatenate(keys), np.concatenate(values), int(np.prod(shape)))

"""How far items of the scenery reach, so that a picture shows all of them."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.fields.flow_grid import FlowGrid
from steersman.core.environment.fields.flow_image import FlowImage
from steersman.core.environment.fields.flow_toward import FlowToward
from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.obstacles.skin import Skin
from steersman.core.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.region import Region
from steersman.core.environment.resources import Resources
from steersman.core.environment.routes.nav_mesh import NavMesh
from steersman.core.environment.routes.route_grid import RouteGrid
from steersman.core.environment.surfaces.heightfield import Heightfield
from steersman.core.environment.walking.walk_mesh import WalkMesh
from steersman.core.typing import Array
from steersman.drawing.contents import Contents
from steersman.drawing.sketches import places_of


@singledispatch
def corners_of(item: Any) -> Array | None:
    """Points between which all of an item lies [m], shape (k, d); None for items that have no end or do not count."""
    return None


@corners_of.register
def _obstacles(item: Obstacles) -> Array | None:
    center, radius = item.bounding_spheres()
    return np.concatenate([center - radius[:, None], center + radius[:, None]])


@corners_of.register
def _boxes(item: Boxes) -> Array | None:
    return np.asarray(item.corners.reshape(-1, item.dimensions))


@corners_of.register
def _walls(item: Walls) -> Array | None:
    return np.concatenate(item.points)


@corners_of.register
def _mesh(item: TriangleMesh) -> Array | None:
    return np.asarray(item.vertices)


@corners_of.register
def _heightfield(item: Heightfield) -> Array | None:
    heights = item.elevation
    return np.stack([np.append(item.low, heights.min()), np.append(item.high, heights.max())])


@corners_of.register
def _walkable(item: WalkMesh) -> Array | None:
    return item.triangles[0]


@corners_of.register
def _nav_mesh(item: NavMesh) -> Array | None:
    return item.mesh.point


@corners_of.register
def _route_grid(item: RouteGrid) -> Array | None:
    return np.stack(item.bounds)


@corners_of.register
def _path(item: Path) -> Array | None:
    widest = float(np.max(item.radius))
    return np.concatenate([item.points - widest, item.points + widest])


@corners_of.register
def _skin(item: Skin) -> Array | None:
    return corners_of(item.obstacles)


@corners_of.register
def _resources(item: Resources) -> Array | None:
    return np.asarray(item.position)


@corners_of.register
def _region(item: Region) -> Array | None:
    return np.stack(item.bounds)


def frame_of(contents: Contents, been: Sequence[Array] = ()) -> tuple[Array, Array]:
    """Lowest and highest corner of the view [m]: the given frame, else the domain, else all contents.

    Args:
        contents: The contents of the picture.
        been: Other places to be seen, where vehicles have been or will be [m], each of shape (k, d).

    Raises:
        ValueError: Nothing that is there has an end.
    """
    if contents.frame is not None:
        return contents.frame
    d = contents.dimensions
    origin, extent = bounds(contents.domain, d)
    if np.isfinite(extent).all():
        return origin, origin + extent
    points: list[Array] = [*been, *(vehicles.position for vehicles in contents.vehicles.values())]
    if contents.trails is not None:
        trails = [contents.trails.of(name) for name in contents.vehicles]
        points += [trail.segments.reshape(-1, d) for trail in trails if trail is not None]
    points += _corners(contents)
    points += [np.reshape(point, (1, -1)) for point in contents.labels.values()]
    points += places_of(contents.sketches)
    points += [getattr(shape, shape.places[0]).reshape(-1, d) for shape in contents.notes if shape.dimensions == d]
    if not points:
        raise ValueError("frame must be given, for the drawn objects have no end: frame=([0, 0], [100, 100])")
    largest = max((float(vehicles.radius.max(initial=0.0)) for vehicles in contents.vehicles.values()), default=0.0)
    return _around(np.concatenate([np.asarray(part, np.float64) for part in points]), 6 * largest)


def sight_of(contents: Contents) -> tuple[Array, float]:
    """The point that a camera looks at [m], shape (3,), and how far around it sees [m], to see everything in 3D."""
    _, extent = bounds(contents.domain, 3)
    limited = contents.frame is not None or bool(np.isfinite(extent).all()) or not contents.vehicles
    if limited or any(corners_of(item) is not None for item in contents.scenery):
        low, high = frame_of(contents)
        return (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    points = np.concatenate([np.asarray(vehicles.position, np.float64) for vehicles in contents.vehicles.values()])
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return np.zeros(3), 1.0
    middle = np.percentile(points, [1, 99], axis=0).mean(axis=0)  # Not for the sake of a few who are far away.
    return middle, 1.12 * float(np.percentile(np.linalg.norm(points - middle, axis=1), 99.5)) + 1.0


def has_end(contents: Contents) -> bool:
    """Whether contents have a frame, or an item with an extent."""
    return contents.frame is not None or bool(_corners(contents))


def _corners(contents: Contents) -> list[Array]:
    """Corners of the surroundings; of flow fields only where there is nothing else, vehicles included."""
    d = contents.dimensions  # A map lies upon a landscape, which says how far that reaches.
    there = [item for item in contents.scenery if item.dimensions in (None, d)]
    known = [corners for item in there if (corners := corners_of(item)) is not None]
    if known or contents.vehicles:
        return known
    return [corners for item in there if (corners := _table(item)) is not None]


def _around(points: Array, least: float) -> tuple[Array, Array]:
    """Corners around points (k, d), with a margin of at least some room [m]."""
    d = points.shape[1]
    points = points[np.isfinite(points).all(axis=1)]
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(d), np.ones(d))
    margin = max(0.06 * float((high - low).max()), least) or 1.0
    middle, half = (low + high) / 2, (high - low) / 2 + margin
    half = np.maximum(half, 0.35 * half.max())  # No picture is thinner than that.
    return middle - half, middle + half


def _table(item: Any) -> Array | None:
    """Corners of the table of a flow field [m], which goes on beyond them, shape (2, d)."""
    if isinstance(item, FlowImage):
        return np.stack([item.low, item.high])
    if isinstance(item, FlowToward):
        return item.bounds
    if isinstance(item, FlowGrid):
        nodes = np.array(item.vectors.shape[:-1])
        return np.stack([item.origin, item.origin + (nodes - 1) * item.spacing])
    return None

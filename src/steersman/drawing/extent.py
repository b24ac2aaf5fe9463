"""How far things of the scenery reach, so that a picture shows all of them."""

from functools import singledispatch
from typing import Any

import numpy as np

from steersman.environment.obstacles.boxes import Boxes
from steersman.environment.obstacles.obstacle import Obstacles
from steersman.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.environment.obstacles.walls import Walls
from steersman.environment.paths.path import Path
from steersman.environment.regions.region import Region
from steersman.environment.resources import Resources
from steersman.environment.surfaces.heightfield import Heightfield
from steersman.environment.surfaces.skin import Skin
from steersman.geometry.vectors import Array


@singledispatch
def corners_of(thing: Any) -> Array | None:
    """Points between which all of a thing lies [m], shape (k, d); None for what has no end, or none that matters."""
    return None


@corners_of.register
def _obstacles(thing: Obstacles) -> Array | None:
    center, radius = thing.bounding_spheres()
    return np.concatenate([center - radius[:, None], center + radius[:, None]])


@corners_of.register
def _boxes(thing: Boxes) -> Array | None:
    return np.asarray(thing.corners.reshape(-1, thing.dimensions))


@corners_of.register
def _walls(thing: Walls) -> Array | None:
    return np.concatenate(thing.points)


@corners_of.register
def _mesh(thing: TriangleMesh) -> Array | None:
    return np.asarray(thing.vertices)


@corners_of.register
def _heightfield(thing: Heightfield) -> Array | None:
    heights = thing.elevation
    return np.stack([np.append(thing.low, heights.min()), np.append(thing.high, heights.max())])


@corners_of.register
def _path(thing: Path) -> Array | None:
    widest = float(np.max(thing.radius))
    return np.concatenate([thing.points - widest, thing.points + widest])


@corners_of.register
def _skin(thing: Skin) -> Array | None:
    return corners_of(thing.obstacles)


@corners_of.register
def _resources(thing: Resources) -> Array | None:
    return np.asarray(thing.position)


@corners_of.register
def _region(thing: Region) -> Array | None:
    return np.stack(thing.bounds)

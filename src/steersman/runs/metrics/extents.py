"""Extents: the room that a group takes as a whole, and that each of its vehicles has in space."""

import itertools
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.box import Box
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames
from steersman.runs.metrics.metric import metric
from steersman.runs.metrics.motion import center

__all__ = ["hull_size", "voronoi_volumes"]

BESIDE = 1e-6
"""A vehicle on a wall counts as so far beside it, as a part of the edge: its reflection must be another place."""


@metric()
def hull_size(position: Any, domain: Domain | None = None) -> Each:
    """The area of the convex hull of a group [m^d], in space its volume; 0 where its vehicles lie on a line or plane.

    Formula: |conv{x_i}|. On a torus the images count that are nearest to the middle of the group. Source: Barber, Dobkin and
    Huhdanpaa 1996 (Qhull, by scipy).

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.

    Returns:
        The size [m^d] in d dimensions; for several frames shape (frames,).

    Raises:
        ImportError: scipy is not installed.
    """
    spatial = _scipy_spatial("hull_size")
    frames = Frames("position", position)
    result = np.zeros(len(frames))
    for k, where in enumerate(frames.values):
        if frames.n > frames.dimensions:
            around = frames.space(domain).difference(where, np.asarray(center(where, domain)))
            try:
                result[k] = spatial.ConvexHull(around).volume
            except spatial.QhullError:
                result[k] = 0.0  # They lie on a line, or in a plane.
    return frames.answer(result)


@explained
def voronoi_volumes(position: Any, within: Box | None = None, domain: Domain | None = None) -> Array:
    """The volume of the Voronoi cell of each vehicle in space: of the room that is nearer to it than to any other.

    Formula: |V_i|, V_i the places p of the room with |p - x_i| <= |p - x_j| for all j. Vehicles at the same place share a
    cell evenly. Together the cells fill the room. Cells beside a wall end there, as vehicles are reflected in it.

    Args:
        position: Vehicles, or positions [m], shape (n, 3) or (frames, n, 3).
        within: The room, a Box. On a Torus, and in a world in a Box, None: all of it.
        domain: The space. Default: space without end.

    Returns:
        Volumes [m^3], shape (n,) or (frames, n); NaN for vehicles outside of the room, which take nothing from others.

    Raises:
        ImportError: scipy is not installed.
        ValueError: The vehicles are in 2D, or there is no room.
    """
    spatial = _scipy_spatial("voronoi_volumes")
    frames = Frames("position", position)
    if frames.dimensions != 3:
        raise ValueError("position must be in space, shape (n, 3) or (frames, n, 3): voronoi_areas is for the plane")
    space = frames.space(domain)
    period = space.wrap(3, np.float64)[0]
    if within is not None and (not isinstance(within, Box) or period.any()):
        raise TypeError(f"within must be a Box, and None where space wraps, got {brief(within)}")
    room: Any = space if within is None else within
    if not hasattr(room, "size"):
        raise ValueError("within must be a Box where space has no end, got None")
    room.check_dimensions(3)
    low, size = np.asarray(room.origin, np.float64), np.asarray(room.size, np.float64)
    result = np.full((len(frames), frames.n), np.nan)
    for k, where in enumerate(frames.values):
        offset = where - low
        offset = np.where(period > 0, np.mod(offset, size), offset)
        inside = np.all((offset >= 0) & (offset <= size), axis=1)
        if inside.any():
            within_walls = np.where(period > 0, offset, np.clip(offset, BESIDE * size, size - BESIDE * size))[inside]
            places, which, crowd = np.unique(within_walls, axis=0, return_inverse=True, return_counts=True)
            result[k, inside] = (_volumes(places, size, period, spatial) / crowd)[which.ravel()]
    return np.asarray(frames.answer(result))


def _volumes(places: Array, size: Array, period: Array, spatial: Any) -> Array:
    """Volumes of the cells of different places in a room from 0 to `size` [m^3], shape (n,)."""
    turns = np.array(list(itertools.product(*[(0, -1, 1) if each else (0,) for each in period])))
    images = [places + turn * period for turn in turns]
    base = np.concatenate(images)
    mirrored = []
    for axis in np.flatnonzero(period == 0):
        for wall in (0.0, size[axis]):
            other = base.copy()
            other[:, axis] = 2 * wall - other[:, axis]
            mirrored.append(other)
    cells = spatial.Voronoi(np.concatenate([base, *mirrored]))
    regions = (cells.regions[region] for region in cells.point_region[: len(places)])
    return np.array([spatial.ConvexHull(cells.vertices[corners]).volume for corners in regions])


def _scipy_spatial(name: str) -> Any:
    """scipy.spatial, an extra."""
    try:
        from scipy import spatial
    except ImportError:
        raise ImportError(f'{name} needs scipy; please run: pip install "steersman[measure]"') from None
    return spatial

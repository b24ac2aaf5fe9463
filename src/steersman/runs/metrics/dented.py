"""Voronoi cells on floors with dents: a room with its door, a corner. By Shapely, an extra."""

from typing import Any

import numpy as np

from steersman.core.environment.regions.region import Region
from steersman.core.environment.shapely import shapely
from steersman.core.typing import Array

FAR = 10.0
"""Cells are computed in a frame of so many times the extent of the floor around it, and cut by the floor afterwards."""


def dented_cells(position: Array, floor: Region, outline: Array, area: Array | None = None) -> tuple[Array, Array]:
    """The areas of cells on a floor, and of their parts in another outline [m^2], shape (n,) each.

    A cell is the part of the floor that is nearer to a vehicle than to any other, as far as it hangs together with the
    place of the vehicle: behind a wall there is no floor of its own.

    Args:
        position: Positions [m], shape (n, 2).
        floor: The floor.
        outline: Its corners [m], shape (k, 2).
        area: Corners of the other outline [m], shape (c, 2).

    Returns:
        Areas; NaN of a cell, and 0 of its part, for vehicles outside of the floor.
    """
    package = shapely("voronoi_areas on a floor with a dent")
    cell, part = np.full(len(position), np.nan), np.zeros(len(position))
    inside = np.asarray(floor.inside(position))
    if not inside.any():
        return cell, part
    origin = outline.mean(axis=0)  # Differences of small numbers are more exact.
    places, which, crowd = np.unique(position[inside] - origin, axis=0, return_inverse=True, return_counts=True)
    whole, window = package.Polygon(outline - origin), None if area is None else package.Polygon(area - origin)
    cells = _cells(places, whole, package)
    sizes = np.array([each.area for each in cells])
    shares = np.zeros(len(cells)) if window is None else np.array([each.intersection(window).area for each in cells])
    cell[inside], part[inside] = (sizes / crowd)[which.ravel()], (shares / crowd)[which.ravel()]
    return cell, part


def _cells(places: Array, whole: Any, package: Any) -> list[Any]:
    """The cell of each place on a floor."""
    if len(places) == 1:
        return [whole]
    low, high = np.array(whole.bounds[:2]), np.array(whole.bounds[2:])
    frame = package.box(*(low - FAR * (high - low)), *(high + FAR * (high - low)))
    points = package.points(places)
    diagram = package.voronoi_polygons(package.MultiPoint(places), extend_to=frame)
    parts = list(package.get_parts(diagram))
    tree = package.STRtree(parts)
    cells = []
    for point in points:
        own = parts[int(tree.query_nearest(point, all_matches=False)[0])]
        pieces = package.get_parts(own.intersection(whole))
        nearest = int(np.argmin([package.distance(piece, point) for piece in pieces]))
        cells.append(pieces[nearest])
    return cells

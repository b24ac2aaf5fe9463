"""Lines beside a line, for lanes and kerbs: Shapely's offset curves, in the direction of the line."""

import math

import numpy as np

from steersman.core.environment.shapely import shapely
from steersman.core.typing import Array


def beside(points: Array, distance: float, *, closed: bool, tolerance: float) -> Array:
    """The line at a distance from a line, without folds; of several parts the longest.

    Args:
        points: The line [m], shape (k, 2).
        distance: How far beside [m], > 0 to the left.
        closed: Whether it is a ring, which then begins where it is nearest to the beginning of the line.
        tolerance: Largest distance between a rounded corner and its chords [m].

    Raises:
        ImportError: Shapely is missing.
        ValueError: The line is a ring that crosses itself, or nothing is left.
    """
    package, size = shapely("Path.offset"), abs(distance)
    quarter = 1 if size <= tolerance else math.ceil(math.pi / 4 / math.acos(1 - tolerance / size))
    if closed:
        ring = package.Polygon(points)
        if not ring.is_valid:
            raise ValueError("path must not cross or touch itself if it is closed, to have an offset")
        left = -1 if package.is_ccw(ring.exterior) else 1
        area = package.buffer(ring, left * distance, quad_segs=quarter)
        lines = [part.exterior for part in package.get_parts(area) if not part.is_empty]
    else:
        curve = package.offset_curve(package.LineString(points), distance, quad_segs=quarter, join_style="round")
        lines = [part for part in package.get_parts(curve) if not part.is_empty]
    if not lines:
        raise ValueError(f"distance must leave something of the path, got {distance} m")
    line = max(lines, key=lambda each: float(each.length))
    beside_points = np.asarray(line.coords)[:, :2]
    if closed:
        if package.is_ccw(line) != package.is_ccw(ring.exterior):
            beside_points = beside_points[::-1]
        beside_points = beside_points[:-1]
        return np.roll(beside_points, -int(np.argmin(np.hypot(*(beside_points - points[0]).T))), axis=0)
    return beside_points

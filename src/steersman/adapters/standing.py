"""What stands in a world, for other programs: its obstacles as triangles and lines in space, as they are at the start.

In the plane they stand upright on the ground, as high as the largest vehicle is wide: bodies as prisms, walls as sheets.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.obstacle_set import ObstacleSet, Solids
from steersman.core.typing import Array
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.elements import PAINT, Element, Glyphs, Lines, Mesh, View
from steersman.drawing.palette import STONE
from steersman.drawing.scenery_flat import bodies, in_plane, rounded
from steersman.drawing.scenery_solid import in_space, rounded_body
from steersman.runs.recording.run import Run

COLOR = STONE
"""The color of obstacles."""


class Standing(NamedTuple):
    """Obstacles in space, z up.

    Attributes:
        triangles: Their faces [m], shape (k, 3, 3); those of bodies are seen from outside counterclockwise.
        lines: Edges of rooms, which have no faces [m], each of shape (m, 3).
    """

    triangles: Array
    lines: list[Array]


def standing_of(source: Any) -> Standing:
    """The obstacles of a World, or of a recorded run whose scenario is in its folder: none where it is not."""
    subject = source.stage() if isinstance(source, Run) else source
    contents = Contents() if subject is None else contents_of(subject)
    there = [each for each in contents.scenery if isinstance(each, ObstacleSet)]
    widths = [float(each.radius.max(initial=0.0)) for each in contents.vehicles.values()]
    high = 2 * max(widths, default=0.0) or 1.0
    triangles, lines = [np.zeros((0, 3, 3))], list[Array]()
    for each in there:
        if each.dimensions == 3:
            view = View(np.zeros(3), np.ones(3), contents.domain)
            for element in in_space(each, view):
                triangles += _faces(element)
                lines += [np.asarray(line) for line in element.points] if isinstance(element, Lines) else []
        elif isinstance(each, Solids):
            for body in bodies(each):
                triangles += _upright(rounded(*body), high, closed=True, roof=each.seen_from != "inside")
        else:
            view = View(np.zeros(2), np.ones(2), contents.domain)
            for element in in_plane(each, view):
                for line in element.points if isinstance(element, Lines) and element.part != PAINT else []:
                    triangles += _upright(np.asarray(line), high, closed=False, roof=False)
    return Standing(np.concatenate(triangles), lines)


def _faces(element: Element) -> list[Array]:
    """The triangles of an element in space."""
    if isinstance(element, Glyphs):
        size = np.broadcast_to(element.size, len(element.position))
        centers = zip(np.asarray(element.position, np.float64), size.tolist(), strict=True)
        return [rounded_body(center, np.zeros(3), np.eye(3), each / 2) for center, each in centers]
    return [np.asarray(element.triangles)] if isinstance(element, Mesh) else []


def _upright(ring: Array, high: float, *, closed: bool, roof: bool) -> list[Array]:
    """Sheets on a line in the plane, and a roof on one around a convex body, counterclockwise."""
    ends = np.roll(ring, -1, axis=0) if closed else ring[1:]
    starts = ring if closed else ring[:-1]
    nonzero = (starts != ends).any(axis=1)
    a, b = (np.pad(each[nonzero], ((0, 0), (0, 1))) for each in (starts, ends))
    up = np.array([0.0, 0.0, high])
    sheets = np.concatenate([np.stack([a, b, b + up], axis=1), np.stack([a, b + up, a + up], axis=1)])
    if not roof:
        return [sheets]
    top = a + up
    return [sheets, np.stack([np.repeat(top[:1], len(top) - 2, axis=0), top[1:-1], top[2:]], axis=1)]

"""Parts: the movable parts of paths and regions: points of a path, a path as a whole, a region.

They are dragged by their lines, a path by its spine and a region by its rim: a drag inside of them moves the picture.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domains.box import Box
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.polygon import Polygon
from steersman.core.environment.regions.sphere import Sphere
from steersman.core.typing import Array
from steersman.drawing.elements import Areas, Element, Lines, Marks, View
from steersman.drawing.palette import FAINT, ROAD_LINE, rgb, rgba
from steersman.drawing.scenery_flat import in_plane
from steersman.drawing.scenery_solid import in_space

CORNERS = 32
"""Largest number of points of a path that can be dragged one by one; a path with more is a sampled curve, and moves as a
whole;"""

BENDS = 8, np.cos(np.radians(20))
"""and so is one with more points than this that bends by less at each of them (the cosine): a circle, say."""


class Part(NamedTuple):
    """A part that is moved as a whole.

    Attributes:
        name: Its name: "" for the whole thing, or "point 3".
        place: Its middle [m], shape (d,).
        elements: Its shapes in the picture.
        moved: The thing with this part moved by an offset [m], shape (d,).
        wraps: Whether it may be put at any of its images in a space with periodic axes.
    """

    name: str
    place: Array
    elements: tuple[Element, ...]
    moved: Callable[[Array], Any]
    wraps: bool = True


@singledispatch
def parts(item: Any, view: View) -> list[Part]:
    """The parts of a thing; none for things without a registered function."""
    return []


@parts.register
def _path(item: Path, view: View) -> list[Part]:
    """Its points, where they are few, then the whole path. A spine continues across seams, so a point is one image."""
    points = item.points
    spine = np.concatenate([points, points[:1]]) if item.closed else points
    several = []
    if len(points) > 1:
        line = Lines(points=[spine], color=rgba(ROAD_LINE), layer=1.0)
        several = [_whole(item, (line,), (points.min(axis=0) + points.max(axis=0)) / 2, points=points)]
    for k, point in enumerate(() if _sampled(points, spine) else points):

        def moved(way: Array, k: int = k) -> Path:
            changed = np.array(points)
            changed[k] += way
            return item.replace(points=changed)

        mark = Marks(shape="plus", position=point[None], color=rgb(FAINT), size=7.0)
        several.append(Part(f"point {k}", point, (mark,), moved, wraps=False))
    return several


def _sampled(points: Array, spine: Array) -> bool:
    """Whether a path is a sampled curve, of whose points none means anything by itself."""
    ways = np.diff(spine, axis=0)
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-12)
    least, straight = BENDS
    smooth = len(points) > least and bool((np.sum(ways[1:] * ways[:-1], axis=1) > straight).all())
    return smooth or len(points) > CORNERS


@parts.register
def _polygon(item: Polygon, view: View) -> list[Part]:
    return [_whole(item, _rim(item, view), item.middle, points=item.points)]


@parts.register
def _sphere(item: Sphere, view: View) -> list[Part]:
    return [_whole(item, _rim(item, view), item.middle, center=item.center)]


@parts.register
def _box(item: Box, view: View) -> list[Part]:
    return [_whole(item, _rim(item, view), item.middle, origin=item.origin)]


def _whole(item: Any, elements: tuple[Element, ...], place: Array, **points: Array) -> Part:
    """The part that is a whole thing with these points."""
    return Part("", place, elements, lambda way: item.replace(**{name: each + way for name, each in points.items()}))


def _rim(item: Any, view: View) -> tuple[Element, ...]:
    """The lines of a region, without its interior."""
    elements = in_plane(item, view) if item.dimensions == 2 else in_space(item, view)
    return tuple(replace(each, face=None) if isinstance(each, Areas) else each for each in elements)

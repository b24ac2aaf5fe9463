"""Maps: paths and regions of two dimensions are painted onto the landscape of a 3D picture.

Walkers on a surface steer by them seen from above (`steering/on_plan.py`), so that is how they are shown. Of a ball the
ground within it is painted: three hoops in the air around a hill do not show where a walker may go.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.region import Region
from steersman.core.environment.surfaces.heightfield import Heightfield
from steersman.core.typing import Array
from steersman.drawing.elements import Mesh
from steersman.drawing.palette import GRASS_EDGE, GROUND, ROAD, rgb
from steersman.drawing.scenery_solid import land_triangles, nodes_of

STEPS = 330
"""Steps along an edge of the landscape with which the rims of maps are drawn, about."""

COLORS: tuple[Any, ...] = (rgb(GROUND), rgb(ROAD), tuple((np.array(rgb(GROUND)) + rgb(GRASS_EDGE)) / 2))
"""Of bare ground, paths and regions."""

BARE, WAY, PLACE = range(3)


def landscape_in(scenery: Iterable[Any]) -> Heightfield | None:
    """The landscape that maps are painted onto; None where there is none."""
    return next((item for item in scenery if isinstance(item, Heightfield)), None)


@singledispatch
def covered(item: Any, points: Array) -> Any:
    """Which points, shape (n, d), a map covers, bool (n,), and its color. Maps that cover nothing are not registered."""
    raise TypeError(f"{item!r} cannot be painted onto a landscape")


@covered.register
def _path(item: Path, points: Array) -> Any:
    return item.contains(points), WAY


@covered.register
def _region(item: Region, points: Array) -> Any:
    return item.inside(points), PLACE


def painted(land: Heightfield, maps: Sequence[Any]) -> Iterator[Mesh]:
    """The land with its maps, later ones above earlier ones."""
    coarse = nodes_of(land)
    parts = -(-STEPS // max(map(len, coarse)))
    fine = [
        np.interp(np.arange(parts * (len(nodes) - 1) + 1) / parts, np.arange(len(nodes)), nodes) for nodes in coarse
    ]
    middles = np.stack(np.meshgrid(*((nodes[1:] + nodes[:-1]) / 2 for nodes in fine), indexing="ij"), axis=-1)
    tint = np.full(middles.shape[:2], BARE)
    flat = middles.reshape(-1, 2)
    for item in maps:
        points = flat if item.dimensions == 2 else np.column_stack([flat, land.height_at(flat)])
        there, kind = covered(item, points)
        tint[there.reshape(tint.shape)] = kind
    blocks = tint.reshape(len(coarse[0]) - 1, parts, len(coarse[1]) - 1, parts)
    low, high = blocks.min(axis=(1, 3)), blocks.max(axis=(1, 3))
    mixed = low != high
    yield from _tinted(land, coarse, np.where(mixed, -1, low))
    yield from _tinted(land, fine, np.where(np.kron(mixed, np.ones((parts, parts), bool)), tint, -1))


def _tinted(land: Heightfield, nodes: Sequence[Array], tint: Array) -> Iterator[Mesh]:
    """The meshes of the cells of a grid with a tint that is not negative, two triangles each."""
    triangles, each = land_triangles(land, nodes), np.tile(tint.ravel(), 2)
    for kind, color in enumerate(COLORS):
        yield Mesh(triangles=triangles[each == kind], color=color)

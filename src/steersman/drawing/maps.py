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
from steersman.drawing.palette import GROUND, LIGHT, ROAD, rgb
from steersman.drawing.scenery_flat import cut
from steersman.drawing.scenery_solid import land_triangles, nodes_of, sheet_triangles

STEPS = 165
"""Steps along an edge of the landscape with which the rims of maps are found, about."""

COLORS: tuple[Any, ...] = (rgb(GROUND), rgb(ROAD), rgb(LIGHT["region on land"]))
"""Of bare ground, paths and regions."""

BARE, WAY, PLACE = range(3)

TREES, FIR = 1200, (4.5, 0.04)
"""Places where a fir may stand; the height of the highest one [m], and at most as a part of the edge of the land."""

GROVES = np.array([(2.3, 1.1), (-1.7, 2.9), (3.6, 3.1)])
"""Waves across the land on whose crests firs stand."""

CORNERS = 7
CROWNS = (("wood", 0.0, 0.3, 0.06), ("tree shade", 0.15, 0.75, 0.24), ("tree", 0.45, 1.0, 0.17))
"""Parts of a fir, which are cones: their color, how high they begin and end, and their radius, as parts of its height."""


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
    tint = _tint_of(land, maps, np.stack(np.meshgrid(*fine, indexing="ij"), axis=-1))
    corners = np.stack([tint[:-1, :-1], tint[1:, :-1], tint[1:, 1:], tint[:-1, 1:]])
    cells = [
        each.reshape(len(coarse[0]) - 1, parts, len(coarse[1]) - 1, parts) for each in (corners.min(0), corners.max(0))
    ]
    low, high = cells[0].min(axis=(1, 3)), cells[1].max(axis=(1, 3))
    mixed = low != high
    whole = np.tile(~mixed.ravel(), 2)
    there = np.tile(np.kron(mixed, np.ones((parts, parts), bool)).ravel(), 2)
    tints = sheet_triangles(np.repeat(tint[..., None], 3, axis=2))[there, :, 0]
    split, kinds = cut(land_triangles(land, fine)[there], tints, lambda at: _tint_of(land, maps, at[:, :2]))
    triangles = np.concatenate([land_triangles(land, coarse)[whole], split])
    each = np.concatenate([np.tile(low.ravel(), 2)[whole], kinds])
    for kind, color in enumerate(COLORS):
        yield Mesh(triangles=triangles[each == kind], color=color)


def wooded(land: Heightfield, maps: Sequence[Any]) -> Iterator[Mesh]:
    """Firs in groves on the land, none where maps are painted: decoration that nobody steers by."""
    rng = np.random.default_rng(TREES)
    extent = land.high - land.low
    places = land.low + extent * rng.uniform(0.01, 0.99, (TREES, 2))
    grove = np.sin(places @ (2 * np.pi / extent * GROVES).T).sum(axis=1)
    places = places[(grove > 0.3) & (_tint_of(land, maps, places) == BARE)]
    high = min(FIR[0], FIR[1] * float(extent.min())) * rng.uniform(0.6, 1.0, len(places))
    feet = np.column_stack([places, land.height_at(places) - 0.05 * high])
    for name, low, top, wide in CROWNS:
        angle = 2 * np.pi * np.arange(CORNERS + 1) / CORNERS
        ring = np.stack([wide * np.cos(angle), wide * np.sin(angle), np.full(CORNERS + 1, low)], axis=1)
        crown = np.stack([ring[:-1], ring[1:], np.broadcast_to([0, 0, top], (CORNERS, 3))], axis=1)
        triangles = feet[:, None, None] + high[:, None, None, None] * crown
        yield Mesh(triangles=triangles.reshape(-1, 3, 3), color=rgb(LIGHT[name]))


def _tint_of(land: Heightfield, maps: Sequence[Any], places: Array) -> Array:
    """The number of the color of places on the plan [m], shape (..., 2): (...)."""
    flat = places.reshape(-1, 2)
    tint = np.full(len(flat), BARE)
    for item in maps:
        points = flat if item.dimensions == 2 else np.column_stack([flat, land.height_at(flat)])
        there, kind = covered(item, points)
        tint[there] = kind
    return tint.reshape(places.shape[:-1])

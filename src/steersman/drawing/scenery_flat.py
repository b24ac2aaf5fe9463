"""Scenery in 2D pictures: each kind of item has a function that draws it on a sheet."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.drawing.palette import ARROW, FRUIT, GRASS, GRASS_EDGE, ROAD, ROAD_EDGE, ROAD_LINE, ROCK, ROCK_EDGE, WALL
from steersman.environment.domains.box import Box
from steersman.environment.domains.domain import Domain
from steersman.environment.fields.flow_field import FlowField
from steersman.environment.obstacles.boxes import Boxes
from steersman.environment.obstacles.capsules import Capsules
from steersman.environment.obstacles.obstacle_set import ObstacleSet
from steersman.environment.obstacles.spheres import Spheres
from steersman.environment.obstacles.walls import Walls
from steersman.environment.paths.path import Path
from steersman.environment.regions.interior import Interior
from steersman.environment.regions.polygon import Polygon
from steersman.environment.regions.sphere import Sphere
from steersman.environment.resources import Resources
from steersman.environment.surfaces.skin import Skin
from steersman.geometry.vectors import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ARROWS = 26
"""Arrows of a flow field along the longer edge of a picture."""


@dataclass(frozen=True)
class Sheet:
    """What is drawn on.

    Attributes:
        axes: The axes.
        low, high: The corners of what is to be seen [m], shape (2,).
        domain: The space; on a torus items are seen across the seam too.
    """

    axes: "Axes"
    low: Array
    high: Array
    domain: Domain

    def shifts(self, low: Any, high: Any) -> Iterator[Array]:
        """By how much to shift what lies between two corners [m] so that it can be seen: nothing, or periods of a torus."""
        period = self.domain.wrap(2, np.float64)[0]
        choices = [(0,) if not p else (-1, 0, 1) for p in period]
        for steps in itertools.product(*choices):
            shift = np.array(steps) * period
            if np.all(np.asarray(high) + shift > self.low) and np.all(np.asarray(low) + shift < self.high):
                yield shift

    def polygons(self, outlines: list[Array], **style: Any) -> None:
        """Draw polygons, each of shape (k, 2) [m], wherever they can be seen."""
        from matplotlib.collections import PolyCollection

        seen = [line + shift for line in outlines for shift in self.shifts(line.min(axis=0), line.max(axis=0))]
        self.axes.add_collection(PolyCollection(seen, **style))

    def lines(self, lines: list[Array], **style: Any) -> None:
        """Draw lines, each of shape (k, 2) [m], wherever they can be seen."""
        from matplotlib.collections import LineCollection

        seen = [line + shift for line in lines for shift in self.shifts(line.min(axis=0), line.max(axis=0))]
        self.axes.add_collection(LineCollection(seen, **style))


def circle(center: Any, radius: float, corners: int = 96) -> Array:
    """A circle as a polygon [m], shape (corners, 2)."""
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.asarray(center + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def stadium(a: Array, b: Array, radius: float) -> Array:
    """A thick segment with round ends as a polygon [m], shape (k, 2)."""
    towards = np.arctan2(b[1] - a[1], b[0] - a[0])
    angle = np.linspace(-np.pi / 2, np.pi / 2, 33) + towards
    cap = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.concatenate([b + cap, a - cap])


@singledispatch
def draw_flat_thing(item: Any, sheet: Sheet) -> None:
    """Draw an item of the scenery. What no function is registered for is not drawn."""


PLACES = {"facecolor": GRASS, "edgecolor": GRASS_EDGE, "linewidth": 1.0, "linestyle": (0, (4, 3)), "zorder": 0.6}


def _draw_rocks(item: ObstacleSet, outlines: list[Array], sheet: Sheet) -> None:
    """Filled outlines; of what is seen from inside, only the rim."""
    face: Any = "none" if item.seen_from == "inside" else ROCK
    sheet.polygons(outlines, facecolor=face, edgecolor=ROCK_EDGE, linewidth=1.0, zorder=1.6)


@draw_flat_thing.register
def _spheres(item: Spheres, sheet: Sheet) -> None:
    _draw_rocks(item, [circle(c, float(r)) for c, r in zip(item.center, item.radius, strict=True)], sheet)


@draw_flat_thing.register
def _boxes(item: Boxes, sheet: Sheet) -> None:
    _draw_rocks(item, list(item.corners), sheet)


@draw_flat_thing.register
def _capsules(item: Capsules, sheet: Sheet) -> None:
    outlines = [stadium(a, b, float(r)) for a, b, r in zip(item.a, item.b, item.radius, strict=True)]
    _draw_rocks(item, outlines, sheet)


@draw_flat_thing.register
def _walls(item: Walls, sheet: Sheet) -> None:
    """Lines; rings are filled, but not their holes."""
    chains = list(zip(item.points, item.closed, strict=True))
    rings = [np.asarray(points) for points, closed in chains if closed]
    _fill_rings(rings, item.seen_from != "inside", sheet)
    lines = [np.asarray(points) for points, closed in chains if not closed]
    sheet.lines(lines, colors=WALL, linewidths=2.2, capstyle="round", zorder=1.7)


def _fill_rings(rings: list[Array], filled: bool, sheet: Sheet) -> None:
    """Rings as one shape: those in a ring are holes in it."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    if not rings:
        return
    outlines = [Outline(np.concatenate([ring, ring[:1]])) for ring in rings]
    turned = []
    for ring, outline in zip(rings, outlines, strict=True):
        hole = sum(other is not outline and other.contains_point(ring[0]) for other in outlines) % 2 == 1
        counterclockwise = _doubled_area(ring) > 0
        turned.append(ring if counterclockwise != hole else ring[::-1])
    together = np.concatenate(rings)
    for shift in sheet.shifts(together.min(axis=0), together.max(axis=0)):
        parts = [Outline(np.concatenate([ring, ring[:1]]) + shift, closed=True) for ring in turned]
        shape = Outline.make_compound_path(*parts)
        face: Any = ROCK if filled else "none"
        sheet.axes.add_patch(PathPatch(shape, facecolor=face, edgecolor=WALL, linewidth=1.6, zorder=1.6))


def _doubled_area(ring: Array) -> float:
    x, y = ring.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


@draw_flat_thing.register
def _polygon(item: Polygon, sheet: Sheet) -> None:
    sheet.polygons([np.asarray(item.points)], **PLACES)


@draw_flat_thing.register
def _box(item: Box, sheet: Sheet) -> None:
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    sheet.polygons([item.origin + corners * item.size], **PLACES)


@draw_flat_thing.register
def _sphere(item: Sphere, sheet: Sheet) -> None:
    sheet.polygons([circle(item.center, float(item.radius))], **PLACES)


@draw_flat_thing.register
def _path(item: Path, sheet: Sheet) -> None:
    """The tube, and the spine as a dashed line."""
    points = np.concatenate([item.points, item.points[:1]]) if item.closed else item.points
    if len(points) < 2:
        sheet.polygons([circle(points[0], float(item.radius[0]))], facecolor=ROAD, edgecolor=ROAD_EDGE, zorder=0.8)
        return
    pieces = list(np.stack([points[:-1], points[1:]], axis=1))
    radius = np.broadcast_to(item.radius, len(pieces)).tolist()
    tube = [stadium(piece[0], piece[1], r) for piece, r in zip(pieces, radius, strict=True)]
    sheet.polygons(tube, facecolor=ROAD, edgecolor=ROAD_EDGE, linewidth=1.6, zorder=0.8)
    sheet.polygons(tube, facecolor=ROAD, edgecolor="none", zorder=0.9)
    sheet.lines([points], colors=ROAD_LINE, linewidths=0.9, linestyles=[(0, (5, 4))], zorder=1.0)


@draw_flat_thing.register
def _field(item: FlowField, sheet: Sheet) -> None:
    """Small arrows at the nodes of a grid, the longest as long as its meshes."""
    span = sheet.high - sheet.low
    mesh = float(span.max()) / ARROWS
    axes = [np.arange(low + mesh / 2, high, mesh) for low, high in zip(sheet.low, sheet.high, strict=True)]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    flow = item.at(points, sheet.domain)
    speed = np.sqrt(np.sum(flow**2, axis=1))
    fastest = float(np.nanmax(speed, initial=0.0))
    there = speed > 0.02 * fastest
    if there.any():
        arrows = flow[there] * (0.85 * mesh / fastest)
        tail = points[there] - arrows / 2
        sheet.axes.quiver(
            tail[:, 0], tail[:, 1], arrows[:, 0], arrows[:, 1], color=ARROW, angles="xy", scale_units="xy", scale=1.0,
            units="xy", width=0.06 * mesh, headwidth=4, headlength=4.5, headaxislength=4, minlength=0.3, zorder=0.7,
        )  # fmt: skip


@draw_flat_thing.register
def _of_obstacles(item: Skin | Interior, sheet: Sheet) -> None:
    draw_flat_thing(item.obstacles, sheet)


@draw_flat_thing.register
def _resources(item: Resources, sheet: Sheet) -> None:
    """Dots as large as what is left of the most that there is anywhere; what is used up as faint rings."""
    left = item.amount > 0
    x, y = item.position.T
    share = item.amount[left] / max(float(item.amount.max(initial=0.0)), 1e-12)
    sheet.axes.scatter(x[~left], y[~left], s=14, facecolors="none", edgecolors=GRASS_EDGE, zorder=1.5)
    sheet.axes.scatter(x[left], y[left], s=12 + 50 * share, color=FRUIT, linewidths=0, zorder=1.5)

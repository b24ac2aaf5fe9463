"""Scenery in 3D pictures: bodies as triangles that hide what is behind them, everything else as lines."""

import itertools
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.drawing.palette import ARROW, FRUIT, GRASS_EDGE, RGB, ROAD_LINE, rgb
from steersman.environment.domains.box import Box
from steersman.environment.domains.domain import Domain
from steersman.environment.fields.flow_field import FlowField
from steersman.environment.obstacles.boxes import Boxes
from steersman.environment.obstacles.capsules import Capsules
from steersman.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.environment.paths.path import Path
from steersman.environment.regions.interior import Interior
from steersman.environment.regions.sphere import Sphere
from steersman.environment.resources import Resources
from steersman.environment.surfaces.heightfield import Heightfield
from steersman.environment.surfaces.plane import Plane
from steersman.environment.surfaces.skin import Skin
from steersman.geometry.vectors import Array

STONE, GROUND = "#CFCABC", "#D5DBC4"
GRAIN = 56
"""Nodes of a landscape that are shown along an axis, at most."""

CORNERS = np.array(list(itertools.product((0, 1), repeat=3)))
EDGES = np.array([(a, b) for a, b in itertools.combinations(range(8), 2) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 1])
SIDES = np.array([[[0, 1, 3], [0, 3, 2]], [[4, 5, 7], [4, 7, 6]], [[0, 1, 5], [0, 5, 4]],
                  [[2, 3, 7], [2, 7, 6]], [[0, 2, 6], [0, 6, 4]], [[1, 3, 7], [1, 7, 5]]])  # fmt: skip
"""A box: its corners, edges as pairs of corners, and faces as two triangles each."""

ARROWS = 9
"""Arrows of a flow field along the longest edge of what is seen."""


@dataclass
class Model:
    """What a 3D picture shows of the scenery, in meters.

    Attributes:
        low, high: The corners of what is to be seen [m], shape (3,).
        domain: The space.
        triangles, colors: Triangles (k, 3, 3) that hide what is behind them, and their colors (k, 3).
        closed: Whether triangles (k,) are of closed bodies, so that one that looks away is hidden by the others.
        lines, shades: Lines (k, 2, 3), and their colors with opacity (k, 4).
    """

    low: Array
    high: Array
    domain: Domain
    triangles: list[Array] = field(default_factory=list)
    colors: list[Array] = field(default_factory=list)
    closed: list[Array] = field(default_factory=list)
    lines: list[Array] = field(default_factory=list)
    shades: list[Array] = field(default_factory=list)

    def add_triangles(self, triangles: Array, color: str | RGB, *, closed: bool = False) -> None:
        """Add triangles of one color, shape (k, 3, 3); those of a closed body are seen from outside counterclockwise."""
        shade = rgb(color) if isinstance(color, str) else color
        self.triangles.append(np.asarray(triangles, np.float64))
        self.colors.append(np.tile(shade, (len(triangles), 1)))
        self.closed.append(np.full(len(triangles), closed))

    def add_line(self, points: Any, color: str, opacity: float = 0.8) -> None:
        """Add a line through points, shape (k, 3)."""
        points = np.asarray(points, np.float64)
        self.add_pieces(np.stack([points[:-1], points[1:]], axis=1), color, opacity)

    def add_pieces(self, pieces: Array, color: str, opacity: float = 0.8) -> None:
        """Add separate lines, shape (k, 2, 3)."""
        self.lines.append(pieces)
        self.shades.append(np.tile((*rgb(color), opacity), (len(pieces), 1)))


@singledispatch
def model_thing(item: Any, model: Model) -> None:
    """Add an item of the scenery to a model. What no function is registered for is not drawn."""


def capsule(a: Array, b: Array, radius: float, rings: int = 8) -> Array:
    """A thick segment with round ends as triangles [m], shape (k, 3, 3)."""
    way = b - a
    ahead = way / np.linalg.norm(way) if way.any() else np.array([0.0, 0.0, 1.0])
    side, other = axes_across(ahead)
    polar = np.linspace(0, np.pi, 2 * rings + 2)
    around = np.linspace(0, 2 * np.pi, 2 * rings + 1)
    t, p = np.meshgrid(polar, around, indexing="ij")
    middle = np.where((t < np.pi / 2)[..., None], b, a)
    ring = np.cos(p)[..., None] * side + np.sin(p)[..., None] * other
    return sheet_triangles(middle + radius * (np.cos(t)[..., None] * ahead + np.sin(t)[..., None] * ring))


def outward(triangles: Array) -> Array:
    """The triangles (k, 3, 3) of a convex body, each seen from outside counterclockwise."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    away = np.sum(normal * (triangles.mean(axis=1) - triangles.mean(axis=(0, 1))), axis=1) >= 0
    return np.where(away[:, None, None], triangles, triangles[:, ::-1])


def axes_across(ahead: Array) -> tuple[Array, Array]:
    """Two unit vectors at right angles to a direction and to each other."""
    ahead = ahead / np.linalg.norm(ahead)
    side = np.cross(ahead, np.eye(3)[np.argmin(np.abs(ahead))])
    side /= np.linalg.norm(side)
    return side, np.cross(ahead, side)


def sheet_triangles(grid: Array) -> Array:
    """A sheet of points (a, b, 3) as triangles, shape (2 (a - 1) (b - 1), 3, 3)."""
    one, two, three, four = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    lower, upper = np.stack([one, two, three], axis=2), np.stack([one, three, four], axis=2)
    return np.concatenate([lower.reshape(-1, 3, 3), upper.reshape(-1, 3, 3)])


def hoop(center: Any, radius: float, axis: int) -> Array:
    """A circle around an axis [m], shape (k, 3)."""
    angle = np.linspace(0, 2 * np.pi, 73)
    points = np.zeros((len(angle), 3))
    points[:, (axis + 1) % 3], points[:, (axis + 2) % 3] = np.cos(angle), np.sin(angle)
    return np.asarray(np.asarray(center) + radius * points)


@model_thing.register
def _boxes(item: Boxes, model: Model) -> None:
    """Solid; of rooms, the edges."""
    for corners in item.corners:
        if item.seen_from == "inside":
            model.add_pieces(corners[EDGES], STONE)
        else:
            model.add_triangles(outward(corners[SIDES].reshape(-1, 3, 3)), STONE, closed=True)


@model_thing.register
def _capsules(item: Capsules, model: Model) -> None:
    for a, b, radius in zip(item.a, item.b, item.radius, strict=True):
        model.add_triangles(outward(capsule(a, b, float(radius))), STONE, closed=True)


@model_thing.register
def _mesh(item: TriangleMesh, model: Model) -> None:
    model.add_triangles(item.corners, STONE, closed=item.is_closed and item.seen_from == "outside")


def nodes_of(land: Heightfield) -> list[Array]:
    """Where nodes of a landscape that are shown lie along x and y [m], some fifty at most each way."""
    nodes = []
    for low, high, count in zip(land.low, land.high, land.heights.shape, strict=True):
        shown = np.unique(np.linspace(0, count - 1, min(count, GRAIN)).round().astype(int))
        nodes.append(np.linspace(low, high, count)[shown])
    return nodes


@model_thing.register
def _heightfield(item: Heightfield, model: Model) -> None:
    flat = np.stack(np.meshgrid(*nodes_of(item), indexing="ij"), axis=-1)
    heights = item.height_at(flat.reshape(-1, 2)).reshape(*flat.shape[:2], 1)
    model.add_triangles(sheet_triangles(np.concatenate([flat, heights], axis=-1)), GROUND)


@model_thing.register
def _plane(item: Plane, model: Model) -> None:
    """A grid on it, as large as what is seen."""
    along, across = axes_across(np.asarray(item.normal))
    middle = (model.low + model.high) / 2
    middle = middle - np.dot(middle - item.point, item.normal) * item.normal
    marks = np.linspace(-0.5, 0.5, 13) * float((model.high - model.low).max())
    for mark in marks:
        model.add_line([middle + mark * along + end * across for end in marks[[0, -1]]], ROAD_LINE, 0.4)
        model.add_line([middle + mark * across + end * along for end in marks[[0, -1]]], ROAD_LINE, 0.4)


@model_thing.register
def _path(item: Path, model: Model) -> None:
    """The spine, and hoops of the tube's width along it."""
    points = np.concatenate([item.points, item.points[:1]]) if item.closed else item.points
    model.add_line(points, ROAD_LINE, 0.9)
    if len(points) < 2:
        return
    angle = np.linspace(0, 2 * np.pi, 33)
    for start, end, radius in zip(points[:-1], points[1:], np.broadcast_to(item.radius, len(points) - 1), strict=True):
        side, other = axes_across(end - start)
        ring = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other
        for middle in np.linspace(start, end, max(2, int(np.linalg.norm(end - start) / (2 * radius))))[:-1]:
            model.add_line(middle + radius * ring, ROAD_LINE, 0.35)


@model_thing.register
def _box(item: Box, model: Model) -> None:
    """Its edges."""
    low, high = item.bounds
    model.add_pieces((low + (high - low) * CORNERS)[EDGES], GRASS_EDGE, 0.7)


@model_thing.register
def _sphere(item: Sphere, model: Model) -> None:
    """Three hoops."""
    for axis in range(3):
        model.add_line(hoop(item.center, float(item.radius), axis), GRASS_EDGE, 0.7)


@model_thing.register
def _field(item: FlowField, model: Model) -> None:
    """Small strokes with a head, at the nodes of a grid."""
    mesh = float((model.high - model.low).max()) / ARROWS
    axes = [np.arange(low + mesh / 2, high, mesh) for low, high in zip(model.low, model.high, strict=True)]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 3)
    flow = item.at(points, model.domain)
    fastest = float(np.sqrt(np.nanmax(np.sum(flow**2, axis=1), initial=0.0)))
    if fastest > 0:
        arrows = flow * (0.8 * mesh / fastest)
        tail, tip = points - arrows / 2, points + arrows / 2
        side = np.cross(arrows, [0.0, 0.0, 1.0])
        for feather in (0.12 * side, -0.12 * side):
            model.add_pieces(np.stack([tip - 0.3 * arrows + feather, tip], axis=1), ARROW, 0.7)
        model.add_pieces(np.stack([tail, tip], axis=1), ARROW, 0.7)


@model_thing.register
def _of_obstacles(item: Skin | Interior, model: Model) -> None:
    model_thing(item.obstacles, model)


@model_thing.register
def _resources(item: Resources, model: Model) -> None:
    """Small balls where something is left."""
    size = 0.012 * float((model.high - model.low).max())
    for place in item.position[item.amount > 0]:
        model.add_triangles(outward(capsule(place, place, size, rings=3)), FRUIT, closed=True)

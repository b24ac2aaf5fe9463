"""Scenery in 3D: the picture of each kind of item in space; bodies as triangles, everything else as lines."""

import itertools
from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.core.environment.domains.box import Box
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.environment.obstacles.hulls import axes_along
from steersman.core.environment.obstacles.obstacle_set import Solids
from steersman.core.environment.obstacles.skin import Skin
from steersman.core.environment.obstacles.spheres import Spheres
from steersman.core.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.interior import Interior
from steersman.core.environment.regions.sphere import Sphere
from steersman.core.environment.resources import Resources
from steersman.core.environment.surfaces.heightfield import Heightfield
from steersman.core.environment.surfaces.plane import Plane
from steersman.core.environment.walking.walk_mesh import WalkMesh
from steersman.core.typing import Array
from steersman.drawing.elements import Areas, Element, Glyphs, Lines, Mesh, View
from steersman.drawing.palette import ARROW, FRUIT, GRASS_EDGE, GROUND, LIGHT, ROAD, ROAD_LINE, STONE, WALL, rgb, rgba
from steersman.drawing.scenery_flat import bodies, flow_arrows

GRAIN = 56
"""Nodes of a landscape that are shown along an axis, at most."""

CORNERS = np.array(list(itertools.product((0, 1), repeat=3)))
EDGES = np.array([(a, b) for a, b in itertools.combinations(range(8), 2) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 1])
SIDES = np.array([[[0, 1, 3], [0, 3, 2]], [[4, 5, 7], [4, 7, 6]], [[0, 1, 5], [0, 5, 4]],
                  [[2, 3, 7], [2, 7, 6]], [[0, 2, 6], [0, 6, 4]], [[1, 3, 7], [1, 7, 5]]])  # fmt: skip
"""A box: its corners, edges as pairs of corners, and faces as two triangles each."""

ARROWS = 9
"""Arrows of a flow field along the longest edge of the view."""


@singledispatch
def in_space(item: Any, view: View) -> Iterator[Element]:
    """The picture of an item of the scenery in 3D. An item without a registered function is not seen."""
    yield from ()


def line(*points: Any, color: str, opacity: float = 0.8) -> Lines:
    """Lines of one color, each through points (k, 3)."""
    return Lines(points=[np.asarray(each, np.float64) for each in points], color=rgba(color, opacity))


def rounded_body(center: Array, half: Array, axes: Array, radius: float, rings: int = 8) -> Array:
    """A box with rounded edges as triangles [m], seen from outside counterclockwise, shape (k, 3, 3).

    Its parameters are those of `rounded_boxes`, for one.
    """
    if radius == 0:
        return outward((center + (2 * CORNERS - 1) * half @ axes)[SIDES].reshape(-1, 3, 3))
    polar = np.linspace(0, np.pi, 2 * rings + 2)
    around = (np.arange(2 * rings + 1) + 0.5) * np.pi / rings  # No point lies between two faces.
    t, p = np.meshgrid(polar, around, indexing="ij")
    normal = np.stack([np.cos(t), np.sin(t) * np.cos(p), np.sin(t) * np.sin(p)], axis=-1)
    sign = np.sign(np.stack([np.cos(t), np.cos(p), np.sin(p)], axis=-1))
    return outward(sheet_triangles(center + (sign * half + radius * normal) @ axes))


def capsule(a: Array, b: Array, radius: float, rings: int = 8) -> Array:
    """A thick segment with round ends as triangles; see `rounded_body`."""
    half = np.array([np.linalg.norm(b - a) / 2, 0.0, 0.0])
    return rounded_body((a + b) / 2, half, axes_along((b - a)[None])[0], radius, rings)


def outward(triangles: Array) -> Array:
    """The triangles (k, 3, 3) of a convex body, each seen from outside counterclockwise."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    away = np.sum(normal * (triangles.mean(axis=1) - triangles.mean(axis=(0, 1))), axis=1) >= 0
    return np.where(away[:, None, None], triangles, triangles[:, ::-1])


def axes_across(ahead: Array) -> tuple[Array, Array]:
    """Two unit vectors at right angles to a direction and to each other."""
    _, side, other = axes_along(ahead[None])[0]
    return side, other


def sheet_triangles(grid: Array) -> Array:
    """A sheet of points (a, b, 3) as triangles, shape (2 (a - 1) (b - 1), 3, 3)."""
    one, two, three, four = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    lower, upper = np.stack([one, two, three], axis=2), np.stack([one, three, four], axis=2)
    return np.concatenate([lower.reshape(-1, 3, 3), upper.reshape(-1, 3, 3)])


def hoop(center: Any, radius: float, axis: Array) -> Array:
    """A circle around an axis [m], shape (k, 3)."""
    side, other = axes_across(axis)
    angle = np.linspace(0, 2 * np.pi, 49)[:, None]
    return np.asarray(center + radius * (np.cos(angle) * side + np.sin(angle) * other))


@in_space.register
def _spheres(item: Spheres, view: View) -> Iterator[Element]:
    there = item.enabled
    size = 2 * item.radius[there]
    yield Glyphs(shape="ball", position=item.center[there], size=size, color=rgb(STONE), layer=3.0)


@in_space.register
def _solids(item: Solids, view: View) -> Iterator[Element]:
    yield Mesh(triangles=_together([rounded_body(*each) for each in bodies(item)]), color=rgb(STONE), closed=True)


@in_space.register
def _boxes(item: Boxes, view: View) -> Iterator[Element]:
    """Solid; of rooms, the edges."""
    if item.seen_from == "inside":
        yield line(*item.corners[item.enabled][:, EDGES].reshape(-1, 2, 3), color=STONE)
    else:
        yield from _solids(item, view)


@in_space.register
def _mesh(item: TriangleMesh, view: View) -> Iterator[Element]:
    closed = item.is_closed and item.seen_from == "outside"
    yield Mesh(triangles=np.asarray(item.corners, np.float64)[item.enabled], color=rgb(STONE), closed=closed)


def nodes_of(land: Heightfield) -> list[Array]:
    """Where nodes of a landscape that are shown lie along x and y [m], some fifty at most each way."""
    nodes = []
    for low, high, count in zip(land.low, land.high, land.heights.shape, strict=True):
        shown = np.unique(np.linspace(0, count - 1, min(count, GRAIN)).round().astype(int))
        nodes.append(np.linspace(low, high, count)[shown])
    return nodes


def land_triangles(land: Heightfield, nodes: Sequence[Array]) -> Array:
    """A landscape between nodes along x and y [m] as triangles, shape (k, 3, 3)."""
    flat = np.stack(np.meshgrid(*nodes, indexing="ij"), axis=-1)
    heights = land.height_at(flat.reshape(-1, 2)).reshape(*flat.shape[:2], 1)
    return sheet_triangles(np.concatenate([flat, heights], axis=-1))


@in_space.register
def _heightfield(item: Heightfield, view: View) -> Iterator[Element]:
    yield Mesh(triangles=land_triangles(item, nodes_of(item)), color=rgb(GROUND))


@in_space.register
def _walkable(item: WalkMesh, view: View) -> Iterator[Element]:
    """Floors that let the ones below them be seen, and their rim."""
    point, triangle = item.triangles
    yield Areas(rings=list(point[triangle]), face=rgb(ROAD), opacity=0.6)
    yield line(*item.columns.rim, color=WALL)


@in_space.register
def _plane(item: Plane, view: View) -> Iterator[Element]:
    """A grid on it, as large as the view."""
    along, across = axes_across(np.asarray(item.normal))
    middle = (view.low + view.high) / 2
    middle = middle - np.dot(middle - item.point, item.normal) * item.normal
    marks = np.linspace(-0.5, 0.5, 13) * view.span
    ends = marks[[0, -1], None]
    one = [middle + mark * along + ends * across for mark in marks]
    other = [middle + mark * across + ends * along for mark in marks]
    yield line(*one, *other, color=ROAD_LINE, opacity=0.4)


@in_space.register
def _path(item: Path, view: View) -> Iterator[Element]:
    """The spine, and hoops of the tube's width along it."""
    points = np.concatenate([item.points, item.points[:1]]) if item.closed else item.points
    yield line(points, color=ROAD_LINE, opacity=0.9)
    hoops = []
    radii = np.broadcast_to(item.radius, max(len(points) - 1, 0))
    for start, end, radius in zip(points[:-1], points[1:], radii, strict=True):
        count = max(2, int(np.linalg.norm(end - start) / (2 * radius)))
        hoops += [hoop(middle, float(radius), end - start) for middle in np.linspace(start, end, count)[:-1]]
    yield line(*hoops, color=ROAD_LINE, opacity=0.35)


@in_space.register
def _box(item: Box, view: View) -> Iterator[Element]:
    """Its edges."""
    low, high = item.bounds
    yield line(*(low + (high - low) * CORNERS)[EDGES], color=GRASS_EDGE, opacity=0.7)


def glass(item: Box) -> Iterator[Element]:
    """A box full of water: its panes, which are seen through, and their edges."""
    low, high = item.bounds
    corners = low + (high - low) * CORNERS
    panes = [corners[list(ring)] for ring in ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6))]
    yield Areas(rings=panes, face=rgb(LIGHT["shallow"]), opacity=0.16)
    yield line(*corners[EDGES], color=LIGHT["water edge"], opacity=0.6)


@in_space.register
def _sphere(item: Sphere, view: View) -> Iterator[Element]:
    """Three hoops."""
    yield line(*[hoop(item.center, float(item.radius), axis) for axis in np.eye(3)], color=GRASS_EDGE, opacity=0.7)


@in_space.register
def _field(item: FlowField, view: View) -> Iterator[Element]:
    yield from flow_arrows(item, view, ARROWS, rgba(ARROW, 0.7), 0.02)


@in_space.register
def _of_obstacles(item: Skin | Interior, view: View) -> Iterator[Element]:
    for each in item.obstacles.sets:
        yield from in_space(each, view)


@in_space.register
def _resources(item: Resources, view: View) -> Iterator[Element]:
    """Small balls at places with an amount left."""
    size = 0.012 * view.span
    balls = [capsule(place, place, size, rings=3) for place in item.position[item.amount > 0]]
    yield Mesh(triangles=_together(balls), color=rgb(FRUIT), closed=True)


def _together(bodies: Sequence[Array]) -> Array:
    """Triangles of several bodies, shape (k, 3, 3)."""
    return np.concatenate([np.zeros((0, 3, 3)), *bodies])

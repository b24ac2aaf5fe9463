"""Scenery in 2D: the picture of each kind of item in the plane."""

from collections.abc import Callable, Iterator
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.core.environment.domains.box import Box
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.fields.flow_image import FlowImage
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet, Solids
from steersman.core.environment.obstacles.outlines import facing_out
from steersman.core.environment.obstacles.skin import Skin
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.interior import Interior
from steersman.core.environment.regions.polygon import Polygon
from steersman.core.environment.regions.sphere import Sphere
from steersman.core.environment.resources import Resources
from steersman.core.environment.routes.doors import Doored
from steersman.core.environment.routes.nav_mesh import NavMesh
from steersman.core.environment.routes.route_grid import RouteGrid
from steersman.core.typing import Array
from steersman.drawing.elements import MIDDLE_LINE, PAINT, SURFACE, Areas, Arrows, Element, Lines, Marks, View
from steersman.drawing.palette import (
    ARROW,
    FRUIT,
    GRASS,
    GRASS_EDGE,
    GROUND,
    LIGHT,
    ROAD,
    ROAD_EDGE,
    ROAD_LINE,
    ROCK,
    ROCK_EDGE,
    SHUT,
    WALL,
    WHEEL,
    rgb,
    rgba,
)

SOFT, BEND = (2.0, 60.0), 7
"""Bends that are drawn round [degrees], and the points of one."""

NEAR = 0.25, 0.004
"""A round bend passes its corner at no more than this part of the radius of a path, and of the extent of a region."""

CORNERS = 1000
"""A line of more points is drawn as it is."""

ARROWS, PAINTED = 26, 48
"""Arrows of a flow field, and cells of paint, along the longer edge of a picture."""

STONES = 600
"""So many bodies of a set have facets; of more, one sees no such thing."""

TOP, SUN = 0.22, np.radians(128.0)
"""The slope around the top of a box, as a part of its half width; where the light comes from."""

FACES, BOUNDS = ("rock deep", "rock shade", "", "rock lit"), (-0.62, 0.05, 0.6)
"""Colors of the faces of a boulder, from those that look away from the light; the cosines between them."""

HALVES = 8
"""How often the part of an edge that a rim crosses is halved."""


def circle(center: Any, radius: float, corners: int = 96) -> Array:
    """A circle as a polygon [m], shape (corners, 2)."""
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.asarray(center + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def rounded(center: Array, half: Array, axes: Array, radius: float) -> Array:
    """A box with rounded corners as a polygon [m], shape (k, 2); its parameters as for `rounded_boxes`, for one."""
    quarter = np.linspace(0, np.pi / 2, 25 if radius > 0 else 1)
    angle = quarter + np.pi / 2 * np.arange(4)[:, None]
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    local = (signs * half)[:, None] + radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return np.asarray(center + local.reshape(-1, 2) @ axes)


def tube(points: Array, radius: Array, *, closed: bool) -> list[Array]:
    """Parts that cover the places within a radius of a line, overlapping little: strips, and round joints and ends.

    Args:
        points: Points of the line [m], shape (k, 2); of a closed one, the last is the first.
        radius: How far from each piece [m], shape (k - 1,).
        closed: Whether it is closed.
    """
    if len(points) < 2:
        return [circle(points[0], float(radius[0]))]
    ahead = np.diff(points, axis=0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-12)
    left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * radius[:, None]
    strips = [
        np.stack([a - side, b - side, b + side, a + side])
        for a, b, side in zip(points[:-1], points[1:], left, strict=True)
    ]
    pairs = zip(range(len(ahead)), range(1, len(ahead)), strict=False)
    joints = [_joint(points[j], ahead[i], ahead[j], radius[[i, j]]) for i, j in pairs]
    if closed:
        return [*strips, *joints, _joint(points[0], ahead[-1], ahead[0], radius[[-1, 0]])]
    ends = [(points[0], -ahead[0], radius[0]), (points[-1], ahead[-1], radius[-1])]
    return [*strips, *joints, *[_sector(place, way, -np.pi, float(r)) for place, way, r in ends]]


def _joint(place: Array, ahead: Array, after: Array, radius: Array) -> Array:
    """The gap that two strips leave open on the outer side of a bend."""
    turn = float(np.arctan2(ahead[0] * after[1] - ahead[1] * after[0], np.dot(ahead, after)))
    if radius[0] != radius[1]:
        return circle(place, float(radius.max()), 48)
    return _sector(place, ahead, turn, float(radius[0]))


def _sector(place: Array, ahead: Array, turn: float, radius: float) -> Array:
    """A sector of a disc: from the outer side of a way to that of the way after a turn [rad]; half a disc ahead for -pi."""
    outer = np.arctan2(ahead[1], ahead[0]) - np.copysign(np.pi / 2, turn)
    angle = np.linspace(outer, outer + turn, max(2, int(np.ceil(abs(turn) * 11))))
    rim = place + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.concatenate([place[None], rim if turn > 0 else rim[::-1]])


def softened(points: Array, most: float, *, closed: bool) -> Array:
    """A line whose soft bends are round: each is a parabola that passes its corner at no more than a distance [m].

    Args:
        points: Points of the line [m], shape (k, 2); of a closed one, the last is the first.
        most: That distance [m].
        closed: Whether it is closed.
    """
    if len(points) > CORNERS:
        return points
    ring = points[:-1] if closed else points
    ways = np.roll(ring, -1, axis=0) - ring
    length = np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-12)
    after, before = ways / length, np.roll(ways / length, 1, axis=0)
    turn = np.arccos(np.clip(np.sum(before * after, axis=1), -1, 1))
    soft = (turn > np.radians(SOFT[0])) & (turn < np.radians(SOFT[1]))
    soft &= closed | ((np.arange(len(ring)) > 0) & (np.arange(len(ring)) < len(ring) - 1))
    room = 0.45 * np.minimum(length, np.roll(length, 1, axis=0))[:, 0]
    reach = np.minimum(room, 2 * most / np.maximum(np.sin(turn / 2), 1e-12))[:, None]
    t = np.linspace(0, 1, BEND)[:, None]
    curves = [
        (1 - t) ** 2 * (at - r * a) + 2 * t * (1 - t) * at + t**2 * (at + r * b) if bends else at[None]
        for at, r, a, b, bends in zip(ring, reach, before, after, soft, strict=True)
    ]
    line = np.concatenate(curves)
    return np.concatenate([line, line[:1]]) if closed else line


def facets(center: Array, half: Array, axes: Array, radius: float, number: int) -> Iterator[tuple[str, Array]]:
    """Parts of a body [m], shape (k, 2), with the names of their colors: of a disc the faces and the top of a boulder.

    Faces that look to the upper left are lit; those that have the color of the body are left out.

    Args:
        center, half, axes, radius: See `rounded_boxes`, of one.
        number: That of the body: boulders of other numbers have other corners.
    """
    if np.any(half > 0):
        slope = TOP * float(half.min() + radius)
        yield "rock light", rounded(center, np.maximum(half - slope, 0.0), axes, max(radius - slope, 0.0))
        return
    turn, count = 2.4 * number, 7 + number % 3
    corners = np.arange(count) + 0.3 * np.sin(turn + 2.3 * np.arange(count))
    angle = turn + 2 * np.pi * corners / count
    far = 0.56 + 0.12 * np.sin(turn + 1.7 * np.arange(count))
    top = np.array([-0.06, 0.08]) + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for k, (start, end) in enumerate(zip(angle, [*angle[1:], angle[0] + 2 * np.pi], strict=True)):
        bright = float(np.cos((start + end) / 2 - SUN))
        name = FACES[int(np.searchsorted(BOUNDS, bright))]
        if name:
            rim = np.linspace(start, end, 1 + max(2, int(np.ceil(8 * (end - start)))))
            ring = [np.stack([np.cos(rim), np.sin(rim)], axis=1), top[[(k + 1) % count, k]]]
            yield name, center + radius * np.concatenate(ring)
    yield "rock light", center + radius * top


@singledispatch
def in_plane(item: Any, view: View) -> Iterator[Element]:
    """The picture of an item of the scenery in 2D. An item without a registered function is not seen."""
    yield from ()


Body = tuple[Array, Array, Array, float]
"""Center, half extents, axes and rounding of a convex body; see `rounded_boxes`."""


def bodies(item: ObstacleSet) -> Iterator[Body]:
    """The convex bodies of a set that are there."""
    return (body for _, body in numbered_bodies(item))


def numbered_bodies(item: ObstacleSet) -> Iterator[tuple[int, Body]]:
    """The convex bodies of a set that are there, with numbers that they keep while others come and go."""
    d, parts = item.dimensions, item.viewed_from("outside").hulls(np.float64).parts
    for number in np.flatnonzero(item.enabled[parts.order]):
        row = parts.rows[number]
        center, half, axes = row[:d], row[d : 2 * d], row[2 * d : 2 * d + d * d]
        yield int(number), (center, half, axes.reshape(d, d), float(row[-1]))


@in_plane.register
def _solids(item: Solids, view: View) -> Iterator[Element]:
    """Stones: filled outlines with faces that catch the light; of obstacles seen from inside, only the rim."""
    hulls, face = list(numbered_bodies(item)), None if item.seen_from == "inside" else rgb(ROCK)
    yield Areas(rings=[rounded(*each) for _, each in hulls], face=face, edge=rgb(ROCK_EDGE), layer=1.6)
    rings: dict[str, list[Array]] = {}
    for k, each in hulls if face is not None and len(hulls) <= STONES else ():
        for name, ring in facets(*each, k):
            rings.setdefault(name, []).append(ring)
    for name, parts in rings.items():
        yield Areas(rings=parts, face=rgb(LIGHT[name]), layer=1.61)


@in_plane.register
def _walls(item: Walls, view: View) -> Iterator[Element]:
    """Lines with a light top; rings that are solid are filled, but not their holes."""
    if not item.enabled.all():
        yield from _wall(list(np.stack([item.segments.a, item.segments.b], axis=1)[item.enabled]))
        return
    chains = [(np.asarray(points), closed) for points, closed in zip(item.points, item.closed, strict=True)]
    rings = [points for points, closed in chains if closed]
    if rings and item.seen_from == "outside":
        turned = [ring if out else ring[::-1] for ring, out in zip(rings, facing_out(rings), strict=True)]
        yield Areas(rings=turned, face=rgb(ROCK), layer=1.6)
    outlines = [np.concatenate([ring, ring[:2]]) for ring in rings]
    yield Lines(points=outlines, color=rgba(WALL), width=2.4, layer=1.65)
    yield from _wall([points for points, closed in chains if not closed])


def _wall(points: list[Array]) -> Iterator[Element]:
    yield Lines(points=points, color=rgba(WALL), width=3.6, layer=1.7)
    yield Lines(points=points, color=rgba(LIGHT["wall top"]), width=1.7, layer=1.73, part=PAINT)


def _place(ring: Array) -> Iterator[Element]:
    yield Areas(rings=[ring], face=rgb(GRASS), edge=rgb(GRASS_EDGE), width=2.0, layer=0.6, part=SURFACE)


@in_plane.register
def _polygon(item: Polygon, view: View) -> Iterator[Element]:
    ring = np.asarray(item.points)
    most = NEAR[1] * float(np.ptp(ring, axis=0).max())
    return _place(softened(np.concatenate([ring, ring[:1]]), most, closed=True)[:-1])


@in_plane.register
def _box(item: Box, view: View) -> Iterator[Element]:
    return _place(item.origin + np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * item.size)


@in_plane.register
def _sphere(item: Sphere, view: View) -> Iterator[Element]:
    return _place(circle(item.center, float(item.radius)))


@in_plane.register
def _path(item: Path, view: View) -> Iterator[Element]:
    """The tube, and the spine as a dashed line."""
    points = np.concatenate([item.points, item.points[:1]]) if item.closed else item.points
    if np.ndim(item.radius) == 0 and len(points) > 2:
        points = softened(points, NEAR[0] * float(item.radius), closed=bool(item.closed))
    parts = tube(points, np.broadcast_to(item.radius, max(len(points) - 1, 1)), closed=bool(item.closed))
    yield Areas(rings=parts, edge=rgb(ROAD_EDGE), width=1.6, layer=0.8, part=SURFACE)
    yield Areas(rings=parts, face=rgb(ROAD), layer=0.9, part=SURFACE)
    yield Lines(points=[points], color=rgba(ROAD_LINE), width=0.9, dash=(5, 4), layer=1.0, part=MIDDLE_LINE)


@in_plane.register
def _field(item: FlowField, view: View) -> Iterator[Element]:
    """Small arrows at the nodes of a grid, the longest nearly as long as its meshes."""
    yield from flow_arrows(item, view, ARROWS, rgba(ARROW), 0.06)


@in_plane.register
def _painted(item: FlowImage, view: View) -> Iterator[Element]:
    """The paint of a picture, faint: cells in the color of the way that the flow goes, and the arrows."""
    low, high = np.asarray(item.low), np.asarray(item.high)
    mesh = float((high - low).max()) / PAINTED
    axes = [np.arange(start, end - 1e-9, mesh) for start, end in zip(low, high, strict=True)]
    low_ends, square = (
        np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2),
        mesh * np.array([(0, 0), (1, 0), (1, 1), (0, 1)]),
    )
    cells = np.minimum(low_ends[:, None] + square, high)

    def tint_of(places: Array) -> Array:
        flow = item.at(places, view.domain)
        way = np.round(np.arctan2(flow[:, 1], flow[:, 0]) * len(WHEEL) / (2 * np.pi)).astype(int) % len(WHEEL)
        return np.where(np.linalg.norm(flow, axis=1) > 0.02 * item.max_speed, way, -1)

    tints = tint_of(cells.reshape(-1, 2)).reshape(-1, 4)
    mixed = (tints != tints[:, :1]).any(axis=1)
    halves = [(0, 1, 2), (0, 2, 3)]
    triangles, kinds = cut(
        np.concatenate([cells[mixed][:, half] for half in halves]),
        np.concatenate([tints[mixed][:, half] for half in halves]),
        tint_of,
    )
    for k, (color, _) in enumerate(WHEEL):
        rings = [*cells[~mixed & (tints[:, 0] == k)], *triangles[kinds == k]]
        if rings:
            yield Areas(rings=rings, face=rgb(color), opacity=0.22, layer=0.5, part=PAINT)
    yield from flow_arrows(item, view, ARROWS, rgba(ARROW), 0.06)


def cut(triangles: Array, tints: Array, tint_of: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Triangles, each cut along the rim that passes between its corners, and the number of the color of each.

    Args:
        triangles: The triangles, shape (k, 3, d).
        tints: The numbers at their corners, shape (k, 3).
        tint_of: Those of places, shape (m, d).
    """
    mixed = (tints != tints[:, :1]).any(axis=1)
    one, two, three = tints[mixed].T
    alone = np.where(one == two, 2, np.where(one == three, 1, 0))  # The corner beyond the rim from the other two.
    rows, around = np.arange(len(alone))[:, None], (alone[:, None] + np.arange(3)) % 3
    a, b, c = triangles[mixed][rows, around].transpose(1, 0, 2)
    own, other, _ = tints[mixed][rows, around].T
    rims = []
    for end in (b, c):
        near, far = a, end
        for _ in range(HALVES):
            middle = (near + far) / 2
            inside = (tint_of(middle) == own)[:, None]
            near, far = np.where(inside, middle, near), np.where(inside, far, middle)
        rims.append((near + far) / 2)
    p, q = rims
    parts = [np.stack(each, axis=1) for each in ((a, p, q), (p, b, c), (p, c, q))]
    return np.concatenate([triangles[~mixed], *parts]), np.concatenate([tints[~mixed, 0], own, other, other])


def flow_arrows(item: FlowField, view: View, along: int, color: Any, width: float) -> Iterator[Element]:
    """A flow field as arrows.

    Args:
        item: The field.
        view: The visible part of the space.
        along: Arrows along its longest edge.
        color: Their color with opacity.
        width: Their width, as a part of a mesh.
    """
    points, mesh = view.nodes(along)
    flow = item.at(points, view.domain)
    speed = np.sqrt(np.sum(flow**2, axis=1))
    fastest = float(np.nanmax(speed, initial=0.0))
    there = speed > 0.02 * fastest
    if there.any():
        half = flow[there] * (0.425 * mesh / fastest)
        tails, tips = points[there] - half, points[there] + half
        yield Arrows(tails=tails, tips=tips, color=color, width=width * mesh, layer=0.7)


@in_plane.register
def _nav_mesh(item: NavMesh, view: View) -> Iterator[Element]:
    """Its triangles, and its doors."""
    corners = item.mesh.point[item.mesh.triangle]
    yield Areas(rings=list(corners), face=rgb(GROUND), opacity=0.5, layer=0.4, part=PAINT)
    yield Lines(points=list(corners[:, [0, 1, 2, 0]]), color=rgba(ROAD_EDGE), width=0.6, layer=0.5)
    yield from doors(item)


@in_plane.register
def _route_grid(item: RouteGrid, view: View) -> Iterator[Element]:
    """Where bodies fit, row by row, and its doors."""
    free = np.pad(np.isfinite(item.weight[1:-1, 1:-1]), 1)
    low, half = item.bounds[0] - item.step, item.step / 2
    begins, ends = (np.argwhere(free[:, 1:] & ~free[:, :-1]), np.argwhere(free[:, :-1] & ~free[:, 1:]))
    first, last = low + item.step * (begins + np.array([0, 1])) - half, low + item.step * ends + half
    rings = np.stack([first, np.stack([last[:, 0], first[:, 1]], axis=1), last], axis=1)
    rings = np.concatenate([rings, np.stack([first[:, 0], last[:, 1]], axis=1)[:, None]], axis=1)
    yield Areas(rings=list(rings), face=rgb(GROUND), opacity=0.5, layer=0.4, part=PAINT)
    yield from doors(item)


def doors(item: Doored) -> Iterator[Element]:
    """Doors of a map: green, and red where they are shut."""
    shut = np.isinf(item.current_tolls)
    for color, which in ((FRUIT, ~shut), (SHUT, shut)):
        yield Lines(points=list(item.doors[which]), color=rgba(color), width=2.2, layer=1.75)


@in_plane.register
def _of_obstacles(item: Skin | Interior, view: View) -> Iterator[Element]:
    for each in item.obstacles.sets:
        yield from in_plane(each, view)


@in_plane.register
def _resources(item: Resources, view: View) -> Iterator[Element]:
    """Dots as large as the amount left, of the largest amount of all; used up ones as faint rings."""
    left = item.amount > 0
    share = item.amount[left] / max(float(item.amount.max(initial=0.0)), 1e-12)
    yield Marks(shape="ring", position=item.position[~left], color=rgb(GRASS_EDGE), size=14**0.5, layer=1.5)
    yield Marks(shape="dot", position=item.position[left], color=rgb(FRUIT), size=(12 + 50 * share) ** 0.5, layer=1.5)

"""NavMesh: a map of polygons, on which ways are exactly the shortest."""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, final

import numpy as np

from steersman.core.environment.obstacles.obstacle import as_obstacles
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.kind import as_region
from steersman.core.environment.regions.region import Region
from steersman.core.environment.routes.bending import begin_bend, bend_on
from steersman.core.environment.routes.route_map import ANY, NONE, Guide, RouteMap, RouteQuery, images_about
from steersman.core.environment.routes.seeing_corners import (
    NEAR,
    GoalsOnMesh,
    MeshColumns,
    locate,
    look_around,
    nearest_on_mesh,
    see_corners,
    shortest,
    tolls,
)
from steersman.core.environment.routes.triangulating import (
    as_polygons,
    beside_of,
    free_space,
    lists_of,
    triangulated,
)
from steersman.core.environment.shape import new_foot
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.arrays import as_floats, as_points, columns_of, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import INTEGER, NUMBERS, POINTS, Description, Kind, as_number
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array

KEPT = 256
"""So many goals with their ways from all corners are kept."""

RUN = 8
"""So many corners are looked at for a bend."""

REFLEX = 1e-9
"""A corner has an angle of so much more than 180 degrees at least [rad]."""


def as_doors(name: str, value: Any) -> Array:
    """Segments, shape (k, 2, 2), read-only.

    Raises:
        TypeError: They are no numbers.
        ValueError: They have another shape, or hold NaN or infinity.
    """
    segments = as_floats(name, value, np.float64)
    if segments.size == 0:
        segments = segments.reshape(0, 2, 2)
    if segments.ndim != 3 or segments.shape[1:] != (2, 2):
        raise ValueError(f"{name} must be segments, shape (k, 2, 2), got {segments.shape}")
    return frozen(segments)


POLYGONS = Kind("polygons", "Shapely polygons, a Polygon, or a list of polygons (rings)", as_polygons)
DOORS = Kind("doors", "segments (k, 2, 2)", as_doors, like=POINTS)


class Workspace(NamedTuple):
    """Space for looking around.

    Attributes:
        stack: Triangles to look into, shape (k, 4), int32.
        best: The answer, shape (4,).
        seen: None, shape (0,), uint8.
    """

    stack: Array
    best: Array
    seen: Array


@kernel(exact=True)
def image_of(x: Any, middle: Any, period: Any, inverse: Any) -> Any:
    """The image of a coordinate that is nearest to the middle [m]."""
    return x - np.float64(period) * np.rint((x - middle) * np.float64(inverse))


@kernel(exact=True)
def look_on(
    guide: Guide, i: int, mesh: MeshColumns, goals: GoalsOnMesh, corners: Array, field: int, first: int, x: Any, y: Any,
    c: int, cut: Any,
) -> None:  # fmt: skip
    """Find the bend of the way from a place over corner c, by the corners that come next."""
    ahead, length = c, 0.0
    px, py = mesh.point[corners[c], 0], mesh.point[corners[c], 1]
    way = (px - x, py - y)
    for _ in range(RUN):
        ahead = goals.after[field, ahead]
        nx, ny = px, py
        if ahead >= 0:
            nx, ny = mesh.point[corners[ahead], 0], mesh.point[corners[ahead], 1]
        else:
            nx, ny = goals.point[first - 1 - ahead, 0], goals.point[first - 1 - ahead, 1]
        bend_on(guide, i, way, (nx - px, ny - py), length, cut)
        if ahead < 0:
            return
        length += math.hypot(nx - px, ny - py)
        px, py = nx, ny


@row_kernel(exact=True)
def guide_on_mesh(
    i: int, query: RouteQuery, which: Array, mesh: MeshColumns, goals: GoalsOnMesh, corners: Array, middle: Array,
    work: Workspace, guide: Guide,
) -> None:  # fmt: skip
    """Where vehicles go next: to the goal, where it is in sight, or to the corner that the shortest way leads over."""
    best = work.best
    if not query.active[i]:
        return
    guide.remaining[i], guide.way[0][i], guide.way[1][i] = np.inf, 0.0, 0.0
    begin_bend(guide, i)
    row = query.row[i]
    if row == NONE:
        return
    first, last, field = 0, goals.point.shape[0], 0
    if row != ANY:
        field = which[row]
        first, last = field, field + 1
    x = image_of(np.float64(query.position[0][i]), middle[0], query.wrap[0, 0], query.wrap[1, 0])
    y = image_of(np.float64(query.position[1][i]), middle[1], query.wrap[0, 1], query.wrap[1, 1])
    px, py, t = x, y, locate(mesh, x, y)
    if t < 0:
        px, py = nearest_on_mesh(mesh, x, y)
        t = locate(mesh, px, py)
    best[0], best[1], best[2], best[3] = np.inf, px, py, -1.0
    if t >= 0:
        look_around(mesh, goals, field, first, last, px, py, t, -1, work.stack, best, work.seen)
    if best[0] < np.inf:
        guide.remaining[i] = best[0] + np.hypot(px - x, py - y)
        guide.way[0][i], guide.way[1][i] = best[1] - x, best[2] - y
        if best[3] >= 0.0:
            look_on(guide, i, mesh, goals, corners, field, first, px, py, int(best[3]), query.cut[i])


@row_kernel(exact=True)
def locate_all(i: int, x: Array, y: Array, mesh: MeshColumns, found: Array) -> None:
    """The triangles that points lie in, -1 for none; points outside are moved to the nearest point of the mesh."""
    t = locate(mesh, x[i], y[i])
    if t < 0 and x[i] == x[i] and y[i] == y[i]:
        x[i], y[i] = nearest_on_mesh(mesh, x[i], y[i])
        t = locate(mesh, x[i], y[i])
    found[i] = t


@row_kernel(exact=True)
def ways_from_corners(
    k: int, first: Array, mesh: MeshColumns, goals: GoalsOnMesh, corners: Array, joined: Array,
    joined_first: Array, length: Array, work: Workspace, seen: Array, done: Array,
) -> None:  # fmt: skip
    """The ways from all corners to some goals; field k is that of the goals from first[k] up to first[k + 1]."""
    remaining, after = goals.remaining[k], goals.after[k]
    for m in range(first[k], first[k + 1]):
        if goals.triangle[m] < 0:
            continue
        seen[:] = 0
        x, y = goals.point[m, 0], goals.point[m, 1]
        look_around(mesh, goals, -1, 0, 0, x, y, goals.triangle[m], -1, work.stack, work.best, seen)
        for c in range(corners.size):
            if seen[c]:
                px, py = mesh.point[corners[c], 0], mesh.point[corners[c], 1]
                way = np.hypot(px - x, py - y)
                if way < remaining[c]:
                    way += tolls(mesh, px, py, x, y)
                    if way < remaining[c]:
                        remaining[c], after[c] = way, first[k] - 1 - m
    shortest(mesh, corners, joined, joined_first, length, remaining, after, done)


@final
@dataclass(frozen=True, eq=False)
class NavMesh(RouteMap):
    """A map of routes in the plane: polygons where the centers of bodies may be. Ways are the shortest, exactly.

        floor = sm.NavMesh.around(walls, region=sm.Box([40, 30]), clearance=0.4, doors=[[[12, 8], [14, 8]]])
        world.add(people, steering=sm.GoTo(exits, by=floor))
        floor.shut(0)

    It is made of a constrained triangulation, and of the corners that are in sight of each other: a shortest way bends at
    corners only. It needs `pip install steersman[geo]` (Shapely >= 2.1). A goal costs as much as its sight and Dijkstra's
    algorithm over the corners; so goals that move cost little, and many corners much.

    Doors are segments across the free space. Their tolls can be changed at any time, and the next step goes by them. A
    snapshot of a world holds the tolls that the map was made with.

    Args:
        polygons: Where centers of bodies may be [m]: Shapely polygons, a Polygon, or a list of polygons, each a list of
            rings, its outline first, then its holes.
        doors: Segments that doors lie on [m], shape (k, 2, 2).
        tolls: What it costs to pass each door [m], as a longer way; infinite for shut. One number, or one each.

    Raises:
        ImportError: Shapely is missing, or too old.
        TypeError: An argument is of another kind.
        ValueError: The polygons have no area, a shape does not fit, or a number is NaN or below 0.
    """

    polygons: Any = parameter(kind=POLYGONS, positional=True, unit="m")
    doors: Any = parameter((), kind=DOORS, unit="m")
    tolls: Any = parameter(0.0, kind=NUMBERS, unit="m")

    whole: ClassVar[bool] = True

    def validate(self) -> None:
        """Bring the tolls to their normal form."""
        given = as_floats("tolls", self.tolls, np.float64, infinite=True)
        if given.ndim > 1 or not (given >= 0).all() or given.size not in (1, len(self.doors)):
            raise ValueError(f"tolls must be numbers >= 0 m, one or {len(self.doors)}, got {brief(self.tolls)}")
        self._put(tolls=frozen(np.array(np.broadcast_to(given, (len(self.doors),)))))

    @classmethod
    @explained
    def around(
        cls,
        obstacles: Any = None,
        *,
        region: Any,
        clearance: float = 0.5,
        tolerance: int = 2,
        doors: Any = (),
        tolls: Any = 0.0,
    ) -> Self:
        """The map of a region without obstacles.

        Args:
            obstacles: Spheres, Boxes, Capsules, Walls, or a list of such sets.
            region: Where bodies may be: a Box, a Polygon or a Sphere.
            clearance: How near the center of a body may come to obstacles, and to the rim of the region [m].
            tolerance: Into so many straight pieces a way around a corner of 90 degrees is divided. Raising it is more exact
                and slower.
            doors: As for NavMesh.
            tolls: As for NavMesh.

        Raises:
            TypeError: A kind of obstacles or of region has no outline.
            ValueError: Nothing is left, something is not in the plane, or as for NavMesh.
        """
        things = None if obstacles is None else as_obstacles(obstacles)
        room = as_number("clearance", clearance, above=0.0, unit="m")
        free = free_space(
            things, as_region("region", region), room, int(Description("tolerance", INTEGER, low=1).normal(tolerance))
        )
        if free.is_empty:
            raise ValueError(f"clearance must be smaller: nothing is left of the region, got {clearance}")
        return cls(free, doors=doors, tolls=tolls)

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    # ------------------------------------------------------------------------------------------------ doors

    @cached_property
    def _toll(self) -> Array:
        """The tolls now [m], shape (k,)."""
        return np.array(self.tolls, np.float64)

    @property
    def current_tolls(self) -> Array:
        """What it costs to pass each door now [m], shape (k,), a copy."""
        return np.array(self._toll)

    def set_toll(self, door: int, toll: float) -> None:
        """Change what it costs to pass a door [m], >= 0, infinite for shut.

        Raises:
            TypeError: The door is no whole number, or the toll no number.
            ValueError: There is no such door, or the toll is below 0 or NaN.
        """
        number = int(Description("door", INTEGER, low=0).normal(door))
        if number >= len(self._toll):
            raise ValueError(f"door must be one of {len(self._toll)}, from 0, got {number}")
        self._toll[number] = as_number("toll", toll, low=0.0, unit="m", infinite=True)
        self._known.clear()

    def shut(self, door: int) -> None:
        """Shut a door: no way leads through it any more. The arguments are as for `set_toll`."""
        self.set_toll(door, np.inf)

    def open(self, door: int) -> None:
        """Open a door: it costs nothing to pass it."""
        self.set_toll(door, 0.0)

    # ------------------------------------------------------------------------------------------------ the mesh

    @cached_property
    def mesh(self) -> MeshColumns:
        """Its triangles, for kernels."""
        point, triangle = triangulated(self.polygons)
        beside, count = beside_of(triangle), len(point)
        corner = np.full(count, -1, np.int32)
        reflex = np.flatnonzero(_angles(point, triangle) > np.pi + REFLEX)
        corner[reflex] = np.arange(len(reflex))
        fan, fan_first = lists_of(triangle.ravel(), np.repeat(np.arange(len(triangle)), 3), count)
        low, high = point.min(axis=0), point.max(axis=0)
        size = float((high - low).max())
        edge = max(size * 1e-6, float(np.sqrt(np.prod(np.maximum(high - low, 1e-9)) / len(triangle))))
        shape = np.floor((high - low) / edge).astype(int) + 1
        cell, cell_first = _cells(point, triangle, low, edge, shape)
        frame = np.array([*low, edge, *shape, NEAR * size**2])
        doors = self.doors.reshape(-1, 4).copy()
        return MeshColumns(
            point, triangle.astype(np.int32), beside, corner, fan, fan_first, cell, cell_first, frame, doors, self._toll
        )

    @cached_property
    def middle(self) -> Array:
        """The middle of the mesh [m], shape (2,)."""
        point = self.mesh.point
        return np.asarray((point.min(axis=0) + point.max(axis=0)) / 2)

    @cached_property
    def corners(self) -> Array:
        """The vertices at which ways may bend, shape (c,)."""
        return np.flatnonzero(self.mesh.corner >= 0)

    @cached_property
    def _joined(self) -> tuple[Array, Array, Array]:
        """The corners that a way may lead to from each: their numbers, where those of each corner begin, and how far [m]."""
        n, mesh = len(self.corners), self.mesh
        seen = np.zeros((n, n), np.uint8)
        nothing, work = (
            GoalsOnMesh(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros((0, 0)), np.zeros((0, 0), np.int64)),
            self._workspace(),
        )
        Call(see_corners, (mesh, nothing, self.corners, work.stack, work.best, seen)).run(n)
        one, other = np.nonzero((seen | seen.T) & ~np.eye(n, dtype=bool))
        point = mesh.point[self.corners]
        bends = self._may_bend(point[one], other) & self._may_bend(point[other], one)
        one, other = one[bends], other[bends]
        joined, first = lists_of(one, other, n)
        length = np.hypot(*(point[np.repeat(np.arange(n), np.diff(first))] - point[joined]).T)
        return joined, first, length

    def _may_bend(self, origin: Array, corner: Array) -> Array:
        """Whether a way from a point to a corner may bend there: it touches the corner, and does not end at its walls."""
        mesh = self.mesh
        t, e = np.nonzero(mesh.beside < 0)
        a, b = mesh.triangle[t, e], mesh.triangle[t, (e + 1) % 3]
        after, before = np.full((2, len(mesh.point)), -1)
        after[a], before[b] = b, a
        there = self.corners[corner]
        single = np.bincount(a, minlength=len(mesh.point))[there] == 1
        place = mesh.point[there] - origin
        sides = [
            place[:, 0] * (mesh.point[beyond[there], 1] - origin[:, 1])
            - place[:, 1] * (mesh.point[beyond[there], 0] - origin[:, 0])
            for beyond in (after, before)
        ]
        near = mesh.frame[5]
        return np.asarray(~single | (np.minimum(*sides) >= -near) | (np.maximum(*sides) <= near))

    def _workspace(self) -> Workspace:
        return Workspace(np.zeros((4 * len(self.mesh.triangle) + 64, 4), np.int32), np.zeros(4), np.zeros(0, np.uint8))

    @cached_property
    def _known(self) -> "OrderedDict[bytes, tuple[Array, Array]]":
        """For goals that were asked for: how long the way is from each corner, and where it goes next."""
        return OrderedDict()

    def ways(self, groups: list[Array]) -> tuple[GoalsOnMesh, Array]:
        """Goals, and the ways to them from all corners; and where the goals of each group begin.

        Args:
            groups: Goals [m], shape (m, 2), several arrays: a field for each.
        """
        first = np.concatenate([[0], np.cumsum([len(each) for each in groups])]).astype(np.int64)
        point = np.concatenate([np.zeros((0, 2)), *groups])
        triangle = np.full(len(point), -1, np.int64)
        x, y = point.T.copy()
        Call(locate_all, (x, y, self.mesh, triangle)).run(len(point))
        size = (len(groups), len(self.corners))
        goals = GoalsOnMesh(np.stack([x, y], axis=1), triangle, np.full(size, np.inf), np.zeros(size, np.int64))
        joined, joined_first, length = self._joined
        work, n = self._workspace(), len(self.corners)
        keys = [each.tobytes() for each in groups]
        for k, key in enumerate(keys):
            if key not in self._known:
                one = GoalsOnMesh(
                    goals.point[first[k] : first[k + 1]],
                    triangle[first[k] : first[k + 1]],
                    goals.remaining[k : k + 1],
                    goals.after[k : k + 1],
                )
                ends, seen, done = np.array([0, len(groups[k])]), np.zeros(n, np.uint8), np.zeros(n, np.uint8)
                arguments = (ends, self.mesh, one, self.corners, joined, joined_first, length, work, seen, done)
                Call(ways_from_corners, arguments).run(1)
                self._known[key] = (goals.remaining[k].copy(), goals.after[k].copy())
                while len(self._known) > max(KEPT, len(keys)):
                    self._known.popitem(last=False)
            else:
                goals.remaining[k], goals.after[k] = self._known[key]
        return goals, first

    # ------------------------------------------------------------------------------------------------ asking

    def guide_calls(
        self, query: RouteQuery, guide: Guide, region: Region | None, moves: bool, count: Callable[[], int]
    ) -> list[Call]:
        """One call for all vehicles."""
        return [Call(_Guiding(self, query, guide, region, moves, count), whole=True, fits=True)]

    @explained
    def route(self, origin: Any, goal: Any, *, radius: float = 1.0) -> Path:
        """The shortest way between two points, as a Path to be followed.

        Args:
            origin: Where it begins [m], shape (2,).
            goal: Where it ends [m], shape (2,).
            radius: Half the width of the path [m].

        Raises:
            TypeError: They are no points.
            ValueError: They have a wrong shape, or no way leads from one to the other.
        """
        here, end = (as_points(name, each, np.float64, 2)[0] for name, each in (("origin", origin), ("goal", goal)))
        points = [here]
        for _ in range(len(self.corners) + 2):
            ahead, remaining = self.guide(points[-1], end)
            if not np.isfinite(remaining):
                raise ValueError(f"no way leads from origin {here.tolist()} to goal {end.tolist()}")
            points.append(ahead)
            if np.hypot(*(points[-1] - points[-2])) >= remaining - 1e-9:
                break
        return Path(np.array(points), radius=radius)

    @explained
    def lengths(self, origins: Any, goals: Any) -> Array:
        """The lengths of the shortest ways between pairs of points [m], (n, 2) and (n, 2) -> (n,); infinite for none.

        Raises:
            TypeError: They are no points.
            ValueError: Their shapes differ.
        """
        begin, end = as_points("origins", origins, np.float64, 2), as_points("goals", goals, np.float64, 2)
        if begin.shape != end.shape:
            raise ValueError(f"goals must have shape {begin.shape} like origins, got {end.shape}")
        _, found = self.guide(begin, end, row=np.arange(len(begin)))
        return np.asarray(found)


class _Guiding:
    """Guides all vehicles; computes the ways to goals that have moved."""

    def __init__(
        self,
        mesh: NavMesh,
        query: RouteQuery,
        guide: Guide,
        region: Region | None,
        moves: bool,
        count: Callable[[], int],
    ) -> None:
        self.map, self.query, self.guide, self.count, self.moves = mesh, query, guide, count, moves
        self.region, self.work = region, mesh._workspace()
        self.which = np.zeros(len(query.goal[0]), np.int64)
        self.known: tuple[bytes, GoalsOnMesh] | None = None

    def __call__(self) -> None:
        n, query = self.count(), self.query
        if not n or not query.active[:n].any():
            return
        goals = self.goals(query.row[:n])
        Call(
            guide_on_mesh,
            (query, self.which, self.map.mesh, goals, self.map.corners, self.map.middle, self.work, self.guide),
        ).run(n)
        self.stop_inside(n)
        query.active[:n] = 0

    def goals(self, rows: Array) -> GoalsOnMesh:
        """The goals of now, and the ways to them."""
        tolls = self.map._toll.tobytes()
        if self.known is not None and not self.moves and self.known[0] == tolls:
            return self.known[1]
        if self.region is not None:
            middle = np.asarray(self.region.middle, np.float64)[None]
            groups = [images_about(self.map.middle, middle, self.query.wrap)]
        else:
            points = np.stack([column[: self.query.number[0]] for column in self.query.goal], axis=1).astype(np.float64)
            points = images_about(self.map.middle, points, self.query.wrap)
            if np.any(rows == ANY):
                groups = [points]
            else:
                used = np.unique(rows[rows >= 0])
                distinct, back = np.unique(points[used], axis=0, return_inverse=True)
                self.which[used] = back.ravel()
                groups = [each[None] for each in distinct]
        found, _ = self.map.ways(groups)
        self.known = (tolls, found)
        return found

    def stop_inside(self, n: int) -> None:
        """Nothing remains of the ways of those that are inside of the region."""
        if self.region is None:
            return
        places = np.stack([column[:n] for column in self.query.position], axis=1).astype(np.float64)
        places = images_about(np.asarray(self.region.middle), places, self.query.wrap)
        foot = new_foot(n, 2, np.float64)
        for call in self.region.foot_calls(columns_of(places, np.float64), foot):
            call.run(n)
        inside = (foot.distance < 0) & (self.query.active[:n] != 0)
        self.guide.remaining[:n][inside] = 0
        for column in self.guide.way:
            column[:n][inside] = 0


def _angles(point: Array, triangle: Array) -> Array:
    """The angle of the mesh at each vertex [rad]."""
    found = np.zeros(len(point))
    for k in range(3):
        here = point[triangle[:, k]]
        one, other = point[triangle[:, (k + 1) % 3]] - here, point[triangle[:, (k + 2) % 3]] - here
        sine, cosine = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0], (one * other).sum(axis=1)
        np.add.at(found, triangle[:, k], np.arctan2(sine, cosine))
    return found


def _cells(point: Array, triangle: Array, low: Array, edge: float, shape: Array) -> tuple[Array, Array]:
    """The triangles that may lie in each cell of a grid."""
    corners = (point[triangle] - low) / edge
    first = np.clip(np.floor(corners.min(axis=1) - 1e-9).astype(int), 0, shape - 1)
    last = np.clip(np.floor(corners.max(axis=1) + 1e-9).astype(int), 0, shape - 1)
    keys, values = [], []
    for t, ((i0, j0), (i1, j1)) in enumerate(zip(first, last, strict=True)):
        block = (np.arange(i0, i1 + 1)[:, None] * shape[1] + np.arange(j0, j1 + 1)).ravel()
        keys.append(block)
        values.append(np.full(len(block), t))
    return lists_of(np.concatenate(keys), np.concatenate(values), int(np.prod(shape)))

"""NavMesh: a map of routes as polygons, with exactly the shortest ways."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self, final

import numpy as np

from steersman.core.environment.obstacles.obstacle import as_obstacles
from steersman.core.environment.regions.kind import as_region
from steersman.core.environment.routes.bending import begin_bend, bend_on
from steersman.core.environment.routes.crowds import NO_CROWD, CrowdField, crowd_along, crowd_between
from steersman.core.environment.routes.door_map import MOST_GOALS, DoorMap
from steersman.core.environment.routes.route_map import NONE, Guide, RouteQuery, queried_goals
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
    cells_of,
    free_space,
    lists_of,
    triangulated,
)
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import INTEGER, Description, Kind, as_number
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array

RUN = 8
"""The most corners in which a bend is searched for."""

REFLEX = 1e-9
"""A vertex is a corner if its angle is larger than 180 degrees by this [rad]."""


POLYGONS = Kind("polygons", "Shapely polygons, a Polygon, or a list of polygons (rings)", as_polygons)


class Workspace(NamedTuple):
    """Space for looking around.

    Attributes:
        stack: Triangles to look into, shape (k, 4), int32.
        best: The answer, shape (4,).
        visible: None, shape (0,), uint8.
    """

    stack: Array
    best: Array
    visible: Array


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


@kernel(exact=True)
def length_beyond(mesh: MeshColumns, goals: GoalsOnMesh, corners: Array, field: int, first: int, c: int) -> Any:
    """The length of the way from corner c to its goal [m]; 0 for c < 0."""
    length = 0.0
    for _ in range(corners.size):
        if c < 0:
            break
        x, y, c = mesh.point[corners[c], 0], mesh.point[corners[c], 1], goals.after[field, c]
        if c >= 0:
            length += math.hypot(mesh.point[corners[c], 0] - x, mesh.point[corners[c], 1] - y)
        else:
            length += math.hypot(goals.point[first - 1 - c, 0] - x, goals.point[first - 1 - c, 1] - y)
    return length


@row_kernel(exact=True)
def guide_on_mesh(
    i: int, query: RouteQuery, which: Array, mesh: MeshColumns, goals: GoalsOnMesh, corners: Array, middle: Array,
    work: Workspace, guide: Guide,
) -> None:  # fmt: skip
    """Write the next place of each vehicle: the goal if it is in sight, else the next corner of the shortest way."""
    best = work.best
    if not query.active[i]:
        return
    guide.remaining[i], guide.cost[i], guide.way[0][i], guide.way[1][i] = np.inf, np.inf, 0.0, 0.0
    begin_bend(guide, i)
    row = query.row[i]
    if row == NONE:
        return
    field, first, last = queried_goals(row, which, goals.point.shape[0])
    x = image_of(np.float64(query.position[0][i]), middle[0], query.wrap[0, 0], query.wrap[1, 0])
    y = image_of(np.float64(query.position[1][i]), middle[1], query.wrap[0, 1], query.wrap[1, 1])
    px, py, t = x, y, locate(mesh, x, y)
    if t < 0:
        px, py = nearest_on_mesh(mesh, x, y)
        t = locate(mesh, px, py)
    best[0], best[1], best[2], best[3] = np.inf, px, py, -1.0
    if t >= 0:
        look_around(mesh, goals, field, first, last, px, py, t, -1, work.stack, best, work.visible)
    if best[0] < np.inf:
        length, off = best[0], np.hypot(px - x, py - y)
        if mesh.door.size > 0 or goals.crowd.extra.size > 0:
            length = math.hypot(best[1] - px, best[2] - py) + length_beyond(
                mesh, goals, corners, field, first, int(best[3])
            )
        guide.remaining[i], guide.cost[i] = length + off, best[0] + off
        guide.way[0][i], guide.way[1][i] = best[1] - x, best[2] - y
        if best[3] >= 0.0:
            look_on(guide, i, mesh, goals, corners, field, first, px, py, int(best[3]), query.cut[i])


@row_kernel(exact=True)
def locate_all(i: int, x: Array, y: Array, mesh: MeshColumns, triangles: Array) -> None:
    """The triangle of each point, -1 for none. Points outside are moved to the nearest point of the mesh."""
    t = locate(mesh, x[i], y[i])
    if t < 0 and x[i] == x[i] and y[i] == y[i]:
        x[i], y[i] = nearest_on_mesh(mesh, x[i], y[i])
        t = locate(mesh, x[i], y[i])
    triangles[i] = t


@row_kernel(exact=True)
def ways_from_corners(
    k: int, first: Array, mesh: MeshColumns, goals: GoalsOnMesh, corners: Array, joined: Array,
    joined_first: Array, length: Array, work: Workspace, visible: Array, done: Array,
) -> None:  # fmt: skip
    """The ways from all corners to some goals; field k is that of the goals from first[k] up to first[k + 1]."""
    remaining, after = goals.remaining[k], goals.after[k]
    for m in range(first[k], first[k + 1]):
        if goals.triangle[m] < 0:
            continue
        visible[:] = 0
        x, y = goals.point[m, 0], goals.point[m, 1]
        look_around(mesh, goals, -1, 0, 0, x, y, goals.triangle[m], -1, work.stack, work.best, visible)
        for c in range(corners.size):
            if visible[c]:
                px, py = mesh.point[corners[c], 0], mesh.point[corners[c], 1]
                way = np.hypot(px - x, py - y)
                if way < remaining[c]:
                    way += tolls(mesh, px, py, x, y) + crowd_along(goals.crowd, px, py, 0.0, x, y, 0.0)
                    if way < remaining[c]:
                        remaining[c], after[c] = way, first[k] - 1 - m
    shortest(mesh, corners, joined, joined_first, length, remaining, after, done)


@final
@dataclass(frozen=True, eq=False)
class NavMesh(DoorMap):
    """A map of routes in the plane: polygons where the centers of bodies may be. Ways are the shortest, exactly.

        floor = sm.NavMesh.around(walls, region=sm.Box([40, 30]), clearance=0.4, doors=[[[12, 8], [14, 8]]])
        world.add(people, steering=sm.GoTo(exits, by=floor))
        floor.shut(0)

    It is made of a constrained triangulation, and of the corners that are in sight of each other: a shortest way bends at
    corners only. It needs `pip install steersman[geo]` (Shapely >= 2.1). A goal costs as much as its sight and Dijkstra's
    algorithm over the corners; so goals that move cost little, and many corners much.

    Doors are segments across the free space. Their tolls can be changed at any time, and the next step goes by them.

    Args:
        polygons: Where centers of bodies may be [m]: Shapely polygons, a Polygon, or a list of polygons, each a list of
            rings, its outline first, then its holes.
        doors: Segments that doors lie on [m], shape (k, 2, 2).
        tolls: The cost of passing each door [m], as a longer way; infinite for shut. One number, or one each.
        leaves: Obstacles that stand in the doors while they are shut, a part for each door: a door is shut by enabling its
            part, and opened by disabling it, and the other way round. Of Walls the doors need not be given.

    Raises:
        ImportError: Shapely is missing, or too old.
        ValueError: The polygons have no area.
    """

    polygons: Any = parameter(kind=POLYGONS, positional=True, unit="m")

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
        leaves: Any = None,
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
            leaves: As for NavMesh.

        Raises:
            TypeError: A kind of obstacles or of region has no outline.
            ValueError: Nothing is left, something is not in the plane, or as for NavMesh.
        """
        solids = None if obstacles is None else as_obstacles(obstacles)
        room = as_number("clearance", clearance, above=0.0, unit="m")
        free = free_space(
            solids, as_region("region", region), room, int(Description("tolerance", INTEGER, low=1).normal(tolerance))
        )
        if free.is_empty:
            raise ValueError(f"clearance must be smaller: nothing is left of the region, got {clearance}")
        return cls(free, doors=doors, tolls=tolls, leaves=leaves)

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    # ------------------------------------------------------------------------------------------------ the mesh

    @cached_property
    def mesh(self) -> MeshColumns:
        """The triangles of the mesh, for kernels."""
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
        cell, cell_first = cells_of(point, triangle, low, edge, shape)
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
        """For each corner the corners that a way may lead to: their numbers, where those of each begin, and distances [m]."""
        n, mesh = len(self.corners), self.mesh
        visible = np.zeros((n, n), np.uint8)
        nothing, work = (
            GoalsOnMesh(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros((0, 0)), np.zeros((0, 0), np.int64)),
            self._workspace(),
        )
        Call(see_corners, (mesh, nothing, self.corners, work.stack, work.best, visible)).run(n)
        one, other = np.nonzero((visible | visible.T) & ~np.eye(n, dtype=bool))
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

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner [m], shape (2,) each."""
        point = self.mesh.point
        return point.min(axis=0), point.max(axis=0)

    @explained
    def ways(self, groups: list[Array], crowd: CrowdField = NO_CROWD) -> tuple[GoalsOnMesh, Array]:
        """Goals, and the ways to them from all corners; and where the goals of each group begin.

        Args:
            groups: Goals [m], shape (m, 2), several arrays: a field for each.
            crowd: Where ways are longer.
        """
        first = np.concatenate([[0], np.cumsum([len(each) for each in groups])]).astype(np.int64)
        point = np.concatenate([np.zeros((0, 2)), *groups])
        triangle = np.full(len(point), -1, np.int64)
        x, y = point.T.copy()
        Call(locate_all, (x, y, self.mesh, triangle)).run(len(point))
        size = (len(groups), len(self.corners))
        goals = GoalsOnMesh(np.stack([x, y], axis=1), triangle, np.full(size, np.inf), np.zeros(size, np.int64), crowd)
        joined, joined_first, length = self._joined
        if crowd.extra.size:
            extra, begin = np.zeros(len(joined)), np.repeat(np.arange(len(self.corners)), np.diff(joined_first))
            pairs = (self.corners[begin], self.corners[joined])
            Call(crowd_between, (self.mesh.point, *pairs, crowd, extra)).run(len(joined))
            length = length + extra
        work, n = self._workspace(), len(self.corners)
        keys = [each.tobytes() for each in groups]
        for k, key in enumerate(keys):
            if crowd.extra.size or key not in self._known:
                one = GoalsOnMesh(
                    goals.point[first[k] : first[k + 1]],
                    triangle[first[k] : first[k + 1]],
                    goals.remaining[k : k + 1],
                    goals.after[k : k + 1],
                    crowd,
                )
                ends, visible, done = np.array([0, len(groups[k])]), np.zeros(n, np.uint8), np.zeros(n, np.uint8)
                arguments = (ends, self.mesh, one, self.corners, joined, joined_first, length, work, visible, done)
                Call(ways_from_corners, arguments).run(1)
                if crowd.extra.size:
                    continue
                self._known[key] = (goals.remaining[k].copy(), goals.after[k].copy())
                while len(self._known) > max(MOST_GOALS, len(keys)):
                    self._known.popitem(last=False)
            else:
                goals.remaining[k], goals.after[k] = self._known[key]
        return goals, first

    # ------------------------------------------------------------------------------------------------ asking

    def guide_call(self, query: RouteQuery, which: Array, goals: GoalsOnMesh, guide: Guide) -> Call:
        """The call that writes the goal, or the next corner."""
        return Call(
            guide_on_mesh, (query, which, self.mesh, goals, self.corners, self.middle, self._workspace(), guide)
        )

    @property
    def most_bends(self) -> int:
        """The most bends of a way."""
        return len(self.corners) + 2


def _angles(point: Array, triangle: Array) -> Array:
    """The angle of the mesh at each vertex [rad]."""
    angles = np.zeros(len(point))
    for k in range(3):
        here = point[triangle[:, k]]
        one, other = point[triangle[:, (k + 1) % 3]] - here, point[triangle[:, (k + 2) % 3]] - here
        sine, cosine = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0], (one * other).sum(axis=1)
        np.add.at(angles, triangle[:, k], np.arctan2(sine, cosine))
    return angles

"""WalkMesh: a map of routes on the walkable triangles of a mesh or a landscape, and the ground that they are."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from steersman.core.environment.obstacles.skin import Skin
from steersman.core.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.core.environment.routes.crowds import NO_CROWD, CrowdField
from steersman.core.environment.routes.door_map import MOST_GOALS, DoorMap
from steersman.core.environment.routes.doors import DOORS_IN_SPACE
from steersman.core.environment.routes.route_map import Guide, RouteQuery
from steersman.core.environment.routes.triangulating import cells_of, lists_of
from steersman.core.environment.shape import SurfaceProjection
from steersman.core.environment.surface import Ground, Surface
from steersman.core.environment.surfaces.heightfield import Heightfield
from steersman.core.environment.surfaces.kind import SURFACE
from steersman.core.environment.walking.portals import Nodes, Portals, nodes_of, portals_of
from steersman.core.environment.walking.way_finding import (
    GoalsOnGround,
    WalkColumns,
    guide_on_ground,
    lengths_on_ground,
    new_way_space,
    stand,
    stand_all,
    ways_from_nodes,
)
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns

SAME = 1e-6
"""Lines nearer to each other than this part of the size of the mesh count as one."""

ON_DOOR = 1e-2
"""A portal is part of a door if it is nearer to it than this [m]."""

HIGHEST = 10.0
"""The largest difference in height between a door and a portal on it, in steps."""

SHARED = 4
"""The number of pairs for each goal from which on ways are found from all nodes at once; fewer are found one by one."""


@row_kernel(exact=True)
def put_on_mesh(i: int, points: Columns, mesh: WalkColumns, ground: Ground) -> None:
    """Put points on the mesh: straight up or down, or on its rim."""
    x, y, z = np.float64(points[0][i]), np.float64(points[1][i]), np.float64(points[2][i])
    t, px, py, pz = stand(mesh, x, y, z)
    ground.position[0][i], ground.position[1][i], ground.position[2][i] = px, py, pz
    ground.normal[0][i], ground.normal[1][i] = mesh.normal[t, 0], mesh.normal[t, 1]
    ground.normal[2][i] = mesh.normal[t, 2]


@final
@dataclass(frozen=True, eq=False)
class WalkMesh(DoorMap, Surface):
    """A map of routes on a surface in 3D: hills, stairs, floors above each other. It is the ground to walk upon, too.

        house = sm.WalkMesh(sm.TriangleMesh.load("house.obj"), clearance=0.3)
        world.add(people, steering=sm.GoTo([12, 4, 3.1], by=house), locomotion=sm.SurfaceBound(house))

    Its triangles are those that face up and are not too steep. They are joined along edges that they share, or that lie above
    each other by a step at most: so stairs may be a row of treads, and walls are where no triangle is. A way leads over
    nodes on these edges, found by A*, and is pulled straight on the triangles laid out flat: it is the shortest through
    these triangles. Risers of steps do not count for its length. Bodies on it stand on the nearest triangle straight
    above or below them; one that leaves it stays on its rim.

    Doors are segments along edges of triangles. Their tolls can be changed at any time, and the next step goes by them.

    Args:
        surface: A TriangleMesh or a Heightfield.
        max_slope: The steepest triangle to be walked upon [rad]. Raising it leads over steeper ones.
        step: The highest step from a triangle to one beside it [m]. Raising it opens ways over higher edges.
        clearance: How near the center of a body may come to where no triangle is [m], about; a corner between wide triangles
            may be cut by up to 0.3 of it. Raising it leads farther from rims, and closes narrow ways.
        spacing: How far apart nodes on an edge are at most [m]. Lowering it finds better ways among many triangles, and is
            slower. Default: a third of the mean length of an edge.
        doors: Segments that doors lie on [m], shape (k, 2, 3).
        tolls: The cost of passing each door [m], as a longer way; infinite for shut. One number, or one each.
        leaves: Obstacles that stand in the doors while they are shut, a part for each door: a door is shut by enabling its
            part, and opened by disabling it, and the other way round.

    Raises:
        ValueError: No triangle is walkable, or no edge of triangles lies on a door.
    """

    surface: Any = parameter(kind=SURFACE, positional=True)
    max_slope: float = parameter(0.8, above=0.0, high=np.pi / 2, unit="rad")
    step: float = parameter(0.25, low=0.0, unit="m")
    clearance: float = parameter(0.5, low=0.0, unit="m")
    spacing: float | None = parameter(None, above=0.0, unit="m", optional=True)
    doors: Any = parameter((), kind=DOORS_IN_SPACE, unit="m")

    def validate(self) -> None:
        """Check that there are triangles, and an edge on every door."""
        DoorMap.validate(self)
        if not len(self.triangles[1]):
            raise ValueError(f"max_slope must be larger: no triangle is walkable, got {self.max_slope}")
        for k, edges in enumerate(self._doorways):
            if not len(edges):
                raise ValueError(f"doors must lie on edges that join triangles, but door {k} does not")

    @property
    def dimensions(self) -> int:
        """3."""
        return 3

    @cached_property
    def triangles(self) -> tuple[Array, Array]:
        """The walkable triangles: vertices [m], shape (v, 3); rows of them, counter-clockwise from above, shape (t, 3)."""
        surface = self.surface.obstacles if isinstance(self.surface, Skin) else self.surface
        if isinstance(surface, TriangleMesh):
            point, triangle = surface.welded
        elif isinstance(surface, Heightfield) and not surface.repeat:
            point, triangle = surface.mesh()
        else:
            raise TypeError(
                f"surface must be a TriangleMesh, or a Heightfield that does not repeat, got {brief(surface)}"
            )
        normal = _normals(point, triangle)
        walkable = triangle[normal[:, 2] >= max(np.cos(self.max_slope), 1e-6)]
        used, row = np.unique(walkable, return_inverse=True)
        return np.ascontiguousarray(point[used]), row.reshape(-1, 3).astype(np.int64)

    @cached_property
    def _portals(self) -> Portals:
        return portals_of(*self.triangles, self.step, self._reach)

    @cached_property
    def _nodes(self) -> Nodes:
        return nodes_of(self._portals, max(self.clearance, self._reach), self.spacing)

    @property
    def _reach(self) -> float:
        """Lines that are nearer to each other than this count as one [m]."""
        return SAME * float(np.ptp(self.triangles[0], axis=0).max())

    @cached_property
    def _doorways(self) -> list[Array]:
        """The pieces of portals that lie on each door."""
        end = self._nodes.end[:, 0]
        doorways = []
        for a, b in self.doors:
            way = b - a
            flat2 = float((way[:2] ** 2).sum())
            along = ((end - a)[..., :2] @ way[:2]) / max(flat2, 1e-300)
            off = end - (a + along[..., None] * way)
            near = (np.hypot(off[..., 0], off[..., 1]) < ON_DOOR) & (np.abs(off[..., 2]) <= HIGHEST * self.step)
            inside = (along > -ON_DOOR / max(flat2, 1e-300) ** 0.5) & (along < 1 + ON_DOOR / max(flat2, 1e-300) ** 0.5)
            doorways.append(np.flatnonzero((near & inside).all(axis=1)))
        return doorways

    @cached_property
    def _toll_of_piece(self) -> Array:
        """The cost of passing each piece now [m]."""
        return self._tolls_paid(np.zeros(len(self._nodes.end)))

    def _tolls_paid(self, paid: Array) -> Array:
        """The costs of all pieces [m], in the array that kernels know."""
        paid[:] = 0
        for pieces, toll in zip(self._doorways, self._toll, strict=True):
            paid[pieces] += toll
        return paid

    def _tolls_changed(self) -> None:
        super()._tolls_changed()
        self._tolls_paid(self._toll_of_piece)

    @cached_property
    def columns(self) -> WalkColumns:
        """The mesh, for kernels."""
        point, triangle = self.triangles
        portals, nodes = self._portals, self._nodes
        low, high = point[:, :2].min(axis=0), point[:, :2].max(axis=0)
        size = float((high - low).max())
        edge = max(size * 1e-6, float(np.sqrt(np.prod(np.maximum(high - low, 1e-9)) / len(triangle))))
        shape = np.floor((high - low) / edge).astype(int) + 1
        cell, cell_first = cells_of(point[:, :2], triangle, low, edge, shape)
        beside = portals.triangle[nodes.portal].reshape(-1, 2)
        both = beside[nodes.piece]
        near, near_first = lists_of(both.ravel(), np.repeat(np.arange(len(both)), 2), len(triangle))
        frame = np.array([*low, edge, *shape, 1e-12 * size**2, self.step, max(self.clearance / 4, self._reach)])
        return WalkColumns(
            point, triangle.astype(np.int32), _normals(point, triangle), cell, cell_first, frame,
            portals.rim, portals.rim_triangle, beside, nodes.end, self._toll_of_piece,
            nodes.piece, nodes.point, near, near_first,
        )  # fmt: skip

    @cached_property
    def middle(self) -> Array:
        """The middle of its bounds [m], shape (3,)."""
        point, _ = self.triangles
        return np.asarray((point.min(axis=0) + point.max(axis=0)) / 2)

    # ------------------------------------------------------------------------------------------------ the ground

    @cached_property
    def _skin(self) -> Skin:
        return Skin(TriangleMesh(*self.triangles, seen_from="outside"))

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """The nearest points of the triangles."""
        return self._skin.foot_calls(points, foot)

    def project_calls(self, points: Columns, ground: Ground) -> list[Call]:
        """The points moved straight up or down onto the mesh, or to its rim."""
        return [Call(put_on_mesh, (points, self.columns, ground))]

    # ------------------------------------------------------------------------------------------------ asking

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner [m], shape (3,) each."""
        point, _ = self.triangles
        return point.min(axis=0), point.max(axis=0)

    def _goals(self, point: Array, fields: int, crowd: CrowdField = NO_CROWD) -> GoalsOnGround:
        """Goals on the ground, and room for the ways to them."""
        goals = np.array(point, np.float64)
        triangle = np.full(len(goals), -1, np.int64)
        known = np.isfinite(goals).all(axis=1)
        some, which = goals[known], triangle[known]
        Call(stand_all, (some, self.columns, which)).run(len(some))
        goals[known], triangle[known] = some, which
        n = len(self.columns.node)
        return GoalsOnGround(
            goals,
            triangle,
            np.full((fields, n), np.inf),
            np.zeros((fields, n), np.int32),
            np.zeros((fields, n), np.int32),
            crowd,
        )

    @explained
    def ways(self, groups: list[Array], crowd: CrowdField = NO_CROWD) -> tuple[GoalsOnGround, Array]:
        """Goals, and the ways to them from all nodes; and where the goals of each group begin."""
        first = np.concatenate([[0], np.cumsum([len(each) for each in groups])]).astype(np.int64)
        goals = self._goals(np.concatenate([np.zeros((0, 3)), *groups]), len(groups), crowd)
        keys = [each.tobytes() for each in groups]
        space = new_way_space(self.columns)
        for k, key in enumerate(keys):
            if key in self._known and not crowd.extra.size:
                goals.remaining[k], goals.after[k], goals.through[k] = self._known[key]
                continue
            some, field = slice(first[k], first[k + 1]), slice(k, k + 1)
            one = GoalsOnGround(
                goals.point[some],
                goals.triangle[some],
                goals.remaining[field],
                goals.after[field],
                goals.through[field],
                crowd,
            )
            Call(ways_from_nodes, (np.array([0, len(groups[k])]), self.columns, one, space)).run(1)
            if crowd.extra.size:
                continue
            self._known[key] = (goals.remaining[k].copy(), goals.after[k].copy(), goals.through[k].copy())
            while len(self._known) > max(MOST_GOALS, len(keys)):
                self._known.popitem(last=False)
        return goals, first

    def guide_call(self, query: RouteQuery, which: Array, goals: GoalsOnGround, guide: Guide) -> Call:
        """The goal, the next corner, or where the ground bends before."""
        space = new_way_space(self.columns, search=False)
        return Call(guide_on_ground, (query, which, self.columns, goals, self.middle, space, guide))

    def lengths(self, origins: Any, goals: Any) -> Array:
        """The lengths of the shortest ways between pairs of points [m], (n, 3) and (n, 3) -> (n,); infinite for none."""
        begin, end = self._pairs(origins, goals)
        if len(np.unique(end, axis=0)) * SHARED <= len(end):
            return super().lengths(begin, end)
        places, distances = self._goals(begin, 0), np.zeros(len(begin))
        mesh = self.columns
        targets = self._goals(end, 1)
        space = new_way_space(mesh)
        Call(lengths_on_ground, (mesh, places.point, places.triangle, targets, space, distances)).run(len(begin))
        return distances

    @property
    def most_bends(self) -> int:
        """The most bends of a way."""
        return 4 * len(self.columns.end) + 2


def _normals(point: Array, triangle: Array) -> Array:
    """Unit normals, shape (t, 3); zero for triangles without an area."""
    a, b, c = (point[triangle[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    return np.asarray(normal / np.where(size > 0, size, 1))

"""Senses: the senses of the built-in behaviors, for behaviors written in NumPy; for all vehicles at once, as arrays.

    near = scene.nearest(rocks, reach=5)      the nearest point: distance, normal
    hits = scene.cast(rocks, reach=10)        the first hits of rays, straight ahead or along any directions
    on = scene.along(path)                    the place on a path: arc length, offset, tangent, radius
    others = scene.neighbors(8)               the neighbors: rows, offsets, distances

The kernels are those of AvoidObstacles, Whiskers, FollowPath and Separation, in the vehicles' dtype and across the edge
of a torus. Arrays for the answers are made at the first question, and used again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.answers import QueryResult, new_hits, new_nearest, new_rays
from steersman.core.environment.obstacles.obstacle import Obstacles, as_obstacles, check_dimensions
from steersman.core.environment.paths.path import as_path
from steersman.core.environment.paths.projecting import PathColumns, point_at, project, radius_of, tangent_of
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import unit_rows
from steersman.core.maths.vectors import difference, load, store
from steersman.core.neighborhood.lookup import Neighbors, NeighborSearch
from steersman.core.parameters.arrays import as_points
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicles import Vehicles

R = TypeVar("R")

MOST_ANSWERS = 32
"""How many answers are kept ready; with more (a reach that is never the same, say) all are forgotten."""


class Along(NamedTuple):
    """Where vehicles are on a path: the nearest points of its spine.

    Attributes:
        s: Arc lengths [m], shape (n,).
        offset: The ways from the vehicles to the spine [m], shape (n, d), the shortest ones on a torus.
        distance: Their lengths [m], shape (n,).
        tangent: Unit vectors along the path there, shape (n, d); zero where the path is one point.
        radius: Radii of the tube there [m], shape (n,).
    """

    s: Array
    offset: Array
    distance: Array
    tangent: Array
    radius: Array


@row_kernel
def find_along(
    i: int, position: Columns, path: PathColumns, wrap: Array, s: Array, offset: Columns, tangent: Columns,
    radius: Array,
) -> None:  # fmt: skip
    """The nearest point of the spine: arc length, the way there, tangent and radius."""
    place = load(position, i)
    at, _, j = project(path, place, wrap, -1)
    s[i] = at
    store(offset, i, difference(point_at(path, at, j, place), place, wrap))
    store(tangent, i, tangent_of(path, j, place))
    radius[i] = radius_of(path, j)


class Senses:
    """The senses of a population.

    Args:
        vehicles: The vehicles.
        domain: The space.
    """

    def __init__(self, vehicles: Vehicles, domain: Domain) -> None:
        self._vehicles, self._domain = vehicles, domain
        self._wrap = domain.wrap(vehicles.dimensions, vehicles.dtype)
        self._revision = -1
        self._all_rows: Array = np.zeros(0, np.uint8)
        self._ready: dict[Any, tuple[Any, Callable[[], Any]]] = {}

    def _once_a_step(self, key: tuple[Any, ...], about: Any, make: Callable[[], Callable[[], R]]) -> R:
        """The answer to a question, kept from before if possible; `about` is kept alive: its identity is a key."""
        if self._revision != self._vehicles.revision:
            self._all_rows = np.ones(len(self._vehicles), np.uint8)
            self._ready.clear()
            self._revision = self._vehicles.revision
        if key not in self._ready:
            if len(self._ready) >= MOST_ANSWERS:
                self._ready.clear()
            self._ready[key] = (about, make())
        answer: R = self._ready[key][1]()
        return answer

    def neighbors(
        self, radius: float, angle: float, inner_radius: float, k: int | None, of: Any, sort: bool
    ) -> Neighbors:  # fmt: skip
        """The neighbors: see `Scene.neighbors`."""
        about = without_holder(of)

        def make() -> NeighborSearch:
            return NeighborSearch(self._vehicles, self._domain, radius, angle, inner_radius, k, about, sort)

        if about is not None and not isinstance(about, Vehicles):
            return make()()  # Points may be others the next time.
        revision = 0 if about is None else about.revision
        return self._once_a_step(("neighbors", radius, angle, inner_radius, k, id(about), revision, sort), about, make)

    def nearest(self, obstacles: Any, reach: float) -> QueryResult:
        """The nearest points: see `Scene.nearest`."""
        solids = self._obstacles(obstacles, reach)
        n, d, dtype = len(self._vehicles), self._vehicles.dimensions, self._vehicles.dtype

        def make() -> Callable[[], QueryResult]:
            answer, reaches = new_nearest(n, d, dtype), np.full(n, reach, dtype)
            position = self._vehicles.columns.position
            calls = solids.nearest_calls(position, reaches, self._all_rows, self._wrap, answer)

            def query() -> QueryResult:
                self._run(calls)
                normal = np.stack(answer.normal, axis=1)
                away = np.where(np.isfinite(answer.distance), answer.distance, np.nan)[:, None] * normal
                return QueryResult(answer.distance.copy(), self._vehicles.position - away, normal, answer.which.copy())

            return query

        return self._once_a_step(("nearest", tuple(map(id, solids.sets)), float(reach)), solids, make)

    def cast(self, obstacles: Any, direction: Any, reach: float) -> QueryResult:
        """The first hits of rays: see `Scene.cast`."""
        solids = self._obstacles(obstacles, reach)
        n, d, dtype = len(self._vehicles), self._vehicles.dimensions, self._vehicles.dtype

        def make() -> Callable[[Array], QueryResult]:
            rays, hits = new_rays(n, d, dtype)._replace(origin=self._vehicles.columns.position), new_hits(n, d, dtype)
            rays.reach[:] = reach
            calls = solids.cast_calls(rays, self._all_rows, self._wrap, hits)

            def query(ahead: Array) -> QueryResult:
                for column, values in zip(rays.direction, ahead.T, strict=True):
                    column[...] = values
                self._run(calls)
                far = np.where(np.isfinite(hits.distance), hits.distance, np.nan)[:, None] * ahead
                points = self._vehicles.position + far
                return QueryResult(hits.distance.copy(), points, np.stack(hits.normal, axis=1), hits.which.copy())

            return query

        ahead = self._vehicles.forward if direction is None else self._directions(direction)
        return self._once_a_step(("cast", tuple(map(id, solids.sets)), float(reach)), solids, lambda: _later(make()))(
            ahead
        )

    def along(self, path: Any) -> Along:
        """Where on a path: see `Scene.along`."""
        line, n, d, dtype = as_path("path", path), len(self._vehicles), self._vehicles.dimensions, self._vehicles.dtype
        if line.dimensions != d:
            raise ValueError(f"path must have {d} dimensions like the vehicles, got {line.dimensions}")

        def make() -> Callable[[], Along]:
            (s, radius), (offset, tangent) = np.zeros((2, n), dtype), np.zeros((2, d, n), dtype)
            position, columns = self._vehicles.columns.position, line.columns(dtype, self._wrap)
            call = Call(find_along, (position, columns, self._wrap, s, tuple(offset), tuple(tangent), radius))

            def query() -> Along:
                self._run([call])
                distance = np.sqrt(np.sum(offset * offset, axis=0))
                return Along(s.copy(), offset.T.copy(), distance, tangent.T.copy(), radius.copy())

            return query

        return self._once_a_step(("along", id(line)), line, make)

    def _run(self, calls: list[Call]) -> None:
        for call in calls:
            call.run(len(self._vehicles))

    def _obstacles(self, obstacles: Any, reach: float) -> Obstacles:
        solids = as_obstacles(obstacles)
        check_dimensions(solids, self._vehicles.dimensions)
        if not reach >= 0 or isinstance(reach, bool):
            raise ValueError(f"reach must be a number >= 0 m, got {brief(reach)}")
        return solids

    def _directions(self, direction: Any) -> Array:
        n, d = len(self._vehicles), self._vehicles.dimensions
        directions = as_points("direction", direction, self._vehicles.dtype, d)
        if len(directions) not in (1, n) or (len(directions) != n and np.ndim(direction) != 1):
            raise ValueError(f"direction must have shape ({n}, {d}) or ({d},), got {np.shape(direction)}")
        if not directions.any(axis=1).all():
            raise ValueError("direction must not be zero")
        return np.broadcast_to(unit_rows(directions), (n, d))


def _later(query: Callable[[Array], QueryResult]) -> Callable[[], Callable[[Array], QueryResult]]:
    """A question that takes arguments when it is asked."""
    return lambda: query

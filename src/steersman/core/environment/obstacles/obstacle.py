"""The contract of obstacles: queries of behaviors, for all vehicles at once, and queries of users, for points and rays.

A set consists of *parts*, numbered from 0: spheres, boxes, capsules, segments of walls, triangles. Connected parts are one
*group*, with the number of its first part. Several sets answer the same queries as one set, with consecutive numbers of
parts: the calls of a set get the number of its `first` part, look only for parts that are nearer than the best so far, and
overwrite that one.

A surface is seen from the side that `seen_from` names. A vehicle that begins on the other side does not see the surface, and
may leave.
"""

import functools
import math
import operator
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.answers import (
    Balls,
    Bars,
    Hits,
    Nearest,
    QueryResult,
    Rays,
    Sight,
    new_hits,
    new_nearest,
)
from steersman.core.environment.obstacles.seeing import clear_nearest, no_sight, nothing_barred
from steersman.core.environment.open import Open
from steersman.core.kernels.call import Call
from steersman.core.maths.frames import unit_rows
from steersman.core.parameters.arrays import as_points, as_scalars, columns_of, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.expression import user_value
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import NUMBERS, Kind
from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.renaming import RenamedAttribute
from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array, Columns

if TYPE_CHECKING:
    from steersman.core.environment.obstacles.obstacle_set import ObstacleSet


@dataclass(frozen=True, eq=False)
class Obstacles(Shown, Parameters):
    """Base of all obstacles: one set, or several."""

    @abstractmethod
    def __len__(self) -> int:
        """Number of parts."""

    @property
    @abstractmethod
    def sets(self) -> tuple["ObstacleSet", ...]:
        """The sets of obstacles."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """2 or 3."""

    @property
    @abstractmethod
    def opening(self) -> str:
        """The reason why it has no inside, in words; "" where there is one."""

    @property
    @abstractmethod
    def groups(self) -> Array:
        """Number of the group that each part belongs to, shape (m,): that of its first part."""

    @abstractmethod
    def bounding_spheres(self) -> tuple[Array, Array]:
        """Centers [m], shape (m, d), and radii [m], shape (m,), of a sphere around each group, in order."""

    @abstractmethod
    def present_spheres(self) -> tuple[Array, Array]:
        """Likewise, around what is there of each group; the radius of a group of which nothing is there is -1."""

    @abstractmethod
    def viewed_from(self, side: str) -> Self:
        """The same obstacles, seen from a side."""

    seen = RenamedAttribute("viewed_from")

    def numbered(self) -> Iterator[tuple[int, "ObstacleSet"]]:
        """Each set with the number of its first part."""
        return zip(accumulate((len(each) for each in self.sets), initial=0), self.sets, strict=False)

    @property
    def is_round(self) -> bool:
        """Whether all are seen from outside, and are in the way by where their centers are (see `Kernels.sweep`)."""
        return all(each.kernels.sweep and each.seen_from == "outside" for each in self.sets)

    # ------------------------------------------------------------------------------------------------ for behaviors

    def sweep_calls(self, rays: Rays, active: Array, wrap: Array, sight: Sight) -> list[Call]:
        """The calls that find the obstacles in the way of balls.

        Args:
            rays: How they move, straight on.
            active: The rows to compute, shape (n,), uint8. Other rows stay as they are.
            wrap: The space (see `vectors.difference`).
            sight: The first obstacle that each meets; written by the calls.
        """
        searches = (each.sweep_further(rays, active, wrap, first, sight) for first, each in self.numbered())
        return [Call(no_sight, (active, sight)), *(call for calls in searches for call in calls)]

    def cast_calls(self, rays: Rays, active: Array, wrap: Array, hits: Hits) -> list[Call]:
        """The calls that find the first hits of rays; arguments as for `sweep_calls`."""
        searches = (each.cast_further(rays, active, wrap, first, hits) for first, each in self.numbered())
        return [nothing_call(active, hits), *searches]

    def nearest_calls(self, points: Columns, reach: Array, active: Array, wrap: Array, nearest: Nearest) -> list[Call]:
        """The calls that find the nearest parts to points, no farther than `reach` [m], shape (n,), infinity allowed.

        The other arguments are as for `sweep_calls`. Distances are the same from both sides of the surface. The
        inside of walls and meshes is known as far as `reach` from the surface. Within bodies that overlap, seen from
        outside, the deepest counts; else the nearest surface.
        """
        rank = np.zeros(len(reach), reach.dtype)
        searches = (
            each.nearest_further(points, reach, active, wrap, first, rank, nearest) for first, each in self.numbered()
        )
        return [nothing_call(active, nearest), *searches]

    @explained
    def bar_calls(self, balls: Balls, active: Array, wrap: Array, bars: Bars, *, braking: bool = False) -> list[Call]:
        """The calls that find the half-spaces that bar the ways of balls: all parts in reach, up to BARS of each set.

        Args:
            balls: How they would move.
            active: The rows to compute, shape (n,), uint8. Other rows stay as they are.
            wrap: The space (see `vectors.difference`).
            bars: The half-spaces that bar them; written by the calls.
            braking: Whether the balls brake, and do not move at a constant velocity (see `barring.py`).
        """
        searches = (each.bar_further(balls, active, wrap, bars, braking=braking) for each in self.sets)
        return [Call(nothing_barred, (active, bars.number)), *(call for calls in searches for call in calls)]

    def sphere_columns(self, dtype: Any) -> tuple[Columns, Array]:
        """`present_spheres` for kernels, kept up to date: d arrays of centers [m] and one of radii [m], of shape (m,)."""

        def rows(_: Any = None) -> Array:
            center, radius = self.present_spheres()
            return np.concatenate([center.T, radius[None]])

        columns = rows().astype(dtype)
        for each in self.sets:
            each.switches.keep(columns, rows)
        return tuple(columns[:-1]), columns[-1]

    # ------------------------------------------------------------------------------------------------- for people

    @property
    def position(self) -> Array:
        """The centers of the bodies [m], shape (m, d), as sites that a group behavior can keep away from.

        Where parts are switched off, those of what is there; NaN for a body of which nothing is there.
        """
        if all(each.switches.enabled.all() for each in self.sets):
            return self.bounding_spheres()[0]
        center, radius = self.present_spheres()
        return np.where(radius[:, None] >= 0, center, np.nan)

    @explained
    def nearest(self, points: Any, domain: Domain | None = None, *, reach: float = math.inf) -> QueryResult:
        """The nearest part to each of some points.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.
            domain: The space; on a torus the shortest way counts. Default: space without end.
            reach: Parts farther away than this [m] do not count.
        """
        places = as_points("points", points, np.float64, self.dimensions)
        n, wrap = len(places), (domain or Open()).wrap(self.dimensions, np.float64)
        columns, answer = columns_of(places, np.float64), new_nearest(n, self.dimensions, np.float64)
        limits = _as_reach(reach, n)
        all_rows = np.ones(n, np.uint8)
        for call in self.nearest_calls(columns, limits, all_rows, wrap, answer):
            call.run(n)
        way = np.where(np.isfinite(answer.distance), answer.distance, np.nan)[:, None] * np.stack(answer.normal, axis=1)
        return _query_result(places - way, answer, np.ndim(points) == 1)

    @explained
    def cast(self, origin: Any, direction: Any, reach: Any = math.inf, domain: Domain | None = None) -> QueryResult:
        """The first hit of each of some rays.

        Args:
            origin: Where they begin [m], shape (n, d), or (d,) for one.
            direction: Their directions, of any length but zero, of the same shape.
            reach: Their lengths [m], one number or shape (n,).
            domain: The space; on a torus no ray is longer than the longest period. Default: space without end.
        """
        start = as_points("origin", origin, np.float64, self.dimensions)
        ahead = unit_rows(as_points("direction", direction, np.float64, self.dimensions))
        if ahead.shape != start.shape:
            raise ValueError(f"direction must have shape {start.shape} like origin, got {ahead.shape}")
        if not ahead.any(axis=1).all():
            raise ValueError(f"direction must not be zero, got zero in row {int(np.argmin(ahead.any(axis=1)))}")
        n, wrap = len(start), (domain or Open()).wrap(self.dimensions, np.float64)
        rays = Rays(columns_of(start, np.float64), columns_of(ahead, np.float64), _as_reach(reach, n), np.zeros(n))
        hits, all_rows = new_hits(n, self.dimensions, np.float64), np.ones(n, np.uint8)
        for call in self.cast_calls(rays, all_rows, wrap, hits):
            call.run(n)
        points = start + np.where(np.isfinite(hits.distance), hits.distance, np.nan)[:, None] * ahead
        return _query_result(points, Nearest(*hits), np.ndim(origin) == 1)

    @explained
    def inside(self, points: Any, domain: Domain | None = None) -> Any:
        """Which points lie inside, shape (n,), or () for one (d,): bool.

        Raises:
            ValueError: There is no inside.
        """
        self.check_inside("to have an inside")
        within = (each.united.nearest(points, domain).distance < 0 for each in self.sets)
        return functools.reduce(operator.or_, within)

    @property
    def is_closed(self) -> bool:
        """Whether there is an inside."""
        return not self.opening

    def check_inside(self, purpose: str) -> None:
        """Raise ValueError when there is no inside."""
        if not self.is_closed:
            raise ValueError(f"{type(self).__name__} must be closed {purpose}, got {self.opening}")


@final
@dataclass(frozen=True, eq=False)
class Several(Obstacles):
    """Several sets of obstacles, asked as one.

    Args:
        members: The sets, at least one, all of the same dimensions.
    """

    members: tuple["ObstacleSet", ...]

    @property
    def sets(self) -> tuple["ObstacleSet", ...]:
        """The members."""
        return self.members

    def __len__(self) -> int:
        return sum(map(len, self.sets))

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return self.sets[0].dimensions

    @property
    def opening(self) -> str:
        """The reason why the first set without an inside has none."""
        return next(filter(None, (each.opening for each in self.sets)), "")

    @property
    def groups(self) -> Array:
        """Their bodies, numbered through."""
        return np.concatenate([first + each.groups for first, each in self.numbered()])

    def bounding_spheres(self) -> tuple[Array, Array]:
        """The spheres of all sets."""
        centers, radii = zip(*(each.bounding_spheres() for each in self.sets), strict=True)
        return np.concatenate(centers), np.concatenate(radii)

    def present_spheres(self) -> tuple[Array, Array]:
        """The spheres of all sets."""
        centers, radii = zip(*(each.present_spheres() for each in self.sets), strict=True)
        return np.concatenate(centers), np.concatenate(radii)

    def viewed_from(self, side: str) -> "Several":
        """The same sets, all seen from a side."""
        return Several(tuple(each.viewed_from(side) for each in self.sets))


def _as_reach(reach: Any, n: int) -> Array:
    """Lengths [m], shape (n,): as given, infinite ones too."""
    if reach is math.inf:
        return np.full(n, np.inf)
    endless = np.isposinf(np.asarray(reach, np.float64))
    lengths = as_scalars("reach", np.where(endless, 0.0, reach), n, np.float64, low=0, above=None, unit="m")
    return np.where(endless, np.inf, lengths)


def _query_result(points: Array, nearest: Nearest, single: bool) -> QueryResult:
    """The results of kernels, as rows."""
    rows = QueryResult(nearest.distance, points, np.stack(nearest.normal, axis=1), nearest.which)
    return QueryResult(*(each[0] for each in rows)) if single else rows


@user_value.register
def _(value: Several) -> list[Any]:
    return list(value.sets)


def nothing_call(active: Array, results: Hits | Nearest) -> Call:
    """The call that clears the results, before the calls of the first set."""
    return Call(clear_nearest, (active, results.distance, results.normal, results.which))


def as_obstacles(value: Any, name: str = "obstacles") -> Obstacles:
    """Obstacles: as they are, or a list of them as one."""
    sets = value if isinstance(value, (list, tuple)) else (value,)
    for each in sets:
        if not isinstance(each, Obstacles):
            how = "; others who move are avoided by AvoidNeighbors" if hasattr(each, "velocity") else ""
            raise TypeError(f"{name} must be a set of obstacles or a list of sets, got {brief(each)}{how}")
    if not sets:
        raise ValueError(f"{name} must be at least one set, got none")
    if len({each.dimensions for each in sets}) != 1:
        raise ValueError(f"{name} must all have the same dimensions, got {[each.dimensions for each in sets]}")
    return sets[0] if len(sets) == 1 else Several(tuple(one for each in sets for one in each.sets))


def as_one_set(name: str, value: Any, kind: type = Obstacles) -> Any:
    """One set of obstacles, of a kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be one set of obstacles, got {brief(value)}")
    return value


def as_radii(name: str, value: Any, points: Array) -> Array:
    """A radius [m] for each of some points (m, d): one for all, or one each; shape (m,), read-only."""
    return frozen(as_scalars(name, value, len(points), np.float64, low=0.0, above=None, unit="m"))


OBSTACLES = Kind("obstacles", "obstacles, or a list of sets", lambda name, value: as_obstacles(value, name))
ONE_SET = Kind("obstacles", "one set of obstacles", as_one_set, like=OBSTACLES)
RADII = Kind("numbers", "a number, or several", as_radii, like=NUMBERS)


def check_dimensions(obstacles: Obstacles, dimensions: int, name: str = "obstacles") -> None:
    """Raise ValueError when obstacles do not have the dimensions of the vehicles."""
    if obstacles.dimensions != dimensions:
        raise ValueError(f"{name} must have {dimensions} dimensions like the vehicles, got {obstacles.dimensions}")

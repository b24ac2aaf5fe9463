"""The contract of obstacles: what can be asked of a set of them, by behaviors for all vehicles at once, and by people.

A set consists of *parts*, numbered from 0: spheres, boxes, capsules, segments of walls, triangles. Parts that hang
together are one *body*, known by the number of its first part. Behaviors number the parts of several sets through: each
set is told the number of its `first` part, looks only for what is nearer than what is there already, and overwrites that.

A surface is seen from the side that `seen_from` says. Who begins on the other side does not see it, and may leave.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.box_tree import Boxed
from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.environment.obstacles.hulls import Hulls
from steersman.environment.obstacles.seeing import no_sight, nothing_barred, nothing_found, reach_around, see_contact
from steersman.geometry.arrays import as_points, as_scalars, columns_of, frozen
from steersman.geometry.call import Call
from steersman.geometry.frames import unit_rows
from steersman.geometry.guiding import explained
from steersman.geometry.kinds import NUMBERS, TEXT, Kind
from steersman.geometry.parameters import Parameters, parameter
from steersman.geometry.showing import Shown
from steersman.geometry.vectors import Array, Columns

SIDES = ("outside", "inside", "both")

BARS = 8
"""So many parts of a set bar a way at most, the nearest that do not lie behind others."""


class Rays(NamedTuple):
    """Where vehicles look, or move.

    Attributes:
        origin: Where rays begin [m], d arrays of shape (n,).
        direction: Unit vectors, d arrays of shape (n,).
        reach: Lengths [m], shape (n,); infinite ones are allowed. On a torus no ray is longer than the longest period.
        radius: Their thickness [m], shape (n,): the radius of a ball that moves along. Zero of a thin ray.
    """

    origin: Columns
    direction: Columns
    reach: Array
    radius: Array


class Sight(NamedTuple):
    """What stands in the way of a moving ball.

    Attributes:
        order: What decides who is first [m], shape (n,): where the obstacle crosses the way. Infinite: nothing there.
        touch: How far it is to the first contact [m], shape (n,).
        away: A way away from the obstacle [m], d arrays of shape (n,): from the center of a sphere, along the normal of
            a surface. What is lateral of it is the direction to go.
        room: What that is compared with [m], shape (n,): an obstacle whose lateral way is less than a fifth of it is
            nearly dead ahead, and passed on the side that was chosen once.
        bend: Radius of the ball that the obstacle is taken for, where a ball's center meets it [m], shape (n,): that of
            the sphere, or of one as large as the body, and the ball's own.
        which: Numbers of the bodies, shape (n,), int64; -1 for none.
    """

    order: Array
    touch: Array
    away: Columns
    room: Array
    bend: Array
    which: Array


class Hits(NamedTuple):
    """What rays hit first.

    Attributes:
        distance: How far it is [m], shape (n,); infinite where nothing is hit.
        normal: Unit normals there, toward the side that the ray comes from, d arrays of shape (n,).
        which: Numbers of the parts, shape (n,), int64; -1 for none.
    """

    distance: Array
    normal: Columns
    which: Array


class Nearest(NamedTuple):
    """What is nearest to points.

    Attributes:
        distance: Distance from the surface [m], shape (n,), negative inside; infinite where nothing is within reach.
        normal: Unit vectors, d arrays of shape (n,): the direction in which the distance grows. The nearest point
            is `point - distance * normal`.
        which: Numbers of the parts, shape (n,), int64; -1 for none.
    """

    distance: Array
    normal: Columns
    which: Array


class Balls(NamedTuple):
    """Balls that are to move straight on.

    Attributes:
        place: Where their centers are [m], d arrays of shape (n,).
        way: How they would move [m], likewise.
        reach: Up to which gap parts of obstacles matter [m], shape (n,).
        radius: Their radii [m], shape (n,).
    """

    place: Columns
    way: Columns
    reach: Array
    radius: Array


class Bars(NamedTuple):
    """Half-spaces of ways that keep balls clear of all that is near: normal . way >= bound.

    Attributes:
        number: How many there are for each ball, shape (n,), int64.
        normal: Unit normals, d arrays of shape (n, room).
        bound: Bounds [m], shape (n, room); positive where a ball overlaps something.
    """

    number: Array
    normal: Columns
    bound: Array


class Found(NamedTuple):
    """What was found for points or rays.

    Attributes:
        distance: Distances [m], shape (n,), or () for one: from a point, negative inside; or along a ray. Infinite where
            there is nothing.
        point: The points of the surface [m], shape (n, d), or (d,); NaN where there is nothing.
        normal: Unit normals, of the same shape: the direction in which the distance of a point grows, or that of the
            side which a ray comes from. Zero where there is nothing.
        which: Numbers of the parts, shape (n,), or (); -1 where there is nothing.
    """

    distance: Any
    point: Array
    normal: Array
    which: Any


class Kernels(NamedTuple):
    """What answers for a set of obstacles.

    Attributes:
        sweep: Says what stands in the way, seen from outside; None where the first contact decides.
        cast: Finds what thick rays hit first.
        nearest: Finds what is nearest.
    """

    sweep: Callable[..., None] | None
    cast: Callable[..., None]
    nearest: Callable[..., None]


@dataclass(frozen=True, eq=False)
class Obstacles(Shown, Parameters):
    """Base of all sets of obstacles.

    Args:
        seen_from: From which side the surface is an obstacle: "outside", "inside" or "both". Default: "outside" where there
            is an inside, else "both".

    Attributes:
        seen_from: From which side the surface is an obstacle: "outside", "inside" (a tank) or "both". Default: "outside"
            where there is an inside, else "both"; the outside of what has no inside is its front.
    """

    _: KW_ONLY
    seen_from: str | None = parameter(None, kind=TEXT, choices=SIDES, optional=True)

    @abstractmethod
    def __len__(self) -> int:
        """Number of parts."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """2 or 3."""

    @property
    @abstractmethod
    def opening(self) -> str:
        """What keeps it from having an inside, in words; "" where there is one."""

    @property
    @abstractmethod
    def bodies(self) -> Array:
        """Number of the body that each part belongs to, shape (m,): that of its first part."""

    @abstractmethod
    def bounding_spheres(self) -> tuple[Array, Array]:
        """Centers [m], shape (m, d), and radii [m], shape (m,), of a sphere around each body, in order."""

    @property
    @abstractmethod
    def kernels(self) -> Kernels:
        """What answers for the parts."""

    @abstractmethod
    def parts(self, dtype: Any) -> Boxed:
        """The parts for kernels, in the dtype of the vehicles, numbered from 0."""

    @abstractmethod
    def hulls(self, dtype: Any) -> Hulls:
        """The parts as convex bodies for kernels, in the dtype of the vehicles."""

    # ------------------------------------------------------------------------------------------------ for behaviors

    def sweep_calls(self, rays: Rays, active: Array, wrap: Array, first: int, sight: Sight) -> list[Call]:
        """The calls that look what stands in the way of balls.

        Args:
            rays: How they move, straight on.
            active: Whose sight is wanted, shape (n,), uint8. Other rows stay as they are.
            wrap: The space (see `vectors.difference`).
            first: The number of this set's first part.
            sight: The nearest that is known; overwritten where something nearer is found.
        """
        dtype = rays.reach.dtype
        if self.kernels.sweep and self.seen_from == "outside":
            return [Call(self.kernels.sweep, (rays, active, wrap, self.tree(dtype, first), sight))]
        hits, bodies = new_hits(len(rays.reach), len(rays.origin), dtype), self.bodies.astype(np.int64)
        radii = self.bounding_spheres()[1]
        sizes = np.where(radii > 0, radii, 1.0).astype(dtype)[np.unique(bodies, return_inverse=True)[1].ravel()]
        return [
            no_hits_call(active, hits),
            *self.cast_calls(rays, active, wrap, first, hits),
            Call(see_contact, (active, rays.radius, hits, sizes, bodies, first, sight)),
        ]

    def cast_calls(self, rays: Rays, active: Array, wrap: Array, first: int, hits: Hits) -> list[Call]:
        """The calls that find what rays hit first; arguments as for `sweep_calls`."""
        return [Call(self.kernels.cast, (rays, active, wrap, self.tree(rays.reach.dtype, first), hits))]

    def nearest_calls(
        self, points: Columns, reach: Array, active: Array, wrap: Array, first: int, nearest: Nearest
    ) -> list[Call]:
        """The calls that find what is nearest to points, no farther than `reach` [m], shape (n,), infinity allowed.

        The other arguments are as for `sweep_calls`. Distances are the same from whichever side the surface is seen. The
        inside of walls and meshes is known as far as `reach` from the surface.
        """
        return [Call(self.kernels.nearest, (points, reach, active, wrap, self.tree(reach.dtype, first), nearest))]

    def bar_calls(self, balls: Balls, active: Array, wrap: Array, bars: Bars) -> list[Call]:
        """The calls that add what bars the ways of balls: all parts in reach are minded, up to BARS of them.

        Args:
            balls: How they would move.
            active: Whose ways matter, shape (n,), uint8. Other rows stay as they are.
            wrap: The space (see `vectors.difference`).
            bars: What bars them already; more is added behind.
        """
        from steersman.environment.obstacles.barring import bar_ways

        n, d, dtype = len(balls.reach), len(balls.place), balls.reach.dtype
        nearest, around = new_nearest(n, d, dtype), np.zeros(n, dtype)
        return [
            Call(reach_around, (active, balls.reach, balls.radius, around)),
            no_nearest_call(active, nearest),
            *self.nearest_calls(balls.place, around, active, wrap, 0, nearest),
            Call(bar_ways, (balls, active, wrap, self.hulls(dtype), nearest, bars)),
        ]

    def tree(self, dtype: Any, first: int) -> Boxed:
        """The parts for kernels, numbered from `first`."""
        kind = np.dtype(dtype)
        if kind not in self._made:
            self._made[kind] = self.parts(dtype)
        made = self._made[kind]
        return made._replace(order=made.order + first)

    @cached_property
    def _made(self) -> dict[Any, Boxed]:
        """The parts for kernels, by dtype."""
        return {}

    # ------------------------------------------------------------------------------------------------- for people

    @property
    def position(self) -> Array:
        """The centers of the bodies [m], shape (m, d), as sites that a group behavior can keep away from."""
        return self.bounding_spheres()[0]

    @explained
    def nearest(self, points: Any, domain: Domain | None = None, *, reach: float = math.inf) -> Found:
        """What is nearest to points.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.
            domain: The space; on a torus the shortest way counts. Default: space without end.
            reach: What is farther away [m] does not count.

        Raises:
            TypeError: The points are no numbers.
            ValueError: They have another shape, or hold NaN or infinity.
        """
        places = as_points("points", points, np.float64, self.dimensions)
        n, wrap = len(places), (domain or Open()).wrap(self.dimensions, np.float64)
        columns, found = columns_of(places, np.float64), new_nearest(n, self.dimensions, np.float64)
        limits = _as_reach(reach, n)
        everybody = np.ones(n, np.uint8)
        for call in [
            no_nearest_call(everybody, found), *self.nearest_calls(columns, limits, everybody, wrap, 0, found)
        ]:  # fmt: skip
            call.run(n)
        way = np.where(np.isfinite(found.distance), found.distance, np.nan)[:, None] * np.stack(found.normal, axis=1)
        return _found(places - way, found, np.ndim(points) == 1)

    @explained
    def cast(self, origin: Any, direction: Any, reach: Any = math.inf, domain: Domain | None = None) -> Found:
        """What rays hit first.

        Args:
            origin: Where they begin [m], shape (n, d), or (d,) for one.
            direction: Their directions, of any length but zero, of the same shape.
            reach: Their lengths [m], one number or shape (n,).
            domain: The space; on a torus no ray is longer than the longest period. Default: space without end.

        Raises:
            TypeError: An argument does not consist of numbers.
            ValueError: A wrong shape, NaN, a direction of length zero, a negative reach.
        """
        start = as_points("origin", origin, np.float64, self.dimensions)
        ahead = unit_rows(as_points("direction", direction, np.float64, self.dimensions))
        if ahead.shape != start.shape:
            raise ValueError(f"direction must have shape {start.shape} like origin, got {ahead.shape}")
        if not ahead.any(axis=1).all():
            raise ValueError(f"direction must not be zero, got zero in row {int(np.argmin(ahead.any(axis=1)))}")
        n, wrap = len(start), (domain or Open()).wrap(self.dimensions, np.float64)
        rays = Rays(columns_of(start, np.float64), columns_of(ahead, np.float64), _as_reach(reach, n), np.zeros(n))
        hits, everybody = new_hits(n, self.dimensions, np.float64), np.ones(n, np.uint8)
        for call in [no_hits_call(everybody, hits), *self.cast_calls(rays, everybody, wrap, 0, hits)]:
            call.run(n)
        points = start + np.where(np.isfinite(hits.distance), hits.distance, np.nan)[:, None] * ahead
        return _found(points, Nearest(*hits), np.ndim(origin) == 1)

    @explained
    def inside(self, points: Any, domain: Domain | None = None) -> Any:
        """Which points lie inside, shape (n,), or () for one (d,): bool.

        Raises:
            TypeError: The points are no numbers.
            ValueError: They have another shape, or hold NaN or infinity; or there is no inside.
        """
        self.check_inside("to have an inside")
        return self.nearest(points, domain).distance < 0

    @property
    def is_closed(self) -> bool:
        """Whether there is an inside."""
        return not self.opening

    @property
    def side(self) -> int:
        """`seen_from` for kernels: OUTSIDE, INSIDE or BOTH."""
        return SIDES.index(self.seen_from or "outside")

    def check_inside(self, purpose: str) -> None:
        """Raise ValueError when there is no inside."""
        if not self.is_closed:
            raise ValueError(f"{type(self).__name__} must be closed {purpose}, got {self.opening}")

    def settle_side(self) -> None:
        """Put the default of `seen_from` in place; for `validate`.

        Raises:
            ValueError: Something without an inside is to be seen from there.
        """
        if self.seen_from is None:
            self._put(seen_from="outside" if self.is_closed else "both")


@dataclass(frozen=True, eq=False)
class Solids(Obstacles):
    """Base of the sets in which every part is a closed body of its own."""

    @property
    def opening(self) -> str:
        """They are closed."""
        return ""

    @property
    def bodies(self) -> Array:
        """Each is its own."""
        return np.arange(len(self))


def _as_reach(reach: Any, n: int) -> Array:
    """Lengths [m], shape (n,): as given, infinite ones too."""
    endless = np.isposinf(np.asarray(reach, np.float64))
    lengths = as_scalars("reach", np.where(endless, 0.0, reach), n, np.float64, low=0, above=None, unit="m")
    return np.where(endless, np.inf, lengths)


def _found(points: Array, nearest: Nearest, single: bool) -> Found:
    """What kernels have found, as rows."""
    rows = Found(nearest.distance, points, np.stack(nearest.normal, axis=1), nearest.which)
    return Found(*(each[0] for each in rows)) if single else rows


# ----------------------------------------------------------------------------------------------------- for behaviors


def new_bars(n: int, dimensions: int, sets: int, dtype: Any) -> Bars:
    """Room for what bars the ways of n balls among some sets; `no_bars_call` clears it at every step."""
    room = max(1, BARS * sets)
    return Bars(np.zeros(n, np.int64), tuple(np.zeros((dimensions, n, room), dtype)), np.zeros((n, room), dtype))


def new_sight(n: int, dimensions: int, dtype: Any) -> Sight:
    """Room for the sight of n vehicles; `no_sight_call` clears it at every step."""
    return Sight(
        np.full(n, np.inf, dtype), np.full(n, np.inf, dtype), tuple(np.zeros((dimensions, n), dtype)),
        np.zeros(n, dtype), np.zeros(n, dtype), np.full(n, -1, np.int64),
    )  # fmt: skip


def new_hits(n: int, dimensions: int, dtype: Any) -> Hits:
    """Room for the hits of n rays; `no_hits_call` clears it at every step."""
    return Hits(np.full(n, np.inf, dtype), tuple(np.zeros((dimensions, n), dtype)), np.full(n, -1, np.int64))


def new_nearest(n: int, dimensions: int, dtype: Any) -> Nearest:
    """Room for what is nearest to n points; `no_nearest_call` clears it at every step."""
    return Nearest(*new_hits(n, dimensions, dtype))


def no_sight_call(active: Array, sight: Sight) -> Call:
    """The call that clears a sight, before the first set looks."""
    return Call(no_sight, (active, sight))


def no_hits_call(active: Array, hits: Hits) -> Call:
    """The call that clears hits, before the first set is looked at."""
    return Call(nothing_found, (active, hits.distance, hits.normal, hits.which))


def no_nearest_call(active: Array, nearest: Nearest) -> Call:
    """The call that clears what is nearest, before the first set is looked at."""
    return Call(nothing_found, (active, nearest.distance, nearest.normal, nearest.which))


def no_bars_call(active: Array, bars: Bars) -> Call:
    """The call that clears what bars ways, before the first set is looked at."""
    return Call(nothing_barred, (active, bars.number))


def firsts(sets: Sequence[Obstacles]) -> list[int]:
    """The number of each set's first part, when the parts of all are numbered through."""
    return [0, *np.cumsum([len(each) for each in sets])[:-1].tolist()]


def as_obstacles(value: Any, name: str = "obstacles") -> tuple[Obstacles, ...]:
    """A set of obstacles, or a list of several, as a tuple.

    Raises:
        TypeError: It is neither.
        ValueError: There is none, or their dimensions differ.
    """
    sets = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    for each in sets:
        if not isinstance(each, Obstacles):
            how = "; others who move are avoided by AvoidNeighbors" if hasattr(each, "velocity") else ""
            raise TypeError(f"{name} must be a set of obstacles or a list of sets, got {each!r}{how}")
    if not sets:
        raise ValueError(f"{name} must be at least one set, got none")
    if len({each.dimensions for each in sets}) != 1:
        raise ValueError(f"{name} must all have the same dimensions, got {[each.dimensions for each in sets]}")
    return sets


def as_one_set(name: str, value: Any) -> Obstacles:
    """One set of obstacles.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(value, Obstacles):
        raise TypeError(f"{name} must be one set of obstacles, got {value!r}")
    return value


def as_radii(name: str, value: Any, points: Array) -> Array:
    """A radius [m] for each of some points (m, d): one for all, or one each; shape (m,), read-only.

    Raises:
        TypeError: They are no numbers.
        ValueError: One is below 0, NaN or infinite, or there are not as many.
    """
    return frozen(as_scalars(name, value, len(points), np.float64, low=0.0, above=None, unit="m"))


OBSTACLES = Kind("obstacles", "obstacles, or a list of sets", lambda name, value: as_obstacles(value, name))
ONE_SET = Kind("obstacles", "one set of obstacles", as_one_set, like=OBSTACLES)
RADII = Kind("numbers", "a number, or several", as_radii, like=NUMBERS)


def check_dimensions(sets: Sequence[Obstacles], dimensions: int, name: str = "obstacles") -> None:
    """Raise ValueError when sets do not have the dimensions of the vehicles."""
    if sets[0].dimensions != dimensions:
        raise ValueError(f"{name} must have {dimensions} dimensions like the vehicles, got {sets[0].dimensions}")

"""The contract of a map of routes: it describes where bodies fit, and finds the way to a goal from any place.

The calls of a map answer for many vehicles at once, and a behavior reads the result. So behaviors do not depend on whether a
way was found on a grid or among polygons.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.open import Open
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.region import Region
from steersman.core.environment.routes.goals import as_goals, points_of
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.parameters.arrays import as_points, as_scalars, columns_of
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import Parameters
from steersman.core.typing import Array, Columns

NONE = -1
"""Instead of the row of a goal: no goal."""

ANY = -2
"""Instead of the row of a goal: the nearest of all goals, by the way to go."""


class RouteQuery(NamedTuple):
    """The questions of vehicles to a map.

    Attributes:
        active: The vehicles that ask, shape (n,), uint8.
        position: Where they are [m], d arrays of shape (n,).
        reach: How far ahead each looks along its way [m], shape (n,).
        cut: How far each may leave its route in a bend [m], shape (n,).
        goal: Goals [m], d arrays of shape (m,).
        number: How many goals there are, shape (1,), int64: arrays may have room for more.
        row: For every vehicle the row of its goal, or ANY, or NONE; shape (n,), int64.
        wrap: The space (see `vectors.difference`).
    """

    active: Array
    position: Columns
    reach: Array
    cut: Array
    goal: Columns
    number: Array
    row: Array
    wrap: Array


class Crowd(NamedTuple):
    """A crowd that makes ways longer where it is dense.

    Attributes:
        weight: How much longer a way is where bodies cover the ground [1].
        position: Where bodies are [m], d arrays of shape (n,).
        radius: Their radii [m], shape (n,).
        before, counted: Where they were counted last [m], d arrays of shape (n,) both: as read, and as written.
        due: A function that tells whether it is time to count them again.
    """

    weight: float
    position: Columns
    radius: Array
    before: Columns
    counted: Columns
    due: Callable[[], bool]


class Guide(NamedTuple):
    """A map's answers.

    Attributes:
        way: From each vehicle to a place ahead on its route that it can go to straight [m], d arrays of shape (n,); zero
            where it is there, and where no route leads to its goal.
        remaining: How long the route is [m], to stop in time, shape (n,); infinite where there is none. Where costs or tolls
            differ a RouteGrid knows that only about, until the goal can be reached straight.
        bend: Radius of the tightest arc that the route takes at that place, or just after it [m], shape (n,); infinite where
            it goes straight on, or ends.
        before: How far it is to where the arc begins [m], shape (n,).
        cost: The cost of the route [m], to choose one, shape (n,): its length with tolls, and as much as a meter counts.
    """

    way: Columns
    remaining: Array
    bend: Array
    before: Array
    cost: Array


class RouteOrder(NamedTuple):
    """The work of a map for vehicles in every step.

    Attributes:
        query: What they ask; read when the calls are run. Where goals move, the flags of `active` are cleared.
        guide: The answers, written by the calls for the vehicles that ask.
        region: Where all go to, instead of to points: anywhere inside it. None for points.
        moves: Whether the goals change from step to step.
        count: A function that returns the number of vehicles.
        crowd: The crowd that makes ways longer. With one the flags of `active` are cleared.
    """

    query: RouteQuery
    guide: Guide
    region: Region | None
    moves: bool
    count: Callable[[], int]  # type: ignore[assignment]  # the method `count` of this tuple is not used
    crowd: Crowd | None = None


@dataclass(frozen=True, eq=False)
class RouteMap(Parameters):
    """Base of the maps of routes."""

    @property
    def whole(self) -> bool:
        """Whether the calls of the map look at all vehicles at once, and clear the flags of `active` themselves."""
        return False

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """2 in the plane, 3 on a surface."""

    @abstractmethod
    def guide_calls(self, order: RouteOrder) -> list[Call]:
        """The calls that find where vehicles go next."""

    @explained
    def guide(
        self, points: Any, goals: Any, *, reach: Any = 1.0, row: Any = None, domain: Domain | None = None
    ) -> tuple[Array, Array]:
        """Where to go next from some places, and the cost of the way: how far it is to go, if the map has no costs.

        Args:
            points: Places [m], shape (n, d), or (d,) for one; d is 2 for maps in the plane.
            goals: One goal or several, of which the nearest by the way counts: points (m, d), a region, a population, or a
                function that returns points.
            reach: How far to look ahead along the way [m].
            row: For every place the goal that it asks for, a row of `goals`. Default: the nearest by the way.
            domain: The space; on a torus the images of places and goals that are nearest to the middle of the map count.

        Returns:
            Places to go to straight [m], of the shape of `points`; and the costs of the routes [m], infinite for none: their
            lengths, with the tolls of doors, and with the map's `cost` and `ground` as factors.
        """
        guide = self.answers(points, goals, reach=reach, row=row, domain=domain)
        next_places = as_points("points", points, np.float64, self.dimensions) + np.stack(guide.way, axis=1)
        single = np.ndim(points) == 1
        return (next_places[0], guide.cost[0]) if single else (next_places, guide.cost)

    @property
    @abstractmethod
    def most_bends(self) -> int:
        """The most bends of a way."""

    @property
    def sight(self) -> float:
        """How far to look ahead for the bends of a route [m]."""
        return 1.0

    @explained
    def route(self, origin: Any, goal: Any, *, radius: float = 1.0) -> Path:
        """The shortest way between two points, as a Path to be followed.

        Args:
            origin: Where it begins [m], shape (d,).
            goal: Where it ends [m], shape (d,).
            radius: Half the width of the path [m].

        Raises:
            ValueError: No way leads from one to the other.
        """
        here, end = (
            as_points(name, each, np.float64, self.dimensions)[0] for name, each in (("origin", origin), ("goal", goal))
        )
        points = [here]
        for _ in range(self.most_bends):
            guide = self.answers(points[-1], end, reach=self.sight, row=None, domain=None)
            ahead, remaining = points[-1] + np.stack(guide.way, axis=1)[0], guide.remaining[0]
            if not np.isfinite(remaining):
                raise ValueError(f"no way leads from origin {here.tolist()} to goal {end.tolist()}")
            points.append(ahead)
            if np.linalg.norm(points[-1] - points[-2]) >= remaining - 1e-9:
                break
        return Path(np.array(points), radius=radius)

    def answers(
        self,
        points: Any,
        goals: Any,
        *,
        reach: Any,
        row: Any,
        domain: Domain | None,
        cut: float = 0.0,
        moves: bool = False,
    ) -> Guide:
        """The answers of the map to vehicles at some places: see `guide`.

        Args:
            points, goals, reach, row, domain: As for `guide`.
            cut: How far they may leave their route in bends [m].
            moves: Whether to answer as in a run where the goals move. Asked once, they do not.
        """
        d = self.dimensions
        places, targets = as_points("points", points, np.float64, d), as_goals("goals", goals, d)
        n, region = len(places), targets if isinstance(targets, Region) else None
        ends = np.zeros((1, d)) if region is not None else points_of("goals", targets, d)
        rows = np.full(n, ANY) if row is None else as_rows("row", row, n, len(ends))
        wrap = (domain or Open()).wrap(d, np.float64)
        ahead = as_scalars("reach", reach, n, np.float64, low=0.0, above=None, unit="m")
        here, there, number = columns_of(places, np.float64), columns_of(ends, np.float64), np.array([len(ends)])
        query = RouteQuery(np.ones(n, np.uint8), here, ahead, np.full(n, cut), there, number, rows, wrap)
        guide = Guide(tuple(np.zeros((d, n))), *np.zeros((4, n)))
        run(self.guide_calls(RouteOrder(query, guide, region, moves, lambda: n)), n)
        return guide


def as_rows(name: str, value: Any, n: int, goals: int) -> Array:
    """The argument as n rows of goals, int64; one row is given to all."""
    allowed = f"{name} must be rows of the goals, from 0 to {goals - 1}, got"
    rows = np.asarray(value)
    if not np.issubdtype(rows.dtype, np.integer):
        raise TypeError(f"{allowed} {brief(value)}")
    if rows.shape not in ((), (n,)):
        raise ValueError(f"{name} must be one number or have shape ({n},), got shape {rows.shape}")
    wrong = (rows < 0) | (rows >= goals)
    if wrong.any():
        raise ValueError(f"{allowed} {rows[wrong].ravel()[0]}")
    return np.array(np.broadcast_to(rows, (n,)), np.int64)


@kernel(exact=True)
def queried_goals(row: int, which: Array, count: int) -> tuple[int, int, int]:
    """The field that leads to a row of goals, or to ANY of so many; the first goal that it leads to, and the end of them."""
    if row == ANY:
        return 0, 0, count
    return which[row], which[row], which[row] + 1


def images_about(middle: Array, places: Array, wrap: Array) -> Array:
    """The images of places that are nearest to a middle [m], shape (m, d); `wrap` is the space."""
    period, inverse = wrap.astype(np.float64)
    return np.asarray(places - period * np.rint((places - middle) * inverse))


def run(calls: Sequence[Call], n: int) -> None:
    """Run calls for n rows, one after the other."""
    for call in calls:
        call.run(n)


ROUTE_MAP = Kind("map", "a map of routes: a RouteGrid, a NavMesh or a WalkMesh", base=RouteMap)
"""The kind of parameter that takes a map."""

"""DoorMap: the base of meshes with doors, which find the ways to goals anew when goals move or tolls change."""

from abc import abstractmethod
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from steersman.core.environment.routes.crowds import NO_CROWD, CrowdField, counted_places, crowd_field
from steersman.core.environment.routes.doors import Doored
from steersman.core.environment.routes.route_map import ANY, Guide, RouteOrder, RouteQuery, images_about
from steersman.core.environment.shape import new_foot
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_points, columns_of
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array

MOST_GOALS = 256
"""The most goals with ways that are kept."""


@dataclass(frozen=True, eq=False)
class DoorMap(Doored):
    """Base of the meshes. They compute the ways to a goal from all places where ways may bend."""

    @property
    def whole(self) -> bool:
        """Whether the call needs all vehicles at once: it does."""
        return True

    @cached_property
    def _known(self) -> "OrderedDict[bytes, tuple[Array, ...]]":
        """The ways to the goals that were asked for."""
        return OrderedDict()

    def _tolls_changed(self) -> None:
        """Forget the values that depend on tolls."""
        self._known.clear()

    @property
    @abstractmethod
    def middle(self) -> Array:
        """The middle of the map [m], shape (d,)."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner [m], shape (d,) each."""

    @abstractmethod
    def ways(self, groups: list[Array], crowd: CrowdField = NO_CROWD) -> tuple[Any, Array]:
        """Goals, and the ways to them, for `guide_call`; and where the goals of each group begin.

        Args:
            groups: Goals [m], shape (m, d), several arrays: a field for each.
            crowd: Where ways are longer.
        """

    @abstractmethod
    def guide_call(self, query: RouteQuery, which: Array, goals: Any, guide: Guide) -> Call:
        """The call that guides vehicles. `which` is the field of each goal, shape (m,); for ANY, the first field."""

    def guide_calls(self, order: RouteOrder) -> list[Call]:
        """One call for all vehicles."""
        return [Call(Guiding(self, order), whole=True, fits=True)]

    @explained
    def lengths(self, origins: Any, goals: Any) -> Array:
        """The costs of the ways between pairs of points [m], (n, d) and (n, d) -> (n,); infinite for none.

        That is how long they are, with the tolls of doors, and with the `cost` and the `ground` of a RouteGrid as factors.
        """
        begin, end = self._pairs(origins, goals)
        _, costs = self.guide(begin, end, row=np.arange(len(begin)))
        return np.asarray(costs)

    def _pairs(self, origins: Any, goals: Any) -> tuple[Array, Array]:
        """Pairs of points [m], shape (n, d) both."""
        begin = as_points("origins", origins, np.float64, self.dimensions)
        end = as_points("goals", goals, np.float64, self.dimensions)
        if begin.shape != end.shape:
            raise ValueError(f"goals must have shape {begin.shape} like origins, got {end.shape}")
        return begin, end


class Guiding:
    """Guides all vehicles; computes the ways to goals that have moved."""

    def __init__(self, by: DoorMap, order: RouteOrder) -> None:
        self.map, self.query, self.guide, self.region, self.moves, self.count, self.crowd = by, *order
        self.which = np.zeros(len(order.query.goal[0]), np.int64)
        self.known: tuple[bytes, Any] | None = None
        self.counted, self.dense = b"", NO_CROWD

    def __call__(self) -> None:
        """Guide all vehicles that ask."""
        n, query = self.count(), self.query
        if not n or not query.active[:n].any():
            return
        self.count_crowd(n)
        self.map.guide_call(query, self.which, self.goals(query.row[:n]), self.guide).run(n)
        self.stop_inside(n)
        query.active[:n] = 0

    def count_crowd(self, n: int) -> None:
        """Drop the ways if the crowd has moved."""
        if self.crowd is None:
            return
        places = counted_places(self.crowd, self.query.active[:n])
        if places.tobytes() != self.counted:
            here = images_about(self.map.middle, places, self.query.wrap)
            self.counted, self.known = places.tobytes(), None
            self.dense = crowd_field(self.crowd, here, *self.map.bounds)

    def goals(self, rows: Array) -> Any:
        """The present goals, and the ways to them."""
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
                used = np.unique(rows[rows >= 0]) if self.moves else np.arange(len(points))
                distinct, back = np.unique(points[used], axis=0, return_inverse=True)
                self.which[used] = back.ravel()
                groups = [each[None] for each in distinct]
        ways, _ = self.map.ways(groups, self.dense)
        self.known = (tolls, ways)
        return ways

    def stop_inside(self, n: int) -> None:
        """Set the way to zero for vehicles inside of the region."""
        if self.region is None:
            return
        places = np.stack([column[:n] for column in self.query.position], axis=1).astype(np.float64)
        places = images_about(np.asarray(self.region.middle), places, self.query.wrap)
        foot = new_foot(n, self.map.dimensions, np.float64)
        for call in self.region.foot_calls(columns_of(places, np.float64), foot):
            call.run(n)
        inside = (foot.distance < 0) & (self.query.active[:n] != 0)
        self.guide.remaining[:n][inside] = 0
        self.guide.cost[:n][inside] = 0
        for column in self.guide.way:
            column[:n][inside] = 0

"""Changing fields: the fields of goals on a RouteGrid, computed anew where goals, tolls or a crowd change in a run."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steersman.core.environment.routes.crowds import counted_places
from steersman.core.environment.routes.rasters import crowding_of
from steersman.core.environment.routes.route_map import ANY, Crowd, RouteOrder, RouteQuery, images_about
from steersman.core.environment.routes.tracing import FieldColumns, guide_on_grid
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import columns_of
from steersman.core.typing import Array

if TYPE_CHECKING:
    from steersman.core.environment.routes.route_grid import RouteGrid

CROWD = 3.0
"""The distance up to which a body makes ways longer as part of a crowd [clearances]."""


class Field(NamedTuple):
    """The field of a goal.

    Attributes:
        way: Unit vectors at nodes, shape (2, nx, ny), float32.
        remaining: The costs of the ways [m], shape (nx, ny), float32.
        final: Up to what length ways are known [m]; infinite for all.
    """

    way: Array
    remaining: Array
    final: float = np.inf


def fill(fields: FieldColumns, k: int, field: Field) -> None:
    """Write a field to its place in the arrays for kernels."""
    fields.way[k], fields.remaining[k] = field.way, field.remaining


class ChangingFields:
    """Guides vehicles where goals move, doors open and shut, or a crowd makes ways longer: computes fields that changed.

    The field of a goal that moves, or in a crowd, is that of the node nearest to it: it is computed anew only where the goal
    comes to another node. So a field depends on nothing but where the goal is now, on the tolls, and on where bodies were
    counted last, which is remembered: a run that is resumed goes on with the same ways.

    Args:
        grid: The map.
        order: The vehicles, their goals, and where their guides are written.
    """

    def __init__(self, grid: "RouteGrid", order: RouteOrder) -> None:
        query = order.query
        self.query, self.guide, self.region, moves, self.count, self.crowd = order
        self.grid, self.weight = grid, grid.weight
        self.fields = self.columns(1, query.reach.dtype)
        self.places: dict[bytes, int] = {}
        self.partly, self.final = moves or self.crowd is not None, np.full(1, np.inf)
        self.which = np.zeros(len(query.goal[0]), np.int64)
        self.tolls, self.counted = grid.current_tolls.tobytes(), b""

    def __call__(self) -> None:
        """Guide all vehicles that ask."""
        n, query = self.count(), self.query
        if not n or not query.active[:n].any():
            return
        self.look_around(n)
        if self.region is None:
            query = self.hold_goals(n)
        elif not self.places:
            moved = images_about(self.grid.middle, self.region.middle, query.wrap) - self.region.middle
            fill(self.fields, 0, self.grid.compute(*self.grid.seeds_of_region(self.region, moved), self.weight))
            self.places[b""] = 0
        Call(guide_on_grid, (query, self.which, self.region is None, self.fields, self.guide)).run(n)
        query.active[:n] = 0

    def look_around(self, n: int) -> None:
        """Drop all fields if a toll has changed or the crowd has moved."""
        grid, tolls = self.grid, self.grid.current_tolls.tobytes()
        if tolls != self.tolls:
            self.tolls, self.places, self.counted, self.weight = tolls, {}, b"", grid.weight
            self.fields = self.columns(len(self.fields.way), self.fields.frame.dtype)
        if self.crowd is not None:
            places = counted_places(self.crowd, self.query.active[:n])
            if places.tobytes() != self.counted:
                self.counted, self.places = places.tobytes(), {}
                self.weight = self.through(self.crowd, places)

    def through(self, crowd: Crowd, places: Array) -> Array:
        """The weights of nodes with a crowd at some places."""
        grid, n = self.grid, len(places)
        width = CROWD * max(grid.least_room, grid.step)
        here = images_about(grid.middle, places, self.query.wrap)
        covered = crowding_of(here, crowd.radius[:n], grid.bounds[0], grid.shape, grid.step, width)
        weight = grid.weight.copy()
        weight[1:-1, 1:-1] *= 1 + crowd.weight * covered
        return weight

    def hold_goals(self, n: int) -> RouteQuery:
        """Compute the fields of all goals that vehicles ask for; return the question with the ends of the ways to them."""
        grid, query, rows = self.grid, self.query, self.query.row[:n]
        goals = grid.images(query)
        known = np.isfinite(goals)
        if not known.all():
            goals = np.nan_to_num(goals, posinf=0.0, neginf=0.0)
        goals = grid.ends(goals)
        asking = query.active[:n].astype(bool)
        if np.any(rows == ANY):
            self.hold([np.unique(self.held(goals), axis=0)] if len(goals) else [], np.where(asking, 0, -1))
        else:
            used = np.unique(rows[rows >= 0])
            nodes, back = np.unique(self.held(goals[used]), axis=0, return_inverse=True)
            of, asking = np.full(n, -1), asking & (rows >= 0)
            of[asking] = back.ravel()[np.searchsorted(used, rows[asking])]
            places = self.hold([node[None] for node in nodes], of)
            self.which[used] = np.array(places, np.int64)[back.ravel()]
        return query._replace(goal=columns_of(np.where(known, goals, np.nan), query.goal[0].dtype))

    def held(self, goals: Array) -> Array:
        """The places of which fields are held for goals [m], shape (m, 2): the goals themselves where only tolls change."""
        return self.grid.snapped(goals) if self.partly else goals

    def columns(self, fields: int, dtype: Any) -> FieldColumns:
        """Arrays for so many fields, as kernels take them."""
        return self.grid.columns(fields, dtype, self.crowd is not None)

    def hold(self, goal_sets: list[Array], of: Array) -> list[int]:
        """Have the fields of some sets of goals in the arrays; their places there.

        Args:
            goal_sets: Places [m], shape (k, 2), several arrays.
            of: The set that each vehicle asks for, -1 for none, shape (n,).
        """
        keys = [each.tobytes() for each in goal_sets]
        if len(keys) > len(self.fields.way):
            self.fields, self.places = self.columns(2 * len(keys), self.fields.frame.dtype), {}
            self.final = np.full(2 * len(keys), np.inf)
        self.places = {key: place for key, place in self.places.items() if key in keys}
        corners = self.corners(len(of)) if self.partly else None
        for k, (key, place) in enumerate(list(zip(keys, map(self.places.get, keys), strict=True))):
            if place is not None and corners is not None and not self.is_known(place, corners[of == k]):
                del self.places[key]
        free = iter(sorted(set(range(len(self.fields.way))) - set(self.places.values())))
        for k, (key, goals) in enumerate(zip(keys, goal_sets, strict=True)):
            if key not in self.places:
                place = self.places[key] = next(free)
                field = self.field(goals, None if corners is None else self.queried_nodes(corners[of == k]))
                fill(self.fields, place, field)
                self.final[place] = field.final
        return [self.places[key] for key in keys]

    def corners(self, n: int) -> Array:
        """The nodes around vehicles, numbered with the rim, shape (n, 4)."""
        grid = self.grid
        places = np.stack([column[:n] for column in self.query.position], axis=1).astype(np.float64)
        places = images_about(grid.middle, places, self.query.wrap)
        last = np.array(grid.shape) - 2
        first = np.clip(np.floor((places - grid.bounds[0]) / grid.step), 0, last).astype(np.int64)
        width = grid.shape[1] + 2
        return np.asarray(((first[:, 0] + 1) * width + first[:, 1] + 1)[:, None] + [0, 1, width, width + 1])

    def queried_nodes(self, corners: Array) -> Array | None:
        """The nodes from which ways must be known; None for all nodes, if a vehicle has no open node around it."""
        is_open = self.weight.ravel()[corners] < np.inf
        return np.unique(corners[is_open]) if is_open.any(axis=1).all() else None

    def is_known(self, place: int, corners: Array) -> bool:
        """Whether a field has the ways from some nodes; nodes that are shut do not count."""
        if self.final[place] == np.inf:
            return True
        width = self.grid.shape[1] + 2
        there = corners[self.weight.ravel()[corners] < np.inf]
        remaining = self.fields.remaining[place][there // width - 1, there % width - 1]
        return bool((remaining <= self.final[place]).all())

    def field(self, goals: Array, queried: Array | None) -> Field:
        """The field of a set of goals, for the nodes that need it."""
        if not self.partly:
            return self.grid.field(goals)
        return self.grid.compute(*self.grid.seeds(goals), self.weight, queried)

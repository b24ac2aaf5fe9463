"""RouteGrid: a map of routes as a grid of nodes, with the distances of all nodes to a goal."""

import warnings
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from steersman.core.environment.obstacles.obstacle import OBSTACLES
from steersman.core.environment.regions.kind import REGION
from steersman.core.environment.regions.region import Region
from steersman.core.environment.routes.changing_fields import ChangingFields, Field, fill
from steersman.core.environment.routes.doors import Doored
from steersman.core.environment.routes.eikonal import downhill, march, new_waiting
from steersman.core.environment.routes.rasters import (
    as_cost,
    climbs_of,
    costs_of,
    off_segment,
    room_of,
    without_shut,
)
from steersman.core.environment.routes.route_map import ANY, RouteOrder, RouteQuery, images_about
from steersman.core.environment.routes.tracing import STEPS, FieldColumns, guide_on_grid
from steersman.core.environment.shape import new_foot
from steersman.core.environment.surface import Surface
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.guiding import explained, outside
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array

GROUND = Kind("ground", "a Plane, Heightfield or another surface", base=Surface)
COST = Kind("cost", "numbers (a, b), or a function of points (n, 2)", as_cost)

APART = 0.75
"""The least clearance of a grid [spacings]. With less, ways could lead through a thin wall between two nodes."""

NODE = 80
"""The approximate memory of a node while a field is computed [bytes]."""

MOST_FIELDS = 32
"""The most fields of goals that do not move that are kept."""

MARGIN = 4.0
"""The distance by which a map without a region reaches beyond its obstacles [clearances]."""

SLACK = 6.0
"""Fields are computed this far beyond the nodes that ask [weights of a node], so that ways can be traced."""

AROUND = 2
"""Nodes within this distance of a goal get their straight distance, if the way is clear [spacings]."""


@final
@dataclass(frozen=True, eq=False)
class RouteGrid(Doored):
    """A map of routes in the plane, as nodes of a grid: wherever a body fits, it knows the way and how long it is.

    Nodes nearer to obstacles than `clearance` are shut, and those nearer than 3/4 of the spacing: no way leads through a
    wall, however thin. A door is open if it is wider than twice that and a spacing. Ways are shortest by the first-order
    Eikonal equation: a few percent longer than the exact ones, on a finer grid less.

    Args:
        obstacles: Obstacles of any kind in the plane, or a list of sets. Default: none.
        region: Where vehicles may go: a Box, a Polygon, any region. Default: the obstacles' surroundings.
        spacing: Distance between nodes [m]. Raising it is faster and coarser. Default: the clearance.
        clearance: How near a body's center may come to obstacles and to the rim of the region [m]: its radius, and some more.
            Raising it leads farther from corners, and closes narrow doors.
        cost: How much a meter of way counts, > 0: numbers (a, b), spread over the grid and linear in between, or a function
            of points (n, 2), infinite where no way may lead. Raising it somewhere makes ways avoid that place. Default: 1.
        ground: A landscape above the plane: a meter of the map is as much longer as the ground is steep, whichever way it is
            crossed.
        max_slope: The steepest ground that is not shut [rad]. Raising it leads over steeper hills.
        doors: Segments that doors lie on [m], shape (k, 2, 2). Their tolls can be changed at any time, and the next step goes
            by them.
        tolls: The cost of passing each door [m], as a longer way, about; infinite for shut. One number, or one each.
        leaves: Obstacles that stand in the doors while they are shut, a part for each door: a door is shut by enabling its
            part, and opened by disabling it, and the other way round. Of Walls the doors need not be given.

    Warns:
        UserWarning: A door is too narrow for any way. The first use of the map says so.

    Raises:
        ValueError: There are neither obstacles nor a region, they are not in the plane, or there would be too many
            nodes.
    """

    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True, positional=True)
    region: Any = parameter(None, kind=REGION, optional=True)
    spacing: float | None = parameter(None, above=0.0, unit="m", optional=True)
    clearance: float = parameter(0.5, above=0.0, unit="m")
    cost: Any = parameter(None, kind=COST, optional=True)
    ground: Any = parameter(None, kind=GROUND, optional=True)
    max_slope: float = parameter(0.6, above=0.0, high=np.pi / 2, unit="rad")

    def validate(self) -> None:
        """Check that there is something, that it is flat, and not too large."""
        super().validate()
        if self.region is None and (self.obstacles is None or len(self.obstacles) == 0):
            raise ValueError("region must be given where there are no obstacles, got neither")
        for name in ("obstacles", "region"):
            value = getattr(self, name)
            if value is not None and value.dimensions != 2:
                raise ValueError(f"{name} must have 2 dimensions, got {value.dimensions}")
        if self.ground is not None and self.ground.dimensions != 3:
            raise ValueError(f"ground must have 3 dimensions, got {self.ground.dimensions}")
        nx, ny = self.shape
        check_bytes("spacing must be larger", f"{nx:,} x {ny:,} nodes", NODE * float(nx) * ny)

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    @property
    def most_bends(self) -> int:
        """The number of nodes."""
        nx, ny = self.shape
        return nx * ny

    @property
    def sight(self) -> float:
        """The length of a trace [m], in steps of half a spacing."""
        return STEPS / 2 * self.step

    @property
    def step(self) -> float:
        """Distance between nodes [m]."""
        return float(self.clearance if self.spacing is None else self.spacing)

    @property
    def least_room(self) -> float:
        """The clearance below which nodes are shut [m]."""
        return max(float(self.clearance), APART * self.step)

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner [m], shape (2,) each."""
        if self.region is not None:
            low, high = self.region.bounds
            return np.asarray(low, float), np.asarray(high, float)
        center, radius = self.obstacles.bounding_spheres()
        margin = radius[:, None] + MARGIN * self.least_room + 2 * self.step
        return (center - margin).min(axis=0), (center + margin).max(axis=0)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Numbers of nodes along x and y."""
        low, high = self.bounds
        with np.errstate(over="ignore"):
            needed = np.ceil((high - low) / self.step - 1e-9) + 1
        counts = [max(int(each), 2) for each in np.minimum(needed, 1e9)]
        return counts[0], counts[1]

    @property
    def whole(self) -> bool:
        """Whether the call needs all vehicles at once: with doors it does."""
        return len(self.doors) > 0

    @cached_property
    def room(self) -> Array:
        """The distance of each node from where no way may lead now [m], up to a cap; shape (nx, ny)."""
        shut = [nodes for nodes, toll in zip(self._doorways, self._toll, strict=True) if toll == np.inf]
        closed = np.isinf(self._costs)
        for nodes in shut:
            closed = closed | nodes
        return without_shut(self._room_beside, closed, self.least_room, self.step)

    @cached_property
    def _room_beside(self) -> Array:
        """The distance of each node from obstacles and the rim [m], up to a cap; shape (nx, ny)."""
        cap = self.least_room + 2 * self.step
        return room_of(self.obstacles, self.region, self.bounds[0], self.shape, self.step, cap)

    @cached_property
    def _doorways(self) -> list[Array]:
        """For each door the nodes on it, shape (nx, ny): no way through the door leads past all of them."""
        x, y = (self.bounds[0][k] + self.step * np.arange(self.shape[k]) for k in range(2))
        doorways = [off_segment(x[:, None], y[None], *door) <= APART * self.step for door in self.doors]
        for k, nodes in enumerate(doorways):
            if not (self._room_beside[nodes] >= self.least_room).any():
                warnings.warn(
                    f"RouteGrid(doors[{k}]): no way leads through this door, whatever its toll, as no node on it has "
                    f"{self.least_room:g} m of room; a smaller clearance or spacing may find one",
                    stacklevel=outside(),
                )
        return doorways

    def _tolls_changed(self) -> None:
        """Forget the weights, the room and the fields."""
        for name in ("weight", "room", "_open", "_range"):
            self.__dict__.pop(name, None)
        self._known.clear()

    @cached_property
    def _costs(self) -> Array:
        """The cost of a meter of way at each node, infinite where no way may lead; shape (nx, ny)."""
        costs = costs_of(self.cost, self.bounds[0], self.shape, self.step)
        if self.ground is not None:
            costs = costs * climbs_of(self.ground, self.max_slope, self.bounds[0], self.shape, self.step)
        return costs

    @cached_property
    def weight(self) -> Array:
        """Cost * spacing at each node now [m], infinite where it is shut, with a rim of one node; (nx + 2, ny + 2)."""
        nx, ny = self.shape
        weights = np.full((nx + 2, ny + 2), np.inf)
        weights[1:-1, 1:-1] = np.where(self.room < self.least_room, np.inf, self._costs * self.step)
        for (a, b), nodes, toll in zip(self.doors, self._doorways, self._toll, strict=True):
            if 0 < toll < np.inf:
                rows = max(np.count_nonzero(nodes) * self.step / max(float(np.hypot(*(b - a))), self.step), 1.0)
                weights[1:-1, 1:-1][nodes] += toll / rows
        return weights

    @cached_property
    def _range(self) -> tuple[float, float]:
        """The smallest and the largest weight of a node that is not shut."""
        return range_of(self.weight, self.step)

    @cached_property
    def _known(self) -> "OrderedDict[bytes, Field]":
        """The fields of goals that do not move."""
        return OrderedDict()

    @explained
    def field(self, goals: Any, wrap: Array | None = None) -> Field:
        """The field of some goals, computed or remembered.

        Args:
            goals: Points [m], shape (m, 2), or a region.
            wrap: The space, of which the image nearest to the middle of the map counts. Default: the goals as they are.
        """
        if isinstance(goals, Region):
            moved = np.zeros(2) if wrap is None else images_about(self.middle, goals.middle, wrap) - goals.middle
            return self.compute(*self.seeds_of_region(goals, moved))
        if wrap is not None:
            goals = images_about(self.middle, goals, wrap)
        key = np.ascontiguousarray(goals, np.float64).tobytes()
        if key not in self._known:
            self._known[key] = self.compute(*self.seeds(goals))
            while len(self._known) > MOST_FIELDS:
                self._known.popitem(last=False)
        return self._known[key]

    @explained
    def compute(
        self, seeds: Array, distances: Array, weight: Array | None = None, starts: Array | None = None
    ) -> Field:  # fmt: skip
        """The field of the goal that some nodes are near to.

        Args:
            seeds: Nodes, numbered with the rim, shape (k,).
            distances: How far each is from the goal [m].
            weight: Other weights than those of the map, shape (nx + 2, ny + 2).
            starts: Nodes from which the ways are asked for, numbered with the rim, shape (a,): others may stay unknown.
                Default: all.
        """
        nx, ny = self.shape
        value, final = np.full(self.weight.size, np.inf), np.inf
        least, most = self._range if weight is None else range_of(weight, self.step)
        weight = self.weight if weight is None else weight
        if len(seeds):
            values = distances * weight.ravel()[seeds] / self.step
            np.minimum.at(value, seeds, values)
            waiting = new_waiting(weight.size, least, max(most, float(values.max())) + least)
            flags = np.zeros(0, np.uint8)
            if starts is not None and len(starts):
                flags = np.zeros(weight.size, np.uint8)
                flags[starts] = weight.ravel()[starts] < np.inf
            final = march(value, weight.ravel(), ny + 2, np.unique(seeds), waiting, flags, SLACK * most)
        field = Field(np.empty((2, nx, ny), np.float32), np.empty((nx, ny), np.float32), final)
        downhill(value, weight.ravel(), ny + 2, nx + 2, self.room, final, field.way, field.remaining)
        if not len(seeds):
            field.way[:] = 0
        return field

    def snapped(self, goals: Array) -> Array:
        """The nodes nearest to goals, as places [m], shape (m, 2)."""
        low, shape = self.bounds[0], np.array(self.shape)
        index = np.clip(np.rint((goals - low) / self.step), 0, shape - 1)
        return np.asarray(low + self.step * index)

    def seeds(self, goals: Array) -> tuple[Array, Array]:
        """Nodes around points, with their distances: those from which the straight way is clear.

        A goal where nobody fits is reached as far as one gets: the open node that is nearest to it counts.
        """
        (_, ny), low = self.shape, self.bounds[0]
        index, open_nodes = self._nodes(goals), self._open
        nodes, distances = [np.zeros(0, np.int64)], [np.zeros(0)]
        for goal, (i, j) in zip(np.asarray(goals, float), index, strict=True):
            if open_nodes[i, j]:
                x, y = self._open_around(i, j, AROUND)
                keep = self._connected(open_nodes, i, j, x, y)
                x, y = x[keep], y[keep]
            else:
                x, y = self._open_beside(goal, i, j)
            distances.append(np.hypot(low[0] + self.step * x - goal[0], low[1] + self.step * y - goal[1]))
            nodes.append((x + 1) * (ny + 2) + y + 1)
        return np.concatenate(nodes), np.concatenate(distances)

    @cached_property
    def _open(self) -> Array:
        """Whether each node is open, shape (nx, ny)."""
        return np.isfinite(self.weight[1:-1, 1:-1])

    def _nodes(self, places: Array) -> Array:
        """The numbers of the nodes nearest to places, shape (m, 2)."""
        return np.rint((self.snapped(places) - self.bounds[0]) / self.step).astype(np.int64)

    def _open_around(self, i: int, j: int, size: int) -> tuple[Array, Array]:
        """The numbers of the nodes that are open and at most `size` nodes away."""
        i0, j0 = max(i - size, 0), max(j - size, 0)
        x, y = np.nonzero(self._open[i0 : i + size + 1, j0 : j + size + 1])
        return x + i0, y + j0

    def _open_beside(self, goal: Array, i: int, j: int) -> tuple[Array, Array]:
        """The open node nearest to a goal that is nearest to node (i, j), as an array of one number, or of none."""
        for size in (AROUND, 4 * AROUND, 16 * AROUND):
            x, y = self._open_around(i, j, size)
            if len(x):
                off = np.hypot(*(self.bounds[0][:, None] + self.step * np.stack([x, y]) - goal[:, None]))
                nearest = [int(np.argmin(off))]
                return x[nearest], y[nearest]
        return x, y

    def ends(self, goals: Array) -> Array:
        """The ends of the ways to goals [m], shape (m, 2). If a body does not fit there, it is the nearest open node."""
        goals, index = np.array(goals), self._nodes(goals)
        for k in np.flatnonzero(~self._open[index[:, 0], index[:, 1]]):
            x, y = self._open_beside(goals[k], *index[k])
            if len(x):
                goals[k] = self.bounds[0] + self.step * np.array([x[0], y[0]])
        return goals

    def _connected(self, open_nodes: Array, i: int, j: int, x: Array, y: Array) -> Array:
        """Which nodes can be reached straight from node (i, j)."""
        reachable = np.ones(len(x), bool)
        for part in np.linspace(0, 1, 2 * AROUND + 1):
            reachable &= open_nodes[np.rint(i + part * (x - i)).astype(int), np.rint(j + part * (y - j)).astype(int)]
        return reachable

    def seeds_of_region(self, region: Region, moved: Array) -> tuple[Array, Array]:
        """The nodes of a region that is moved by `moved` [m] and reduced by the clearance, and their distances from it.

        Nodes inside have a distance of zero; of those outside only the nearest are there.
        """
        (nx, ny), low = self.shape, self.bounds[0] - moved
        first, last = region.bounds
        i0, j0 = np.clip(np.floor((first - low) / self.step).astype(int) - 2, 0, [nx, ny])
        i1, j1 = np.clip(np.ceil((last - low) / self.step).astype(int) + 3, 0, [nx, ny])
        x, y = (each.ravel() for each in np.meshgrid(np.arange(i0, i1), np.arange(j0, j1), indexing="ij"))
        foot, n = new_foot(len(x), 2, np.float64), len(x)
        places = (low[0] + self.step * x, low[1] + self.step * y)
        for call in region.foot_calls(places, foot):
            call.run(n)
        outside = foot.distance + min(self.clearance, region.depth / 2)
        keep = (outside < self.step) & np.isfinite(self.weight[x + 1, y + 1])
        return (x[keep] + 1) * (ny + 2) + y[keep] + 1, np.maximum(outside[keep], 0)

    @cached_property
    def middle(self) -> Array:
        """The middle of the nodes [m], shape (2,)."""
        return np.asarray(self.bounds[0] + self.step * (np.array(self.shape) - 1) / 2)

    def images(self, query: RouteQuery) -> Array:
        """The goals [m], shape (m, 2); on a torus, their images nearest to the middle."""
        goals = np.stack([column[: query.number[0]] for column in query.goal], axis=1).astype(np.float64)
        return images_about(self.middle, goals, query.wrap)

    def columns(self, fields: int, dtype: Any, crowd: bool) -> FieldColumns:
        """Arrays for so many fields, as kernels take them, in a dtype. `crowd`: whether a crowd makes ways longer."""
        (nx, ny), (low, _) = self.shape, self.bounds
        priced = crowd or self.whole or self.cost is not None or self.ground is not None
        check_bytes("goals must be fewer", f"{fields:,} fields of {nx:,} x {ny:,} nodes", 12.0 * fields * nx * ny)
        return FieldColumns(
            np.zeros((fields, 2, nx, ny), np.float32),
            np.full((fields, nx, ny), np.inf, np.float32),
            self.room.astype(dtype),
            np.array([*low, self.step, self.least_room, priced], dtype),
            self.middle.astype(dtype),
        )

    @explained
    def guide_calls(self, order: RouteOrder) -> list[Call]:
        """One call; where goals move, after one that computes the fields of those that have come to another node."""
        query, guide, region, moves, _, crowd = order
        dtype = query.reach.dtype
        changes = crowd is not None or self.whole
        if changes or (moves and region is None):
            return [Call(ChangingFields(self, order), whole=True, fits=True)]
        if region is not None:
            fields = self.columns(1, dtype, False)
            fill(fields, 0, self.field(region, query.wrap))
            return [Call(guide_on_grid, (query, np.zeros(1, np.int64), False, fields, guide))]
        goals = self.ends(self.images(query))
        query = query._replace(goal=columns_of(goals, query.goal[0].dtype))
        distinct, which = [goals], np.zeros(len(goals), np.int64)
        if len(goals) > 1 and np.any(query.row != ANY):
            rows, which = np.unique(goals, axis=0, return_inverse=True)
            distinct, which = [row[None] for row in rows], which.ravel().astype(np.int64)
        fields = self.columns(len(distinct), dtype, False)
        for k, each in enumerate(distinct):
            fill(fields, k, self.field(each))
        return [Call(guide_on_grid, (query, which, True, fields, guide))]


def range_of(weight: Array, step: float) -> tuple[float, float]:
    """The smallest and the largest weight of a node that is not shut."""
    known = weight[np.isfinite(weight)]
    return (float(known.min()), float(known.max())) if len(known) else (step, step)

"""ZeroOverlap: vehicles that overlap are moved apart until they touch.

    overlap = radius_i + radius_j - distance;   each of the two moves by overlap / 2, along the line of centers

The game AI lecture: if bounding spheres overlap, just move them to touching distance, and ignore dynamics. A vehicle with
several overlaps moves by their sum; all move at once, from one snapshot, so the order of vehicles means nothing (but for
rounding). This is repeated until no overlap is deeper than the tolerance, and who still overlaps goes on by a part of the
last move (MOMENTUM), which untangles a crowd in half as many passes. What stands fast moves nobody halfway:
vehicles leave obstacles as a whole. Vehicles that coincide part along a direction that their places in the world's order
decide.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.obstacles.obstacle import Nearest, as_obstacles, no_nearest_call
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import Array, Columns, Vector, add_scaled, difference, dot, load, scale, store
from steersman.neighborhood.grid import Grid, Order, lay_out, sort
from steersman.neighborhood.nearest import cell_at, place_of
from steersman.vehicles.vehicles import Vehicles
from steersman.world.constraints.constraint import WorldConstraint

MOMENTUM = 0.6
"""Part of the last move that is added to the next one."""

GOLDEN = 2.399963229728653
"""Golden angle: directions of coincident vehicles are spread evenly, whatever their number."""


@kernel
def sort_all(grid: Grid, position: Columns, wrap: Array, width: float, most: int, order: Order) -> None:
    """Sort everybody into cells."""
    lay_out(grid, (), position, wrap, width, most)
    sort(grid, position, order)


@kernel
def apart(i: int, j: int, like: Vector) -> Vector:
    """The direction in which i leaves j where they coincide; that of j is the opposite."""
    first, second = min(i, j), max(i, j)
    angle = GOLDEN * (first * 31.0 + second)
    sign = 1.0 if i < j else -1.0
    if len(like) == 2:
        return (sign * math.cos(angle), sign * math.sin(angle))
    z = math.cos(0.7 * angle + 1.0)
    level = math.sqrt(max(1.0 - z * z, 0.0))
    return (sign * level * math.cos(angle), sign * level * math.sin(angle), sign * z)


@kernel
def find_moves(
    grid: Grid, position: Columns, radius: Array, wrap: Array, order: Order, move: Columns, deepest: Array
) -> None:
    """How far everybody has to move, given the last move, and the deepest overlap as a part of the radii."""
    deepest[0] = 0.0
    for i in range(radius.size):
        here = load(position, i)
        total, contacts = scale(here, 0.0), 0
        cell = place_of(order.cell[i], grid)
        for dz in range(-1, 2):
            z = cell_at(grid, 2, cell[2], dz)
            for dy in range(-1, 2):
                y = cell_at(grid, 1, cell[1], dy)
                for dx in range(-1, 2):
                    x = cell_at(grid, 0, cell[0], dx)
                    if x < 0 or y < 0 or z < 0:
                        continue
                    c = (z * grid.shape[1] + y) * grid.shape[0] + x
                    for k in range(order.start[c], order.start[c + 1]):
                        j = order.row[k]
                        room = radius[i] + radius[j]
                        away = difference(here, load(position, j), wrap)
                        d2 = dot(away, away)
                        if j == i or not d2 < room * room:
                            continue
                        distance = math.sqrt(d2)
                        way = apart(i, j, here)
                        if distance > 1e-9 * room:
                            way = scale(away, 1.0 / distance)
                        total = add_scaled(total, way, 0.5 * (room - distance))
                        contacts += 1
                        deepest[0] = max(deepest[0], (room - distance) / room)
        if contacts > 0:
            total = add_scaled(total, load(move, i), MOMENTUM)
        store(move, i, total)


@kernel
def make_moves(position: Columns, move: Columns) -> None:
    """Move everybody at once."""
    for k in range(len(position)):
        for i in range(position[k].size):
            position[k][i] += move[k][i]


@kernel
def leave_obstacles(start: int, stop: int, position: Columns, radius: Array, nearest: Nearest, deepest: Array) -> None:
    """Move those who overlap an obstacle out of it."""
    for i in range(start, stop):
        depth = radius[i] - nearest.distance[i]
        if depth > 0.0:
            store(position, i, add_scaled(load(position, i), load(nearest.normal, i), depth))
            if radius[i] > 0.0:
                deepest[0] = max(deepest[0], depth / radius[i])


@dataclass(frozen=True, eq=False)
class ZeroOverlap(WorldConstraint):
    """Move vehicles apart that overlap, of all populations, and out of obstacles.

    Args:
        obstacles: What nobody may overlap: a set of obstacles, or several.
        passes: How often everybody is moved in a step, at most. Raising it untangles denser crowds.
        tolerance: The deepest overlap that may stay, as a part of the two radii. Raising it is faster.

    Raises:
        TypeError: The obstacles are none, or an argument is no number.
        ValueError: A number is out of range.
    """

    obstacles: Any = parameter(None, kind="obstacles", optional=True, positional=True, doc="What nobody may overlap.")
    passes: int = parameter(50, kind="integer", low=1, doc="Passes of a step at most; raising it untangles more.")
    tolerance: float = parameter(1e-3, low=0.0, doc="Deepest overlap that may stay, as a part of the radii.")

    def validate(self) -> None:
        """Bring the obstacles to their normal form."""
        if self.obstacles is not None:
            object.__setattr__(self, "obstacles", tuple(as_obstacles(self.obstacles)))

    def bind(self, populations: Sequence[Vehicles], domain: Domain) -> list[Call]:
        """One call for the populations of each number of dimensions.

        Raises:
            ValueError: The obstacles have other dimensions.
        """
        calls = []
        for d in (2, 3):
            alike = [vehicles for vehicles in populations if vehicles.dimensions == d]
            if alike:
                calls.append(Call(_Untangle(self, alike, domain), whole=True))
        return calls


class _Untangle:
    """Moves the populations of one number of dimensions apart, in float64."""

    def __init__(self, how: ZeroOverlap, populations: Sequence[Vehicles], domain: Domain) -> None:
        self.how, self.populations = how, populations
        d, n = populations[0].dimensions, sum(len(vehicles) for vehicles in populations)
        self.block, self.radius = np.zeros((d, n)), np.zeros(n)
        self.position, self.move = tuple(self.block), tuple(np.zeros((d, n)))
        self.wrap, self.deepest = domain.wrap(d, np.dtype(np.float64)), np.zeros(1)
        self.most = 2 * n + 64
        self.grid = Grid(
            np.zeros((4, 3)), np.ones(3, np.int64), np.zeros(3, np.int64), *(np.zeros(size) for size in (3, 64, 64))
        )
        self.order = Order(*(np.zeros(size, np.int32) for size in (n, max(self.most, 27) + 3, n, n)))
        self.nearest = Nearest(np.zeros(n), tuple(np.zeros((d, n))), np.zeros(n, np.int64))
        self.leave: list[Call] = []
        everybody = np.ones(n, np.uint8)
        for each in how.obstacles or ():
            if each.dimensions != d:
                raise ValueError(f"obstacles must have {d} dimensions like the vehicles, got {each.dimensions}")
            self.leave += [
                no_nearest_call(everybody, self.nearest),
                *each.nearest_calls(self.position, self.radius, everybody, self.wrap, 0, self.nearest),
                Call(leave_obstacles, (self.position, self.radius, self.nearest, self.deepest)),
            ]

    def __call__(self) -> None:
        first = 0
        parts = []
        for vehicles in self.populations:
            rows = slice(first, first + len(vehicles))
            self.block[:, rows], self.radius[rows] = vehicles.position.T, vehicles.radius
            parts.append((vehicles, rows))
            first = rows.stop
        if first and self._untangle():
            for vehicles, rows in parts:
                vehicles.position[...] = self.block[:, rows].T

    def _untangle(self) -> bool:
        """Whether anybody was moved."""
        width, moved = max(2 * float(self.radius.max()), 1e-30), False
        for column in self.move:
            column[:] = 0
        for _ in range(self.how.passes):
            sort_all(self.grid, self.position, self.wrap, width, self.most, self.order)
            find_moves(self.grid, self.position, self.radius, self.wrap, self.order, self.move, self.deepest)
            if self.deepest[0] > self.how.tolerance:
                make_moves(self.position, self.move)
                moved = True
            for call in self.leave:
                call.run(len(self.radius))
            if self.deepest[0] <= self.how.tolerance:
                break
            moved = True
        return moved

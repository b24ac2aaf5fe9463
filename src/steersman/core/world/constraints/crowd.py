"""The crowd: all vehicles in the order of a grid's cells, each with a list of the vehicles that it may touch soon.

A list holds all vehicles within the sum of the two radii and a margin. While no vehicle has moved by more than half of the
margin since the lists were made, all vehicles in contact are in each other's lists, and the cells need not be searched again.
A vehicle with more neighbors than a list can hold has no list: it searches the cells around the one in which it was.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import difference, dot, length, load, store
from steersman.core.neighborhood.grid import Grid, Order, find_runs, lay_out, sort
from steersman.core.typing import Array, Columns

SHARE = 512
"""The number of places in a share of a worker."""

ROOM = {2: 12, 3: 24}
"""The number of neighbors that a list holds, by dimensions: more than a vehicle has in a crowd that does not overlap."""

CROWDED = -1
"""The length of a list of a vehicle with too many neighbors."""


class Crowd(NamedTuple):
    """All vehicles, by place in the order of the cells. All lengths in float64.

    Attributes:
        row: The row of the vehicle at each place, shape (n,), int32.
        position: Positions [m], d arrays of shape (n,).
        radius: Radii [m], shape (n,).
        reach: The distance from the position to the farthest point of the body [m], shape (n,).
        axis: The ways from the position to the middle of the front end [m], d arrays of shape (n,); empty where all are
            balls.
        origin: Positions when the lists were made [m], d arrays of shape (n,).
        move: The last move [m], d arrays of shape (n,).
        touches: Whether each vehicle touched another when it was last tested, shape (n,), uint8.
        near: The lists: places of near vehicles, shape (n, k), int32.
        number: The lengths of the lists, or CROWDED, shape (n,), int32.
    """

    row: Array
    position: Columns
    radius: Array
    reach: Array
    axis: Columns
    origin: Columns
    move: Columns
    touches: Array
    near: Array
    number: Array


@kernel
def sort_crowd(grid: Grid, position: Columns, wrap: Array, width: float, most: int, order: Order) -> None:
    """Sort all vehicles into cells of a width [m]."""
    lay_out(grid, (), position, wrap, width, most)
    sort(grid, position, order)


@kernel
def take_axis(axis: Columns, to: Columns, row: Any, i: int, radius: Any) -> Any:
    """Copy the axis of a row to a place, and return how far that body reaches [m]."""
    if len(axis) == 0:
        return radius
    half = load(axis, row)
    store(to, i, half)
    return radius + length(half)


@kernel
def take_places(
    worker: int, workers: int, order: Order, position: Columns, radius: Array, axis: Columns, move: Columns,
    crowd: Crowd, awake: Array, later: Array,
) -> None:  # fmt: skip
    """Copy positions, radii, axes and moves, by row, to the places of a sorted crowd, and mark all places to be tested."""
    n = crowd.radius.size
    for begin in range(worker * SHARE, n, workers * SHARE):
        for i in range(begin, min(begin + SHARE, n)):
            row = np.uint64(order.row[i])
            crowd.row[i], crowd.radius[i] = order.row[i], radius[row]
            crowd.reach[i] = take_axis(axis, crowd.axis, row, i, radius[row])
            store(crowd.position, i, load(position, row))
            store(crowd.origin, i, load(position, row))
            store(crowd.move, i, load(move, row))
            crowd.touches[i], awake[i], later[i] = 0, 1, 0


@kernel
def give_places(worker: int, workers: int, crowd: Crowd, position: Columns, move: Columns) -> None:
    """Copy positions and moves back to rows."""
    n = crowd.radius.size
    for begin in range(worker * SHARE, n, workers * SHARE):
        for i in range(begin, min(begin + SHARE, n)):
            row = np.uint64(crowd.row[i])
            store(position, row, load(crowd.position, i))
            store(move, row, load(crowd.move, i))


@kernel
def list_near(
    worker: int, workers: int, grid: Grid, order: Order, crowd: Crowd, wrap: Array, runs: Array, margin: Array
) -> None:
    """Make the lists of this worker's places: vehicles within the radii and a margin [m], in the order of the cells.

    `runs`, shape (workers, 27, 2), is scratch.
    """
    n, most = crowd.radius.size, crowd.near.shape[1]
    position, reaches, near, number = crowd.position, crowd.reach, crowd.near, crowd.number
    cell, row, start, shape, wraps, mine = order.cell, crowd.row, order.start, grid.shape, grid.wraps, runs[worker]
    last, count = -1, 0
    for begin in range(worker * SHARE, n, workers * SHARE):
        for i in range(np.uint64(begin), np.uint64(min(begin + SHARE, n))):
            here, reach, total = load(position, i), reaches[i] + margin[0], 0
            if cell[row[i]] != last:
                last = cell[row[i]]
                count = find_runs(last, shape, wraps, start, mine)
            for k in range(count):
                for j in range(np.uint64(mine[k, 0]), np.uint64(mine[k, 1])):
                    away = difference(here, load(position, j), wrap)
                    room = reach + reaches[j]
                    if dot(away, away) < room * room and j != i:
                        if total < most:
                            near[i, total] = j
                        total += 1
            number[i] = total if total <= most else CROWDED

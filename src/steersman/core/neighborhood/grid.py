"""The uniform grid: vehicles sorted by cell, so that vehicles near in space are near in memory.

Cells are as wide as the largest radius, so all neighbors are in a block of 3 x 3 (x 3) cells. The sort counts and is
stable: within a cell vehicles stay in the order of their rows, which makes every sum reproducible to the bit.

Where vehicles are scattered over more cells than is reasonable, the grid is *folded*: cells with coordinates that are equal
modulo the number of cells of an axis are one cell. That only adds candidates that are too far away to be seen, so one vehicle
far away costs nothing. A torus is folded in the same way, with candidates moved by the period.

Searches for the k nearest have cells of another width (`density.py`).

The rows are sorted in parts, one for each thread: each part counts its own rows, and in every cell the rows of one part
follow those of the part before. So the order is the same for any number of parts.

Cells are computed in float64: far from the origin, float32 would round a coordinate to another cell.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ZERO
from steersman.core.typing import Array, Columns

REACH = np.float32(1e17)
"""Largest coordinate [m] that takes part: its square is still finite in float32. Others, and NaN, have no neighbors."""

MARGIN = 1 + 1e-6
"""Cells are wider than the radius by this factor, so that a rounded squared distance never reaches past the next cell."""

NOWHERE = np.int32(-(2**29))
"""Cell of a coordinate that is not finite, before counting: the sum over the axes stays negative."""

ONE_ROW = np.uint64(1)

LOW, INVERSE, PERIOD, COUNT, EXTENT, FIRST, OWN_LOW, OWN_HIGH = range(8)
"""Rows of `Grid.axes`."""

STRIP = 256
"""The number of coordinates between which the lowest and highest are found independently (see `span`)."""


class Grid(NamedTuple):
    """The cells of one step. The arrays are written anew by every build.

    Attributes:
        axes: For each axis, shape (8, 3), float64: the lowest coordinate [m]; the inverse width of a cell [1/m]; the period
            that positions are brought into [m], 0 for none; the number of cells; the distance from the lowest to the highest
            coordinate [m]; the first cell that is laid out; the lowest and highest coordinate of the vehicles of this
            process [m].
        shape: Numbers of cells that are laid out, shape (3,), int64; 1 for the third axis in 2D.
        wraps: Whether the first and the last cell of an axis are adjacent, shape (3,), int64.
        shift: The displacement of candidates that are reached across the end of an axis [m], shape (3,), in the
            vehicles' dtype.
        lows, highs: Scratch, shape (k,), in the vehicles' dtype.
        bounds: Lowest and highest coordinates [m] of vehicles of the world in other processes, which the cells cover, too;
            shape (2, 3), float64. Without such vehicles, infinity and minus infinity.
    """

    axes: Array
    shape: Array
    wraps: Array
    shift: Array
    lows: Array
    highs: Array
    bounds: Array


class Order(NamedTuple):
    """A population in the order of its cells.

    Attributes:
        cell: The cell of each row of the population, shape (n,), int32.
        start: Where each cell begins, shape (at least cells + 2,), int32. A last cell, which neighbors no other, takes the
            vehicles without a finite position.
        row: The rows in the order of the cells, shape (n,), int32.
        rank: The number of rows of the same cell and part before each row, shape (n,), int32.
        counts: The number of rows of each part in each cell, which `begin_cells` replaces by the place where they begin;
            shape (parts, at least cells + 1), int32.
    """

    cell: Array
    start: Array
    row: Array
    rank: Array
    counts: Array


def new_grid(dtype: Any) -> Grid:
    """A grid for positions of this dtype, with one cell."""
    bounds = np.array([[np.inf] * 3, [-np.inf] * 3])
    shift, lows, highs = (np.zeros(n, dtype) for n in (3, STRIP, STRIP))
    return Grid(np.zeros((8, 3)), np.ones(3, np.int64), np.zeros(3, np.int64), shift, lows, highs, bounds)


def new_order(n: int, cells: int, parts: int = 1) -> Order:
    """Room for the order of n vehicles in a number of cells (at least 27), sorted in a number of parts."""
    capacity = max(cells, 27) + 3
    return Order(*(np.zeros(size, np.int32) for size in (n, capacity, n, n, (parts, capacity))))


@kernel
def span(x: Array, lows: Array, highs: Array) -> None:
    """Update `lows` and `highs` with the finite coordinates [m] of every so many vehicles: this loop vectorizes."""
    width = np.uint64(lows.size)
    n = np.uint64(x.size)
    for begin in range(np.uint64(0), n, width):
        for j in range(min(width, n - begin)):
            a = x[begin + j]
            inside = abs(a) <= REACH
            lows[j] = a if inside & (a < lows[j]) else lows[j]
            highs[j] = a if inside & (a > highs[j]) else highs[j]


@kernel
def one_cell(grid: Grid) -> None:
    """Make a grid of a single cell."""
    grid.shape[:] = 1
    grid.wraps[:] = 0
    grid.shift[:] = ZERO
    grid.axes[:] = 0.0
    grid.axes[COUNT, :] = 1.0


@kernel
def measure(grid: Grid, watching: Columns, watched: Columns) -> None:
    """Write the lowest coordinates and the extents of two populations together; `watching` may be an empty tuple."""
    strip = max(1, min(grid.lows.size, watched[0].size))
    lows, highs = grid.lows[:strip], grid.highs[:strip]
    for k in range(len(watched)):
        lows[:] = REACH
        highs[:] = -REACH
        span(watched[k], lows, highs)
        if len(watching) > 0:
            span(watching[k], lows, highs)
        low, high = np.float64(lows[0]), np.float64(highs[0])
        for i in range(1, strip):
            low, high = min(low, np.float64(lows[i])), max(high, np.float64(highs[i]))
        grid.axes[OWN_LOW, k], grid.axes[OWN_HIGH, k] = low, high
        low, high = min(low, grid.bounds[0, k]), max(high, grid.bounds[1, k])
        if low <= high:
            grid.axes[LOW, k] = low
            grid.axes[EXTENT, k] = high - low


@kernel
def lay_out(grid: Grid, watching: Columns, watched: Columns, wrap: Array, radius: float, most: int) -> None:
    """Choose the cells for this step, as wide as the largest radius.

    Args:
        grid: The grid that takes the cells.
        watching: Positions of the watchers [m], an empty tuple when they are the candidates.
        watched: Positions of the candidates [m].
        wrap: The domain, see `Domain.wrap`.
        radius: The largest radius [m], > 0; finite, unless there is to be a single cell.
        most: The largest number of cells (27 are always allowed); 1 for a single cell.
    """
    one_cell(grid)
    if most == 1:
        return
    measure(grid, watching, watched)
    for k in range(len(watched)):
        fit_axis(grid, k, grid.axes[EXTENT, k], np.float64(wrap[0, k]), radius * MARGIN)
        grid.shift[k] = wrap[0, k] if grid.wraps[k] else ZERO
    fold(grid, most)
    for k in range(len(watched)):
        grid.shape[k] = np.int64(grid.axes[COUNT, k])
        if grid.bounds[0, k] <= grid.bounds[1, k]:
            narrow(grid, k)


@kernel
def narrow(grid: Grid, k: int) -> None:
    """Lay out, along one axis, only the cells that the vehicles of this process are in.

    The other cells are those of other processes. If the axis wraps, this is possible only where the vehicles of this process
    are not in the first or last cells.
    """
    low, high, count = grid.axes[OWN_LOW, k], grid.axes[OWN_HIGH, k], grid.axes[COUNT, k]
    if low > high or grid.axes[PERIOD, k] > 0.0:
        return
    first = cell_along(low - grid.axes[LOW, k], grid.axes[INVERSE, k], count)
    last = cell_along(high - grid.axes[LOW, k], grid.axes[INVERSE, k], count)
    if grid.wraps[k] != 0 and (grid.shift[k] == ZERO or first < 2.0 or last > count - 3.0):
        return
    grid.wraps[k] = 0
    grid.axes[FIRST, k] = first
    grid.shape[k] = np.int64(last - first) + 1


@kernel
def fit_axis(grid: Grid, k: int, extent: float, period: float, width: float) -> None:
    """Choose the cells of one axis, as many as the extent needs.

    It wraps only if vehicles may see each other across its ends: if the extent [m] is more than the period less the width.
    With fewer than 3 cells the two neighbors of a cell would be one cell: then the axis has a single cell.
    """
    cells = np.floor(extent / width) + 1.0
    inverse = 1.0 / width
    if period > 0.0 and extent > period - width:
        cells = np.floor(period / width)
        if cells < 3.0:
            cells = 1.0
        inverse = cells / period
        grid.wraps[k] = 1
    grid.axes[INVERSE, k] = inverse
    grid.axes[PERIOD, k] = period if extent >= period else 0.0
    grid.axes[COUNT, k] = cells


@kernel
def fold(grid: Grid, most: int) -> None:
    """Reduce the number of cells of the longest axes until there are at most `most` in all.

    An axis that wraps gets wider cells; others are folded.
    """
    count = grid.axes[COUNT]
    while count[0] * count[1] * count[2] > most:
        k = np.argmax(count)
        if count[k] <= 3.0:
            return
        fewer = max(3.0, np.floor(count[k] * 0.8))
        if grid.shift[k] > ZERO:
            grid.axes[INVERSE, k] *= fewer / count[k]
        grid.wraps[k] = 1
        count[k] = fewer


@kernel
def bring_in(x: Any, low: float, period: float, inverse: float) -> Any:
    """A coordinate [m], less whole periods; with period and inverse 0 as it is."""
    return x - period * np.floor((x - low) * inverse)


@kernel
def cell_along(x: Any, inverse: float, count: float) -> float:
    """The cell on one axis at a distance [m] from its low end."""
    along = np.floor(x * inverse)
    along = along - count * np.floor(along / count)
    along = along if along > 0.0 else 0.0
    return along if along < count else count - 1.0


@kernel
def cell_beside(place: int, step: int, count: int, wraps: int) -> int:
    """The coordinate of the cell `step` cells away on an axis; -1 for no cell.

    Where an axis wraps and has few cells, two steps lead to one cell: for the longer of them the result is -1, too.
    """
    there = place + step
    if wraps == 0:
        return there if 0 <= there < count else -1
    if 2 * step > count or 2 * step < 1 - count:
        return -1
    if there < 0:
        return there + count
    return there if there < count else there - count


@kernel
def find_runs(c: int, shape: Array, wraps: Array, start: Array, runs: Array) -> int:
    """Write the ranges of places of the vehicles in a cell and in those around it, shape (27, 2); return their number.

    Vehicles without a finite position are in a separate cell, for which there are no runs.
    """
    nx, ny, nz = shape[0], shape[1], shape[2]
    if c >= nx * ny * nz:
        return 0
    x, y, z = c % nx, (c // nx) % ny, c // (nx * ny)
    count = 0
    for dz in range(-1 if nz > 1 else 0, 2 if nz > 1 else 1):
        layer = cell_beside(z, dz, nz, wraps[2])
        for dy in range(-1, 2):
            line = cell_beside(y, dy, ny, wraps[1])
            if layer < 0 or line < 0:
                continue
            first = (layer * ny + line) * nx
            if 0 < x < nx - 1:
                runs[count, 0], runs[count, 1] = start[first + x - 1], start[first + x + 2]
                count += 1
                continue
            for dx in range(-1, 2):
                place = cell_beside(x, dx, nx, wraps[0])
                if place >= 0:
                    runs[count, 0], runs[count, 1] = start[first + place], start[first + place + 1]
                    count += 1
    return count


@kernel
def part_of(part: int, parts: int, n: int) -> tuple[Any, Any]:
    """The range of n rows or places that belongs to a part."""
    return np.uint64(n * part // parts), np.uint64(n * (part + 1) // parts)


@kernel
def find_cells(grid: Grid, position: Columns, cell: Array, begin: Any, end: Any) -> None:
    """Write the cells of rows begin <= i < end, NOWHERE or less for positions that are not finite."""
    stride = 1
    for k in range(len(position)):
        x = position[k]
        low, inverse, period, count = grid.axes[0, k], grid.axes[1, k], grid.axes[2, k], grid.axes[3, k]
        first = grid.axes[FIRST, k]
        frequency = 1.0 / period if period > 0.0 else 0.0
        if count == 1.0:
            for i in range(begin, end):
                place = np.int32(0) if abs(x[i]) <= REACH else NOWHERE
                cell[i] = place if k == 0 else cell[i] + place
            continue
        for i in range(begin, end):
            along = cell_along(bring_in(x[i], low, period, frequency) - low, inverse, count) - first
            place = np.int32(along) * np.int32(stride) if abs(x[i]) <= REACH else NOWHERE
            cell[i] = place if k == 0 else cell[i] + place
        stride *= grid.shape[k]


@kernel
def count_cells(part: int, parts: int, grid: Grid, position: Columns, order: Order) -> None:
    """Find the cells of a part of the rows, and count its rows in each cell."""
    nowhere = np.uint64(grid.shape[0] * grid.shape[1] * grid.shape[2])
    cell, rank, count = order.cell, order.rank, order.counts[part]
    begin, end = part_of(part, parts, cell.size)
    find_cells(grid, position, cell, begin, end)
    if nowhere == ONE_ROW and count_in_one(cell, rank, count, begin, end):
        return
    count[: nowhere + ONE_ROW] = 0
    for i in range(begin, end):
        c = np.uint64(cell[i]) if cell[i] >= 0 else nowhere  # Unsigned: no test for a negative index.
        cell[i] = c
        rank[i] = count[c]
        count[c] += 1


@kernel
def count_in_one(cell: Array, rank: Array, count: Array, begin: Any, end: Any) -> bool:
    """Count the rows of a part in a grid of a single cell, if all of them have finite positions; else return False."""
    lost = np.int32(0)
    for i in range(begin, end):
        lost = min(lost, cell[i])
    if lost < 0:
        return False
    for i in range(begin, end):
        rank[i] = i - begin
    count[0], count[1] = end - begin, 0
    return True


@kernel
def begin_cells(grid: Grid, order: Order) -> None:
    """Replace the counts by the place where each part begins in each cell; write where each cell begins."""
    cells = np.uint64(grid.shape[0] * grid.shape[1] * grid.shape[2])
    start, counts = order.start, order.counts
    parts = np.uint64(counts.shape[0])
    offset = np.int32(0)
    for c in range(cells + ONE_ROW):
        start[c] = offset
        for part in range(parts):
            here = counts[part, c]
            counts[part, c] = offset
            offset += here
    start[cells + ONE_ROW] = offset


@kernel
def place_rows(part: int, parts: int, order: Order) -> None:
    """Write a part of the rows to their places."""
    cell, rank, row, first = order.cell, order.rank, order.row, order.counts[part]
    begin, end = part_of(part, parts, cell.size)
    for i in range(begin, end):
        row[np.uint64(first[np.uint64(cell[i])] + rank[i])] = i


@kernel
def sort(grid: Grid, position: Columns, order: Order) -> None:
    """Sort a population by cell, in one part."""
    count_cells(0, 1, grid, position, order)
    begin_cells(grid, order)
    place_rows(0, 1, order)


@kernel
def arrange(columns: Columns, row: Array, out: Columns, begin: Any, end: Any) -> None:
    """Copy columns to places begin <= i < end in the order of the cells."""
    for k in range(len(columns)):
        x, y = columns[k], out[k]
        for i in range(begin, end):
            y[i] = x[np.uint64(row[i])]


@kernel
def arrange_columns(part: int, parts: int, columns: Columns, row: Array, out: Columns) -> None:
    """Copy columns to this part's places."""
    begin, end = part_of(part, parts, row.size)
    arrange(columns, row, out, begin, end)


@kernel
def arrange_rows(part: int, parts: int, rows: tuple[Array, ...], row: Array, out: Array) -> None:
    """Copy rows of numbers to this part's places.

    `rows` holds the array of numbers once for each of its columns, so that the compiler knows their number.
    """
    begin, end = part_of(part, parts, row.size)
    numbers = rows[0]
    for i in range(np.uint64(begin), np.uint64(end)):
        there = np.uint64(row[i])
        for k in range(np.uint64(len(rows))):  # The length is a constant: the compiler unrolls the loop.
            out[i, k] = numbers[there, k]


@kernel
def arrange_position(part: int, parts: int, grid: Grid, position: Columns, row: Array, out: Columns) -> None:
    """Copy positions [m] to this part's places, brought into one period."""
    begin, end = part_of(part, parts, row.size)
    arrange(position, row, out, begin, end)
    for k in range(len(position)):
        period = grid.axes[PERIOD, k]
        if period > 0.0:
            x = out[k]
            for i in range(begin, end):
                x[i] = bring_in(x[i], grid.axes[LOW, k], period, 1.0 / period)

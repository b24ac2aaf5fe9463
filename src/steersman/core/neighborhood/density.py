"""Cells for searches for the k nearest: their width follows from the density of the population, not from a radius.

The number of vehicles and their extent give a first width. Where vehicles cluster, most of them are in crowded cells, so the
width is reduced until a vehicle shares its cell with a few others. Narrow cells make the searches of lone vehicles longer,
since they visit many empty cells. Of the widths tried, the one with the least estimated cost is chosen:

    cost = 3**d * (sum of n**2 over all cells of n vehicles) + (cells that lone vehicles visit)

A search returns the same neighbors for any width.
"""

from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.neighborhood.grid import (
    COUNT,
    EXTENT,
    INVERSE,
    LOW,
    NOWHERE,
    PERIOD,
    REACH,
    Grid,
    bring_in,
    cell_along,
    fold,
    measure,
    one_cell,
)
from steersman.core.typing import Array, Columns

EACH = 2.0
"""The desired average number of vehicles in a cell."""

SAMPLE = 16384
"""The most vehicles that are counted to estimate the costs."""

TRIALS = 12
"""The most widths that are tried."""

FINEST = 2.0**-30
"""Least width of a cell, as a part of the extent: the numbers of cells stay exact."""

GOLDEN = 40503
"""The golden section of 65536: multiples of it are spread evenly."""


@kernel
def lay_out_by_density(grid: Grid, watching: Columns, watched: Columns, wrap: Array, most: int, counts: Array) -> None:
    """Choose the cells for this step such that vehicles share them with a few others.

    Args:
        grid: The grid that takes the cells.
        watching: Positions of the watchers [m], an empty tuple when they are the candidates.
        watched: Positions of the candidates [m].
        wrap: The domain, see `Domain.wrap`.
        most: The largest number of cells (27 are always allowed); 1 for a single cell.
        counts: Scratch, shape (at least `most`,), int32.
    """
    one_cell(grid)
    if most == 1:
        return
    measure(grid, watching, watched)
    d, m = len(watched), watched[0].size
    size = min(m, SAMPLE)
    finest = 1e-30
    for k in range(d):
        if wrap[0, k] > 0.0:
            grid.axes[PERIOD, k] = wrap[0, k] if grid.axes[EXTENT, k] >= wrap[0, k] else 0.0
            grid.axes[EXTENT, k] = min(grid.axes[EXTENT, k], np.float64(wrap[0, k]))
        finest = max(finest, grid.axes[EXTENT, k] * FINEST)
    width = max(even_width(grid.axes[EXTENT], d, size / EACH), finest)
    chosen, least, before, visits, alone_before = width, np.inf, width, 0.0, 0
    for _ in range(TRIALS):
        set_cells(grid, wrap, width, most)
        crowded, alone = tally(grid, watched, size, counts)
        cells = grid.shape[0] * grid.shape[1] * grid.shape[2]
        visits = visits * (before / width) ** d + 8.0 * max(alone - alone_before, 0)
        visits = min(visits, float(alone * cells))
        cost = 3.0**d * crowded + visits
        if cost < least:
            chosen, least = width, cost
        if crowded <= 2.0 * (EACH + 1.0) * size:
            break
        before, alone_before = width, alone
        width = max(width * ((EACH + 1.0) * size / crowded) ** (1.0 / d), finest)
    set_cells(grid, wrap, max(chosen * (size / max(m, 1)) ** (1.0 / d), finest), most)


@kernel
def even_width(extent: Array, d: int, cells: float) -> float:
    """A width [m] that divides an extent [m] into about, and at most, a number of cells."""
    width = 1e-30
    for k in range(d):
        width = max(width, extent[k] / cells)
    total = cells + 1.0
    while total > cells and total > 1.0:
        width *= 1.05
        total = 1.0
        for k in range(d):
            total *= np.floor(extent[k] / width) + 1.0
    return width


@kernel
def set_cells(grid: Grid, wrap: Array, width: float, most: int) -> None:
    """Make cells of about this width [m]. An axis of a torus is folded to a divisor of the number of cells in its period."""
    total = 1.0
    for k in range(wrap.shape[1]):
        period = np.float64(wrap[0, k])
        grid.wraps[k] = 1 if period > 0.0 else 0
        whole = max(np.floor(period / width), 1.0)
        grid.axes[COUNT, k] = whole if period > 0.0 else np.floor(grid.axes[EXTENT, k] / width) + 1.0
        grid.axes[INVERSE, k] = 1.0 / width
        total *= grid.axes[COUNT, k]
    fold(grid, most)
    if total > most and grid.axes[COUNT, 0] == grid.axes[COUNT, 1]:
        grid.axes[COUNT, 1] -= 1.0  # With equal counts, vehicles along a diagonal would be folded into few cells.
    for k in range(wrap.shape[1]):
        count, period = grid.axes[COUNT, k], np.float64(wrap[0, k])
        if period > 0.0:
            grid.axes[INVERSE, k] = count * max(np.rint(np.floor(period / width) / count), 1.0) / period
        grid.shape[k] = np.int64(count)


@kernel
def tally(grid: Grid, position: Columns, size: int, counts: Array) -> tuple[int, int]:
    """Count a sample of vehicles in their cells; return the sum of squares of the counts, and how many vehicles are alone."""
    cells = np.uint64(grid.shape[0] * grid.shape[1] * grid.shape[2])
    counts[:cells] = 0
    m = position[0].size
    step = m // max(size, 1)
    for i in range(size):
        c = cell_of(grid, position, np.uint64(i * step + ((i * GOLDEN) & 65535) * step // 65536))
        if c >= 0:
            counts[np.uint64(c)] += 1
    crowded: Any = 0
    alone: Any = 0
    for c in range(cells):
        here = np.int64(counts[np.uint64(c)])
        crowded += here * here
        alone += here == 1
    return crowded, alone


@kernel
def cell_of(grid: Grid, position: Columns, i: Any) -> Any:
    """The cell of row i, negative where its position is not finite."""
    stride: Any = 1
    cell: Any = 0
    for k in range(len(position)):
        x, low, period = position[k][i], grid.axes[LOW, k], grid.axes[PERIOD, k]
        along = bring_in(x, low, period, 1.0 / period if period > 0.0 else 0.0) - low
        along = cell_along(along, grid.axes[INVERSE, k], grid.axes[COUNT, k])
        cell += np.int64(along) * stride if abs(x) <= REACH else np.int64(NOWHERE)
        stride *= grid.shape[k]
    return cell

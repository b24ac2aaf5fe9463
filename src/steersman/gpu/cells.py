"""Cells on the device: vehicles in the order of their cells, and in a cell in the order of their rows.

Threads take places in a cell by atomic additions of whole numbers, so the places depend on chance at first. Then each vehicle
counts the rows of its cell that come before its own, and moves to that place. So the order is stable, like that of the core's
grid, and sums over neighbors have one order.

Cells are narrower along the first axis, where the cells of a line follow each other in memory: fewer candidates are too far
away. A space that does not wrap is folded, as in the core: cells that agree modulo the number of cells are one, and only the
distance tells their vehicles apart. So no thread needs to know how far the vehicles are scattered.
"""

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numba import int32

from steersman.core.neighborhood import grid as host
from steersman.core.neighborhood.grid import MARGIN, REACH
from steersman.core.typing import Array, Columns
from steersman.gpu.compiling import device_function, entry, helper
from steersman.gpu.device import Launch, cuda, zeros
from steersman.gpu.fours import load4, store4

NARROW: Final = 4
"""Cells along the first axis in the width of a radius."""

CHUNK: Final = 1024
"""Cells whose counts one block of threads adds up."""

BLOCK: Final = 256

NONE = np.float32(0)

bring_in, cell_along = device_function(host.bring_in), device_function(host.cell_along)


class Axes(NamedTuple):
    """The cells, for each axis.

    Attributes:
        low, inverse, period, frequency: Lowest coordinate [m], inverse width of a cell [1/m], period to bring positions into
            [m] and its inverse; 0 for none; float64.
        number, stride, reach: The number of cells, the step from one to the next, and how many cells to both sides may hold
            neighbors; int32.
        shift: The way that candidates move across the end [m]; float32.
        images: Whether differences need the minimum image everywhere.
    """

    low: tuple[Any, ...]
    inverse: tuple[Any, ...]
    period: tuple[Any, ...]
    frequency: tuple[Any, ...]
    number: tuple[Any, ...]
    stride: tuple[Any, ...]
    reach: tuple[Any, ...]
    shift: tuple[Any, ...]
    images: Any


def lay_out(position: Array, wrap: Array, origin: Array, radius: float) -> Axes:
    """The cells for a radius [m]: of vehicles at these positions, shape (d, n), in a space (see `Domain.wrap`)."""
    d, n = position.shape
    low: list[float] = []
    inverse: list[float] = []
    count: list[int] = []
    reach: list[int] = []
    finite = np.abs(position) <= REACH
    most = max(27.0, 2.0 * n * NARROW)
    extent = [float(np.ptp(row[inside])) if inside.any() else 0.0 for row, inside in zip(position, finite, strict=True)]
    fewest = 1.0
    while True:  # Fewer cells on the axes of a scattered population, until there are not too many in all.
        low, inverse, count, reach = [], [], [], []
        for k in range(d):
            cells, width, near = _axis(float(wrap[0, k]), extent[k] / fewest, radius, NARROW if k == 0 else 1)
            low.append(float(origin[k]))
            inverse.append(1 / width)
            count.append(cells)
            reach.append(near)
        if math.prod(count) <= most or fewest > 1e30 or all(c <= 2 * r + 1 for c, r in zip(count, reach, strict=True)):
            break
        fewest *= 1.3
    period = [float(each) for each in wrap[0]]
    stride = [1, count[0], count[0] * count[1]][:d]
    return Axes(
        tuple(low),
        tuple(inverse),
        tuple(period),
        tuple(1 / each if each > 0 else 0.0 for each in period),
        tuple(np.int32(each) for each in count),
        tuple(np.int32(each) for each in stride),
        tuple(np.int32(each) for each in reach),
        tuple(np.float32(each) for each in period),
        np.int32(any(near == 0 and each > 0 for near, each in zip(reach, period, strict=True))),
    )


def _axis(period: float, extent: float, radius: float, narrow: int) -> tuple[int, float, int]:
    """The number of cells of an axis, their width [m], and how many to both sides may hold neighbors.

    On a torus the cells fill the period; a single one, where fewer than three would. Elsewhere they are folded.
    """
    for parts in (narrow, 1):
        width, fewest = radius * MARGIN / parts, 2 * parts + 1
        if period > 0:
            cells = math.floor(period / width)
            if cells >= fewest:
                return cells, period / cells, parts
        else:
            return max(fewest, min(math.ceil(extent / width) + 2 * parts, 1 << 20)), width, parts
    return 1, period, 0


class Cells:
    """The cells of one population, and the launches that sort it.

    Args:
        axes: The cells.
        position, forward: Columns of the device; an empty tuple where forward vectors are not needed.
        carried: Other columns that neighbors read.
        n: The number of vehicles.

    Attributes:
        start: Where each cell begins.
        row, cell: The row of the vehicle at each place, and its cell.
        spots, heads, loads: Positions, forward vectors and other vectors, in the order of the cells, shape (n, 4).
    """

    def __init__(self, axes: Axes, position: Columns, forward: Columns, carried: Columns, n: int) -> None:
        self.axes, self.n = axes, n
        cells = math.prod(int(each) for each in axes.number)
        nowhere = np.int32(cells)  # A last cell takes the vehicles without a finite position.
        chunks = -(-(cells + 1) // CHUNK)
        own, rank, some = (zeros(n, np.int32) for _ in range(3))
        self.row, self.cell = zeros(n, np.int32), zeros(n, np.int32)
        count, sums = zeros(cells + 1, np.int32), zeros(chunks, np.int32)
        self.start = zeros(cells + 2, np.int32)
        self.spots, spots = zeros((n, 4), np.float32), zeros((n, 4), np.float32)
        self.heads, heads = (zeros((n, 4), np.float32), zeros((n, 4), np.float32)) if forward else (self.spots, spots)
        self.loads, loads = (zeros((n, 4), np.float32), zeros((n, 4), np.float32)) if carried else (self.heads, heads)
        here, there = (self.spots, self.heads, self.loads), (spots, heads, loads)
        sources = (position, forward, carried)
        self.launches = [
            Launch("sort", count_rows, n, BLOCK, (n, position, axes, nowhere, own, rank, count)),
            Launch("sort", sum_chunks, chunks * 256, 256, (cells + 1, count, sums)),
            Launch("sort", scan_chunks, 1024, 1024, (chunks, sums)),
            Launch("sort", begin_cells, chunks * 256, 256, (cells + 1, count, sums, self.start)),
            Launch("sort", place_rows, n, BLOCK, (n, own, rank, self.start, axes, *sources, some, there)),
            Launch(
                "sort",
                order_rows,
                n,
                BLOCK,
                (n, own, self.start, some, forward, carried, there, self.row, self.cell, here),
            ),
        ]


@helper
def brought_in(position: Columns, i: int, k: int, axes: Axes) -> Any:
    """A coordinate [m] within the first period."""
    return bring_in(position[k][i], axes.low[k], axes.period[k], axes.frequency[k])


@helper
def cell_on(position: Columns, i: int, k: int, axes: Axes) -> Any:
    """The number of cells before that of row i on an axis, times the step from one to the next."""
    there = brought_in(position, i, k, axes) - axes.low[k]
    return np.int32(cell_along(there, axes.inverse[k], np.float64(axes.number[k]))) * axes.stride[k]


@helper
def cell_of(position: Columns, i: int, axes: Axes, nowhere: Any) -> Any:
    """The cell of row i."""
    if not (abs(position[0][i]) <= REACH and abs(position[1][i]) <= REACH):
        return nowhere
    cell = cell_on(position, i, 0, axes) + cell_on(position, i, 1, axes)
    if len(position) == 3:
        if not abs(position[2][i]) <= REACH:
            return nowhere
        cell += cell_on(position, i, 2, axes)
    return cell


@entry
def count_rows(n: int, position: Columns, axes: Axes, nowhere: Any, cell: Array, rank: Array, count: Array) -> None:
    """Find the cell of each row, and take a place in it, in an order of chance."""
    i = cuda.grid(1)
    if i < n:
        c = cell_of(position, i, axes, nowhere)
        cell[i] = c
        rank[i] = cuda.atomic.add(count, c, np.int32(1))


@helper
def scan(shared: Array, t: int, size: int) -> None:
    """Replace the numbers of a block of threads by their sums up to and with each."""
    step = 1
    while step < size:
        before = shared[t - step] if t >= step else np.int32(0)
        cuda.syncthreads()
        shared[t] += before
        cuda.syncthreads()
        step *= 2


@entry
def sum_chunks(cells: int, count: Array, sums: Array) -> None:
    """The sum of each chunk of counts, by 256 threads."""
    shared = cuda.shared.array(256, int32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    total = np.int32(0)
    for c in range(b * 1024 + t * 4, min(cells, b * 1024 + t * 4 + 4)):
        total += count[c]
    shared[t] = total
    cuda.syncthreads()
    scan(shared, t, 256)
    if t == 255:
        sums[b] = shared[t]


@entry
def scan_chunks(chunks: int, sums: Array) -> None:
    """Replace the sum of each chunk by the sum of those before it, in one block of 1,024 threads."""
    shared = cuda.shared.array(1024, int32)
    t = cuda.threadIdx.x
    share = (chunks + 1023) // 1024
    total = np.int32(0)
    for k in range(t * share, min(chunks, (t + 1) * share)):
        total += sums[k]
    shared[t] = total
    cuda.syncthreads()
    scan(shared, t, 1024)
    before = shared[t] - total
    for k in range(t * share, min(chunks, (t + 1) * share)):
        own = sums[k]
        sums[k] = before
        before += own


@entry
def begin_cells(cells: int, count: Array, sums: Array, start: Array) -> None:
    """Write where each cell begins, and clear the counts for the next step."""
    shared = cuda.shared.array(256, int32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    first, end = b * 1024 + t * 4, min(cells, b * 1024 + t * 4 + 4)
    total = np.int32(0)
    for c in range(first, end):
        total += count[c]
    shared[t] = total
    cuda.syncthreads()
    scan(shared, t, 256)
    before = sums[b] + shared[t] - total
    for c in range(first, end):
        start[c] = before
        before += count[c]
        count[c] = 0
        if c == cells - 1:
            start[cells] = before


@helper
def as_four(columns: Columns, i: int) -> Any:
    """Row i of two or three columns, as four numbers."""
    if len(columns) == 2:
        return (columns[0][i], columns[1][i], NONE, NONE)
    return (columns[0][i], columns[1][i], columns[2][i], NONE)


@helper
def spot_of(position: Columns, i: int, axes: Axes) -> Any:
    """The position of row i [m], within the first period, as four numbers."""
    x, y = np.float32(brought_in(position, i, 0, axes)), np.float32(brought_in(position, i, 1, axes))
    if len(position) == 2:
        return (x, y, NONE, NONE)
    return (x, y, np.float32(brought_in(position, i, 2, axes)), NONE)


@entry
def place_rows(
    n: int,
    cell: Array,
    rank: Array,
    start: Array,
    axes: Axes,
    position: Columns,
    forward: Columns,
    carried: Columns,
    some: Array,
    there: Any,
) -> None:
    """Write rows, and what neighbors read of them, to the places that they have taken."""
    i = cuda.grid(1)
    if i < n:
        p = start[cell[i]] + rank[i]
        some[p] = i
        store4(there[0], p, spot_of(position, i, axes))
        if len(forward) > 0:
            store4(there[1], p, as_four(forward, i))
        if len(carried) > 0:
            store4(there[2], p, as_four(carried, i))


@entry
def order_rows(
    n: int,
    cell: Array,
    start: Array,
    some: Array,
    forward: Columns,
    carried: Columns,
    there: Any,
    row: Array,
    cells: Array,
    here: Any,
) -> None:
    """Bring the rows of each cell into their order."""
    k = cuda.grid(1)
    if k < n:
        i = some[k]
        c = cell[i]
        p = start[c]
        for j in range(start[c], start[c + 1]):
            if some[j] < i:
                p += 1
        row[p] = i
        cells[p] = c
        store4(here[0], p, load4(there[0], k))
        if len(forward) > 0:
            store4(here[1], p, load4(there[1], k))
        if len(carried) > 0:
            store4(here[2], p, load4(there[2], k))

"""The k nearest: cells are searched ring by ring, until no cell further out can hold a nearer vehicle within the radius.

The order is by distance, then by row, so the result does not depend on the cells. Pushes of bodies of length are summed here,
too, over all within the radius. Begin at `search_all`, and then `search`.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, add, difference, dot, load, scale
from steersman.core.neighborhood.bodies import body_offset
from steersman.core.neighborhood.coincident import Arranged, direction, facing_of, noticed, push_of
from steersman.core.neighborhood.grid import INVERSE, LOW, PERIOD, Grid, find_runs
from steersman.core.neighborhood.request import Listing
from steersman.core.neighborhood.slots import Slot
from steersman.core.neighborhood.sums import Watchers, nothing, own_numbers, put, slot_of
from steersman.core.typing import Array, Columns, Vector

SHARE = 64
"""The number of watchers, one after the other, that one worker treats before the next worker's turn."""

CAUTION = 1 - 1e-6
"""Cells count as narrower by this factor, so that rounding cannot end a search too early."""

MANY = 32
"""The number of pieces of memory that are searched before all candidates are searched instead (see `search`)."""

FAR = 1e18
"""A distance [m] that is greater than any radius."""


class Best(NamedTuple):
    """The nearest so far, the nearest first; every worker has its own.

    Attributes:
        d2: Their squared distances [m^2], shape (k,), in the vehicles' dtype.
        row: Their rows, which decide between equal distances, shape (k,), int64.
        place: Their places in the sorted population, shape (k,), int64.
    """

    d2: Array
    row: Array
    place: Array


class Searched(NamedTuple):
    """What is searched, and for what.

    Attributes:
        cells: The cells, and the vehicles in them.
        wrap: The domain, see `Domain.wrap`.
        slot: The numbers of the request, shape (1, NUMBERS).
    """

    cells: Arranged
    wrap: Array
    slot: Array


class Terms(NamedTuple):
    """The terms of a sum.

    Attributes:
        form: For repulsion its form, see `sums.weight`; empty for other sums.
        payload: The vectors of the neighbors in the order of the cells, if these are to be summed; else empty.
        axes: Empty, or for pushes of bodies of length the columns of both populations and `Bodies`.
    """

    form: tuple[Any, ...]
    payload: Columns
    axes: tuple[Any, ...]


@kernel
def search_all(
    worker: int, workers: int, where: Searched, ahead: Columns, best: Any, runs: tuple[Any, ...], terms: Any,
    block: Any, listing: tuple[Any, ...], row_flags: Array, own: tuple[Any, ...],
) -> None:  # fmt: skip
    """Search for all watchers in this worker's share: sum over what is found, or list it.

    Args:
        worker, workers: The number of this worker, and of all workers.
        where: The cells, the vehicles in them, and the request.
        ahead: The forward vectors of the watchers; empty when every field of view is full.
        best: Scratch of this worker, a `Best`, for the k nearest; empty for bodies of length.
        runs: A tuple with scratch of this worker, shape (27, 2), for bodies of length, of which all within the radius count;
            empty for the k nearest.
        terms: The `Terms` of the sum; empty for a list.
        block: The array that takes the sum, shape (1, n, 4); empty for a list.
        listing: A tuple with the `Listing` to write; empty for a sum.
        row_flags: The flags of the rows that ask, uint8; empty if all do. The answers of other rows stay unchanged.
        own: Empty, or the numbers in which watchers differ (see `own_numbers`).
    """
    grid, watchers = where.cells.grid, where.cells.watchers
    for c in range(grid.shape[0] * grid.shape[1] * grid.shape[2] + 1):
        if len(runs) > 0:
            count = find_runs(c, grid.shape, grid.wraps, where.cells.candidates.start, runs[0])
        for i in range(watchers.start[c], watchers.start[c + 1]):
            if not is_due(i, worker, workers, watchers, row_flags):
                continue
            row = watchers.row[i]
            if len(own) > 0:
                numbers = own_numbers(where.slot, 0, own, i, row, 0)
            else:
                numbers = slot_of(where.slot, 0)
            if len(listing) > 0:
                write_list(listing[0], row, search(i, c, where, ahead, numbers, best), best)
            else:
                if len(runs) > 0:
                    total, number = sum_bodies(i, where, ahead, numbers, runs[0], count, terms)
                else:
                    hits = search(i, c, where, ahead, numbers, best)
                    total, number = sum_nearest(i, hits, where, numbers, best, terms)
                put(block, 0, row, 0, total, number)


@kernel
def write_list(listing: Listing, row: int, hits: int, best: Best) -> None:
    """Write the nearest that were found to the list of a row."""
    for k in range(listing.row.shape[1]):
        listing.row[row, k] = best.row[k] if k < hits else -1
    listing.number[row] = hits


@kernel
def sum_nearest(i: int, hits: int, where: Searched, numbers: Slot, best: Best, terms: Terms) -> tuple[Vector, Any]:
    """The sum of watcher i over the nearest that were found, and their number."""
    total, number = nothing(where.cells.candidates.position), ZERO
    for k in range(hits):
        total = add(total, share_of(i, k, where, numbers, best, terms.form, terms.payload, terms.axes))
        number += ONE
    return total, number


@kernel
def sum_bodies(
    i: int, where: Searched, ahead: Columns, numbers: Slot, runs: Array, count: int, terms: Terms
) -> tuple[Vector, Any]:
    """The sum of pushes of bodies of length on watcher i, and their number: of all within the radius, by distances of axes.

    Args:
        i: The watcher.
        where, ahead: See `search_all`.
        numbers: The numbers of the request for this watcher.
        runs, count: The candidates in its cell and the cells around, see `find_runs`.
        terms: The terms of the sum.
    """
    candidates, names, axes = where.cells.candidates, where.cells.names, terms.axes
    total, number = nothing(candidates.position), ZERO
    here, row = load(where.cells.watchers.position, i), where.cells.watchers.row[i]
    for k in range(count):
        for j in range(runs[k, 0], runs[k, 1]):
            if names.same and candidates.row[j] == row + names.first:
                continue
            middle = difference(load(candidates.position, j), here, where.wrap)
            to = body_offset(middle, row, candidates.row[j], axes[0], axes[1], axes[2])
            d2 = dot(to, to)
            if d2 <= numbers.radius2 and noticed(d2, facing_of(to, i, ahead), numbers, ahead) != ZERO:
                total = add(total, push_of_body(middle, i, j, where, numbers, terms.form, axes))
                number += ONE
    return total, number


@kernel
def is_due(i: int, worker: int, workers: int, watchers: Watchers, row_flags: Array) -> bool:
    """Whether a watcher is in the share of a worker, and its row asks."""
    if (i // SHARE) % workers != worker:
        return False
    return row_flags.size == 0 or bool(row_flags[watchers.row[i]] != 0)


@kernel
def place_of(c: int, grid: Grid) -> tuple[int, int, int]:
    """The coordinates of cell c."""
    nx, ny = grid.shape[0], grid.shape[1]
    return c % nx, (c // nx) % ny, c // (nx * ny)


@kernel
def share_of(
    i: int, k: int, where: Searched, numbers: Slot, best: Best, form: tuple[Any, ...], payload: Columns,
    axes: tuple[Any, ...],
) -> Vector:  # fmt: skip
    """The contribution of the k-th nearest to the sum of watcher i."""
    candidates, names, j = where.cells.candidates, where.cells.names, best.place[k]
    if len(payload) > 0:
        return load(payload, j)
    to = difference(load(candidates.position, j), load(where.cells.watchers.position, i), where.wrap)
    if len(form) > 0 and len(axes) > 0:
        return push_of_body(to, i, j, where, numbers, form, axes)
    if len(form) > 0:
        own, other = names.own[where.cells.watchers.row[i]], names.other[candidates.row[j]]
        apart = direction(own, other, names.tie, candidates.position)
        return push_of(to, best.d2[k], apart, numbers, form)
    return to


@kernel
def push_of_body(
    to: Vector, i: int, j: int, where: Searched, numbers: Slot, form: tuple[Any, ...], axes: tuple[Any, ...]
) -> Vector:
    """The push of candidate j on watcher i; `to` is the offset of their middles [m]. Zero beyond the radius."""
    names, row, other = where.cells.names, where.cells.watchers.row[i], where.cells.candidates.row[j]
    to = body_offset(to, row, other, axes[0], axes[1], axes[2])
    d2 = dot(to, to)
    if d2 > numbers.radius2:
        return scale(to, ZERO)
    apart = direction(names.own[row], names.other[other], names.tie, where.cells.candidates.position)
    return push_of(to, d2, apart, numbers, form)


@kernel
def search(i: int, c: int, where: Searched, ahead: Columns, slot: Slot, best: Best) -> int:
    """Find the nearest candidates that watcher i, in cell c, sees; return how many were found.

    Vehicles without a finite position are in a cell after all others, and find none. Where most cells are empty, all
    candidates are searched instead of cells. Arrays are taken out of their tuples once, at the beginning, because in the
    loops that would cost more than the search.
    """
    wrap, (grid, candidates, watchers, names) = where.wrap, where.cells
    if c >= grid.shape[0] * grid.shape[1] * grid.shape[2]:
        return 0
    cell = place_of(c, grid)
    hits, farthest = 0, slot.radius2
    position, row, start = candidates.position, candidates.row, candidates.start
    d2s, rows, places = best.d2, best.row, best.place
    here = load(watchers.position, i)
    facing = load(ahead, i) if len(ahead) > 0 else here
    own = watchers.row[i] + names.first if names.same else -1
    nx, ny, nz = grid.shape[0], grid.shape[1], grid.shape[2]
    on_x, on_y = axis_at(grid, 0, cell[0], here[0]), axis_at(grid, 1, cell[1], here[1])
    on_z = axis_at(grid, 2, cell[2], here[len(here) - 1])
    ring, pieces, gap = 0, 0, 0.0
    while gap * gap <= farthest:
        if pieces > MANY + position[0].size // 16:  # Most cells are empty: it is faster to search all candidates.
            total = start[nx * ny * nz]
            hits, _ = search_cells(
                0, total, here, own, facing, position, row, ahead, wrap, slot, d2s, rows, places, 0, farthest
            )
            return hits
        for dz in range(max(-ring, on_z.low), min(ring, on_z.high) + 1):
            gap_z, layer = gap_to(on_z, dz), step_to(cell[2], dz, nz) * ny
            for dy in range(max(-ring, on_y.low), min(ring, on_y.high) + 1):
                gap_y = gap_to(on_y, dy)
                if gap_y * gap_y + gap_z * gap_z > farthest:
                    continue
                line = (layer + step_to(cell[1], dy, ny)) * nx
                # All from -ring to +ring along the first axis, or these two alone; cells in a row are one piece of memory.
                whole = max(abs(dy), abs(dz)) == ring
                dx = max(-ring, on_x.low) if whole else -ring if -ring >= on_x.low else ring
                last = min(ring, on_x.high)
                while dx <= last:
                    x = step_to(cell[0], dx, nx)
                    size = min(last - dx + 1, nx - x) if whole else 1
                    begin, end = start[np.uint64(line + x)], start[np.uint64(line + x + size)]
                    hits, farthest = search_cells(
                        begin,
                        end,
                        here,
                        own,
                        facing,
                        position,
                        row,
                        ahead,
                        wrap,
                        slot,
                        d2s,
                        rows,
                        places,
                        hits,
                        farthest,
                    )
                    dx += size if whole else 2 * ring
                    pieces += 1
        ring += 1
        gap = min(gap_beyond(on_x, ring), gap_beyond(on_y, ring), gap_beyond(on_z, ring))
    return hits


class Axis(NamedTuple):
    """One axis of the grid, relative to a watcher. Lengths are reduced by the largest rounding error.

    Attributes:
        low, high: The first and the last step to another cell: the steps between them lead to each cell once.
        opposite: The step to the cell that is as far away in the other direction, where the axis wraps; 0 for none.
        before, after: Distances to the lower and the upper border of its own cell [m].
        width: Width of a cell [m].
    """

    low: int
    high: int
    opposite: int
    before: float
    after: float
    width: float


@kernel
def axis_at(grid: Grid, k: int, place: int, x: Any) -> Axis:
    """Axis k relative to the coordinate x [m], which is in the cell `place`."""
    count, inverse, period = grid.shape[k], grid.axes[INVERSE, k], grid.axes[PERIOD, k]
    width = 1.0 / max(inverse, 1e-18)
    along = (np.float64(x) - grid.axes[LOW, k]) * inverse - place
    along -= count * np.rint((along - 0.5) / count)
    inside = min(max(along, 0.0), 1.0) * width
    rounded = 4.0 * np.finfo(grid.shift.dtype).eps * (abs(np.float64(x)) + period) if period > 0.0 else 0.0
    before, after = inside * CAUTION - rounded, (width - inside) * CAUTION - rounded
    low, high, opposite = -place, count - 1 - place, 0
    if grid.wraps[k] != 0:
        low, high = -((count - 1) // 2), count // 2
        opposite = high if low + high > 0 else 0
    return Axis(low, high, opposite, before, after, width * CAUTION)


@kernel
def gap_to(axis: Axis, step: int) -> float:
    """The least distance [m] along an axis to the cells that are `step` steps away."""
    if step == 0:
        return 0.0
    gap = axis.after if step > 0 else axis.before
    if step == axis.opposite:
        gap = min(axis.before, axis.after)
    return max(gap + axis.width * (abs(step) - 1), 0.0)


@kernel
def gap_beyond(axis: Axis, ring: int) -> float:
    """The least distance [m] along an axis to the cells of a ring and beyond; FAR where there are none."""
    gap = FAR
    if ring <= axis.high:
        gap = min(gap, gap_to(axis, ring))
    if -ring >= axis.low:
        gap = min(gap, gap_to(axis, -ring))
    return gap


@kernel
def step_to(place: int, step: int, count: int) -> int:
    """The coordinate of the cell `step` steps away on an axis of `count` cells, across its ends."""
    there = place + step
    if there < 0:
        return there + count
    return there if there < count else there - count


@kernel
def search_cells(
    begin: Any, end: Any, here: Vector, own: int, front: Vector, position: Columns, row: Array, ahead: Columns,
    wrap: Array, slot: Slot, d2s: Array, rows: Array, places: Array, held: int, farthest: Any,
) -> tuple[int, Any]:  # fmt: skip
    """Go through contiguous cells; return how many were found so far, and the squared distance up to which others count.

    Args:
        begin, end: The candidates in the cells, begin <= j < end.
        here, own, front: Position [m] of the watcher, its row among the candidates (-1 if it is none of them), and its
            forward vector.
        position, row: Positions and rows of the candidates, in the order of the cells.
        ahead: Empty when every field of view is full.
        wrap: The domain, see `Domain.wrap`.
        slot: The numbers of the request.
        d2s, rows, places: The nearest so far, see `Best`.
        held: The number of these.
        farthest: Squared distance up to which others count [m^2].
    """
    for j in range(np.uint64(begin), np.uint64(end)):  # Unsigned: no test for a negative index.
        to = difference(load(position, j), here, wrap)
        d2 = dot(to, to)
        if d2 > farthest or row[j] == own:
            continue
        along = dot(to, front)
        if noticed(d2, along * abs(along), slot, ahead) != ZERO:
            held = insert(d2s, rows, places, held, d2, row[j], j)
            if held == d2s.size:
                farthest = d2s[held - 1]
    return held, farthest


@kernel
def insert(d2s: Array, rows: Array, places: Array, held: int, d2: Any, row: int, place: Any) -> int:
    """Insert a candidate among the nearest so far, if it belongs there; return the new number of these."""
    size = d2s.size
    k = held
    while k > 0 and (d2 < d2s[k - 1] or (d2 == d2s[k - 1] and row < rows[k - 1])):
        if k < size:
            d2s[k], rows[k], places[k] = d2s[k - 1], rows[k - 1], places[k - 1]
        k -= 1
    if k < size:
        d2s[k], rows[k], places[k] = d2, row, place
    return min(held + 1, size)

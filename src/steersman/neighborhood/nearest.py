"""The k nearest: cells are searched ring by ring, until no cell further out can hold anybody nearer."""

from typing import Any, NamedTuple

import numpy as np

from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import ONE, ZERO, Array, Columns, Vector, add, difference, dot, load
from steersman.neighborhood.coincident import Names, direction, noticed, push_of
from steersman.neighborhood.gather import Candidates
from steersman.neighborhood.grid import INVERSE, Grid
from steersman.neighborhood.request import Listing
from steersman.neighborhood.slots import RADIUS2
from steersman.neighborhood.sums import Watchers, nothing, put

SHARE = 64
"""Watchers are dealt out to workers in shares of so many."""

CAUTION = np.float32(1 - 1e-6)
"""Cells count as narrower by this factor, so that rounding cannot end a search too early."""


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


@kernel
def sum_nearest(
    worker: int,
    workers: int,
    grid: Grid,
    candidates: Candidates,
    watchers: Watchers,
    names: Names,
    ahead: Columns,
    wrap: Array,
    slot: Array,
    form: tuple[Any, ...],
    payload: Columns,
    rings: int,
    best: Best,
    block: Array,
    asked: tuple[Any, ...],
) -> None:
    """Compute this worker's share of a sum over the k nearest.

    Args:
        worker, workers: Which of how many.
        grid, candidates, watchers, names, ahead: The cells, and who is in them.
        wrap: The domain, see `Domain.wrap`.
        slot: The numbers of the request.
        form: For repulsion its form, see `sums.weight`; empty for other sums.
        payload: What the neighbors carry in the order of the cells, if that is to be summed; else empty.
        rings: How many rings of cells there are to search at most.
        best: Scratch of this worker.
        block: Where the sum is written, shape (1, n, 4).
        asked: Empty, or the flags of those whose sums are wanted, by row. Those of others stay as they are.
    """
    cells = grid.shape[0] * grid.shape[1] * grid.shape[2]
    none = nothing(candidates.position)
    for c in range(cells + 1):
        for i in range(watchers.start[c], watchers.start[c + 1]):
            if (i // SHARE) % workers != worker:
                continue
            if len(asked) > 0:  # noqa: SIM102 (what is empty has no first to ask)
                if asked[0][watchers.row[i]] == 0:
                    continue
            found = 0
            if c < cells:
                place = place_of(c, grid)
                found = search(i, place, grid, candidates, watchers, names, ahead, wrap, slot, rings, best)
            total = none
            count = ZERO
            for k in range(found):
                total = add(total, share_of(i, k, candidates, watchers, names, wrap, slot, form, payload, best))
                count += ONE
            put(block, 0, watchers.row[i], 0, total, count)


@kernel
def list_nearest(
    worker: int,
    workers: int,
    grid: Grid,
    candidates: Candidates,
    watchers: Watchers,
    names: Names,
    ahead: Columns,
    wrap: Array,
    slot: Array,
    rings: int,
    best: Best,
    listing: Listing,
    asked: tuple[Any, ...],
) -> None:
    """Write this worker's share of a list of the k nearest; for the arguments see `sum_nearest`."""
    cells = grid.shape[0] * grid.shape[1] * grid.shape[2]
    for c in range(cells + 1):
        for i in range(watchers.start[c], watchers.start[c + 1]):
            if (i // SHARE) % workers != worker:
                continue
            if len(asked) > 0:  # noqa: SIM102 (what is empty has no first to ask)
                if asked[0][watchers.row[i]] == 0:
                    continue
            found = 0
            if c < cells:
                place = place_of(c, grid)
                found = search(i, place, grid, candidates, watchers, names, ahead, wrap, slot, rings, best)
            row = watchers.row[i]
            for k in range(listing.row.shape[1]):
                listing.row[row, k] = best.row[k] if k < found else -1
            listing.number[row] = found


@kernel
def place_of(c: int, grid: Grid) -> tuple[int, int, int]:
    """The coordinates of a cell."""
    nx, ny = grid.shape[0], grid.shape[1]
    return c % nx, (c // nx) % ny, c // (nx * ny)


@kernel
def share_of(
    i: int,
    k: int,
    candidates: Candidates,
    watchers: Watchers,
    names: Names,
    wrap: Array,
    slot: Array,
    form: tuple[Any, ...],
    payload: Columns,
    best: Best,
) -> Vector:
    """What the k-th of the nearest adds to the sum of watcher i."""
    j = best.place[k]
    if len(payload) > 0:
        return load(payload, j)
    to = difference(load(candidates.position, j), load(watchers.position, i), wrap)
    if len(form) > 0:
        apart = direction(names.own[watchers.row[i]], names.other[candidates.row[j]], names.tie, candidates.position)
        return push_of(to, best.d2[k], apart, slot, form)
    return to


@kernel
def search(
    i: int,
    cell: tuple[int, int, int],
    grid: Grid,
    candidates: Candidates,
    watchers: Watchers,
    names: Names,
    ahead: Columns,
    wrap: Array,
    slot: Array,
    rings: int,
    best: Best,
) -> int:
    """Find the nearest that watcher i sees; returns how many were found.

    Arrays are taken out of their tuples once, here: in the loops it would cost more than the search.
    """
    found = 0
    position, row, start = candidates.position, candidates.row, candidates.start
    d2s, rows, places = best.d2, best.row, best.place
    here = load(watchers.position, i)
    facing = load(ahead, i) if len(ahead) > 0 else here
    own = watchers.row[i] if names.same else -1
    shape = grid.shape
    inverse = grid.axes[INVERSE, 0]
    for k in range(1, len(position)):
        inverse = max(inverse, grid.axes[INVERSE, k])
    for ring in range(min(rings, max(shape[0], shape[1], shape[2])) + 1):
        if ring > 1 and found == d2s.size:
            width = d2s.dtype.type(ring - 1) * CAUTION / d2s.dtype.type(inverse)
            if d2s[found - 1] < width * width:
                break
        for dz in range(-ring, ring + 1):
            z = cell_at(grid, 2, cell[2], dz)
            for dy in range(-ring, ring + 1):
                y = cell_at(grid, 1, cell[1], dy)
                if y < 0 or z < 0:
                    continue
                inside = max(abs(dy), abs(dz)) < ring
                for dx in range(-ring, ring + 1, 2 * ring if inside else 1):
                    x = cell_at(grid, 0, cell[0], dx)
                    if x >= 0:
                        c = np.uint64((z * shape[1] + y) * shape[0] + x)
                        begin, end = start[c], start[c + np.uint64(1)]
                        found = search_cell(
                            begin, end, here, own, facing, position, row, ahead, wrap, slot, d2s, rows, places, found
                        )
    return found


@kernel
def cell_at(grid: Grid, k: int, place: int, step: int) -> int:
    """The coordinate on axis k of a cell so many steps away, -1 where there is none or it is reached the other way round."""
    count = grid.shape[k]
    if grid.wraps[k] == 0:
        return place + step if 0 <= place + step < count else -1
    return (place + step) % count if 1 - count <= 2 * step <= count else -1


@kernel
def search_cell(
    begin: Any,
    end: Any,
    here: Vector,
    own: int,
    front: Vector,
    position: Columns,
    row: Array,
    ahead: Columns,
    wrap: Array,
    slot: Array,
    d2s: Array,
    rows: Array,
    places: Array,
    found: int,
) -> int:
    """Go through one cell; returns how many were found so far.

    Args:
        begin, end: Who is in the cell, begin <= j < end.
        here, own, front: Position [m] of the watcher, its row among those who are looked at (-1 if it is none of them),
            and its forward vector.
        position, row: Those who are looked at, in the order of the cells.
        ahead: Empty when everybody sees all around.
        wrap: The domain, see `Domain.wrap`.
        slot: The numbers of the request.
        d2s, rows, places: The nearest so far, see `Best`.
        found: How many they are.
    """
    for j in range(np.uint64(begin), np.uint64(end)):  # Unsigned: no test for a negative index.
        to = difference(load(position, j), here, wrap)
        d2 = dot(to, to)
        if d2 > slot[RADIUS2] or (found == d2s.size and d2 > d2s[found - 1]) or row[j] == own:
            continue
        along = dot(to, front)
        if noticed(d2, along * abs(along), slot, ahead) != ZERO:
            found = insert(d2s, rows, places, found, d2, row[j], j)
    return found


@kernel
def insert(d2s: Array, rows: Array, places: Array, found: int, d2: Any, row: int, place: Any) -> int:
    """Put one in among the nearest so far, if it belongs there; returns how many they are now."""
    size = d2s.size
    k = found
    while k > 0 and (d2 < d2s[k - 1] or (d2 == d2s[k - 1] and row < rows[k - 1])):
        if k < size:
            d2s[k], rows[k], places[k] = d2s[k - 1], rows[k - 1], places[k - 1]
        k -= 1
    if k < size:
        d2s[k], rows[k], places[k] = d2, row, place
    return min(found + 1, size)

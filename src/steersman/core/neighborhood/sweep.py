"""The pass over all neighbors: candidates are gathered once for a row of cells, for all sums of all its watchers."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ZERO
from steersman.core.neighborhood.coincident import Names, add_coincident
from steersman.core.neighborhood.gather import LANES, SHARE, Buffer, Candidates, gather
from steersman.core.neighborhood.grid import Grid
from steersman.core.neighborhood.sums import Watchers, sum_cell
from steersman.core.typing import Array, Columns


@kernel
def share_size(n: int, workers: int) -> int:
    """How many watchers are dealt out at a time: few enough that a clustered flock is shared evenly."""
    return max(16, min(SHARE, n // (8 * workers)))


class SweepLimits(NamedTuple):
    """What the sweep leaves to others.

    Attributes:
        tiny2: Squared distance up to which the innermost loop leaves out [m^2].
        crowd: Sum of HIDDEN from which on that was somebody else than the watcher itself.
    """

    tiny2: Any
    crowd: Any


@kernel
def next_share(i: int, end: int, share: int, worker: int, workers: int) -> int:
    """The first place from i on that is this worker's, `end` if there is none before."""
    ahead = (worker - i // share) % workers
    if ahead == 0:
        return i
    return min(end, (i // share + ahead) * share)


@kernel
def sweep(
    worker: int,
    workers: int,
    grid: Grid,
    candidates: Candidates,
    watchers: Watchers,
    ahead: Columns,
    buffer: Buffer,
    block: Array,
    period: tuple[Any, ...],
    repulsion: tuple[Any, ...],
    offset: tuple[Any, ...],
    carry: tuple[Any, ...],
    which: Array,
    names: Names,
    limits: SweepLimits,
    asked: tuple[Any, ...],
) -> None:
    """Compute this worker's share of all sums.

    Args:
        worker, workers: Which of how many.
        grid: The cells.
        candidates: The population that is looked at.
        watchers, ahead: The population that looks, and its forward vectors (empty when everybody sees all around).
        buffer: Scratch of this worker.
        block, period, repulsion, offset, carry: See `sum_cell`.
        which: For each slot set which payload its `carry` sums, shape (slot sets,), int64.
        names: Who is who.
        limits: What is left out here.
        asked: Empty, or the flags of those whose sums are wanted, by row. Those of others stay as they are.
    """
    share = share_size(watchers.row.size, workers)
    nx, ny = grid.shape[0], grid.shape[1]
    start, here, row, hidden = watchers.start, watchers.position, watchers.row, watchers.hidden
    pool, payload, first, last = buffer.position, buffer.payload, buffer.first, buffer.last
    page, whose = buffer.page, buffer.row
    room, tiny2, crowd = pool[0].size, limits.tiny2, limits.crowd
    visited = done = 0
    for line in range(nx * grid.shape[2]):
        x, y, z = line % nx, 0, line // nx
        while y < ny:
            c = (z * ny + y) * nx + x
            after = visited + start[c + 1] - start[c]
            begin = next_share(max(visited, done), after, share, worker, workers)
            if begin >= after:
                visited = after
                y += 1
                continue
            done = (begin // share + 1) * share
            high = last_cell(c, y, nx, ny, start, done - visited)
            if len(asked) > 0:
                before = end_of_unasked(c, high + 1 - y, nx, start, visited, begin, done, row, asked[0])
                if before >= 0:
                    done = min(done, before)
                    continue
            gather(y, high, x, z, grid, candidates, buffer)
            before, lines = visited, 0
            for k in range(high + 1 - y):
                place = np.int64(start[c + k * nx])
                count = start[c + k * nx + 1] - place
                low, top = place + max(begin - before, 0), place + min(done - before, count)
                j = first[k]
                end = j + (last[k + 2] - j + LANES - 1) // LANES * LANES
                for s in range(which.size):
                    away = which[s] * room
                    sum_cell(
                        low, top, s, here, hidden, ahead, pool, payload, j, end, away, page, lines,
                        period, repulsion, offset, carry, tiny2, asked, row,
                    )  # fmt: skip
                for i in range(low, top):
                    whose[lines] = row[i]
                    if hidden[i] > crowd:
                        add_coincident(
                            i, (x, y + k, z), grid, candidates, watchers, names, ahead, page, lines,
                            period, repulsion, offset, carry, which, tiny2,
                        )  # fmt: skip
                    lines += 1
                before += count
            if len(asked) > 0:
                lines = drop_unwanted(page, whose, lines, asked[0])
            hand_out(page, whose, lines, block)
            done = min(done, before)
    if worker == 0:
        clear_lost(watchers, start[nx * ny * grid.shape[2]], block)


@kernel
def end_of_unasked(
    c: int, places: int, nx: int, start: Array, visited: int, begin: int, done: int, row: Array, asked: Array
) -> int:
    """How many watchers have been visited after so many cells, if none of this worker's share is asked; else -1."""
    for k in range(places):
        place = np.int64(start[c + k * nx])
        count = start[c + k * nx + 1] - place
        for i in range(place + max(begin - visited, 0), place + min(done - visited, count)):
            if asked[row[i]]:
                return -1
        visited += count
    return visited


@kernel
def drop_unwanted(page: Array, row: Array, lines: int, asked: Array) -> int:
    """Move the lines of those whose sums are wanted to the front; returns how many they are."""
    kept = 0
    for line in range(lines):
        if asked[row[line]]:
            if kept < line:
                row[kept] = row[line]
                for s in range(page.shape[0]):
                    for k in range(page.shape[2]):
                        page[s, kept, k] = page[s, line, k]
            kept += 1
    return kept


@kernel
def hand_out(page: Array, row: Array, lines: int, block: Array) -> None:
    """Copy lines of sums to their rows.

    These are far from each other in memory. One after the other they would each be waited for, in a loop of nothing else they
    are on their way together.
    """
    width = np.uint64(block.shape[2])
    for s in range(block.shape[0]):
        for line in range(np.uint64(lines)):  # Unsigned: no test for a negative index.
            there = np.uint64(row[line])
            for k in range(width):
                block[s, there, k] = page[s, line, k]


@kernel
def clear_lost(watchers: Watchers, begin: int, block: Array) -> None:
    """Those without a finite position see nobody."""
    for i in range(begin, watchers.row.size):
        watchers.hidden[i] = ZERO
        block[:, watchers.row[i], :] = ZERO


@kernel
def last_cell(c: int, y: int, nx: int, ny: int, start: Array, wanted: int) -> int:
    """The place of the cell, from place y of cell c on along the second axis, that makes up so many watchers."""
    found = start[c + 1] - start[c]
    while y + 1 < ny and found < wanted:
        y += 1
        c += nx
        found += start[c + 1] - start[c]
    return y

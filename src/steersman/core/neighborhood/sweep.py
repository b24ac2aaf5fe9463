"""The sweep: all sums over all neighbors within a radius. Candidates are gathered once for all watchers in a row of cells."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.lanes import LANES
from steersman.core.maths.vectors import ZERO
from steersman.core.neighborhood.coincident import Arranged, add_coincident
from steersman.core.neighborhood.gather import SHARE, Buffer, gather
from steersman.core.neighborhood.sums import Pool, Watchers, sum_cell
from steersman.core.typing import Array, Columns


@kernel
def share_size(n: int, workers: int) -> int:
    """The number of watchers in a share: small enough that a clustered flock is divided evenly."""
    return max(16, min(SHARE, n // (8 * workers)))


class SweepLimits(NamedTuple):
    """Limits for the candidates that the innermost loop skips, and that `add_coincident` adds.

    Attributes:
        tiny2: Squared distance up to which the innermost loop skips candidates [m^2].
        crowd: If `hidden` is larger than this, the loop has skipped another candidate than the watcher itself.
    """

    tiny2: Any
    crowd: Any


@kernel
def next_share(i: int, end: int, share: int, worker: int, workers: int) -> int:
    """The first place from i on that is in a share of this worker, at most `end`."""
    ahead = (worker - i // share) % workers
    if ahead == 0:
        return i
    return min(end, (i // share + ahead) * share)


@kernel
def sweep(
    worker: int, workers: int, arranged: Arranged, ahead: Columns, buffer: Buffer, block: Array,
    period: tuple[Any, ...], repulsion: tuple[Any, ...], offset: tuple[Any, ...], carry: tuple[Any, ...],
    which: Array, limits: SweepLimits, row_flags: Array, own: tuple[Any, ...],
) -> None:  # fmt: skip
    """Compute this worker's share of all sums.

    Args:
        worker, workers: The number of this worker, and of all workers.
        arranged: The cells, and both populations in their order.
        ahead: The forward vectors of the watchers; empty if all views are full.
        buffer: Scratch of this worker.
        block, period, repulsion, offset, carry: See `sum_cell`.
        which: For each slot set the payload that its `carry` sums, shape (slot sets,), int64.
        limits: The limits for coincident vehicles.
        row_flags: The flags of the rows that ask for sums, uint8; empty if all do. Sums of other rows stay unchanged.
        own: Empty, or the numbers in which watchers differ (see `own_numbers`).
    """
    grid, candidates, watchers = arranged.grid, arranged.candidates, arranged.watchers
    share = share_size(watchers.row.size, workers)
    nx, ny = grid.shape[0], grid.shape[1]
    start, row, hidden = watchers.start, watchers.row, watchers.hidden
    position, payload, first, last = buffer.position, buffer.payload, buffer.first, buffer.last
    page, whose = buffer.page, buffer.row
    capacity, tiny2, crowd = position[0].size, limits.tiny2, limits.crowd
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
            if row_flags.size > 0:
                before = end_of_unasked(c, high + 1 - y, nx, start, visited, begin, done, row, row_flags)
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
                    pool = Pool(position, payload, j, end, which[s] * capacity)
                    sum_cell(
                        low, top, s, watchers, ahead, pool, page, lines,
                        period, repulsion, offset, carry, tiny2, row_flags, own,
                    )  # fmt: skip
                for i in range(low, top):
                    whose[lines] = row[i]
                    if hidden[i] > crowd:
                        add_coincident(
                            i, (x, y + k, z), arranged, ahead, page, lines,
                            period, repulsion, offset, carry, which, tiny2, own,
                        )  # fmt: skip
                    lines += 1
                before += count
            if row_flags.size > 0:
                lines = drop_unwanted(page, whose, lines, row_flags)
            hand_out(page, whose, lines, block)
            done = min(done, before)
    if worker == 0:
        clear_lost(watchers, start[nx * ny * grid.shape[2]], block)


@kernel
def end_of_unasked(
    c: int, places: int, nx: int, start: Array, visited: int, begin: int, done: int, row: Array, row_flags: Array
) -> int:
    """The number of watchers visited at the end of some cells, if no row of this worker's share in them asks; else -1.

    Args:
        c, places: The first cell, and the number of cells.
        nx: The number of cells along the first axis.
        start: Where each cell begins.
        visited, begin, done: The number of watchers before the cells; the first one, and the one after the last of the share.
        row, row_flags: The rows of the watchers, and the flags of the rows that ask.
    """
    for k in range(places):
        place = np.int64(start[c + k * nx])
        count = start[c + k * nx + 1] - place
        for i in range(place + max(begin - visited, 0), place + min(done - visited, count)):
            if row_flags[row[i]]:
                return -1
        visited += count
    return visited


@kernel
def drop_unwanted(page: Array, row: Array, lines: int, row_flags: Array) -> int:
    """Move the lines of the rows that ask for sums to the front; return the number of these lines."""
    remaining = 0
    for line in range(lines):
        if row_flags[row[line]]:
            if remaining < line:
                row[remaining] = row[line]
                for s in range(page.shape[0]):
                    for k in range(page.shape[2]):
                        page[s, remaining, k] = page[s, line, k]
            remaining += 1
    return remaining


@kernel
def hand_out(page: Array, row: Array, lines: int, block: Array) -> None:
    """Copy lines of sums to their rows.

    The rows are far apart in memory. A loop that only copies lets the processor fetch several of them at once, instead of
    waiting for each.
    """
    width = np.uint64(block.shape[2])
    for s in range(block.shape[0]):
        for line in range(np.uint64(lines)):  # Unsigned: no test for a negative index.
            there = np.uint64(row[line])
            for k in range(width):
                block[s, there, k] = page[s, line, k]


@kernel
def clear_lost(watchers: Watchers, begin: int, block: Array) -> None:
    """Write zero sums for watchers without a finite position, which see no candidate."""
    for i in range(begin, watchers.row.size):
        watchers.hidden[i] = ZERO
        block[:, watchers.row[i], :] = ZERO


@kernel
def last_cell(c: int, y: int, nx: int, ny: int, start: Array, watchers: int) -> int:
    """The place along the second axis of the cell up to which, from cell c at place y on, there are `watchers` watchers."""
    reached = start[c + 1] - start[c]
    while y + 1 < ny and reached < watchers:
        y += 1
        c += nx
        reached += start[c + 1] - start[c]
    return y

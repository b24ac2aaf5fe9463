"""The buffer: all candidates for the watchers in a row of cells, copied side by side.

Cells are numbered along the first axis, and the row runs along the second. The candidates for the cell at place y are in 3
blocks of 3 cells (1 block in 2D) at each of the places y - 1, y and y + 1. The buffer takes the blocks place by place, so the
candidates for each cell follow each other, and serve all watchers in it.

The loop over them runs in whole vectors, and so goes past the end of place y + 1. Candidates beyond that end are too far away
to be seen. Only where the grid wraps, the loop could count a candidate twice, so padding is put in between.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.lanes import LANES
from steersman.core.maths.vectors import ZERO, add, load, store
from steersman.core.neighborhood.grid import Grid
from steersman.core.typing import Array, Columns, Vector

SHARE = 256
"""The most watchers in a share. Workers get shares in the order in which the cells are visited."""

FAR = np.float32(1e18)
"""Position [m] of padding: outside of every radius, and its square is still finite in float32."""


class Candidates(NamedTuple):
    """The candidates, in the order of their cells.

    Attributes:
        start: Where each cell begins, shape (at least cells + 2,), int32.
        row: The row in the population of each candidate, shape (m,), int32.
        position: Positions [m], d arrays of shape (m,).
        payload: Other vectors: no arrays, or d arrays that hold one vector column after the other, shape (loads * m,).
        loads: The number of vector columns in `payload`.
    """

    start: Array
    row: Array
    position: Columns
    payload: Columns
    loads: int


class Buffer(NamedTuple):
    """The candidates of a row of cells; every worker has its own.

    Attributes:
        position: Their positions [m], d arrays. A candidate reached across the end of a torus is moved by the period.
        payload: Their other vectors: no arrays, or d arrays that hold one vector column after the other, of equal room.
        first, last: Where the candidates of each place begin and end, shape (at least cells of the second axis + 2,), int64.
        block: For each block of cells the first one, at place 0 of the second axis, and their number; shape (9, 2), int64.
        shift: The displacement of each block [m], on the first and on the third axis, shape (9, 2).
        page: Lines of sums before they are copied to the rows of the watchers, shape (slot sets, SHARE, WIDTH).
        row: The row of the watcher of each line of sums, shape (SHARE,), int32.
    """

    position: Columns
    payload: Columns
    first: Array
    last: Array
    block: Array
    shift: Array
    page: Array
    row: Array


@kernel
def gather(low: int, high: int, x: int, z: int, grid: Grid, candidates: Candidates, buffer: Buffer) -> None:
    """Fill the buffer for the cells (x, y, z) with low <= y <= high.

    The candidates of cell y then begin at `buffer.first[y - low]` and end before `buffer.last[y - low + 2]`.
    """
    nx, ny = grid.shape[0], grid.shape[1]
    blocks = find_blocks(x, z, grid, buffer)
    size = 0
    for y in range(low - 1, high + 2):
        if grid.wraps[1] != 0 and (y == ny - 1 or y == ny):
            size = fill(buffer, candidates.loads, size)
        buffer.first[y - low + 1] = size
        place, shift = neighbor(grid, 1, y)
        if place >= 0:
            for k in range(blocks):
                c = buffer.block[k, 0] + place * nx
                begin, end = candidates.start[c], candidates.start[c + buffer.block[k, 1]]
                move = vector(candidates.position, buffer.shift[k, 0], shift, buffer.shift[k, 1])
                copy(
                    begin,
                    end,
                    candidates.position,
                    candidates.payload,
                    candidates.loads,
                    move,
                    buffer.position,
                    buffer.payload,
                    size,
                )
                size += end - begin
        buffer.last[y - low + 1] = size
    fill(buffer, candidates.loads, size)


@kernel
def neighbor(grid: Grid, k: int, place: int) -> tuple[int, Any]:
    """The coordinate on axis k of a cell that may be beyond an end, -1 for no cell; and the shift of its candidates [m]."""
    count = grid.shape[k]
    if 0 <= place < count:
        return place, ZERO * grid.shift[k]
    if count == 1 or grid.wraps[k] == 0:
        return -1, ZERO * grid.shift[k]
    if place < 0:
        return count - 1, -grid.shift[k]
    return 0, grid.shift[k]


@kernel
def find_blocks(x: int, z: int, grid: Grid, buffer: Buffer) -> int:
    """Write the blocks of cells around the row of cells (x, z); return their number."""
    blocks = 0
    for above in range(z - 1, z + 2):
        layer, shift_z = neighbor(grid, 2, above)
        if layer < 0:
            continue
        last = -2
        for beside in range(x - 1, x + 2):
            place, shift_x = neighbor(grid, 0, beside)
            if place < 0:
                continue
            if place == last + 1:
                buffer.block[blocks - 1, 1] += 1
            else:
                buffer.block[blocks, 0] = layer * grid.shape[0] * grid.shape[1] + place
                buffer.block[blocks, 1] = 1
                buffer.shift[blocks, 0] = shift_x
                buffer.shift[blocks, 1] = shift_z
                blocks += 1
            last = place
    return blocks


@kernel
def copy(
    begin: int, end: int, position: Columns, payload: Columns, loads: int, move: Vector, to: Columns, to_cargo: Columns,
    size: int,
) -> None:  # fmt: skip
    """Add the candidates begin <= i < end to a buffer of this size."""
    offset = np.uint64(size - begin)
    for i in range(np.uint64(begin), np.uint64(end)):  # Unsigned: no test for a negative index.
        j: Any = i + offset
        store(to, j, add(load(position, i), move))
        if len(payload) > 0:
            store(to_cargo, j, load(payload, i))
    if len(payload) > 0:
        for w in range(1, loads):
            source, target = np.uint64(w * position[0].size), np.uint64(w * to[0].size)
            for i in range(np.uint64(begin), np.uint64(end)):
                j = i + offset + target
                store(to_cargo, j, load(payload, i + source))


@kernel
def vector(like: Columns, x: Any, y: Any, z: Any) -> Vector:
    """The first d of three components, for d dimensions."""
    if len(like) == 2:
        return (x, y)
    return (x, y, z)


@kernel
def fill(buffer: Buffer, loads: int, size: int) -> int:
    """Add a vector of padding; return the new size."""
    for j in range(size, size + LANES):
        store(buffer.position, j, vector(buffer.position, FAR, FAR, FAR))
        blank(buffer.position, buffer.payload, loads, j)
    return size + LANES


@kernel
def blank(position: Columns, payload: Columns, loads: int, j: int) -> None:
    """Set place j to padding, with zero payload."""
    if len(payload) > 0:
        for w in range(loads):
            store(payload, w * position[0].size + j, vector(position, ZERO, ZERO, ZERO))

"""Laws of pairs: a function of a vehicle and one of its neighbors, summed over all neighbors in machine code.

Neighbors are taken out of the cells around a vehicle in batches: vector instructions compare squared distances and leave a
bit for each candidate, and a loop over the bits that are set calls the law. A batch lies on the stack, so threads need no
scratch of their own.

A law sees a vehicle as a record: its columns by name, each a number or a tuple of d numbers.
"""

import math
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.lanes import LANES, bit_count, lanes_within, lowest_bit
from steersman.core.kernels.numbers import named_numbers, record_class, squared
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.kernels.stack import stack_array
from steersman.core.maths.angles import cosine_edge
from steersman.core.maths.vectors import ZERO, difference, dot, load, scale, subtract
from steersman.core.neighborhood.coincident import direction
from steersman.core.neighborhood.gather import neighbor
from steersman.core.neighborhood.grid import Grid
from steersman.core.neighborhood.slots import TINY
from steersman.core.neighborhood.sums import image
from steersman.core.parameters.per_vehicle import applied, largest
from steersman.core.typing import Array, Columns, Vector

BLOCKS = 4
"""The number of blocks in a batch. A block is LANES candidates, so a batch has 64: one for each bit of a word."""

NONE, ONE = np.uint64(0), np.uint64(1)
FULL, ONE_BLOCK, SHIFT = np.uint64(BLOCKS), np.uint64(LANES), np.uint64(LANES.bit_length() - 1)

PIECES = 27
"""The most pieces of memory that hold the cells around a vehicle: one for each cell."""

blocks = stack_array(BLOCKS)
borders = stack_array(PIECES)
places = stack_array(3 * PIECES)


class Cells(NamedTuple):
    """The cells around each vehicle, with the possible neighbors in them.

    Attributes:
        grid: The cells.
        cell: The cell of each vehicle, shape (capacity,), int32.
        start: Where each cell begins, shape (at least cells + 2,), int32.
        row: Rows of the possible neighbors in the order of the cells, shape (m + LANES,), int32.
        position: Their positions [m] in this order, brought into one period; d arrays of shape (m + LANES,): a vector may
            begin with the last one.
        own, other: Ids of the vehicles and of the possible neighbors, by row, int64.
        tie: Sign of the direction between equal ids of two populations.
        first: The row of the first vehicle among the possible neighbors, shape (at least 1,), int64; -1 if they are none of
            them.
    """

    grid: Grid
    cell: Array
    start: Array
    row: Array
    position: Columns
    own: Array
    other: Array
    tie: int
    first: Array


class Surrounding(NamedTuple):
    """The cells as a behavior gets them.

    Attributes:
        cells: The cells.
        period: The array of `Domain.wrap` when differences need the minimum image pair by pair, else an empty tuple.
        points: Positions of the possible neighbors by row [m], if these are bare points; else an empty tuple.
    """

    cells: Cells
    period: tuple[Array, ...]
    points: Columns


class View(NamedTuple):
    """Which of the possible neighbors count.

    Attributes:
        radius2, inner2: Squared radii [m^2]: of the neighborhood, and within which others count at any angle.
        edge: The edge of the field of view (see `cosine_edge`).
        tiny: Distance up to which two vehicles coincide [m].
    """

    radius2: Any
    inner2: Any
    edge: Any
    tiny: Any


def view_of(dtype: Any, radius: Any, angle: Any = 2 * math.pi, inner_radius: Any = 0.0) -> View:
    """The view of a neighborhood [m, rad]; each number may be one per vehicle."""
    return named_numbers(
        View,
        dtype,
        radius2=squared(dtype, radius),
        inner2=squared(dtype, inner_radius),
        edge=applied(cosine_edge, angle),
        tiny=TINY * min(largest(radius), 1.0),
    )


class Pieces(NamedTuple):
    """The pieces of memory that hold the cells around a vehicle.

    Attributes:
        first, last: The first cell of each piece, and the cell after its last; shape (PIECES,).
        place: For each piece the position of the vehicle [m], moved by the period if the piece is across the end of a torus;
            shape (3 PIECES,).
    """

    first: Array
    last: Array
    place: Array


@kernel
def find_pieces(c: int, here: Vector, grid: Grid, pieces: Pieces) -> int:
    """Write the pieces around a vehicle in cell c; return their number."""
    nx, ny, nz = grid.shape[0], grid.shape[1], grid.shape[2]
    whole = np.uint32(c) // np.uint32(nx)  # Such divisions take half the time of those of 64 bits.
    x, y, z = np.int64(np.uint32(c) - whole * np.uint32(nx)), np.int64(whole), np.int64(0)
    if nz > 1:
        z = np.int64(whole // np.uint32(ny))
        y -= z * ny
    number = 0
    if 0 < x < nx - 1 and 0 < y < ny - 1 and (nz == 1 or 0 < z < nz - 1):
        begin = np.int64(c) - 1 - nx - (nx * ny if nz > 1 else 0)
        for _ in range(min(nz, 3)):
            for beside in range(3):
                number = add_piece(begin + beside * nx, 3, here, ZERO, ZERO, ZERO, pieces, number)
            begin += nx * ny
        return number
    for above in range(z - 1, z + 2):
        layer, shift_z = neighbor(grid, 2, above)
        if layer < 0:
            continue
        for beside in range(y - 1, y + 2):
            line, shift_y = neighbor(grid, 1, beside)
            if line < 0:
                continue
            line = (layer * ny + line) * nx
            if 0 < x < nx - 1:
                number = add_piece(line + x - 1, 3, here, ZERO, shift_y, shift_z, pieces, number)
                continue
            for along in range(x - 1, x + 2):
                column, shift_x = neighbor(grid, 0, along)
                if column >= 0:
                    number = add_piece(line + column, 1, here, shift_x, shift_y, shift_z, pieces, number)
    return number


@kernel
def add_piece(c: int, size: int, here: Vector, x: Any, y: Any, z: Any, pieces: Pieces, number: int) -> int:
    """Add the piece of `size` cells from c on, which are moved by (x, y, z) [m]; return the new number of pieces."""
    pieces.first[number], pieces.last[number] = c, c + size
    pieces.place[3 * number], pieces.place[3 * number + 1] = here[0] - x, here[1] - y
    if len(here) == 3:
        pieces.place[3 * number + 2] = here[2] - z
    return number + 1


@kernel
def place_from(pieces: Pieces, k: int, like: Vector) -> Vector:
    """The position of the vehicle for the candidates of piece k [m]."""
    if len(like) == 2:
        return (pieces.place[3 * k], pieces.place[3 * k + 1])
    return (pieces.place[3 * k], pieces.place[3 * k + 1], pieces.place[3 * k + 2])


@kernel
def way_to(j: Any, here: Vector, cells: Cells, period: tuple[Any, ...]) -> Vector:
    """The way to candidate j [m]."""
    way = subtract(load(cells.position, j), here)
    if len(period) > 0:
        way = image(way, period[0])
    return way


class Batch(NamedTuple):
    """Some neighbors, for all of which the vehicle has the same position (see `Pieces.place`).

    Attributes:
        bits: A word with a bit for each candidate, LANES bits for a block: whether the candidate is a neighbor.
        first: For each block the number that leads from a bit to the candidate: candidate = bit + first; shape (BLOCKS,),
            int64.
    """

    bits: Any
    first: Array


@kernel
def lowest(batch: Batch, bits: Any) -> Any:
    """The candidate of the lowest bit that is set."""
    q = lowest_bit(bits)
    return np.uint64(batch.first[q >> SHIFT]) + q


@kernel
def find_near(
    begin: Any, end: Any, here: Vector, own: Any, front: Vector, ahead: Columns, cells: Cells, period: tuple[Any, ...],
    view: View,
) -> Any:  # fmt: skip
    """Bits of the candidates begin <= j < end, at most LANES: whether they are neighbors."""
    size = end - begin
    reach2 = cells.position[0].dtype.type(view.radius2)
    if len(ahead) > 0:
        reach2 = max(reach2, cells.position[0].dtype.type(view.inner2))
    bits = NONE
    if len(period) > 0:
        for q in range(size):
            way = way_to(begin + np.uint64(q), here, cells, period)
            near = (dot(way, way) <= reach2) & (cells.row[begin + np.uint64(q)] != own)
            bits |= np.uint64(near) << np.uint64(q)
    else:
        bits = lanes_within(cells.position, cells.row, begin, here, reach2, own) & ((ONE << size) - ONE)
    if len(ahead) > 0:
        pending = bits
        while pending != NONE:
            q = lowest_bit(pending)
            way = way_to(begin + q, here, cells, period)
            d2, along = dot(way, way), dot(way, front)
            visible = ((d2 <= view.radius2) & (along * abs(along) >= view.edge * d2)) | (d2 <= view.inner2)
            bits ^= np.uint64(not visible) << q
            pending &= pending - ONE
    return bits


# ------------------------------------------------------------------------------------------------ records


VECTORS = ("position", "velocity", "forward", "up")
"""The columns of vectors that a law sees; `up` in 3D."""

SCALARS = ("mass", "radius", "max_speed", "max_force", "response_time", "id")
"""The columns of numbers that a law sees."""


@cache
def record_kernel(vectors: tuple[str, ...], scalars: tuple[str, ...], own: tuple[tuple[str, int], ...]) -> Any:
    """A kernel `(columns, more, i)` that makes the record of row i.

    Args:
        vectors, scalars: Names of columns of the vehicles.
        own: Names of the further columns, each with the number of its components, 0 for a plain number.
    """
    fields = {name: f"load(columns.{name}, i)" for name in vectors} | {name: f"columns.{name}[i]" for name in scalars}
    fields |= {name: f"load(more[{k}], i)" if d else f"more[{k}][i]" for k, (name, d) in enumerate(own)}
    names = tuple(fields)
    body = f"return Kind({', '.join(fields.values())})"
    return written("record", "columns, more, i", body, Kind=record_class(names), load=load)


@cache
def tuple_kernels(size: int) -> tuple[Any, Any, Any, Any]:
    """Kernels for tuples of `size` numbers, in the type of columns: zeros, the sum of two, and write or read a row."""
    zeros = "".join(f"columns[{k}].dtype.type(0), " for k in range(size))
    added = "".join(f"a[{k}] + columns[{k}].dtype.type(b[{k}]), " for k in range(size))
    taken = "".join(f"columns[{k}][i], " for k in range(size))
    stored = "; ".join(f"columns[{k}][i] = a[{k}]" for k in range(size))
    return (
        written("zeros", "columns", f"return ({zeros})"),
        written("plus", "a, b, columns", f"return ({added})"),
        written("put", "columns, i, a", stored),
        written("take", "columns, i", f"return ({taken})"),
    )


def written(name: str, arguments: str, body: str, **names: Any) -> Any:
    """A kernel made from text, because the number of its terms depends on an argument.

    Args:
        name: Its name.
        arguments, body: The texts of its arguments and of its lines.
        **names: The globals that it uses.
    """
    namespace: dict[str, Any] = {}
    exec(f"def {name}({arguments}):\n {body}", namespace)
    function = FunctionType(namespace[name].__code__, names | {"__name__": __name__}, name)
    return kernel(function)


# ------------------------------------------------------------------------------------------------ neighbors in batches


@cache
def visiting(visit: Any) -> Any:
    """A kernel that visits the neighbors of vehicle i in batches; the vehicle is in one of the cells.

    The kernel returns the last state, and the number of neighbors.

    Args:
        visit: A kernel `(i, here, cells, period, view, batch, about, state)` that returns the next state.
    """

    @kernel
    def go(
        i: Any, here: Any, front: Any, ahead: Any, cells: Any, period: Any, view: Any, first: Any, pieces: Any, about: Any,
        state: Any,
    ) -> Any:  # fmt: skip
        """Collect neighbors in batches, and visit each batch when it is full or the position of the vehicle changes."""
        me = np.int32(i + cells.first[0] if cells.first[0] >= 0 else -1)
        number = find_pieces(cells.cell[i], here, cells.grid, pieces)
        k, begin, end, place, there = 0, NONE, NONE, here, here
        counted = held = bits = NONE
        while True:
            while begin == end and k < number:
                begin, end = np.uint64(cells.start[pieces.first[k]]), np.uint64(cells.start[pieces.last[k]])
                there = place_from(pieces, k, here)
                k += 1
            done = begin == end
            if held != NONE and (done or held == FULL or there != place):
                if bits != NONE:
                    state = visit(i, place, cells, period, view, Batch(bits, first), about, state)
                counted += bit_count(bits)
                held = bits = NONE
            if done:
                return state, counted
            place = there
            stop = min(end, begin + ONE_BLOCK)
            bits |= find_near(begin, stop, place, me, front, ahead, cells, period, view) << (held << SHIFT)
            first[held] = np.int64(begin) - np.int64(held << SHIFT)
            held += ONE
            begin = stop

    return go


@kernel
def is_in_a_cell(i: Any, cells: Cells) -> bool:
    """Whether a vehicle has a finite position."""
    return bool(cells.cell[i] < cells.grid.shape[0] * cells.grid.shape[1] * cells.grid.shape[2])


# ------------------------------------------------------------------------------------------------ sums


@cache
def pair_kernels(law: Any, own_record: Any, other_record: Any, size: int) -> tuple[Any, Any]:
    """Two kernels that sum a law over the neighbors of each row: over all of them, and over the nearest in a list.

    Args:
        law: A kernel `(own, other, to, distance, numbers)` that returns a tuple of numbers.
        own_record, other_record: Kernels that make the records, see `record_kernel`.
        size: The length of the tuple.
    """
    zeros, plus, put, _ = tuple_kernels(size)

    @kernel
    def add_batch(
        i: Any, here: Any, cells: Any, period: Any, view: Any, batch: Any, about: Any, state: Any
    ) -> Any:  # fmt: skip
        """Add the law for every neighbor in a batch."""
        own, others, other_extra, numbers, totals = about
        tiny2, close, total, pending = view.tiny * view.tiny, NONE, state, batch.bits
        while pending != NONE:
            j = lowest(batch, pending)
            pending &= pending - ONE
            to = way_to(j, here, cells, period)
            d2 = dot(to, to)
            close += np.uint64(d2 <= tiny2)
            other = other_record(others, other_extra, np.uint64(cells.row[j]))
            total = plus(total, law(own, other, to, math.sqrt(d2), numbers), totals)
        if close == NONE:
            return total
        return add_close_batch(i, here, cells, period, view, batch, about, state)

    @kernel
    def add_close_batch(
        i: Any, here: Any, cells: Any, period: Any, view: Any, batch: Any, about: Any, state: Any
    ) -> Any:  # fmt: skip
        """Add the law for every neighbor in a batch; give a direction to neighbors in the same place as the vehicle."""
        own, others, other_extra, numbers, totals = about
        total, pending = state, batch.bits
        while pending != NONE:
            j = lowest(batch, pending)
            pending &= pending - ONE
            to, k = way_to(j, here, cells, period), np.uint64(cells.row[j])
            if dot(to, to) <= view.tiny * view.tiny:
                to = scale(direction(cells.own[i], cells.other[k], cells.tie, cells.position), -view.tiny)
            other = other_record(others, other_extra, k)
            total = plus(total, law(own, other, to, math.sqrt(dot(to, to)), numbers), totals)
        return total

    add_all = visiting(add_batch)

    @row_kernel
    def sum_around(
        i: int, vehicles: Any, own_extra: Any, others: Any, other_extra: Any, cells: Any, period: Any, view: Any, ahead: Any,
        numbers: Any, totals: Any, count: Array, active: Array,
    ) -> None:  # fmt: skip
        """Sum the law over all neighbors."""
        total, counted = zeros(totals), NONE
        if is_in_a_cell(i, cells):
            here = load(vehicles.position, i)
            front = load(ahead, i) if len(ahead) > 0 else here
            first, pieces = blocks(cells.first), Pieces(borders(cells.row), borders(cells.row), places(vehicles.radius))
            about = (own_record(vehicles, own_extra, i), others, other_extra, numbers, totals)
            total, counted = add_all(i, here, front, ahead, cells, period, view, first, pieces, about, total)
        put(totals, i, total)
        count[i] = counted

    @row_kernel
    def sum_listed(
        i: int, vehicles: Any, own_extra: Any, others: Any, other_extra: Any, listing: Any, ids: Any, view: Any, wrap: Any,
        numbers: Any, totals: Any, count: Array, active: Array,
    ) -> None:  # fmt: skip
        """Sum the law over the neighbors in a list."""
        total = zeros(totals)
        own, here = own_record(vehicles, own_extra, i), load(vehicles.position, i)
        for k in range(listing.number[i]):
            j = listing.row[i, k]
            to = difference(load(others.position, j), here, wrap)
            if dot(to, to) <= view.tiny * view.tiny:
                to = scale(direction(ids[0][i], ids[1][j], ids[2], vehicles.position), -view.tiny)
            total = plus(
                total, law(own, other_record(others, other_extra, j), to, math.sqrt(dot(to, to)), numbers), totals
            )
        put(totals, i, total)
        count[i] = listing.number[i]

    return sum_around, sum_listed


# ------------------------------------------------------------------------------------------------ lists


@kernel
def note(
    i: Any, here: Any, cells: Any, period: Any, view: Any, batch: Any, about: Any, state: Any
) -> Any:  # fmt: skip
    """Write the rows and squared distances of a batch to the lists, if `about` has any.

    `state` is the place in the lists where the next neighbor is written.
    """
    if len(about) > 0:
        pending = batch.bits
        while pending != NONE:
            j = lowest(batch, pending)
            pending &= pending - ONE
            to = way_to(j, here, cells, period)
            about[0][state], about[1][state] = cells.row[j], dot(to, to)
            state += 1
    return state


GAPS = (86_961, 33_936, 13_776, 4_592, 1_968, 861, 336, 112, 48, 21, 7, 3, 1)
"""Steps of Shell's sort (Sedgewick 1986): short lists, which are usual, need the last few alone."""


@kernel
def sort_list(rows: Array, d2s: Array, first: Any, last: Any) -> None:
    """Sort the list first <= k < last by distance, then by row."""
    for gap in GAPS:
        if gap > 1 and last - first < 4 * gap:
            continue
        for at in range(first + gap, last):
            row, d2, k = rows[at], d2s[at], at
            while k - gap >= first and (d2 < d2s[k - gap] or (d2 == d2s[k - gap] and row < rows[k - gap])):
                rows[k], d2s[k] = rows[k - gap], d2s[k - gap]
                k -= gap
            rows[k], d2s[k] = row, d2


note_all = visiting(note)


@row_kernel
def list_around(
    i: int, position: Columns, cells: Cells, period: tuple[Any, ...], view: View, ahead: Columns, lists: tuple[Any, ...],
    count: Array,
) -> None:  # fmt: skip
    """Count the neighbors of each row, and maybe list them.

    `lists` is empty, or has three items: the lists of rows and of squared distances, and where those of each vehicle begin.
    With a fourth item, of any value, the lists are sorted.
    """
    counted = NONE
    if is_in_a_cell(i, cells):
        here = load(position, i)
        front = load(ahead, i) if len(ahead) > 0 else here
        first, pieces = blocks(cells.first), Pieces(borders(cells.row), borders(cells.row), places(position[0]))
        begin = lists[2][i] if len(lists) > 0 else 0
        end, counted = note_all(i, here, front, ahead, cells, period, view, first, pieces, lists, begin)
        if len(lists) > 3:
            sort_list(lists[0], lists[1], begin, end)
    count[i] = counted

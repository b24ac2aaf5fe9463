"""Sums over neighbors on the device: a thread for each watcher, in the order of the cells.

A thread collects the places of candidates that are near enough, until its list is full or there are no more, and then goes
through the list. So the threads of a warp, which have to go the same way, test candidates together and add up neighbors
together. The order of the sums is that of the candidates, whatever the length of the list.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np
from numba import int32

from steersman.core.maths import vectors
from steersman.core.maths.vectors import ONE, ZERO
from steersman.core.neighborhood import coincident, sums
from steersman.core.neighborhood.sums import CARRY, OFFSET, REPULSION
from steersman.core.typing import Array
from steersman.gpu.cells import Axes, Cells
from steersman.gpu.compiling import device_function, entry, helper
from steersman.gpu.device import Launch, cuda
from steersman.gpu.fours import first_of, load4, store4

HITS: Final = 48
"""The length of the list of each thread."""

BLOCK: Final = 64
"""Threads of a block, which share the memory for lists."""

REGISTERS: Final = 72
"""Registers of a thread: with more, too few threads are there to wait for memory in turns."""

subtract, dot = device_function(vectors.subtract), device_function(vectors.dot)
add_scaled, scale = device_function(vectors.add_scaled), device_function(vectors.scale)
image, visible, weight, slot_of = map(device_function, (sums.image, sums.visible, sums.weight, sums.slot_of))
direction, push_of = device_function(coincident.direction), device_function(coincident.push_of)
noticed = device_function(coincident.noticed)
load = device_function(vectors.load)


class SumForms(NamedTuple):
    """What is summed; see `sums.sum_cell`.

    Attributes:
        repulsion, offset, carry: The numbers of each kind of sum, repeated as its form says; empty where it is not
        looks: Empty where every field of view is full.
        period: The array of `Domain.wrap` where space wraps, else empty.
    """

    repulsion: tuple[Any, ...]
    offset: tuple[Any, ...]
    carry: tuple[Any, ...]
    looks: tuple[Any, ...]
    period: tuple[Any, ...]


@helper
def distance2(there: Any, x: Any, y: Any, z: Any) -> Any:
    """The squared distance of a candidate [m^2]."""
    dx, dy, dz = there[0] - x, there[1] - y, there[2] - z
    return dx * dx + dy * dy + dz * dz


@helper
def facing_of(to: Any, front: Any, looks: tuple[Any, ...]) -> Any:
    """The sign-squared projection of an offset on the view axis [m^2]."""
    if len(looks) == 0:
        return ZERO
    along = dot(to, front)
    return along * abs(along)


@helper
def put(lines: Array, row: Any, column: Any, total: Any, count: Any) -> None:
    """Write one sum to a line of 16 numbers, which is four rows of `lines`."""
    place = row * 4 + column // 4
    if len(total) == 2:
        store4(lines, place, (total[0], total[1], count, ZERO))
    else:
        store4(lines, place, (total[0], total[1], total[2], count))


@helper
def run_of(run: Any, at: Any, me: Any, axes: Axes, start: Array) -> Any:
    """A run of candidates around a watcher.

    Cells along the first axis follow each other, so those of a line are one run; beyond an end there is another one.

    Args:
        run: The number of the run, three a line.
        at: Its cell on each axis, three numbers.
        me: Its position [m].
        axes, start: The cells.

    Returns:
        The first candidate, the end, the watcher's position as seen from there (x, y, z), and whether that is across an end.
    """
    part, line = run % np.int32(3), run // np.int32(3)
    nx, ny = axes.number[0], axes.number[1]
    x, y = at[0], at[1]
    first, last, px, py, pz = x - axes.reach[0], x + axes.reach[0], me[0], me[1], ZERO
    over = part != 0
    none = np.int32(0)
    if part == 0:
        first, last = max(first, none), min(last, nx - np.int32(1))
    elif part == 1:
        if first >= 0:
            return none, none, px, py, pz, False
        first, last, px = first + nx, nx - np.int32(1), px + axes.shift[0]
    else:
        if last < nx:
            return none, none, px, py, pz, False
        first, last, px = none, last - nx, px - axes.shift[0]
    wide = axes.reach[1] + axes.reach[1] + np.int32(1)
    y += line % wide - axes.reach[1]
    if y < 0:
        y, py, over = y + ny, py + axes.shift[1], True
    elif y >= ny:
        y, py, over = y - ny, py - axes.shift[1], True
    base = y * nx
    if len(me) == 3:
        nz = axes.number[2]
        z = at[2] + line // wide - axes.reach[2]
        pz = me[2]
        if z < 0:
            z, pz, over = z + nz, pz + axes.shift[2], True
        elif z >= nz:
            z, pz, over = z - nz, pz - axes.shift[2], True
        base += z * axes.stride[2]
    return start[base + first], start[base + last + np.int32(1)], px, py, pz, over


@helper
def place_of(cell: Any, me: Any, axes: Axes) -> Any:
    """A cell on each axis."""
    nx, ny = axes.number[0], axes.number[1]
    if len(me) == 2:
        return (cell % nx, cell // nx, np.int32(0))
    line = cell // nx
    return (cell - line * nx, line % ny, line // ny)


@helper
def runs_of(axes: Axes, me: Any) -> Any:
    """The number of runs around a watcher."""
    runs = np.int32(3) * (axes.reach[1] + axes.reach[1] + np.int32(1))
    if len(me) == 3:
        runs *= axes.reach[2] + axes.reach[2] + np.int32(1)
    return runs


@functools.cache
def sweep_kernel() -> Any:
    """The kernel that sums; see `Sweep`."""

    def sweep(
        n: int, cells: int, axes: Axes, start: Array, row: Array, cell: Array, spots: Array, heads: Array, loads: Array,
        lines: Array, crowded: Array, repulsion: Any, offset: Any, carry: Any, looks: Any, period: Any, most: Any, tiny2: Any,
    ) -> None:  # fmt: skip
        hits = cuda.shared.array((48, 64), int32)
        t = cuda.threadIdx.x
        i = np.int32(cuda.grid(1))
        if i >= n:
            return
        me = first_of(load4(spots, i), axes.number)
        none = scale(me, ZERO)
        front = none
        if len(looks) > 0:
            front = first_of(load4(heads, i), axes.number)
        pushers, others, carriers = ZERO, ZERO, ZERO
        pushed, center, carried = none, none, none
        if len(repulsion) > 0:
            r_slot = slot_of(repulsion[0], 0)
        if len(offset) > 0:
            o_slot = slot_of(offset[0], 0)
        if len(carry) > 0:
            c_slot = slot_of(carry[0], 0)
        here, runs, one = cell[i], runs_of(axes, me), np.int32(1)
        if here >= cells:  # Without a finite position it sees no candidate.
            runs = np.int32(0)
        at = place_of(here, me, axes)
        run = j = last = np.int32(0)
        px, py, pz = ZERO, ZERO, ZERO
        edge, crowd = axes.images != 0, False
        while True:
            m = np.int32(0)
            while True:
                if j >= last:
                    if run >= runs:
                        break
                    j, last, px, py, pz, over = run_of(run, at, me, axes, start)
                    edge = edge or over
                    run += one
                while j + 4 <= last and m + 4 <= HITS:
                    a, b = load4(spots, j), load4(spots, j + np.int32(1))
                    c, d = load4(spots, j + np.int32(2)), load4(spots, j + np.int32(3))
                    if distance2(a, px, py, pz) <= most:
                        hits[m, t] = j
                        m += one
                    if distance2(b, px, py, pz) <= most:
                        hits[m, t] = j + np.int32(1)
                        m += one
                    if distance2(c, px, py, pz) <= most:
                        hits[m, t] = j + np.int32(2)
                        m += one
                    if distance2(d, px, py, pz) <= most:
                        hits[m, t] = j + np.int32(3)
                        m += one
                    j += np.int32(4)
                while j < last and m < HITS:
                    if distance2(load4(spots, j), px, py, pz) <= most:
                        hits[m, t] = j
                        m += one
                    j += one
                if m >= HITS:
                    break
            for h in range(m):
                q = hits[h, t]
                if q == i:
                    continue
                to = subtract(first_of(load4(spots, q), axes.number), me)
                if len(carry) > 0:
                    cargo = first_of(load4(loads, q), axes.number)
                if len(period) > 0:  # noqa: SIM102 # Alone, it is known when compiling.
                    if edge:
                        to = image(to, period[0])
                d2 = dot(to, to)
                if d2 <= tiny2:
                    crowd = True
                    continue
                facing = facing_of(to, front, looks)
                if len(repulsion) > 0:
                    mask = visible(d2, facing, r_slot, looks)
                    if mask > ZERO:
                        pushed = add_scaled(pushed, to, -weight(d2, r_slot, repulsion))
                        pushers += ONE
                if len(offset) > 0:
                    mask = visible(d2, facing, o_slot, looks)
                    center = add_scaled(center, to, mask)
                    others += mask
                if len(carry) > 0:
                    mask = visible(d2, facing, c_slot, looks)
                    carried = add_scaled(carried, cargo, mask)
                    carriers += mask
            if m < HITS:
                break
        crowded[i] = crowd
        if len(repulsion) > 0:
            put(lines, row[i], REPULSION, pushed, pushers)
        if len(offset) > 0:
            put(lines, row[i], OFFSET, center, others)
        if len(carry) > 0:
            put(lines, row[i], CARRY, carried, carriers)

    return entry(sweep, REGISTERS)


@entry
def add_coincident(
    n: int, axes: Axes, start: Array, row: Array, cell: Array, spots: Array, heads: Array, loads: Array, lines: Array,
    crowded: Array, repulsion: Any, offset: Any, carry: Any, looks: Any, period: Any, tiny2: Any, ids: Array, like: Any,
) -> None:  # fmt: skip
    """Add the neighbors in the same place to the sums of watchers that have some: see `coincident.py` of the core."""
    i = np.int32(cuda.grid(1))
    if i >= n or crowded[i] == 0:
        return
    me = first_of(load4(spots, i), axes.number)
    front = first_of(load4(heads, i), axes.number)
    at = place_of(cell[i], me, axes)
    for run in range(runs_of(axes, me)):
        first, last, _x, _y, _z, _over = run_of(np.int32(run), at, me, axes, start)
        for q in range(first, last):
            if q == i:
                continue
            to = subtract(first_of(load4(spots, q), axes.number), me)
            if len(period) > 0:
                to = image(to, period[0])
            d2 = dot(to, to)
            if d2 > tiny2:
                continue
            facing = facing_of(to, front, looks)
            if len(repulsion) > 0:
                apart, slot = direction(ids[row[i]], ids[row[q]], 1, like), slot_of(repulsion[0], 0)
                push = push_of(to, d2, apart, slot, repulsion)
                noticed_weight = noticed(d2, facing, slot, looks)
                add_to(lines, row[i], REPULSION, push, noticed_weight, axes)
            if len(offset) > 0:
                add_to(lines, row[i], OFFSET, to, noticed(d2, facing, slot_of(offset[0], 0), looks), axes)
            if len(carry) > 0:
                noticed_weight = noticed(d2, facing, slot_of(carry[0], 0), looks)
                add_to(lines, row[i], CARRY, first_of(load4(loads, q), axes.number), noticed_weight, axes)


@helper
def add_to(lines: Array, row: Any, column: Any, vector: Any, mask: Any, axes: Axes) -> None:
    """Add one neighbor to a sum, if `mask` is one."""
    if mask != ZERO:
        before = load4(lines, row * 4 + column // 4)
        count = before[2] if len(vector) == 2 else before[3]
        put(lines, row, column, add_scaled(first_of(before, axes.number), vector, ONE), count + mask)


class Sweep:
    """The launches that compute one set of sums.

    Args:
        cells: The cells of the population.
        loads: The vectors that `carry` sums, in the order of the cells.
        lines: The lines of sums, 4 rows of 4 numbers for each vehicle.
        wanted: What is summed.
        crowded: Flags of the watchers that coincide with others.
        most: The largest squared radius [m^2].
        tiny2: Squared distance up to which two coincide [m^2].
        ids: The ids of the vehicles.
        like: Arrays as many as dimensions.
    """

    def __init__(
        self, cells: Cells, loads: Any, lines: Any, forms: SumForms, crowded: Any, most: Any, tiny2: Any, ids: Any, like: Any,
    ) -> None:  # fmt: skip
        n, axes = cells.n, cells.axes
        places = (cells.start, cells.row, cells.cell, cells.spots, cells.heads, loads, lines, crowded, *forms)
        number = cells.start.shape[0] - 2
        self.launches = [
            Launch("sum", sweep_kernel(), n, BLOCK, (n, number, axes, *places, most, tiny2)),
            Launch("sum", add_coincident, n, 128, (n, axes, *places, tiny2, ids, like)),
        ]

"""Vehicles in the same place.

They are rare, so they are searched for only where the innermost loop has skipped a candidate. There is no direction between
two of them, so they push each other along a direction that is made from the two ids, opposite for the two. Vehicles that
coincide therefore separate, in the same way in every run.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.random import philox, unit_vector
from steersman.core.maths.vectors import ONE, ZERO, add, difference, dot, load, scale, subtract
from steersman.core.neighborhood.gather import Candidates, neighbor, vector
from steersman.core.neighborhood.grid import Grid
from steersman.core.neighborhood.slots import Slot
from steersman.core.neighborhood.sums import (
    CARRY,
    OFFSET,
    REPULSION,
    Watchers,
    own_numbers,
    place_of_carry,
    place_of_offset,
    slot_of,
    visible,
    weight,
)
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicles import Vehicles

SALT = np.uint32(0x51ED270B)
"""Key of the random directions. Any value will do, but a change of it changes results."""


class Names(NamedTuple):
    """The ids of two populations.

    Attributes:
        own, other: The ids of the watchers and of the candidates, by row, shapes (n,) and (m,), int64.
        same: Whether the watchers are among the candidates.
        tie: Sign of the direction between equal ids of two populations.
        first: The row of the first watcher among the candidates, if they are among them.
    """

    own: Array
    other: Array
    same: bool
    tie: int
    first: int


class Arranged(NamedTuple):
    """Two populations in the order of the cells of a grid.

    Attributes:
        grid: The cells.
        candidates, watchers: The possible neighbors, and the vehicles that look for them.
        names: The ids of both.
    """

    grid: Grid
    candidates: Candidates
    watchers: Watchers
    names: Names


def tie_of(own: Any, other: Any) -> int:
    """The sign of the direction between vehicles with equal ids of two populations.

    In a world, each of two populations gets the opposite sign from the other one.
    """
    return -1 if isinstance(other, Vehicles) and other.rank < own.rank else 1


@kernel
def direction(own: int, other: int, tie: int, like: Columns) -> Vector:
    """A unit vector made from two ids; the opposite one when they are exchanged.

    Args:
        own, other: The ids.
        tie: Sign of the direction when the ids are equal (they may be, in two populations).
        like: Two or three arrays of the wanted type.
    """
    low, high = min(own, other), max(own, other)
    words = philox(
        np.uint32(low & 0xFFFFFFFF),
        np.uint32(high & 0xFFFFFFFF),
        np.uint32(low >> 32),
        np.uint32(high >> 32),
        SALT,
        SALT,
    )
    along = unit_vector(words[0], words[1], like)
    if own > other or (own == other and tie < 0):
        return scale(along, like[0].dtype.type(-1))
    return along


@kernel
def add_coincident(
    i: int, cell: tuple[int, int, int], arranged: Arranged, ahead: Columns, page: Array, line: int,
    period: tuple[Any, ...], repulsion: tuple[Any, ...], offset: tuple[Any, ...], carry: tuple[Any, ...],
    which: Array, tiny2: Any, own: tuple[Any, ...],
) -> None:  # fmt: skip
    """Add to the sums of watcher i, in this cell (x, y, z), the candidates that the innermost loop has skipped.

    For the arguments see `sums.sum_cell`.
    """
    grid, candidates, watchers, names = arranged.grid, arranged.candidates, arranged.watchers, arranged.names
    here = load(watchers.position, i)
    row = watchers.row[i]
    for k in range(27):
        column, shift_x = neighbor(grid, 0, cell[0] - 1 + k % 3)
        beside, shift_y = neighbor(grid, 1, cell[1] - 1 + (k // 3) % 3)
        layer, shift_z = neighbor(grid, 2, cell[2] - 1 + k // 9)
        if column < 0 or beside < 0 or layer < 0:
            continue
        c = (layer * grid.shape[1] + beside) * grid.shape[0] + column
        move = vector(candidates.position, shift_x, shift_y, shift_z)
        for j in range(candidates.start[c], candidates.start[c + 1]):
            if names.same and candidates.row[j] == row + names.first:
                continue
            to = way(add(load(candidates.position, j), move), here, period)
            d2 = dot(to, to)
            if d2 <= tiny2:
                apart = direction(names.own[row], names.other[candidates.row[j]], names.tie, candidates.position)
                facing = facing_of(to, i, ahead)
                for s in range(which.size):
                    if len(repulsion) > 0:
                        if len(own) > 0:
                            slot = own_numbers(repulsion[0], s, own, i, row, 0)
                        else:
                            slot = slot_of(repulsion[0], s)
                        push = push_of(to, d2, apart, slot, repulsion)
                        add_to(page, s, line, REPULSION, push, noticed(d2, facing, slot, ahead))
                    if len(offset) > 0:
                        if len(own) > 0:
                            slot = own_numbers(offset[0], s, own, i, row, place_of_offset(repulsion))
                        else:
                            slot = slot_of(offset[0], s)
                        add_to(page, s, line, OFFSET, to, noticed(d2, facing, slot, ahead))
                    if len(carry) > 0:
                        carried = load(candidates.payload, j + which[s] * candidates.position[0].size)
                        if len(own) > 0:
                            slot = own_numbers(carry[0], s, own, i, row, place_of_carry(repulsion, offset))
                        else:
                            slot = slot_of(carry[0], s)
                        add_to(page, s, line, CARRY, carried, noticed(d2, facing, slot, ahead))


@kernel
def way(there: Vector, here: Vector, period: tuple[Any, ...]) -> Vector:
    """The offset to another vehicle [m], by the minimum image if there is a period."""
    if len(period) > 0:
        return difference(there, here, period[0])
    return subtract(there, here)


@kernel
def facing_of(to: Vector, i: int, ahead: Columns) -> Any:
    """The sign-squared projection of an offset on the view axis of watcher i [m^2]."""
    if len(ahead) == 0:
        return to[0] * ZERO
    along = dot(to, load(ahead, i))
    return along * abs(along)


@kernel
def noticed(d2: Any, facing: Any, slot: Slot, ahead: Columns) -> Any:
    """One if a candidate is seen, else zero; a coincident candidate is seen at any angle."""
    if d2 <= slot.tiny2:
        return ONE if d2 <= slot.radius2 else ZERO
    return visible(d2, facing, slot, ahead)


@kernel
def push_of(to: Vector, d2: Any, apart: Vector, slot: Slot, form: tuple[Any, ...]) -> Vector:
    """The repulsion of one neighbor, along `apart` if it coincides."""
    if d2 <= slot.tiny2:
        return scale(apart, slot.close)
    return scale(to, -weight(d2, slot, form))


@kernel
def add_to(page: Array, s: int, line: int, column: int, vector: Vector, mask: Any) -> None:
    """Add one neighbor to a sum, if `mask` is one."""
    if mask != ZERO:
        page[s, line, column] += vector[0]
        page[s, line, column + 1] += vector[1]
        if len(vector) == 2:
            page[s, line, column + 2] += mask
        else:
            page[s, line, column + 2] += vector[2]
            page[s, line, column + 3] += mask

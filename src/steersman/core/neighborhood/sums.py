"""The innermost loop: sums over a pool of candidates, for the vehicles of one cell.

The loop has no branch, so that the compiler turns it into vector instructions: a candidate that a vehicle does not see is
added with weight zero. Where an argument is an empty tuple, the compiler removes the part that needs it: a kind of sum, the
test of the view, the minimum image.

Two things would keep the compiler from vectorizing the loop, here and in its callers: a test for negative indices, so indices
are unsigned; and an array that is taken out of a tuple in the loop, because that counts a reference.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, add_scaled, dot, load, subtract
from steersman.core.neighborhood.slots import Slot
from steersman.core.typing import Array, Columns, Vector

HIDDEN = np.float32(1e30)
"""Added to the squared distance of candidates that the loop skips, so that they are outside of every radius."""

TURNS = np.float32(1e6)
"""The largest number of periods by which an image is moved, so that padding stays far away."""

REPULSION, OFFSET, CARRY, WIDTH = 0, 4, 8, 16
"""Columns of a line of sums, and its length. A line is a cache line, because vehicles are visited in random order."""


class Watchers(NamedTuple):
    """The watchers (the population that looks for neighbors), in the order of its cells.

    Attributes:
        start: Where each cell begins, shape (at least cells + 2,), int32.
        row: The row in the population of each watcher, shape (n,), int32.
        position: Positions [m], d arrays of shape (n,).
        hidden: For each watcher HIDDEN times the number of candidates that the innermost loop has skipped, shape (n,).
    """

    start: Array
    row: Array
    position: Columns
    hidden: Array


class Pool(NamedTuple):
    """The candidates for the vehicles of one cell.

    Attributes:
        position: Positions [m], d arrays.
        payload: Other vectors of the candidates, d arrays; used only if there is a `carry` slot.
        first, last: The range of the candidates: first <= j < last, a multiple of LANES.
        away: The payload of candidate j is at j + away.
    """

    position: Columns
    payload: Columns
    first: Any
    last: Any
    away: Any


@kernel
def sum_cell(
    begin: Any, end: Any, s: Any, watchers: Watchers, ahead: Columns, pool: Pool, page: Array, line: Any,
    period: tuple[Any, ...], repulsion: tuple[Any, ...], offset: tuple[Any, ...], carry: tuple[Any, ...], tiny2: Any,
    row_flags: Array, own: tuple[Any, ...],
) -> None:  # fmt: skip
    """Write the sums of slot set s for the watchers begin <= i < end.

    Args:
        begin, end, s: The range of watchers, and the slot set.
        watchers: All watchers.
        ahead: Their forward vectors, or an empty tuple when every field of view is full.
        pool: The candidates.
        page, line: The array that takes the sums, shape (slot sets, lines, WIDTH), and the line of the first watcher.
        period: The array of `Domain.wrap` when differences need the minimum image, else empty.
        repulsion, offset, carry: For each kind of sum a tuple with its numbers, shape (slot sets, NUMBERS), once or several
            times: the length tells the compiler the form of repulsion (see `slots.form_of`). Empty if the kind is not wanted.
        tiny2: Squared distance [m^2] up to which candidates are skipped, and counted in `hidden`.
        row_flags: The flags of the rows that ask for sums, uint8; empty if all do. Other rows are skipped.
        own: Empty, or the numbers in which watchers differ (see `own_numbers`).
    """
    here, hidden, row = watchers.position, watchers.hidden, watchers.row
    near, payload, first, last, away = pool.position, pool.payload, pool.first, pool.last, pool.away
    none = nothing(near)
    if len(period) > 0:
        wrap = period[0]
    for i in range(begin, end):
        if len(repulsion) > 0:
            if len(own) > 0:
                r_slot = own_numbers(repulsion[0], s, own, i, row[i], 0)
            else:
                r_slot = slot_of(repulsion[0], s)
        if len(offset) > 0:
            if len(own) > 0:
                o_slot = own_numbers(offset[0], s, own, i, row[i], place_of_offset(repulsion))
            else:
                o_slot = slot_of(offset[0], s)
        if len(carry) > 0:
            if len(own) > 0:
                c_slot = own_numbers(carry[0], s, own, i, row[i], place_of_carry(repulsion, offset))
            else:
                c_slot = slot_of(carry[0], s)
        if row_flags.size > 0 and row_flags[row[i]] == 0:
            hidden[i] = ZERO
            continue
        place = load(here, i)
        excluded = pushers = others = carriers = ZERO
        pushed, center, carried = none, none, none
        if len(ahead) > 0:
            front = load(ahead, i)
        for j in range(np.uint64(first), np.uint64(last)):
            if len(period) > 0:
                to = image(subtract(load(near, j), place), wrap)
            else:
                to = subtract(load(near, j), place)
            d2 = dot(to, to)
            left_out = ZERO if d2 > tiny2 else HIDDEN
            excluded += left_out
            d2 += left_out
            facing = ZERO
            if len(ahead) > 0:
                along = dot(to, front)
                facing = along * abs(along)
            if len(repulsion) > 0:
                mask = visible(d2, facing, r_slot, ahead)
                pushed = add_scaled(pushed, to, -mask * weight(d2, r_slot, repulsion))
                pushers += mask
            if len(offset) > 0:
                mask = visible(d2, facing, o_slot, ahead)
                center = add_scaled(center, to, mask)
                others += mask
            if len(carry) > 0:
                mask = visible(d2, facing, c_slot, ahead)
                carried = add_scaled(carried, load(payload, j + np.uint64(away)), mask)
                carriers += mask
        hidden[i] = excluded
        if len(repulsion) > 0:
            put(page, s, i - begin + line, REPULSION, pushed, pushers)
        if len(offset) > 0:
            put(page, s, i - begin + line, OFFSET, center, others)
        if len(carry) > 0:
            put(page, s, i - begin + line, CARRY, carried, carriers)


@kernel
def own_numbers(numbers: Array, s: Any, own: tuple[Any, ...], i: Any, row: Any, place: int) -> Slot:
    """The numbers of slot set s for a watcher that has some of its own.

    Args:
        numbers: Those of all watchers, shape (slot sets, NUMBERS).
        s: The slot set.
        own: Those in which watchers differ: `OwnNumbers.near` in the order of the cells, and `OwnNumbers.rare` by row.
        i, row: The watcher, and its row.
        place: The place of the kind among those that are wanted.
    """
    k, j = np.uint64(place * numbers.shape[0] + s), np.uint64(i)
    near, rare = own
    at, coincident = k * np.uint64(4), np.uint64(2) * k
    radius2, inner2, edge, limit = (
        near[j, at],
        near[j, at + np.uint64(1)],
        near[j, at + np.uint64(2)],
        near[j, at + np.uint64(3)],
    )
    all_share = slot_of(numbers, s)
    fade = ONE / radius2 if all_share.fade > ZERO else ZERO
    return Slot(
        *(radius2, inner2, edge, fade, limit, rare[row, coincident], rare[row, coincident + np.uint64(1)]),
        *(all_share.power, all_share.c0, all_share.c1, all_share.c2, all_share.c3, all_share.c4),
    )


@kernel
def slot_of(numbers: Array, s: Any) -> Slot:
    """The numbers of slot set s, by name."""
    row = numbers[s]
    return Slot(
        row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10], row[11], row[12]
    )


@kernel
def place_of_offset(repulsion: tuple[Any, ...]) -> int:
    """The place of offsets among the wanted kinds."""
    return min(len(repulsion), 1)


@kernel
def place_of_carry(repulsion: tuple[Any, ...], offset: tuple[Any, ...]) -> int:
    """The place of what is carried among the wanted kinds."""
    return min(len(repulsion), 1) + min(len(offset), 1)


@kernel
def image(to: Vector, wrap: Array) -> Vector:
    """The minimum image of an offset [m], except for padding, which stays far away."""
    x, y = to[0] - wrap[0, 0] * turns(to[0] * wrap[1, 0]), to[1] - wrap[0, 1] * turns(to[1] * wrap[1, 1])
    if len(to) == 2:
        return (x, y)
    return (x, y, to[2] - wrap[0, 2] * turns(to[2] * wrap[1, 2]))


@kernel
def turns(periods: Any) -> Any:
    """The nearest whole number, at most TURNS in size."""
    return min(max(np.rint(periods), -TURNS), TURNS)


@kernel
def visible(d2: Any, facing: Any, slot: Slot, ahead: Columns) -> Any:
    """One if a candidate is seen, else zero. `facing` is the sign-squared projection of its offset on the view axis [m^2]."""
    if len(ahead) > 0:
        in_view = ((d2 <= slot.radius2) & (facing >= slot.edge * d2)) | (d2 <= slot.inner2)
    else:
        in_view = d2 <= slot.radius2
    return ONE if in_view else ZERO


@kernel
def weight(d2: Any, slot: Slot, form: tuple[Any, ...]) -> Any:
    """Repulsion divided by distance; the length of `form` is its form: INVERSE, SERIES or ANY.

    Beyond the radius, where it does not count, it is finite: padding is far away, and a product with `fade` would overflow.
    """
    if len(form) == 1:
        return ONE / d2 - slot.fade
    inverse = ONE / math.sqrt(d2)
    if len(form) == 2:
        push = (((slot.c4 * inverse + slot.c3) * inverse + slot.c2) * inverse + slot.c1) * inverse + slot.c0
    else:
        push = d2**slot.power
    return min(push, slot.limit) * inverse * (ONE - min(d2, slot.radius2) * slot.fade)


@kernel
def nothing(like: Columns) -> Vector:
    """The zero vector."""
    if len(like) == 2:
        return (ZERO, ZERO)
    return (ZERO, ZERO, ZERO)


@kernel
def put(page: Array, s: int, line: int, column: int, total: Vector, count: Any) -> None:
    """Write one sum, its components and then its count, from a column of a line on."""
    page[s, line, column] = total[0]
    page[s, line, column + 1] = total[1]
    if len(total) == 2:
        page[s, line, column + 2] = count
    else:
        page[s, line, column + 2] = total[2]
        page[s, line, column + 3] = count

"""Assignment of vehicles to the slots of a formation.

Empty slots are filled in their order, each with the nearest vehicle that has none. Then slots are exchanged, two at a
time, as long as that saves more than a tenth of the two squared distances; so ways do not cross, and a vehicle keeps
its slot unless there is something to gain. The order of the vehicles means nothing, only that of the slots.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.frames import to_global, up_at
from steersman.core.maths.vectors import add, difference, dot, load
from steersman.core.typing import Array, Columns, Vector

LOYALTY = np.float32(0.9)
"""Slots are exchanged where the squared distances fall below this part of their former sum."""

ROUNDS = 50
"""Largest number of times that all pairs of slots are gone through."""


class Anchor(NamedTuple):
    """The anchor that a formation is fixed to.

    Attributes:
        position, velocity, forward, up: Columns of the anchor [m, m/s, unit vectors]; `up` is empty in 2D.
        row: Its row, -1 where it is gone, shape (1,), int64.
        own: Whether it is one of the vehicles of the formation themselves.
    """

    position: Columns
    velocity: Columns
    forward: Columns
    up: Columns
    row: Array
    own: bool


@kernel
def slot_offset(anchor: Anchor, slots: Columns, k: Any) -> Vector:
    """Where slot k is, from the leader [m]."""
    row = anchor.row[0]
    return to_global(load(slots, k), load(anchor.forward, row), up_at(anchor.up, row))


@kernel
def slot_at(anchor: Anchor, slots: Columns, k: Any) -> Vector:
    """Where slot k is [m]."""
    return add(load(anchor.position, anchor.row[0]), slot_offset(anchor, slots, k))


@kernel
def slot_cost(place: Columns, i: Any, anchor: Anchor, slots: Columns, k: Any, wrap: Array) -> Any:
    """Squared distance of vehicle i from slot k [m^2]."""
    way = difference(slot_at(anchor, slots, k), load(place, i), wrap)
    return dot(way, way)


@kernel
def assign(
    place: Columns, anchor: Anchor, slots: Columns, wrap: Array, ticks: bool, now: Array, holder: Array, taken: Array
) -> None:
    """Give every vehicle a slot, or -1 when there are not enough.

    Args:
        place: Positions of the vehicles [m].
        anchor: The anchor that the formation is fixed to.
        slots: Local positions of the slots [m].
        wrap: The domain, see `Domain.wrap`.
        ticks: Whether slots are to be exchanged although every vehicle has one.
        now: Slot of every vehicle before, shape (n,), int64.
        holder: The vehicle that has each slot, written, shape (slots,), int64.
        taken: Slot of every vehicle, written, shape (n,), int64.
    """
    holder[:] = -1
    taken[:] = -1
    lead = anchor.row[0]
    missing = 0
    for i in range(now.size):
        k = now[i]
        if anchor.own and i == lead:
            continue
        if 0 <= k < holder.size and holder[k] < 0:
            holder[k] = i
            taken[i] = k
        else:
            missing += 1
    if lead < 0 or now.size == 0:
        return
    if missing > 0:
        fill(place, anchor, slots, wrap, holder, taken)
    if missing > 0 or ticks:
        exchange(place, anchor, slots, wrap, holder)
        for k in range(holder.size):
            if holder[k] >= 0:
                taken[holder[k]] = k


@kernel
def fill(place: Columns, anchor: Anchor, slots: Columns, wrap: Array, holder: Array, taken: Array) -> None:
    """Fill empty slots in their order, each with the nearest vehicle that has none."""
    for k in range(holder.size):
        if holder[k] >= 0:
            continue
        nearest = -1
        best = slot_cost(place, 0, anchor, slots, k, wrap)
        for i in range(taken.size):
            if taken[i] < 0 and not (anchor.own and i == anchor.row[0]):
                cost = slot_cost(place, i, anchor, slots, k, wrap)
                if nearest < 0 or cost < best:
                    nearest, best = i, cost
        if nearest < 0:
            return
        holder[k] = nearest
        taken[nearest] = k


@kernel
def exchange(place: Columns, anchor: Anchor, slots: Columns, wrap: Array, holder: Array) -> None:
    """Exchange slots two at a time, as long as there is something to gain; one of the two may be empty."""
    for _ in range(ROUNDS):
        changed = False
        for a in range(holder.size):
            for b in range(a + 1, holder.size):
                i, j = holder[a], holder[b]
                if i < 0 and j < 0:
                    continue
                before = after = slot_cost(place, 0, anchor, slots, a, wrap) * LOYALTY * np.float32(0)
                if i >= 0:
                    before += slot_cost(place, i, anchor, slots, a, wrap)
                    after += slot_cost(place, i, anchor, slots, b, wrap)
                if j >= 0:
                    before += slot_cost(place, j, anchor, slots, b, wrap)
                    after += slot_cost(place, j, anchor, slots, a, wrap)
                if after < LOYALTY * before:
                    holder[a], holder[b] = j, i
                    changed = True
        if not changed:
            return

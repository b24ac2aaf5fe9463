"""Assignment of vehicles to the slots of a formation.

Empty slots are filled in their order, each with the nearest vehicle that has none. Then the same vehicles are matched with
the same slots so that the sum of the squared distances is the least there is, up to MOST of them: no two of them that
go straight, in equal times, ever meet. Later slots are exchanged, two at a time, as long as that saves more than a tenth of
the two squared distances, so a vehicle keeps its slot unless there is something to gain; one that is bound keeps it in any
case. The order of the vehicles means nothing, only that of the slots.

The matching is the Hungarian method by shortest augmenting paths: R. Jonker, A. Volgenant, "A shortest augmenting path
algorithm for dense and sparse linear assignment problems", Computing 38 (1987); of its heuristics only the reduction of
columns.
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


MOST = 1000
"""The most vehicles that are matched at once: the time grows with the third power of their number."""


class Matching(NamedTuple):
    """Scratch of `match` for k slots.

    Attributes:
        slot, vehicle: The slots that are held, and the vehicles that hold them, shape (k,), int64.
        price, rent: The dual variables of slots and vehicles, shape (k + 1,), float64.
        near: The least reduced cost by which each vehicle is reached so far, shape (k + 1,), float64.
        of, before: The slot of each vehicle, and the vehicle before it on the way, counted from 1, shape (k + 1,), int64.
        reached: The vehicles on the way, shape (k + 1,), uint8.
    """

    slot: Array
    vehicle: Array
    price: Array
    rent: Array
    near: Array
    of: Array
    before: Array
    reached: Array

    @classmethod
    def new(cls, slots: int) -> "Matching":
        """Room for so many slots."""
        size = slots + 1
        slot, vehicle = np.zeros((2, slots), np.int64)
        price, rent, near = np.zeros((3, size))
        of, before = np.zeros((2, size), np.int64)
        return cls(slot, vehicle, price, rent, near, of, before, np.zeros(size, np.uint8))


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
    place: Columns, anchor: Anchor, slots: Columns, wrap: Array, ticks: bool, now: Array, holder: Array, taken: Array,
    members: Array, count: Array, bound: Array, scratch: Matching,
) -> None:  # fmt: skip
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
        members: Whether each vehicle takes part, shape (n,), uint8.
        count: The number of slots that count, shape (1,), int64.
        bound: Vehicles that keep the slot that they have, shape (n,), uint8, or () where there are none.
        scratch: Scratch.
    """
    holder[:] = -1
    taken[:] = -1
    lead = anchor.row[0]
    missing = 0
    for i in range(now.size):
        k = now[i]
        if not members[i] or (anchor.own and i == lead):
            continue
        if 0 <= k < count[0] and holder[k] < 0:
            holder[k] = i
            taken[i] = k
        else:
            missing += 1
    if lead < 0 or now.size == 0:
        return
    if missing > 0:
        fill(place, anchor, slots, wrap, holder, taken, members, count[0])
        match(place, anchor, slots, wrap, holder, count[0], bound, scratch)
    if missing > 0 or ticks:
        exchange(place, anchor, slots, wrap, holder, count[0], bound)
        for k in range(count[0]):
            if holder[k] >= 0:
                taken[holder[k]] = k


@kernel
def match(
    place: Columns, anchor: Anchor, slots: Columns, wrap: Array, holder: Array, count: int, bound: Array,
    scratch: Matching,
) -> None:  # fmt: skip
    """Exchange the slots that are held so that the sum of the squared distances is the least, without bound vehicles.

    A slot after the other is matched: the shortest way of reduced costs leads from it to a vehicle that is not matched yet,
    and all on the way change their partners.
    """
    size = 0
    for k in range(count):
        if holder[k] >= 0 and not keeps(holder[k], bound):
            scratch.slot[size], scratch.vehicle[size] = k, holder[k]
            size += 1
    if size > MOST:
        return
    scratch.price[: size + 1], scratch.rent[: size + 1], scratch.of[: size + 1] = 0.0, np.inf, 0
    scratch.rent[0] = 0.0
    for s in range(size):
        there = slot_at(anchor, slots, scratch.slot[s])
        for j in range(size):
            way = difference(there, load(place, scratch.vehicle[j]), wrap)
            scratch.rent[j + 1] = min(scratch.rent[j + 1], np.float64(dot(way, way)))
    for s in range(1, size + 1):
        scratch.of[0], at = s, 0
        scratch.near[: size + 1], scratch.reached[: size + 1] = np.inf, 0
        while scratch.of[at] != 0:
            scratch.reached[at] = 1
            at = next_on_way(at, size, place, anchor, slots, wrap, scratch)
        while at != 0:
            scratch.of[at] = scratch.of[scratch.before[at]]
            at = scratch.before[at]
    for j in range(1, size + 1):
        holder[scratch.slot[scratch.of[j] - 1]] = scratch.vehicle[j - 1]


@kernel
def next_on_way(
    at: int, size: int, place: Columns, anchor: Anchor, slots: Columns, wrap: Array, scratch: Matching
) -> int:
    """Look from the last vehicle that was reached, and return the next one by reduced costs, which are brought up to date."""
    near, reached, rent, price, of = scratch.near, scratch.reached, scratch.rent, scratch.price, scratch.of
    s = of[at]
    there, paid = slot_at(anchor, slots, scratch.slot[s - 1]), price[s]
    least, following = np.inf, 0
    for j in range(1, size + 1):
        if reached[j]:
            continue
        way = difference(there, load(place, scratch.vehicle[j - 1]), wrap)
        cost = np.float64(dot(way, way)) - paid - rent[j]
        if cost < near[j]:
            near[j], scratch.before[j] = cost, at
        if near[j] < least:
            least, following = near[j], j
    for j in range(size + 1):
        if reached[j]:
            price[of[j]] += least
            rent[j] -= least
        else:
            near[j] -= least
    return following


@kernel
def fill(
    place: Columns, anchor: Anchor, slots: Columns, wrap: Array, holder: Array, taken: Array, members: Array, count: int
) -> None:
    """Fill empty slots in their order, each with the nearest vehicle that has none."""
    for k in range(count):
        if holder[k] >= 0:
            continue
        nearest = -1
        best = slot_cost(place, 0, anchor, slots, k, wrap)
        for i in range(taken.size):
            if taken[i] < 0 and members[i] and not (anchor.own and i == anchor.row[0]):
                cost = slot_cost(place, i, anchor, slots, k, wrap)
                if nearest < 0 or cost < best:
                    nearest, best = i, cost
        if nearest < 0:
            return
        holder[k] = nearest
        taken[nearest] = k


@kernel
def keeps(i: int, bound: Array) -> bool:
    """Whether vehicle i, or -1 for none, keeps its slot."""
    return bound.size > 0 and i >= 0 and bound[i] != 0


@kernel
def exchange(
    place: Columns, anchor: Anchor, slots: Columns, wrap: Array, holder: Array, count: int, bound: Array
) -> None:
    """Exchange slots two at a time, as long as there is something to gain; one of the two may be empty."""
    for _ in range(ROUNDS):
        changed = False
        for a in range(count):
            for b in range(a + 1, count):
                i, j = holder[a], holder[b]
                if (i < 0 and j < 0) or keeps(i, bound) or keeps(j, bound):
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

"""Fading: a force goes over to another one in a stated time, and does not jump.

    force = truncate(what is asked for, max_force) + rest
    rest  = (the force before - what is asked for) * left / period,   left = period - time since the change

At a change the rest is what makes the force go on as it was; it shrinks to zero in a straight line. While there is no change,
the force follows what is asked for without any delay. Where two parts take turns at every step, what comes out is their mean:
each step goes the part dt / period of the way, so that it is the same at any frame rate. What is urgent is not held up: when
any part but the lowest takes over, the rest is cut to what that part leaves of max_force (nothing, if it asks for all).

Known from animation as inertialization (Bollo 2018, "Inertialization: High-Performance Animation Transitions in Gears of
War"); Reynolds 1999, "Combining Behaviors", speaks of explicit damping of acceleration to blend choices together.
"""

from typing import Any

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import (
    ZERO,
    Array,
    Columns,
    add,
    length,
    load,
    scale,
    store,
    subtract,
    truncate,
)  # fmt: skip
from steersman.steering.behavior import Out
from steersman.steering.scene import Clock, Scene
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicles import Vehicles

NEVER = -2
"""Step of those who have not been steered yet."""


@kernel
def begin_winner(start: int, stop: int, winner: Array) -> None:
    """Nobody has won yet."""
    winner[start:stop] = -1


@kernel
def note_winner(start: int, stop: int, acts: Array, index: int, winner: Array) -> None:
    """Note whom a part claims."""
    for i in range(start, stop):
        if acts[i]:
            winner[i] = index


@kernel
def fade(
    start: int, stop: int, max_force: Array, winner: Array, winner_now: Array, seen_now: Array, left_now: Array,
    clock: Clock, numbers: Array, last: tuple[Columns, Columns], rest: tuple[Columns, Columns], total: Out,
) -> None:  # fmt: skip
    """Let a sum go over to what the winner wants. Numbers: period, number of the lowest part.

    `last` and `rest` are memory, as it is and as it will be.
    """
    for i in range(start, stop):
        if not total.active[i]:
            continue
        force = truncate(load(total.linear, i), max_force[i])
        remains = left_of(i, winner, winner_now, seen_now, left_now, clock, numbers)[1]
        if winner[i] == winner_now[i]:
            over = scale(load(rest[0], i), remains)
        else:
            over = scale(subtract(load(last[0], i), force), remains)
            if 0 <= winner[i] < numbers[1]:
                over = truncate(over, max(max_force[i] - length(force), ZERO))
        if remains == ZERO:
            over = scale(force, ZERO)
        force = add(force, over)
        store(rest[1], i, over)
        store(last[1], i, force)
        store(total.linear, i, force)


@kernel
def left_of(
    i: int, winner: Array, winner_now: Array, seen_now: Array, left_now: Array, clock: Clock, period: Array
) -> tuple[Any, Any]:
    """How long the change still takes [s], and the part of the rest that remains after this step.

    Who was not steered in the step before begins anew, without a rest.
    """
    none = left_now[i] * ZERO
    if seen_now[i] + 1 != np.int64(clock.step[0]):
        return none, none
    before = period[0] if winner[i] != winner_now[i] else left_now[i]
    left = max(before - clock.dt[0], ZERO)
    return left, left / before if before > ZERO else none


@kernel
def remember(
    start: int, stop: int, active: Array, winner: Array, winner_now: Array, winner_next: Array, seen_now: Array,
    seen_next: Array, left_now: Array, left_next: Array, clock: Clock, period: Array,
) -> None:  # fmt: skip
    """Keep who won, and how long the change still takes."""
    for i in range(start, stop):
        if active[i]:
            left_next[i] = left_of(i, winner, winner_now, seen_now, left_now, clock, period)[0]
            winner_next[i] = winner[i]
            seen_next[i] = np.int64(clock.step[0])


def fading_memory(vehicles: Vehicles) -> dict[str, Array]:
    """Who won (-1: nobody) and in which step, how long the change still takes, the force given last, and the rest."""
    n, d, dtype = len(vehicles), vehicles.dimensions, vehicles.dtype
    turning = 1 if d == 2 else 3
    return {
        "winner": np.full(n, -1, np.int64),
        "seen": np.full(n, NEVER, np.int64),
        "left": np.zeros(n, dtype),
        "last": np.zeros((n, d), dtype),
        "rest": np.zeros((n, d), dtype),
        "last_turning": np.zeros((n, turning), dtype),
        "rest_turning": np.zeros((n, turning), dtype),
    }


def fade_calls(scene: Scene, memory: Memory, period: float, winner: Array, total: Out) -> list[Call]:
    """Let a sum, and the angular accelerations beside it, go over to what the winner wants.

    Args:
        scene: What the node sees.
        memory: As `fading_memory` made it.
        period: How long a change takes [s], > 0.
        winner: Number of the part that won, shape (n,), -1 for none.
        total: What the winner wants.
    """
    numbers = scene.numbers(period, len(scene.node.children) - 1)
    state = (winner, memory.now("winner"), memory.now("seen"), memory.now("left"), scene.clock, numbers)
    calls = []
    for (limit, (own,)), suffix in zip(scene.kinds(total), ("", "_turning"), strict=False):
        last, rest = (
            (memory.now(name + suffix), memory.next(name + suffix)) for name in ("last", "rest")
        )  # fmt: skip
        calls.append(Call(fade, (limit, *state, last, rest, own)))
    pairs = [each for name in ("winner", "seen", "left") for each in (memory.now(name), memory.next(name))]
    return [*calls, Call(remember, (total.active, winner, *pairs, scene.clock, numbers))]

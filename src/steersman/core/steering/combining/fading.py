"""Fading: a force goes over to another one in a stated time, and does not jump.

    force = truncate(force asked for, max_force) + rest
    rest  = (the force before - the force asked for) * left / period,   left = period - time since the change

At a change the rest makes the force continue from its former value; it shrinks to zero in a straight line. While there
is no change, the force follows the force asked for without any delay. Where two parts take turns at every step, the
result is their mean: each step goes the part dt / period of the way, so that it is the same at any frame rate. Urgent
parts are not held up: when any part but the lowest takes over, the rest is cut to the force that this part leaves of
max_force (zero, if it asks for all). Nor are vehicles that have met others at a common goal (`driving/resting.py`): pushed
on after each push, and held up where they brake, they would not come to rest there.

Known from animation as inertialization (Bollo 2018, "Inertialization: High-Performance Animation Transitions in Gears of
War"); Reynolds 1999, "Combining Behaviors", speaks of explicit damping of acceleration to blend choices together.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, add, length, load, scale, store, subtract, truncate
from steersman.core.steering.driving.resting import Resting, meets_others, resting_after
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import Amounts, Out
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.columns import turning_components
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

NEVER = -2
"""Step of vehicles that have not been steered yet."""


class Faded(NamedTuple):
    """Memory of one sum, as it is and as it will be.

    Attributes:
        last, last_next: The force, or angular acceleration, given [N, or rad/s^2], columns of shape (n,).
        rest, rest_next: The rest of the change [N, or rad/s^2].
    """

    last: Columns
    last_next: Columns
    rest: Columns
    rest_next: Columns


@kernel
def begin_winner(start: int, stop: int, winner: Array) -> None:
    """Start without a winner."""
    winner[start:stop] = -1


@row_kernel
def note_winner(i: int, acts: Array, index: int, winner: Array) -> None:
    """Note the vehicles that a part claims."""
    if acts[i]:
        winner[i] = index


@row_kernel
def fade(
    i: int, limits: Amounts, winner: Array, winner_now: Array, step_now: Array, left_now: Array, clock: Clock,
    period: Any, lowest: int, force: Faded, turning: Faded, resting: tuple[Resting, ...], total: Out,
) -> None:  # fmt: skip
    """Let both sums go over to those of the winner, within a period [s]. `lowest` is the number of the lowest part."""
    if total.active[i]:
        remains = left_of(i, winner, winner_now, step_now, left_now, clock, period)[1]
        if len(resting) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
            if meets_others(resting[0], i, clock.step):
                remains = ZERO * remains
        changed, urgent = winner[i] != winner_now[i], 0 <= winner[i] < lowest
        go_over(total.linear, i, limits.force, remains, changed, urgent, force)
        turn_over(total.angular, i, limits.turning, remains, changed, urgent, turning)


@kernel
def go_over(sums: Columns, i: int, limit: Array, remains: Any, changed: bool, urgent: bool, faded: Faded) -> None:
    """Let row i of a sum go over."""
    total = truncate(load(sums, i), limit[i])
    if changed:
        over = scale(subtract(load(faded.last, i), total), remains)
        if urgent:
            over = truncate(over, max(limit[i] - length(total), ZERO))
    else:
        over = scale(load(faded.rest, i), remains)
    if remains == ZERO:
        over = scale(total, ZERO)
    force = add(total, over)
    store(faded.rest_next, i, over)
    store(faded.last_next, i, force)
    store(sums, i, force)


@kernel
def turn_over(
    sums: Columns, i: int, limit: Columns, remains: Any, changed: bool, urgent: bool, faded: Faded
) -> None:  # fmt: skip
    """The same of turning, where vehicles turn."""
    if len(sums) != 0:
        go_over(sums, i, limit[0], remains, changed, urgent, faded)


@kernel
def left_of(
    i: int, winner: Array, winner_now: Array, step_now: Array, left_now: Array, clock: Clock, period: Any
) -> tuple[Any, Any]:
    """How long the change still takes [s], and the part of the rest that remains after this step.

    A vehicle that was not steered in the step before begins anew, without a rest.
    """
    none = left_now[i] * ZERO
    if step_now[i] + 1 != np.int64(clock.step[0]):
        return none, none
    before = period if winner[i] != winner_now[i] else left_now[i]
    remaining = max(before - clock.dt[0], ZERO)
    return remaining, remaining / before if before > ZERO else none


@row_kernel
def remember(
    i: int, active: Array, winner: Array, winner_now: Array, winner_next: Array, step_now: Array, step_next: Array,
    left_now: Array, left_next: Array, clock: Clock, period: Any,
) -> None:  # fmt: skip
    """Keep the winner, and the time that the change still takes."""
    left_next[i] = left_of(i, winner, winner_now, step_now, left_now, clock, period)[0]
    winner_next[i] = winner[i]
    step_next[i] = np.int64(clock.step[0])


def fading_memory(vehicles: Vehicles) -> dict[str, Array]:
    """The winner (-1: none) and its step, the time that the change still takes, the last force, and the rest."""
    n, d, dtype = len(vehicles), vehicles.dimensions, vehicles.dtype
    turning = turning_components(d)
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
    """Let sums go over to those of the winner.

    Args:
        scene: The scene of the node.
        memory: As `fading_memory` made it.
        period: How long a change takes [s], > 0.
        winner: Number of the part that won, shape (n,), -1 for none.
        total: The sums of the winner.
    """
    held, lowest = scene.number(period), len(scene.node.children) - 1
    state = (winner, memory.now("winner"), memory.now("seen"), memory.now("left"), scene.clock, held)
    force, turning = (
        Faded(*(look(name + suffix) for name in ("last", "rest") for look in (memory.now, memory.next)))
        for suffix in ("", "_turning")
    )
    turning = turning if scene.turns else Faded((), (), (), ())
    pairs = [each for name in ("winner", "seen", "left") for each in (memory.now(name), memory.next(name))]
    return [
        Call(fade, (scene.limits, *state, lowest, force, turning, resting_after(scene.resting), total)),
        Call(remember, (total.active, winner, *pairs, scene.clock, held)),
    ]

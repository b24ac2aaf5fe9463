"""Priority: the first part that acts has the vehicle to itself.

    force = force_k,   k = min of all parts that act

Reynolds 1999, "Combining Behaviors": first priority is obstacle avoidance, second is evasion, and so on; a part is
asked only when none above it acted. Lecture W: groups that are blended inside, with priorities between the groups; a
group here is any combinator, such as a sum. Lecture L calls it arbitration.

A part acts when its force is longer than a millionth of max_force, or when it has a goal: a satisfied Seek gives
exactly zero, and must not let the vehicle fall through to the parts below, or it would tremble between the two.

A part may need less than max_force, as Contain does, and share: then the parts below it are asked as well, and use the
rest of max_force, as in a TruncatedSum ("lengths"). A change from one to the other is as soft as the force of the part
that shares.

In a crowd the winner may change at every step, and the force jumps each time. With `blend` it does not: see `fading.py`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, length, load, store, truncate
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import is_given
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.fading import begin_winner, fade_calls, fading_memory, note_winner
from steersman.core.steering.combining.weighted_sum import PARTS
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sums import clear, hand_up_turning
from steersman.core.steering.tree.forces import CHOOSE, RAW, SHARES, Amounts, Out, deposit
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles


@row_kernel(every=True, some=True)
def begin(i: int, active: Array, waiting: Array) -> Any:
    """All vehicles that the node is asked to steer wait for a part that acts."""
    waiting[i] = active[i]
    return active[i]


@kernel
def settle(start: int, stop: int, part: Out, limits: Amounts, waiting: Array, some: Array, out: Out) -> None:
    """Give the force of a part that acts to the node above; those vehicles wait no longer.

    Where a part does not act the edge CHOOSE has left zero, so that as a rule there is only an addition, without a
    branch.
    """
    if out.edge[1] <= ZERO:
        add_weighed(start, stop, part.linear, out.edge[0], out.linear)
    else:
        for i in range(start, stop):
            if part.acts[i]:
                deposit(out, i, load(part.linear, i), limits.force[i], True)
    hand_up_turning(start, stop, part.angular, part.acts, part.acts, limits.turning, out)
    waits = np.uint8(0)
    for i in range(start, stop):
        acts = part.acts[i]
        out.acts[i] |= acts
        still_waits = np.uint8(waiting[i] & (acts ^ np.uint8(1)))
        waiting[i] = still_waits
        waits |= still_waits
    some[start] = waits
    clear(start, stop, part.linear, part.angular, part.acts)


@kernel
def begin_sharing(start: int, stop: int, shared: Array) -> None:
    """Start with none of max_force used by parts that share."""
    shared[start:stop] = ZERO


@row_kernel
def leave_rest(i: int, part: Out, max_force: Array, shared: Array) -> None:
    """Shorten the force of a part to the rest that the parts above it leave, and note the use of a part that shares."""
    if part.acts[i] == 0:
        return
    force = load(part.linear, i)
    if shared[i] > ZERO:
        force = truncate(force, max(max_force[i] - shared[i], ZERO))
        store(part.linear, i, force)
    if part.acts[i] & SHARES:
        shared[i] += length(force)


@kernel
def add_weighed(start: int, stop: int, linear: Columns, weight: Any, to: Columns) -> None:
    """Add one sum to another."""
    for i in range(start, stop):
        to[0][i] += linear[0][i] * weight
    for i in range(start, stop):
        to[1][i] += linear[1][i] * weight
    if len(to) == 3:
        for i in range(start, stop):
            to[2][i] += linear[2][i] * weight


@registered
class Priority(Behavior):
    """For every vehicle the force of the first part that acts.

    Lower parts are computed only for the vehicles that no higher part served, and their memory rests meanwhile.

    Args:
        components: The parts, most urgent first: behaviors, functions, or blends of several.
        blend: How long the force takes to go over to another part's when the winner changes [s]. Raising it is smoother,
            and slower to react; 0.2 to 0.5 s suit crowds. 0 is the paper's law: at once.
    """

    components: Any = parameter(kind=PARTS, positional=True)
    blend: float = parameter(0.0, low=0.0, unit="s")

    def parts(self) -> tuple[Behavior, ...]:
        """The parts, most urgent first."""
        return tuple(self.components)

    def defers(self, index: int) -> bool:
        """All parts but the first, which is always asked."""
        return index > 0

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With `blend`: the winner, and the rest of the change."""
        return fading_memory(vehicles) if is_given(self.blend) else {}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The parts in turn, each for vehicles that still wait; with `blend`, a change of the winner is gradual."""
        if not is_given(self.blend):
            return through_sum(scene, out, partial(self._choose, scene))
        total, winner = scene.scratch(out.active), np.full(scene.capacity, -1, np.int64)
        calls = [scene.clear_call(total), Call(begin_winner, (winner,)), *self._choose(scene, total, winner)]
        return [*calls, *fade_calls(scene, memory, self.blend, winner, total), scene.hand_up_call(total, out)]

    def _choose(self, scene: Scene, out: Out, winner: Array | None = None) -> list[Call]:
        """The force of the winner and, if `winner` is given, its number."""
        waiting = np.zeros(scene.capacity, np.uint8)
        some = flags_of(waiting)
        turn = scene.scratch(waiting, take=CHOOSE)
        calls = [Call(begin, (out.active, waiting, some)), scene.clear_call(turn)]
        settled = Call(settle, (turn, scene.limits, waiting, some, out))
        searched: set[Any] = set()
        begun, rest = sharing_calls(scene, turn)
        calls += begun
        for index in range(len(self.components)):
            noted = [] if winner is None else [Call(note_winner, (turn.acts, index, winner))]
            calls += scene.look_calls([(scene.node.children[index], waiting)], searched)
            calls += gated(some, [*scene.part(index, turn), *rest(index), *noted, settled])
        return calls


def through_sum(scene: Scene, out: Out, choose: Callable[[Out], list[Call]]) -> list[Call]:
    """The calls of a choice among parts: directly into the sum above, unless its edge changes a sum of parts."""
    if not scene.node.shares or out.edge[1] <= RAW:
        return choose(out)
    total = scene.scratch(out.active)
    return [scene.clear_call(total), *choose(total), scene.hand_up_call(total, out)]


def sharing_calls(scene: Scene, turn: Out) -> tuple[list[Call], Callable[[int], list[Call]]]:
    """The calls that leave the rest of max_force to the parts below one that shares; no calls where no part shares.

    Args:
        scene: The scene of the node.
        turn: The place for the force of the part whose turn it is.

    Returns:
        The calls before all parts, and a function that gives the calls after a part, by its number.
    """
    if not scene.node.shares:
        return [], lambda _: []
    shared = np.zeros(scene.capacity, scene.vehicles.dtype)
    leave_call = Call(leave_rest, (turn, scene.columns.max_force, shared))
    return [Call(begin_sharing, (shared,))], lambda index: [leave_call, *scene.granted_calls(index, turn)]

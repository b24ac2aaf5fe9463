"""TruncatedSum: in order of urgency, each part gets the rest of max_force that the parts before it have left.

    force_k = truncate(weight_k * limited_k, max_force - spent)
    spent   = length of the sum so far               "running"
            = sum of the lengths so far              "lengths"

"running" is the weighted truncated running sum of the game AI lecture (after Buckland): parts that pull against each
other leave more for the others. "lengths" is the prioritized acceleration allocation of Reynolds 1987 (named in 1999,
"Combining Behaviors"): a force counts in full, even where it cancels another. Parts with no force left to spend are not
computed.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, accumulate, dot, length, load, store, truncate
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.priority import begin
from steersman.core.steering.combining.weighted_sum import PARTS, TAKE, WEIGHTS, weighed_parts
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sums import nothing
from steersman.core.steering.tree.forces import Amounts, Out
from steersman.core.typing import Columns, Vector
from steersman.core.vehicles.memory import Memory

ACCOUNTING = ("running", "lengths")


@kernel
def cut(force: Vector, room: Any) -> Vector:
    """The force, shortened to the room that is left."""
    if room < ZERO:
        room = ZERO
    if not dot(force, force) <= room * room:
        return truncate(force, room)
    return force


@row_kernel(some=True)
def allocate(
    i: int, part: Out, limits: Amounts, lengths: bool, least: Any, spent: Amounts,
    total: Out,
) -> Any:  # fmt: skip
    """Add as much of a part as there is room for, keep that in the part, and note the vehicles with room left.

    `lengths`: lengths are added up; `least`: the part of max_force that counts as zero.
    """
    if not part.active[i]:
        return np.uint8(0)
    take_up_turning(part.angular, i, limits.turning, lengths, spent.turning, total.angular)
    force = cut(load(part.linear, i), limits.force[i] - spent.force[i])
    store(part.linear, i, force)
    accumulate(total.linear, i, force)
    total.acts[i] |= part.acts[i]
    if lengths:
        spent.force[i] += length(force)
    else:
        spent.force[i] = length(load(total.linear, i))
    unspent = np.uint8(not limits.force[i] - spent.force[i] <= least * limits.force[i])
    part.active[i] = unspent
    return unspent


@kernel
def take_up_turning(part: Columns, i: int, limit: Columns, lengths: bool, spent: Columns, total: Columns) -> None:
    """The same of turning, where vehicles turn."""
    if len(part) != 0:
        turning = cut(load(part, i), limit[0][i] - spent[0][i])
        store(part, i, turning)
        accumulate(total, i, turning)
        if lengths:
            spent[0][i] += length(turning)
        else:
            spent[0][i] = length(load(total, i))


@kernel
def begin_account(start: int, stop: int, spent: Amounts) -> None:
    """Start with nothing spent."""
    spent.force[start:stop] = ZERO
    nothing(start, stop, spent.turning)


@registered
class TruncatedSum(Behavior):
    """The weighted sum of its parts in order of urgency, ended where max_force is spent.

    Args:
        components: The parts, most urgent first: behaviors, functions, or weighted ones (`2 * Seek(...)`).
        weights: Their weights, if not given with `*`. Raising one lets that part spend more. Default: all 1.
        accounting: The length that counts as spent: "running" (of the sum so far) or "lengths" (the sum of the
            lengths).
        each: How a part's force is taken before weighting: "raw", "limit" or "normalize", as in a WeightedSum.

    Raises:
        ValueError: There are not as many weights as parts.
    """

    components: Any = parameter(kind=PARTS, positional=True)
    weights: Sequence[float] | None = parameter(None, kind=WEIGHTS, optional=True, of="components")
    accounting: str = parameter("running", kind=TEXT, choices=ACCOUNTING)
    each: str = parameter("raw", kind=TEXT, choices=tuple(TAKE))

    def validate(self) -> None:
        """Bring parts and weights to their normal form."""
        parts, weights, _ = weighed_parts(self.components, self.weights, flatten=1)
        self._put(components=parts, weights=weights)

    def parts(self) -> tuple[Behavior, ...]:
        """The parts, most urgent first."""
        return tuple(self.components)

    def defers(self, index: int) -> bool:
        """All parts but the first, which is always asked."""
        return index > 0

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The parts in turn, each for the vehicles with some max_force left."""
        assert self.weights is not None
        n, dtype = scene.capacity, scene.vehicles.dtype
        waiting = np.zeros(n, np.uint8)
        some = flags_of(waiting)
        total, turn = scene.scratch(out.active), scene.scratch(waiting)
        lengths, least = self.accounting == "lengths", scene.number(4 * np.finfo(dtype).eps)
        spent = Amounts(np.zeros(n, dtype), (np.zeros(n, dtype),) if scene.turns else ())
        calls = [Call(begin, (out.active, waiting, some)), scene.clear_call(turn), scene.clear_call(total)]
        calls.append(Call(begin_account, (spent,)))
        searched: set[Any] = set()
        for index, weight in enumerate(self.weights):
            calls += scene.look_calls([(scene.node.children[index], waiting)], searched)
            part = scene.part(index, turn._replace(edge=scene.edge(weight, TAKE[self.each])))
            part.append(Call(allocate, (turn, scene.limits, lengths, least, spent, total, some)))
            calls += gated(some, [*part, *scene.granted_calls(index, turn), scene.clear_call(turn)])
        return [*calls, scene.hand_up_call(total, out)]

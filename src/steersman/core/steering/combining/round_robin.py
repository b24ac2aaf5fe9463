"""RoundRobin: the parts take turns, and momentum blends them.

    force = force of part number floor(time / period) mod count

Reynolds 1999, "Combining Behaviors": a character's momentum is a low-pass filter, so rather than compute all parts and
average them, compute one at a time. On average over a round this is the mean of the parts, not their sum, at the cost of
one part a step.
"""

from typing import Any

import numpy as np

from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.holding import choice, period_parameter
from steersman.core.steering.combining.weighted_sum import PARTS
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory


@kernel
def is_due(active: Array, clock: Clock, period: float, index: int, count: int, part_active: Array) -> Any:
    """Whether it is the turn of part number `index`."""
    return choice(clock, period) % count == index


@row_kernel(every=True, once=is_due, some=True)
def take_turn(
    i: int, active: Array, clock: Clock, period: float, index: int, count: int, part_active: Array, due: bool
) -> Any:
    """Ask part number `index` to steer if it is its turn; else ask for no vehicle."""
    part_active[i] = active[i] if due else np.uint8(0)
    return part_active[i]


@registered
class RoundRobin(Behavior):
    """The force of one part at a time, each in its turn.

    The other parts are not computed, and their memory rests. Slow vehicles (large mass or response_time) blend well;
    nimble ones tremble, which a shorter period helps.

    Args:
        components: The parts, in order: behaviors, functions, or blends of several. One that stands twice counts twice.
        period: How long a turn is [s]. Raising it makes the changes coarser.
    """

    components: Any = parameter(kind=PARTS, positional=True)
    period: float = period_parameter()

    def parts(self) -> tuple[Behavior, ...]:
        """The parts, in order."""
        return tuple(self.components)

    def defers(self, index: int) -> bool:
        """Every part, unless there is only one."""
        return len(self.components) > 1

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The part that has its turn puts its force to the node above."""
        part_active = np.zeros(scene.capacity, np.uint8)
        some, period, count = flags_of(part_active), float(self.period), len(self.components)
        calls = []
        for index in range(count):
            calls.append(Call(take_turn, (out.active, scene.clock, period, index, count, part_active, some)))
            calls += scene.look_calls([(scene.node.children[index], part_active)])
            calls += gated(some, scene.part(index, out._replace(active=part_active)))
        return calls

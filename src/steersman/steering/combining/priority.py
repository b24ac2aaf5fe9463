"""Priority: the first part that acts has the vehicle to itself.

Reynolds 1999, "Combining Behaviors": first priority is obstacle avoidance, second is evasion, and so on; a part is
asked only when none above it acted. Lecture W: groups that are blended inside, with priorities between the groups; a
group here is any combinator, such as a sum. Lecture L calls it arbitration.

A part acts when its force is longer than a millionth of max_force, or when it has a goal: a satisfied Seek gives exactly
zero, and must not let the vehicle fall through to what stands below it, or it would tremble between the two.
"""

from dataclasses import dataclass

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import Array, Columns, load
from steersman.steering.behavior import CHOOSE, Behavior, Out, deposit
from steersman.steering.combining.weighted_sum import as_parts
from steersman.steering.memory import Memory
from steersman.steering.registry import registered
from steersman.steering.scene import Scene, clear


@kernel
def begin(start: int, stop: int, waiting: Array, out: Out, linear: Columns, acts: Array) -> None:
    """Everybody whom the node is asked to steer waits for a part that acts."""
    waiting[start:stop] = out.active[start:stop]
    clear(start, stop, linear, acts)


@kernel
def settle(start: int, stop: int, part: Out, max_force: Array, out: Out) -> None:
    """Give the force of a part that acts to the node above; those vehicles wait no longer."""
    for i in range(start, stop):
        if part.active[i] and part.acts[i]:
            deposit(out, i, load(part.linear, i), max_force[i], True)
            part.active[i] = 0
    clear(start, stop, part.linear, part.acts)


@registered
@dataclass(frozen=True, eq=False)
class Priority(Behavior):
    """For every vehicle the force of the first part that acts.

    Lower parts are computed only for the vehicles that no higher part served, and their memory rests meanwhile.

    Args:
        components: The parts, most urgent first: behaviors, functions, or blends of several.
        name: Name by which the node keeps its memory.

    Raises:
        TypeError: A part is no behavior.
        ValueError: There is no part.
    """

    components: tuple[Behavior, ...] = parameter(kind="parts", positional=True, doc="The parts, most urgent first.")

    def validate(self) -> None:
        """Bring the parts to their normal form."""
        object.__setattr__(self, "components", as_parts(self.components))

    def parts(self) -> tuple[Behavior, ...]:
        """The parts, most urgent first."""
        return self.components

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The parts in turn, each for those who still wait."""
        waiting = np.zeros(len(scene.vehicles), np.uint8)
        turn = scene.scratch(waiting, take=CHOOSE)
        calls = [Call(begin, (waiting, out, turn.linear, turn.acts))]
        for index in range(len(self.components)):
            calls += scene.part(index, turn)
            calls.append(Call(settle, (turn, scene.body.max_force, out)))
        return calls

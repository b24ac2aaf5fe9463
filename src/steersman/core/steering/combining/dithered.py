"""Dithered: a priority that now and then passes over an urgent part, so that the other parts steer, too.

    in order: with probability p_k part k is asked; if it acts, it has the vehicle to itself
    else (it did not act, or it was passed over) the next one is considered

Reynolds 1999, "Combining Behaviors" (prioritized dithering); game AI lecture, "Prioritized Dithering". The choice is drawn
for every vehicle and part, and held for a period, so that momentum blends the same at any frame rate.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.random import draw, uniform
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import NUMBERS, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.holding import choice, period_parameter
from steersman.core.steering.combining.priority import begin, settle, sharing_calls, through_sum
from steersman.core.steering.combining.weighted_sum import PARTS
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import CHOOSE, Out
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory

WORDS = 4
"""Number of random words in one draw."""


@kernel
def choice_of(
    active: Array, id: Array, key: Array, clock: Clock, period: float, chances: Array, part_active: Array
) -> Any:
    """The number of the choice that holds now."""
    return choice(clock, period)


@row_kernel(once=choice_of)
def roll(
    i: int,
    active: Array,
    id: Array,
    key: Array,
    clock: Clock,
    period: float,
    chances: Array,
    part_active: Array,
    when: Any,
) -> None:
    """Draw for every vehicle which parts are asked, shape (parts, n)."""
    words = draw(key, id[i], when, 0)
    for k in range(chances.size):
        if k > 0 and k % WORDS == 0:
            words = draw(key, id[i], when, k // WORDS)
        word = words[k % WORDS]
        part_active[k, i] = uniform(word, chances) < chances[k]


@row_kernel(some=True)
def offer(i: int, waiting: Array, drawn: Array, part_active: Array) -> Any:
    """Ask a part to steer the vehicles that wait and for which it was drawn."""
    part_active[i] = waiting[i] & drawn[i]
    return part_active[i]


def as_probabilities(name: str, probabilities: Any, parts: Any) -> tuple[float, ...]:
    """Probabilities, one for each of some parts."""
    if isinstance(probabilities, str) or not isinstance(probabilities, (Sequence, np.ndarray)):
        raise TypeError(f"{name} must be a list of numbers in [0, 1], one a part, got {brief(probabilities)}")
    if len(probabilities) != len(parts):
        raise ValueError(f"{name} must be as many as the parts ({len(parts)}), got {len(probabilities)}")
    for value in probabilities:
        if isinstance(value, (bool, str)) or not np.isscalar(value) or isinstance(value, complex):
            raise TypeError(f"{name} must be numbers in [0, 1], got {brief(value)}")
        if not 0 <= value <= 1:  # type: ignore[operator]  # a scalar that is neither text nor complex
            raise ValueError(f"{name} must be in [0, 1], got {brief(value)}")
    return tuple(float(value) for value in probabilities)


CHANCES = Kind("numbers", "numbers in [0, 1]", as_probabilities, like=NUMBERS)


@registered
class Dithered(Behavior):
    """For every vehicle the force of the first part that is drawn and acts.

    With all probabilities 1 it is a Priority. Where all parts are passed over there is no force.

    Args:
        components: The parts, most urgent first: behaviors, functions, or blends of several.
        probabilities: The chance of each part to be asked, in [0, 1], as many as the parts. Raising one lets the parts
            below it steer less often.
        period: How long a choice is held [s]. Raising it makes the changes coarser.

    Raises:
        ValueError: There are not as many as parts.
    """

    components: Any = parameter(kind=PARTS, positional=True)
    probabilities: Sequence[float] = parameter(kind=CHANCES, of="components")
    period: float = period_parameter()

    def parts(self) -> tuple[Behavior, ...]:
        """The parts, most urgent first."""
        return tuple(self.components)

    def defers(self, index: int) -> bool:
        """All parts but a first part that is always asked."""
        return index > 0 or self.probabilities[0] < 1

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The draw, then the parts in turn, each for the vehicles that still wait and for which it was drawn."""
        return through_sum(scene, out, partial(self._choose, scene))

    def _choose(self, scene: Scene, out: Out) -> list[Call]:
        n = scene.capacity
        waiting, part_active, drawn = (
            np.zeros(n, np.uint8),
            np.zeros(n, np.uint8),
            np.zeros((len(self.components), n), np.uint8),
        )
        waits, some = flags_of(waiting), flags_of(waiting)
        chances = np.array(self.probabilities, scene.vehicles.dtype)
        arguments = (out.active, scene.columns.id, scene.key, scene.clock, float(self.period), chances, drawn)
        turn = scene.scratch(part_active, take=CHOOSE)
        calls = [Call(begin, (out.active, waiting, waits)), scene.clear_call(turn), Call(roll, arguments)]
        settled = Call(settle, (turn, scene.limits, waiting, waits, out))
        begun, rest = sharing_calls(scene, turn)
        calls += begun
        for index in range(len(self.components)):
            calls.append(Call(offer, (waiting, drawn[index], part_active, some)))
            calls += scene.look_calls([(scene.node.children[index], part_active)])
            calls += gated(some, [*scene.part(index, turn), *rest(index), settled])
        return calls

"""Chance: a condition that holds at random times.

    holds with probability 1 - exp(-rate * dt) in a step

so that it happens `rate` times a second on average, for steps of any length (a Poisson process).
"""

import math
from typing import Any

from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.random import draw, uniform
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory


@kernel
def likely(ids: Array, like: Array, rate: Any, key: Array, clock: Clock, truth: Truth) -> Any:
    """The probability that the event happens within a step."""
    return -math.expm1(-rate * clock.dt[0])


@row_kernel(once=likely)
def chance(
    i: int, ids: Array, like: Array, rate: Any, key: Array, clock: Clock, truth: Truth, probability: Any
) -> None:
    """Draw a random number for each vehicle. `like` is any array of the vehicles' type; the rate is in 1/s."""
    truth.holds[i] = uniform(draw(key, ids[i], clock.step[0], 0)[0], like) < probability


@condition
class Chance(Condition):
    """Holds at random times, each vehicle for itself.

    The numbers depend on seed, vehicle and step alone, so the same seed gives the same throws.

    Args:
        rate: How often on average [1/s]. Raising it makes it happen sooner; the mean waiting time is 1 / rate.
    """

    rate: float = parameter(low=0.0, unit="1/s", positional=True)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """One call."""
        return [
            Call(chance, (scene.columns.id, scene.columns.mass, scene.number(self.rate), scene.key, scene.clock, truth))
        ]

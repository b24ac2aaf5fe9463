"""Knows: a vehicle knows where a target is, or was.

    holds = it was noticed, and not forgotten,   and  now - noticed <= within

Game AI: guards react to a fresh sighting in another way than to an old one (Leonard 2003, "Building an AI Sensory System").
"""

import math
from typing import Any

from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import segment
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.sensing.remembering import ROUNDING
from steersman.core.steering.tree.knowledge import KNOWN, Belief
from steersman.core.vehicles.memory import Memory


@row_kernel
def judge(i: int, belief: Belief, within: float, truth: Truth) -> None:
    """Judge whether a target is known, and has been noticed within the time [s]."""
    truth.holds[i] = belief.pick[i] >= 0 and belief.age[i] <= within


@condition
class Knows(Condition):
    """Holds while a vehicle knows where a target is, or was.

    Args:
        target: What it may know: a LastSeen or a LastHeard.
        within: How old that may be [s]: 0 for what it, or one that told it, notices now. Raising it holds on for longer.
            Default: any age up to the time after which it is forgotten.
    """

    target: Any = parameter(kind=KNOWN, positional=True)
    within: float = parameter(math.inf, low=0.0, infinite=True, unit="s")

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """One call."""
        within = float(self.within * (1 + ROUNDING))
        return [Call(judge, (scene.belief(self.target), within, truth))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The place that it knows of."""
        yield segment(context.position, context.watched(self.target).position, means="to the place that it knows of")

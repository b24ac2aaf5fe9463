"""The contract of a condition: a truth value for every vehicle.

Conditions are the questions of action selection: is a wolf near, is the goal in sight, has enough time gone by? Like a
behavior, a condition is a frozen set of parameters; `init` declares its memory, which the world owns, and `bind` makes its
calls once. A kernel writes `truth.holds[i]` for the rows with `truth.active[i]`, and the next values of its own memory for
these rows, and nothing else.

Conditions compose: `Near(wolves, 40) & ~After(3)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from steersman.core.action_selection.registry import CONDITIONS
from steersman.core.kernels.call import Call
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.surroundings import Surroundings
from steersman.core.steering.tree.node_parameters import NodeParameters
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.memory import NOTHING, Memory


class Truth(NamedTuple):
    """The arrays of a condition's answer.

    Attributes:
        holds: Whether the condition holds, shape (n,), uint8.
        active: Whether it is asked about each vehicle, shape (n,), uint8; rows of other vehicles are not read or written.
        entered: When each vehicle entered its mode [s], by the world's clock, shape (n,), float64.
    """

    holds: Array
    active: Array
    entered: Array


@dataclass(frozen=True, eq=False)
class Condition(NodeParameters):
    """Base of all conditions.

    A built-in implements `bind`. A condition of your own implements `judge` in NumPy instead:

        @dataclass(frozen=True, eq=False)
        class Tired(sm.Condition):
            below: float = 1.0

            def judge(self, scene, memory):
                return scene.vehicles.speed < self.below

    Combine conditions with `&`, `|` and `~`. (`and`, `or` and `not` cannot be: Python asks them for one truth, and there
    is one for every vehicle.)

    Wrong arguments raise TypeError or ValueError, as `Parameters` says; those that do not fit the vehicles raise ValueError
    when the tree is planned.

    Args:
        name: A name by which the condition keeps its memory when the tree around it is replaced.
    """

    def parts(self) -> "tuple[Condition, ...]":
        """The conditions that this one is made of. Default: none."""
        return ()

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """The calls that compute for which vehicles it holds. Default: one call of `judge`."""
        evaluated, call = scene.pass_on(truth.active)
        return [call, Call(_Judge(self, scene, memory, truth._replace(active=evaluated)), whole=True, fits=True)]

    def judge(self, scene: Scene, memory: Mapping[str, Array]) -> Any:
        """Judge in NumPy: for which vehicles the condition holds, shape (n,), bool.

        `scene.vehicles`, `scene.dt`, `scene.time`, `scene.step` and `scene.domain` give the state of the world;
        `memory[name]` are the condition's own columns, to be changed in place. Rows that it is not asked about are
        ignored afterwards.

        Raises:
            NotImplementedError: The class has neither `judge` nor `bind`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define judge(scene, memory)")

    def __and__(self, other: Any) -> "Condition":
        return composed("AllOf", (self, other))

    def __rand__(self, other: Any) -> "Condition":
        return composed("AllOf", (other, self))

    def __or__(self, other: Any) -> "Condition":
        return composed("AnyOf", (self, other))

    def __ror__(self, other: Any) -> "Condition":
        return composed("AnyOf", (other, self))

    def __invert__(self) -> "Condition":
        return composed("Not", self)

    def __bool__(self) -> bool:
        raise TypeError("a condition has a truth for every vehicle: combine conditions with &, | and ~, not and/or/not")


def composed(kind: str, parts: Any) -> Condition:
    """A condition made of others, of a registered class: those classes (`composing.py`) import this module."""
    cls: Any = CONDITIONS[kind]
    made: Condition = cls(parts)
    return made


class _Judge:
    """The call of `Condition.judge`, which is written in NumPy; it stores the answer."""

    def __init__(self, condition: Condition, scene: Scene, memory: Memory, truth: Truth) -> None:
        self.condition, self.scene, self.memory, self.truth = condition, replace(scene, shown=True), memory, truth

    def __call__(self) -> None:
        try:
            self.judge()
        finally:
            self.truth.active[:] = 0

    def judge(self) -> None:
        """Store the answer for the rows that are asked about."""
        holds = np.asarray(self.condition.judge(self.scene, self.memory))
        n = len(self.scene.vehicles)
        if holds.shape != (n,) or holds.dtype != np.bool_:
            raise ValueError(
                f"{self.condition.title} must judge each vehicle true or false, shape ({n},), bool; "
                f"got shape {holds.shape}, {holds.dtype}"
            )
        evaluated = self.truth.active[:n].view(np.bool_)
        np.copyto(self.truth.holds[:n].view(np.bool_), holds, where=evaluated)
        if self.memory:
            self.memory.refuse_rows(~evaluated)


def judge_calls(shared: Surroundings, node: Node, truth: Truth) -> list[Call]:
    """The calls that judge the condition of a node."""
    return node.behavior.bind(
        Scene(shared, node, evaluated=truth.active), shared.memories.get(node.key, NOTHING), truth
    )


def remembers(shared: Surroundings, node: Node) -> bool:
    """Whether a condition or one of its parts has memory. If not, it need not be judged for all vehicles."""
    return any(each.key in shared.memories for each in node.walk())

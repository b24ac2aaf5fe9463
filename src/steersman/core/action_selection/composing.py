"""Conditions made of conditions: all of them, any of them, and the opposite.

Parts are judged one after the other, and only for vehicles without a decision so far. So put cheap and rare conditions first:
`Near(wolves, 40) & Sees(wolves, occluders=trees)` casts rays only for vehicles with a wolf nearby. Conditions with memory are
judged for all vehicles, because their memory must advance.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steersman.core.action_selection.condition import Condition, Truth, judge_calls, remembers
from steersman.core.action_selection.kind import CONDITION, CONDITIONS, as_condition
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.brief import brief
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory


@row_kernel(every=True)
def begin(i: int, truth: Truth, undecided: Array, decisive: int) -> None:
    """Mark all vehicles as undecided. Their answer is the opposite of the decisive one, unless a part changes it."""
    undecided[i] = truth.active[i]
    if truth.active[i]:
        truth.holds[i] = np.uint8(decisive) ^ np.uint8(1)


@row_kernel
def settle(i: int, part: Array, truth: Truth, undecided: Array, decisive: int) -> None:
    """Decide the vehicles for which a part has the decisive answer."""
    if undecided[i] and part[i] == np.uint8(decisive):
        truth.holds[i] = np.uint8(decisive)
        undecided[i] = 0


@row_kernel
def invert(i: int, truth: Truth) -> None:
    """Invert the answers."""
    truth.holds[i] ^= np.uint8(1)


def bind_parts(scene: Scene, truth: Truth, decisive: int) -> list[Call]:
    """The calls that judge the parts in turn, until one has the decisive answer (0 for "all", 1 for "any")."""
    n = scene.capacity
    undecided, part = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    calls = [Call(begin, (truth, undecided, decisive))]
    for node in scene.node.children:
        active = truth.active if remembers(scene.shared, node) else undecided
        calls += judge_calls(scene.shared, node, Truth(part, active, truth.entered))
        calls.append(Call(settle, (part, truth, undecided, decisive)))
    return calls


def flattened(cls: type[Any], parts: Any) -> tuple[Condition, ...]:
    """The conditions of a composition. An unnamed composition of the same class is replaced by its parts."""
    if isinstance(parts, Condition) or not isinstance(parts, (tuple, list)) or not parts:
        raise TypeError(f"components must be a list of at least one condition, got {brief(parts)}")
    flat: list[Condition] = []
    for part in (as_condition(part, "components") for part in parts):
        flat += part.parts() if type(part) is cls and part.name is None else [part]
    return tuple(flat)


def _enclosed(part: Condition, write: Callable[[Any], str]) -> str:
    """The expression of a part, in parentheses if it has several parts itself."""
    several = isinstance(part, Composition) and part.name is None and len(part.components) > 1
    return f"({write(part)})" if several else write(part)


@dataclass(frozen=True, eq=False)
class Composition(Condition):
    """Base of the conditions that consist of several others.

    Args:
        components: The conditions.
    """

    decisive: ClassVar[int]
    """The answer of one part that decides for all: 0 or 1."""

    sign: ClassVar[str]
    """The operator between two parts."""

    components: Any = parameter(kind=CONDITIONS, positional=True)

    def validate(self) -> None:
        """Bring the parts to their normal form."""
        self._put(components=flattened(type(self), self.components))

    def expressed(self, write: Callable[[Any], str]) -> str | None:
        """`a & b`, or `a | b`; None, for the usual expression, if it has a name or a single part."""
        if self.name is not None or len(self.components) < 2:
            return None
        return f" {self.sign} ".join(_enclosed(part, write) for part in self.components)

    def parts(self) -> tuple[Condition, ...]:
        """The conditions."""
        return tuple(self.components)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """The parts in turn, until one decides."""
        return bind_parts(scene, truth, self.decisive)


@condition
class AllOf(Composition):
    """Holds where all of its parts hold: `a & b & c`.

    Raises:
        TypeError: There is no part.
    """

    decisive, sign = 0, "&"


@condition
class AnyOf(Composition):
    """Holds where at least one of its parts holds: `a | b | c`.

    Raises:
        TypeError: There is no part.
    """

    decisive, sign = 1, "|"


@condition
class Not(Condition):
    """Holds where its part does not: `~a`.

    Args:
        component: The condition.
    """

    component: Condition = parameter(kind=CONDITION, positional=True)

    def expressed(self, write: Callable[[Any], str]) -> str | None:
        """`~a`; None, for the usual expression, if it has a name."""
        return None if self.name is not None else f"~{_enclosed(self.component, write)}"

    def parts(self) -> tuple[Condition, ...]:
        """The condition."""
        return (self.component,)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """The calls of the part, and one that inverts the answers."""
        return [*judge_calls(scene.shared, scene.node.children[0], truth), Call(invert, (truth,))]

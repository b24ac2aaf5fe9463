"""Changes of mode: the transition that took each vehicle into its mode, and the numbers by which memory stores both.

The number of a mode is made from its name. The number of a transition is made from the modes that it leaves and enters, and
from the key of its condition. A key always belongs to the same condition. So the numbers keep their meaning in a new tree
with other transitions, or in another order; the number of a transition that no longer exists has no meaning.
"""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.maths.random import key_of
from steersman.core.parameters.expression import Names, expression
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array

ANY = "*"
"""In place of the mode that a transition leaves: any mode except the one that it enters."""

NONE = -1
"""The number of no transition."""


@functools.lru_cache(maxsize=1024)
def code_of(name: str) -> int:
    """The number by which memory stores a mode, made from its name."""
    low, high = (int(word) for word in key_of(0, "mode", name))
    return low | (high & 0x7FFFFFFF) << 32


@functools.lru_cache(maxsize=4096)
def number_of(left: str, entered: str, key: int) -> int:
    """The number by which memory stores a transition, of 31 bits, because every step copies those of all vehicles.

    Args:
        left: The name of the mode that it leaves.
        entered: The name of the mode that it leads to.
        key: The key of its condition.
    """
    return int(key_of(0, "transition", left, entered, key)[0]) & 0x7FFFFFFF


def departures(node: Node) -> Iterator[tuple[int, str, str, Node]]:
    """The transitions of a Modes, each once for every mode that it leaves: place in the list, left, entered, condition."""
    modes: Any = node.behavior
    for t, ((names, entered, _), condition) in enumerate(zip(modes.transitions, node.conditions, strict=True)):
        for left in modes.modes:
            if left in names or (ANY in names and left != entered):
                yield t, left, entered, condition


def numbers_of(node: Node) -> Array:
    """The number of each transition out of each mode, shape (t, k), int32; -1 where a transition does not leave a mode."""
    modes: Any = node.behavior
    rows = {name: k for k, name in enumerate(modes.modes)}
    numbers = np.full((len(modes.transitions), len(rows)), NONE, np.int32)
    for t, left, entered, condition in departures(node):
        numbers[t, rows[left]] = number_of(left, entered, condition.key)
    return numbers


@dataclass(frozen=True, eq=False)
class Change:
    """How vehicles came into their modes.

    Attributes:
        codes: The number of the mode of each vehicle, shape (n,), int64.
        seconds: The time since each vehicle entered its mode [s], shape (n,); NaN for vehicles without a mode, because they
            were never steered, or begin anew with the next step.
        fired: The number of the transition that led to the mode, shape (n,), int32; -1 for none.
        modes: Number -> name of a mode.
        transitions: Number of a transition -> the modes that it leaves and enters, and its condition in words.
    """

    codes: Array
    seconds: Array
    fired: Array
    modes: Mapping[int, str]
    transitions: Mapping[int, tuple[str, str, str]]

    @classmethod
    def of(
        cls, node: Node, columns: Mapping[str, Array], evaluated: Array, time: float, names: Mapping[str, Any]
    ) -> "Change":
        """The change that the memory of a Modes stores.

        Args:
            node: Its node.
            columns: Its memory.
            evaluated: The vehicles that it is asked to steer, shape (n,), bool.
            time: The time [s].
            names: The names of vehicles and other objects in conditions.
        """
        modes: Any = node.behavior
        has_mode = (columns["entered"] >= 0) & (evaluated | modes.resume)
        return cls(
            columns["mode"].copy(),
            np.where(has_mode, time - columns["entered"], np.nan),
            np.where(has_mode, columns["fired"], NONE),
            {code_of(name): name for name in modes.modes},
            {
                number_of(left, entered, condition.key): (left, entered, in_words(condition, names))
                for _, left, entered, condition in departures(node)
            },
        )

    @property
    def mode(self) -> Array:
        """The mode of each vehicle, shape (n,), str; "" for none."""
        has_mode = np.isfinite(self.seconds)
        pairs = zip(self.codes.tolist(), has_mode, strict=True)
        return np.array([self.modes.get(code, "") if known else "" for code, known in pairs], dtype=np.str_)

    @property
    def left(self) -> Array:
        """The mode that each vehicle was in before, shape (n,), str.

        "" without a transition: the mode is the first one or was set from outside, or the transition no longer exists.
        """
        return self._transition(0)

    @property
    def because(self) -> Array:
        """The condition of the transition that led to the mode, in words, shape (n,), str; "" without a transition."""
        return self._transition(2)

    def _transition(self, part: int) -> Array:
        """One text of the transition that led to the mode of each vehicle; `part` is its place in the triple."""
        nothing = ("", "", "")
        transitions = [self.transitions.get(number, nothing) for number in self.fired.tolist()]
        pairs = zip(transitions, self.mode.tolist(), strict=True)
        return np.array([each[part] if each[1] == mode else "" for each, mode in pairs], dtype=np.str_)

    def rows(self, rows: Array) -> "Change":
        """The changes of some vehicles, by row."""
        return Change(self.codes[rows], self.seconds[rows], self.fired[rows], self.modes, self.transitions)

    def __str__(self) -> str:
        """The change of one vehicle: "flee for 1.2 s, from graze because Near(wolves, 40)"; "" if it is in no mode."""
        if len(self.codes) != 1:
            return f"{len(self.codes)} vehicles"
        (mode,), (left,), (because,), (seconds,) = self.mode, self.left, self.because, self.seconds
        if not mode:
            return ""
        words = f"{mode} for {seconds:.3g} s" if seconds > 0 else f"{mode} from now on"
        return f"{words}, from {left} because {because}" if left else words

    __repr__ = __str__


def in_words(condition: Node, names: Mapping[str, Any]) -> str:
    """A condition in words: its name, if it was given one, else the Python that makes it.

    Args:
        condition: Its node.
        names: The names of vehicles and other objects in conditions.
    """
    known = Names()
    known.known.update(names)
    return condition.behavior.name or expression(condition.behavior, known).replace("sm.", "")

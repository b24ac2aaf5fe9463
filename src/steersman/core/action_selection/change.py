"""Changes of mode: which transition took each vehicle into the mode that it is in, and how that is remembered.

A mode is remembered by a number made of its name, a transition by one made of the modes that it left and entered and of the
key of its condition. A key belongs to the same condition for ever, so the number means the same in a tree that is replaced,
with its transitions in another order or with new ones; one that is gone means nothing.
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
"""As the mode that a transition leaves: any but the one that it leads to."""

NONE = -1
"""The number of no transition."""


@functools.lru_cache(maxsize=1024)
def code_of(name: str) -> int:
    """The number by which a mode is remembered, the same wherever it stands."""
    low, high = (int(word) for word in key_of(0, "mode", name))
    return low | (high & 0x7FFFFFFF) << 32


@functools.lru_cache(maxsize=4096)
def number_of(left: str, entered: str, key: int) -> int:
    """The number by which a transition out of a mode is remembered, of 31 bits: all vehicles' are copied at every step.

    Args:
        left: The name of the mode that it leaves.
        entered: The name of the mode that it leads to.
        key: The key of its condition.
    """
    return int(key_of(0, "transition", left, entered, key)[0]) & 0x7FFFFFFF


def departures(node: Node) -> Iterator[tuple[int, str, str, Node]]:
    """The transitions of a Modes, once for each mode that they leave: place in the list, left, entered, condition."""
    modes: Any = node.behavior
    for t, ((names, entered, _), condition) in enumerate(zip(modes.transitions, node.conditions, strict=True)):
        for left in modes.modes:
            if left in names or (ANY in names and left != entered):
                yield t, left, entered, condition


def numbers_of(node: Node) -> Array:
    """By which number each transition out of each mode is remembered, shape (t, k), int32; -1 where there is none."""
    modes: Any = node.behavior
    rows = {name: k for k, name in enumerate(modes.modes)}
    numbers = np.full((len(modes.transitions), len(rows)), NONE, np.int32)
    for t, left, entered, condition in departures(node):
        numbers[t, rows[left]] = number_of(left, entered, condition.key)
    return numbers


@dataclass(frozen=True, eq=False)
class Change:
    """How vehicles came into the mode that they are in.

    Attributes:
        codes: The mode of each, by its number, shape (n,), int64.
        seconds: For how long it has been in it [s], shape (n,); NaN where it is in none: never asked, or to begin anew.
        fired: The transition that took it there, by its number, shape (n,), int32; -1: none did.
        modes: The names of the modes, by their numbers.
        transitions: Of each transition by its number the modes that it leaves and enters, and its condition in words.
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
        """The change that the memory of a Modes records.

        Args:
            node: Its node.
            columns: Its memory.
            evaluated: The vehicles that it is asked to steer, shape (n,), bool.
            time: The time [s].
            names: The names of vehicles and other objects in conditions.
        """
        modes: Any = node.behavior
        there = (columns["entered"] >= 0) & (evaluated | modes.resume)
        return cls(
            columns["mode"].copy(),
            np.where(there, time - columns["entered"], np.nan),
            np.where(there, columns["fired"], NONE),
            {code_of(name): name for name in modes.modes},
            {
                number_of(left, entered, condition.key): (left, entered, in_words(condition, names))
                for _, left, entered, condition in departures(node)
            },
        )

    @property
    def mode(self) -> Array:
        """The mode that each is in, shape (n,), str; "" for none."""
        there = np.isfinite(self.seconds)
        pairs = zip(self.codes.tolist(), there, strict=True)
        return np.array([self.modes.get(code, "") if known else "" for code, known in pairs], dtype=np.str_)

    @property
    def left(self) -> Array:
        """The mode out of which a transition took it, shape (n,), str.

        "" where none did: it began so, was put there by hand, or the transition is no longer there.
        """
        return self._transition(0)

    @property
    def because(self) -> Array:
        """The condition of that transition in words, shape (n,), str; "" where there is none."""
        return self._transition(2)

    def _transition(self, part: int) -> Array:
        """One text of the transition that led to the mode of each vehicle; `part` is its place in the triple."""
        nothing = ("", "", "")
        transitions = [self.transitions.get(number, nothing) for number in self.fired.tolist()]
        pairs = zip(transitions, self.mode.tolist(), strict=True)
        return np.array([each[part] if each[1] == mode else "" for each, mode in pairs], dtype=np.str_)

    def rows(self, rows: Array) -> "Change":
        """The same about some vehicles."""
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
    """A condition by the name that it was given, or as one writes it.

    Args:
        condition: Its node.
        names: The names of vehicles and other objects in conditions.
    """
    known = Names()
    known.known.update(names)
    return condition.behavior.name or expression(condition.behavior, known).replace("sm.", "")

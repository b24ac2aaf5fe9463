"""Bound calls: functions with all their arguments, alone or behind a gate; and shares and stages, which consist of them."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from steersman.core.kernels.kernel import has_programs
from steersman.core.kernels.tasks import TASKS, UnpackableError, split, words_of
from steersman.core.kernels.worker_pool import GATE
from steersman.core.typing import Array


class PackedArguments:
    """The arguments of a function that stay the same from call to call, as words (see `tasks.py`); made at the first use."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._function, self._arguments = function, arguments

    @cached_property
    def array(self) -> Array | None:
        """The words; None if the function is not machine code, or an argument is neither array nor number."""
        if self._function not in TASKS:
            return None
        try:
            return words_of(split(self._arguments)[1])
        except UnpackableError:
            return None


class Bound(NamedTuple):
    """A function bound to its arguments (see `bind`).

    Attributes:
        function: Python, or the entry point of a kernel.
        arguments: All arguments.
        words: The arguments that stay the same from call to call, as words.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    words: PackedArguments

    def at(self, start: int, stop: int) -> "Bound":
        """The same function for another range of rows."""
        return Bound(self.function, (start, stop, *self.arguments[2:]), self.words)

    def call(self) -> None:
        """Call the function."""
        self.function(*self.arguments)

    @property
    def is_machine_code(self) -> bool:
        """Whether the call can be a line of a program."""
        return self.words.array is not None

    def lines(self) -> list[tuple[int, ...]]:
        """The call as lines of a program (see `worker_pool.follow`)."""
        assert self.words.array is not None
        return [(TASKS[self.function], self.words.array.ctypes.data, *split(self.arguments)[0])]


class Gate(NamedTuple):
    """Calls for a block of rows that are made only if the flag of the block is set.

    Attributes:
        some: Flags, uint8.
        row: The place of the block's flag: its first row.
        behind: The calls.
    """

    some: Array
    row: int
    behind: "tuple[Bound | Gate, ...]"

    def at(self, start: int, stop: int) -> "Gate":
        """The same calls for another range of rows, behind the flag of the first of these."""
        return Gate(self.some, start, tuple([each.at(start, stop) for each in self.behind]))

    def call(self) -> None:
        """Make the calls if the gate is open."""
        if self.some[self.row]:
            for each in self.behind:
                each.call()

    @property
    def is_machine_code(self) -> bool:
        """Whether the gate and its calls can be lines of a program."""
        return has_programs() and all(each.is_machine_code for each in self.behind)

    def lines(self) -> list[tuple[int, ...]]:
        """The gate and its calls as lines of a program (see `worker_pool.follow`)."""
        behind = [line for each in self.behind for line in each.lines()]
        return [(GATE, self.some[self.row :].ctypes.data, len(behind), 0), *behind]


Share = Sequence[Bound | Gate]
"""The calls of one thread."""

Stage = Sequence[Share]
"""Shares that may be executed in any order and at the same time."""


def bind(function: Callable[..., Any], arguments: tuple[Any, ...] = ()) -> Bound:
    """A function bound to its arguments."""
    return Bound(function, arguments, PackedArguments(function, arguments))


def behind(gates: Sequence[Array], stage: Stage) -> Stage:
    """A stage behind gates: its calls are made only if the first flag of every gate is set."""
    for gate in reversed(gates):
        stage = [[Gate(gate, 0, tuple(share))] for share in stage]
    return stage


def go_through(stages: Iterable[Stage]) -> None:
    """Make all calls of some stages, one after the other."""
    for stage in stages:
        for share in stage:
            for each in share:
                each.call()

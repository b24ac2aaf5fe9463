"""Programs: calls that are bound to their arguments, and the lines that a crew follows where they are machine code."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import entry_point, has_programs
from steersman.core.kernels.tasks import TASKS, UnpackableError, split, words_of
from steersman.core.kernels.worker_pool import GATE, WorkerPool, follow, lead
from steersman.core.typing import Array


class PackedArguments:
    """Arguments that stay the same from call to call, as words; written down at the first use.

    Args:
        function: The function that is called with them.
        arguments: The arguments after the two that change from call to call; or all of them.
        all: Whether `arguments` are all arguments.
    """

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], all: bool = False) -> None:
        self._function, self._arguments, self._all = function, arguments, all

    @cached_property
    def array(self) -> Array | None:
        """The words; None if the function is not machine code, or an argument is neither array nor number."""
        if self._function not in TASKS:
            return None
        try:
            return words_of(split(self._arguments)[1] if self._all else self._arguments)
        except UnpackableError:
            return None


class Bound(NamedTuple):
    """A function bound to its arguments.

    Attributes:
        function: Python, or the entry point of a kernel.
        arguments: All arguments.
        words: The arguments that stay the same from call to call.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    words: PackedArguments

    def call(self) -> None:
        """Call it."""
        self.function(*self.arguments)

    @property
    def is_machine_code(self) -> bool:
        """Whether the call can be written as lines."""
        return self.words.array is not None

    def lines(self) -> list[tuple[int, ...]]:
        """The call as lines for `follow`."""
        assert self.words.array is not None
        return [(TASKS[self.function], self.words.array.ctypes.data, *split(self.arguments)[0])]


class Gate(NamedTuple):
    """Calls for a block of rows that are made only if its flag is set.

    Attributes:
        some: Flags, uint8.
        row: The flag that counts.
        behind: The calls.
    """

    some: Array
    row: int
    behind: "tuple[Bound | Gate, ...]"

    def call(self) -> None:
        """Make the calls if the gate is open."""
        if self.some[self.row]:
            for each in self.behind:
                each.call()

    @property
    def is_machine_code(self) -> bool:
        """Whether lines can say the same."""
        return has_programs() and all(each.is_machine_code for each in self.behind)

    def lines(self) -> list[tuple[int, ...]]:
        """The gate and its calls as lines for `follow`."""
        behind = [line for each in self.behind for line in each.lines()]
        return [(GATE, self.some[self.row :].ctypes.data, len(behind), 0), *behind]


Share = Sequence[Bound | Gate]
"""The calls of one thread."""

Stage = Sequence[Share]
"""Shares that may be done in any order and at the same time."""


def bind(function: Callable[..., Any], arguments: tuple[Any, ...] = ()) -> Bound:
    """A function bound to its arguments."""
    return Bound(function, arguments, PackedArguments(function, arguments, all=True))


class Part(NamedTuple):
    """A part of a section: a call of Python, or many calls of machine code.

    Attributes:
        function: The function that is called.
        arguments: Its arguments.
        stages: The stages that it goes through, where it is machine code. Then the function returns whether a call failed.
        kept: Arrays whose addresses are among the arguments.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    stages: Sequence[Stage] = ()
    kept: tuple[Array, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether a crew shares the work."""
        return any(len(stage) > 1 for stage in self.stages)


def parts_of(stages: Sequence[Stage], crew: WorkerPool | None) -> list[Part]:
    """Stages as parts: consecutive calls of machine code are one part, every other call is a part of its own."""
    parts: list[Part] = []
    together: list[Stage] = []
    for stage in _apart(stages):
        if all(each.is_machine_code for share in stage for each in share):
            together.append(stage)
            continue
        parts += _machine(together, crew)
        together = []
        parts += [Part(each.call, ()) for share in stage for each in share]
    return parts + _machine(together, crew)


def _apart(stages: Sequence[Stage]) -> Iterator[Stage]:
    """Stages split so that each is all machine code or none of it, as far as the calls of one thread can be split."""
    for stage in stages:
        if len(stage) > 1:
            yield stage
            continue
        alike: list[Bound | Gate] = []
        for each in stage[0]:
            if alike and each.is_machine_code != alike[0].is_machine_code:
                yield (alike,)
                alike = []
            alike.append(each)
        yield (alike,)


def prepare(crew: WorkerPool | None) -> None:
    """Have the kernels that go through programs compiled with all others; programs are made later."""
    entry_point(follow, (0, 0, 0))
    if crew is not None:
        crew.entry()
        entry_point(lead, (0,) * LEADING)


LEADING = 8
"""Arguments of `lead`."""


def _machine(stages: list[Stage], crew: WorkerPool | None) -> list[Part]:
    """One part for stages of machine code."""
    shares = [[line for each in share for line in each.lines()] for stage in stages for share in stage]
    if not any(shares):
        return []
    follow_entry = entry_point(follow, (0, 0, 0))
    lines = np.array([line for share in shares for line in share], np.int64)
    if crew is None or all(len(stage) == 1 for stage in stages):
        return [Part(follow_entry, (lines.ctypes.data, 0, len(lines)), stages, (lines,))]
    sizes = np.cumsum([0] + [len(share) for share in shares])
    cuts = np.stack([sizes[:-1], sizes[1:]], axis=1)
    ends = np.cumsum([len(stage) for stage in stages])
    arguments = (
        *(crew.address, crew.members, crew.spins),
        *(lines.ctypes.data, cuts.ctypes.data, len(shares), ends.ctypes.data, len(stages)),
    )
    return [Part(entry_point(lead, arguments), arguments, stages, (lines, cuts, ends, crew.words))]

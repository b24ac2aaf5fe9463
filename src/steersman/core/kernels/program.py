"""Programs: bound calls as lines that a crew follows, where they are machine code."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.bound import Bound, Gate, Stage
from steersman.core.kernels.kernel import entry_point
from steersman.core.kernels.worker_pool import WorkerPool, follow, lead
from steersman.core.typing import Array


class Part(NamedTuple):
    """A part of a section: a call of Python, or many calls of machine code.

    Attributes:
        function: The function that is called.
        arguments: Its arguments.
        stages: The stages that it goes through, where it is machine code. Then the function returns whether a call failed.
        referenced: Arrays whose addresses are among the arguments.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    stages: Sequence[Stage] = ()
    referenced: tuple[Array, ...] = ()

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

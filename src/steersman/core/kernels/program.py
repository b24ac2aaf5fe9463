"""Programs: bound calls of machine code as lines, which the threads of a worker pool execute without the interpreter."""

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
        stages: The stages that it goes through, if it is machine code: then the function returns whether a call failed. Empty
            for a call of Python.
        referenced: Arrays whose addresses are among the arguments.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    stages: Sequence[Stage] = ()
    referenced: tuple[Array, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether several threads share the work."""
        return any(len(stage) > 1 for stage in self.stages)


def parts_of(stages: Sequence[Stage], pool: WorkerPool | None) -> list[Part]:
    """Stages as parts: consecutive calls of machine code are one part, every other call is a part of its own."""
    parts: list[Part] = []
    in_program: list[Stage] = []
    for stage in _split_by_kind(stages):
        if all(each.is_machine_code for share in stage for each in share):
            in_program.append(stage)
            continue
        parts += _program(in_program, pool)
        in_program = []
        parts += [Part(each.call, ()) for share in stage for each in share]
    return parts + _program(in_program, pool)


def _split_by_kind(stages: Sequence[Stage]) -> Iterator[Stage]:
    """Stages, of which those of a single share are split so that each is all machine code or all Python."""
    for stage in stages:
        if len(stage) > 1:
            yield stage
            continue
        of_a_kind: list[Bound | Gate] = []
        for each in stage[0]:
            if of_a_kind and each.is_machine_code != of_a_kind[0].is_machine_code:
                yield (of_a_kind,)
                of_a_kind = []
            of_a_kind.append(each)
        yield (of_a_kind,)


def prepare(pool: WorkerPool | None) -> None:
    """Ask for the kernels that execute programs, so that they are compiled in_program with those of the plan.

    The programs themselves are made later.
    """
    entry_point(follow, (0, 0, 0))
    if pool is not None:
        pool.entry()
        entry_point(lead, (0,) * LEADING)


LEADING = 8
"""Arguments of `lead`."""


def _program(stages: list[Stage], pool: WorkerPool | None) -> list[Part]:
    """One part for stages of machine code."""
    shares = [[line for each in share for line in each.lines()] for stage in stages for share in stage]
    if not any(shares):
        return []
    follow_entry = entry_point(follow, (0, 0, 0))
    lines = np.array([line for share in shares for line in share], np.int64)
    if pool is None or all(len(stage) == 1 for stage in stages):
        return [Part(follow_entry, (lines.ctypes.data, 0, len(lines)), stages, (lines,))]
    sizes = np.cumsum([0] + [len(share) for share in shares])
    cuts = np.stack([sizes[:-1], sizes[1:]], axis=1)
    ends = np.cumsum([len(stage) for stage in stages])
    arguments = (
        *(pool.address, pool.members, pool.spins),
        *(lines.ctypes.data, cuts.ctypes.data, len(shares), ends.ctypes.data, len(stages)),
    )
    return [Part(entry_point(lead, arguments), arguments, stages, (lines, cuts, ends, pool.words))]

"""A section of a step: calls bound to ranges of rows, dealt out to threads.

Rows are cut into blocks; for each block all calls run in order, so that its rows stay in the processor's cache. Blocks
are dealt out in turn. They are larger for several threads, because a thread that has ended a call may have to wait for the
interpreter. A population below SERIAL rows is done by the calling thread: waking another one costs more.
"""

from collections.abc import Callable, Iterable, Sequence, Sized
from itertools import groupby
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.vectors import Array
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.world.workers import WORKERS

Bound = tuple[Callable[..., None], tuple[Any, ...]]

Action = tuple[Any, ...]
"""A function and all of its arguments."""

SERIAL = 4096
"""Rows below which a population is stepped by one thread."""

LIGHT = 32768
"""Rows below which one thread does what takes only a nanosecond or two for each."""

BLOCK = 4096
"""Rows of a block, at most: so many that a call is cheap for each row, so few that their columns stay in the cache."""

SHARED_BLOCK = 8192
"""Rows of a block that is dealt out to several threads, at most."""


Step = tuple[Callable[..., None], tuple[Any, ...]] | tuple[Array, "tuple[Step, ...]"]
"""A function and its arguments but for the range of rows; or a gate and the steps behind it."""


class Section:
    """Stages that follow each other; each is a list of bound calls per thread."""

    def __init__(self, stages: Iterable[Sequence[Sequence[Bound]]] = ()) -> None:
        self.stages = tuple(tuple(tuple(share) for share in stage) for stage in stages)

    def run(self) -> None:
        """Run all calls."""
        for stage in self.stages:
            if len(stage) == 1:
                for function, arguments in stage[0]:
                    function(*arguments)
            else:
                WORKERS.run([_Share(calls) for calls in stage])

    def actions(self) -> "tuple[Action, ...] | None":
        """What is called, in order, if a single thread calls nothing but machine code; else None."""
        if not self.stages:
            return ()
        calls = [call for stage in self.stages for call in stage[0]]
        single = all(len(stage) == 1 for stage in self.stages)
        if not single or not all(isinstance(function, BuiltinFunctionType) for function, _ in calls):
            return None
        return tuple((function, *arguments) for function, arguments in calls)


class _Share:
    """One thread's part of a stage."""

    __slots__ = ("calls",)

    def __init__(self, calls: Sequence[Bound]) -> None:
        self.calls = calls

    def __call__(self) -> None:
        for function, arguments in self.calls:
            function(*arguments)


class RowSection(Section):
    """Calls of populations, bound to their rows and to threads.

    Args:
        populations: Those to whom the rows belong, and their calls.
        threads: How many threads to use.
        serial: Populations with fewer rows are done by the calling thread. Default: SERIAL.
    """

    def __init__(
        self, populations: Iterable[tuple[Sized, Sequence[Call]]], threads: int, serial: int | None = None
    ) -> None:
        super().__init__()
        self._runs = [
            (rows, run) for rows, calls in populations for run in _runs([call.told(threads) for call in calls])
        ]
        self._threads, self._serial = threads, SERIAL if serial is None else serial
        self._counts: list[int] = []
        self.fit()

    def fit(self) -> None:
        """Cut anew: for as many rows as there are now."""
        counts = [len(rows) for rows, _ in self._runs]
        if counts == self._counts:
            return
        self._counts = counts
        stages: list[list[list[Bound]]] = []
        for n, (_, run) in zip(counts, self._runs, strict=True):
            alone = run.whole or self._threads == 1 or n < self._serial
            shares = run.deal(n, 1 if alone else self._threads)
            if alone and stages and len(stages[-1]) == 1:
                stages[-1][0].extend(shares[0])
            else:
                stages.append(shares)
        self.stages = tuple(tuple(tuple(share) for share in stage) for stage in stages)


class _Run:
    """Calls that follow each other and are dealt out alike.

    Args:
        calls: All of them for all rows at once, or all of them for ranges of rows.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self.whole = calls[0].whole
        self._steps = _steps(calls)
        self._known: dict[tuple[int, int], list[Bound]] = {}

    def deal(self, n: int, threads: int) -> list[list[Bound]]:
        """The calls bound to blocks of n rows, one list a thread; calls for all rows at once stay whole."""
        if self.whole:
            return [_bound(self._steps, ())]
        size = max(1, min(BLOCK if threads == 1 else SHARED_BLOCK, -(-n // threads)))
        blocks = [(start, min(start + size, n)) for start in range(0, max(n, 1), size)]
        self._known = {block: self._known.get(block) or _bound(self._steps, block) for block in blocks}
        return [
            [bound for block in blocks[thread::threads] for bound in self._known[block]] for thread in range(threads)
        ]


def _runs(calls: Sequence[Call]) -> list[_Run]:
    """The calls in order, grouped by whether they are dealt out."""
    return [_Run(list(group)) for _, group in groupby(calls, lambda call: call.whole)]


def _steps(calls: Sequence[Call], gate: int = 0) -> tuple[Step, ...]:
    """The calls in machine code; those behind the same gate are one step, which passes the gate first."""
    steps: list[Step] = []
    for _, group in groupby(calls, lambda call: id(call.gates[gate]) if len(call.gates) > gate else 0):
        alike = list(group)
        if len(alike[0].gates) > gate:
            steps.append((alike[0].gates[gate], _steps(alike, gate + 1)))
        else:
            steps += [(call.compiled(), call.arguments) for call in alike]
    return tuple(steps)


def _bound(steps: tuple[Step, ...], block: tuple[int, ...]) -> list[Bound]:
    """The steps bound to one block of rows; to none, of those for all rows at once."""
    bound: list[Bound] = []
    for what, rest in steps:
        if isinstance(what, np.ndarray):
            bound.append((_pass_gate, (what, block[0], tuple(_bound(rest, block)))))
        else:
            bound.append((what, block + rest))
    return bound


def _pass_gate(some: Array, start: int, calls: Sequence[Bound]) -> None:
    """Make the calls if the gate is open for the block."""
    if some[start]:
        for function, arguments in calls:
            function(*arguments)


def look_section(populations: Iterable[tuple[Sized, Sequence[NeighborPass]]], threads: int) -> Section:
    """Look at the neighborhoods of populations: grids are built, then cells are dealt out to threads."""
    stages: list[tuple[tuple[Bound, ...], ...]] = []
    for rows, passes in populations:
        for neighborhood in passes:
            if threads == 1 or len(rows) < SERIAL:
                stages.append((((neighborhood.build, ()), (neighborhood.run, (0, 1))),))
            else:
                stages.append((((neighborhood.build, ()),),))
                stages.append(tuple(((neighborhood.run, (thread, threads)),) for thread in range(threads)))
    return Section(stages)

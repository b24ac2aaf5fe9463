"""A section of a step: calls bound to ranges of rows, dealt out to threads.

Rows are cut into blocks; for each block all calls run in order, so that its rows stay in the processor's cache. Blocks
are dealt out in turn. They are larger for several threads, because a thread that has ended a call may have to wait for the
interpreter. A population below SERIAL rows is done by the calling thread: waking another one costs more.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from steersman.geometry.call import Call
from steersman.geometry.vectors import Array
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.world.workers import WORKERS

Bound = tuple[Callable[..., None], tuple[Any, ...]]

SERIAL = 4096
"""Rows below which a population is stepped by one thread."""

LIGHT = 32768
"""Rows below which one thread does what takes only a nanosecond or two for each."""

BLOCK = 4096
"""Rows of a block, at most: so many that a call is cheap for each row, so few that their columns stay in the cache."""

SHARED_BLOCK = 8192
"""Rows of a block that is dealt out to several threads, at most."""


@dataclass(frozen=True)
class Section:
    """Stages that follow each other; each is a list of bound calls per thread."""

    stages: tuple[tuple[tuple[Bound, ...], ...], ...]

    def run(self) -> None:
        """Run all calls."""
        for stage in self.stages:
            if len(stage) == 1:
                for function, arguments in stage[0]:
                    function(*arguments)
            else:
                WORKERS.run([_Share(calls) for calls in stage])


class _Share:
    """One thread's part of a stage."""

    __slots__ = ("calls",)

    def __init__(self, calls: Sequence[Bound]) -> None:
        self.calls = calls

    def __call__(self) -> None:
        for function, arguments in self.calls:
            function(*arguments)


def plan_section(populations: Iterable[tuple[int, Sequence[Call]]], threads: int, serial: int = SERIAL) -> Section:
    """Bind the calls of populations, given as (number of rows, calls), to rows and threads.

    Populations with fewer than `serial` rows are done by the calling thread.
    """
    stages: list[list[list[Bound]]] = []
    for n, calls in populations:
        for run in _runs([call.told(threads) for call in calls]):
            alone = run[0].whole or threads == 1 or n < serial
            shares = _deal(run, n, 1 if alone else threads)
            if alone and stages and len(stages[-1]) == 1:
                stages[-1][0].extend(shares[0])
            else:
                stages.append(shares)
    return Section(tuple(tuple(tuple(share) for share in stage) for stage in stages))


def _runs(calls: Sequence[Call]) -> list[list[Call]]:
    """The calls in order, grouped by whether they are dealt out."""
    runs: list[list[Call]] = []
    for call in calls:
        if runs and runs[-1][0].whole == call.whole:
            runs[-1].append(call)
        else:
            runs.append([call])
    return runs


def _deal(calls: Sequence[Call], n: int, threads: int) -> list[list[Bound]]:
    """The calls bound to blocks of rows, one list a thread; calls for all rows at once stay whole."""
    functions = [(call, call.compiled()) for call in calls]
    if calls[0].whole:
        return [[(function, call.arguments) for call, function in functions]]
    size = max(1, min(BLOCK if threads == 1 else SHARED_BLOCK, -(-n // threads)))
    blocks = [(start, min(start + size, n)) for start in range(0, max(n, 1), size)]
    return [
        [bound for block in blocks[thread::threads] for bound in _of_block(functions, block)]
        for thread in range(threads)
    ]


def _of_block(
    functions: Sequence[tuple[Call, Callable[..., None]]], block: tuple[int, int], gate: int = 0
) -> list[Bound]:
    """The calls bound to one block of rows; those behind the same gate are one call, which passes the gate first."""
    bound: list[Bound] = []
    for _, group in groupby(functions, lambda each: id(each[0].gates[gate]) if len(each[0].gates) > gate else 0):
        calls = list(group)
        if len(calls[0][0].gates) > gate:
            inner = tuple(_of_block(calls, block, gate + 1))
            bound.append((_pass_gate, (calls[0][0].gates[gate], block[0], inner)))
        else:
            bound += [(function, (*block, *call.arguments)) for call, function in calls]
    return bound


def _pass_gate(some: Array, start: int, calls: Sequence[Bound]) -> None:
    """Make the calls if the gate is open for the block."""
    if some[start]:
        for function, arguments in calls:
            function(*arguments)


def look_section(populations: Iterable[tuple[int, Sequence[NeighborPass]]], threads: int) -> Section:
    """Look at neighborhoods, given as (number of rows, passes): grids are built, then cells are dealt out to threads."""
    stages: list[tuple[tuple[Bound, ...], ...]] = []
    for n, passes in populations:
        for neighborhood in passes:
            if threads == 1 or n < SERIAL:
                stages.append((((neighborhood.build, ()), (neighborhood.run, (0, 1))),))
            else:
                stages.append((((neighborhood.build, ()),),))
                stages.append(tuple(((neighborhood.run, (thread, threads)),) for thread in range(threads)))
    return Section(tuple(stages))

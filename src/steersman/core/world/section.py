"""A section of a step: calls bound to ranges of rows, dealt out to threads.

Rows are cut into blocks; for each block all calls run in order, so that its rows stay in the processor's cache. Where several
threads work, blocks are smaller, so that they end at about the same time. A population below SERIAL rows is treated by one
thread, because distributing its work would cost more.
"""

from collections.abc import Iterable, Sequence, Sized
from itertools import groupby
from typing import Any

from steersman.core.kernels.bound import Bound, Gate, Share, Stage, go_through
from steersman.core.kernels.call import Call, bound_calls
from steersman.core.kernels.program import Part, parts_of, prepare
from steersman.core.kernels.signals import Action
from steersman.core.kernels.tasks import TASKS
from steersman.core.kernels.worker_pool import pool_of
from steersman.core.neighborhood.neighbor_pass import NeighborPass

SERIAL = 4096
"""Rows below which a population is stepped by one thread."""

BLOCK = 4096
"""The most rows of a block: enough that a call is cheap for each row, few enough that their columns stay in the cache."""

ALONE = 16
"""The number of runs in which calls are made one by one before a program is made of them."""

SHARES = 4
"""The least number of blocks for each thread."""

MOST_COUNTS = 32
"""Numbers of rows for which a section keeps its calls: the populations of a game change within a narrow range."""


class Section:
    """Stages that follow each other; each is a list of shares, which are lists of bound calls.

    Args:
        stages: The stages.
        threads: The number of threads.
    """

    def __init__(self, stages: Sequence[Stage] = (), threads: int = 1) -> None:
        self._pool = pool_of(threads) if threads > 1 else None
        prepare(self._pool)
        self._assemble(stages)

    def _assemble(self, stages: Sequence[Stage]) -> None:
        self._stages, self._alone = stages, ALONE if all(len(stage) == 1 for stage in stages) else 0
        self._parts: list[Part] | None = None
        self._leads = False

    @property
    def calls(self) -> list[Bound | Gate]:
        """All bound calls in order, for one thread."""
        return [each for stage in self._stages for share in stage for each in share]

    @property
    def parts(self) -> list[Part]:
        """The parts of the section: programs, and calls of Python."""
        if self._parts is None:
            self._parts = parts_of(self._stages, self._pool)
            self._leads = any(part.is_shared for part in self._parts)
        return self._parts

    def run(self) -> None:
        """Make all calls.

        For one thread, a program is made only after ALONE runs, because making it takes as long as it saves in so many.
        (Where vehicles come and go at every other step, the calls change at every other step.)
        """
        if self._alone > 0 and self._parts is None:
            self._alone -= 1
            go_through(self._stages)
            return
        parts = self._parts or self.parts
        if self._leads and self._pool is not None and not self._pool.is_started:
            self._pool.start()
        for function, arguments, stages, _ in parts:
            failed = function(*arguments)
            if stages and failed:
                go_through(stages)  # In Python the call raises its error; machine code reports only that there is one.

    def actions(self, program: bool) -> "tuple[Action, ...] | None":
        """The calls as actions, in order, if all are machine code; else None.

        Args:
            program: Whether they are called often enough to be made a program (see `run`).
        """
        if not program and self._alone and self._parts is None:
            calls = [each for stage in self._stages for share in stage for each in share]
            if all(isinstance(each, Bound) and each.function in TASKS for each in calls):
                return tuple((each.function, *each.arguments) for each in calls)  # type: ignore[union-attr]
        if not all(part.stages for part in self.parts):
            return None
        return tuple((part.function, *part.arguments) for part in self.parts)


class RowSection(Section):
    """Calls of populations, bound to their rows and to threads.

    Args:
        populations: The populations that the rows belong to, and their calls.
        threads: The number of threads.
        serial: Populations with fewer rows are treated by the calling thread. Default: SERIAL.
    """

    def __init__(
        self, populations: Iterable[tuple[Sized, Sequence[Call]]], threads: int, serial: int | None = None
    ) -> None:
        self._runs = [
            (rows, run) for rows, calls in populations for run in _runs([call.with_threads(threads) for call in calls])
        ]
        self._threads, self._serial = threads, SERIAL if serial is None else serial
        self._counts: tuple[tuple[int, ...], ...] | None = None
        self._known: dict[Any, Any] = {}
        super().__init__(threads=threads)
        self.fit()

    def fit(self) -> None:
        """Cut the calls for the present numbers of rows, or reuse an earlier cut."""
        counts = tuple((len(rows), *run.counts) for rows, run in self._runs)
        if counts == self._counts:
            return
        if self._counts is not None:
            keep(self._known, self._counts, (self._stages, self._alone, self._parts, self._leads))
        self._counts = None  # None until all calls are cut, even if an interrupt ends this method.
        if counts in self._known:
            self._stages, self._alone, self._parts, self._leads = self._known[counts]
        else:
            self._assemble(self._cut(counts))
        self._counts = counts

    def _cut(self, counts: Sequence[tuple[int, ...]]) -> list[Stage]:
        """The calls bound to numbers of rows."""
        stages: list[Stage] = []
        for (n, *_), (_, run) in zip(counts, self._runs, strict=True):
            for shares in run.deal(n, 1 if n < self._serial else self._threads):
                if len(shares) == 1 and stages and len(stages[-1]) == 1:
                    stages[-1] = [[*stages[-1][0], *shares[0]]]
                else:
                    stages.append(shares)
        return stages


def keep(known: dict[Any, Any], counts: Any, value: Any) -> None:
    """Keep a value for numbers of rows; at most MOST_COUNTS of them."""
    if len(known) >= MOST_COUNTS and counts not in known:
        known.clear()
    known[counts] = value


class _Run:
    """Consecutive calls that are dealt out in the same way.

    Args:
        calls: All of them for all rows at once, or all of them staged, or all of them for ranges of rows.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self.whole = calls[0].whole
        self._staged: list[Any] = [call.kernel for call in calls if call.staged]
        self._calls = [call.bound() for call in calls if not call.staged] if self.whole else bound_calls(calls)
        self._known: dict[tuple[int, int], list[Bound | Gate]] = {}

    @property
    def counts(self) -> tuple[int, ...]:
        """The other numbers, besides that of rows, that decide how the calls are dealt out."""
        return tuple(count for staged in self._staged for count in staged.counts)

    def deal(self, n: int, threads: int) -> list[Stage]:
        """The calls bound to blocks of n rows, as one stage: one share for one thread, else one for each block.

        Calls for all rows at once stay whole, or have stages of their own.
        """
        if self._staged:
            return [stage for staged in self._staged for stage in staged.stages(threads)]
        if self.whole:
            return [[self._calls]]
        size = max(1, min(BLOCK, -(-n // (threads * SHARES if threads > 1 else 1))))
        blocks = [(start, min(start + size, n)) for start in range(0, max(n, 1), size)]
        self._known = {block: self._known.get(block) or [each.at(*block) for each in self._calls] for block in blocks}
        shares: list[Share] = list(self._known.values())
        return [shares if threads > 1 else [[each for share in shares for each in share]]]


def _runs(calls: Sequence[Call]) -> list[_Run]:
    """The calls in order, grouped by how they are dealt out."""
    return [_Run(list(group)) for _, group in groupby(calls, lambda call: (call.whole, call.staged))]


def look_section(populations: Iterable[tuple[Sized, Sequence[NeighborPass]]], threads: int) -> Section:
    """The section that searches the neighborhoods of populations: it builds grids, then deals cells out to threads.

    Populations whose vehicles are neighbors together are joined before.
    """
    stages: list[Any] = []
    populations = list(populations)
    joined = [look.joined for _, passes in populations for look in passes if look.joined is not None]
    for each in dict.fromkeys(joined):
        stages += each.stages(1 if len(each) < SERIAL else threads)
    for rows, passes in populations:
        workers = 1 if len(rows) < SERIAL else threads
        for neighborhood in passes:
            stages += neighborhood.build_stages(workers) + neighborhood.run_stages(workers)
    return Section(stages, threads)

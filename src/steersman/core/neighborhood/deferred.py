"""Deferred searches: neighbors are searched for in the middle of steering, only for the rows that ask for them.

Which rows need the neighbors of a part of a Priority, Modes or a Switch is known only after the parts before it. For each
such search a step makes these calls, in this order:

    begin     mark all rows as not searched for, and the grid as stale       (for ranges of rows)
    ask       set flags of rows that ask and have not been searched for      (for ranges of rows; once for each part)
    stages    build the grid if it is stale, then search; nothing if no row asks
    finish    copy sums to columns; mark these rows as searched for          (for ranges of rows)

Each row is searched for once a step, however many parts ask. All calls are machine code, so several threads share them like
the rest of a step. Between steps `requested`, `some` and `any_requested` hold zeros.
"""

from typing import Any

import numpy as np

from steersman.core.kernels.bound import Stage, behind, bind, go_through
from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.neighborhood.neighbor_pass import NeighborPass, Runner
from steersman.core.typing import Array


@kernel
def begin(start: int, stop: int, searched: Array, stale: Array) -> None:
    """Mark all rows as not searched for, and the grid as stale."""
    searched[start:stop] = 0
    stale[0] = 1


@row_kernel(every=True, some=True)
def ask(i: int, active: Array, searched: Array, requested: Array, any_requested: Array) -> Any:
    """Request the active rows that have not been searched for in this step."""
    requested[i] |= np.uint8(active[i] != 0) & (searched[i] ^ np.uint8(1))
    if requested[i]:
        any_requested[0] = 1
    return requested[i]


@kernel
def close(any_requested: Array, stale: Array) -> None:
    """Mark the search as made, and the grid as that of this step."""
    if any_requested[0]:
        any_requested[0] = stale[0] = 0


@row_kernel(some=True)
def finish(i: int, requested: Array, searched: Array) -> Any:
    """Mark the rows that asked as searched for."""
    searched[i] |= requested[i]
    requested[i] = 0
    return np.uint8(0)


class Deferred:
    """One search of a pass over neighbors, made for the rows that ask.

    Args:
        neighbor_pass: The pass.
        search: One of its deferred searches (`NeighborPass.late`).
    """

    def __init__(self, neighbor_pass: NeighborPass, search: Runner) -> None:
        self._neighbor_pass, self._search = neighbor_pass, search
        self._requested, self._stale = search.row_flags, search.arrangement.stale
        self._searched, self._some = np.zeros_like(self._requested), flags_of(self._requested)
        self._any_requested = np.zeros(1, np.uint8)
        self._close = entry_point(close, (self._any_requested, self._stale))

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of watchers, and of the candidates of each population, that stages are made for."""
        return self._neighbor_pass.counts

    @property
    def asks_python(self) -> bool:
        """Whether candidates are points that are read from an object of the user."""
        return self._neighbor_pass.reads_points

    def begin_call(self) -> Call:
        """The call for the beginning of a step."""
        return Call(begin, (self._searched, self._stale))

    def ask_call(self, active: Array) -> Call:
        """The call that asks for rows, by flags of shape (capacity,)."""
        return Call(ask, (active, self._searched, self._requested, self._any_requested, self._some))

    def search_call(self) -> Call:
        """The call that builds the grid and searches, if any row asks."""
        return Call(self, whole=True, fits=True, staged=True)

    def finish_calls(self) -> list[Call]:
        """The calls after the search, for the rows that asked."""
        done = Call(finish, (self._requested, self._searched, self._some))
        return gated(self._some, [*self._search.column_calls, done])

    def stages(self, workers: int) -> list[Stage]:
        """What `search_call` does, as stages of shares behind gates."""
        build = self._neighbor_pass.late_build_stages(self._search, workers)
        return [
            *(behind((self._any_requested, self._stale), stage) for stage in build),
            behind((self._any_requested,), [[self._search.call(worker, workers)] for worker in range(workers)]),
            [[bind(self._close, (self._any_requested, self._stale))]],
        ]

    def __call__(self) -> None:
        """Do the work of all stages now, in one thread."""
        go_through(self.stages(1))

    def forget(self) -> None:
        """Reset the flags after a step that was not finished."""
        for flags in (self._requested, self._some, self._any_requested):
            flags[:] = 0

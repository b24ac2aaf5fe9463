"""Call: a kernel and the arrays that a plan calls it with, step after step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Protocol

import numpy as np

from steersman.core.kernels.bound import Bound, Gate, Stage, bind
from steersman.core.kernels.kernel import entry_point
from steersman.core.kernels.per_row import Rows, holds, per_row
from steersman.core.typing import Array

ROW = np.uint64
"""Type of a range of rows. Unsigned: for a signed one every access to an array tests whether it counts from the end."""


class Staged(Protocol):
    """The interface of a kernel that consists of stages."""

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of rows that the stages are made for."""

    @property
    def asks_python(self) -> bool:
        """Whether it calls functions of the user."""

    def stages(self, workers: int) -> Sequence[Stage]:
        """The stages, for a number of threads."""

    def __call__(self) -> None:
        """Go through the stages."""


@dataclass(frozen=True)
class Call:
    """One step of a plan.

    Attributes:
        kernel: Called as `kernel(start, stop, *arguments)` over ranges of rows, in any order and from several threads;
            or, if `whole`, once as `kernel(*arguments)`.
        arguments: The same arrays at every step. Where one holds `Rows`, the kernel becomes one that goes row by row.
        whole: Whether it is for all rows at once (a behavior written in NumPy, say).
        threaded: Whether a call for all rows at once divides its work among threads itself: its last argument is the number
            of threads that it may use.
        fits: Whether a call for all rows at once adapts to the number of rows when it is called. A call that does not is
            made anew when vehicles come or go.
        staged: Whether a call for all rows at once consists of stages that threads share: the kernel is a `Staged`.
        gates: Flags of the blocks of rows to be treated: a block is skipped where one of the gates holds 0 at its first
            row. Calls before this one write them (see `gated`).
    """

    kernel: Callable[..., None]
    arguments: tuple[Any, ...] = ()
    whole: bool = False
    threaded: bool = False
    fits: bool = False
    staged: bool = False
    gates: tuple[Array, ...] = ()

    def __post_init__(self) -> None:
        if not self.whole and holds(self.arguments, Rows):
            kernel, arguments = per_row(self.kernel, self.arguments)
            object.__setattr__(self, "kernel", kernel)
            object.__setattr__(self, "arguments", arguments)

    @property
    def asks_all(self) -> bool:
        """Whether it may read all rows that earlier calls have written, or call functions of the user."""
        return self.whole and not (self.staged and not self.kernel.asks_python)  # type: ignore[attr-defined]

    def with_threads(self, threads: int) -> "Call":
        """The call with the number of threads that it may use as its last argument."""
        return replace(self, arguments=(*self.arguments, threads), threaded=False) if self.threaded else self

    def compiled(self) -> Callable[..., None]:
        """The machine code for these arguments (compiled, or loaded from the cache, where necessary).

        It takes the range of rows as plain Python numbers.
        """
        return entry_point(self.kernel, self.arguments if self.whole else (ROW(0), ROW(0), *self.arguments))

    def bound(self) -> Bound:
        """The machine code bound to its arguments, for no rows yet (see `Bound.at`)."""
        return bind(self.compiled(), self.arguments if self.whole else (0, 0, *self.arguments))

    def run(self, n: int) -> None:
        """Call the kernel for all n rows, unless a gate is shut."""
        if self.whole:
            self.kernel(*self.with_threads(1).arguments)
        elif all(gate[0] for gate in self.gates):
            self.kernel(ROW(0), ROW(n), *self.arguments)


BLOCKS = 4
"""The most blocks of requested rows that `run_all` treats one by one; with more blocks, it treats all rows."""


def run_all(calls: Sequence[Call], n: int, rows: Array | None = None) -> None:
    """Run calls one after the other, as a plan does: consecutive calls behind the same gate test it once.

    Args:
        calls: The calls.
        n: The number of rows.
        rows: The rows to be treated, shape (k,); the values of other rows are undefined. Calls before the last call that is
            for all rows at once and not staged treat all rows, because that call may read them. Default: all.
    """
    blocks = [(0, n, True)] if rows is None else _blocks(np.unique(rows), n)
    groups = [(whole, list(group)) for whole, group in groupby(calls, lambda call: call.whole)]
    needing = [number for number, (_, group) in enumerate(groups) if any(call.asks_all for call in group)]
    for number, (whole, group) in enumerate(groups):
        if whole:
            for call in group:
                call.run(n)
            continue
        steps = bound_calls(group)
        for start, stop, requested in blocks:  # The same for all groups: a gate is at the first row of a block.
            if requested or number < max(needing, default=0):
                for each in steps:
                    each.at(start, stop).call()


def bound_calls(calls: Sequence[Call], gate: int = 0) -> list[Bound | Gate]:
    """Calls for ranges of rows as machine code, for no rows yet. Consecutive calls behind the same gate become one `Gate`.

    Args:
        calls: The calls.
        gate: The number of gates of each call, from the first on, that are around the result.
    """
    bound: list[Bound | Gate] = []
    for _, group in groupby(calls, lambda call: id(call.gates[gate]) if len(call.gates) > gate else 0):
        alike = list(group)
        if len(alike[0].gates) > gate:
            bound.append(Gate(alike[0].gates[gate], 0, tuple(bound_calls(alike, gate + 1))))
        else:
            bound += [call.bound() for call in alike]
    return bound


def _blocks(some: Array, n: int) -> list[tuple[int, int, bool]]:
    """Blocks of n rows, each of them all in `some` or all outside it: first row, end, and whether they are in `some`."""
    first = np.flatnonzero(np.diff(some, prepend=-2) > 1)
    if len(first) > BLOCKS:
        return [(0, n, True)]
    blocks, end = [], 0
    for rows in np.split(some, first[1:]) if len(some) else ():
        start, stop = int(rows[0]), int(rows[-1]) + 1
        blocks += [(end, start, False), (start, stop, True)]
        end = stop
    return [block for block in (*blocks, (end, n, False)) if block[0] < block[1]]


def flags_of(rows: Array) -> Array:
    """Flags for a gate, with room for as many rows as an array has: a kernel writes `flags[start]` for rows start to stop."""
    return np.zeros(max(len(rows), 1), np.uint8)


def gated(some: Array, calls: Sequence[Call]) -> list[Call]:
    """Calls behind a gate: they are skipped for every block of rows in which no row is to be treated.

    Args:
        some: At the first row of every block, whether the block has a row to be treated (see `flags_of`).
        calls: The calls. Calls for all rows at once are always made.
    """
    return [call if call.whole else Call(call.kernel, call.arguments, gates=(some, *call.gates)) for call in calls]

"""Slot: the plan of one world. Its arrays take the states of many worlds, one after the other.

The arguments of the plan stay at their addresses, so program, scratch and constants stay in the processor's cache. A state
is what `state_hash` hashes: columns, memory and clock. Everything else is computed anew in every step.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.atomics import copy_bytes, load_word, show
from steersman.core.kernels.bound import Bound, bind
from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.kernels.worker_pool import follow
from steersman.core.typing import Array
from steersman.core.world.many.comparing import address_of, changing, leaves_of, state_of
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.world import World

LINE = 64
"""Bytes of a cache line, at which every part of a state begins."""


class Batch(NamedTuple):
    """The states of all worlds.

    Attributes:
        state: Columns and memory, shape (n, bytes), uint8.
        constants: The constants in which worlds differ, shape (n, bytes), uint8.
        steps: Steps since the start, shape (n,), uint64.
        time: Time since the start [s], shape (n,), float64.
        goes: Whether a world is stepped, shape (n,), uint8.
        left: The number of steps that a world has not made, because of a finding or an error; shape (n,), int64.
        due: The number of steps to make, shape (1,), int64.
        dt: Their length [s], shape (1,), float64.
    """

    state: Array
    constants: Array
    steps: Array
    time: Array
    goes: Array
    left: Array
    due: Array
    dt: Array


class Moves(NamedTuple):
    """Copies of bytes between the rows of worlds and the arrays of a plan.

    Each is an array of shape (m, 4), int64, with a line for each copy: address in row 0, bytes from row to row, address in
    the plan, number of bytes.

    Attributes:
        state: Columns and present memory.
        next: Present memory, copied to the next values.
        constants: The constants in which worlds differ.
        clocks: Steps and time, copied at every step.
        accepted: Next memory, copied to present memory when a step is made; no row is involved.
        flags: The addresses of the findings of guards, two words each, shape (m,).
    """

    state: Array
    next: Array
    constants: Array
    clocks: Array
    accepted: Array
    flags: Array


@kernel
def bring(moves: Array, world: int) -> None:
    """Copy from the row of a world to the plan."""
    for k in range(moves.shape[0]):
        copy_bytes(moves[k, 2], moves[k, 0] + world * moves[k, 1], moves[k, 3])


@kernel
def put_back(moves: Array, world: int) -> None:
    """Copy from the plan to the row of a world."""
    for k in range(moves.shape[0]):
        copy_bytes(moves[k, 0] + world * moves[k, 1], moves[k, 2], moves[k, 3])


@kernel
def had_findings(flags: Array) -> bool:
    """Whether guards have found anything, so that the world must make the step alone; clear the findings."""
    any_set = False
    for k in range(flags.size):
        if load_word(flags[k], 0) != 0 or load_word(flags[k], 1) != 0:
            any_set = True
            show(flags[k], 0, 0)
            show(flags[k], 1, 0)
    return any_set


@kernel(exact=True)
def make_steps(start: int, stop: int, lines: int, cuts: Array, moves: Moves, batch: Batch) -> None:
    """Step the worlds start <= w < stop, one after the other, each `batch.due[0]` times.

    A world with a finding keeps the state before that step; `batch.left` takes the number of steps that it has not made.
    """
    for w in range(start, stop):
        batch.left[w] = 0
        if batch.goes[w] == 0:
            continue
        bring(moves.state, w)
        bring(moves.next, w)
        bring(moves.constants, w)
        left = batch.due[0]
        while left > 0:
            bring(moves.clocks, w)
            failed = follow(lines, 0, cuts[0])
            if had_findings(moves.flags) or failed > 0:
                break
            failed = follow(lines, cuts[0], cuts[1])
            if had_findings(moves.flags) or failed > 0:
                break
            bring(moves.accepted, 0)
            follow(lines, cuts[1], cuts[2])
            batch.steps[w] += np.uint64(1)
            batch.time[w] += batch.dt[0]
            left -= 1
        if left < batch.due[0]:
            put_back(moves.state, w)
        batch.left[w] = left


class Layout:
    """Where the parts of a row of bytes lie: each begins on a cache line of its own.

    Args:
        sizes: The bytes of each part.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        ends = np.cumsum([0, *(-(-each // LINE) * LINE for each in sizes)]).tolist()
        self._parts = [slice(first, first + size) for first, size in zip(ends[:-1], sizes, strict=True)]
        self._bytes = ends[-1]

    def rows(self, n: int) -> Array:
        """Zeros of n rows, shape (n, bytes), uint8."""
        return np.zeros((n, self._bytes), np.uint8)

    def part(self, rows: Array, k: int, dtype: Any = np.uint8) -> Array:
        """Part k of a row, or of each of several rows, as numbers of a dtype, shape (numbers,) or (n, numbers), live."""
        return rows[..., self._parts[k]].view(dtype)

    def places(self, rows: Array) -> list[tuple[int, int]]:
        """For each part its address in the first row, and the number of bytes from row to row."""
        first, apart = row_of(rows)
        return [(first + each.start, apart) for each in self._parts]


class Slot:
    """The plan of one world, in which other worlds can be stepped.

    Args:
        world: The world, which belongs to the slot; its plan must be of one thread.

    Attributes:
        sizes: The bytes of each part of a state: columns, then memory.
        leaves: The parts of the calls of its plan.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.plan: StepPlan = world._ready()
        self.leaves = leaves_of(self.plan)
        self._columns, self._memory, _ = state_of(world, self.plan)
        self.sizes = [each.nbytes for each in (*self._columns, *(now for now, _ in self._memory))]
        self.spans = changing(world, self.plan)

    def program(self, batch: Batch, state: Layout, constants: Layout, leaves: Sequence[int]) -> "Program":
        """The program that steps worlds in this slot.

        Args:
            batch: The states of all worlds.
            state: The layout of a state: columns, then memory.
            constants: The layout of the constants in which worlds differ.
            leaves: The leaves that these constants are.
        """
        check, look, steer, move, constrain = (
            [line for each in part.calls for line in each.lines()] for part in self.plan.sections
        )
        lines = np.array([*check, *look, *steer, *move, *constrain], np.int64).reshape(-1, 4)
        cuts = np.cumsum([len(check), len(look) + len(steer), len(move) + len(constrain)])
        rows, behind = state.places(batch.state), len(self._columns)
        parts = [*self._columns, *(now for now, _ in self._memory)]
        here = [self.leaves[each] for each in leaves]
        clocks = [each.clock for each in self.plan.steered]
        moves = Moves(
            table(zip(rows, parts, strict=True)),
            table(zip(rows[behind:], (following for _, following in self._memory), strict=True)),
            table(zip(constants.places(batch.constants), here, strict=True)),
            table(
                move for each in clocks for move in ((row_of(batch.steps), each.step), (row_of(batch.time), each.time))
            ),
            table(((address_of(following), 0), now) for now, following in self._memory),
            np.array([address_of(each) for each in self.plan.guards()], np.int64),
        )
        entry_point(follow, (0, 0, 0))
        return Program([lines, *parts, *here], (lines.ctypes.data, cuts, moves, batch))

    def set_dt(self, dt: float) -> None:
        """Set the length of a step [s] in all clocks."""
        for each in self.plan.steered:
            each.clock.dt[0] = dt


def row_of(array: Array) -> tuple[int, int]:
    """The address of the first row of an array, and the number of bytes from row to row."""
    return address_of(array), array.strides[0]


def table(moves: Iterable[tuple[tuple[int, int], Array]]) -> Array:
    """A table of `Moves`: from rows (first address, bytes from row to row) to whole arrays.

    Raises:
        ValueError: An array has gaps.
    """
    lines = []
    for (first, apart), to in moves:
        if not (to.flags.c_contiguous or to.flags.f_contiguous):
            raise ValueError(f"an array of shape {to.shape} must have no gaps")
        lines.append((first, apart, address_of(to), to.nbytes))
    return np.array(lines, np.int64).reshape(-1, 4)


class Program:
    """A slot's kernel with its arguments.

    Args:
        arrays: Arrays that must live as long as the program, because their addresses are among the arguments.
        arguments: The arguments behind the range of worlds.
    """

    def __init__(self, arrays: Sequence[Array], arguments: tuple[Any, ...]) -> None:
        self._arrays = arrays
        call_arguments = (0, 0, *arguments)
        self._bound = bind(entry_point(make_steps, call_arguments), call_arguments)

    def at(self, start: int, stop: int) -> Bound:
        """The call that steps a range of worlds."""
        return self._bound.at(start, stop)

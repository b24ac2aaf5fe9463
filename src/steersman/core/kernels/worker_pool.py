"""Worker pools: the library's own threads, which execute a program together without the interpreter.

A program is a list of *shares* (lines to be followed by one thread), stage after stage. A thread that is awake claims the
next share of the stage; the thread that finishes the last share opens the next stage. So no thread waits for a thread that
sleeps, or that the system suspended before it began, and results do not depend on the assignment of shares to threads. A
thread without work looks for work for a moment and then goes to sleep: the first of several steps in a row wakes it.

OpenMP's threads die in a forked child, Numba's workqueue aborts when two threads step two worlds, and a ThreadPoolExecutor
hangs after a fork. These threads are made anew in a forked child. A caller that finds the pool busy does all the work alone.

Begin at `lead`, which the caller of a step executes; the other threads, the *members* but the first, execute `serve`.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from steersman.core.kernels.atomics import (
    acquire,
    call_task,
    claim,
    count,
    load_flag,
    load_word,
    new_lock,
    pause,
    release,
    see,
    show,
    swap,
)
from steersman.core.kernels.kernel import entry_point, kernel
from steersman.core.kernels.signals import deferred_signals
from steersman.core.kernels.thread_count import processors
from steersman.core.typing import Array

LINE = 8
"""Words of a cache line: words that several threads write lie in cache lines of their own."""

BUSY, NEXT, DONE, GOAL, STAGE, FAILED, PROGRAM, ASLEEP = (LINE * k for k in range(8))
"""Places of the words of a pool:

- BUSY: 1 while the pool executes a program, and as long as its threads do not exist.
- NEXT, DONE, GOAL: the next share to claim, the number of shares that are done, and of those that may be claimed; all of them
  are counted from the first program of the pool on.
- STAGE: the open stage.
- FAILED: whether a task has failed.
- PROGRAM: five words: the number of the program's first share; the addresses of its lines, cuts and ends; its stages.
- ASLEEP: for each member two words in a cache line: whether it sleeps, and the lock that it then waits for.
"""

SPINS = 2000
"""The number of times that a member looks for work before it sleeps: about 50 us, which is about the time to wake it."""

GATE = 0
"""The task of a line that is a gate: (GATE, address of a flag, the number of lines to skip if the flag is 0, 0)."""


# ------------------------------------------------------------------------------------------------ lines


@kernel
def follow(lines: int, begin: int, end: int) -> Any:
    """Execute the lines begin <= k < end; return how many tasks failed.

    A line is four words: task, address of the words of its arguments, and the two arguments that change from call to call.
    """
    failed = np.int64(0)
    k = begin
    while k < end:
        task, words = load_word(lines, 4 * k), load_word(lines, 4 * k + 1)
        if task != GATE:
            failed += call_task(task, words, load_word(lines, 4 * k + 2), load_word(lines, 4 * k + 3))
        elif load_flag(words) == 0:
            k += load_word(lines, 4 * k + 2)
        k += 1
    return failed


@kernel
def follow_alone(lines: int, cuts: int, shares: int) -> Any:
    """Execute all shares of a program in one thread; return how many tasks failed."""
    failed = np.int64(0)
    for k in range(shares):
        failed += follow(lines, load_word(cuts, 2 * k), load_word(cuts, 2 * k + 1))
    return failed


# ------------------------------------------------------------------------------------------------ members


@kernel
def work(pool: int, member: int, members: int) -> Any:
    """Try to claim a share, and execute it; return False if there was no share to claim.

    Stage and program may change as soon as the last claimed share is counted as done, so they are read before that.
    """
    mine = see(pool, NEXT)
    if mine >= see(pool, GOAL):
        return False
    if not claim(pool, NEXT, mine):
        return True
    goal, stage, stages = see(pool, GOAL), see(pool, STAGE), load_word(pool, PROGRAM + 4)
    lines, cuts = load_word(pool, PROGRAM + 1), load_word(pool, PROGRAM + 2)
    k = 2 * (mine - load_word(pool, PROGRAM))
    if follow(lines, load_word(cuts, k), load_word(cuts, k + 1)) > 0:
        show(pool, FAILED, 1)
    if count(pool, DONE) + 1 == goal:
        if stage + 1 < stages:
            open_stage(pool, stage + 1, member, members)
        elif member != 0:
            wake(pool, 0)  # Without effect if the caller is awake and has seen the end.
    return True


@kernel
def open_stage(pool: int, stage: int, member: int, members: int) -> None:
    """Let members claim the shares of a stage, and wake as many members as there are shares for them."""
    before = see(pool, GOAL)
    goal = load_word(pool, PROGRAM) + load_word(load_word(pool, PROGRAM + 3), stage)
    show(pool, STAGE, stage)
    show(pool, GOAL, goal)
    others = goal - before - 1
    for each in range(members):
        if others > 0 and each != member:
            others -= wake(pool, each)


@kernel
def wake(pool: int, member: int) -> int:
    """Wake a member; return 0 if it was awake."""
    at = ASLEEP + LINE * member
    if swap(pool, at, 0) == 0:
        return 0
    release(load_word(pool, at + 1))
    return 1


@kernel
def may_go_on(pool: int, end: int) -> Any:
    """Whether a share can be claimed, or `end` shares are done."""
    return see(pool, NEXT) < see(pool, GOAL) or see(pool, DONE) >= end


@kernel
def rest(pool: int, member: int, end: int, spins: int) -> None:
    """Wait until there is work, or until `end` shares are done.

    A member that goes to sleep first sets its word `ASLEEP`, and then looks for work once more. A member that opens a stage
    first announces the work, and then looks for sleeping members. So at least one of the two sees the other, and the member
    that resets the word `ASLEEP` decides whether the lock has to be waited for.
    """
    for _ in range(spins):
        if may_go_on(pool, end):
            return
        pause()
    at = ASLEEP + LINE * member
    while not may_go_on(pool, end):
        show(pool, at, 1)
        if may_go_on(pool, end) and swap(pool, at, 0) == 1:
            return
        acquire(load_word(pool, at + 1))


NEVER = 2**62
"""A number of shares that is never reached."""


@kernel
def serve(pool: int, member: int, members: int, spins: int) -> int:
    """The main loop of all members except the first."""
    while members > 0:
        if not work(pool, member, members):
            rest(pool, member, NEVER, spins)
    return 0


@kernel
def lead(pool: int, members: int, spins: int, lines: int, cuts: int, shares: int, ends: int, stages: int) -> Any:
    """Execute a program with all members, or alone if the pool is busy or has no threads; return whether a task failed."""
    if swap(pool, BUSY, 1) == 1:
        return follow_alone(lines, cuts, shares)
    base = see(pool, DONE)
    end = base + shares
    show(pool, PROGRAM, base)
    show(pool, PROGRAM + 1, lines)
    show(pool, PROGRAM + 2, cuts)
    show(pool, PROGRAM + 3, ends)
    show(pool, PROGRAM + 4, stages)
    show(pool, FAILED, 0)
    open_stage(pool, 0, 0, members)
    while see(pool, DONE) < end:
        if not work(pool, 0, members):
            rest(pool, 0, end, spins)
    failed = see(pool, FAILED)
    show(pool, BUSY, 0)
    return failed


# ------------------------------------------------------------------------------------------------ pools


class WorkerPool:
    """A number of threads, of which the first is the thread of the caller.

    Args:
        members: The number of threads.

    Attributes:
        is_started: Whether the other threads have been made.
        words: See BUSY; shape (k,), int64.
        spins: The number of times that a member looks for work before it sleeps; 0 with more members than processors.
    """

    def __init__(self, members: int) -> None:
        self.members = members
        memory = np.zeros(ASLEEP + LINE * (members + 1), np.int64)
        first = -memory.ctypes.data // memory.itemsize % LINE
        self.words: Array = memory[first : first + ASLEEP + LINE * members]
        self.spins = SPINS if members <= processors() else 0
        self.reset()

    @property
    def address(self) -> int:
        """The address of the words."""
        return int(self.words.ctypes.data)

    def reset(self) -> None:
        """Forget the threads: a forked child has none of them."""
        self.is_started = False
        self.words[:] = 0
        self.words[BUSY] = 1

    def start(self) -> None:
        """Make the threads; where the system refuses to make one, the caller does all the work alone."""
        with deferred_signals(), _Start.lock:
            if self.is_started:
                return
            self.is_started = True
            for member in range(self.members):
                self.words[ASLEEP + LINE * member + 1] = new_lock()
            entry = self.entry()
            with suppress(RuntimeError):
                for member in range(1, self.members):
                    arguments = (self.address, member, self.members, self.spins)
                    threading.Thread(target=entry, args=arguments, name=f"steersman-{member}", daemon=True).start()
                self.words[BUSY] = 0

    @staticmethod
    def entry() -> Callable[..., Any]:
        """The function that the threads run."""
        return entry_point(serve, (0, 0, 0, 0))


POOLS: dict[int, WorkerPool] = {}
"""The pools of this process, by their number of members."""


class _Start:
    """The lock that lets one thread at a time make the threads of pools."""

    lock = threading.Lock()


def pool_of(members: int) -> WorkerPool:
    """The pool with a number of members."""
    return POOLS[members] if members in POOLS else POOLS.setdefault(members, WorkerPool(members))


def _reset_all() -> None:
    """Reset all pools in a forked child, which has only one thread."""
    _Start.lock = threading.Lock()
    for pool in POOLS.values():
        pool.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_all)

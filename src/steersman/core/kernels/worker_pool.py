"""The library's own threads: a crew that goes through a program together, without the interpreter.

A program is a list of *shares* (lines to be followed by one thread), stage after stage. A thread that is awake claims the
next share of the stage; the thread that finishes the last share opens the next stage. So no thread waits for a thread that
sleeps, or that the system suspended before it began, and results do not depend on the assignment of shares to threads. A
thread without work looks for work for a moment and then goes to sleep: the first of several steps in a row wakes it.

OpenMP's threads die in a forked child, Numba's workqueue aborts when two threads step two worlds, and a ThreadPoolExecutor
hangs after a fork. These threads are made anew in a forked child; a caller that finds the crew busy does all the work alone.
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
"""Words of a crew: whether it is at work, or not there; the next share, how many are done, and how many may be begun, counted
through all programs; the stage; whether a task has failed; the program (which share was its first, the addresses of its
lines, cuts and ends, and how many stages it has); and whether each member sleeps, with the lock that it waits for."""

SPINS = 2000
"""The number of times that a member looks for work before it goes to sleep: about 50 us. To wake it takes about as long."""

GATE = 0
"""The task of a line that is a gate: (GATE, address of a flag, how many lines to pass over if it is 0, 0)."""


# ------------------------------------------------------------------------------------------------ lines


@kernel
def follow(lines: int, begin: int, end: int) -> Any:
    """Execute lines (task, words, and the two arguments that change from call to call); return how many tasks failed."""
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
    """Do all shares; return how many tasks failed."""
    failed = np.int64(0)
    for k in range(shares):
        failed += follow(lines, load_word(cuts, 2 * k), load_word(cuts, 2 * k + 1))
    return failed


# ------------------------------------------------------------------------------------------------ members


@kernel
def work(crew: int, member: int, members: int) -> Any:
    """Claim a share and do it; return whether there was one.

    Its stage and its program last until a claimed share is done, so they are read before the share is counted as done.
    """
    mine = see(crew, NEXT)
    if mine >= see(crew, GOAL):
        return False
    if not claim(crew, NEXT, mine):
        return True
    goal, stage, stages = see(crew, GOAL), see(crew, STAGE), load_word(crew, PROGRAM + 4)
    lines, cuts = load_word(crew, PROGRAM + 1), load_word(crew, PROGRAM + 2)
    k = 2 * (mine - load_word(crew, PROGRAM))
    if follow(lines, load_word(cuts, k), load_word(cuts, k + 1)) > 0:
        show(crew, FAILED, 1)
    if count(crew, DONE) + 1 == goal:
        if stage + 1 < stages:
            open_stage(crew, stage + 1, member, members)
        elif member != 0:
            wake(crew, 0)  # It may have gone on already.
    return True


@kernel
def open_stage(crew: int, stage: int, member: int, members: int) -> None:
    """Let the shares of a stage be claimed, and wake as many members as there are shares for them."""
    before = see(crew, GOAL)
    goal = load_word(crew, PROGRAM) + load_word(load_word(crew, PROGRAM + 3), stage)
    show(crew, STAGE, stage)
    show(crew, GOAL, goal)
    others = goal - before - 1
    for each in range(members):
        if others > 0 and each != member:
            others -= wake(crew, each)


@kernel
def wake(crew: int, member: int) -> int:
    """Wake a member; return 0 if it was awake."""
    at = ASLEEP + LINE * member
    if swap(crew, at, 0) == 0:
        return 0
    release(load_word(crew, at + 1))
    return 1


@kernel
def may_go_on(crew: int, end: int) -> Any:
    """Whether there is a share to be claimed, or a program has ended."""
    return see(crew, NEXT) < see(crew, GOAL) or see(crew, DONE) >= end


@kernel
def rest(crew: int, member: int, end: int, spins: int) -> None:
    """Wait until there is work, or until `end` shares are done.

    A member that goes to sleep first sets its word `ASLEEP`, and then looks for work once more. A member that opens a stage
    first announces the work, and then looks for sleeping members. So at least one of the two sees the other, and the member
    that resets the word `ASLEEP` decides whether the lock has to be waited for.
    """
    for _ in range(spins):
        if may_go_on(crew, end):
            return
        pause()
    at = ASLEEP + LINE * member
    while not may_go_on(crew, end):
        show(crew, at, 1)
        if may_go_on(crew, end) and swap(crew, at, 0) == 1:
            return
        acquire(load_word(crew, at + 1))


NEVER = 2**62
"""More shares than there will ever be."""


@kernel
def serve(crew: int, member: int, members: int, spins: int) -> int:
    """The main loop of all members except the first."""
    while members > 0:
        if not work(crew, member, members):
            rest(crew, member, NEVER, spins)
    return 0


@kernel
def lead(crew: int, members: int, spins: int, lines: int, cuts: int, shares: int, ends: int, stages: int) -> Any:
    """Go through a program with a crew, or alone if the crew is busy or has no threads; return whether a task failed."""
    if swap(crew, BUSY, 1) == 1:
        return follow_alone(lines, cuts, shares)
    base = see(crew, DONE)
    end = base + shares
    show(crew, PROGRAM, base)
    show(crew, PROGRAM + 1, lines)
    show(crew, PROGRAM + 2, cuts)
    show(crew, PROGRAM + 3, ends)
    show(crew, PROGRAM + 4, stages)
    show(crew, FAILED, 0)
    open_stage(crew, 0, 0, members)
    while see(crew, DONE) < end:
        if not work(crew, 0, members):
            rest(crew, 0, end, spins)
    failed = see(crew, FAILED)
    show(crew, BUSY, 0)
    return failed


# ------------------------------------------------------------------------------------------------ crews


class WorkerPool:
    """A number of threads, of which the first is the thread of the caller.

    Args:
        members: The number of threads.

    Attributes:
        there: Whether the other threads have been made.
        words: See BUSY; shape (k,), int64.
        spins: The number of times that a member looks for work before it sleeps; 0 with more members than processors.
    """

    def __init__(self, members: int) -> None:
        self.members = members
        memory = np.zeros(ASLEEP + LINE * (members + 1), np.int64)
        first = -memory.ctypes.data // memory.itemsize % LINE
        self.words: Array = memory[first : first + ASLEEP + LINE * members]
        self.spins = SPINS if members <= processors() else 0
        self.leave()

    @property
    def address(self) -> int:
        """The address of the words."""
        return int(self.words.ctypes.data)

    def leave(self) -> None:
        """Forget the threads: a forked child has none of them."""
        self.there = False
        self.words[:] = 0
        self.words[BUSY] = 1

    def come(self) -> None:
        """Make the threads; where the system refuses to make one, the caller does all the work alone."""
        with deferred_signals(), COMING.lock:
            if self.there:
                return
            self.there = True
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


CREWS: dict[int, WorkerPool] = {}
"""The crews of this process, by their number of members."""


class _Coming:
    """The lock that lets one thread at a time make the threads of crews."""

    lock = threading.Lock()


COMING = _Coming()


def crew_of(members: int) -> WorkerPool:
    """The crew with a number of members."""
    return CREWS[members] if members in CREWS else CREWS.setdefault(members, WorkerPool(members))


def _leave() -> None:
    """Reset all crews in a forked child, which has only one thread."""
    COMING.lock = threading.Lock()
    for crew in CREWS.values():
        crew.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave)

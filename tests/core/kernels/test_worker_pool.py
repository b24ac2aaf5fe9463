"""Worker pools: every share is executed once, stage after stage; errors are raised, and a forked child steps on."""

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from patience import PATIENCE

from steersman.core.kernels.bound import Bound, bind
from steersman.core.kernels.kernel import entry_point, is_compiling, kernel
from steersman.core.kernels.program import parts_of
from steersman.core.kernels.worker_pool import BUSY, WorkerPool
from steersman.core.world.section import Section

pytestmark = pytest.mark.skipif(not is_compiling(), reason="without machine code the caller does all the work")


@kernel
def visit(start: int, stop: int, visits: Any, before: Any, torn: Any) -> None:
    """Count a visit of each row, and whether a row of the stage before had one visit less."""
    for i in range(start, stop):
        visits[i] += 1
    for i in range(before.size):
        if before[i] != visits[start]:
            torn[start] = 1


@kernel
def fail(start: int, stop: int, visits: Any) -> None:
    """Raise an error for some rows."""
    if start == 2:
        raise ValueError("row 2")
    visits[start] += 1


@kernel
def linger(start: int, stop: int, rounds: Any, visits: Any) -> None:
    """Take a while."""
    for i in range(start, stop):
        total = 0.0
        for k in range(rounds):
            total += np.sqrt(k + total)
        visits[i] += 1 if total > 0 else 0


def compiled(function: Any, *arguments: Any) -> Bound:
    return bind(entry_point(function, arguments), arguments)


@pytest.mark.parametrize("members", [2, 3, 5])
def test_every_share_is_done_once_and_no_stage_begins_before_the_last_has_ended(members: int) -> None:
    rows, stages, torn = 6, [], np.zeros(6, np.int64)
    visits = np.zeros((4, rows), np.int64)
    nobody = np.zeros(0, np.int64)
    for k in range(4):
        before = visits[k - 1] if k else nobody
        stages.append([[compiled(visit, row, row + 1, visits[k], before, torn)] for row in range(rows)])
    section = Section(stages, members)
    for done in range(1, 1001):
        section.run()
        if done % 100 == 0:
            assert (visits == done).all()
            time.sleep(0.002)  # The members fall asleep.
    assert not torn.any()
    names = [thread.name for thread in threading.enumerate() if thread.daemon]
    assert {f"steersman-{member}" for member in range(1, members)} <= set(names)


def test_an_error_is_raised_and_the_pool_works_on() -> None:
    visits = np.zeros(4, np.int64)
    failing = Section([[[compiled(fail, row, row + 1, visits)] for row in range(4)]], 2)
    for _ in range(3):
        with pytest.raises(ValueError, match="row 2"):
            failing.run()
    visits[:] = 0
    good = Section([[[compiled(fail, row, row + 1, visits)] for row in (0, 1, 3)]], 2)
    good.run()
    assert visits.tolist() == [1, 1, 0, 1]


def test_a_caller_that_finds_the_pool_busy_does_all_the_work_alone() -> None:
    pool, visits = WorkerPool(2), np.zeros(6, np.int64)
    shares = [[compiled(linger, row, row + 1, 10, visits)] for row in range(6)]
    (part,) = parts_of([shares], pool)
    assert pool.words[BUSY] == 1  # Its threads have not been started.
    assert part.function(*part.arguments) == 0
    assert visits.tolist() == [1] * 6
    pool.start()
    assert pool.words[BUSY] == 0
    pool.words[BUSY] = 1
    assert part.function(*part.arguments) == 0
    assert visits.tolist() == [2] * 6


def test_two_callers_at_once() -> None:
    visits = np.zeros((2, 6), np.int64)
    sections = [Section([[[compiled(linger, row, row + 1, 2000, mine)] for row in range(6)]] * 3, 2) for mine in visits]
    threads = [threading.Thread(target=lambda each=each: [each.run() for _ in range(200)]) for each in sections]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (visits == 600).all()


def run_interrupted(section: Section, visits: Any) -> None:
    """Run it; the interrupt comes when the first share is done."""
    before, main = visits.sum(), threading.get_ident()

    def interrupt() -> None:
        while visits.sum() == before:
            time.sleep(1e-4)
        signal.pthread_kill(main, signal.SIGALRM)

    threading.Thread(target=interrupt, daemon=True).start()
    section.run()
    time.sleep(PATIENCE)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="a signal of POSIX")
def test_an_interrupt_waits_until_the_threads_have_ended() -> None:
    """They write into the caller's arrays: nobody may go on before."""
    visits = np.zeros(8, np.int64)
    section = Section([[[compiled(linger, row, row + 1, 1_000_000, visits)] for row in range(8)]], 2)
    section.run()
    before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    try:
        for done in range(2, 5):
            with pytest.raises(KeyboardInterrupt):
                run_interrupted(section, visits)
            assert visits.tolist() == [done] * 8
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_has_a_pool_of_its_own() -> None:
    visits = np.zeros(6, np.int64)
    section = Section([[[compiled(linger, row, row + 1, 10, visits)] for row in range(6)]] * 2, 2)
    section.run()
    child = os.fork()
    if child == 0:
        for _ in range(50):
            section.run()
        os._exit(0 if (visits == 102).all() else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    section.run()
    assert (visits == 4).all()


def test_calls_of_python_stand_between_programs() -> None:
    visits, seen = np.zeros(6, np.int64), []
    shares = [[compiled(linger, row, row + 1, 10, visits)] for row in range(6)]
    section = Section([shares, [[bind(lambda: seen.append(visits.sum()))]], shares], 2)
    section.run()
    assert seen == [6]
    assert (visits == 2).all()
    assert section.actions(True) is None
    assert Section([shares], 2).actions(True) is not None

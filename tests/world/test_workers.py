"""The worker threads: everything is done, errors come home, signals leave no work behind."""

import signal
import threading
import time
from functools import partial

import pytest

from steersman.world.workers import Workers, thread_count


@pytest.fixture
def workers():
    return Workers()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_all_tasks_are_done(workers, count):
    for _ in range(200):
        done: list[int] = []
        workers.run([partial(done.append, k) for k in range(count)])
        assert sorted(done) == list(range(count))
    assert len(workers.workers) == count - 1


def test_the_first_task_is_done_by_the_caller(workers):
    names = []
    workers.run([lambda: names.append(threading.current_thread()) for _ in range(3)])
    assert threading.current_thread() in names
    assert len({thread.name for thread in names}) == 3
    assert all(thread.daemon for thread in workers.workers)


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_comes_home_when_all_have_ended(workers, failing):
    ended = []

    def task(k):
        if k == failing:
            raise LookupError(k)
        time.sleep(0.01)
        ended.append(k)

    for _ in range(3):
        ended.clear()
        with pytest.raises(LookupError, match=str(failing)):
            workers.run([lambda k=k: task(k) for k in range(3)])
        assert sorted(ended) == sorted({0, 1, 2} - {failing})
    workers.run([lambda k=k: ended.append(k) for k in range(3)])


def test_a_second_caller_does_its_work_by_itself(workers):
    inner = []
    names = set()

    def outer():
        workers.run([lambda: inner.append(threading.current_thread().name) for _ in range(3)])
        names.add(threading.current_thread().name)

    workers.run([outer, lambda: None])
    assert len(inner) == 3
    assert set(inner) == names


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to threads on this system")
def test_an_interrupt_waits_for_the_helpers(workers):
    """They write into the caller's arrays: nobody may go on before they have ended."""
    ended = []

    def slow():
        time.sleep(0.05)  # until the caller waits
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.2)
        ended.append(True)

    for round_ in range(1, 4):
        with pytest.raises(KeyboardInterrupt):
            workers.run([lambda: None, slow])
        assert len(ended) == round_
        done: list[int] = []
        workers.run([partial(done.append, k) for k in range(2)])
        assert sorted(done) == [0, 1]


def test_the_number_of_threads(monkeypatch):
    monkeypatch.delenv("STEERSMAN_THREADS", raising=False)
    assert thread_count(None) >= 1
    assert thread_count(3) == 3
    monkeypatch.setenv("STEERSMAN_THREADS", "2")
    assert thread_count(None) == 2
    assert thread_count(5) == 5
    for wrong in ("0", "-1", "1.5", "x", ""):
        monkeypatch.setenv("STEERSMAN_THREADS", wrong)
        with pytest.raises(ValueError, match=f"STEERSMAN_THREADS must be a whole number >= 1, got '{wrong}'"):
            thread_count(None)

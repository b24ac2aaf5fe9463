"""One process compiles a missing kernel, the others wait for it; and no lock is ever in the way for long."""

import errno
import os
import signal
import time
from threading import Thread

import pytest
from core.kernels.test_cache import RUN, TinyPackage
from patience import PATIENCE

from steersman.core.kernels import compile_lock
from steersman.core.kernels.compile_lock import CompileLock
from steersman.core.kernels.kernel import is_compiling, kernel

fcntl = pytest.importorskip("fcntl", reason="files have no locks on this system")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
compiled_only = pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")

TOLD = """
import time
from pathlib import Path
sleep = time.sleep
time.sleep = lambda seconds: (Path({marker!r}).touch(), sleep(seconds))
"""
"""The beginning of a program that leaves a file when it begins to wait."""


@pytest.fixture
def tiny(tmp_path, compiling):
    return TinyPackage(tmp_path, compiling)


@compiled_only
def test_a_kernel_that_another_process_compiles_is_waited_for_and_loaded(tiny, tmp_path):
    tiny.run()
    (file,), marker, results = tiny.files(), tmp_path / "waits", []
    content = file.read_bytes()
    file.unlink()
    lock = CompileLock(file)
    assert lock.handle is not None
    other = Thread(target=lambda: results.append(tiny.run(TOLD.format(marker=str(marker)) + RUN)))
    other.start()
    end = time.monotonic() + PATIENCE
    while not marker.exists() and other.is_alive() and time.monotonic() < end:
        time.sleep(0.01)
    file.write_bytes(content)
    lock.release()
    other.join(PATIENCE)
    assert results == [(21, 1, 0)]
    assert not list(tiny.cache.glob("??/*.lock"))


@compiled_only
def test_a_lock_that_is_never_freed_is_done_without(tiny):
    tiny.run()
    (file,) = tiny.files()
    file.unlink()
    lock = CompileLock(file)
    assert tiny.run("import tiny.ground.compile_lock\ntiny.ground.compile_lock.PATIENCE = 0.1\n" + RUN) == (21, 0, 1)
    lock.release()


def negated(x):
    return -x


@compiled_only
def test_a_kernel_that_can_not_be_compiled_is_not_locked(monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path))
    seen = []
    monkeypatch.setattr(CompileLock, "release", lambda lock: seen.append(lock.path.exists()) or release(lock))
    with pytest.raises(Exception, match="No implementation of function"):
        kernel(negated)((1.0,))
    assert seen == [True]
    assert not list(tmp_path.glob("??/*.lock"))


release = CompileLock.release


def test_a_lock_is_held_by_one_and_free_again(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_lock, "PATIENCE", 0.05)
    first = CompileLock(tmp_path / "aa/law.kernel")
    second = CompileLock(tmp_path / "aa/law.kernel")
    other = CompileLock(tmp_path / "aa/other.kernel")
    assert (first.handle is None, second.handle is None, other.handle is None) == (False, True, False)
    for each in (first, second, other, first):
        each.release()
    third = CompileLock(tmp_path / "aa/law.kernel")
    assert third.handle is not None
    third.release()
    assert list((tmp_path / "aa").iterdir()) == []


def forked(act):
    """A child that has begun to sleep after an act."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        try:
            act()
            os.write(send, b"!")
            time.sleep(PATIENCE)
        finally:
            os._exit(1)
    assert os.read(receive, 1) == b"!"
    os.close(receive)
    os.close(send)
    return child


def ended(child):
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_a_process_that_is_killed_holds_no_lock(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_lock, "PATIENCE", 0.05)
    child = forked(lambda: CompileLock(tmp_path / "law.kernel"))
    held = CompileLock(tmp_path / "law.kernel").handle
    ended(child)
    freed = CompileLock(tmp_path / "law.kernel")
    assert held is None
    assert freed.handle is not None
    freed.release()


def test_a_forked_child_holds_no_lock_that_its_parent_has_released(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_lock, "PATIENCE", 0.05)
    lock = CompileLock(tmp_path / "law.kernel")
    child = forked(lambda: None)
    (tmp_path / "law.lock").rename(tmp_path / "kept")  # The same file again, as where it can't be removed.
    lock.release()
    (tmp_path / "kept").rename(tmp_path / "law.lock")
    again = CompileLock(tmp_path / "law.kernel")
    ended(child)
    assert again.handle is not None
    again.release()


@pytest.mark.parametrize("why", ["a folder without locks", "a folder that is a file", "a kernel that is there"])
def test_where_no_lock_can_be_or_is_needed_nothing_is_held(why, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, "no locks available")

    file = tmp_path / "aa/law.kernel"
    if why == "a folder without locks":
        monkeypatch.setattr(fcntl, "flock", refuse)
    elif why == "a folder that is a file":
        file.parent.touch()
    else:
        file.parent.mkdir()
        file.touch()
    began = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
    lock = CompileLock(file)
    assert lock.handle is None
    lock.release()
    if began:
        assert set(os.listdir("/proc/self/fd")) == began

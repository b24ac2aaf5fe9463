"""Compilation is announced when it happens, and only then."""

import sys

import numba
import pytest

from steersman.core.kernels.announcing import WATCHERS, tell_compiled, tell_compiling, watched_compilation
from steersman.core.kernels.kernel import is_compiling


def double(x):
    return 2 * x


def uncached(function):
    """A kernel that has to be compiled, whatever is in the cache."""
    return numba.njit(function)  # noqa: TID251


@pytest.mark.skipif(not is_compiling(), reason="nothing is compiled")
def test_every_compilation_is_told_once_before_and_once_after():
    begun, done = [], []
    fresh = uncached(double)
    with watched_compilation(begins=lambda *told: begun.append(told), done=lambda *told: done.append(told)):
        assert begun == []
        fresh(1)
        assert begun == [("double", 1, 1)]
        fresh(1)
        fresh(1.5)
    assert begun == [("double", 1, 1), ("double", 2, 2)]
    assert [name for name, _ in done] == ["double", "double"]
    assert all(seconds > 0 for _, seconds in done)


def test_nothing_is_told_without_compilation():
    calls = []
    compiled = uncached(double)
    compiled(1)
    with watched_compilation(begins=lambda *told: calls.append(told)):
        assert compiled(2) == 4
    uncached(double)(1)
    assert calls == []


def test_nothing_is_told_any_more_after_an_error_inside():
    calls = []
    with pytest.raises(ZeroDivisionError), watched_compilation(begins=lambda *told: calls.append(told)):
        raise ZeroDivisionError
    uncached(double)(1)
    tell_compiling("double", 1, 2)
    assert (calls, WATCHERS) == ([], [])


def test_who_knows_how_many_there_are_says_so():
    begun, done = [], []
    with watched_compilation(begins=lambda *told: begun.append(told), done=lambda *told: done.append(told)):
        tell_compiling("double", 1, 2)
        tell_compiling("seek", 2, 2)
        tell_compiled("seek", 0.5)
        tell_compiling("", 2, 2)
    assert begun == [("double", 1, 2), ("seek", 2, 2)]
    assert done == [("seek", 0.5)]


@pytest.mark.parametrize("terminal", [True, False])
def test_where_nobody_listens_a_terminal_shows_it(terminal, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    tell_compiling("double", 1, 2)
    tell_compiling("", 2, 2)
    shown = capsys.readouterr().err
    assert ("compiling kernel 1 of 2, double" in shown) is terminal
    assert shown.endswith("\r\x1b[K") is terminal


def test_a_program_without_an_error_output_is_told_nothing(monkeypatch, capsys):
    """As pythonw starts it."""
    monkeypatch.setattr(sys, "stderr", None)
    tell_compiling("double", 1, 2)
    assert capsys.readouterr().out == ""

"""Compilation is announced when it happens, and only then."""

import numba
import pytest

from steersman.geometry.compilation import announced_compilation
from steersman.geometry.kernel import is_compiling


def double(x):
    return 2 * x


def uncached(function):
    """A kernel that has to be compiled, whatever is in the cache."""
    return numba.njit(function)  # noqa: TID251


@pytest.mark.skipif(not is_compiling(), reason="nothing is compiled")
def test_the_first_compilation_is_announced_once():
    calls = []
    fresh = uncached(double)
    with announced_compilation(lambda: calls.append("compiling")):
        assert calls == []
        fresh(1)
        assert calls == ["compiling"]
        fresh(1.5)
        assert calls == ["compiling"]


def test_nothing_is_announced_without_compilation():
    calls = []
    compiled = uncached(double)
    compiled(1)
    with announced_compilation(lambda: calls.append("compiling")):
        assert compiled(2) == 4
    uncached(double)(1)
    assert calls == []

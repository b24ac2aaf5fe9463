"""Kernels and helpers are compiled once each, to no more than is needed, and never by halves."""

import gc
import signal
import sys
from collections import namedtuple

import numpy as np
import pytest

from steersman.core.kernels.compiler import no_collection
from steersman.core.kernels.kernel import is_compiling, kernel

pytestmark = pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")


@kernel
def weighed(x, weight, doubled=False):
    return x * weight * 2 if doubled else x * weight


@kernel
def total(numbers, out):
    for i in range(len(numbers)):
        out[i] = weighed(numbers[i], 2) + weighed(numbers[i], 3) + weighed(numbers[i], 4, True)


@pytest.mark.parametrize("before", [True, False])
def test_garbage_is_collected_after_an_error_of_the_compiler_as_it_was_before(before):
    seen = []
    try:
        (gc.enable if before else gc.disable)()
        with no_collection():
            seen.append(gc.isenabled())
        with pytest.raises(ZeroDivisionError), no_collection():
            raise ZeroDivisionError
        assert (seen, gc.isenabled()) == ([False], before)
    finally:
        gc.enable()


def test_a_helper_has_no_machine_code_unless_python_calls_it():
    out = np.zeros(3)
    total(np.arange(3.0), out)
    assert out.tolist() == [0, 13, 26]
    assert list(weighed.overloads) == []
    assert weighed(1.5, 2) == 3
    assert len(weighed.overloads) == 1


def test_a_constant_number_gets_no_form_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path))
    kernel(total.py_func)(np.arange(3.0), np.zeros(3))
    kinds = [str(kinds) for kinds in weighed.helper.overloads]
    assert len(kinds) == 2
    assert sum("Literal[bool](True)" in each for each in kinds) == 1
    assert not any("Literal[int]" in each for each in kinds)


def test_a_kernel_may_call_itself():
    assert factorial(5) == 120


@kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def test_named_tuples_of_one_name_have_code_of_their_own():
    first, second = namedtuple("Pair", "a b"), namedtuple("Pair", "b a")

    @kernel
    def minus(pair):
        return pair.a - pair.b

    @kernel
    def difference(pair):
        return minus(pair)

    assert difference(first(3.0, 1.0)) == 2
    assert difference(second(3.0, 1.0)) == -2


def test_equal_kernels_may_be_there_twice():
    def doubled(x):
        return 2 * x

    first, second = kernel(doubled), kernel(doubled)
    assert first(1.5) == second(1.5) == 3


def halved(x):
    return x / 2


@pytest.mark.parametrize("moment", ["_raw_object_cache_notify", "type_inference_stage", "lower_block"])
def test_ctrl_c_while_compiling_is_heard_when_the_kernel_is_whole(moment, monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path))
    fresh = kernel(halved)
    interrupted = []

    def at_the_moment(frame, what, _):
        if what == "call" and frame.f_code.co_name == moment:
            sys.setprofile(None)
            interrupted.append(moment)
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(at_the_moment)
    try:
        with pytest.raises(KeyboardInterrupt):
            fresh(3.0)
    finally:
        sys.setprofile(None)
    assert interrupted == [moment]
    assert len(fresh.overloads) == 1
    assert fresh(3.0) == 1.5
    assert len(list(tmp_path.glob("??/halved-*.kernel"))) == 1


@pytest.mark.parametrize("before", [True, False])
def test_nothing_is_collected_while_a_kernel_is_compiled(before, monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path))
    fresh, inside = kernel(halved), []

    def is_compiling_now(frame, what, _):
        if what == "call" and frame.f_code.co_name == "type_inference_stage":
            inside.append(gc.isenabled())

    collects = gc.isenabled()
    (gc.enable if before else gc.disable)()
    sys.setprofile(is_compiling_now)
    try:
        assert fresh(3.0) == 1.5
        after = gc.isenabled()
    finally:
        sys.setprofile(None)
        (gc.enable if collects else gc.disable)()
    assert inside == [False]
    assert after == before

"""What a plan calls is compiled before it is made. That several processes do it is tried in determinism/test_same_bits.py."""

import subprocess
from types import SimpleNamespace

import pytest

from steersman.core.kernels import ahead as ahead_module
from steersman.core.kernels.ahead import PROCESSES, ahead
from steersman.core.kernels.announcing import watched_compilation
from steersman.core.kernels.kernel import Missing, entry_point, is_compiling, kernel

pytestmark = pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")


def doubled(x):
    return 2 * x


def tripled(x):
    return 3 * x


def negated(x):
    return -x


@pytest.fixture
def cold(monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path))
    return tmp_path


def test_a_plan_is_made_again_when_all_that_it_calls_is_compiled(cold):
    kernels = [kernel(doubled), kernel(tripled)]
    plans, heard = [], []

    def make():
        plans.append([entry_point(each, (1.5,)) for each in kernels])
        return plans[-1]

    with watched_compilation(begins=lambda *told: heard.append(told)):
        made = ahead(make)
    assert len(plans) == 2
    assert all(isinstance(each, Missing) for each in plans[0])
    assert not any(isinstance(each, Missing) for each in made)
    assert [each(1.5) for each in made] == [3, 4.5]
    assert heard == [("doubled", 1, 2), ("tripled", 2, 2)]
    assert ahead(make) is plans[2]
    assert len(plans) == 3


def test_what_is_missing_may_be_called(cold):
    fresh = kernel(doubled)
    called = []

    def make():
        called.append(entry_point(fresh, (1.5,))(1.5))

    ahead(make)
    assert called == [3, 3]


def test_what_can_not_be_compiled_is_an_error_of_the_plan(cold):
    fresh = kernel(negated)
    with pytest.raises(Exception, match="No implementation of function"):
        ahead(lambda: entry_point(fresh, ((1.0,),)))


@pytest.mark.parametrize("why", ["it ends at once", "none may be started"])
def test_a_process_that_can_not_start_is_done_without(why, cold, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(why)

    if why == "it ends at once":
        monkeypatch.setattr(ahead_module, "COMMAND", "raise SystemExit(1)")
    else:
        monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(ahead_module, "WORTH", 1)
    monkeypatch.setenv(PROCESSES, "2")
    kernels = [kernel(doubled), kernel(tripled)]
    made = ahead(lambda: [entry_point(each, (1.5,)) for each in kernels])
    assert [each(1.5) for each in made] == [3, 4.5]


def test_as_many_processes_compile_as_are_asked_for(monkeypatch):
    monkeypatch.setattr(ahead_module, "processors", lambda: 6)
    for named, kernels, expected in (("3", 999, 3), ("1", 999, 1), ("", 999, 6), ("x", 999, 6), ("4", 1, 1)):
        monkeypatch.setenv(PROCESSES, named)
        assert ahead_module._processes(kernels) == expected


def test_an_interrupt_ends_the_processes_that_help(monkeypatch):
    class Helper:
        thread, done = SimpleNamespace(join=lambda: None), ()

        def __init__(self, waiting, say):
            begun.append(self)

        def end(self):
            ended.append(self)

    def interrupted():
        raise KeyboardInterrupt

    begun, ended = [], []
    monkeypatch.setattr(ahead_module, "_Process", Helper)
    monkeypatch.setattr(ahead_module, "_processes", lambda count: 3)
    with pytest.raises(KeyboardInterrupt):
        ahead_module.compile_all([SimpleNamespace(name="seek", compile=interrupted)])
    assert len(begun) == 2
    assert ended == begun

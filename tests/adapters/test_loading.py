"""Loading: kernels are compiled in a thread, and the loop goes on meanwhile."""

import time

import pytest
from patience import PATIENCE

import steersman as sm
from steersman.adapters.loading import Loading
from steersman.core.kernels import ahead


def scene():
    world = sm.World()
    world.add(sm.Vehicles([[0, 0], [1, 1]]), steering=sm.Seek([5, 5]) + sm.Separation(radius=2))
    return world


def test_a_loop_sees_the_bar_grow(tmp_path, monkeypatch):
    monkeypatch.setenv("STEERSMAN_COMPILERS", "1")
    jobs, seen = [], []
    real = ahead.compile_all

    def slow(missing):  # As if kernels were missing: the real list is often empty, because they are in the cache.
        for k in range(4):
            jobs.append(k)
            ahead.tell_compiling(f"kernel_{k}", k + 1, 4)
            end = time.monotonic() + PATIENCE
            while (k / 4, f"kernel_{k}") not in seen and time.monotonic() < end:
                time.sleep(0.005)
        ahead.tell_compiling("", 4, 4)
        real(missing)

    monkeypatch.setattr(ahead, "collecting", _collecting_one)
    monkeypatch.setattr(ahead, "compile_all", slow)
    loading = Loading(scene())
    while not loading.done:
        seen.append((loading.fraction, loading.name))
        time.sleep(0.005)
    parts = [part for part, _ in seen]
    assert parts == sorted(parts)
    assert {0.0, 0.25, 0.5, 0.75} <= set(parts)
    assert loading.fraction == 1
    assert {(0.0, "kernel_0"), (0.75, "kernel_3")} <= set(seen)  # It is not done while it is compiled.


def _collecting_one():
    from contextlib import contextmanager

    @contextmanager
    def inside():
        yield [Nothing()]

    return inside()


class Nothing:
    name, is_ours = "nothing", False

    def compile(self):
        """Do nothing."""


@pytest.mark.parametrize("explain", [False, True])
def test_a_world_is_ready_afterwards(explain, capsys):
    """Sketches, too, where they are wanted; nothing is printed."""
    sketched = []

    class Sought(sm.Seek):
        def sketch(self, context):
            sketched.append(context)
            yield from super().sketch(context)

    world = scene()
    world.add(sm.Vehicles([[0, 0]]), steering=Sought([5, 5]))
    assert Loading(world, explain=explain).wait(120)
    assert sm.warmup(world, progress=None) == 0
    assert bool(sketched) == explain
    assert capsys.readouterr() == ("", "")
    world.step()


def test_errors_are_raised_in_the_loop():
    loading = Loading("no world")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="warmup takes worlds"):
        loading.wait()

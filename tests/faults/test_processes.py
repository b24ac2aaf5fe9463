"""Processes that are made while threads are alive, and interpreters without a global lock."""

import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forking import in_forked_child

import steersman as sm
from steersman.core.world.state_hash import state_hash


def flock() -> sm.World:
    """Large enough that several threads take part."""
    world = sm.World(seed=4, threads=2, domain=sm.Torus([200, 200]))
    vehicles = sm.Vehicles(np.random.default_rng(4).uniform(0, 200, (5000, 2)), max_speed=3)
    world.add(vehicles, steering=sm.Separation(radius=2) + sm.Wander())
    return world


def stepped(steps: int = 5) -> str:
    world = flock()
    world.run(steps=steps)
    return state_hash(world)


def send_stepped(send: Any) -> None:
    send.send(stepped())
    send.close()


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_of_every_start_method_have_the_same_bits(method: str) -> None:
    expected, context = stepped(), multiprocessing.get_context(method)
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=send_stepped, args=(send,))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads is what is tested
        process.start()
    try:
        assert receive.poll(120), "the process hangs"
        assert receive.recv() == expected
    finally:
        process.kill()
        process.join(60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_while_another_thread_steps() -> None:
    expected, busy, ended = stepped(), flock(), threading.Event()

    def steps() -> None:
        while not ended.is_set():
            busy.step()

    thread = threading.Thread(target=steps)
    thread.start()
    try:
        for _ in range(10):
            check_fork(expected)
    finally:
        ended.set()
        thread.join(60)


def check_fork(expected: str) -> None:
    """A forked child steps a world of its own with threads of its own."""
    assert in_forked_child(stepped) == expected


def test_an_interpreter_without_its_lock_is_refused() -> None:
    program = "import sys; sys._is_gil_enabled = lambda: False; import steersman; steersman.World"
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "ImportError: steersman needs Python's global lock (GIL)" in ended.stderr
    assert "-X gil=1" in ended.stderr


FREE = next((found for name in ("python3.14t", "python3.13t") if (found := shutil.which(name))), None)


@pytest.mark.skipif(FREE is None, reason="no free-threaded Python on this system")
def test_a_free_threaded_interpreter_with_its_lock_steps() -> None:
    assert FREE is not None
    if subprocess.run([FREE, "-X", "gil=1", "-c", "import numba"], check=False, capture_output=True).returncode:
        pytest.skip("Numba is not installed there")
    program = "from tests.faults.test_processes import stepped; print(stepped())"
    command = [FREE, "-X", "gil=1", "-c", program]
    ended = subprocess.run(command, cwd=Path(__file__).parents[2], check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr

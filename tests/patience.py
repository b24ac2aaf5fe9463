"""How long tests wait for processes, threads and pages that are on their way."""

import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 600.0
"""Seconds after which what a test waits for hangs. On a busy machine a process may get a fiftieth of a processor."""


def standing(cls: str, steps: int) -> str:
    """The command as a program that stands still after so many steps, so that it does not end before it is killed.

    Args:
        cls: The class whose steps count, with its module: "module.Class".
        steps: Their number.
    """
    module, _, name = cls.rpartition(".")
    return (
        f"import signal; from {module} import {name} as cls; step = cls.step\n"
        "def stepping(world, dt=None):\n"
        f"    step(world, dt); world.steps == {steps} and signal.pause()\n"
        "cls.step = stepping; from steersman.cli.main import run; run()\n"
    )


def interrupted(script: str, arguments: list[str], ready: Path) -> str:
    """What a program says on stderr that hears Ctrl-C as soon as a file is there, which it makes; it ends with code 130."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + PATIENCE
    while not ready.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    if not ready.exists():
        process.kill()
    assert ready.exists(), process.communicate()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    return stderr

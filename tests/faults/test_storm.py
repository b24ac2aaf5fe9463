"""A storm of Ctrl-C: the process lives, and the world is where whole steps lead."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from steersman.core.kernels.kernel import is_compiling

SECONDS = 4
"""How long it blows [s]."""

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="timers are signals of POSIX"),
    pytest.mark.skipif(not is_compiling(), reason="without machine code there is nothing that could be freed twice"),
]


def test_a_storm_is_weathered() -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.faults.storming", str(SECONDS)]
    ended = subprocess.run(
        command, cwd=Path(__file__).parents[2], check=False, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, f"{ended.returncode}: {ended.stdout}{ended.stderr[-3000:]}"
    assert "signals; done" in ended.stdout

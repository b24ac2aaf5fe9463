"""What runs on the device, in Numba's simulator: the same forces as on the processor, without a graphics processor."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = [
    "2,torus,views", "3,open,views", "2,small torus,all round", "3,torus,two sets", "2,box,two sets",
    "2,torus,nearest", "3,open,nearest", "3,small torus,nearest", "2,box,ORCA", "2,open,deferred", "columns",
]  # fmt: skip

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda")


def test_the_simulated_device_steers_as_the_processor_does():
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.gpu.simulated", *CASES],
        cwd=ROOT, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr[-2000:]
    lines = told.stdout.splitlines()
    assert len(lines) == len(CASES)
    for case, line in zip(CASES, lines, strict=True):
        position, velocity = map(float, line.split())
        assert position < 1e-5, case
        assert velocity < 1e-5, case

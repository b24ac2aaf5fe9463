"""Processes of an mpiexec step one world; skipped where there is no MPI."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scaling.scenes import flock

import steersman as sm

pytest.importorskip("mpi4py")

MPIEXEC = shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))

pytestmark = pytest.mark.skipif(MPIEXEC is None, reason="there is no mpiexec")

ENVIRONMENT = {
    **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "NUMBA_NUM_THREADS": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PYTHONPATH": os.pathsep.join(sys.path),
}  # fmt: skip

STEPS = 100

PROGRAM = f"""
import steersman as sm
from scaling.scenes import flock

split = sm.split_world(flock())
split.run(steps={STEPS})
hash = split.state_hash()
whole = split.gather()
if whole is not None:
    print("HASH", hash, split.owned["flock"] < len(whole["flock"]))
"""


def command(ranks: int, *words: str) -> list[str]:
    assert MPIEXEC is not None
    return [MPIEXEC, "--bind-to", "none", "-n", str(ranks), sys.executable, *words]


def scenario(out: Path, *more: str) -> list[str]:
    return ["-m", "steersman", "run", "flocking", "--n", "60", "--steps", "120", "--out", str(out), *more]


@pytest.fixture(scope="module")
def expected() -> str:
    world = flock()
    world.run(steps=STEPS)
    return sm.state_hash(world)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_a_flock_of_several_processes_has_the_bits_of_one(ranks: int, expected: str) -> None:
    done = subprocess.run(
        command(ranks, "-c", PROGRAM), env=ENVIRONMENT, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    (line,) = [each for each in done.stdout.splitlines() if "HASH" in each]
    assert line.split()[-2:] == [expected, str(ranks > 1)]


def test_a_process_that_dies_ends_all_and_the_run_goes_on_from_the_last_snapshot(tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "split"
    subprocess.run([sys.executable, *scenario(whole, "-q")], env=ENVIRONMENT, check=True, timeout=240)
    run = subprocess.Popen(
        command(2, *scenario(out, "--snapshots", "0.2", "--split", "-q")),
        env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 120
        while len(list((out / "snapshots").glob("*.steersman"))) < 3:
            assert run.poll() is None, "the run ended before it was stopped"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
        assert run.wait(60) != 0
    finally:
        run.kill()
        run.communicate()
    assert not (out / "summary.json").exists()
    again = subprocess.run(
        command(2, "-m", "steersman", "run", "--resume", str(out), "--split", "-q"),
        env=ENVIRONMENT, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    states = [json.loads((each / "summary.json").read_text())["state_hash"] for each in (whole, out)]
    assert states[0] == states[1]


def test_what_is_wrong_with_the_call_ends_all_processes() -> None:
    done = subprocess.run(
        command(2, "-m", "steersman", "run", "no_such_scenario", "--split"),
        env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no_such_scenario" in done.stderr

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
from patience import PATIENCE, standing
from scaling.scenes import flock

import steersman as sm
from steersman.gallery.registry import SCENARIOS

pytest.importorskip("mpi4py")

MPIEXEC = shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))

pytestmark = pytest.mark.skipif(MPIEXEC is None, reason="there is no mpiexec")

ENVIRONMENT = {
    **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "NUMBA_NUM_THREADS": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PYTHONPATH": os.pathsep.join(sys.path),
}  # fmt: skip

STEPS = 60

PROGRAM = f"""
from mpi4py import MPI
import steersman as sm
from scaling.scenes import flock

every = MPI.COMM_WORLD
for ranks in (1, 2, 4):
    comm = every.Split(every.rank < ranks, every.rank)
    if every.rank < ranks:
        split = sm.split_world(flock(), comm)
        split.run(steps={STEPS})
        hash = split.state_hash()
        whole = split.gather()
        if whole is not None:
            print("HASH", ranks, split.ranks, hash, split.owned["flock"] < len(whole["flock"]), flush=True)
    every.Barrier()
"""


def command(ranks: int, *words: str) -> list[str]:
    assert MPIEXEC is not None
    return [MPIEXEC, "--bind-to", "none", "-n", str(ranks), sys.executable, *words]


STANDING = standing("steersman.scaling.split_world.SplitWorld", 100)


def scenario(out: Path, *more: str) -> list[str]:
    return ["-m", "steersman", "run", "flocking", "--n", "60", "--steps", "120", "--out", str(out), *more]


def test_a_flock_of_one_two_and_four_processes_has_the_bits_of_one_world() -> None:
    world = flock()
    world.run(steps=STEPS)
    done = subprocess.run(
        command(4, "-c", PROGRAM), env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    found = [each.partition("HASH ")[2].split() for each in done.stdout.splitlines() if "HASH" in each]
    assert found == [[str(k), str(k), sm.state_hash(world), str(k > 1)] for k in (1, 2, 4)]


def test_a_process_that_dies_ends_all_and_the_run_goes_on_from_the_last_snapshot(tmp_path: Path) -> None:
    out = tmp_path / "split"
    run = subprocess.Popen(
        command(2, "-c", STANDING, *scenario(out, "--snapshots", "0.2", "--split", "-q")[2:]),
        env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + PATIENCE
        while len(list((out / "snapshots").glob("*.steersman"))) < 3:
            assert run.poll() is None, "the run ended before it was stopped"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
        assert run.wait(PATIENCE) != 0
    finally:
        run.kill()
        run.communicate()
    assert not (out / "summary.json").exists()
    again = subprocess.run(
        command(2, "-m", "steersman", "run", "--resume", str(out), "--split", "-q"),
        env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    world = SCENARIOS["flocking"].stage(n=60, seed=0, threads=1).world
    world.run(steps=120)
    assert json.loads((out / "summary.json").read_text())["state_hash"] == sm.state_hash(world)


def test_what_is_wrong_with_the_call_ends_all_processes() -> None:
    done = subprocess.run(
        command(2, "-m", "steersman", "run", "no_such_scenario", "--split"),
        env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no_such_scenario" in done.stderr


SWEEP = """
import steersman as sm

if __name__ == "__main__":
    values = {"populations.strollers.max_speed": [2.0, 3.0]}
    made = [sm.sweep("wander", values, seeds=2, n=3, steps=20, on=on).table() for on in ("mpi", "here")]
    print("SAME", made[0].drop(["seconds"]).equals(made[1].drop(["seconds"])), made[0].num_rows, flush=True)
"""


def test_a_sweep_on_mpi_makes_the_same_table(tmp_path: Path) -> None:
    program = tmp_path / "sweeping.py"
    program.write_text(SWEEP)
    done = subprocess.run(
        command(2, "-m", "mpi4py.futures", str(program)),
        env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "SAME True 4" in done.stdout


def test_a_sweep_on_mpi_outside_of_mpiexec_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    """mpi4py would launch processes itself, and wait for them without end where that is not allowed."""
    call = ["sweep", "wander", "--seeds", "1", "--steps", "2", "--on", "mpi", "--out", str(tmp_path / "runs")]
    done = subprocess.run(
        [sys.executable, "-m", "steersman", *call],
        env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "run `mpiexec -n 9 python -m mpi4py.futures program.py`" in done.stderr
    assert not (tmp_path / "runs").exists()

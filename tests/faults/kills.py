"""Recorded runs that are killed at random moments, and resumed: they end as one that was never stopped."""

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import steersman as sm

from .judging import source

RUN = [sys.executable, "-m", "steersman", "run"]

FEW = 10
"""Fewer kills than that are none: tests/cli/running/test_resuming.py has them."""


@source("kills", documented=())
def kills(rng: Random, count: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Kill one run again and again, each time at another moment, until it has ended."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = ["boids", "--n", "50", "--seconds", "20", "--record", "--every", "0.2", "-q"]
        for k in range(count if count >= FEW else 0):
            if k == 0:
                finish([*asked, "--out", str(folder / "whole")])
            yield f"run {k}, killed", lambda k=k: killed(asked, folder / f"killed {k}", rng, came_to(folder / "whole"))


def killed(asked: list[str], folder: Path, rng: Random, known: Any) -> None:
    """Kill a run once or twice, resume it, and compare what it came to."""
    arguments = [*asked, "--snapshots", "0.5", "--out", str(folder)]
    for _ in range(rng.choice([1, 1, 2])):
        process = subprocess.Popen([*RUN, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wanted, deadline = rng.randrange(600), time.monotonic() + 60
        while reached(folder) < wanted and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.05))
        process.send_signal(signal.SIGKILL)
        told = process.communicate()[1].decode()
        if "Traceback" in told:
            raise AssertionError(told)
        if reached(folder):
            sm.read_run(folder).table()  # What is there is whole.
        if not (folder / "snapshots" / "snapshot-run.json").exists():
            return  # So soon that nothing had begun.
        arguments = ["--resume", str(folder), "-q"]
    finish(arguments)
    if came_to(folder) != known:
        raise AssertionError("a run that was killed and resumed came to something else")


def reached(folder: Path) -> int:
    """The step of the newest snapshot, 0 for none."""
    return max((int(path.stem[9:]) for path in (folder / "snapshots").glob("snapshot-0*.steersman")), default=0)


def finish(arguments: list[str]) -> None:
    """Let a run end."""
    done = subprocess.run([*RUN, *arguments], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode or "Traceback" in done.stderr:
        raise AssertionError(done.stderr)


def came_to(folder: Path) -> Any:
    """What a run came to: its last state, its numbers, and all that was recorded."""
    summary, run = json.loads((folder / "summary.json").read_text()), sm.read_run(folder)
    frames = run.table().sort_by([("frame", "ascending"), ("id", "ascending")]).to_pydict()
    readings = sorted(run.metrics_table().to_pylist(), key=lambda row: (row["label"], row["time"]))
    return summary["state_hash"], summary["metrics"], frames, readings

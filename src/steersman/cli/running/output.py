"""Output: the files of a run in its folder: the resolved scenario, a picture, and a summary."""

import json
import platform
import shutil
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import steersman
from steersman.cli.running.performance import Outcome, vehicle_counts
from steersman.core.parameters.whole_files import write_whole
from steersman.core.world.state_hash import state_hash
from steersman.runs.documents.files import save_document
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.folder import (
    ARRAYS,
    META,
    SCENARIO,
    SNAPSHOTS,
    Lock,
    clear,
    clear_snapshots,
    is_own,
    others_in,
)
from steersman.runs.recording.recording import Recording

SUMMARY, PICTURE = "summary.json", "picture.png"


class Resolved(NamedTuple):
    """A scenario in its state before the run.

    Attributes:
        document: The document.
        left_out: Labels of metrics that are not in it.
    """

    document: dict[str, Any]
    left_out: list[str]

    @property
    def head(self) -> str:
        """Comments for the first lines of its file."""
        lines = [f"Resolved by steersman {steersman.__version__}. To run it again: steersman run {SCENARIO}"]
        if self.left_out:
            lines.append(f"Not in it are metrics that are Python functions: {', '.join(self.left_out)}")
        return "".join(f"# {line}\n" for line in lines) + "\n"


class FolderError(Exception):
    """The folder of --out cannot be used; the message gives the reason and a remedy."""


def opened(folder: Path, *, replace: bool = False, record: bool = False) -> Path:
    """The folder, made and checked before anything is computed.

    Args:
        folder: The folder for the files of a run.
        replace: Whether a recorded run may be replaced, or files of the same names that are not from an earlier run.
        record: Whether a run is to be recorded there.

    Raises:
        FolderError: It cannot be made or written to, its files cannot be deleted, or files in it would be lost.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"--out {folder}: cannot be made a folder: {error.strerror or error}") from None
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FolderError(f"--out {folder}: cannot be written to: {error.strerror or error}") from None
    recorded = is_own(folder)
    if recorded and not replace:
        raise FolderError(
            f"--out {folder}: there is a recorded run already; choose another folder, or add --force to replace it"
        )
    if recorded and (others := others_in(folder)):
        raise FolderError(
            f"--out {folder}: there is {' and '.join(others)} with files that no run has left; choose another folder"
        )
    names = (META, SCENARIO, ARRAYS, SNAPSHOTS, PICTURE, SUMMARY)
    there = [name for name in names if (folder / name).exists()]
    if there and not replace and not _is_of_a_run(folder / SUMMARY):
        raise FolderError(
            f"--out {folder}: there is {' and '.join(there)} already, not left by a run that ended; "
            "choose another folder, or add --force to replace the files there"
        )
    try:
        if recorded or (folder / SNAPSHOTS).is_dir():
            lock = Lock(folder)  # It may be being recorded at this moment.
            try:
                (clear if recorded else clear_snapshots)(folder)  # --resume must not go on with the run before.
            finally:
                lock.release()
        for name in (META, SCENARIO, ARRAYS, PICTURE, SUMMARY) if record else ():
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise FolderError(f"--out {folder}: what is there cannot be deleted: {error.strerror or error}") from None
    return folder


def _is_of_a_run(summary: Path) -> bool:
    """Whether a file is the summary of a run."""
    try:
        content = json.loads(summary.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and "state_hash" in content


def summarize(
    stage: Stage, outcome: Outcome, problems: list[str] | None, recording: Recording | None = None
) -> dict[str, Any]:
    """A run in numbers.

    Args:
        stage: The stage, after the run.
        outcome: The outcome of the run.
        problems: The problems that the scenario's check found; None without a check.
        recording: The recording, after it was closed.
    """
    world = stage.world
    return {
        "scenario": stage.name,
        "n": vehicle_counts(world),
        "n_before": outcome.before,
        "steps": outcome.steps,
        "steps_wanted": outcome.planned,
        "seconds": world.time,
        "dt": world.dt,
        "seed": world.seed,
        "threads": world.threads,
        "wall_seconds": round(outcome.wall, 4),
        "steps_per_second": round(outcome.steps_per_second, 2),
        "resumed_after": outcome.done or None,
        "interrupted": outcome.interrupted,
        "error": outcome.error or None,
        "metrics": {meter.label: {**meter.summary(), "unit": meter.unit} for meter in stage.meters.values()},
        "check": None if problems is None else {"passed": not problems, "problems": problems},
        "recorded": None if recording is None else {"frames": recording.frames, "bytes": recording.bytes},
        "state_hash": state_hash(world),
        "versions": {
            "steersman": steersman.__version__,
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in ("numpy", "numba")},
        },
    }


def write_output(folder: Path, stage: Stage, summary: dict[str, Any], source: "Path | Resolved") -> list[Path]:
    """Write the resolved scenario, the picture and the summary.

    Args:
        folder: The folder for the files.
        stage: The stage, after the run.
        summary: The run in numbers.
        source: The Python file of the scenario, which is copied; or the scenario in its state at the start.

    Returns:
        The files.

    Raises:
        OSError: A file cannot be written.
    """
    scenario, picture, numbers = folder / SCENARIO, folder / PICTURE, folder / SUMMARY
    if isinstance(source, Resolved):
        files = save_document(source.document, scenario, head=source.head)
    else:
        files = [folder / "scenario.py"]
        if not (files[0].exists() and files[0].samefile(source)):
            shutil.copyfile(source, files[0])
    write_whole(numbers, json.dumps(summary, indent=2, allow_nan=False) + "\n")
    stage.draw(picture)
    return [*files, numbers, picture]

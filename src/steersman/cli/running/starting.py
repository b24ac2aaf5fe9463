"""Starting: the stage of a run, its folder, and the step at which it starts or continues."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from steersman.cli.running.output import Resolved
from steersman.cli.running.performance import Drive
from steersman.cli.running.recorded import Request, ended
from steersman.cli.running.resuming import Call, Snapshots, read_call
from steersman.core.world.observers import EverySteps
from steersman.gallery.request import is_module
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.stage import Stage
from steersman.runs.metrics.watching import as_trigger
from steersman.runs.recording.folder import Lock, is_run
from steersman.runs.recording.meta import read_meta
from steersman.runs.recording.recording import Recording

Begun = tuple[Recording | None, Lock | None]
"""The recording, if there is one, and the lock of the folder, if no recording holds it."""


@dataclass(frozen=True)
class Performance:
    """A run that is ready to start.

    Attributes:
        stage: The stage.
        folder: The folder for the results; None without results.
        source: The scenario, to be written there: a Python file, or the document at the start.
        snapshots: The snapshots that are taken during the run.
        begin: Starts the recording and the snapshots. Raises RunError, SnapshotError or OSError if this fails.
        done: Steps that were made before.
        drive: Begins the steps, once all else has begun, where they are not those of the world.
    """

    stage: Stage
    folder: Path | None = None
    source: Path | Resolved | None = None
    snapshots: Snapshots | None = None
    begin: Callable[[], Begun] = lambda: (None, None)
    done: int = 0
    drive: Callable[[], Drive] | None = None


def start_run(
    stage: Stage, folder: Path | None, scenario: str, request: Request | None, call: Call | None, *, force: bool = False
) -> Performance:
    """A run from its beginning.

    Args:
        stage: The stage.
        folder: The folder for the results; None without results.
        scenario: The scenario of the call.
        request: The settings of the recording; None without one.
        call: The call of the command, if snapshots are to be taken; else None.
        force: Whether to replace a recording in the folder.
    """
    if folder is None:
        return Performance(stage)
    source = Path(scenario) if is_module(scenario) else Resolved(*resolved(stage))
    snapshots = None if call is None else Snapshots(folder, call.every)

    def begin() -> Begun:
        recording = None if request is None else request.begin(stage, folder, snapshots, force=force)
        if snapshots is None or call is None:
            return recording, None
        try:
            return recording, snapshots.begin(call, source, stage.world, recording)
        except BaseException:
            if recording is not None:
                ended(recording)  # It holds the lock of the folder.
            raise

    return Performance(stage, folder, source, snapshots, begin)


def resumed(folder: Path, module: str | None, threads: int | None) -> Performance:
    """A run that continues from its newest whole snapshot; from its beginning, if there is none.

    Args:
        folder: The folder of the run.
        module: The Python file that the user names, if any.
        threads: Threads to use.

    Raises:
        FolderError: It is no folder of a run with snapshots.
        ScenarioError: The stage cannot be made again.
        RunError: The recording cannot be read.
    """
    call = read_call(folder)
    stage = call.stage(folder, module, threads)
    first, snapshots = stage.world.steps, Snapshots(folder, call.every)
    source = Path(module) if module is not None else Resolved(*resolved(stage))
    if not snapshots.restore(stage.world):
        warnings.warn(f"{snapshots.folder}: there is no whole snapshot; the run begins anew", stacklevel=2)
        request = _request_of(folder) if is_run(folder) else None
        return start_run(stage, folder, module or call.scenario, request, call, force=True)
    begin = partial(_recorded_on, snapshots, stage) if is_run(folder) else partial(_held, folder)
    return Performance(stage, folder, source, snapshots, begin, stage.world.steps - first)


def _recorded_on(snapshots: Snapshots, stage: Stage) -> Begun:
    return snapshots.recording(stage.world), None


def _held(folder: Path) -> Begun:
    return None, Lock(folder)


def _request_of(folder: Path) -> Request:
    """The settings of a run's recording."""
    meta = read_meta(folder)
    every = meta["every"]
    return Request(EverySteps(every["steps"]) if "steps" in every else as_trigger(every.get("seconds")), meta["format"])

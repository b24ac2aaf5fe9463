"""Runs that can be resumed: snapshots in the folder of a run, and the data to make its stage again.

    RUN_DIR/snapshots/snapshot-run.json               the call of the command
    RUN_DIR/snapshots/snapshot-000000120.steersman    the world after so many steps; the last few are kept

A resumed run makes the stage as the first call did, restores the newest whole snapshot into it, and goes on. So it ends with
the same bits as a run that was never stopped.
"""

import json
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from steersman.cli.running.output import FolderError, Resolved
from steersman.core.parameters.whole_files import write_whole
from steersman.core.world.observers import EverySeconds
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.world import World
from steersman.gallery.registry import SCENARIOS
from steersman.gallery.request import is_module, prepare
from steersman.runs.documents.files import save_document
from steersman.runs.documents.problems import Problem, ScenarioError
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.folder import SCENARIO, SNAPSHOTS, Lock, is_run
from steersman.runs.recording.meta import read_meta
from steersman.runs.recording.recording import Recording, resume
from steersman.runs.recording.truncation import resumable_steps
from steersman.runs.snapshots.capture import taken

CALL, KIND, VERSION = "snapshot-run.json", "steersman run with snapshots", 1

SNAPSHOT = re.compile(r"snapshot-(\d{9,18})\.steersman")

SNAPSHOT_COUNT = 3
"""Number of snapshots that are kept; older ones are deleted."""


class Call(NamedTuple):
    """The call of the command for a run.

    Attributes:
        scenario: The name of a built-in scenario; `scenario.toml` for one in a file, or the name of a Python file.
        n: Vehicles in the main population.
        options: Settings that were given.
        changes: Changes to the document.
        steps: The number of steps to make, if it was given.
        every: Time between snapshots [s].
    """

    scenario: str
    n: int | None
    options: dict[str, Any]
    changes: list[str]
    steps: int | None
    every: float

    def written(self) -> bytes:
        """The call as a file."""
        return json.dumps({"kind": KIND, "version": VERSION, **self._asdict()}, indent=1).encode() + b"\n"

    def stage(self, folder: Path, module: str | None, threads: int | None) -> Stage:
        """The stage of the run, made again.

        Args:
            folder: The folder of the run.
            module: The Python file that the user names, if any; files that are named in the folder are not executed.
            threads: Threads to use.

        Raises:
            ScenarioError: It cannot be made.
        """
        if is_module(self.scenario):
            if module is None or not is_module(module):
                problem = (
                    f"this run was made by a Python file; name it: steersman run {self.scenario} --resume {folder}"
                )
                raise ScenarioError([Problem("", problem)], str(folder))
            return prepare(module, self.n, self.options, self.changes, threads, self.steps)
        if module is not None:
            raise ScenarioError([Problem("--resume", "knows its scenario; give none beside it")], str(folder))
        if self.scenario in SCENARIOS:
            return prepare(self.scenario, self.n, self.options, self.changes, threads, self.steps)
        return prepare(str(folder / SCENARIO), None, {}, [], threads, None)


def as_call(
    scenario: str, n: int | None, options: Mapping[str, Any], changes: list[str], steps: int | None, every: float
) -> Call:
    """The call of the command, with the data to make the stage again from the folder of the run.

    Args:
        scenario: The name of a built-in scenario, a TOML file, or a Python file.
        n, options, changes, steps: As for `prepare`.
        every: Time between snapshots [s].
    """
    name = scenario if scenario in SCENARIOS else Path(scenario).name if is_module(scenario) else SCENARIO
    specified = {key: value for key, value in options.items() if value is not None}
    return Call(name, n, specified, changes, steps, float(every))


def check_resuming(resumed: Path | None, options: dict[str, Any], snapshots: float | None, out: Path | None) -> None:
    """Raise ScenarioError where options do not go together.

    Args:
        resumed: The folder of the run to resume.
        options: Options that define a run, by name; None where not given.
        snapshots: Time between snapshots [s].
        out: The folder of the run.
    """
    problems = []
    if resumed is not None:
        problems += [
            Problem(f"--{name}", "is not for --resume, which goes on as the run was begun")
            for name, value in options.items()
            if value is not None
        ]
    elif snapshots is not None and out is None:
        problems.append(Problem("--snapshots", "needs --out DIR, the folder of the run"))
    if snapshots is not None and not 0 < snapshots < float("inf"):
        problems.append(Problem("--snapshots", f"must be a number > 0 s, got {snapshots:g}"))
    if problems:
        raise ScenarioError(problems, "run")


def read_call(folder: Path) -> Call:
    """The call that started the run in a folder.

    Raises:
        FolderError: It is no folder of a run with snapshots.
    """
    path = folder / SNAPSHOTS / CALL
    try:
        stored = json.loads(path.read_bytes()[: 2**20])
    except FileNotFoundError:
        why = "there is no run that could go on: it was stopped before its first step, or begun without --snapshots"
        raise FolderError(f"--resume {folder}: {why}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise FolderError(f"--resume {folder}: {path} cannot be read: {error}") from None
    kinds: dict[str, Any] = {
        "scenario": str, "n": (int, type(None)), "options": dict, "changes": list, "steps": (int, type(None)), "every": float,
    }  # fmt: skip
    if not isinstance(stored, dict) or stored.get("kind") != KIND:
        raise FolderError(f"--resume {folder}: {path} does not say how a run was begun")
    if stored.get("version") != VERSION:
        raise FolderError(
            f"--resume {folder}: {path} was written by another steersman, in form {stored.get('version')!r}"
        )
    good = all(isinstance(stored.get(name), kind) for name, kind in kinds.items())
    options = {"seconds", "seed", "dt"}
    if (
        not good
        or not set(stored["options"]) <= options
        or not all(isinstance(each, str) for each in stored["changes"])
    ):
        raise FolderError(f"--resume {folder}: {path} is damaged: something is missing, or of another kind")
    return Call(*(stored[name] for name in Call._fields))


class Snapshots:
    """The snapshots of a run.

    Args:
        folder: The folder of the run.
        every: Time between them [s].
    """

    def __init__(self, folder: Path, every: float) -> None:
        self.folder, self.when = folder / SNAPSHOTS, EverySeconds(every)

    def begin(self, call: Call, source: "Path | Resolved", world: World, recording: Recording | None) -> Lock | None:
        """Make the folder and save the world at the start. The recording of the run, if any, has begun.

        Returns:
            The lock of the folder; None for a recorded run, for which the recording holds the lock.

        Raises:
            SnapshotError: This world cannot be saved.
            RunError: Another run uses the folder at this moment.
            OSError: A file cannot be written.
        """
        taken(world, None)  # What cannot be saved is told before anything is computed.
        lock = None if recording is not None else Lock(self.folder.parent)
        try:
            self.folder.mkdir(exist_ok=True)
            for path in self.folder.glob("snapshot-*"):
                path.unlink()
            if isinstance(source, Resolved) and recording is None:
                save_document(source.document, self.folder.parent / SCENARIO, head=source.head)
            write_whole(self.folder / CALL, call.written())
            if recording is not None:
                recording.flush()  # The first frame is a part by itself, at which the run may go on.
            self.keep(world)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        return lock

    def after_step(self, world: World) -> None:
        """Save the world if a snapshot is due."""
        if self.when.due(world.steps, world.time, world.dt):
            self.keep(world)

    def keep(self, world: World) -> None:
        """Save the world now. If this fails, the run goes on, and the existing snapshots remain."""
        try:
            world.save(self.folder / f"snapshot-{world.steps:09d}.steersman")
            for path in [*self.files_by_step().values()][SNAPSHOT_COUNT:]:
                path.unlink()
        except (OSError, SnapshotError) as error:
            warnings.warn(f"no snapshot of step {world.steps}: {error}", stacklevel=2)

    def files_by_step(self) -> dict[int, Path]:
        """The existing snapshots, by their steps, the newest first."""
        paths = self.folder.iterdir() if self.folder.is_dir() else ()
        numbers = {int(match[1]): path for path in paths if (match := SNAPSHOT.fullmatch(path.name))}
        return dict(sorted(numbers.items(), reverse=True))

    def restore(self, world: World) -> bool:
        """Restore the newest whole snapshot; returns whether there is one. Others are skipped, with a warning."""
        ends = set(resumable_steps(self.folder.parent)) if is_run(self.folder.parent) else None
        for steps, path in self.files_by_step().items():
            if ends is not None and steps not in ends:
                continue
            try:
                world.restore(path)
            except SnapshotError as error:
                warnings.warn(f"{error}; an earlier one will do", stacklevel=2)
                continue
            return True
        return False

    def schedule(self, every: Mapping[str, float], dt: float) -> dict[str, Any]:
        """Arguments for a recording, so that it ends a part at each snapshot.

        Args:
            every: The trigger of frames in the form of meta.json.
            dt: The time step [s].
        """
        period = max(every["steps"] * dt if "steps" in every else every.get("seconds", dt), dt)
        return {"keep": self.keep, "keep_every": max(1, round(self.when.seconds / period))}

    def recording(self, world: World) -> Recording:
        """Continue the recording of a run from the present step of its world.

        Raises:
            RunError: The recording cannot continue at this step.
        """
        folder = self.folder.parent
        return resume(world, folder, **self.schedule(read_meta(folder)["every"], world.dt))

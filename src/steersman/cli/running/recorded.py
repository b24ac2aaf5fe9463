"""Recording: the options --record, --every and --format, checked before anything is computed."""

from pathlib import Path
from typing import NamedTuple

from steersman.cli.running.resuming import Snapshots
from steersman.core.world.observers import Trigger
from steersman.runs.documents.problems import Problem, ScenarioError
from steersman.runs.documents.stage import Stage
from steersman.runs.metrics.watching import as_trigger
from steersman.runs.recording.parts import FORMATS, require
from steersman.runs.recording.recording import EVERY, Recording, RecordingError


class Request(NamedTuple):
    """The settings of a recording.

    Attributes:
        every: The trigger of the frames.
        form: "parquet" or "csv".
    """

    every: Trigger
    form: str

    def begin(
        self, stage: Stage, folder: Path, snapshots: Snapshots | None = None, *, force: bool = False
    ) -> Recording:
        """Record a stage from now on, with parts that end where its snapshots are taken; errors as for `World.record`."""
        every = {name: getattr(self.every, name) for name in ("steps", "seconds") if hasattr(self.every, name)}
        meta = {} if snapshots is None else snapshots.schedule(every, stage.world.dt)
        return stage.record(folder, every=self.every, format=self.form, force=force, **meta)


def as_request(record: bool, every: str | None, form: str | None, out: Path | None) -> Request | None:
    """The settings that the options ask for; None where nothing is recorded.

    Raises:
        ScenarioError: They do not fit together.
        ImportError: pyarrow is not installed.
    """
    problems = []
    if not record:
        problems += [
            Problem(option, "says how to record; add --record")
            for option, value in (("--every", every), ("--format", form))
            if value is not None
        ]
    elif out is None:
        problems.append(Problem("--record", "needs --out DIR, the folder of the run"))
    if form is not None and form not in FORMATS:
        problems.append(Problem("--format", f"must be {' or '.join(FORMATS)}, got {form!r}"))
    try:
        when = as_trigger(EVERY) if every is None else _trigger(every)
    except (TypeError, ValueError) as error:
        problems.append(Problem("--every", str(error)))
    if problems:
        raise ScenarioError(problems, "run")
    if not record:
        return None
    require(form or FORMATS[0])
    return Request(when, form or FORMATS[0])


def _trigger(every: str) -> Trigger:
    """Seconds, or a number of steps: "0.5", "6steps"."""
    try:
        seconds = float(every)
    except ValueError:
        return as_trigger(every)
    return as_trigger(seconds)


def ended(recording: Recording) -> str:
    """Close a recording; returns the reason if it has failed and the error was not raised yet, else an empty text."""
    try:
        recording.close()
    except RecordingError as error:
        return str(error)
    return ""

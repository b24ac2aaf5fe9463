"""A whole run: a stage is run and recorded; the results are printed, written, and judged."""

from typing import Any

import typer
from rich.console import Console

from steersman.cli.running.output import summarize, write_output
from steersman.cli.running.performance import Outcome, perform
from steersman.cli.running.recorded import ended
from steersman.cli.running.starting import Begun, Performance
from steersman.cli.shared.exit_codes import FAILED, INTERRUPTED
from steersman.cli.shared.messages import fail, for_tables
from steersman.cli.shared.progress import Display
from steersman.cli.shared.tables import metric_table, run_table
from steersman.runs.documents.problems import Problem, ScenarioError, message_of
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.folder import META


def whole_run(performance: Performance, quiet: bool) -> None:
    """Run a stage, then print and write the results.

    Args:
        performance: The run.
        quiet: Whether to print nothing but errors.

    Raises:
        ScenarioError: The stage cannot make its first step.
        RunError: Its recording cannot start, or continue.
        SnapshotError: Its world cannot be saved.
        Exit: The run failed, was stopped, or did not pass its check; with the code for this.
    """
    stage, out, source = performance.stage, performance.folder, performance.source
    console = Console(stderr=True)
    display = Display(console, stage.steps, quiet=quiet)
    if out is not None:
        stage.keep_picture()
    recording, lock = _begun(performance)
    try:
        with display.shown():
            outcome = _performed(performance, display, recorded=recording is not None)
    finally:
        failed = "" if recording is None else ended(recording)
        if lock is not None:
            lock.release()
    outcome.error = outcome.error or failed
    problems = None
    if stage.check is not None and outcome.steps == outcome.planned:
        problems = stage.problems()
    summary = summarize(stage, outcome, problems, recording)
    if not quiet:
        _print(stage, summary)
    if out is not None and source is not None:
        try:
            files = write_output(out, stage, summary, source)
        except OSError as error:
            fail(f"--out {out}: cannot be written: {error.strerror or error}", FAILED)
        if not quiet:
            files += [] if recording is None else [recording.folder / META]
            typer.echo("wrote " + ", ".join(str(file) for file in files))
    _end(outcome, problems or [], quiet)


def _begun(performance: Performance) -> Begun:
    """Start the writers into the folder: the recording, or the lock of the folder for snapshots."""
    try:
        return performance.begin()
    except OSError as error:
        fail(f"{error.filename or performance.folder}: cannot be written: {error.strerror or error}", FAILED)


def _performed(performance: Performance, display: Display, *, recorded: bool) -> Outcome:
    """Run; errors that appear only at the first step of the world count as mistakes in the scenario."""
    stage = performance.stage

    def step(count: int) -> None:
        if performance.snapshots is not None and not recorded:
            performance.snapshots.after_step(stage.world)
        display.step(count)

    try:
        drive = None if performance.drive is None else performance.drive()
        return perform(stage, on_compile=display.compiling, on_step=step, done=performance.done, drive=drive)
    except ScenarioError:
        raise
    except Exception as error:
        if stage.world.steps:
            raise
        raise ScenarioError([Problem("", message_of(error))], stage.name) from error


def _print(stage: Stage, summary: dict[str, Any]) -> None:
    console = for_tables()
    console.print(run_table(summary))
    if len(stage.meters):
        console.print(metric_table(stage.meters.values()))
    if summary["check"] is not None:
        typer.echo("check passed" if summary["check"]["passed"] else "check failed:")
        for problem in summary["check"]["problems"]:
            typer.echo(f"  {problem}")


def _end(outcome: Outcome, problems: list[str], quiet: bool) -> None:
    """Exit with the code of the outcome, and with a message if it is a failure."""
    made = f"after {outcome.steps:,} of {outcome.planned:,} steps; what was computed is kept"
    if outcome.error:
        fail(f"the run ended {made}: {outcome.error}", FAILED)
    if outcome.interrupted:
        fail(f"stopped {made}", INTERRUPTED)
    if problems:
        fail("\n".join(problems) if quiet else "the check failed", FAILED)

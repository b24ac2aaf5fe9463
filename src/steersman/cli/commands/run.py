"""`steersman run`: a scenario, from its beginning or from its last snapshot."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from steersman.cli.running.launcher import warn_of_copies
from steersman.cli.running.output import FolderError, opened
from steersman.cli.running.recorded import Request, as_request
from steersman.cli.running.resuming import as_call, check_resuming
from steersman.cli.running.starting import Performance, resumed, start_run
from steersman.cli.running.whole_run import whole_run
from steersman.cli.shared.exit_codes import FAILED, WRONG_USE
from steersman.cli.shared.messages import fail, warnings_in_lines
from steersman.cli.shared.options import SCENARIO, N, Quiet, Seconds, Seed, Steps, Threads, TimeStep, Trust
from steersman.cli.shared.selection import selection_of
from steersman.core.world.snapshot_error import SnapshotError
from steersman.gallery.request import prepare
from steersman.runs.documents.problems import Problem, ScenarioError
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.folder import RunError

if TYPE_CHECKING:
    from steersman.cli.running.split import Team


def run_scenario(
    scenario: Annotated[
        str | None,
        typer.Argument(metavar="NAME|FILE", help=SCENARIO),
    ] = None,
    n: N = None,
    seconds: Seconds = None,
    steps: Steps = None,
    seed: Seed = None,
    dt: TimeStep = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where to write the results.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --out replace files that no run has left there.")] = False,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="Change a value: populations.boids.max_speed=14. Repeatable."),
    ] = None,
    threads: Threads = None,
    trust: Trust = False,
    record: Annotated[
        bool, typer.Option("--record", help="Record the positions and metrics of the run in the folder of --out.")
    ] = False,
    every: Annotated[
        str | None,
        typer.Option(
            "--every", metavar="SECONDS|STEPS", help=r"Time between two frames \[s], or 6steps. Default: 0.1."
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="Form of the recording: parquet (default), or csv, which needs no pyarrow."),
    ] = None,
    snapshots: Annotated[
        float | None,
        typer.Option("--snapshots", metavar="SECONDS", help=r"Save the world so often \[s], to --resume the run from."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume", metavar="DIR", help="Go on with the run in a folder, that was begun with --snapshots."
        ),
    ] = None,
    sketch: Annotated[
        list[str] | None,
        typer.Option(
            "--sketch",
            metavar="ID[,ID]",
            help="Vehicles with their constructions in the picture: ids in the main population, or wolves:0. Repeatable.",
        ),
    ] = None,
    split: Annotated[
        bool,
        typer.Option(
            "--split", help="Let the processes of mpiexec step the world together: mpiexec -n 4 steersman run ..."
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Run a scenario.

    A built-in scenario that is run for its usual time, or longer, is judged: the last lines say whether its check passed.

    Exit codes: 0 done, 1 the run or its check failed, 2 something in the call or the file is wrong (nothing is written),
    130 Ctrl-C (the results so far are kept).
    """
    options = {"seconds": seconds, "seed": seed, "dt": dt}
    call = RunCommand(scenario, n, options, steps, changes or [], threads, trust, resume, sketch)
    team = None
    if split:
        team = joined_team(threads)
        if not team.leads:
            team.follow(call.stage)
            return
    else:
        warn_of_copies()
    with warnings_in_lines(), nullcontext() if team is None else team.leading(), refusals():
        request = as_request(record, every, form, out)
        begun = {"n": n, "steps": steps, "out": out, "set": changes, "snapshots": snapshots, **options}
        check_resuming(resume, {**begun, "record": record or None, "force": force or None}, snapshots, out)
        run = call.resumed() if resume is not None else call.begun(out, force, request, snapshots)
        whole_run(run if team is None else team.led(run), quiet)


class RunCommand(NamedTuple):
    """The world that a call of the command asks for; for its fields see the options of the command."""

    scenario: str | None
    n: int | None
    options: dict[str, Any]
    steps: int | None
    changes: list[str]
    threads: int | None
    trust: bool
    resume: Path | None
    sketch: list[str] | None

    def stage(self) -> Stage:
        """The stage, as it begins or goes on."""
        if self.resume is not None:
            return self.resumed().stage
        return prepare(
            self.scenario or "", self.n, self.options, self.changes, self.threads, self.steps, trust=self.trust
        )

    def resumed(self) -> Performance:
        """The run that goes on from its last snapshot."""
        assert self.resume is not None
        run = resumed(self.resume, self.scenario, self.threads)
        if self.sketch:
            run.stage.picture = run.stage.picture.replace(sketch=selection_of(run.stage, self.sketch))
        return run

    def begun(self, out: Path | None, force: bool, request: Request | None, snapshots: float | None) -> Performance:
        """A new run, with its folder.

        Raises:
            ScenarioError: The scenario or an option is wrong.
            FolderError: The folder has other files, or cannot be made.
        """
        if self.scenario is None:
            fail(
                "a scenario must be given: a built-in scenario (steersman list), a TOML file, or a Python file",
                WRONG_USE,
            )
        stage = self.stage()
        if self.sketch:
            if out is None:
                raise ScenarioError(
                    [Problem("--sketch", "is about the picture of --out, so add --out DIR")], stage.name
                )
            stage.picture = stage.picture.replace(sketch=selection_of(stage, self.sketch))
        folder = None if out is None else opened(out, replace=force, record=request is not None)
        call = None
        if snapshots is not None:
            call = as_call(self.scenario, self.n, self.options, self.changes, self.steps, snapshots)
        return start_run(stage, folder, self.scenario, request, call)


def joined_team(threads: int | None) -> "Team":
    """The processes of this mpiexec; a message and an exit where mpi4py is missing."""
    from steersman.cli.running.split import Team

    try:
        return Team(threads)
    except ImportError as error:
        fail(str(error), FAILED)


@contextmanager
def refusals() -> Iterator[None]:
    """A context in which what cannot be run becomes a message and an exit code."""
    try:
        yield
    except (ScenarioError, FolderError, RunError, SnapshotError) as error:
        fail(str(error), WRONG_USE)
    except ImportError as error:
        fail(str(error), FAILED)
    except MemoryError:
        fail("there is not enough memory for so many vehicles", FAILED)

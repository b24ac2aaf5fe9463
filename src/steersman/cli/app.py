"""The commands of `steersman`."""

import sys
import tempfile
import warnings
import webbrowser
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

import steersman
from steersman.cli.exit_codes import FAILED, INTERRUPTED, WRONG_USE
from steersman.cli.output import FolderError, opened, summarize, write_output
from steersman.cli.performance import Outcome, perform
from steersman.cli.progress import Display, warming
from steersman.cli.recorded import as_wish, ended
from steersman.cli.request import prepare
from steersman.cli.resuming import as_call, check_asked
from steersman.cli.starting import Begun, Performance, anew, resumed
from steersman.cli.tables import metric_table, run_table, scenario_table
from steersman.cli.whom import whom_of
from steersman.geometry.compilation import watched_compilation
from steersman.geometry.kernel_cache import cache_folder
from steersman.recording.folder import META, RunError
from steersman.recording.run import read_run
from steersman.scenarios.problems import Problem, ScenarioError, told
from steersman.scenarios.registry import SCENARIOS
from steersman.scenarios.stage import Stage
from steersman.world.guard import NonFiniteError
from steersman.world.snapshot_error import SnapshotError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Steering behaviors for autonomous characters: run scenarios, built-in or your own.",
)


TRUST = "Let a file name files that lie outside its folder."


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(code)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"steersman {steersman.__version__}")
        raise typer.Exit


@app.callback()
def command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Steering behaviors for autonomous characters: run scenarios, built-in or your own."""


@app.command("list")
def list_scenarios(
    word: Annotated[str, typer.Argument(help="Only those that have it in their name or among their tags.")] = "",
) -> None:
    """List the built-in scenarios."""
    found = [
        each for each in SCENARIOS.values() if any(word.lower() in text.lower() for text in (each.name, *each.tags))
    ]
    if not found:
        _fail(f"no scenario has {word!r} in its name or among its tags", WRONG_USE)
    _console().print(scenario_table(found))


@app.command("run")
def run_scenario(
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME|FILE", help="A built-in scenario, a TOML file, or a Python file with a function make."
        ),
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Vehicles in the main population: the first.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help=r"How long to simulate \[s].")] = None,
    steps: Annotated[int | None, typer.Option("--steps", help="How many steps to make, instead of --seconds.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything random.")] = None,
    dt: Annotated[float | None, typer.Option("--dt", help=r"The time step \[s].")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where to write the results.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --out replace files that no run has left there.")] = False,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="Change a value: populations.boids.max_speed=14. Repeatable."),
    ] = None,
    threads: Annotated[int | None, typer.Option("--threads", help="Threads to use; the result is the same.")] = None,
    trust: Annotated[bool, typer.Option("--trust", help=TRUST)] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Record where everybody is, and what is measured, in the folder of --out.")
    ] = False,
    every: Annotated[
        str | None,
        typer.Option(
            "--every", metavar="SECONDS|STEPS", help=r"Time between two frames \[s], or 6steps. Default: 0.1."
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="Of what is recorded: parquet (default), or csv, which needs no pyarrow."),
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
            help="Of whom the picture of --out shows what they look at: ids in the main population, or wolves:0. Repeatable.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Run a scenario.

    A built-in scenario that is run for its usual time, or longer, is judged: the last lines say whether its check passed.

    Exit codes: 0 done, 1 the run or its check failed, 2 something in the call or the file is wrong (nothing is written),
    130 Ctrl-C (what was computed is kept).
    """
    options = {"seconds": seconds, "seed": seed, "dt": dt}
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _show_warning
        try:
            wish = as_wish(record, every, form, out)
            given = {"n": n, "steps": steps, "out": out, "set": changes, "snapshots": snapshots, **options}
            check_asked(resume, {**given, "record": record or None, "force": force or None}, snapshots, out)
            if resume is not None:
                _run(resumed(resume, scenario, threads), quiet)
                return
            if scenario is None:
                _fail("say what to run: a built-in scenario (steersman list), a TOML file, or a Python file", WRONG_USE)
            stage = prepare(scenario, n, options, changes or [], threads, steps, trust=trust)
            if sketch:
                if out is None:
                    raise ScenarioError(
                        [Problem("--sketch", "is about the picture of --out, so add --out DIR")], stage.name
                    )
                stage.picture = stage.picture.replace(sketch=whom_of(stage, sketch))
            folder = None if out is None else opened(out, replace=force, record=wish is not None)
            call = None if snapshots is None else as_call(scenario, n, options, changes or [], steps, snapshots)
            _run(anew(stage, folder, scenario, wish, call), quiet)
        except (ScenarioError, FolderError, RunError, SnapshotError) as error:
            _fail(str(error), WRONG_USE)
        except ImportError as error:
            _fail(str(error), FAILED)
        except MemoryError:
            _fail("there is not enough memory for so many vehicles", FAILED)


SCENARIO_HELP = "A built-in scenario, a TOML file, or a Python file with a function make."


@app.command("view")
def view_scenario(
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|FILE|RUN_DIR]",
            help=f"{SCENARIO_HELP} Or the folder of a recorded run. Default: the gallery of all scenarios.",
        ),
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Vehicles in the main population: the first.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything random.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a value, as for run. Repeatable.")
    ] = None,
    threads: Annotated[int | None, typer.Option("--threads", help="Threads to use; the result is the same.")] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="The address to listen at. At another one than 127.0.0.1, all who can reach this machine and know the "
            "address with its token can watch, change parameters and move vehicles; nothing is encrypted.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen at; 0 for any that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Whether to open a browser.")] = True,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help=r"How long to keep it open \[s]. Default: until Ctrl-C.")
    ] = None,
) -> None:
    """Watch a scenario in a browser: let it run, turn it, change its steering trees, ask why; or play a recorded run.

    Ctrl-C ends it. Exit codes: 0 done, 1 the port is taken, 2 something in the call or the file is wrong.
    """

    def again(*, n: int | None = n, seed: int | None = seed) -> Stage:
        return prepare(scenario or "flocking", n, {"seed": seed}, changes or [], threads, None)

    if scenario is not None and (Path(scenario) / META).is_file():
        _play(Path(scenario), browser)
        return
    from steersman.viewer.view import view

    try:
        stage = again()
        name = (scenario if scenario in SCENARIOS else stage.name) if scenario else "flocking"
        shown = view(stage, browser=False, host=host, port=port, again=again, name=name or "", playing=bool(scenario))
    except (ScenarioError, ImportError) as error:
        _fail(str(error), WRONG_USE)
    except OSError as error:
        _fail(f"--port {port}: cannot listen there: {error.strerror or error}", FAILED)
    url = shown.url if scenario else shown.url.replace("/?", "/gallery?")
    typer.echo(f"watch it at {url}\nCtrl-C ends it")
    if browser:
        webbrowser.open(url)
    shown.wait(seconds)


def _play(folder: Path, browser: bool) -> None:
    """Play a recorded run, from a file of its own."""
    from steersman.viewer.replay import replay_run

    try:
        path = replay_run(folder, Path(tempfile.mkdtemp(prefix="steersman-"), f"{folder.resolve().name}.html"))
    except (RunError, ImportError) as error:
        _fail(str(error), WRONG_USE)
    typer.echo(f"it plays in {path}")
    if browser:
        webbrowser.open(path.as_uri())


@app.command("replay")
def replay_scenario(
    scenario: Annotated[
        str, typer.Argument(metavar="NAME|FILE|RUN_DIR", help=f"{SCENARIO_HELP} Or the folder of a recorded run.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The HTML file to write.")],
    n: Annotated[int | None, typer.Option("--n", help="Vehicles in the main population: the first.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help=r"How long to simulate \[s].")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything random.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a value, as for run. Repeatable.")
    ] = None,
    threads: Annotated[int | None, typer.Option("--threads", help="Threads to use; the result is the same.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Run a scenario, or take a recorded run, and write one HTML file that plays it in any browser, without a server.

    Exit codes: 0 done, 1 the run failed, 2 something in the call or the file is wrong, 130 Ctrl-C.
    """
    from steersman.viewer.replay import replay, replay_run

    try:
        if (Path(scenario) / META).is_file():
            path = replay_run(scenario, out)
        else:
            stage = prepare(scenario, n, {"seconds": seconds, "seed": seed}, changes or [], threads, None)
            display = Display(Console(stderr=True), stage.steps, quiet=quiet)
            with display.shown(), watched_compilation(begins=display.compiling):
                path = replay(stage, out, seconds=stage.seconds, on_step=display.step)
    except (ScenarioError, RunError, ImportError, ValueError) as error:
        _fail(str(error), WRONG_USE)
    except (NonFiniteError, OSError) as error:
        _fail(f"--out {out}: {error}", FAILED)
    if not quiet:
        typer.echo(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB")


@app.command("video")
def film_scenario(
    scenario: Annotated[
        str, typer.Argument(metavar="NAME|FILE|RUN_DIR", help=f"{SCENARIO_HELP} Or the folder of a recorded run.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="An MP4, WEBM, GIF or WEBP file to write.")],
    size: Annotated[
        str, typer.Option("--size", metavar="WIDTHxHEIGHT", help=r"Size of its frames \[pixels].")
    ] = "1280x720",
    fps: Annotated[
        float | None, typer.Option("--fps", help="Frames a second. Default: 30; 25 in a GIF or WEBP.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help=r"How long to simulate \[s].")] = None,
    speed: Annotated[float, typer.Option("--speed", help="Seconds of the world a second of the video.")] = 1.0,
    follow: Annotated[
        str | None,
        typer.Option(
            "--follow", metavar="ID", help="Who stays in the middle: an id, or wolves:0. Default: all is seen."
        ),
    ] = None,
    width: Annotated[
        float | None, typer.Option("--width", help=r"With --follow: the width of what is seen around it \[m].")
    ] = None,
    turn: Annotated[
        float, typer.Option("--turn", help=r"How fast the camera goes around a 3D scene \[degrees/s].")
    ] = 0.0,
    sketch: Annotated[
        list[str] | None,
        typer.Option("--sketch", metavar="ID[,ID]", help="Of whom to show what they look at, as for run. Repeatable."),
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Vehicles in the main population: the first.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything random.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a value, as for run. Repeatable.")
    ] = None,
    threads: Annotated[int | None, typer.Option("--threads", help="Threads to use; the result is the same.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Run a scenario, or take a recorded run, and write a video of it.

    Exit codes: 0 done, 1 the run failed or the file cannot be written, 2 something in the call or the file is wrong, 130
    Ctrl-C. There is a file only if it is whole.
    """
    from steersman.cli.filming import film

    ask = {"n": n, "seed": seed, "set": changes, "threads": threads, "sketch": sketch}
    told = {"fps": fps, "speed": speed, "width": width, "turn": turn}
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _show_warning
        try:
            line = film(scenario, out, size=size, seconds=seconds, follow=follow, asked=ask, about=told, quiet=quiet)
        except (NonFiniteError, OSError) as error:
            _fail(f"--out {out}: {getattr(error, 'strerror', None) or error}", FAILED)
        except (ScenarioError, RunError, ImportError, TypeError, ValueError, KeyError) as error:
            _fail(str(error.args[0] if isinstance(error, KeyError) else error), WRONG_USE)
        except KeyboardInterrupt:
            _fail(f"stopped; {out} was not written", INTERRUPTED)
    if not quiet:
        typer.echo(line)


@app.command("picture")
def draw_run(
    folder: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The folder of a recorded run.")],
    at: Annotated[float, typer.Option("--at", help=r"Of which time \[s]: the nearest frame.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A PNG, SVG or PDF.")],
) -> None:
    """Draw a recorded run at one time, with its scenery."""
    try:
        read_run(folder).draw(at, out)
    except (RunError, ValueError) as error:
        _fail(str(error), WRONG_USE)
    except (ImportError, OSError) as error:
        _fail(str(error), FAILED)
    typer.echo(f"wrote {out}")


@app.command("warmup")
def warm_up(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|FILE]...", help="Built-in scenarios, TOML or Python files. Default: all built-in."
        ),
    ] = None,
    trust: Annotated[bool, typer.Option("--trust", help=TRUST)] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Compile ahead what scenarios need, so that their first step does not have to.

    What is compiled is kept in the user's cache folder, or in STEERSMAN_CACHE.
    """
    compiled = 0
    console = Console(stderr=True, highlight=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in scenarios or SCENARIOS:
            try:
                stage = prepare(name, None, {}, [], None, None, trust=trust)
                with warming(console, name, quiet=quiet):
                    compiled += steersman.warmup(stage.world, progress=None)
            except ScenarioError as error:
                _fail(str(error), WRONG_USE)
    if not quiet:
        typer.echo(f"{compiled} kernels compiled; {cache_folder()} has them all")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    typer.echo(f"warning: {message}", err=True)


def _run(asked: Performance, quiet: bool) -> None:
    """Run a stage, print what came out, and write it."""
    stage, out, source = asked.stage, asked.folder, asked.source
    console = Console(stderr=True)
    display = Display(console, stage.steps, quiet=quiet)
    if out is not None:
        stage.keep_picture()
    recording, lock = _begun(asked)
    try:
        with display.shown():
            outcome = _performed(asked, display, recorded=recording is not None)
    finally:
        failed = "" if recording is None else ended(recording)
        if lock is not None:
            lock.release()
    outcome.error = outcome.error or failed
    problems = None
    if stage.check is not None and outcome.steps == outcome.wanted:
        problems = stage.problems()
    summary = summarize(stage, outcome, problems, recording)
    if not quiet:
        _print(stage, summary)
    if out is not None and source is not None:
        try:
            files = write_output(out, stage, summary, source)
        except OSError as error:
            _fail(f"--out {out}: cannot be written: {error.strerror or error}", FAILED)
        if not quiet:
            files += [] if recording is None else [recording.folder / META]
            typer.echo("wrote " + ", ".join(str(file) for file in files))
    _end(outcome, problems or [], quiet)


def _begun(asked: Performance) -> Begun:
    """What writes into the folder during the run: its recording, or what holds the folder for its snapshots."""
    try:
        return asked.begin()
    except OSError as error:
        _fail(f"{error.filename or asked.folder}: cannot be written: {error.strerror or error}", FAILED)


def _performed(asked: Performance, display: Display, *, recorded: bool) -> Outcome:
    """Run; what only shows when the world is put together counts as a mistake in the scenario."""
    stage = asked.stage

    def step(count: int) -> None:
        if asked.snapshots is not None and not recorded:
            asked.snapshots.after_step(stage.world)
        display.step(count)

    try:
        return perform(stage, on_compile=display.compiling, on_step=step, done=asked.done)
    except Exception as error:
        if stage.world.steps:
            raise
        raise ScenarioError([Problem("", told(error))], stage.name) from error


def _console() -> Console:
    """Where tables go. A file or a pipe has no width, so there it is a usual one."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)


def _print(stage: Stage, summary: dict[str, Any]) -> None:
    console = _console()
    console.print(run_table(summary))
    if len(stage.meters):
        console.print(metric_table(stage.meters.values()))
    if summary["check"] is not None:
        typer.echo("check passed" if summary["check"]["passed"] else "check failed:")
        for problem in summary["check"]["problems"]:
            typer.echo(f"  {problem}")


def _end(outcome: Outcome, problems: list[str], quiet: bool) -> None:
    """Leave with the right code, and a reason where there is a bad one."""
    made = f"after {outcome.steps:,} of {outcome.wanted:,} steps; what was computed is kept"
    if outcome.error:
        _fail(f"the run ended {made}: {outcome.error}", FAILED)
    if outcome.interrupted:
        _fail(f"stopped {made}", INTERRUPTED)
    if problems:
        _fail("\n".join(problems) if quiet else "the check failed", FAILED)

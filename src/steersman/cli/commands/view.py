"""`steersman view`: a scenario, or a recorded run, in a browser."""

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from steersman.cli.shared.exit_codes import FAILED, WRONG_USE
from steersman.cli.shared.messages import fail
from steersman.cli.shared.options import SCENARIO, Changes, N, Seed, Threads
from steersman.gallery.registry import SCENARIOS
from steersman.gallery.request import is_recorded, prepare
from steersman.runs.documents.problems import Problem, ScenarioError
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.folder import RunError

HOST = "127.0.0.1"
"""The address at which the window listens, if no other is given."""


def view_scenario(
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|FILE|RUN_DIR]",
            help=f"{SCENARIO} Or the folder of a recorded run. Default: the gallery of all scenarios.",
        ),
    ] = None,
    n: N = None,
    seed: Seed = None,
    changes: Changes = None,
    threads: Threads = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="The address to listen at. At another one than 127.0.0.1, everyone that can reach this machine and know the "
            "address with its token can watch, change parameters and move vehicles; nothing is encrypted.",
        ),
    ] = HOST,
    port: Annotated[int, typer.Option("--port", help="The port to listen at; 0 for any that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Whether to open a browser.")] = True,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help=r"How long to keep it open \[s]. Default: until Ctrl-C.")
    ] = None,
) -> None:
    """Watch a scenario in a browser: let it run, turn it, change its steering trees, ask why; or play a recorded run.

    Ctrl-C ends it. Exit codes: 0 done, 1 the port is taken, 2 something in the call or the file is wrong.
    """
    try:
        if scenario and is_recorded(scenario, {"n": n, "seed": seed, "set": changes, "threads": threads}):
            _check_unserved(scenario, {"--host": host != HOST, "--port": port != 0, "--seconds": seconds is not None})
            _play(Path(scenario), browser)
            return
        from steersman.studio.viewer.address import Address
        from steersman.studio.viewer.simulation import Simulation
        from steersman.studio.viewer.tabs import simulation_at
        from steersman.studio.viewer.view import serve

        def make_stage(*, n: int | None = None, seed: int | None = None) -> Stage:
            return prepare(scenario or "flocking", n, {"seed": seed}, changes or [], threads, None)

        def of_tab(address: Address) -> Simulation:
            return simulation_at(address, make_stage, scenario if scenario and scenario in SCENARIOS else "")

        shown = serve(of_tab, host, port)
    except (ScenarioError, RunError, ImportError) as error:
        fail(str(error), WRONG_USE)
    except OSError as error:
        fail(f"--port {port}: cannot listen there: {error.strerror or error}", FAILED)
    built_in = scenario in SCENARIOS and not changes and threads is None
    address = Address(scenario if scenario and built_in else "", n, seed)
    page, _, token = shown.url.partition("?")
    url = f"{page}?{f'{address}&' if str(address) else ''}{token}" if scenario else f"{page}gallery?{token}"
    allowed = (n is None or n >= 1) and (seed is None or seed >= 0)
    if (built_in and allowed) or not scenario:
        _announce(url, browser)  # Before anything is compiled.
    try:
        if scenario:
            shown.prepare(address)
    except (ScenarioError, ImportError) as error:
        shown.close()
        fail(str(error), WRONG_USE)
    if scenario and not (built_in and allowed):
        _announce(url, browser)
    shown.wait(seconds)


def _announce(url: str, browser: bool) -> None:
    """Print the address, and open it."""
    typer.echo(f"watch it at {url}\nCtrl-C ends it")
    if browser:
        webbrowser.open(url)


def _check_unserved(folder: str, options: dict[str, bool]) -> None:
    """Raise ScenarioError where an option of the server was given with a recorded run, which is played without one."""
    problems = [
        Problem(option, "is not for a recorded run, which is a file in the browser")
        for option in options
        if options[option]
    ]
    if problems:
        raise ScenarioError(problems, folder)


def _play(folder: Path, browser: bool) -> None:
    """Play a recorded run, from a file of its own."""
    from steersman.studio.viewer.replay import replay_run

    path = replay_run(folder, Path(tempfile.mkdtemp(prefix="steersman-"), f"{folder.resolve().name}.html"))
    typer.echo(f"it plays in {path}")
    if browser:
        webbrowser.open(path.as_uri())

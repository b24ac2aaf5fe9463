"""The `steersman` command: all its commands, in the order of its help."""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

import steersman

COMMANDS = {
    "list": "list_scenarios",
    "run": "run_scenario",
    "view": "view_scenario",
    "replay": "replay_scenario",
    "video": "film_scenario",
    "picture": "draw_run",
    "export": "export_run",
    "sweep": "sweep_scenario",
    "tune": "tune_scenario",
    "warmup": "warm_up",
}
"""Command -> its function, in the module of its name in `commands`."""


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"steersman {steersman.__version__}")
        raise typer.Exit


def command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Steering behaviors for autonomous characters: run scenarios, built-in or your own."""


def app_for(arguments: Sequence[str] = ()) -> typer.Typer:
    """The application for a call: with one command alone, where the first argument names it, for the others take time."""
    app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)
    app.callback()(command)
    for name in COMMANDS if not arguments or arguments[0] not in COMMANDS else arguments[:1]:
        app.command(name)(getattr(import_module(f"steersman.cli.commands.{name}"), COMMANDS[name]))
    return app

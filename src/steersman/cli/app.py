"""The `steersman` command: all its commands, in the order of its help."""

from typing import Annotated

import typer

import steersman
from steersman.cli.commands.list import list_scenarios
from steersman.cli.commands.picture import draw_run
from steersman.cli.commands.replay import replay_scenario
from steersman.cli.commands.run import run_scenario
from steersman.cli.commands.video import film_scenario
from steersman.cli.commands.view import view_scenario
from steersman.cli.commands.warmup import warm_up

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Steering behaviors for autonomous characters: run scenarios, built-in or your own.",
)


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"steersman {steersman.__version__}")
        raise typer.Exit


@app.callback()
def command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Steering behaviors for autonomous characters: run scenarios, built-in or your own."""


app.command("list")(list_scenarios)
app.command("run")(run_scenario)
app.command("view")(view_scenario)
app.command("replay")(replay_scenario)
app.command("video")(film_scenario)
app.command("picture")(draw_run)
app.command("warmup")(warm_up)

"""`steersman warmup`: kernels compiled ahead."""

import warnings
from typing import Annotated

import typer
from rich.console import Console

import steersman
from steersman.cli.shared.exit_codes import WRONG_USE
from steersman.cli.shared.messages import fail
from steersman.cli.shared.options import Quiet, Trust
from steersman.cli.shared.progress import warming
from steersman.core.kernels.cache import cache_folder
from steersman.gallery.registry import SCENARIOS
from steersman.gallery.request import prepare
from steersman.runs.documents.problems import ScenarioError


def warm_up(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|FILE]...", help="Built-in scenarios, TOML or Python files. Default: all built-in."
        ),
    ] = None,
    trust: Trust = False,
    quiet: Quiet = False,
) -> None:
    """Compile the kernels of scenarios ahead, so that their first step does not have to.

    The compiled kernels are kept in the user's cache folder, or in STEERSMAN_CACHE.
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
                fail(str(error), WRONG_USE)
    if not quiet:
        typer.echo(f"{compiled} kernels compiled; {cache_folder()} has them all")

"""`steersman list`: the built-in scenarios."""

from typing import Annotated

import typer

from steersman.cli.shared.exit_codes import WRONG_USE
from steersman.cli.shared.messages import fail, for_tables
from steersman.cli.shared.tables import scenario_table
from steersman.gallery.index import read_index


def list_scenarios(
    word: Annotated[str, typer.Argument(help="Only those that have it in their name or among their tags.")] = "",
) -> None:
    """List the built-in scenarios."""
    rows = [each for each in read_index() if any(word.lower() in text.lower() for text in (each.name, *each.tags))]
    if not rows:
        fail(f"no scenario has {word!r} in its name or among its tags", WRONG_USE)
    for_tables().print(scenario_table(rows))

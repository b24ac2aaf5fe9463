"""`steersman picture`: a recorded run at one time."""

from pathlib import Path
from typing import Annotated

import typer

from steersman.cli.shared.exit_codes import errors_as_exits
from steersman.cli.shared.options import RunFolder
from steersman.runs.recording.run import read_run


def draw_run(
    folder: RunFolder,
    at: Annotated[float, typer.Option("--at", help=r"Of which time \[s]: the nearest frame.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A PNG, SVG or PDF.")],
) -> None:
    """Draw a recorded run at one time, with its scenery."""
    with errors_as_exits(f"--out {out}"):
        read_run(folder).draw(at, out)
    typer.echo(f"wrote {out}")

"""`steersman video`: a video of a run."""

from pathlib import Path
from typing import Annotated

import typer

from steersman.cli.shared.exit_codes import errors_as_exits
from steersman.cli.shared.options import Changes, N, Quiet, Seconds, Seed, Subject, Threads


def film_scenario(
    scenario: Subject,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="An MP4, WEBM, GIF or WEBP file to write.")],
    size: Annotated[
        str, typer.Option("--size", metavar="WIDTHxHEIGHT", help=r"Size of its frames \[pixels].")
    ] = "1280x720",
    fps: Annotated[
        float | None, typer.Option("--fps", help="Frames a second. Default: 30; 25 in a GIF or WEBP.")
    ] = None,
    seconds: Seconds = None,
    speed: Annotated[float, typer.Option("--speed", help="Seconds of the world a second of the video.")] = 1.0,
    follow: Annotated[
        str | None,
        typer.Option(
            "--follow", metavar="ID", help="The vehicle in the middle: an id, or wolves:0. Default: all is seen."
        ),
    ] = None,
    width: Annotated[
        float | None, typer.Option("--width", help=r"With --follow: the width of the view around it \[m].")
    ] = None,
    turn: Annotated[
        float, typer.Option("--turn", help=r"How fast the camera goes around a 3D scene \[degrees/s].")
    ] = 0.0,
    sketch: Annotated[
        list[str] | None,
        typer.Option("--sketch", metavar="ID[,ID]", help="Vehicles with their constructions, as for run. Repeatable."),
    ] = None,
    n: N = None,
    seed: Seed = None,
    changes: Changes = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Run a scenario, or take a recorded run, and write a video of it.

    Exit codes: 0 done, 1 the run failed, a package is missing or the file cannot be written, 2 something in the call or the
    file is wrong, 130 Ctrl-C. There is a file only if it is whole.
    """
    from steersman.cli.shared.filming import film

    ask = {"n": n, "seed": seed, "set": changes, "threads": threads, "sketch": sketch}
    numbers = {"fps": fps, "speed": speed, "width": width, "turn": turn}
    with errors_as_exits(f"--out {out}", lambda: f"stopped; {out} was not written"):
        line = film(scenario, out, size=size, seconds=seconds, follow=follow, choices=ask, about=numbers, quiet=quiet)
    if not quiet:
        typer.echo(line)

"""`steersman video`: a video of a run."""

from pathlib import Path
from typing import Annotated

import typer

from steersman.cli.shared.exit_codes import FAILED, INTERRUPTED, WRONG_USE
from steersman.cli.shared.messages import fail, warnings_in_lines
from steersman.cli.shared.options import Changes, N, Quiet, Seconds, Seed, Subject, Threads
from steersman.core.world.guard import NonFiniteError
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.recording.folder import RunError


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

    Exit codes: 0 done, 1 the run failed or the file cannot be written, 2 something in the call or the file is wrong, 130
    Ctrl-C. There is a file only if it is whole.
    """
    from steersman.cli.shared.filming import film

    ask = {"n": n, "seed": seed, "set": changes, "threads": threads, "sketch": sketch}
    numbers = {"fps": fps, "speed": speed, "width": width, "turn": turn}
    with warnings_in_lines():
        try:
            line = film(
                scenario, out, size=size, seconds=seconds, follow=follow, choices=ask, about=numbers, quiet=quiet
            )
        except (NonFiniteError, OSError) as error:
            fail(f"--out {out}: {getattr(error, 'strerror', None) or error}", FAILED)
        except (ScenarioError, RunError, ImportError, TypeError, ValueError, KeyError) as error:
            fail(str(error.args[0] if isinstance(error, KeyError) else error), WRONG_USE)
        except KeyboardInterrupt:
            fail(f"stopped; {out} was not written", INTERRUPTED)
    if not quiet:
        typer.echo(line)

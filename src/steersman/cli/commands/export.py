"""`steersman export`: a run as a file for another program."""

from pathlib import Path
from typing import Annotated, Any

import typer

from steersman.adapters.export import FORMATS, export
from steersman.cli.shared.exit_codes import errors_as_exits
from steersman.cli.shared.options import Changes, N, Quiet, Seconds, Seed, Subject, Threads
from steersman.cli.shared.progress import following
from steersman.gallery.request import is_recorded, prepare
from steersman.runs.recording.run import read_run

OUT = f"The file to write; its ending says the format: {', '.join(FORMATS)}."


def export_run(
    scenario: Subject,
    out: Annotated[Path, typer.Option("--out", "--to", "-o", metavar="FILE", help=OUT)],
    every: Annotated[
        float | None,
        typer.Option("--every", help=r"Time between frames \[s]. Default: all of a run; 30 a second of a scenario."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME|FILE",
            help="The shape of vehicles: dart, bird, fish, car, ...; for USD a USD file.",
        ),
    ] = None,
    faces: Annotated[
        str | None, typer.Option("--faces", metavar="AXIS", help="Where a model of a file faces: x, -x, y, -y, z, -z.")
    ] = None,
    size: Annotated[
        float | None, typer.Option("--size", help=r"How long shapes are \[m]. Default: twice the radius.")
    ] = None,
    n: N = None,
    seconds: Seconds = None,
    seed: Seed = None,
    changes: Changes = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Run a scenario, or take a recorded run, and write it for another program: Blender, Omniverse, Godot, pandas, SUMO.

    Exit codes: 0 done, 1 the run failed, a package is missing or the file cannot be written, 2 something in the call or the
    file is wrong, 130 Ctrl-C. There is a file only if it is whole.
    """
    options: dict[str, Any] = {"model": model, "faces": faces, "size": size}
    about = {key: value for key, value in options.items() if value is not None}
    with errors_as_exits(f"--out {out}", lambda: f"stopped; {out} was not written"):
        if is_recorded(scenario, {"n": n, "seed": seed, "set": changes, "threads": threads}):
            path = export(read_run(scenario), out, seconds=seconds, every=every, **about)
        else:
            stage = prepare(scenario, n, {"seconds": seconds, "seed": seed}, changes or [], threads, None)
            if out.suffix.lower() in (".usda", ".usdc", ".glb"):
                about["colors"] = stage.colors
            with following(stage.steps, quiet=quiet) as display:
                path = export(stage.world, out, seconds=stage.seconds, every=every, on_step=display.step, **about)
    if not quiet:
        typer.echo(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB")

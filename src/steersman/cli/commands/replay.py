"""`steersman replay`: one HTML file that plays a run."""

from pathlib import Path
from typing import Annotated

import typer

from steersman.cli.shared.exit_codes import errors_as_exits
from steersman.cli.shared.options import Changes, N, Quiet, Seconds, Seed, Subject, Threads
from steersman.cli.shared.progress import following
from steersman.gallery.request import is_recorded, prepare


def replay_scenario(
    scenario: Subject,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The HTML file to write.")],
    n: N = None,
    seconds: Seconds = None,
    seed: Seed = None,
    changes: Changes = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Run a scenario, or take a recorded run, and write one HTML file that plays it in any browser, without a server.

    Exit codes: 0 done, 1 the run failed or the file cannot be written, 2 something in the call or the file is wrong, 130
    Ctrl-C.
    """
    from steersman.studio.viewer.replay import replay, replay_run

    with errors_as_exits(f"--out {out}", lambda: f"stopped; {out} was not written"):
        if is_recorded(scenario, {"n": n, "seconds": seconds, "seed": seed, "set": changes, "threads": threads}):
            path = replay_run(scenario, out)
        else:
            stage = prepare(scenario, n, {"seconds": seconds, "seed": seed}, changes or [], threads, None)
            with following(stage.steps, quiet=quiet) as display:
                path = replay(stage, out, seconds=stage.seconds, on_step=display.step)
    if not quiet:
        typer.echo(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB")

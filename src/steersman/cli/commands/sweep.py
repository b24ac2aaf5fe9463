"""`steersman sweep`: a scenario with many values and seeds."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from steersman.cli.shared.exit_codes import FAILED, errors_as_exits
from steersman.cli.shared.live_chart import LiveChart
from steersman.cli.shared.options import SCENARIO, N, On, Quiet, Seconds, Steps, TimeStep, Trust, Workers
from steersman.cli.shared.progress import Display
from steersman.cli.shared.varying import axes_of, seeds_of
from steersman.runs.sweeps.store import TABLE
from steersman.runs.sweeps.sweep import sweep


def sweep_scenario(
    scenario: Annotated[str, typer.Argument(metavar="NAME|FILE", help=SCENARIO)],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the table.")],
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="PATH=VALUES",
            help=r"Values to try: populations.boids.max_speed=\[8, 12], or a range {low=8, high=12} that --design samples. "
            "Repeatable.",
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="Change a value for all runs, as for run. Repeatable."),
    ] = None,
    seeds: Annotated[str, typer.Option("--seeds", help="The number of seeds, from 0; or 100:150.")] = "1",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="METRIC",
            help="A metric, boids.polarization:mean:5 for its mean over the last 5 s (or now, start, least, greatest). "
            "Repeatable. Default: all that the scenario measures, at the end.",
        ),
    ] = None,
    design: Annotated[
        str, typer.Option("--design", help="grid (each value with each), random, latin (hypercube), or sobol.")
    ] = "grid",
    samples: Annotated[
        int | None, typer.Option("--samples", help="The number of combinations of values, where it is no grid.")
    ] = None,
    n: N = None,
    seconds: Seconds = None,
    steps: Steps = None,
    dt: TimeStep = None,
    on: On = "pool",
    workers: Workers = None,
    force: Annotated[bool, typer.Option("--force", help="Replace another sweep in the folder.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Make the runs that failed again.")] = False,
    trust: Trust = False,
    quiet: Quiet = False,
) -> None:
    """Run a scenario with many values and seeds; every run is a row of a Parquet table.

    A sweep that was stopped or killed goes on where it was with the same command. A run that fails is a row, too.

    Exit codes: 0 done, 1 all runs failed, 2 something in the call or the file is wrong, 130 Ctrl-C (all rows are kept).
    """
    console = Console(stderr=True)
    display = Display(console, 1, quiet=quiet, of="runs")
    done = of = 0
    first: int | None = None

    def tell(rows: int, count: int) -> None:
        nonlocal done, of, first
        first = rows if first is None else first
        done, of = rows, count
        display.expect(count - first)
        if rows > first:
            display.step(rows - first, f"({first:,} were there)" if first else "")

    with errors_as_exits(stopped=lambda: f"stopped after {done:,} of {of:,} runs; the same command goes on"):
        values: dict[str, Any] = axes_of(vary or [], changes or [])
        with display.shown(below=LiveChart(out, list(values))):
            table = sweep(
                scenario, values, seeds=seeds_of(seeds), measure=measure or None, out=out, design=design, samples=samples,
                n=n, seconds=seconds, steps=steps, dt=dt, on=on, workers=workers, force=force, retry=retry, trust=trust,
                progress=tell,
            )  # fmt: skip
    failed = table.failed
    if failed:
        errors = table.table()["error"].drop_null()
        typer.echo(f"{failed:,} of {of:,} runs failed; the first one: {errors[0]}", err=True)
    if not quiet:
        typer.echo(f"wrote {out / TABLE}, {of:,} runs" + (f", {first:,} of them before" if first else ""))
    if failed == of:
        raise typer.Exit(FAILED)

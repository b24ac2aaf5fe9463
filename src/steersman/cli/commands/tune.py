"""`steersman tune`: values of a scenario that make its metrics better."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from steersman.cli.shared.exit_codes import errors_as_exits
from steersman.cli.shared.live_chart import LiveChart
from steersman.cli.shared.options import SCENARIO, N, On, Quiet, Seconds, Steps, TimeStep, Trust, Workers
from steersman.cli.shared.progress import Display
from steersman.cli.shared.varying import axes_of, held_out_of, seeds_of
from steersman.core.world.writing import NoDocumentError
from steersman.runs.tuning.tune import Tuned, tune

TUNED, CHART = "tuned.toml", "search.png"


def tune_scenario(
    scenario: Annotated[str, typer.Argument(metavar="NAME|FILE", help=SCENARIO)],
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="PATH=VALUES",
            help=r"Values to search: width={low=0.9, high=2}, maybe with log=true or whole=true, or \[1, 2]. Repeatable.",
        ),
    ],
    minimize: Annotated[
        list[str] | None,
        typer.Option("--minimize", metavar="METRIC", help="A metric that is to become small. Repeatable."),
    ] = None,
    maximize: Annotated[
        list[str] | None,
        typer.Option("--maximize", metavar="METRIC", help="A metric that is to become large. Repeatable."),
    ] = None,
    measure: Annotated[
        list[str] | None, typer.Option("--measure", metavar="METRIC", help="A metric to report besides. Repeatable.")
    ] = None,
    seeds: Annotated[str, typer.Option("--seeds", help="Seeds of the search: their number, or 100:108.")] = "8",
    held_out: Annotated[str, typer.Option("--held-out", help="Seeds that judge: their number, or 10000:10032.")] = "32",
    budget: Annotated[int, typer.Option("--budget", help="How many candidates are tried.")] = 200,
    method: Annotated[str | None, typer.Option("--method", help="cmaes or optuna. Default: which fits.")] = None,
    search_seed: Annotated[int, typer.Option("--search-seed", help="Seed of the search.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write the rows of all runs, tuned.toml and the chart search.png there."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace another search in the folder.")] = False,
    n: N = None,
    seconds: Seconds = None,
    steps: Steps = None,
    dt: TimeStep = None,
    on: On = "pool",
    workers: Workers = None,
    trust: Trust = False,
    quiet: Quiet = False,
) -> None:
    """Search values of a scenario that make its metrics better, and judge them with seeds that the search has not seen.

    Metrics are written as for sweep: polarization, boids.polarization:mean:5. A search with --out that was stopped or
    killed goes on where it was with the same command.

    Exit codes: 0 done, 1 a package is missing or the folder cannot be written, 2 something in the call or the file is
    wrong, 130 Ctrl-C (with --out all rows are kept).
    """
    display = Display(Console(stderr=True), 1, quiet=quiet, of="runs")

    def tell(done: int, count: int) -> None:
        display.expect(count)
        display.step(done)

    def stopped() -> str:
        return "stopped" if out is None else "stopped; the same command goes on"

    with errors_as_exits(f"--out {out}", stopped):
        values, chosen = axes_of(vary, []), seeds_of(seeds)
        goal = "minimize" if minimize else "maximize"
        chart = None if out is None else LiveChart(out, list(values), goal, chosen)
        with display.shown(below=chart):
            tuned = tune(
                scenario, values, minimize=minimize or [], maximize=maximize or [], measure=measure or [], seeds=chosen,
                held_out=held_out_of(held_out), budget=budget, method=method, search_seed=search_seed, n=n,
                seconds=seconds, steps=steps, dt=dt, on=on, workers=workers, trust=trust, out=out, force=force,
                progress=tell,
            )  # fmt: skip
    if not quiet:
        typer.echo(str(tuned))
    if out is not None:
        _write(tuned, out, quiet=quiet)


def _write(tuned: Tuned, out: Path, *, quiet: bool) -> None:
    """Write the document and the chart."""
    files = [tuned.chart(out / CHART)]
    try:
        files = [*tuned.write(out / TUNED), *files]
    except NoDocumentError as error:
        typer.echo(f"no {TUNED}, as no document can hold this scenario: {error}", err=True)
    if not quiet:
        typer.echo("wrote " + ", ".join(str(file) for file in files))

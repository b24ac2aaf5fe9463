"""Options that several commands share, with their help texts."""

from pathlib import Path
from typing import Annotated

import typer

SCENARIO = "A built-in scenario, a TOML file, or a Python file with a function make."
ON = "Where runs are made: pool (processes), here, ray, dask or mpi; ray=ADDRESS and dask=ADDRESS for a cluster."

Subject = Annotated[
    str, typer.Argument(metavar="NAME|FILE|RUN_DIR", help=f"{SCENARIO} Or the folder of a recorded run.")
]
N = Annotated[int | None, typer.Option("--n", help="Vehicles in the main population: the first.")]
Seconds = Annotated[float | None, typer.Option("--seconds", help=r"How long to simulate \[s].")]
Steps = Annotated[int | None, typer.Option("--steps", help="How many steps to make, instead of --seconds.")]
TimeStep = Annotated[float | None, typer.Option("--dt", help=r"The time step \[s].")]
On = Annotated[str, typer.Option("--on", metavar="WHERE", help=ON)]
Workers = Annotated[int | None, typer.Option("--workers", help="Runs at a time. Default: one for each processor.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of everything random.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a value, as for run. Repeatable.")
]
Threads = Annotated[int | None, typer.Option("--threads", help="Threads to use; the result is the same.")]
Trust = Annotated[bool, typer.Option("--trust", help="Let a file name files that lie outside its folder.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The folder of a recorded run.")]

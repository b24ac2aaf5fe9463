"""The processes of an mpiexec, by the variables that it sets: asked for without MPI."""

import os

import typer

SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
"""Variables with the number of processes: of Open MPI, and of MPICH and Intel MPI."""

RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK")
"""Variables with the number of this process."""


def number_in(names: tuple[str, ...]) -> int:
    """The first of these variables that is a whole number; 0 for none."""
    values = (os.environ.get(name, "") for name in names)
    return next((int(value) for value in values if value.isascii() and value.isdigit()), 0)


def warn_of_copies() -> None:
    """Print a warning, in the first process alone, where each process of an mpiexec is about to run the whole world."""
    size = number_in(SIZES)
    if size > 1 and number_in(RANKS) == 0:
        typer.echo(
            f"warning: each of the {size} processes of mpiexec runs the whole world; with --split they step it together",
            err=True,
        )

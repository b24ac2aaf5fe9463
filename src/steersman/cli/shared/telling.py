"""What the command says: why it fails, warnings as lines, tables."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.console import Console


def fail(message: str, code: int) -> NoReturn:
    """Say why, and leave with an exit code."""
    typer.echo(message, err=True)
    raise typer.Exit(code)


@contextmanager
def warnings_told() -> Iterator[None]:
    """While inside, a warning is a line, without the code that it comes from."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _line
        yield


def _line(message: Warning | str, *_: Any, **__: Any) -> None:
    typer.echo(f"warning: {message}", err=True)


def for_tables() -> Console:
    """Where tables go. A file or a pipe has no width, so there it is a usual one."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)

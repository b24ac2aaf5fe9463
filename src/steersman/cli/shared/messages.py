"""Messages of the command: errors, warnings as lines, and the console for tables."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.console import Console


def fail(message: str, code: int) -> NoReturn:
    """Print an error message, and exit with a code."""
    typer.echo(message, err=True)
    raise typer.Exit(code)


@contextmanager
def warnings_in_lines() -> Iterator[None]:
    """A context in which a warning is printed as a line, without the code that raised it."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _line
        yield


def _line(message: Warning | str, *_: Any, **__: Any) -> None:
    typer.echo(f"warning: {message}", err=True)


def for_tables() -> Console:
    """The console for tables. A file or a pipe has no width, so it gets a fixed one."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)

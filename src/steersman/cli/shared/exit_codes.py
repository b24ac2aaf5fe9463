"""The exit codes of the command, and the errors that they stand for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

FAILED = 1
"""The run failed, the file cannot be written, or a package is missing."""

WRONG_USE = 2
"""The call or the file is wrong."""

INTERRUPTED = 130
"""Ctrl-C stopped it."""


@contextmanager
def errors_as_exits(option: str = "", stopped: Callable[[], str] = lambda: "stopped") -> Iterator[None]:
    """A context in which an error becomes a message and an exit code, and a warning becomes a line.

    Args:
        option: The option with the file to write, which begins the message of an error of the file system.
        stopped: Returns the message of Ctrl-C.
    """
    from steersman.cli.shared.messages import fail, warnings_in_lines

    with warnings_in_lines():
        try:
            yield
        except (ImportError, FloatingPointError) as error:
            fail(str(error), FAILED)
        except OSError as error:
            fail(f"{option}: {error.strerror or error}".removeprefix(": "), FAILED)
        except (TypeError, ValueError, KeyError) as error:
            fail(str(error.args[0] if isinstance(error, KeyError) else error), WRONG_USE)
        except KeyboardInterrupt:
            fail(stopped(), INTERRUPTED)

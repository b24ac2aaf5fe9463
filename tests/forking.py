"""Forked children of a test."""

import os
import select
import signal
import warnings
from collections.abc import Callable


def in_forked_child(function: Callable[[], str], seconds: float = 60) -> str:
    """The answer of a function that a forked child calls.

    Raises:
        AssertionError: It has not come after so long.
    """
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Forking with threads is what is tested.
        child = os.fork()
    if child == 0:  # pragma: no cover
        try:
            os.write(write, function().encode())
        finally:
            os._exit(0)
    os.close(write)
    try:
        assert select.select([read], [], [], seconds)[0], "the child hangs"
        return os.read(read, 100).decode()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(read)

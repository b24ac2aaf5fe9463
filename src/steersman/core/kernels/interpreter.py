"""The check that the interpreter has a global lock, which steps rely on."""

import sys


def check_interpreter() -> None:
    """Refuse a free-threaded Python that runs without its global lock.

    Where Python makes the calls of a step, only this lock guarantees that the step happens as a whole and that no signal is
    handled within it.

    Raises:
        ImportError: The lock is off.
    """
    is_locked = getattr(sys, "_is_gil_enabled", None)
    if is_locked is not None and not is_locked():
        raise ImportError(
            "steersman needs Python's global lock (GIL), which is off in this free-threaded Python; start it with "
            "`python -X gil=1` or PYTHON_GIL=1. Worlds step with several threads all the same: they need no interpreter"
        )

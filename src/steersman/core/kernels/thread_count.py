"""The number of threads to use."""

import operator
import os

from steersman.core.parameters.brief import brief

MOST_THREADS = 1024
"""The most threads that may be asked for."""


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """The number of threads to use: the argument, else STEERSMAN_THREADS, else the processors of this process.

    Raises:
        ValueError: Not a whole number from 1 to MOST_THREADS.
    """
    value: object = threads
    source = "threads"
    if value is None:
        value, source = os.environ.get("STEERSMAN_THREADS"), "STEERSMAN_THREADS"
    if value is None:
        return processors()
    try:
        count = int(value) if isinstance(value, str) else operator.index(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        count = 0
    if count < 1 or isinstance(value, bool):
        raise ValueError(f"{source} must be a whole number >= 1, got {brief(value)}")
    if count > MOST_THREADS:
        raise ValueError(
            f"{source} must be <= {MOST_THREADS}, got {brief(value)}; more than there are processors gain nothing"
        )
    return int(count)

"""Sizes: how much memory an object may take. Larger objects are refused before memory is allocated."""

import os
import sys
from functools import cache
from pathlib import Path

PART = 0.5
"""The part of the machine's memory that one object may take."""

ELSEWHERE = 16 * 2**30
"""The memory that is assumed for a machine without information about it [bytes]."""

LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files of Linux with the memory limit of a container."""


@cache
def most_bytes() -> int:
    """How much memory one object may take [bytes]: PART of the memory of this machine or container."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Not on Windows.
        whole = ELSEWHERE
    if whole <= 0:  # Not in a browser.
        whole = min(ELSEWHERE, sys.maxsize)
    return int(PART * min([whole, *_limits()]))


def _limits() -> list[int]:
    limits = []
    for file in LIMITS:
        try:
            limits.append(int(Path(file).read_text()))
        except (OSError, ValueError):  # No such file, or "max".
            continue
    return limits


def check_bytes(advice: str, subject: str, needed: float) -> None:
    """Check that there is memory for an object that is about to be made.

    Args:
        advice: The beginning of the message, as "cell must be larger".
        subject: The object to be made, with its number: "19,000,000 cells".
        needed: How much memory that takes [bytes], about.

    Raises:
        ValueError: The object needs more memory than one object may take, or `needed` is NaN.
    """
    if not fits(needed):
        most = in_words(most_bytes())
        raise ValueError(
            f"{advice}: {subject} would take {in_words(needed)} of memory, and at most {most} are allowed here"
        )


def fits(needed: float) -> bool:
    """Whether one object may take so much memory [bytes]; false for NaN."""
    return needed <= most_bytes()


def in_words(count: float) -> str:
    """A number of bytes in the form `19.2 GB`."""
    billions = float(min(count, 10**300)) / 1e9
    if billions < 0.1:
        return f"{1000 * billions:,.1f} MB"
    return f"{billions:,.1f} GB" if billions < 1e6 else f"{billions:.3g} GB"

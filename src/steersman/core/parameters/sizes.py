"""Sizes: how much memory an object may take; larger ones are refused before any of it is allocated."""

import os
import sys
from functools import cache
from pathlib import Path

PART = 0.5
"""The part of the machine's memory that one object may take."""

ELSEWHERE = 16 * 2**30
"""Memory of a machine that does not say how much it has [bytes]."""

LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where Linux says how much memory a container has, if it has less than the machine."""


@cache
def most_bytes() -> int:
    """How much memory one object may take [bytes]: half of the memory of this machine, or this container."""
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
        ValueError: It is more than one object may take, or no number.
    """
    if not fits(needed):
        most = in_words(most_bytes())
        raise ValueError(
            f"{advice}: {subject} would take {in_words(needed)} of memory, and at most {most} are allowed here"
        )


def fits(needed: float) -> bool:
    """Whether there is memory for so much [bytes]; not for NaN."""
    return needed <= most_bytes()


def in_words(count: float) -> str:
    """A number of bytes as one reads it: `19.2 GB`."""
    billions = float(min(count, 10**300)) / 1e9
    if billions < 0.1:
        return f"{1000 * billions:,.1f} MB"
    return f"{billions:,.1f} GB" if billions < 1e6 else f"{billions:.3g} GB"

"""Long tables are tried in part: which part depends on names alone, so that it is the same in every run.

STEERSMAN_ALL=1 pytest ...    # all of everything
"""

import os
from collections.abc import Iterable
from typing import TypeVar
from zlib import crc32

Case = TypeVar("Case")

EVERYTHING = os.environ.get("STEERSMAN_ALL", "") not in ("", "0")
"""Whether nothing is left out."""


def drawn(cases: Iterable[Case], count: int, about: str) -> list[Case]:
    """So many of the cases, in their order; all of them with STEERSMAN_ALL.

    Args:
        cases: All cases.
        count: How many are chosen.
        about: Their subject, such as the name of a scenario; it decides which cases are chosen.
    """
    whole = list(cases)
    if EVERYTHING:
        return whole
    ranks = sorted(range(len(whole)), key=lambda k: crc32(f"{about}: {whole[k]}".encode()))
    return [whole[k] for k in sorted(ranks[:count])]


def is_drawn(name: str, every: int, about: str) -> bool:
    """Whether a name is one of those of which one in so many is tried."""
    return EVERYTHING or crc32(f"{about}: {name}".encode()) % every == 0

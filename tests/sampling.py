"""Long tables are tried in part: which part depends on names alone, so that it is the same in every run.

STEERSMAN_ALL=1 pytest ...    # all of everything
"""

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar
from zlib import crc32

import numpy as np

Case = TypeVar("Case")

EVERYTHING = os.environ.get("STEERSMAN_ALL", "") not in ("", "0")
"""Whether nothing is left out."""

KEPT = {2: np.float32, 3: np.float64}
"""The types of vehicles in 2D and in 3D for which the contract suite compiles kernels; in others a test compiles its own."""


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


def covering(cases: Sequence[Sequence[tuple[object, ...]]], about: str) -> list[int]:
    """The indices of a few cases that have every value of every parameter among them, in their order.

    Args:
        cases: The values of each case: for each parameter a tuple, of which the entries are compared by identity.
        about: Their subject; it decides which of equally good cases are chosen.
    """
    values = [{(k, *map(id, value)) for k, value in enumerate(case)} for case in cases]
    missing = set().union(*values)
    ranks = sorted(range(len(cases)), key=lambda k: crc32(f"{about}: {k}".encode()))
    chosen = []
    while missing:
        best = max(ranks, key=lambda k: len(values[k] & missing))
        chosen.append(best)
        missing -= values[best]
    return sorted(chosen)

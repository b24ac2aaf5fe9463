"""Limits of a document: larger sizes, which no scenario needs, are refused before the document is read."""

import datetime
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steersman.core.parameters.sizes import check_bytes
from steersman.runs.documents.problems import Place, Problems
from steersman.runs.documents.toml_lines import TEXT

LONGEST_TEXT = 16_000_000
"""The most bytes of a TOML file."""

DEEPEST = 100
"""The most tables and lists within each other."""

DIGITS = 300
"""The most digits of a number; numbers with more do not fit into a float."""

VEHICLE = 500
"""Approximate memory per vehicle [bytes]: its columns, and the buffers of a step."""

MARKS = re.compile(TEXT.pattern + rf"|#[^\n]*|[\[\]{{}}.,\n]|[0-9][0-9_]{{{DIGITS},}}", re.DOTALL)
"""The tokens of a TOML text that change the nesting depth, and numbers with too many digits."""

TOO_DEEP = f"tables and lists must be nested at most {DEEPEST} deep"
TOO_LONG = f"a number must have at most {DIGITS} digits"


def read_whole(path: Path) -> bytes:
    """The content of a TOML file.

    Raises:
        OSError: It cannot be read.
        ValueError: It is not a plain file (a folder or a pipe, for example), or it is too long.
    """
    about = path.stat()
    check_regular(str(path), about.st_mode)
    with path.open("rb") as file:
        content = file.read(LONGEST_TEXT + 1)
    if len(content) > LONGEST_TEXT:
        raise ValueError(
            f"must have at most {LONGEST_TEXT:,} bytes, got {max(about.st_size, len(content)):,}; long arrays go to a file "
            'beside it: {file = "flock.npz", array = "position"}'
        )
    return content


def check_regular(name: str, mode: int) -> None:
    """Raise ValueError for anything but a plain file: a folder, or a pipe, from which reading might never end."""
    if not stat.S_ISREG(mode):
        raise ValueError(f"must be a file, got {'a folder' if stat.S_ISDIR(mode) else 'a pipe or a device'}: {name!r}")


def excess_of(text: str) -> tuple[str, int] | None:
    """The first excess of depth or length in a TOML text that is not parsed yet, and its line; None without any."""
    around: list[int] = []  # The depth before each open bracket.
    depth = 0
    for match in MARKS.finditer(text):
        mark = match.group()
        if mark == ".":
            depth += 1
        elif mark in ("[", "{"):
            around.append(depth)
            depth += 1
        elif mark in ("]", "}"):
            depth = around.pop() if around else 0
        elif mark in (",", "\n"):
            depth = around[-1] + 1 if around else 0
        elif mark[0].isdigit():
            return TOO_LONG, text.count("\n", 0, match.start()) + 1
        if depth > DEEPEST:
            return TOO_DEEP, text.count("\n", 0, match.start()) + 1
    return None


def check_document(document: Any, source: str, lines: Mapping[Place, int]) -> None:
    """Refuse values that no class of the library checks: dates, numbers too large for a float, endless nesting.

    Raises:
        ScenarioError: The document holds such values; the message lists their places.
    """
    problems = Problems([])
    waiting: list[tuple[Place, Any]] = [((), document)]
    while waiting:
        place, holder = waiting.pop()
        if len(place) > DEEPEST:
            problems.add(place[:3], TOO_DEEP)
            break
        for key, value in holder.items() if isinstance(holder, Mapping) else enumerate(holder):
            if isinstance(value, (Mapping, list, tuple)):
                waiting.append(((*place, key), value))
            elif isinstance(value, (datetime.date, datetime.time)):
                problems.add((*place, key), f"{key} must not be a date or a time, got {value}")
            elif isinstance(value, int) and abs(value) >= 10**DIGITS:
                problems.add((*place, key), TOO_LONG)
    problems.raise_all(source, lines)


def check_count(n: int) -> None:
    """Check that there is memory for so many vehicles.

    Raises:
        ValueError: The memory does not suffice.
    """
    check_bytes("n must be smaller", f"{n:,} vehicles", n * VEHICLE)

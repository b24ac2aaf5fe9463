"""How large a document may be: what no scenario needs is refused before it is worked on."""

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
"""Bytes of a TOML file."""

DEEPEST = 100
"""Tables and lists within each other."""

DIGITS = 300
"""Digits of a number: more do not fit into a float."""

VEHICLE = 500
"""Memory that a vehicle takes [bytes], about: its columns, and what a step needs for it."""

MARKS = re.compile(TEXT.pattern + rf"|#[^\n]*|[\[\]{{}}.,\n]|[0-9][0-9_]{{{DIGITS},}}", re.DOTALL)
"""What says how deep a text is nested, and long numbers."""

TOO_DEEP = f"tables and lists must be nested at most {DEEPEST} deep"
TOO_LONG = f"a number must have at most {DIGITS} digits"


def read_whole(path: Path) -> bytes:
    """The content of a TOML file.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no file but a folder, say, or a pipe, or it is too long.
    """
    about = path.stat()
    check_regular(str(path), about.st_mode)
    with path.open("rb") as file:
        found = file.read(LONGEST_TEXT + 1)
    if len(found) > LONGEST_TEXT:
        raise ValueError(
            f"must have at most {LONGEST_TEXT:,} bytes, got {max(about.st_size, len(found)):,}; what is long goes to a file "
            'of arrays beside it: {file = "flock.npz", array = "position"}'
        )
    return found


def check_regular(name: str, mode: int) -> None:
    """Raise ValueError for what is not a plain file: a folder, or a pipe, from which reading might never end."""
    if not stat.S_ISREG(mode):
        raise ValueError(f"must be a file, got {'a folder' if stat.S_ISDIR(mode) else 'a pipe or a device'}: {name!r}")


def excess_of(text: str) -> tuple[str, int] | None:
    """What is too deep or too long in a TOML text, before it is parsed, and in which line; None if nothing is."""
    around: list[int] = []  # how deep it was before each bracket that is open
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
    """Check what no class of the library would: dates, numbers that fit into no float, what is nested without end.

    Raises:
        ScenarioError: There are such things; it says where.
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
        ValueError: There is not.
    """
    check_bytes("n must be smaller", f"{n:,} vehicles", n * VEHICLE)

"""Tables of recorded rows: how they are written, read, and compared."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent

FILES = ("answers", "empty", "examples", "pictures", "refusals", "runs", "scenarios", "window")
"""The files, and the modules that make their sections."""

Rows = dict[str, str]
"""Name of a quantity -> its words and numbers."""

CLOSE = 2e-4
"""How far a number may be from the recorded one, relative to the greatest of its vector: a few steps in float32 from
places that differ by a unit of the last place stay four times closer (measured)."""

SMALL = 1e-2
"""Components of a row are compared relative to at least this share of its greatest number."""

NUMBER = re.compile(r"(?<![\w.#])-?\d+\.?\d*(?:e[+-]?\d+)?(?!\w)")


def vectors(values: Any) -> str:
    """Vectors (k, d), or numbers (k,), with five digits; what is nothing beside the others is zero."""
    rows = np.asarray(values, float)
    rows = rows.reshape(1, -1) if rows.ndim < 2 else rows.reshape(-1, rows.shape[-1])
    finite = np.abs(rows[np.isfinite(rows)])
    least = max(1e-6 * float(finite.max(initial=0.0)), 1e-9)
    return "; ".join(" ".join(f"{0.0 if abs(x) < least else x:.5g}" for x in row) for row in rows)


def digest(values: Any, *, spread: bool = True) -> str:
    """A few vectors as they are; of many their number, the first, their mean and, if asked, their spread."""
    rows = np.asarray(values, float)
    if not rows.size:
        return "nothing"
    rows = rows[:, None] if rows.ndim < 2 else rows.reshape(-1, rows.shape[-1])
    if len(rows) <= 4:
        return vectors(rows)
    shown = [rows[0], np.nanmean(rows, axis=0), *([np.nanstd(rows, axis=0)] if spread else [])]
    return f"{len(rows)} of {vectors(shown)}"


class Section:
    """The rows of one section, in the making: a quantity that comes again gets a number."""

    def __init__(self) -> None:
        self.rows: Rows = {}

    def add(self, name: str, value: str) -> None:
        """Add a row."""
        name = " ".join(name.replace(":", ",").split())
        key, k = name, 1
        while key in self.rows:
            k += 1
            key = f"{name} #{k}"
        self.rows[key] = " ".join(value.split())


def text_of(sections: Mapping[str, Rows]) -> str:
    """The text of a file."""
    parts = (
        f"[{name}]\n" + "".join(f"{key}: {value}\n" for key, value in rows.items())
        for name, rows in sorted(sections.items())
    )
    return "\n".join(parts)


def read(name: str) -> dict[str, Rows]:
    """The sections of a file."""
    sections: dict[str, Rows] = {}
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            rows = sections[line[1:-1]] = {}
        elif line:
            key, _, value = line.partition(":")
            rows[key] = value.strip()
    return sections


def made(sections: Mapping[str, Callable[[], Rows]]) -> dict[str, Rows]:
    """The sections as they are now; what a scene warns of is tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: make() for name, make in sections.items()}


def differences(expected: Rows, found: Rows) -> Iterator[str]:
    """The rows that differ, in words."""
    for key in sorted(expected.keys() | found.keys()):
        one, other = expected.get(key, "(no such row)"), found.get(key, "(no such row)")
        if not same(one, other):
            yield f"{key}\n    expected {one}\n    found    {other}"


def same(expected: str, found: str) -> bool:
    """Whether the words are equal, and the numbers close."""
    if expected == found:
        return True
    if NUMBER.sub("#", expected) != NUMBER.sub("#", found):
        return False
    groups = list(zip(_groups(expected), _groups(found), strict=True))
    whole = max((abs(float(each)) for group, _ in groups for each in group), default=0.0)
    return all(_close(one, other, SMALL * whole) for one, other in groups)


def _groups(text: str) -> Iterable[list[str]]:
    return [NUMBER.findall(part) for part in text.split(";")]


def _close(expected: list[str], found: list[str], least: float) -> bool:
    size = max([least, 1e-6, *(abs(float(each)) for each in expected)])
    return all(abs(float(a) - float(b)) <= CLOSE * size + _last_digit(a) for a, b in zip(expected, found, strict=True))


def _last_digit(number: str) -> float:
    """One unit of the last digit that is written: a rounded number may have been on the edge."""
    _, point, decimals = number.partition(".")
    return 1.01 * 10.0 ** -len(decimals) if point and "e" not in number else 0.0

"""The CSV of `benchmarks.run`: a line a case, with every turn; read back as something that anybody may have edited."""

import csv
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path

import numba
import numpy as np

from benchmarks.comparing import LEAST
from benchmarks.machine import processors
from benchmarks.turns import Case
from benchmarks.workloads import named

FIELDS = [
    "workload",
    "n",
    "dimensions",
    "threads",
    "ms",
    "min_ms",
    "turns",
    "yardstick_ms",
    "ratio",
    "machine",
    "versions",
    "each_ms",
    "reference_each_ms",
]

MOST = 10**8
"""No case has more vehicles."""


def row_of(
    case: Case, times: Sequence[float], reference: Sequence[float], yardstick: Sequence[float] = ()
) -> dict[str, str]:
    """A line.

    Args:
        case: What was run.
        times: Time of a step in each turn [ms].
        reference: Time of the reference beside each turn [ms].
        yardstick: Time of the yardstick's step beside each turn [ms]; none without one.
    """
    row = dict.fromkeys(FIELDS, "")
    row |= {
        "workload": case.workload, "n": str(case.n), "dimensions": str(case.dimensions), "threads": str(case.threads),
        "ms": f"{statistics.median(times):.4f}", "min_ms": f"{min(times):.4f}", "turns": str(len(times)),
        "machine": processors(),
        "versions": f"python {platform.python_version()} numpy {np.__version__} numba {numba.__version__}",
        "each_ms": told(times), "reference_each_ms": told(reference),
    }  # fmt: skip
    if yardstick:
        row["yardstick_ms"] = f"{statistics.median(yardstick):.4f}"
        row["ratio"] = f"{statistics.median(a / b for a, b in zip(times, yardstick, strict=True)):.3f}"
    return row


def told(times: Sequence[float]) -> str:
    """Times in a cell."""
    return " ".join(f"{each:.6g}" for each in times)


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    """The CSV."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)


def read_rows(path: Path) -> list[dict[str, str]]:
    """The lines of a CSV with turns, each of which can be compared: all is looked at before anything is measured.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no such CSV, lacks the turns that a comparison needs, or is damaged; with the line.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is no CSV of benchmarks.run: {error}") from None
    if not rows:
        raise ValueError(f"{path} has no lines")
    if missing := [name for name in FIELDS if name not in rows[0]]:
        raise ValueError(f"{path} has no column {missing[0]}: measure it anew with --out")
    for number, row in enumerate(rows, start=2):
        try:
            case = case_of(row)
            named(case.workload, case.n, case.dimensions, case.threads)
            multiples(row)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}; measure it anew with --out") from None
    return rows


def case_of(row: dict[str, str]) -> Case:
    """What a line was about.

    Raises:
        ValueError: It does not say, or says what there is not.
    """
    numbers = [
        _whole(row, name, low, most) for name, low, most in (("n", 1, MOST), ("dimensions", 2, 3), ("threads", 1, 1024))
    ]
    return Case(row["workload"] or "", *numbers)


def _whole(row: dict[str, str], name: str, low: int, most: int) -> int:
    text = (row[name] or "").strip()
    if not (text.isdecimal() and low <= int(text[:20]) <= most):
        raise ValueError(f"{name} must be a whole number from {low} to {most:,}, got {text!r}")
    return int(text)


def multiples(row: dict[str, str]) -> list[float]:
    """The turns of a line, as multiples of the reference that was timed beside each.

    Raises:
        ValueError: There are too few, not as many of both, or some are no times.
    """
    times, machine = (_times(row, name) for name in ("each_ms", "reference_each_ms"))
    if len(times) != len(machine):
        raise ValueError(f"each_ms and reference_each_ms must be as many, got {len(times)} and {len(machine)}")
    return [a / b for a, b in zip(times, machine, strict=True)]


def _times(row: dict[str, str], name: str) -> list[float]:
    words = (row[name] or "").split()
    if len(words) < LEAST:
        raise ValueError(f"{name} must be at least {LEAST} times, got {len(words)}")
    try:
        times = [float(word) for word in words]
    except ValueError:
        times = []
    if not times or not np.isfinite(times).all() or min(times) <= 0:
        raise ValueError(f"{name} must be times > 0 ms, got {row[name][:60]!r}")
    return times

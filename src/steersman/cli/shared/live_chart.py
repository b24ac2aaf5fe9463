"""Live chart: under the bar, the first measure of a sweep for each value, or the best so far of a search.

It is drawn from the rows on the disk, so it needs nothing of those that make them.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.runs.recording.folder import RunError
from steersman.runs.sweeps.store import read_table
from steersman.runs.sweeps.sweep import RESERVED

EVERY = 1.0
"""Time between two looks at the rows [s]."""

GROUPS, WIDTH = 8, 30
"""The most bars, and the longest, in characters."""

EIGHTHS, STEPS = " ▏▎▍▌▋▊▉", "▁▂▃▄▅▆▇█"


class LiveChart:
    """Text about the rows of a folder.

    Args:
        folder: The folder of a sweep or a search.
        paths: The paths that vary.
        goal: Of a search, "minimize" or "maximize" for its first measure; "" for a sweep.
        seeds: Of a search, the seeds of each candidate. Runs with others judge the result, and are not shown.
    """

    def __init__(self, folder: Path, paths: list[str], goal: str = "", seeds: Sequence[int] = (0,)) -> None:
        self.folder, self.paths, self.goal, self.seeds = folder, paths, goal, seeds
        self._text, self._due = "", 0.0

    def __call__(self) -> str:
        """The chart now; empty as long as there is nothing to show."""
        if time.monotonic() >= self._due:
            try:
                self._text = self.drawn(read_table(self.folder))
            except RunError:
                self._text = ""
            self._due = time.monotonic() + EVERY
        return self._text

    def drawn(self, table: Any) -> str:
        """The chart of a table."""
        measures = [name for name in table.column_names if name not in (*RESERVED, *self.paths)]
        varied = [path for path in self.paths if path in table.column_names and len(set(table[path].to_pylist())) > 1]
        if not measures or not len(table):
            return ""
        readings = np.asarray(table[measures[0]], float)
        if self.goal:
            searched = np.isin(table["seed"], self.seeds)
            return self._best(measures[0], readings[searched], np.asarray(table["task"])[searched])
        if not varied:
            return ""
        return bars(f"{measures[0]} by {varied[0]}", table[varied[0]].to_pylist(), readings)

    def _best(self, name: str, readings: Array, tasks: Array) -> str:
        """The best mean of a candidate so far."""
        count = len(self.seeds)
        candidates = [readings[tasks // count == k] for k in range(int(tasks.max(initial=-1)) // count + 1)]
        means = np.array([each.mean() for each in candidates if len(each) == count])
        means = means[np.isfinite(means)]
        if not len(means):
            return ""
        best = (np.minimum if self.goal == "minimize" else np.maximum).accumulate(means)
        return f"best {name} {best[-1]:.4g} {line(best)} of {len(means):,} candidates"


def bars(title: str, values: list[Any], readings: Array) -> str:
    """Bars as long as the mean for each value; many numbers make up a few groups of equal size, by their means."""
    known = np.isfinite(readings)
    readings, values = readings[known], [value for value, ok in zip(values, known, strict=True) if ok]
    if not values:
        return ""
    numbers = all(isinstance(value, (int, float)) for value in values)
    order = sorted(set(values)) if numbers else list(dict.fromkeys(values))
    if len(order) <= GROUPS:
        labels = [f"{value:.4g}" if isinstance(value, float) else str(value) for value in order]
        rows = [[k for k, each in enumerate(values) if each == value] for value in order]
    elif numbers:
        rows = [part.tolist() for part in np.array_split(np.argsort(values, kind="stable"), GROUPS)]
        labels = [f"{np.mean([values[k] for k in part]):.4g}" for part in rows]
    else:
        return ""
    means = [float(readings[some].mean()) for some in rows]
    most, wide = max(map(abs, means)) or 1.0, max(map(len, labels))
    lines = zip(labels, means, strict=True)
    return "\n".join(
        [title, *(f"  {label:>{wide}} {bar(abs(mean) / most):<{WIDTH}} {mean:.4g}" for label, mean in lines)]
    )


def bar(part: float) -> str:
    """A bar of a part of the width."""
    whole, rest = divmod(round(part * WIDTH * 8), 8)
    return "█" * whole + EIGHTHS[rest].strip()


def line(values: Array) -> str:
    """Numbers as a line of steps, from the least to the greatest."""
    some = values[np.linspace(0, len(values) - 1, min(len(values), WIDTH)).astype(int)]
    low, high = some.min(), some.max()
    return "".join(STEPS[round(float(each - low) / float(high - low) * 7)] if high > low else STEPS[0] for each in some)

"""Chart: how a search went, drawn with matplotlib."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from steersman.runs.tuning.tune import Tuned


def draw_search(tuned: "Tuned", file: Path) -> Path:
    """Draw each goal over the candidates, with the best so far; with several goals, the first two against each other.

    Returns:
        The file.

    Raises:
        ImportError: matplotlib is not installed.
        OSError: The file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('a chart needs matplotlib; please run: pip install "steersman[draw]"') from None
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    (name, goal), *others = tuned.goals.items()
    values = np.array([each.means[name] for each in tuned.candidates])
    if others:
        second = others[0][0]
        axes.plot(values, [each.means[second] for each in tuned.candidates], ".", color="0.7", label="candidates")
        points = [(each.means[name], each.means[second]) for each in tuned.front]
        axes.plot(*zip(*points, strict=True), "o-", color="C0", label="front")
        axes.set(xlabel=f"{goal} {name}", ylabel=f"{others[0][1]} {second}")
    else:
        best = (np.fmin if goal == "minimize" else np.fmax).accumulate(values)
        axes.plot(values, ".", color="0.7", label="candidates")
        axes.plot(best, color="C0", label="best so far")
        axes.set(xlabel="candidate", ylabel=f"{goal} {name}")
    axes.legend()
    figure.savefig(file)
    return file

"""The picture of the page: the fundamental diagram and the flow through doors, a line for each method, the ranges in gray."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from benchmarks.validation.scenes import CASES
from steersman.drawing.palette import FRAME, INK, PALETTE, PAPER

PANELS = (("one_way", "speed"), ("two_way", "speed"), ("door", "flow"))


def panel(axes: Axes, runs: Mapping[Any, Any], name: str, number: str, colors: Mapping[str, Any]) -> None:
    """One case: means with standard deviations, and the published range."""
    case = CASES[name]
    assert case.judge is not None
    fine = np.linspace(case.values[0], case.values[-1], 60)
    ranges = [case.judge(value) for value in fine]
    axes.fill_between(fine, [r.low for r in ranges], [r.high for r in ranges], color=FRAME, alpha=0.5, linewidth=0)
    for method, (color, style) in colors.items():
        found = [
            [run[number] for key, run in runs.items() if key[:3] == (name, method, value)] for value in case.values
        ]
        if all(found):
            mean, error = np.mean(found, axis=1), np.std(found, axis=1)
            axes.errorbar(
                case.values, mean, error, color=color, linestyle=style, linewidth=1.2, capsize=2, label=method
            )
    axes.set_title(case.title, fontsize=8, color=INK)
    axes.set_ylabel(case.heads[number], fontsize=7, color=INK)
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]), top=min(3.0, axes.get_ylim()[1]))
    axes.tick_params(labelsize=7, colors=INK)
    axes.set_facecolor(PAPER)
    axes.spines[:].set(color=FRAME, linewidth=0.6)


def chart(path: Path, runs: Mapping[Any, Any]) -> None:
    """Write the picture."""
    methods = list(dict.fromkeys(key[1] for key in runs))
    tints = [PALETTE[name] for name in ("blue", "orange", "green", "red", "gray")]
    colors = {name: (tints[k % len(tints)], ("-", ":", "--")[k // len(tints) % 3]) for k, name in enumerate(methods)}
    figure = Figure(figsize=(11.0, 4.2), dpi=100, facecolor=PAPER, layout="constrained")
    for axes, (name, number) in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
        panel(axes, runs, name, number, colors)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=7, frameon=False)
    figure.savefig(path, facecolor=PAPER)
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(64, kmeans=2, dither=Image.Dither.NONE)
    few.save(path, optimize=True)

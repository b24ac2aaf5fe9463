"""Paper: the figures that pictures are drawn on, their captions, and the files they are written to. Needs matplotlib."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.drawing.contents import Contents
from steersman.drawing.description import Description
from steersman.drawing.palette import FAINT, PAPER
from steersman.drawing.sketch_paper import put_key
from steersman.drawing.solid import HEIGHT
from steersman.drawing.words import BOTTOM, LETTERS, LINE, SIDES, TITLE, time_of, words_around

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, DPI, SCREEN = 8.0, 150, 100
"""Width of a picture [inch], and its dots per inch in files and on the screen."""

NARROW = 4.6
"""Width of one of several that stand side by side [inch]."""

KEY = 0.4
"""Room for the key to the colors of sketches [inch]."""

FORMATS: dict[str, dict[str, Any]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Suffixes of files, and the metadata that they leave out: the same world gives the same file."""


def checked(path: Path) -> Path:
    """The path of a file that can be written.

    Raises:
        ValueError: Its suffix says that it is no picture, or of a kind that is not written here.
    """
    if path.suffix.lower() not in FORMATS:
        *most, last = FORMATS
        raise ValueError(f"file must end in {', '.join(most)} or {last}, got {str(path)!r}")
    return path


def require_matplotlib() -> None:
    """Raise ImportError, naming the package to install, where matplotlib is missing."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise ImportError('drawing needs matplotlib; please run: pip install "steersman[draw]"') from None


def on_paper(panels: Sequence[tuple[Contents, Description]], *, keep: bool) -> list["Axes"]:
    """Axes on a figure of their own, side by side, with a caption; a figure to be kept is pyplot's, which will show it.

    Args:
        panels: The contents of each, at different times of the same run.
        keep: Whether to keep the figure.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    first = panels[0][0]
    width = WIDTH if len(panels) == 1 else NARROW * len(panels)
    caption = textwrap.wrap(first.caption, int(LETTERS * width)) if first.caption else []
    wide = width / len(panels) - sum(SIDES)
    tall = max(wide * _shape_of(description) for _, description in panels)
    top = TITLE + LINE * len(caption) + (0.18 if len(panels) > 1 else 0.0)
    panel = next((each for each in panels if each[0].sketches), None)
    bottom = BOTTOM + (0.0 if panel is None else KEY)
    height = tall + top + bottom
    if keep:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(width, height), dpi=SCREEN, facecolor=PAPER)
    else:
        figure = Figure(figsize=(width, height), dpi=DPI, facecolor=PAPER)
        FigureCanvasAgg(figure)
    axes = []
    for k, (contents, _) in enumerate(panels):
        left = k * width / len(panels) + SIDES[0]
        axes.append(figure.add_axes((left / width, bottom / height, wide / width, tall / height)))
        if len(panels) > 1 and contents.time is not None:
            figure.text(left / width, 1 - (top - 0.06) / height, time_of(contents), fontsize=9, color=FAINT)
    _caption(figure, panels[-1][0], caption, clock=len(panels) == 1)
    if panel is not None:
        put_key(figure, panel[0].sketches, panel[1].span, (SIDES[0] / width, 0.34 / height), columns=int(width / 1.5))
    return axes


def _shape_of(description: Description) -> float:
    """Height of a picture, as a part of its width."""
    if description.dimensions == 3:
        return HEIGHT
    across, up = description.high - description.low
    return float(np.clip(up / across, 0.3, 1.45))


def _caption(figure: "Figure", contents: Contents, lines: Sequence[str], *, clock: bool) -> None:
    """Title, caption, time, and the names and numbers of the populations in their colors."""
    width, height = figure.get_size_inches()
    for each in words_around(contents, lines, width, height, clock=clock):
        figure.text(
            each.x / width, 1 - each.y / height, each.text, fontsize=each.size, color=each.color,
            fontweight="bold" if each.bold else "normal", ha="right" if each.right else "left",
        )  # fmt: skip


def write(figure: Any, path: Path) -> None:
    """Write a figure, the same bytes for the same figure."""
    from matplotlib import rc_context

    form = path.suffix.lower()
    with rc_context({"svg.hashsalt": "steersman"}):
        figure.savefig(path, format=form[1:], metadata=FORMATS[form], dpi="figure")

"""Sketches in pictures with matplotlib: elements on axes, flat or as seen by a camera, and a key to the colors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.core.typing import Array
from steersman.core.world.sketching import Sketch
from steersman.drawing.elements import Areas, Texts, projected
from steersman.drawing.flat import put, put_each
from steersman.drawing.palette import FAINT, INK, PAPER
from steersman.drawing.sketch_elements import legend_of, sketch_elements
from steersman.drawing.sketches import LOOKS, Look, seconds_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

UNIT = 0.02
"""Size of crosses and heads of arrows, as a part of the width of the picture."""

LETTERS = 7.0
"""Height of letters [points]."""


def draw_sketches(
    axes: "Axes",
    sketches: Iterable[Sketch],
    span: float,
    project: Callable[[Array], Array] = np.asarray,
    *,
    legend: str = "best",
    unit: float | None = None,
    seconds: float | None = None,
    looks: Mapping[str, Look] = LOOKS,
) -> None:
    """Draw sketches into a picture.

    Args:
        axes: Where to draw.
        sketches: The sketches to draw. Those of nodes are faint for vehicles that the nodes do not claim.
        span: Width of the picture [m].
        project: Places in meters, shape (m, d), to places in the axes, shape (m, 2).
        legend: Where to put the key to the colors, in matplotlib's words; "" for nowhere.
        unit: Size of crosses and heads of arrows [m]. Default: a part of the picture.
        seconds: How long velocities are drawn [s]. Default: so that they can be seen.
        looks: How shapes look, by their role.
    """
    every = list(sketches)
    size = UNIT * span if unit is None else unit
    time = seconds_of(every, span) if seconds is None else seconds
    for each in sketch_elements(every, size, time, looks):
        element = projected(each, project)
        if isinstance(element, Areas):
            put_each(element, axes)
        elif isinstance(element, Texts):
            _write(element, axes)
        else:
            put(element, axes)
    entries = legend_of(every, looks)
    if legend and entries:
        _draw_legend(axes, entries, time, legend)


def _write(element: Texts, axes: "Axes") -> None:
    """Small words at the right of arrows; there may be many, so paper around them would hide the picture."""
    for (x, y), word in zip(element.position, element.words, strict=True):
        axes.annotate(
            word, (x, y), (4, 4), textcoords="offset points", fontsize=LETTERS, color=element.color,
            alpha=element.opacity, zorder=element.layer,
        )  # fmt: skip


def _draw_legend(axes: "Axes", entries: Sequence[tuple[Look, str]], seconds: float, where: Any) -> None:
    """The key to the colors, and how long arrows are."""
    key = axes.legend(
        _lines(entries), [words for _, words in entries], loc=where, fontsize=LETTERS, framealpha=0.88, facecolor=PAPER,
        edgecolor="none", labelcolor=INK, title=f"arrows: {seconds:g} s long", title_fontsize=LETTERS, handlelength=1.8,
    )  # fmt: skip
    key.get_title().set_color(FAINT)
    key.set_zorder(7)


def _lines(entries: Iterable[tuple[Look, str]]) -> list[Any]:
    """A line that looks like each."""
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=look.color, linewidth=look.width, linestyle="--" if look.dashed else "-")
        for look, _ in entries
    ]


def put_key(
    figure: "Figure", sketches: Iterable[Sketch], span: float, corner: tuple[float, float], columns: int
) -> None:
    """Explain the colors of sketches below a picture, in letters as large as there is room for up to its right border.

    Args:
        figure: The figure.
        sketches: The sketches that are drawn.
        span: Width of the picture [m].
        corner: Where the lower left corner is, in parts of the figure.
        columns: How many stand side by side.
    """
    roles = list(sketches)
    entries = legend_of(roles)
    *words, last = [words for _, words in entries]
    words.append(f"{last} (arrows: {seconds_of(roles, span):g} s long)")

    def key(letters: float) -> "Legend":
        return figure.legend(
            _lines(entries), words, loc="lower left", bbox_to_anchor=corner, ncols=columns, fontsize=letters, frameon=False,
            labelcolor=INK, handlelength=1.8, borderpad=0.0, borderaxespad=0.0, columnspacing=1.2,
        )  # fmt: skip

    made = key(LETTERS)
    wide, room = made.get_window_extent().width, (1 - corner[0]) * figure.bbox.width
    if wide > room:
        made.remove()
        key(LETTERS * room / wide)

"""The sheet of a video: where in a frame of some size the world is seen, its axes, and where words stand."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from steersman.core.typing import Array
from steersman.drawing.contents import Contents
from steersman.drawing.palette import FAINT, FRAME, GRID, INK, PAPER, SHEET, rgb, rgba
from steersman.drawing.raster.canvas import Canvas, Place
from steersman.drawing.raster.filling import Window
from steersman.drawing.raster.outlines import stroke
from steersman.drawing.sketch_elements import legend_of
from steersman.drawing.solid import HEIGHT, sky
from steersman.drawing.words import BOTTOM, LETTERS, LINE, SIDES, TITLE, Word, populations, time_of, words_around

INCHES = (8.0, 6.0)
"""Size of a frame at least, in inches of the paper that words and lines are measured by."""

LEAST = 64.0
"""Pixels an inch at least, so that words can be read."""

COLUMN, TICKS, EDGE = 2.3, 0.36, 0.2
"""Width of words that stand beside the picture, room for the numbers of its axes, and around it [inch]."""

NAMES = 0.3
"""Room for the names of populations below the picture of a camera [inch]."""

KEY = 0.2
"""Room for a line that explains colors [inch]."""


@dataclass(frozen=True)
class Sheet:
    """How a frame of a video is laid out.

    Attributes:
        width, height: Its size [pixels].
        inch: Pixels an inch.
        window: Where the world is seen.
        beside: Whether words stand in a column at the left, or above and below.
        solid: Whether it is of a 3D world, with a sky and a ground that are seen everywhere.
        rows: Between which rows the picture of a camera lies, in 3D: below the caption, above the names.
    """

    width: int
    height: int
    inch: float
    window: Window
    beside: bool = False
    solid: bool = False
    rows: tuple[float, float] = (0.0, 0.0)

    @property
    def point(self) -> float:
        """Pixels a point."""
        return self.inch / 72

    @property
    def inches(self) -> tuple[float, float]:
        """Its size [inch]."""
        return self.width / self.inch, self.height / self.inch

    # ------------------------------------------------------------------------------------------------ words

    def words(self, contents: Contents) -> Iterator[Word]:
        """The words on the sheet at a time."""
        width, height = self.inches
        key = [(look.color, words) for look, words in legend_of(contents.sketches)]
        if not self.beside:
            yield from words_around(contents, self._lines(contents.caption, width - sum(SIDES)), width, height)
            x = SIDES[0]
            for color, words in key:
                yield Word(words, x, height - 0.34, 7.5, rgb(color))
                x += 0.25 + 0.068 * len(words)
            return
        y = 0.42
        for line in textwrap.wrap(contents.title, int(COLUMN * BOLD)):
            yield Word(line, EDGE, y, 13, rgb(INK), bold=True)
            y += 0.25
        for line in self._lines(contents.caption, COLUMN):
            yield Word(line, EDGE, y + 0.06, 9, rgb(INK))
            y += 0.18
        below = height - EDGE - 0.2 * (len(contents.vehicles) - 1)
        yield from populations(contents, EDGE, below, below=0.2)
        yield Word(time_of(contents), EDGE, below - 0.26, 9, rgb(FAINT))
        for k, (color, words) in enumerate(reversed(key)):
            yield Word(words, EDGE, below - 0.62 - 0.17 * k, 7.5, rgb(color))

    def _lines(self, caption: str, width: float) -> list[str]:
        return textwrap.wrap(caption, int(LETTERS * width)) if caption else []

    def write(self, canvas: Canvas, contents: Contents) -> None:
        """Write them."""
        for each in self.words(contents):
            align = "right" if each.right else "left"
            canvas.write(
                each.text, each.x * self.inch, each.y * self.inch, each.size, each.color, bold=each.bold, align=align
            )

    # ------------------------------------------------------------------------------------------------ backgrounds

    def place(self, low: Array, high: Array) -> Place:
        """Where the plane lies between two corners of which [m] the whole is seen."""
        left, top, right, bottom = self.window
        scale = min((right - left) / (high[0] - low[0]), (bottom - top) / (high[1] - low[1]))
        middle = (low + high) / 2
        return Place(
            (left + right) / 2 - scale * middle[0], (top + bottom) / 2 + scale * middle[1], float(scale), self.window
        )

    def picture(self) -> Place:
        """Where the picture of a camera lies."""
        top, bottom = self.rows
        scale = min(self.width / 2, (bottom - top) / (2 * HEIGHT))
        return Place(self.width / 2, (top + bottom) / 2, scale, self.window)

    def begin(self, canvas: Canvas, low: Array, high: Array) -> None:
        """Paper with a grid and its axes, or the sky.

        Args:
            canvas: The canvas to draw upon.
            low, high: Corners of the view, in 2D [m].
        """
        if self.solid:
            canvas.clear(sky(self.height))
            return
        canvas.clear(rgb(PAPER))
        left, top, right, bottom = self.window
        canvas.pixels[top:bottom, left:right] = np.round(255 * np.array(rgb(SHEET))).astype(np.uint8)
        place, everywhere = self.place(low, high), (0, 0, self.width, self.height)
        (x0, y1), (x1, y0) = (
            ((left - place.x) / place.scale, (place.y - top) / place.scale),
            ((right - place.x) / place.scale, (place.y - bottom) / place.scale),
        )
        short, gap = 2.5 * self.point, 3.5 * self.point
        lines: list[tuple[Array, str, float]] = []
        for value, label in ticks(x0, x1):
            x = place.x + value * place.scale
            lines.append((np.array([[x, top], [x, bottom]]), GRID, 0.6))
            lines.append((np.array([[x, bottom], [x, bottom + short]]), FRAME, 0.8))
            canvas.write(label, x, bottom + short + gap + 5.3 * self.point, 7, rgb(FAINT), align="center")
        for value, label in ticks(y0, y1):
            y = place.y - value * place.scale
            lines.append((np.array([[left, y], [right, y]]), GRID, 0.6))
            lines.append((np.array([[left - short, y], [left, y]]), FRAME, 0.8))
            canvas.write(label, left - short - gap, y + 2.6 * self.point, 7, rgb(FAINT), align="right")
        for line, color, width in sorted(lines, key=lambda each: each[1] != GRID):
            canvas.fill(stroke(line, width * self.point), rgba(color), everywhere)
        frame = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)
        canvas.fill(stroke(frame, 0.8 * self.point, closed=True), rgba(FRAME), everywhere)
        canvas.write("m", left - 3 * self.point, top - 6 * self.point, 7, rgb(FAINT), align="right")


NARROWEST = 0.2
"""Room for the world at least, as a part of the width and the height of a frame."""

BOLD = 9.0
"""Letters of a title that go into an inch."""


def ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers between two [m], and how they are written."""
    from matplotlib.ticker import MaxNLocator

    values = MaxNLocator(nbins=9, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    inside = [float(value) for value in values if low - 1e-9 <= value <= high + 1e-9]
    step = float(values[1] - values[0])
    digits = next((k for k in range(6) if abs(step * 10**k - round(step * 10**k)) < 1e-6), 6)
    return [(value, f"{value:.{digits}f}".replace("-", "\u2212")) for value in inside]


def sheet_of(contents: Contents, width: int, height: int, shape: float | None) -> Sheet:
    """The sheet for a world: words stand where they leave it the most room.

    Args:
        contents: The contents of the picture, for the length of its words.
        width, height: Of a frame [pixels].
        shape: Height of the view of a plane, as a part of its width; None for any.
    """
    inch = max(min(width / INCHES[0], height / INCHES[1]), LEAST)
    lines = len(textwrap.wrap(contents.caption, int(LETTERS * (width / inch - sum(SIDES)))))
    key = KEY if contents.sketches else 0.0
    if contents.dimensions == 3:
        rows = (TITLE + LINE * lines) * inch, height - (NAMES + key) * inch
        rows = rows if rows[1] - rows[0] > 2 * NARROWEST * height else (0.0, float(height))
        return Sheet(width, height, inch, (0, 0, width, height), solid=True, rows=rows)
    rooms = {
        False: (SIDES[0], TITLE + LINE * lines, SIDES[1], BOTTOM + key),
        True: (EDGE + COLUMN + TICKS, EDGE, EDGE, TICKS),
    }
    sheets = [_room(width, height, inch, shape, beside, margins) for beside, margins in rooms.items()]
    return max(sheets, key=lambda sheet: _area(sheet.window))


def _area(window: Window) -> int:
    left, top, right, bottom = window
    return (right - left) * (bottom - top)


def _room(
    width: int, height: int, inch: float, shape: float | None, beside: bool, margins: tuple[float, float, float, float]
) -> Sheet:
    left, top, right, bottom = (each * inch for each in margins)
    if width - left - right < NARROWEST * width or height - top - bottom < NARROWEST * height:
        left, top, right, bottom = 0.0, 0.0, 0.0, 0.0  # There is no room for words around it.
    wide, tall = width - left - right, height - top - bottom
    w, h = (wide, tall) if shape is None else (min(wide, tall / shape), min(tall, wide * shape))
    x, y = left + (wide - w) / 2, top + (tall - h) / 2
    window = (round(x), round(y), round(x) + max(round(w), 1), round(y) + max(round(h), 1))
    return Sheet(width, height, inch, window, beside)

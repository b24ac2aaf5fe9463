"""Letters as polygons, in the typeface of the pictures on paper."""

import functools
from typing import NamedTuple

import numpy as np

from steersman.core.typing import Array

UNIT = 100.0
"""The font size at which text is laid out; outlines are divided by it."""


class TextOutlines(NamedTuple):
    """The outlines of a line of text with letters of size 1.

    Attributes:
        rings: Outlines of the letters, x to the right and y up from the beginning of the base line, shape (k, 2) each.
        width: The width of the line.
    """

    rings: tuple[Array, ...]
    width: float


@functools.lru_cache(maxsize=4096)
def outlines(text: str, *, bold: bool = False) -> TextOutlines:
    """The outlines of a line of text. Needs matplotlib, which brings the typeface along."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath, TextToPath

    if not text.strip():
        return TextOutlines((), 0.3 * len(text))
    face = FontProperties(weight="bold" if bold else "normal")
    plain = text.replace("$", r"\$")
    path = TextPath((0, 0), plain, size=UNIT, prop=face)
    width, _, _ = TextToPath().get_text_width_height_descent(
        plain, FontProperties(weight=face.get_weight(), size=UNIT), ismath=False
    )
    polygons = [np.asarray(ring, np.float64) for ring in path.to_polygons(closed_only=True)]
    rings = tuple(ring[:-1] / UNIT for ring in polygons if len(ring) > 3)
    return TextOutlines(rings, width / UNIT)

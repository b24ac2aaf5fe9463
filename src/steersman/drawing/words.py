"""Words around a picture: title, caption, time, and the names of populations. Places are the same in all formats."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from steersman.drawing.contents import Contents
from steersman.drawing.letters import outlines
from steersman.drawing.palette import FAINT, INK, RGB, colors_of, rgb

LETTERS = 13.5
"""Letters of a caption that go into an inch."""

SIDES, BOTTOM = (0.4, 0.2), 0.56
"""Room at the left, at the right and below a picture [inch]."""

TITLE, LINE = 0.52, 0.19
"""Room above a picture for its title, and for each line of its caption [inch]."""

BESIDE = 5.0
"""Between a place and the word that stands beside it [points]."""

TRIANGLE = "\u25b6"


class Word(NamedTuple):
    """A line of text around a picture.

    Attributes:
        text: The text.
        x, y: Where its base line begins, or ends [inch], from the left and from above.
        size: Height of its letters [points].
        color: Its color.
        bold: Whether it is.
        right: Whether it ends there.
    """

    text: str
    x: float
    y: float
    size: float
    color: RGB
    bold: bool = False
    right: bool = False


def stands_right(word: str, size: float, left: float, right: float) -> bool:
    """Whether a word beside a place stands at the right of it: not close to the border, nor where it would be cut off.

    Args:
        word: The word.
        size: Height of its letters [points].
        left, right: How much there is of the picture at either side of the place [points].
    """
    wide = BESIDE + size * outlines(word).width
    return left < 0.85 * (left + right) and (wide <= right or wide > left)


def time_of(contents: Contents) -> str:
    """The time, as it is written; "" where there is none."""
    return "" if contents.time is None else f"t = {contents.time:.1f} s"


def words_around(
    contents: Contents, caption: Sequence[str], width: float, height: float, *, clock: bool = True
) -> Iterator[Word]:
    """The words above and below a picture.

    Args:
        contents: The contents of the picture.
        caption: The lines of its caption.
        width, height: Of the paper [inch].
        clock: Whether the time stands there.
    """
    left, right = SIDES[0], width - SIDES[1]
    yield Word(contents.title, left, 0.36, 13, rgb(INK), bold=True)
    for k, line in enumerate(caption):
        yield Word(line, left, 0.57 + 0.18 * k, 9, rgb(INK))
    if clock and contents.time is not None:
        yield Word(time_of(contents), right, 0.36, 9, rgb(FAINT), right=True)
    yield from populations(contents, left, height - 0.13)
    if contents.forces is not None:
        longest = (
            f"longest arrow: {contents.forces.strongest:.3g} N" if len(contents.forces.arrows(1.0)) else "no forces"
        )
        yield Word(longest, right, height - 0.13, 9, rgb(FAINT), right=True)


def populations(contents: Contents, x: float, y: float, *, below: float = 0.0) -> Iterator[Word]:
    """Names and numbers of the populations, each after a mark of its color.

    Args:
        contents: The contents of a picture.
        x, y: Where the first begins [inch].
        below: How much lower each stands than the one before it [inch]; 0 for side by side.
    """
    colors = colors_of(contents.vehicles, contents.colors)
    for name, vehicles in contents.vehicles.items():
        text = f"{name}  {len(vehicles):,}"
        yield Word(TRIANGLE, x, y, 8, colors[name])
        yield Word(text, x + 0.16, y, 9, rgb(INK))
        x, y = (x, y + below) if below else (x + 0.4 + 0.084 * len(text), y)

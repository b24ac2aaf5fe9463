"""Colors that people with any color vision can tell apart: Okabe and Ito 2008, "Color Universal Design"."""

from collections.abc import Iterable, Mapping

from steersman.core.parameters.brief import brief

PALETTE = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "purple": "#8E4585",
    "sky": "#3B9FD6",
    "yellow": "#C9B800",
    "gray": "#3F4650",
}
"""Name -> color."""

PAPER, FRAME, INK, FAINT = "#FBFAF6", "#C9C6BD", "#2B2D33", "#8A8880"
SHEET, GRID = "#FFFFFF", "#F0EEE8"
ROCK, ROCK_EDGE, WALL = "#D8D4C8", "#A9A496", "#8F897A"
ROAD, ROAD_EDGE, ROAD_LINE = "#F1EEE4", "#DAD5C6", "#C4BDA9"
GRASS, GRASS_EDGE = "#F3F7F0", "#AFC2A4"
FRUIT = "#7FA650"
ARROW = "#BCCCD9"
SHUT = "#C4573A"

STONE, GROUND = "#CFCABC", "#D5DBC4"
SKY = ("#DCE7F1", "#F6EEE3")
"""Colors of the background in 3D, above and below."""

RGB = tuple[float, float, float]
RGBA = tuple[float, float, float, float]


def rgb(color: str) -> RGB:
    """Red, green and blue in [0, 1] of a name of the palette or of `#rrggbb`.

    Raises:
        ValueError: It is neither.
    """
    code = PALETTE.get(color, color).lstrip("#")
    if len(code) != 6 or not set(code.lower()) <= set("0123456789abcdef"):
        raise ValueError(f"a color must be #rrggbb or one of {', '.join(PALETTE)}, got {brief(color)}")
    return (int(code[0:2], 16) / 255, int(code[2:4], 16) / 255, int(code[4:6], 16) / 255)


def rgba(color: str, opacity: float = 1.0) -> RGBA:
    """The same with opacity."""
    return (*rgb(color), opacity)


def colors_of(names: Iterable[str], chosen: Mapping[str, str | None]) -> dict[str, RGB]:
    """A color for every population: the chosen one, or the next of the palette."""
    used = {color for color in chosen.values() if color}
    free = [color for color in PALETTE if color not in used] or list(PALETTE)
    colors: dict[str, RGB] = {}
    for name in names:
        own = chosen.get(name)
        if own is None:
            own = free[sum(1 for other in colors if chosen.get(other) is None) % len(free)]
        colors[name] = rgb(own)
    return colors

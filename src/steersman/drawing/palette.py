"""Colors, on light and on dark paper: the one place where they stand, for pictures, videos and the page of the window.

Roles of sketches (velocity, desired velocity, steering, ...) have colors of their own that no population has. Populations
have colors that people with any color vision can tell apart, after Okabe and Ito 2008, "Color Universal Design", dark
enough for white paper. What stands on dark paper has its own palette. Words have a contrast of at least 4.5 with the
paper, marks of at least 3 (WCAG 2.2).
"""

import json
from collections.abc import Iterable, Mapping

from steersman.core.parameters.brief import brief

POPULATIONS = {
    "blue": ("#0072B2", "#3E9BE0"),
    "orange": ("#C97B00", "#E89B2A"),
    "green": ("#009E73", "#2FC79B"),
    "red": ("#C9480B", "#F06A30"),
    "purple": ("#8E4585", "#C27FBA"),
    "sky": ("#2F93CC", "#6EC3F2"),
    "yellow": ("#968800", "#D0C22C"),
    "gray": ("#3F4650", "#B9C6DA"),
}
"""Colors of populations, of modes and of what decides: name -> on light paper, on dark paper."""

ROLES = {
    "velocity": ("#16181D", "#F4F2EC"),
    "desired": ("#177100", "#6BE04A"),
    "steering": ("#C40039", "#FF5C7A"),
    "target": ("#2A43FF", "#8FA2FF"),
    "predicted": ("#9400E0", "#C08CFF"),
    "chosen": ("#B8008F", "#FF70C8"),
    "danger": ("#8A5200", "#FFDF8C"),
    "construction": ("#616161", "#9C9C9C"),
}
"""Colors of the roles of sketches; parts of the steering have its color, good ways that of the desired
velocity, ranges and guides that of the construction."""

SURFACES = {
    "sheet": ("#FAF9F5", "#13161A"),
    "paper": ("#FBFAF6", "#17191D"),
    "card": ("#FEFEFE", "#1E2126"),
    "grid": ("#DCDEDC", "#2A313A"),
    "frame": ("#C9C6BD", "#4A4E55"),
    "rock": ("#C4BCA9", "#454A52"),
    "rock lit": ("#F0EBDF", "#727A85"),
    "rock light": ("#DBD5C6", "#585F69"),
    "rock shade": ("#A69E8C", "#343A42"),
    "rock deep": ("#8A8271", "#262B32"),
    "wall top": ("#E4DFD2", "#BDBAB0"),
    "tree": ("#8CB96C", "#2C5434"),
    "tree lit": ("#CBE8A8", "#599164"),
    "tree light": ("#AFD38B", "#42764C"),
    "tree shade": ("#6A9852", "#1C3422"),
    "road": ("#EDE6D4", "#2A2E35"),
    "road edge": ("#DAD5C6", "#4E545D"),
    "asphalt": ("#B3B6BD", "#31353C"),
    "marking": ("#FFFFFF", "#8E939B"),
    "sand": ("#EBD6A2", "#352D1B"),
    "grass": ("#B4D68C", "#1C3720"),
    "meadow": ("#C6E0A0", "#1B3120"),
    "ice": ("#CFE7F3", "#1F3A4C"),
    "water": ("#A2D1EC", "#123352"),
    "floor": ("#E5D3B3", "#31281E"),
    "earth": ("#DABF99", "#36291D"),
    "forest": ("#B4D093", "#162C1A"),
    "night": ("#AFBEE5", "#111A38"),
    "paving": ("#D9CFBA", "#302F2E"),
    "snow": ("#E4EDF6", "#263241"),
    "steppe": ("#DED49E", "#322E19"),
    "shallow": ("#E2F7F8", "#1F5570"),
    "deep": ("#8FC3D8", "#0C2233"),
    "flame": ("#F28C28", "#F59A3D"),
    "glow": ("#FFD65C", "#FFD968"),
    "cloth": ("#D8343A", "#E2484D"),
    "wood": ("#7A5636", "#A87C53"),
    "cheese": ("#F6C945", "#F0C24A"),
    "cheese hole": ("#D69F22", "#B9851A"),
    "crust": ("#DDAE6B", "#C99A58"),
    "crust shade": ("#A8743A", "#8E6232"),
    "stone": ("#CFCABC", "#6E6A60"),
    "ground": ("#BCCA9B", "#3F4D38"),
    "region on land": ("#93B07C", "#36522F"),
    "soil": ("#B9D08F", "#1B3024"),
    "zenith": ("#8EBBEE", "#0E1F42"),
    "above": ("#DCE7F1", "#0F131C"),
    "below": ("#F6EEE3", "#212226"),
    "haze": ("#E6EDF0", "#1D222B"),
    "line": ("#DEDBD1", "#34373D"),
    "soft": ("#F1EFE8", "#272A30"),
}
"""Paper, and what lies on it as a surface."""

WORDS = {
    "ink": ("#2B2D33", "#E6E4DE"),
    "faint": ("#6F6D66", "#A3A199"),
    "accent": ("#006BA8", "#4DB2EA"),
    "wrong": ("#B3361F", "#FF8B70"),
}
"""Colors of words, and of controls."""

MARKS = {
    "rock edge": ("#7F7969", "#7F858F"),
    "tree edge": ("#5B8646", "#6B9A63"),
    "asphalt edge": ("#86898F", "#6C727B"),
    "sand edge": ("#A48A4E", "#8D7B4F"),
    "ice edge": ("#5F93B3", "#6A9CBE"),
    "water edge": ("#4F8FBB", "#5590C0"),
    "floor edge": ("#A08A70", "#8B7A67"),
    "earth edge": ("#97714A", "#96775A"),
    "forest edge": ("#64814F", "#678F5E"),
    "night edge": ("#6378A9", "#6A7EB2"),
    "paving edge": ("#83868A", "#7B8087"),
    "snow edge": ("#7590AB", "#8095AC"),
    "steppe edge": ("#8D803E", "#8A8150"),
    "wall": ("#837D6E", "#9A978C"),
    "road line": ("#948D79", "#80817A"),
    "grass edge": ("#6F9160", "#6F9A66"),
    "fruit": ("#668F3A", "#8FBF5A"),
    "arrow": ("#7190AB", "#5C7F9E"),
    "shut": ("#C4573A", "#E8795C"),
    "edges": ("#737A80", "#8A9096"),
    "held": ("#D96400", "#FF9A3D"),
}
"""Lines and dots of the surroundings; `held` is what the pointer has."""

RAMP = (
    ("#3E90C4", "#6B7FE0"),
    ("#1F8F86", "#3FA7C9"),
    ("#5E7F1E", "#46C48C"),
    ("#A85A00", "#C9CC4A"),
    ("#9E1030", "#FFE98A"),
)
"""Colors of numbers, from little to much."""

WHEEL = (
    ("#C85E83", "#F089AA"), ("#C96736", "#F19266"), ("#A17C00", "#CEAA3E"), ("#5A9235", "#89C06A"), ("#009680", "#24C8B1"),
    ("#008FBC", "#33BEEB"), ("#667FDA", "#8EA9FF"), ("#A569BF", "#CD94E6"),
)  # fmt: skip
"""Colors of headings: from east (x) counterclockwise, all equally bright (OKLCH), back to the first."""

CROWD = (
    ("#DFEBF4", "#162A40"),
    ("#A3C9E4", "#1D4F79"),
    ("#5399C9", "#2D82B4"),
    ("#215F9F", "#73C4DE"),
    ("#0C2C60", "#E4F6FE"),
)
"""Colors of densities, from few to many: surfaces that leave the paper gradually."""

TONES = {
    **POPULATIONS,
    **ROLES,
    **SURFACES,
    **WORDS,
    **MARKS,
    **{f"ramp {k}": pair for k, pair in enumerate(RAMP)},
    **{f"crowd {k}": pair for k, pair in enumerate(CROWD)},
    **{f"wheel {k}": pair for k, pair in enumerate(WHEEL)},
}
"""All colors: name -> on light paper, on dark paper."""

PALETTE = {name: light for name, (light, _) in POPULATIONS.items()}
"""Name of a color of populations -> color on light paper."""

LIGHT = {name: light for name, (light, _) in TONES.items()}
PAPER, FRAME, INK, FAINT = LIGHT["paper"], LIGHT["frame"], LIGHT["ink"], LIGHT["faint"]
SHEET, GRID = LIGHT["sheet"], LIGHT["grid"]
ROCK, ROCK_EDGE, WALL = LIGHT["rock"], LIGHT["rock edge"], LIGHT["wall"]
ROAD, ROAD_EDGE, ROAD_LINE = LIGHT["road"], LIGHT["road edge"], LIGHT["road line"]
GRASS, GRASS_EDGE = LIGHT["grass"], LIGHT["grass edge"]
FRUIT = LIGHT["fruit"]
ARROW = LIGHT["arrow"]
SHUT = LIGHT["shut"]
GROUND_LINE = LIGHT["edges"]

STONE, GROUND = LIGHT["stone"], LIGHT["ground"]
SKY = (LIGHT["above"], LIGHT["below"])
"""Colors of the background in 3D, above and below."""

RGB = tuple[float, float, float]
RGBA = tuple[float, float, float, float]


def rgb(color: str) -> RGB:
    """Red, green and blue in [0, 1] of a name of the palette or of `#rrggbb`."""
    code = PALETTE.get(color, color).lstrip("#")
    if len(code) != 6 or not set(code.lower()) <= set("0123456789abcdef"):
        raise ValueError(f"a color must be #rrggbb or one of {', '.join(PALETTE)}, got {brief(color)}")
    return (int(code[0:2], 16) / 255, int(code[2:4], 16) / 255, int(code[4:6], 16) / 255)


def code_of(color: RGB) -> str:
    """The code `#rrggbb` of a color."""
    return "#" + "".join(f"{round(255 * each):02x}" for each in color)


def rgba(color: str, opacity: float = 1.0) -> RGBA:
    """The same with opacity."""
    return (*rgb(color), opacity)


def luminance(color: RGB) -> float:
    """The relative luminance of a color, from 0 to 1 (WCAG 2.2)."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """The contrast of two colors, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def over(color: RGB, opacity: float, paper: RGB) -> RGB:
    """A color with an opacity as it is seen on some paper."""
    red, green, blue = (opacity * part + (1 - opacity) * below for part, below in zip(color, paper, strict=True))
    return (red, green, blue)


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


def theme_module() -> str:
    """The colors as a module of the page, `theme.js`, which `docs/make_tables.py` writes."""
    rows = "".join(f'  "{name}": ["{light}", "{dark}"],\n' for name, (light, dark) in TONES.items())
    lists = {"POPULATIONS": POPULATIONS, "RAMP": map("ramp {}".format, range(len(RAMP)))}
    lists["CROWD"] = map("crowd {}".format, range(len(CROWD)))
    lists["WHEEL"] = map("wheel {}".format, range(len(WHEEL)))
    return (
        "// The colors, on light and on dark paper. Written by docs/make_tables.py from drawing/palette.py.\n\n"
        f"/** @type {{Record<string, [string, string]>}} */\n// prettier-ignore\nexport const TONES = {{\n{rows}}};\n\n"
        + "\n".join(
            f"// prettier-ignore\nexport const {name} = {json.dumps([*names])};" for name, names in lists.items()
        )
        + "\n"
    )

"""Sketches as elements: what vehicles look at, for whoever draws elements."""

from collections.abc import Iterable, Iterator

import numpy as np

from steersman.drawing.elements import Areas, Element, Lines, Texts
from steersman.drawing.palette import rgb, rgba
from steersman.drawing.sketches import LOOKS, as_lines, seconds_of
from steersman.geometry.shapes import ROLES
from steersman.world.sketching import Sketch

UNIT = 0.014
"""Size of crosses and heads of arrows, as a part of the width of the picture."""

FORCES = ("steering", "part")
"""Roles of forces, which an explanation shows in colors of their own."""

WHOLE = ("velocity", "desired", "steering")
"""Roles that are about the whole tree, and never faint."""


def sketch_elements(
    sketches: Iterable[Sketch], span: float, *, unit: float = UNIT, forces: bool = False
) -> Iterator[Element]:
    """What sketches look like: faces below the vehicles, lines, tips and words above.

    Args:
        sketches: The sketches. What nodes say of vehicles that they do not claim is faint.
        span: Width of the picture [m].
        unit: Size of crosses and heads of arrows, as a part of it.
        forces: Whether forces are told, too.
    """
    every = list(sketches)
    seconds = seconds_of(every, span)
    order = list(reversed(list(ROLES)))
    found = [(each.acts, shape) for each in every for shape in each.shapes if forces or shape.role not in FORCES]
    for acts, shape in sorted(found, key=lambda pair: order.index(pair[1].role)):
        look, made = LOOKS[shape.role], as_lines(shape.distinct(), unit * span, seconds)
        opacity = 1.0 if acts or shape.role in WHOLE else 0.4
        if made.faces and look.fill:
            fill = min(look.fill, 0.2) * opacity
            yield Areas(rings=made.faces, face=rgb(look.color), opacity=fill, layer=2.6)
        if made.lines:
            dash = (3.0, 2.0) if look.dashed else None
            yield Lines(points=made.lines, color=rgba(look.color, opacity), width=look.width, dash=dash, layer=5.0)
        if made.tips:
            yield Areas(rings=made.tips, face=rgb(look.color), opacity=opacity, layer=5.1)
        if made.labels:
            places, words = zip(*made.labels, strict=True)
            yield Texts(position=np.stack(places), words=words, color=rgb(look.color), layer=6.0)


def legend_of(sketches: Iterable[Sketch], *, forces: bool = False) -> list[tuple[str, str]]:
    """What the colors mean: color and words of every role that is there, of forces where they are told, too."""
    present = {shape.role for each in sketches for shape in each.shapes} - {*(() if forces else FORCES)}
    return [(LOOKS[role].color, words) for role, words in ROLES.items() if role in present]

"""Sketches as elements: the constructions of vehicles, to be drawn like all others, and a key to the colors."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from steersman.core.maths.shapes import ROLES, ScaledArrow, Sector, Shape
from steersman.core.world.sketching import Sketch
from steersman.drawing.elements import Areas, Element, Lines, Texts
from steersman.drawing.palette import rgb, rgba
from steersman.drawing.sketches import LEGIBLE, LOOKS, Look, as_lines
from steersman.drawing.sketches import Lines as Reduced

FORCES = ("steering", "part")
"""Roles of forces."""

WORDS = {
    "velocity": "velocity",
    "desired": "desired velocity",
    "target": "where to go",
    "predicted": "predicted position",
    "chosen": "reacts to this",
    "danger": "danger area",
    "range": "how far it looks",
}
"""Roles that are named in a picture of one vehicle -> the label of the first shape of the role."""

NAMELESS: Mapping[int, Sequence[str]] = {}
"""Of nothing that a node reacts to is the name known."""

UNNAMED: Mapping[int, str] = {}
"""Of no place that a node leads to is the name known."""

ASLEEP = 0.82
"""Opacity of the lines of nodes that do not act: fainter and thinner, and still to be seen."""

WHOLE = ("velocity", "desired", "steering")
"""Roles that are about the whole tree, and never faint."""


def sketch_elements(
    sketches: Iterable[Sketch], unit: float, seconds: float, looks: Mapping[str, Look] = LOOKS, *, forces: bool = True
) -> Iterator[Element]:
    """The elements of sketches: faces below the vehicles, lines, tips and words above.

    Args:
        sketches: The sketches. Those of nodes are faint for vehicles that the nodes do not claim.
        unit: Size of crosses and heads of arrows [m].
        seconds: How long velocities are [s].
        looks: How shapes look, by their role.
        forces: Whether forces are among them.
    """
    return (element for _, _, element in traced_elements(sketches, unit, seconds, looks, forces=forces))


def traced_elements(
    sketches: Iterable[Sketch],
    unit: float,
    seconds: float,
    looks: Mapping[str, Look] = LOOKS,
    *,
    forces: bool = True,
    legible: float = LEGIBLE,
) -> Iterator[tuple[Sketch, Shape, Element]]:
    """The elements of sketches, each with the sketch and the shape that it comes from; arguments of `sketch_elements`.

    Args of it alone:
        legible: Shorter arrows, in units, have no words.
    """
    order = list(reversed(list(ROLES)))
    pairs = [
        (each, shape) for each in sketches for shape in _led(each.shapes, seconds) if forces or shape.role not in FORCES
    ]
    for sketch, shape in sorted(pairs, key=lambda pair: order.index(pair[1].role)):
        made = as_lines(shape.distinct(), unit, seconds, legible)
        for element in _elements_of(sketch.acts, shape.role, made, looks[shape.role]):
            yield sketch, shape, element


def _led(shapes: Sequence[Shape], seconds: float) -> Iterator[Shape]:
    """Shapes; the steering leads from the tip of the velocity toward that of the desired one (Reynolds 1999, figure 3)."""
    by_role = {shape.role: shape for shape in shapes if isinstance(shape, ScaledArrow)}
    now, force = by_role.get("velocity"), by_role.get("steering")
    for shape in shapes:
        if now is not None and shape is force and np.array_equal(shape.at, now.at):
            yield dataclasses.replace(shape, at=now.at + now.value * (seconds * now.as_speed)[:, None])
        else:
            yield shape


def _elements_of(acts: bool, role: str, made: Reduced, look: Look) -> Iterator[Element]:
    """The elements of one shape."""
    opacity = 1.0 if acts or role in WHOLE else ASLEEP
    if made.faces and look.fill:
        fill = min(look.fill, 0.3) * opacity
        yield Areas(rings=made.faces, face=rgb(look.color), opacity=fill, layer=2.6)
    if made.lines:
        dash = (3.0, 2.0) if look.dashed else None
        yield Lines(
            points=made.lines, color=rgba(look.color, opacity), width=opacity * look.width, dash=dash, layer=5.0
        )
    if made.tips:
        yield Areas(rings=made.tips, face=rgb(look.color), opacity=opacity, layer=5.1)
    if made.labels:
        places, words = zip(*made.labels, strict=True)
        yield Texts(position=np.stack(places), words=words, color=rgb(look.color), layer=6.0)


def note_elements(shapes: Iterable[Shape], unit: float) -> Iterator[Element]:
    """The elements of shapes that tell what a picture is about: in 2D below the vehicles, but for the words.

    Args:
        shapes: The shapes.
        unit: Size of crosses and heads of arrows [m].
    """
    sketch = sketch_of_notes(shapes)
    for element in sketch_elements([sketch], unit, 1.0):
        words_or_solid = isinstance(element, Texts) or sketch.shapes[0].dimensions == 3
        yield element if words_or_solid else dataclasses.replace(element, layer=min(element.layer, 2.8))


def sketch_of_notes(shapes: Iterable[Shape]) -> Sketch:
    """Notes as a sketch of no vehicle, without the shapes that are not finite."""
    visible = tuple(shape for shape in (each.finite() for each in shapes) if len(shape))
    return Sketch(0, "", 0, True, np.zeros(0, np.int64), visible)


def labeled(
    sketches: Iterable[Sketch], chosen: Mapping[int, Sequence[str]] = NAMELESS, goals: Mapping[int, str] = UNNAMED
) -> list[Sketch]:
    """The sketches of one vehicle with what each shape means, and with a label at the first shape of each meaning.

    Shapes that have a label keep it, and those that have a meaning alone stay without one.

    Args:
        sketches: The sketches.
        chosen: Keys of nodes -> what they react to, as its label: one word for all of it, or one for each in their order.
        goals: Keys of nodes -> what the place that they lead to is called; "" where it has no name.
    """
    made = []
    for each in sketches:
        shapes, named, names = [], set[str](), list(chosen.get(each.key, ()))
        for shape in each.shapes:
            word = WORDS.get(shape.role, "")
            if isinstance(shape, Sector) and len(shape):
                word = f"looks {shape.radius[0]:.3g} m far ({plain(each.label)})"
            elif shape.role == "target":
                word = goals.get(each.key) or word
            elif shape.role == "chosen" and names:
                word = names.pop(0) if len(names) > 1 and len(shape.finite()) else names[0]
            means = shape.means or shape.label or word
            alone = bool(shape.means) and not shape.label
            label = "" if alone or means in named or not len(shape.finite()) else shape.label or word
            named.update([label] if label else [])
            shapes.append(dataclasses.replace(shape, label=label, means=means))
        made.append(each._replace(shapes=tuple(shapes)))
    return made


def plain(label: str) -> str:
    """The name of a node as words: "avoid obstacles" for AvoidObstacles."""
    name = label.rpartition(": ")[2]
    return re.sub(r"(?!^)(?=[A-Z])", " ", name).lower() if re.fullmatch("(?:[A-Z][a-z]+)+", name) else name


def legend_of(
    sketches: Iterable[Sketch], looks: Mapping[str, Look] = LOOKS, *, forces: bool = True
) -> list[tuple[Look, str]]:
    """The key to the colors: the look of every role in use, and its words.

    Args:
        sketches: The sketches.
        looks: How shapes look, by their role.
        forces: Whether forces are among them.
    """
    present = {shape.role for each in sketches for shape in each.shapes}
    return [(looks[role], words) for role, words in ROLES.items() if role in present and (forces or role not in FORCES)]

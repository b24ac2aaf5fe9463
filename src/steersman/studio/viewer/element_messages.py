"""Elements as messages for the page, and shapes of sketches and notes as such: see docs/viewer.md.

A picture has one size, so that its arrows and crosses are lines and polygons in meters. The view of the window comes near
and goes away: here an arrow is two places with a width in points (`fixed`), and a cross is a mark: equally large at any
distance.
"""

import base64
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from steersman.core.maths.shapes import ROLES, Arrow, Cross, ScaledArrow, Shape
from steersman.core.typing import Array
from steersman.core.world.sketching import Sketch
from steersman.drawing.elements import LINES, Areas, Element, Lines, Texts
from steersman.drawing.palette import LIGHT, RGBA, rgb, rgba
from steersman.drawing.sketch_elements import sketch_of_notes, traced_elements
from steersman.drawing.sketches import LOOKS

CROSS = 11.0
"""Size of a cross [points]."""

SHORTEST = 0.02
"""Shorter arrows are not drawn, in units."""

FAINT = 0.4
"""Opacity of the faces of notes, as a part of that in constructions."""

GUIDE = 0.7
"""Opacity of guides in notes, and their width as a part of that in constructions."""

BELOW = 2.8
"""Layer of notes in 2D: below the vehicles."""

Message = dict[str, Any]


def packed(array: Any) -> dict[str, str]:
    """Numbers as float32 in base64, row by row."""
    return {"f32": base64.b64encode(np.ascontiguousarray(array, np.float32).tobytes()).decode()}


def packed_ids(ids: Any) -> dict[str, str]:
    """Ids as uint32 in base64: float32 has none of its own for each beyond 2**24."""
    return {"u32": base64.b64encode(np.ascontiguousarray(ids, np.uint32).tobytes()).decode()}


def element_of(element: Element) -> Message:
    """An element as JSON: rings and lines are one array of points, and the number of points of each."""
    table: Message = {"kind": type(element).__name__.lower()}
    for field in dataclasses.fields(element):
        value = getattr(element, field.name)
        if field.name == "part":
            continue  # Its look is chosen.
        if field.name in LINES:
            table["points"] = packed(
                np.concatenate([np.zeros((0, 2)), *value]) if not len(value) else np.concatenate(value)
            )
            table["counts"] = [len(each) for each in value]
        elif field.name == "words":
            table["words"] = list(value)
        elif field.name in ("color", "width", "size") or isinstance(value, np.ndarray):
            table[field.name] = packed(np.atleast_1d(value))
        else:
            table[field.name] = value
    return table


def traced_messages(
    sketches: Iterable[Sketch], unit: float, seconds: float
) -> Iterator[tuple[Sketch, Shape, Element | Message]]:
    """The elements of sketches without forces, with the sketch and the shape of each; arrows and crosses as messages.

    Short arrows have words, too: the window draws them as long as can be seen.

    Args:
        sketches: The sketches.
        unit: Size of other shapes without a size of their own [m].
        seconds: How long velocities are [s].
    """
    done = None
    for sketch, shape, element in traced_elements(sketches, unit, seconds, forces=False, legible=0.0):
        if isinstance(element, Texts) or not isinstance(shape, (Arrow, ScaledArrow, Cross)):
            yield sketch, shape, element
        elif shape is not done:
            done = shape
            yield sketch, shape, _fixed(shape, unit, seconds)


def note_messages(shapes: Iterable[Shape], unit: float) -> list[Message]:
    """The messages of shapes that tell what a picture is about: in 2D below the vehicles, but for the words.

    Args:
        shapes: The shapes.
        unit: Size of shapes without a size of their own, other than arrows and crosses [m].
    """
    made = []
    for _, shape, element in traced_messages([sketch_of_notes(shapes)], unit, 1.0):
        message = element if isinstance(element, dict) else element_of(_light(element, shape.role))
        message["says"] = shape.label
        if shape.role == "guide":
            message["means"] = ROLES["guide"]
        if message["kind"] == "marks" and shape.role == "guide":
            message |= {"color": packed(rgb(LIGHT["rock edge"])), "size": packed([GUIDE * CROSS])}
        if shape.dimensions == 2 and message["kind"] != "texts":
            message["layer"] = min(message["layer"], BELOW)
        made.append(message)
    return made


def _light(element: Element, role: str) -> Element:
    """An element of a note: its faces faint, as several may overlap; guides lighter than constructions of a vehicle."""
    if isinstance(element, Areas):
        return dataclasses.replace(element, opacity=FAINT * element.opacity)
    if isinstance(element, Lines) and role == "guide":
        return dataclasses.replace(element, color=(*element.color[:3], GUIDE), width=GUIDE * element.width)
    return element


def arrows_of(tails: Array, tips: Array, color: RGBA, width: float, layer: float = 5.1) -> Message:
    """Arrows from tails to tips [m], shape (k, d) each, of a width in points at any distance."""
    arrows = {"tails": packed(tails), "tips": packed(tips), "width": packed([width])}
    return {"kind": "arrows", "layer": layer, "fixed": True, "color": packed(color), **arrows}


def _fixed(shape: Shape, unit: float, seconds: float) -> Message:
    """Arrows or crosses that are equally large at any distance."""
    look, shape = LOOKS[shape.role], shape.distinct()
    if isinstance(shape, Cross):
        marks = {"position": packed(shape.center), "color": packed(rgb(look.color)), "size": packed([CROSS])}
        return {"kind": "marks", "layer": 5.0, "shape": "cross", "opacity": 1.0, **marks}
    tails, tips = _ends(shape, seconds)
    long = np.linalg.norm(tips - tails, axis=1) > SHORTEST * unit
    return arrows_of(tails[long], tips[long], rgba(look.color), look.width)


def _ends(shape: Any, seconds: float) -> tuple[Array, Array]:
    """The tails and the tips of arrows [m], shape (k, d) each."""
    if isinstance(shape, Arrow):
        return shape.tail, shape.tip
    return shape.at, shape.at + shape.value * (seconds * shape.as_speed)[:, None]

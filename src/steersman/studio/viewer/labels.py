"""Labels: words of a stage at places, and what is drawn there, for a page leaves out those at which nothing is."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.drawing.description import UNIT, Description
from steersman.drawing.elements import Areas, Arrows, Element, Glyphs, Lines, Marks, Texts
from steersman.drawing.sketch_elements import sketch_of_notes, traced_elements

NEAR = 0.03
"""How far a word may be from what it names, as a fraction of the width of the picture."""

GROUND = 0.1
"""Layers below are the ground, which is everywhere."""

THINGS = 2.0
"""Glyphs above this layer are vehicles, and their bodies."""


def grounds_of(texts: Texts, description: Description, notes: Iterable[Any]) -> list[bool | str]:
    """Of each label whether something is drawn at its place; or the name of a helper line, drawn where a sentence names it.

    Args:
        texts: The labels.
        description: What is drawn, besides notes.
        notes: Shapes of notes.
    """
    near = NEAR * description.span
    told = list(traced_elements([sketch_of_notes(notes)], UNIT * description.span, 1.0, forces=False))
    drawn = [*description.elements, *(each for _, shape, each in told if shape.role != "guide")]
    guides = [(shape.label, each) for _, shape, each in told if shape.role == "guide"]
    made: list[bool | str] = []
    for place in np.asarray(texts.position, np.float64):
        there = any(_covers(each, place[:2], near) for each in drawn)
        named = (name for name, each in guides if _covers(each, place[:2], near))
        made.append(there or next(named, False))
    return made


def _covers(element: Element, place: Array, near: float) -> bool:
    """Whether an element that stays there is at a place, seen from above."""
    if element.layer <= GROUND or isinstance(element, (Texts, Arrows)):
        return False
    if isinstance(element, Glyphs) and element.layer > THINGS:
        return False
    if isinstance(element, (Marks, Glyphs)):
        away = np.asarray(element.position)[:, :2] - place
        return bool((np.hypot(*away.T) < near).any())
    if isinstance(element, Areas):
        return any(_inside(ring, place) or _distance(ring, place) < near for ring in element.rings)
    if isinstance(element, Lines):
        return any(_distance(line, place) < near for line in element.points)
    return True  # Meshes and faces are surfaces in space.


def _distance(line: Array, place: Array) -> float:
    """The distance of a place from a line through points [m]."""
    points = np.asarray(line, np.float64)[:, :2]
    if len(points) < 2:
        return float(np.hypot(*(points - place).T).min(initial=np.inf))
    start, way = points[:-1], np.diff(points, axis=0)
    part = np.clip(((place - start) * way).sum(1) / np.maximum((way * way).sum(1), 1e-12), 0, 1)
    return float(np.hypot(*(start + part[:, None] * way - place).T).min())


def _inside(ring: Array, place: Array) -> bool:
    """Whether a place is within a ring: a ray to the right crosses its edges an odd number of times."""
    here = np.asarray(ring, np.float64)[:, :2]
    there = np.roll(here, -1, axis=0)
    crosses = (here[:, 1] > place[1]) != (there[:, 1] > place[1])
    (x, y), (u, v) = here[crosses].T, there[crosses].T
    return bool((place[0] < x + (place[1] - y) / (v - y) * (u - x)).sum() % 2)

"""Looks: what the ground, the scenery and places of a picture in the plane are made of, as in a picture book.

A region, a path or the ground has a material, in whose colors it is drawn; obstacles may be trees; and at a place that has
a name, or wherever a resource is left, a small picture of a thing stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.obstacle_set import Solids
from steersman.core.environment.regions.region import Region
from steersman.core.environment.resources import Resources
from steersman.core.typing import Array
from steersman.drawing.elements import MIDDLE_LINE, PAINT, SURFACE, Areas, Element, Lines, Marks, View
from steersman.drawing.palette import LIGHT, rgb
from steersman.drawing.scenery_flat import circle, in_plane, numbered_bodies, rounded

GROUND = "ground"
"""The name of what is all around."""

BESIDE = 3.0
"""How far the ground of a space without an end reaches beyond the view [widths of it]."""

DASHES, LINE = (14.0, 14.0), 2.2
"""Dashes and gaps of the middle line of a road for cars, and its width [points]."""

MATERIALS = (
    "asphalt", "earth", "floor", "forest", "grass", "ice", "night", "paving", "sand", "snow", "steppe", "water",
)  # fmt: skip
"""What regions, paths, painted flows and the ground can be made of."""

TREES = "trees"
"""What obstacles can be, and what a landscape can bear."""

CROWN = (("tree", 0.92, 0.03), ("tree light", 0.66, 0.12), ("tree lit", 0.34, 0.24))
"""Leaves of a tree from below: their color, how wide they are, and how far to the upper left [radii of the tree]."""

Part = tuple[str, list[tuple[float, float]]]


def _disc(x: float, y: float, radius: float, corners: int = 20) -> list[tuple[float, float]]:
    return [(float(each[0]), float(each[1])) for each in circle((x, y), radius, corners)]


THINGS: dict[str, list[Part]] = {
    "flag": [
        ("wood", [(-0.33, -0.5), (-0.25, -0.5), (-0.25, 0.5), (-0.33, 0.5)]),
        ("cloth", [(-0.25, 0.48), (0.0, 0.52), (0.18, 0.44), (0.42, 0.47), (0.3, 0.26), (0.42, 0.04), (0.18, 0.01),
                   (0.0, 0.09), (-0.25, 0.05)]),
    ],
    "lamp": [
        ("wood", [(-0.05, -0.5), (0.05, -0.5), (0.05, 0.0), (-0.05, 0.0)]),
        ("wood", [(-0.2, -0.5), (0.2, -0.5), (0.14, -0.42), (-0.14, -0.42)]),
        ("glow", _disc(0.0, 0.16, 0.25)),
        ("marking", _disc(-0.07, 0.23, 0.09)),
        ("wood", [(-0.15, 0.36), (0.15, 0.36), (0.0, 0.5)]),
    ],
    "fire": [
        ("wood", [(-0.46, -0.42), (-0.42, -0.5), (0.46, -0.3), (0.42, -0.22)]),
        ("wood", [(0.46, -0.42), (0.42, -0.5), (-0.46, -0.3), (-0.42, -0.22)]),
        ("flame", [(0.0, -0.34), (0.22, -0.28), (0.3, -0.08), (0.24, 0.14), (0.16, 0.04), (0.1, 0.3), (-0.04, 0.52),
                   (-0.1, 0.24), (-0.2, 0.1), (-0.25, 0.2), (-0.32, -0.06), (-0.22, -0.28)]),
        ("glow", [(0.0, -0.32), (0.13, -0.26), (0.16, -0.1), (0.04, 0.14), (-0.06, -0.02), (-0.14, -0.12), (-0.12, -0.27)]),
    ],
    "cheese": [
        ("cheese hole", [(-0.46, -0.02), (0.46, -0.02), (0.46, -0.34), (-0.46, -0.34)]),
        ("cheese", [(-0.46, -0.02), (0.46, -0.02), (0.46, 0.02), (0.36, 0.26), (0.24, 0.34)]),
        ("cheese", [(-0.46, -0.02), (-0.46, -0.08), (0.46, -0.08), (0.46, -0.02)]),
        ("cheese", _disc(-0.2, -0.21, 0.08, 12)),
        ("cheese", _disc(0.22, -0.22, 0.06, 12)),
        ("cheese hole", _disc(0.16, 0.12, 0.07, 12)),
    ],
    "food": [
        ("crust shade", _disc(-0.2, -0.2, 0.26, 9)),
        ("crust shade", _disc(0.24, -0.16, 0.2, 8)),
        ("crust shade", _disc(0.02, 0.2, 0.23, 9)),
        ("crust", _disc(-0.23, -0.16, 0.18, 9)),
        ("crust", _disc(0.22, -0.13, 0.13, 8)),
        ("crust", _disc(-0.01, 0.24, 0.15, 9)),
    ],
    "ball": [("marking", _disc(0.0, 0.0, 0.4)), ("ink", _disc(0.0, 0.0, 0.15, 5))],
    "chest": [
        ("wood", [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.08), (-0.5, 0.08)]),
        ("crust shade", [(-0.5, 0.08), (0.5, 0.08), (0.44, 0.3), (0.28, 0.4), (-0.28, 0.4), (-0.44, 0.3)]),
        ("glow", [(-0.5, 0.03), (0.5, 0.03), (0.5, 0.11), (-0.5, 0.11)]),
        ("glow", [(-0.1, -0.14), (0.1, -0.14), (0.1, 0.14), (-0.1, 0.14)]),
        ("ink", _disc(0.0, 0.0, 0.05, 8)),
    ],
    "buoy": [
        ("cloth", [(-0.4, -0.42), (-0.2, -0.5), (0.2, -0.5), (0.4, -0.42), (0.1, 0.3), (-0.1, 0.3)]),
        ("marking", [(-0.32, -0.22), (0.32, -0.22), (0.23, 0.0), (-0.23, 0.0)]),
        ("glow", _disc(0.0, 0.38, 0.13, 12)),
    ],
    "door": [
        ("wood", [(-0.3, -0.5), (0.3, -0.5), (0.3, 0.5), (-0.3, 0.5)]),
        ("glow", _disc(0.17, 0.0, 0.06, 10)),
    ],
}  # fmt: skip
"""Things by name, seen from the front: areas of a color of the palette, about 1 high, from back to front."""

SHINE = {"lamp": 4.5, "fire": 3.5}
"""How far the light of some reaches [heights];"""

POOL = 40, 0.018
"""in so many rings, brighter and brighter toward the middle by so much that none of them has an edge that is seen."""

LOOKS = (*MATERIALS, TREES, *THINGS)
"""Their names."""

HIGH = 0.06, 0.03
"""How high a thing is, as a part of the width of the view in which the window opens; as a part of that of the picture, where
no such view is given."""


def ground_of(view: View, material: str) -> Iterator[Element]:
    """The ground in a material: the domain; all around where it has no end.

    Args:
        view: The visible part of the space.
        material: One of MATERIALS.
    """
    far = BESIDE * (view.high - view.low)
    low, high = view.low - far, view.high + far
    ring = np.array([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])])
    name = "meadow" if material == "grass" else material
    yield Areas(rings=[ring], face=rgb(LIGHT[name]), layer=0.05)


def clad(item: Any, view: View, look: str | None) -> Iterator[Element]:
    """An item of the scenery as it looks.

    Args:
        item: The item.
        view: The visible part of the space.
        look: One of LOOKS; None for the usual. Things stand beside what is usual, see `standing`.
    """
    if look == TREES and isinstance(item, Solids) and item.seen_from != "inside":
        yield from _trees(item)
        return
    for element in in_plane(item, view):
        if look in MATERIALS and isinstance(element, (Areas, Lines)):
            yield _made_of(element, look)
        elif look not in THINGS or not isinstance(element, Marks):
            yield element


def _made_of(element: Areas | Lines, material: str) -> Element:
    face, edge = rgb(LIGHT[material]), rgb(LIGHT[f"{material} edge"])
    if isinstance(element, Lines):
        if element.part != MIDDLE_LINE:
            return element
        if material != "asphalt":
            return replace(element, color=(*edge, 0.6))
        return replace(element, color=(*rgb(LIGHT["marking"]), 1.0), width=LINE, dash=DASHES)
    if element.part == PAINT:
        return replace(element, face=face, opacity=1.0)
    if element.part != SURFACE:
        return element
    return replace(element, face=element.face and face, edge=element.edge and edge)


def _trees(item: Solids) -> Iterator[Element]:
    """Crowns seen from above: the outlines of the bodies, and leaves in them, lighter to the upper left."""
    hulls = list(numbered_bodies(item))
    yield Areas(
        rings=[rounded(*each) for _, each in hulls],
        face=rgb(LIGHT["tree shade"]),
        edge=rgb(LIGHT["tree edge"]),
        layer=1.6,
    )
    for layer, (name, size, off) in enumerate(CROWN):
        rings = [
            middle + (float(half.min()) + radius) * (off * np.array([-1.0, 1.0]) + size * _leaves(k + 2 * layer))
            for k, (middle, half, _, radius) in hulls
        ]
        yield Areas(rings=rings, face=rgb(LIGHT[name]), layer=1.61 + 0.001 * layer)


def _leaves(number: int) -> Array:
    """A ring with lobes, about 1 wide in radius, shape (64, 2)."""
    angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    far = 0.78 + 0.22 * np.sqrt(np.abs(np.cos(3.5 * angle + 1.3 * number)))
    return np.asarray(far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def standing(looks: Mapping[str, str], places: Mapping[str, Any]) -> dict[str, Array]:
    """Where things stand: thing -> the places of its middle [m], shape (k, 2).

    Args:
        looks: Names -> looks; those that are no things do not count.
        places: Names -> points [m], shape (2,), resources, or regions, in whose middle a thing stands.
    """
    spots: dict[str, list[Array]] = {}
    for name, look in looks.items():
        if look in THINGS and name in places:
            spots.setdefault(look, []).append(_spots(places[name]))
    return {look: np.concatenate(each) for look, each in spots.items()}


def _spots(place: Any) -> Array:
    if isinstance(place, Resources):
        return np.asarray(place.position[place.amount > 0], np.float64)
    return np.atleast_2d(np.asarray(place.middle if isinstance(place, Region) else place, np.float64))


def thing(look: str, spots: Array, height: float) -> Iterator[Element]:
    """A thing at some places, one element for each of its areas.

    Args:
        look: One of THINGS.
        spots: The places of its middle [m], shape (k, 2).
        height: How high it is [m].
    """
    count, light = POOL
    for k in range(count if look in SHINE and len(spots) else 0):
        pools = [circle(spot, height * SHINE[look] * (1 - k / count)) for spot in spots]
        yield Areas(rings=pools, face=rgb(LIGHT["glow"]), opacity=light, layer=1.5 + 0.001 * k)
    for k, (color, ring) in enumerate(THINGS[look] if len(spots) else ()):
        rings = [spot + height * np.array(ring) for spot in spots]
        yield Areas(rings=rings, face=rgb(LIGHT[color]), layer=1.9 + 0.01 * k)

"""The overlay of a game's own window: sketches, forces, neighborhoods and modes of chosen vehicles, in pixels.

All of it is made of the elements of `drawing/sketch_elements.py`, as in pictures and in the studio. `overlay` projects them
through the camera of a game and cuts them into fills, strokes and words, which every library can draw.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steersman.adapters.camera import Camera
from steersman.core.action_selection.modes import Modes
from steersman.core.action_selection.reading import modes_of
from steersman.core.neighborhood.lookup import find_neighbors
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.core.vehicles.choosing import rows_of
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.controller import Controller
from steersman.core.world.population import Population
from steersman.core.world.world import World
from steersman.drawing.elements import Areas, Element, Lines, Texts, projected
from steersman.drawing.palette import FAINT, INK, rgb, rgba
from steersman.drawing.raster.outlines import dashed
from steersman.drawing.sketch_elements import sketch_elements
from steersman.drawing.sketches import LOOKS, seconds_of

UNIT = 11.0
"""Size of crosses and heads of arrows [pixels]."""

POINT = 1.25
"""Pixels a point, the unit of the widths of lines."""

DASH = 2.0
"""How much longer dashes are than on paper: a window shows fewer of them, in a part of the time."""

BELOW = 16.0
"""How far below a vehicle its mode stands [pixels]."""

LIGHT = {INK: "#F4F6F8", LOOKS["velocity"].color: "#F4F6F8", FAINT: "#AEB4BE"}
"""Colors of paper -> those that are seen on dark windows."""

Color = tuple[int, int, int, int]
"""Red, green, blue and opacity from 0 to 255."""


class Fill(NamedTuple):
    """A filled polygon: its corners [pixels], shape (k, 2)."""

    points: Array
    color: Color


class Stroke(NamedTuple):
    """A line through points [pixels], shape (k, 2), with a width [pixels]."""

    points: Array
    color: Color
    width: float


class Word(NamedTuple):
    """A word at the right of a place [pixels], with letters of a height [pixels]."""

    x: float
    y: float
    text: str
    color: Color
    size: float


Part = Fill | Stroke | Word


def overlay(
    scene: World | Controller,
    id: Any,
    camera: Camera,
    *,
    name: str | None = None,
    sketch: bool = True,
    forces: bool = True,
    neighbors: float | None = None,
    modes: bool = True,
    dark: bool = True,
) -> list[Part]:
    """Describe how some vehicles are steered, for the window of a game: call it once a frame.

    Args:
        scene: The world or Controller, between steps. It does not advance.
        id: The vehicles: an id, ids, or a mask of shape (n,). Ids that are gone show nothing.
        camera: Where the window looks.
        name: Of a world: the population. Default: the only one that is steered.
        sketch: Whether to show the construction of their behaviors (`world.sketch`).
        forces: Whether the forces of the tree and its parts are among it.
        neighbors: Distance up to which lines lead to the neighbors of their population [m]. Default: none.
        modes: Whether the mode of each stands below it, where the tree has Modes.
        dark: Whether the window is dark, so that black is drawn white.

    Returns:
        Fills, strokes and words in the order in which they are drawn, in pixels of the window.

    Raises:
        RuntimeError: The scene is in the middle of a step.
        ValueError: Nothing steers the population.
    """
    if isinstance(id, Mapping):
        raise TypeError(f"id must be ids or a mask of one population, whose name is name=..., got {brief(id)}")
    population = _population(scene, name)
    vehicles = population.vehicles
    ids = vehicles.id[np.asarray(id)] if np.asarray(id).dtype == bool else np.atleast_1d(np.asarray(id, np.int64))
    ids = ids[np.isin(ids, vehicles.id)]
    if not len(ids):
        return []
    elements: list[Element] = []
    if sketch:
        made = scene.sketch(ids) if isinstance(scene, Controller) else scene.sketch(population.name, ids)
        unit, span = UNIT / camera.scale, max(camera.size) / camera.scale
        elements += sketch_elements(made, unit, seconds_of(made, span), LOOKS, forces=forces)
    rows = rows_of(vehicles.id, ids)
    if neighbors is not None:
        elements.append(_neighborhood(vehicles, scene, rows, neighbors))
    if modes and population.tree is not None and any(isinstance(n.behavior, Modes) for n in population.tree.walk()):
        words = modes_of(population)[rows].tolist()
        position = vehicles.position[rows].astype(np.float64)
        elements.append(Texts(position=position, words=words, color=rgb(INK), size=10.0, layer=7.0))
    project = partial(_to_pixels, camera=camera)
    parts: list[Part] = []
    drawn: set[bytes] = set()
    for element in sorted(elements, key=lambda each: each.layer):
        below = camera if element.layer == 7.0 else None
        parts.extend(_reduced(projected(element, project), below, _lit if dark else _same, drawn))
    return parts


def _population(scene: World | Controller, name: str | None) -> Population:
    if isinstance(scene, Controller):
        return scene._population
    if name is not None:
        return scene.populations[name]
    steered = [each for each in scene.populations.values() if each.tree is not None]
    if len(steered) != 1:
        raise ValueError(f"name must be given where not one population is steered: {', '.join(scene.populations)}")
    return steered[0]


def _to_pixels(points: Any, camera: Camera) -> Array:
    return camera.pixels(np.asarray(points)[..., :2])


def _neighborhood(vehicles: Vehicles, scene: World | Controller, rows: Array, radius: float) -> Lines:
    """Lines from vehicles to their neighbors."""
    neighbors = find_neighbors(vehicles, scene.domain, radius)
    lines: list[Array] = []
    for row in rows.tolist():
        own = slice(neighbors.indptr[row], neighbors.indptr[row + 1])
        start = vehicles.position[row].astype(np.float64)
        lines.extend(np.stack([start, start + way]) for way in np.asarray(neighbors.offsets[own], np.float64))
    return Lines(points=lines, color=rgba(LOOKS["chosen"].color, 0.8), width=0.9, layer=2.7)


def _reduced(
    element: Element, below: Camera | None, light: Callable[[Color], Color], drawn: set[bytes]
) -> Iterator[Part]:
    """An element in pixels as fills, strokes and words; without dashed lines that have been drawn in the same color."""
    if isinstance(element, Areas) and element.face is not None:
        color = light(_bytes((*element.face, element.opacity)))
        yield from (Fill(ring, color) for ring in element.rings)
    elif isinstance(element, Lines) and element.dash is None:
        color, width = light(_bytes(element.color)), float(element.width) * POINT
        yield from (Stroke(line, color, width) for line in element.points)
    elif isinstance(element, Lines) and element.dash is not None:
        color, width = light(_bytes(element.color)), float(element.width) * POINT
        on, off = (DASH * each * width for each in element.dash)
        for line in element.points:
            key = line.tobytes() + bytes(color)
            if key not in drawn:
                drawn.add(key)
                yield from (Stroke(piece, color, width) for piece in dashed(line, on, off))
    elif isinstance(element, Texts):
        down = 0.0 if below is None else (-BELOW if below.window_y_up else BELOW)
        color = light(_bytes((*element.color, element.opacity)))
        for (x, y), word in zip(element.position.tolist(), element.words, strict=True):
            yield Word(x + 4, y + down, word, color, element.size * POINT)


def _bytes(color: Any) -> Color:
    red, green, blue, opacity = (round(255 * float(part)) for part in color)
    return (red, green, blue, opacity)


_LIT = {_bytes(rgba(color))[:3]: _bytes(rgba(light))[:3] for color, light in LIGHT.items()}


def _same(color: Color) -> Color:
    return color


def _lit(color: Color) -> Color:
    return (*_LIT.get(color[:3], color[:3]), color[3])

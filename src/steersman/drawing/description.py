"""The description of a picture: all its elements, before they are drawn."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.domains.box import Box
from steersman.core.environment.regions.sphere import Sphere
from steersman.core.environment.walking.walk_mesh import WalkMesh
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.drawing.contents import Contents
from steersman.drawing.elements import Arrows, Element, Glyphs, Lines, Marks, Texts, View
from steersman.drawing.extent import frame_of, sight_of
from steersman.drawing.forces import LONGEST
from steersman.drawing.glyphs import USUAL, glyph_of
from steersman.drawing.looks import GROUND, HIGH, TREES, clad, ground_of, standing, thing
from steersman.drawing.maps import landscape_in, painted, wooded
from steersman.drawing.palette import FAINT, GROUND_LINE, INK, RGB, SHEET, colors_of, over, rgb, rgba
from steersman.drawing.scenery_solid import CORNERS, EDGES, glass, in_space
from steersman.drawing.sketch_elements import note_elements

DRAWN = {2: 200_000, 3: 60_000}
"""Vehicles of a population drawn at most, by dimensions; of more, an even sample."""

SHORTEST, LONGEST_BODY = 0.022, 0.05
"""Length of the vehicles of a small population, at least and at most, as parts of the width of the picture."""

LEAST_BODY, BODIES = 0.008, 3000
"""Bodies are drawn beneath the darts where they are so wide, as a part of the width of the picture, and so few."""

WITHIN, LEAST = 1.6, 0.004
"""Length of a glyph that its body covers [radii], and the least that can be seen, as a part of the width of the picture."""

BROAD = {"person": 2.1}
"""The length of glyphs that are as wide as long: their bodies are full of them [radii]."""

UNIT = 0.014
"""Size of crosses and heads of arrows of notes, as a part of the width of the picture."""


@dataclass(frozen=True, eq=False)
class Description:
    """The elements of a picture, and its extent.

    Attributes:
        dimensions: 2 or 3.
        low, high: The corners of the view [m], shape (d,).
        middle: The point that a camera looks at [m], shape (d,).
        reach: How far around that it sees [m].
        elements: The elements to draw.
        ground: Height of the ground that shadows fall on [m], in 3D; None where there is a landscape.
    """

    dimensions: int
    low: Array
    high: Array
    middle: Array
    reach: float
    elements: tuple[Element, ...]
    ground: float | None = None

    @property
    def span(self) -> float:
        """Width of the view [m]."""
        return 2 * self.reach


def describe(contents: Contents, *, notes: bool = True) -> Description:
    """Describe all contents of a picture.

    Args:
        contents: The contents.
        notes: Whether notes are among the elements; they count for the size of the picture in any case.

    Raises:
        ValueError: Nothing that is there has an end, so that a frame must be given.
    """
    setting = setting_of(contents)
    shown = contents if notes else replace(contents, notes=(), moving_notes=())
    return replace(setting, elements=(*setting.elements, *caption_elements(shown, setting.span)))


def setting_of(contents: Contents) -> Description:
    """Describe the space and the items in it: all contents but targets, vehicles and the marks that they leave.

    Raises:
        ValueError: Nothing that is there has an end, so that a frame must be given.
    """
    return _flat(contents) if contents.dimensions == 2 else _solid(contents)


def _flat(contents: Contents) -> Description:
    low, high = frame_of(contents)
    view = View(low, high, contents.domain)
    looks, style = contents.style.looks or {}, contents.style
    ground = ground_of(view, looks[GROUND]) if GROUND in looks else ()
    items = (each for item in contents.scenery for each in clad(item, view, contents.look(item)))
    height = HIGH[1] * view.span if style.close_up is None else HIGH[0] * style.close_up
    stands = standing(looks, contents.named).items()
    things = (each for look, spots in stands for each in thing(look, spots, height))
    placed = (view.across_the_seam(each) for each in (*items, *things))
    return Description(2, low, high, (low + high) / 2, view.span / 2, (*ground, *placed))


def _solid(contents: Contents) -> Description:
    middle, reach = sight_of(contents)
    origin, extent = bounds(contents.domain, 3)
    limited = bool(np.isfinite(extent).all())
    low, high = (origin, origin + extent) if limited else (middle - reach, middle + reach)
    view = View(low, high, contents.domain)
    floors = [
        float(item.triangles[0][:, 2].min()) - 0.01 * reach for item in contents.scenery if isinstance(item, WalkMesh)
    ]
    floors += [float(item.origin[2]) for item in contents.scenery if isinstance(item, Box) and item.dimensions == 3]
    ground = float(low[2]) if limited else min(floors, default=float(middle[2] - 0.78 * reach))
    edges = _edges(low, high) if limited else _grid(middle, reach, ground)
    land = landscape_in(contents.scenery)
    elements = (edges, *_around(contents, view))
    return Description(3, low, high, middle, reach, elements, ground if land is None else None)


def _around(contents: Contents, view: View) -> Iterator[Element]:
    """The scenery in 3D; maps, and balls that meet it, are painted onto the landscape."""
    land = landscape_in(contents.scenery)
    maps = [
        item for item in contents.scenery if item.dimensions == 2 or (land is not None and isinstance(item, Sphere))
    ]
    for item in contents.scenery:
        if all(item is not each for each in maps) and (item is not land or not maps):
            yield from glass(item) if contents.look(item) == "water" and isinstance(item, Box) else in_space(item, view)
    if land is not None and maps:
        yield from painted(land, maps)
    if land is not None and contents.look(land) == TREES:
        yield from wooded(land, maps)


def caption_elements(contents: Contents, span: float) -> Iterator[Element]:
    """Targets, trails, vehicles, forces, notes and labels, in a picture of a width [m]."""
    colors = colors_of(contents.vehicles, contents.colors)
    yield Marks(shape="plus", position=_bare(contents), color=rgb(FAINT), size=7.0)
    for name in contents.vehicles:
        if contents.trails is not None and (trail := contents.trails.of(name)) is not None:
            opacity = 0.05 + 0.55 * trail.age if contents.dimensions == 2 else 0.4 * trail.age**1.5
            shades = np.column_stack([np.tile(colors[name], (len(trail.age), 1)), opacity])
            segments: Any = trail.segments
            yield Lines(points=segments, color=shades, width=0.5 + 0.8 * trail.age, layer=3.0)
            if contents.style.dots is not None:
                places = contents.trails.places(name, every=contents.style.dots)
                yield Marks(shape="dot", position=places, color=colors[name], size=3.2, layer=3.5)
    for name, vehicles in contents.vehicles.items():
        if (bodies := body_glyphs(vehicles, colors[name], span, to_scale=contents.style.to_scale)) is not None:
            yield bodies
    for name, vehicles in contents.vehicles.items():
        yield vehicle_glyphs(
            vehicles, colors[name], lengths_in(contents, name, span), name, glyph_in(contents, name, span)
        )
    if contents.forces is not None:
        tails, tips = contents.forces.arrows(span).swapaxes(0, 1)
        yield Arrows(tails=tails, tips=tips, color=rgba(INK, 0.85), width=0.021 * LONGEST * span, layer=5.0)
    yield from note_elements((*contents.notes, *contents.moving_notes), UNIT * span)
    if contents.labels:
        points: Any = [np.asarray(point, np.float64) for point in contents.labels.values()]
        yield Texts(position=np.stack(points), words=tuple(contents.labels), color=rgb(INK), layer=6.0)


def _bare(contents: Contents) -> Array:
    """The targets at which no thing stands, shape (k, d)."""
    points = contents.points()
    taken = {tuple(spot) for each in standing(contents.style.looks or {}, contents.named).values() for spot in each}
    return np.asarray(points[np.array([tuple(point) not in taken for point in points], bool)])


def body_glyphs(vehicles: Vehicles, color: RGB, span: float, *, to_scale: bool = False) -> Glyphs | None:
    """The bodies of vehicles in 2D, as wide as for metrics; None where they are too small to be seen, or too many.

    Args:
        vehicles: The vehicles.
        color: Their color.
        span: Width of the picture [m].
        to_scale: Whether they are what is to be seen, however small.
    """
    rows = drawable(vehicles, DRAWN[vehicles.dimensions])
    wide = widths(vehicles.radius[rows], vehicles.dimensions, span, to_scale=to_scale)
    if wide is None:
        return None
    red, green, blue = (1 - 0.3 * (1 - part) for part in color)
    return Glyphs(
        shape="ball",
        position=vehicles.position[rows].astype(np.float64),
        size=wide,
        color=(red, green, blue),
        forward=vehicles.forward[rows].astype(np.float64),
        axis=axes_of(vehicles, rows),
        rim=over(color, 0.65, rgb(SHEET)),
        layer=3.8,
    )


def axes_of(vehicles: Vehicles, rows: Any) -> Array | None:
    """The lengths of the axes of some bodies [m], shape (k,); None where all are balls."""
    axis = np.maximum(vehicles.length[rows].astype(np.float64) - 2.0 * vehicles.radius[rows], 0.0)
    return axis if axis.any() else None


def widths(radius: Array, dimensions: int, span: float, *, to_scale: bool = False) -> Array | None:
    """The widths of bodies with these radii [m], shape (n,); None where `body_glyphs` draws none."""
    wide = 2.0 * radius.astype(np.float64)
    visible = wide.max(initial=0.0) > (LEAST if to_scale else LEAST_BODY) * span
    return wide if visible and dimensions == 2 and len(wide) <= BODIES else None


def vehicle_glyphs(vehicles: Vehicles, color: RGB, lengths: Array, name: str = "", shape: str = USUAL) -> Glyphs:
    """Vehicles as glyphs.

    Args:
        vehicles: The vehicles.
        color: Their color.
        lengths: How long they are drawn [m], shape (n,).
        name: The name of the population.
        shape: One of `glyphs.GLYPHS`.
    """
    rows = drawable(vehicles, DRAWN[vehicles.dimensions])
    return Glyphs(
        shape=shape,
        position=vehicles.position[rows].astype(np.float64),
        size=lengths[rows],
        color=color,
        forward=vehicles.forward[rows].astype(np.float64),
        up=None if vehicles.dimensions == 2 else vehicles.up[rows].astype(np.float64),
        axis=axes_of(vehicles, rows) if shape == "ball" else None,
        name=name,
        layer=4.0,
    )


def glyph_in(contents: Contents, name: str, span: float) -> str:
    """The glyph of the vehicles of a population in a picture of a width [m]: that of its style, or of its body."""
    if (chosen := contents.style.glyph(name)) is not None:
        return chosen
    lengths = lengths_in(contents, name, span)
    return glyph_of(contents.bodies.get(name), float(np.median(lengths)) / span if len(lengths) else 0.0)


def lengths_in(contents: Contents, name: str, span: float, radius: Array | None = None) -> Array:
    """How long the vehicles of a population, or others with these radii [m], are drawn in a picture of a width [m]."""
    style = contents.style
    radius = (contents.vehicles[name].radius if radius is None else radius).astype(np.float64)
    if style.glyph(name) == "ball":
        return np.maximum(2.0 * radius, SHORTEST * span / 2)
    full = BROAD.get(style.glyph(name) or USUAL, 0.0)
    if style.to_scale:
        return np.maximum((full or WITHIN) * radius, LEAST * span)
    return np.maximum(style.size * lengths_by(radius, span), full * radius)


def lengths_by(radius: Array, span: float) -> Array:
    """Four radii, but always large enough to be seen [m], shape (n,): large crowds are of smaller darts."""
    crowd = np.clip(1.2 - 0.16 * np.log10(max(len(radius), 10)), 0.35, 1.0)
    return np.clip(4.0 * radius.astype(np.float64), SHORTEST * crowd * span, LONGEST_BODY * span)


def drawable(vehicles: Vehicles, most: int) -> Array:
    """Rows of an even sample of the vehicles with finite positions, shape (k,)."""
    rows = np.flatnonzero(np.isfinite(vehicles.position).all(axis=1))
    if len(rows) <= most:
        return rows
    return np.asarray(rows[np.linspace(0, len(rows) - 1, most).round().astype(int)])


def _edges(low: Array, high: Array) -> Lines:
    """The edges of a domain."""
    lines: Any = (low + (high - low) * CORNERS)[EDGES]
    return Lines(points=lines, color=rgba(GROUND_LINE, 0.45), width=0.7, layer=1.0)


def _grid(middle: Array, reach: float, ground: float) -> Lines:
    """A grid on the ground, in pieces that fade with the distance from the middle."""
    marks = np.linspace(-1.6, 1.6, 17) * reach
    along = np.stack(np.broadcast_arrays(marks[:, None, None], np.stack([marks[:-1], marks[1:]], 1), ground), axis=-1)
    pieces: Any = np.concatenate([along, along[..., [1, 0, 2]]]).reshape(-1, 2, 3) + np.append(middle[:2], 0.0)
    away = np.linalg.norm(pieces.mean(axis=1)[:, :2] - middle[:2], axis=1) / reach
    shades = np.column_stack([np.tile(rgb(GROUND_LINE), (len(pieces), 1)), 0.32 * np.clip(1.5 - away, 0, 1)])
    return Lines(points=pieces, color=shades, width=0.7, layer=1.0)

"""Everybody at once: what each behavior wants for each vehicle, and what they look at, for as many as can be shown."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steersman.core.steering.laws.vectors import length
from steersman.core.typing import Array
from steersman.core.world.explain import Explanation
from steersman.core.world.sketching import Sketch
from steersman.core.world.world import World
from steersman.drawing.description import drawable
from steersman.drawing.elements import Areas, Element, Lines
from steersman.drawing.forces import LONGEST
from steersman.drawing.sketch_elements import legend_of, sketch_elements
from steersman.drawing.sketches import seconds_of
from steersman.studio.viewer.packing import element_of, packed

MOST = 2000
"""Vehicles whose forces are shown at most; of more, an even sample."""

SKETCHED = 100
"""Vehicles for whom it is shown at most what they look at; of more, an even sample."""

CORNERS = 25
"""Points of a line in the sketches of everybody, at most."""

UNIT = 0.014
"""Size of crosses and heads of arrows in a sketch, as a part of the width of the picture."""

NEAR = ("range",)
"""Roles of shapes that say how far somebody looks."""

Told = dict[str, Any]


def share_of(world: World, most: int) -> dict[str, Array]:
    """Whom to show: rows of the vehicles of every population that is steered, so many altogether, evenly."""
    steered = {name: each.vehicles for name, each in world.populations.items() if each.tree is not None}
    everybody = sum(map(len, steered.values()))
    part = min(1.0, most / max(everybody, 1))
    return {name: drawable(each, max(1, int(part * len(each)))) for name, each in steered.items() if len(each)}


def note_of(world: World, rows: dict[str, Array]) -> str:
    """What to say of those who are not shown; "" where all are."""
    shown, there = sum(map(len, rows.values())), sum(len(world[name]) for name in rows)
    return "" if shown == there else f"{shown:,} of {there:,} vehicles are shown"


def forces_of_all(world: World, told: dict[str, Explanation], span: float) -> Told:
    """What every behavior wants, and what is kept of that, as columns.

    Args:
        world: The world, between steps.
        told: The explanations of all vehicles, by population.
        span: Width of the picture [m], by which arrows are long.
    """
    rows = {name: each for name, each in share_of(world, MOST).items() if name in told}
    full = _full(told, rows)
    crowd = float(np.clip(1.2 - 0.16 * np.log10(max(sum(map(len, rows.values())), 10)), 0.35, 1.0))
    return {
        "scale": LONGEST * crowd * span / (full or 1.0),
        "full": full,
        "note": note_of(world, rows),
        "populations": {name: _columns(told[name], each) for name, each in rows.items()},
    }


def _full(told: dict[str, Explanation], rows: dict[str, Array]) -> float:
    """The force of the longest arrow [N]: the largest that anybody can have, or has."""
    limits = [told[name].max_force[each] for name, each in rows.items()]
    finite = [float(each[np.isfinite(each)].max(initial=0.0)) for each in limits]
    sizes = [float(np.nan_to_num(length(told[name].force[each])).max(initial=0.0)) for name, each in rows.items()]
    return max([*finite, 0.0]) or max([*sizes, 0.0])


def _columns(told: Explanation, rows: Array) -> Told:
    leaves = [node for node in told.walk() if not node.parts]
    return {
        "labels": [node.label if node.mode is None else f"{node.mode}: {node.label}" for node in leaves],
        "ids": packed(told.id[rows]),
        "raw": [packed(_finite(node.raw[rows])) for node in leaves],
        "kept": [packed(_finite(node.kept[rows])) for node in leaves],
        "force": packed(_finite(told.force[rows])),
        "winner": packed(winners(told, leaves)[rows]),
    }


def _finite(vectors: Array) -> Array:
    return np.nan_to_num(vectors, nan=0.0, posinf=0.0, neginf=0.0)


def winners(node: Explanation, leaves: Sequence[Explanation]) -> Array:
    """Which of the leaves decides for each vehicle, shape (n,), by its number; -1 where nobody acts (see `winner`)."""
    if not node.parts:
        number = next(k for k, leaf in enumerate(leaves) if leaf is node)
        return np.where(node.acts, number, -1)
    size = np.stack([np.where(part.acts, length(part.kept), -1.0) for part in node.parts])
    inner = np.stack([winners(part, leaves) for part in node.parts])
    best = np.argmax(size, axis=0)[None]
    return np.where(size.max(axis=0) >= 0, np.take_along_axis(inner, best, axis=0)[0], -1)


def sketches_of_all(world: World, span: float, most: int) -> Told:
    """What vehicles look at, as elements: how far they look, and all else.

    Args:
        world: The world, between steps.
        span: Width of the picture [m].
        most: Of how many vehicles, at most.
    """
    rows = share_of(world, most)
    sketches = [each for name, some in rows.items() for each in world.sketch(name, world[name].id[some])]
    near, others = ([_only(each, wanted) for each in sketches] for wanted in (True, False))
    return {
        "near": [element_of(each) for each in map(faint, merged(_elements(near, span)))],
        "elements": [element_of(each) for each in merged(_elements(others, span))],
        "legend": _legend(sketches),
        "note": note_of(world, rows),
    }


def merged(elements: Iterable[Element]) -> list[Element]:
    """Elements with those that look alike as one, and curves of fewer corners, which is drawn much faster.

    Words, and faces that can be seen through, are left out: those of so many would only hide each other.
    """
    alike: dict[Any, list[Any]] = defaultdict(list)
    for each in elements:
        if isinstance(each, Areas) and each.opacity == 1:
            alike[Areas, each.layer, each.face, each.opacity, each.edge].append(each)
        elif isinstance(each, Lines):
            alike[Lines, each.layer, tuple(each.color), each.width, each.dash].append(each)
    found: list[Element] = []
    for group in alike.values():
        name = "rings" if isinstance(group[0], Areas) else "points"
        found.append(replace(group[0], **{name: [coarse(ring) for each in group for ring in getattr(each, name)]}))
    return found


def faint(element: Element) -> Element:
    """Lines through which others are seen."""
    return replace(element, color=(*element.color[:3], 0.4)) if isinstance(element, Lines) else element


def coarse(line: Array) -> Array:
    """A line of many points through some of them, the last one, too."""
    if len(line) <= CORNERS:
        return line
    return np.asarray(line[np.linspace(0, len(line) - 1, CORNERS).round().astype(int)])


def parted(sketches: Sequence[Sketch], span: float) -> Told:
    """Sketches as elements: how far somebody looks (`near`), all else (`elements`), and what the colors mean."""
    near, others = ([_only(each, wanted) for each in sketches] for wanted in (True, False))
    return {
        "near": [element_of(each) for each in _elements(near, span)],
        "elements": [element_of(each) for each in _elements(others, span)],
        "legend": _legend(sketches),
    }


def _elements(sketches: Sequence[Sketch], span: float) -> Iterator[Element]:
    """What sketches look like, but for forces, of which there are arrows."""
    return sketch_elements(sketches, UNIT * span, seconds_of(sketches, span), forces=False)


def _legend(sketches: Sequence[Sketch]) -> list[tuple[str, str]]:
    """What the colors mean."""
    return [(look.color, words) for look, words in legend_of(sketches, forces=False)]


def _only(sketch: Sketch, near: bool) -> Sketch:
    return sketch._replace(shapes=tuple(each for each in sketch.shapes if (each.role in NEAR) == near))

"""All vehicles at once: the force that each behavior asks for, and sketches, for as many vehicles as can be shown."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steersman.core.maths.shapes import ROLES, Circle, Pose, Sector, Shape, Tube
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
from steersman.studio.viewer.element_messages import Message, element_of, packed, packed_ids, traced_messages

MOST = 2000
"""Largest number of vehicles with visible forces; of more, an even sample."""

MOST_SKETCHED = 100
"""Largest number of vehicles with visible sketches; of more, an even sample."""

CORNERS = 49
"""Largest number of points of a line in the sketches of all vehicles."""

UNIT = 0.014
"""Size of crosses and heads of arrows in a sketch, as a fraction of the width of the picture."""

WIDE = 0.7
"""Ranges that are larger hide the picture, as a fraction of its width."""

RINGS, RINGED = (Circle, Sector, Tube), ("range", "guide", "danger")
"""Shapes that go around something, and the roles in which they show a border, and no thing."""

NEAR = ("range",)
"""Roles of shapes that show the range of a vehicle."""


def share_of(world: World, most: int) -> dict[str, Array]:
    """The vehicles to show: rows of every steered population, an even sample with `most` vehicles in total."""
    steered = {name: each.vehicles for name, each in world.populations.items() if each.tree is not None}
    count = sum(map(len, steered.values()))
    part = min(1.0, most / max(count, 1))
    return {name: drawable(each, max(1, int(part * len(each)))) for name, each in steered.items() if len(each)}


def note_of(world: World, rows: dict[str, Array]) -> str:
    """The note about vehicles that are not shown; "" where all are."""
    shown, there = sum(map(len, rows.values())), sum(len(world[name]) for name in rows)
    return "" if shown == there else f"{shown:,} of {there:,} vehicles are shown"


def forces_of_all(world: World, explanations: dict[str, Explanation], span: float) -> Message:
    """The force that every behavior asks for, and the part of it that is applied, as columns.

    Of what moves on a surface it is the part along it, as for one that is explained: the ground bears the rest.

    Args:
        world: The world, between steps.
        explanations: The explanations of all vehicles, by population.
        span: Width of the picture [m], which scales the arrows.
    """
    rows = {name: each for name, each in share_of(world, MOST).items() if name in explanations}
    full = _full(explanations, rows)
    crowd = float(np.clip(1.2 - 0.16 * np.log10(max(sum(map(len, rows.values())), 10)), 0.35, 1.0))
    return {
        "scale": LONGEST * crowd * span / (full or 1.0),
        "full": full,
        "note": note_of(world, rows),
        "populations": {name: _columns(explanations[name], each, _normals(world, name)) for name, each in rows.items()},
    }


def _full(explanations: dict[str, Explanation], rows: dict[str, Array]) -> float:
    """The force of the longest arrow [N]: the largest limit of a vehicle, or the largest force."""
    limits = [explanations[name].max_force[each] for name, each in rows.items()]
    finite = [float(each[np.isfinite(each)].max(initial=0.0)) for each in limits]
    sizes = [
        float(np.nan_to_num(length(explanations[name].force[each])).max(initial=0.0)) for name, each in rows.items()
    ]
    return max([*finite, 0.0]) or max([*sizes, 0.0])


def _normals(world: World, name: str) -> Array | None:
    """The normals of the surface that a population moves on, shape (n, 3); None where it moves freely."""
    population = world.populations[name]
    return population.vehicles.up if population.locomotion.on_ground and population.vehicles.dimensions == 3 else None


def _columns(explanations: Explanation, rows: Array, normals: Array | None) -> Message:
    def along(vectors: Array) -> Message:
        there = _finite(vectors[rows])
        up = None if normals is None else normals[rows]
        return packed(there if up is None else there - np.sum(there * up, axis=1, keepdims=True) * up)

    leaves = [node for node in explanations.walk() if not node.parts]
    return {
        "labels": [node.label if node.mode is None else f"{node.mode}: {node.label}" for node in leaves],
        "ids": packed_ids(explanations.id[rows]),
        "raw": [along(node.raw) for node in leaves],
        "contribution": [along(node.contribution) for node in leaves],
        "force": along(explanations.force),
        "winner": packed(winners(explanations, leaves)[rows]),
    }


def _finite(vectors: Array) -> Array:
    return np.nan_to_num(vectors, nan=0.0, posinf=0.0, neginf=0.0)


def winners(node: Explanation, leaves: Sequence[Explanation]) -> Array:
    """The number of the leaf that decides for each vehicle, shape (n,); -1 where no leaf acts (see `winner`)."""
    if not node.parts:
        number = next(k for k, leaf in enumerate(leaves) if leaf is node)
        return np.where(node.acts, number, -1)
    size = np.stack([np.where(part.acts, length(part.contribution), -1.0) for part in node.parts])
    inner = np.stack([winners(part, leaves) for part in node.parts])
    best = np.argmax(size, axis=0)[None]
    return np.where(size.max(axis=0) >= 0, np.take_along_axis(inner, best, axis=0)[0], -1)


def sketches_of_all(world: World, span: float, most: int) -> Message:
    """The sketches of vehicles, as elements: their ranges, and all other shapes.

    Args:
        world: The world, between steps.
        span: Width of the picture [m].
        most: Largest number of vehicles with sketches.
    """
    rows = share_of(world, most)
    sketches = [each for name, some in rows.items() for each in world.sketch(name, world[name].id[some])]
    near, others = ([_only(each, alone) for each in sketches] for alone in (True, False))
    seconds = seconds_of(sketches, span)
    return {
        "near": [element_of(each) for each in map(faint, merged(_elements(near, span, seconds)))],
        "elements": [
            {**element_of(each), "means": means}
            for role, means in ROLES.items()
            for each in merged(_elements(_of_role(others, role), span, seconds))
        ],
        "legend": _legend(sketches),
        "note": note_of(world, rows),
    }


def merged(elements: Iterable[Element]) -> list[Element]:
    """Elements merged by appearance, with curves of fewer corners, which are drawn much faster.

    Words and transparent faces are left out: with so many vehicles they would only hide each other.
    """
    alike: dict[Any, list[Any]] = defaultdict(list)
    for each in elements:
        if isinstance(each, Areas) and each.opacity == 1:
            alike[Areas, each.layer, each.face, each.edge, each.width, each.dash].append(each)
        elif isinstance(each, Lines):
            alike[Lines, each.layer, tuple(each.color), each.width, each.dash].append(each)
    pieces: list[Element] = []
    for group in alike.values():
        name = "rings" if isinstance(group[0], Areas) else "points"
        pieces.append(replace(group[0], **{name: [coarse(ring) for each in group for ring in getattr(each, name)]}))
    return pieces


def faint(element: Element) -> Element:
    """An element with transparent lines."""
    return replace(element, color=(*element.color[:3], 0.4)) if isinstance(element, Lines) else element


def coarse(line: Array) -> Array:
    """A line through some points of a line, the last one included."""
    if len(line) <= CORNERS:
        return line
    return np.asarray(line[np.linspace(0, len(line) - 1, CORNERS).round().astype(int)])


def parted(sketches: Sequence[Sketch], span: float, seconds: float | None = None) -> Message:
    """Sketches as elements: ranges (`near`), all other shapes (`elements`), and the legend of the colors.

    Each element has the key of its node (`of`), what its role means in the words of the legend (`means`), what itself is
    (`says`; "" of what is not named), whether a reason leaves it out (`detail`), how many there are (`count`), and whether
    its word may stand anywhere along a line around something (`ring`). Predicted positions in the plane are rings, like
    those of the vehicles that will be there.

    Args:
        sketches: The sketches.
        span: Width of the picture [m].
        seconds: How long velocities are [s]. Default: so long that they can be seen.
    """
    seconds = seconds_of(sketches, span) if seconds is None else seconds
    sketches = [each._replace(shapes=tuple(_ringed(shape, UNIT * span) for shape in each.shapes)) for each in sketches]
    near, others = ([_only(each, alone) for each in sketches] for alone in (True, False))
    return {
        "near": _element_messages(near, span, seconds),
        "elements": _element_messages(others, span, seconds),
        "legend": _legend(sketches),
    }


def _ringed(shape: Shape, unit: float) -> Shape:
    """A predicted position in the plane as a ring as wide as the vehicle is long; other shapes as they are."""
    if not isinstance(shape, Pose) or shape.role != "predicted" or shape.dimensions != 2:
        return shape
    about: Any = {"role": shape.role, "label": shape.label, "means": shape.means, "detail": shape.detail}
    return Circle(shape.position, np.maximum(2.0 * shape.radius, 0.7 * unit), **about)


def _element_messages(sketches: Sequence[Sketch], span: float, seconds: float) -> list[Message]:
    made = []
    for sketch, shape, each in traced_messages(sketches, UNIT * span, seconds):
        calm = _calm(each, span) if shape.role in NEAR else each
        if calm is not None:
            message = calm if isinstance(calm, dict) else element_of(calm)
            says = {"of": sketch.key, "means": ROLES[shape.role], "says": shape.means, "count": len(shape)}
            ring = shape.role in RINGED and isinstance(shape, RINGS)
            made.append({**message, **says, "ring": ring, **({"detail": True} if shape.detail else {})})
    return made


def _calm(element: Element | Message, span: float) -> Element | Message | None:
    """A range; where it covers most of the picture, only its faint outline."""
    if isinstance(element, dict):
        return element
    lines = element.rings if isinstance(element, Areas) else element.points if isinstance(element, Lines) else ()
    if not any(float(np.ptp(line, axis=0).max()) > WIDE * span for line in lines):
        return element
    return None if isinstance(element, Areas) else faint(element)


def _elements(sketches: Sequence[Sketch], span: float, seconds: float) -> Iterator[Element]:
    """The elements of sketches, without forces, which have arrows."""
    return sketch_elements(sketches, UNIT * span, seconds, forces=False)


def _legend(sketches: Sequence[Sketch]) -> list[tuple[str, str]]:
    """The legend of the colors."""
    return [(look.color, words) for look, words in legend_of(sketches, forces=False)]


def _of_role(sketches: Sequence[Sketch], role: str) -> list[Sketch]:
    return [each._replace(shapes=tuple(shape for shape in each.shapes if shape.role == role)) for each in sketches]


def _only(sketch: Sketch, near: bool) -> Sketch:
    return sketch._replace(shapes=tuple(each for each in sketch.shapes if (each.role in NEAR) == near))

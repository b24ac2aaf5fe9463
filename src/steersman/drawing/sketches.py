"""Sketches: the constructions of behaviors, as lines and faces, and the look of each role.

`as_lines` reduces every kind of shape to polylines, faces and words in the shape's own dimensions, in meters;
`sketch_elements` styles them.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from steersman.core.maths.shapes import Arrow, Circle, Cross, Line, Pose, ScaledArrow, Sector, Shape, Tube
from steersman.core.typing import Array
from steersman.core.world.sketching import Sketch
from steersman.core.world.world import World
from steersman.drawing.forces import selected_ids
from steersman.drawing.glyphs import USUAL, outline
from steersman.drawing.palette import ROLES

ROUND = 72
"""Corners of a circle."""

LONGEST = 0.22
"""Length of the longest velocity, as a part of the width of the picture, beyond which another scale is taken."""

SHORTEST = 0.03
"""The same, below which it is."""

LEGIBLE = 2.0
"""Shorter arrows, in units, have no words: those of several would lie on top of each other."""


class Look(NamedTuple):
    """How shapes of one role look.

    Attributes:
        color: `#rrggbb`.
        width: Of lines [points].
        dashed: Whether lines are.
        fill: How dense faces are, from 0 to 1.
    """

    color: str
    width: float
    dashed: bool
    fill: float


_COLORS = {role: light for role, (light, _) in ROLES.items()}

LOOKS = {
    "velocity": Look(_COLORS["velocity"], 1.6, False, 1.0),
    "desired": Look(_COLORS["desired"], 1.6, False, 1.0),
    "steering": Look(_COLORS["steering"], 2.0, False, 1.0),
    "part": Look(_COLORS["steering"], 0.9, False, 1.0),
    "target": Look(_COLORS["target"], 1.2, False, 0.0),
    "predicted": Look(_COLORS["predicted"], 1.2, True, 0.0),
    "chosen": Look(_COLORS["chosen"], 1.6, False, 0.0),
    "danger": Look(_COLORS["danger"], 1.2, False, 0.16),
    "interest": Look(_COLORS["desired"], 1.2, False, 0.3),
    "range": Look(_COLORS["construction"], 0.9, False, 0.10),
    "guide": Look(_COLORS["construction"], 0.9, True, 0.0),
}
"""Role -> how it looks."""

AREAS = ("range", "danger", "interest")
"""Roles of which what is inside is shown, too: their circles and closed lines have faces."""


@dataclass(frozen=True)
class Lines:
    """A shape as lines and polygons, which every program can draw.

    Attributes:
        lines: Polylines [m], each of shape (m, d).
        faces: Polygons that are to be filled, faintly [m], each of shape (m, d).
        tips: Polygons that are to be filled wholly [m], such as the heads of arrows.
        labels: Places [m], shape (d,), and the words that stand there.
    """

    lines: list[Array]
    faces: list[Array]
    tips: list[Array]
    labels: list[tuple[Array, str]]


def as_lines(shape: Shape, unit: float, seconds: float = 1.0, legible: float = LEGIBLE) -> Lines:
    """A shape as lines, faces and words.

    Args:
        shape: The shape.
        unit: The size of shapes that have none of their own, such as a cross or the head of an arrow [m].
        seconds: How long a ScaledArrow is: the way [m] that its speed covers in so many seconds.
        legible: A shorter ScaledArrow, in units, has no word.
    """
    lines = Lines([], [], [], [])
    if len(shape):
        _reduce(shape, lines, unit, seconds)
    if shape.label and lines.lines:
        last = lines.lines[-1]
        if not isinstance(shape, ScaledArrow) or np.linalg.norm(last[-1] - last[0]) > legible * unit:
            around = isinstance(shape, Line) and shape.closed  # Beside a side of it, and not at a corner.
            lines.labels.append(((last[-2] + last[-1]) / 2 if around else last[-1], shape.label))
    return lines


@singledispatch
def _reduce(shape: Shape, lines: Lines, unit: float, seconds: float) -> None:
    raise TypeError(f"there is no way to draw a {type(shape).__name__}")


@_reduce.register
def _scaled(shape: ScaledArrow, lines: Lines, unit: float, seconds: float) -> None:
    _arrows(shape.at, shape.at + shape.value * (seconds * shape.as_speed)[:, None], lines, unit)


@_reduce.register
def _arrow(shape: Arrow, lines: Lines, unit: float, seconds: float) -> None:
    _arrows(shape.tail, shape.tip, lines, unit)


def _arrows(tails: Array, tips: Array, lines: Lines, unit: float) -> None:
    """Shafts and heads, which are no longer than half of their arrow."""
    for tail, tip in zip(tails, tips, strict=True):
        size = float(np.linalg.norm(tip - tail))
        if size < 0.02 * unit:
            continue
        ahead = (tip - tail) / size
        head = min(1.1 * unit, 0.6 * size)
        neck = tip - head * ahead
        lines.lines.append(np.stack([tail, neck]))
        for side in across(ahead):
            lines.tips.append(np.stack([tip, neck + 0.38 * head * side, neck - 0.38 * head * side]))


def across(ahead: Array) -> Array:
    """Unit vectors across a unit vector, perpendicular to each other, shape (d - 1, d)."""
    if len(ahead) == 2:
        return np.array([[-ahead[1], ahead[0]]])
    least = np.eye(3)[np.argmin(np.abs(ahead))]
    one = np.cross(ahead, least)
    one /= np.linalg.norm(one)
    return np.stack([one, np.cross(ahead, one)])


@_reduce.register
def _line(shape: Line, lines: Lines, unit: float, seconds: float) -> None:
    for points in shape.points:
        lines.lines.append(np.concatenate([points, points[:1]]) if shape.closed else points)
        if shape.closed and shape.dimensions == 2:
            if shape.filled:
                lines.tips.append(lines.lines[-1])
            elif shape.role in AREAS:
                lines.faces.append(lines.lines[-1])


def ring(center: Array, one: Array, other: Array, radius: float, start: float = 0.0, end: float = 2 * math.pi) -> Array:
    """A circle, or an arc of one, in the plane of two unit vectors [m], shape (m, d)."""
    angle = np.linspace(start, end, max(2, math.ceil(ROUND * (end - start) / (2 * math.pi))))[:, None]
    return np.asarray(center + radius * (np.cos(angle) * one + np.sin(angle) * other))


@_reduce.register
def _circle(shape: Circle, lines: Lines, unit: float, seconds: float) -> None:
    d = shape.dimensions
    axes = np.eye(d)
    for center, radius in zip(shape.center, shape.radius, strict=True):
        rings = [ring(center, axes[a], axes[b], radius) for a in range(d) for b in range(a + 1, d)]
        lines.lines.extend(rings)
        if d == 2 and (shape.filled or shape.role in AREAS):
            lines.faces.extend(rings)


@_reduce.register
def _sector(shape: Sector, lines: Lines, unit: float, seconds: float) -> None:
    rows = zip(shape.center, shape.forward, shape.radius, shape.angle, shape.inner_radius, strict=True)
    for center, forward, radius, angle, inner in rows:
        whole = angle >= 2 * math.pi - 1e-6
        if whole:
            _circle(Circle(center, radius), lines, unit, seconds)
        else:
            _pie(center, forward, radius, angle, lines)
        if inner > 0 and not whole:
            _circle(Circle(center, inner), lines, unit, seconds)


def _pie(center: Array, forward: Array, radius: float, angle: float, lines: Lines) -> None:
    """A pie; in 3D the outlines of a cone, with the ring at its mouth."""
    for side in across(forward):
        arc = ring(center, forward, side, radius, -angle / 2, angle / 2)
        lines.lines.append(np.concatenate([center[None], arc, center[None]]))
    if len(center) == 2:
        lines.faces.append(lines.lines[-1])
        return
    one, other = across(forward)
    middle = center + forward * radius * math.cos(angle / 2)
    lines.lines.append(ring(middle, one, other, radius * math.sin(angle / 2)))


@_reduce.register
def _tube(shape: Tube, lines: Lines, unit: float, seconds: float) -> None:
    for start, end, radius in zip(shape.start, shape.end, shape.radius, strict=True):
        size = float(np.linalg.norm(end - start))
        if size == 0:
            continue
        sides = across((end - start) / size) * radius
        for side in sides:
            corners = np.stack([start + side, end + side, end - side, start - side, start + side])
            lines.lines.append(corners)
        if len(start) == 2:
            lines.faces.append(lines.lines[-1])
        else:
            lines.lines.extend(
                ring(each, sides[0] / radius, sides[1] / radius, radius) for each in (start, end) if radius
            )


@_reduce.register
def _cross(shape: Cross, lines: Lines, unit: float, seconds: float) -> None:
    axes = np.eye(shape.dimensions) * 0.45 * unit
    diagonal = axes[:1] + axes[1:2], axes[:1] - axes[1:2]
    for center in shape.center:
        arms = [*diagonal, *axes[2:, None]]
        lines.lines.extend(np.concatenate([center - arm, center + arm]) for arm in arms)


@_reduce.register
def _pose(shape: Pose, lines: Lines, unit: float, seconds: float) -> None:
    for position, forward, radius in zip(shape.position, shape.forward, shape.radius, strict=True):
        if not forward.any():
            _circle(Circle(position, max(radius, 0.4 * unit), role="guide"), lines, unit, seconds)
            continue
        size = max(4 * radius, 1.4 * unit)
        for side in across(forward):
            corners = outline(USUAL)
            around = position + size * (corners[:, :1] * forward + corners[:, 1:] * side)
            lines.lines.append(np.concatenate([around, around[:1]]))


# ---------------------------------------------------------------------------------------------------- in pictures


def sketches_of(world: World, which: Any) -> tuple[Sketch, ...]:
    """The sketches of vehicles in a world, between steps; arguments and errors are those of `selected_ids`."""
    ids_of = selected_ids(world, which, "sketch")
    there = {name: ids[np.isin(ids, world[name].id)] for name, ids in ids_of.items()}
    return tuple(each for name, ids in there.items() if len(ids) for each in world.sketch(name, ids))


def seconds_of(sketches: Iterable[Sketch], span: float) -> float:
    """How long velocities are drawn [s]: 1, where that can be seen in a picture of a width [m]; else 2, 5, 0.5, ..."""
    lines = [
        float(np.max(np.linalg.norm(shape.value, axis=1) * shape.as_speed))
        for each in sketches
        for shape in each.shapes
        if isinstance(shape, ScaledArrow)
    ]
    fastest = max(lines, default=0.0)
    if fastest == 0 or SHORTEST * span <= fastest <= LONGEST * span:
        return 1.0
    most = 0.75 * LONGEST * span / fastest
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= most)


def places_of(sketches: Iterable[Sketch]) -> Iterator[Array]:
    """Places that a picture of sketches must show [m]: where vehicles will be, or want to go; each of shape (k, d)."""
    for each in sketches:
        for shape in each.shapes:
            if shape.role in ("predicted", "target", "chosen") and isinstance(shape, (Cross, Pose)):
                yield getattr(shape, shape.places[0])

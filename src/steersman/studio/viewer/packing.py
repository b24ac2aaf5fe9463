"""Packing messages to the page: scenes as JSON, with arrays in base64, and frames as bytes. See docs/viewer.md."""

import dataclasses
import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from steersman.core.environment.domains.bounds import bounds
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.drawing.contents import Contents
from steersman.drawing.description import (
    UNIT,
    Description,
    axes_of,
    body_glyphs,
    describe,
    drawable,
    glyph_in,
    lengths_in,
)
from steersman.drawing.elements import Glyphs, Texts
from steersman.drawing.glyphs import HEIGHT, HEIGHTS, STANDING, tinted_triangles
from steersman.drawing.palette import colors_of
from steersman.studio.viewer.element_messages import element_of, note_messages, packed
from steersman.studio.viewer.labels import grounds_of

SHOWN = 100_000
"""Largest number of vehicles of a population that are sent; of more, an even sample."""

FOLLOWED = 400
"""Largest number of vehicles of a population that leave a trail."""

CODED = 2_000
"""Smallest population of which places and headings are sent as 16-bit numbers, where the picture is the same."""

FEWEST = 2_000
"""Smallest population of which only those within the views of the pages are sent."""

FINE = 0.25
"""Largest difference of a place that cannot be seen, in pixels."""

BETWEEN = (16, 128)
"""Largest number of steps between two frames of which the page gets positions for trails: of many vehicles, and of few, whose
trails are smooth also where the world runs much faster than frames are sent, as on its way to where it opens."""


def scene_of(contents: Contents, about: Mapping[str, Any]) -> dict[str, Any]:
    """A scene as JSON: everything but the vehicles, their trails and the forces.

    Args:
        contents: The contents.
        about: Other entries of the message.
    """
    description = describe(dataclasses.replace(contents, trails=None, forces=None, moving_notes=()), notes=False)
    d, style = description.dimensions, contents.style
    colors = colors_of(contents.vehicles, contents.colors)
    glyphs = {name: glyph_in(contents, name, 2.0 * description.reach) for name in contents.vehicles}
    return {
        "type": "scene",
        "title": contents.title,
        "dimensions": d,
        "low": description.low.tolist(),
        "high": description.high.tolist(),
        "middle": description.middle.tolist(),
        "reach": description.reach,
        "limited": bool(np.isfinite(bounds(contents.domain, d)[1]).all()),
        "ground": description.ground,
        "wet": d == 3 and "water" in (style.looks or {}).values(),
        "azimuth": style.azimuth,
        "elevation": style.elevation,
        "trails": style.trails,
        "dots": style.dots,
        "to_scale": style.to_scale,
        "close_up": style.close_up,
        "period": [float(each or 0.0) for each in contents.domain.wrap(d, np.float64)[0]],
        "elements": elements_of(description, contents.notes),
        "populations": [
            {
                "name": name,
                "color": colors[name],
                "shape": glyphs[name],
                "high": HEIGHTS.get(glyphs[name], HEIGHT),
                "stands": glyphs[name] in STANDING,
                "max_speed": _largest(vehicles.max_speed),
            }
            for name, vehicles in contents.vehicles.items()
        ],
        "shapes": {name: packed(tinted_triangles(name, d)) for name in glyphs.values()},
        **about,
    }


def elements_of(description: Description, notes: Iterable[Any] = ()) -> list[dict[str, Any]]:
    """The elements of a picture except vehicles and their bodies, and those of notes, as messages."""
    moving = (
        2 if description.dimensions == 2 else 4
    )  # In the plane only vehicles are glyphs; in space those above others.
    notes = list(notes)
    standing = [
        element_of(each) | ({"on": grounds_of(each, description, notes)} if isinstance(each, Texts) else {})
        for each in description.elements
        if not (isinstance(each, Glyphs) and each.layer >= moving)
    ]
    return [*standing, *note_messages(notes, UNIT * description.span)]


def _largest(limits: Array) -> float:
    """The largest finite limit; 1 without any."""
    return float(limits[np.isfinite(limits)].max(initial=0.0)) or 1.0


def frame_of(
    contents: Contents,
    span: float,
    about: Mapping[str, Any],
    *,
    velocity: bool = False,
    pixel: float = 0.0,
    views: Sequence[Array] | None = None,
    always: tuple[str, int] | None = None,
) -> bytes:
    """The present state of all vehicles: the length of a JSON head, the head, and columns of float32, but for ids.

    Args:
        contents: The contents.
        span: Width of the picture [m], which sets the smallest visible size of vehicles.
        about: Other entries of the head: the time, the number of steps.
        velocity: Whether velocities are sent, too.
        pixel: Size of a pixel of the picture [m]: coarser differences cannot be seen.
        views: The views of pages, each as planes, shape (planes, d + 1): of large populations only the vehicles within are
            sent. Default: all are.
        always: Population and id of a vehicle that is sent in any case.
    """
    heads, columns = [], []
    for name, vehicles in contents.vehicles.items():
        rows: Any = drawable(vehicles, SHOWN)
        count = len(rows)
        rows = slice(None) if count == len(vehicles) else rows
        sizes = lengths_in(contents, name, span)
        if views is not None and count >= FEWEST:
            own = always[1] if always is not None and always[0] == name else None
            rows = _in_view(vehicles, sizes, rows, views, own)
        broad = (
            vehicles.dimensions == 2
            and body_glyphs(vehicles, (0, 0, 0), span, to_scale=contents.style.to_scale) is not None
        )
        ids, sizes, places, headings = vehicles.id[rows], sizes[rows], vehicles.position[rows], vehicles.forward[rows]
        head = {"name": name, "n": len(ids), "d": vehicles.dimensions, "broad": broad, "velocity": velocity}
        head |= {"of": count} if len(ids) < count else {}
        axis = axes_of(vehicles, rows) if broad else None
        head |= {} if axis is None else {"long": True}
        coded = _coded(places, headings, pixel) if len(ids) >= CODED else None
        parts = [ids, sizes]
        if coded is not None:
            parts = [np.zeros(0)] * 2
            head |= coded[0] | {"first": int(ids[0]), "size": float(sizes[0])}
            if len(ids) != ids[-1] - ids[0] + 1 or (np.diff(ids) != 1).any():
                head["first"], parts[0] = None, ids
            if (sizes != sizes[0]).any():
                head["size"], parts[1] = None, sizes
        parts += [2 * vehicles.radius[rows]] if broad else []
        parts += [] if axis is None else [axis]
        parts += [places, headings] if coded is None else []
        parts += [] if vehicles.dimensions == 2 else [vehicles.up[rows]]
        parts += [vehicles.velocity[rows]] if velocity else []
        columns += [_as_column(part) for part in parts]
        columns += [] if coded is None else [coded[1]]
        heads.append(head)
    return framed({**about, "populations": heads}, columns)


def _in_view(vehicles: Vehicles, sizes: Array, rows: Any, views: Sequence[Array], own: int | None) -> Any:
    """Those of some rows that a view shows, and the row of an id in any case."""
    axes, room = [np.ascontiguousarray(axis) for axis in vehicles.position[rows].T], float(sizes.max())
    visible = np.zeros(len(axes[0]), bool)
    with np.errstate(all="ignore"):  # Planes are those of a page.
        for planes in views:
            within = np.ones(len(visible), bool)
            for *normal, offset in planes.tolist():
                away = sum(
                    (part * axis for part, axis in zip(normal, axes, strict=True) if part), np.zeros(1, axes[0].dtype)
                )
                within &= away >= -offset - room * float(np.linalg.norm(normal))
            visible |= within
    if own is not None:
        visible |= vehicles.id[rows] == own
    return rows if visible.all() else np.flatnonzero(visible) if isinstance(rows, slice) else rows[visible]


def _coded(places: Array, headings: Array, pixel: float) -> tuple[dict[str, Any], Array] | None:
    """Places and headings as 16-bit numbers, and the `low` corner and `step` of the places; None where that can be seen."""
    low = places.min(axis=0)
    step = float((places.max(axis=0) - low).max()) / 65535
    if not 0 < step <= FINE * pixel:
        return None
    numbers = np.empty((2, *places.shape), np.uint16)
    numbers[0] = (places - low) * (1 / step) + 0.5
    numbers[1] = headings * 32767 + 32768.5
    return {"low": low.tolist(), "step": step}, numbers


class Track:
    """Where vehicles have been at the steps since the last frame, for trails: of large populations, an even sample."""

    def __init__(self) -> None:
        self._every, self._moments = 1, list[tuple[int, float, list[tuple[str, int, Array, Array]]]]()

    def add(self, steps: int, time: float, vehicles: Mapping[str, Vehicles]) -> None:
        """Note the positions after a step; of very many steps between two frames, an even sample."""
        if steps % self._every:
            return
        places = []
        for name, each in vehicles.items():
            rows = slice(None, None, max(1, -(-len(each) // FOLLOWED)))
            places.append((name, each.dimensions, each.id[rows].copy(), each.position[rows].astype(np.float32)))
        self._moments.append((steps, time, places))
        least, most = BETWEEN
        count = sum(len(ids) for *_, ids, _ in places)
        if len(self._moments) > min(max(least, least * FOLLOWED // max(count, 1)), most):
            self._every *= 2
            self._moments = [each for each in self._moments if each[0] % self._every == 0]

    def clear(self) -> None:
        """Forget all positions."""
        self._every, self._moments = 1, []

    def packed(self, branch: int, cut: int) -> bytes | None:
        """The positions since the last call, in the form of frames; None without any.

        Args:
            branch, cut: The number of the run, and the step at which it has left the one before.
        """
        moments = self._moments
        self.clear()
        if not moments:
            return None
        heads = [
            {
                "time": time,
                "steps": steps,
                "populations": [{"name": name, "n": len(ids), "d": d} for name, d, ids, _ in of],
            }
            for steps, time, of in moments
        ]
        columns = [_as_column(each) for *_, of in moments for _, _, ids, at in of for each in (ids, at)]
        return framed({"track": heads, "branch": branch, "cut": cut}, columns)


def _as_column(values: Array) -> Array:
    """Values as they are sent: ids as uint32, which has all of them, and others as float32."""
    return np.ascontiguousarray(values, np.uint32 if values.dtype.kind in "iu" else np.float32)


def framed(head: Mapping[str, Any], columns: Sequence[Array]) -> bytes:
    """A head as JSON, padded so that the columns begin at a multiple of four bytes, and the columns."""
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([struct.pack("<I", len(text)), text, *[column.tobytes() for column in columns]])

"""Outlines: lines, arrows, marks as polygons [pixels] that only have to be filled.

Rings that together are one shape turn the same way, so that an area covered by two of them is filled once.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.typing import Array

THIN = 1.3
"""Lines as wide as this [pixels] have ends and joints that can be told from none."""


GENTLE = 0.7
"""Cosine of the turn beyond which two segments share an edge; at sharper turns a disc lies on the joint."""


class Shapes(NamedTuple):
    """Shapes to be filled, each of one color and of one ring or several.

    Attributes:
        points: Corners of the rings [pixels], shape (m, 2).
        counts: Corners of each ring, shape (r,).
        rings: Rings of each shape, shape (s,).
    """

    points: Array
    counts: Array
    rings: Array

    @classmethod
    def alike(cls, polygons: Array) -> Self:
        """Shapes of a ring each, all of as many corners, shape (s, k, 2)."""
        s, k, _ = polygons.shape
        return cls(polygons.reshape(-1, 2), np.full(s, k), np.ones(s, np.int64))

    @classmethod
    def each(cls, polygons: Any) -> Self:
        """Shapes of a ring each."""
        if isinstance(polygons, np.ndarray):
            return cls.alike(polygons)
        points = np.concatenate([np.zeros((0, 2)), *polygons])
        return cls(points, np.array([len(each) for each in polygons], np.int64), np.ones(len(polygons), np.int64))

    @classmethod
    def together(cls, polygons: Sequence[Array]) -> Self:
        """One shape of several rings."""
        several = cls.each(polygons)
        return cls(several.points, several.counts, np.array([len(several.counts)], np.int64))


def discs(centers: Array, radius: Any) -> Array:
    """Discs as polygons of corners enough for their size, shape (k, corners, 2)."""
    radii = np.broadcast_to(np.asarray(radius, np.float64), len(centers))
    corners = int(np.clip(4.0 * np.sqrt(radii.max(initial=1.0)) + 4, 8, 96))
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.asarray(centers[:, None] + radii[:, None, None] * circle)


def strips(starts: Array, ends: Array, width: Any) -> Array:
    """Segments of a width as rectangles, which turn as discs do, shape (k, 4, 2)."""
    ahead = ends - starts
    size = np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-9)
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * (0.5 * np.asarray(width) / size)[:, None]
    return np.stack([starts - across, ends - across, ends + across, starts + across], axis=1)


def stroke(line: Array, width: float, *, closed: bool = False, round_ends: bool = False) -> Shapes:
    """A line of a width, with round joints, as one shape.

    Args:
        line: Its points, shape (k, 2).
        width: Its width.
        closed: Whether it goes on from the last to the first.
        round_ends: Whether its ends are round.
    """
    distinct = np.ones(len(line), bool)
    distinct[1:] = np.any(np.diff(line, axis=0) != 0, axis=1)
    points = line[distinct]
    points = np.concatenate([points, points[:1]]) if closed else points
    if len(points) < 2:
        return _joined([discs(points, width / 2)] if round_ends else [])
    ahead = np.diff(points, axis=0)
    size = np.hypot(ahead[:, 0], ahead[:, 1])
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * (0.5 * width / np.maximum(size, 1e-9))[:, None]
    starts, ends = across.copy(), across.copy()
    first, last = (
        (np.arange(len(size)) - 1, np.arange(len(size)))
        if closed
        else (np.arange(len(size) - 1), np.arange(1, len(size)))
    )
    cosine = np.sum(across[first] * across[last], axis=1) / (0.5 * width) ** 2
    reach = 0.5 * width * np.sqrt(np.maximum(1 - cosine, 0) / np.maximum(1 + cosine, 1e-9))
    gentle = (cosine > GENTLE) & (reach < 0.5 * np.minimum(size[first], size[last]))
    shared = (across[first] + across[last]) / np.maximum(1 + cosine, 1e-9)[:, None]
    ends[first[gentle]], starts[last[gentle]] = shared[gentle], shared[gentle]
    begin, end = points[:-1], points[1:]
    quads = np.stack([begin - starts, end - ends, end + ends, begin + starts], axis=1)
    if width < THIN:
        return _joined([quads])
    joints = begin[last[~gentle]]
    if round_ends and not closed:
        joints = np.concatenate([joints, points[[0, -1]]])
    return _joined([quads, discs(joints, width / 2)])


def with_rims(polygons: Array, width: float, *, apart: bool = False) -> Shapes:
    """Polygons of as many corners each, with edges of a width, without joints.

    Args:
        polygons: Their corners, shape (s, k, 2).
        width: The width.
        apart: Whether the edges are shapes of their own, each after its polygon.
    """
    s, k, _ = polygons.shape
    quads = strips(polygons.reshape(-1, 2), np.roll(polygons, -1, axis=1).reshape(-1, 2), width)
    points = np.concatenate([polygons, quads.reshape(s, 4 * k, 2)], axis=1)
    rings = np.tile([1, k], s) if apart else np.full(s, k + 1)
    return Shapes(points.reshape(-1, 2), np.tile([k, *[4] * k], s), rings)


def _joined(parts: Sequence[Array]) -> Shapes:
    """Polygons of several kinds as one shape."""
    points = np.concatenate([np.zeros((0, 2)), *(part.reshape(-1, 2) for part in parts)])
    counts = np.concatenate([np.zeros(0, np.int64), *(np.full(len(part), part.shape[1]) for part in parts)])
    return Shapes(points, counts, np.array([len(counts)], np.int64))


def dashed(line: Array, on: float, off: float) -> list[Array]:
    """The dashes of a line, shape (k, 2) each.

    Args:
        line: Its points, shape (k, 2).
        on, off: Lengths of dashes and of gaps.
    """
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    if not len(line) or not np.isfinite(way[-1]) or way[-1] > 4000 * (on + off):
        return [line]
    begins = np.arange(0.0, way[-1], on + off)
    ends = np.minimum(begins + on, way[-1])
    cuts = np.stack([begins, ends], axis=1)
    dashes = list(np.stack([np.interp(cuts, way, line[:, 0]), np.interp(cuts, way, line[:, 1])], axis=2))
    low, high = np.searchsorted(way, begins, "right"), np.searchsorted(way, ends, "left")
    for k in np.flatnonzero(high > low).tolist():
        dashes[k] = np.concatenate([dashes[k][:1], line[low[k] : high[k]], dashes[k][1:]])
    return dashes


def arrows(tails: Array, tips: Array, width: float) -> Array:
    """Arrows as polygons, shape (k, 7, 2). Short ones are small as a whole.

    Args:
        tails, tips: Where they begin and end, shape (k, 2).
        width: Width of shafts.
    """
    ahead = tips - tails
    size = np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-9)
    along = ahead / size[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    w = np.minimum(width, size / (MIN_SHAFT * HEAD_LENGTH))
    neck, back = size - HEAD_AXIS * w, size - HEAD_LENGTH * w
    half, wide = 0.5 * w, 0.5 * HEAD_WIDTH * w
    zero = np.zeros(len(size))
    places = [(zero, -half), (neck, -half), (back, -wide), (size, zero), (back, wide), (neck, half), (zero, half)]
    return np.stack([tails + x[:, None] * along + y[:, None] * across for x, y in places], axis=1)


HEAD_WIDTH, HEAD_LENGTH, HEAD_AXIS, MIN_SHAFT = 5.0, 6.0, 5.2, 1.6
"""Of arrows: the width of heads, their length at the sides and in the middle, in widths of shafts; and how long shafts are
at least, in lengths of heads."""


def crosses(places: Array, size: Any, width: float) -> Shapes:
    """Upright crosses of a size, one shape each."""
    half = np.broadcast_to(0.5 * np.asarray(size, np.float64), len(places))[:, None]
    one = strips(places - half * [1.0, 0.0], places + half * [1.0, 0.0], width)
    other = strips(places - half * [0.0, 1.0], places + half * [0.0, 1.0], width)
    both = np.stack([one, other], axis=1)
    return Shapes(both.reshape(-1, 2), np.full(2 * len(places), 4), np.full(len(places), 2))


def hoops(places: Array, diameter: Any, width: float) -> Iterable[Shapes]:
    """Circles of a diameter."""
    sizes = np.broadcast_to(np.asarray(diameter, np.float64), len(places))
    for place, size in zip(places, sizes, strict=True):
        yield stroke(discs(place[None], size / 2)[0], width, closed=True)

"""Outlines of walls: chains of points, out of arrays and GeoJSON; which way rings face; whether they touch themselves."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path as File
from typing import Any

import numpy as np

from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array

Chain = tuple[Array, bool]
"""Points [m], shape (k, 2), and whether the last is joined to the first."""


def _flags(closed: Any) -> list[Any]:
    """The items of a list; none of anything else."""
    listed = isinstance(closed, (list, tuple)) or (isinstance(closed, np.ndarray) and closed.ndim == 1)
    return list(closed) if listed else []


def as_chains(points: Any, closed: Any) -> list[Chain]:
    """Chains of at least two points out of segments (m, 2, 2), one chain (k, 2), or a list of chains.

    Points that repeat the one before are dropped, and so is the last one of a ring that repeats the first.

    Raises:
        ValueError: A chain is too short or not flat.
    """
    try:
        whole = np.asarray(points)
    except Exception:  # Chains of different lengths, or whatever else is no array.
        whole = np.zeros(0)
    if whole.dtype.kind in "fiu" and whole.ndim == 2:
        points = [points]
    if not isinstance(points, (list, tuple, np.ndarray)) or getattr(points, "ndim", 1) == 0 or len(points) == 0:
        raise ValueError(
            f"points must be at least one chain of points (k, 2), or segments (m, 2, 2), got {brief(points)}"
        )
    flags = [closed] * len(points) if isinstance(closed, (bool, np.bool_)) else _flags(closed)
    if len(flags) != len(points) or not all(isinstance(flag, (bool, np.bool_)) for flag in flags):
        raise TypeError(f"closed must be true or false, or one such a chain ({len(points)}), got {brief(closed)}")
    name = "points" if len(points) == 1 else "points[{}]"
    return [
        _as_chain(name.format(k), each, bool(flag)) for k, (each, flag) in enumerate(zip(points, flags, strict=True))
    ]


def _as_chain(name: str, points: Any, closed: bool) -> Chain:
    chain = as_floats(name, points, np.float64)
    if chain.ndim != 2 or chain.shape[1] != 2:
        raise ValueError(f"{name} must have shape (k, 2) (walls are flat; in 3D use TriangleMesh), got {chain.shape}")
    if len(chain) > 2 or (closed and len(chain)):
        chain = chain[np.append(True, np.any(chain[1:] != chain[:-1], axis=1))]
    if closed and len(chain) > 1 and np.array_equal(chain[0], chain[-1]):
        chain = chain[:-1]
    least = 3 if closed else 2
    if len(chain) < least:
        raise ValueError(
            f"{name} must be at least {least} different points{' of a ring' if closed else ''}, got {len(chain)}"
        )
    return chain, closed


# ------------------------------------------------------------------------------------------------------------ GeoJSON


def read_geojson(source: Any) -> Mapping[str, Any]:
    """A GeoJSON document, out of a file or as it is.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no JSON object, or too large for the memory.
    """
    if isinstance(source, Mapping):
        return source
    file = File(source)
    if not file.is_file():
        raise FileNotFoundError(f"path must name a GeoJSON file, got {str(file)!r}, which does not exist")
    check_bytes(f"{file} must be smaller", "what it holds", file.stat().st_size * GROWTH)
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file} must be a GeoJSON file: {error}") from None
    if not isinstance(document, Mapping):
        raise ValueError(f"{file} must hold a GeoJSON object, got {type(document).__name__}")
    return document


GROWTH = 30
"""How much more memory than its text a document takes, about."""

HOLDERS = {"FeatureCollection": "features", "GeometryCollection": "geometries", "Feature": "geometry"}
"""The GeoJSON types that contain others, and the names of their members."""

DEPTHS = {
    "LineString": (0, False),
    "MultiLineString": (1, False),
    "LinearRing": (0, True),
    "Polygon": (1, True),
    "MultiPolygon": (2, True),
}
"""How deep the chains of a geometry lie, and whether they are rings."""


def geojson_chains(document: Any, where: str = "geometry") -> Iterator[tuple[Any, bool]]:
    """All chains of a GeoJSON object; heights are left out.

    Raises:
        ValueError: A geometry in it is neither a line nor a polygon, or has no coordinates.
    """
    kind = document.get("type") if isinstance(document, Mapping) else document
    if isinstance(kind, str) and kind in HOLDERS:
        held = document.get(HOLDERS[kind])
        for k, each in enumerate(held if isinstance(held, (list, tuple)) else [held]):
            if each is not None:
                yield from geojson_chains(each, f"{where}.{HOLDERS[kind]}[{k}]")
        return
    if not isinstance(kind, str) or kind not in DEPTHS:
        raise ValueError(f"{where} must consist of lines and polygons, got {brief(kind)}; leave it out before")
    depth, closed = DEPTHS[kind]
    try:
        chains = [document["coordinates"]]
        for _ in range(depth):
            chains = [inner for outer in chains for inner in outer]
        flat = [[point[:2] for point in chain] for chain in chains]
    except (KeyError, TypeError):
        nested = ("a list of positions", "a list of lists of positions", "a list of lists of rings")[depth]
        got = document.get("coordinates")
        raise ValueError(f"{where} must have coordinates, which are {nested} for a {kind}, got {got!r}") from None
    for chain in flat:
        yield chain, closed


# -------------------------------------------------------------------------------------------------------------- rings


def facing_out(rings: list[Array]) -> list[bool]:
    """Whether the outside of each ring is to the right of it.

    Rings may lie in each other: between the first two is solid, then comes a hole, and so on.
    """
    deep = [
        sum(bool(is_within(0.5 * (ring[:1] + ring[1:2]), other)[0]) for other in rings if other is not ring)
        if len(rings) > 1 else 0
        for ring in rings
    ]  # fmt: skip
    return [(area(ring) > 0) == (depth % 2 == 0) for ring, depth in zip(rings, deep, strict=True)]


def area(ring: Array) -> float:
    """Twice the area inside a ring [m^2], negative when it goes clockwise."""
    here = ring - ring[0]
    after = np.roll(here, -1, axis=0)
    return float(np.sum(here[:, 0] * after[:, 1] - here[:, 1] * after[:, 0]))


def is_within(points: Array, ring: Array) -> Array:
    """Which points lie in a ring, by the crossings of a ray, shape (n,)."""
    x, y = points[:, None, 0], points[:, None, 1]
    a, b = ring, np.roll(ring, -1, axis=0)
    spans = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(b[:, 1] == a[:, 1], 1.0, b[:, 1] - a[:, 1])
    crosses = spans & (x < a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / rise)
    return np.asarray(crosses.sum(axis=1) % 2 == 1)


def near_pairs(start: Array, stop: Array) -> Iterator[tuple[Array, Array]]:
    """Pairs of segments with boxes that meet, some at a time."""
    low, high = np.minimum(start, stop), np.maximum(start, stop)
    order = np.argsort(low[:, 0], kind="stable")
    for shift in range(1, len(order)):
        i, j = order[:-shift], order[shift:]
        close = low[j, 0] <= high[i, 0]
        if not close.any():
            return
        i, j = i[close], j[close]
        meet = (low[i, 1] <= high[j, 1]) & (low[j, 1] <= high[i, 1])
        yield i[meet], j[meet]


def turn(a: Array, b: Array, c: Array) -> Array:
    """Twice the area of triangles, positive when they turn left [m^2]."""
    u, v = b - a, c - a
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])


def check_rings(rings: list[Array]) -> None:
    """Check that no ring touches itself, and that rings do not cross.

    Raises:
        ValueError: One does; the message says where.
    """
    start, stop = np.concatenate(rings), np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
    size = np.array([len(ring) for ring in rings])
    ring, place = np.repeat(np.arange(len(rings)), size), np.concatenate([np.arange(k) for k in size])
    for i, j in near_pairs(start, stop):
        a, b, c, d = start[i], stop[i], start[j], stop[j]
        sides = [np.sign(turn(*three)) for three in ((a, b, c), (a, b, d), (c, d, a), (c, d, b))]
        same, apart = ring[i] == ring[j], np.abs(place[i] - place[j])
        beside = same & ((apart == 1) | (apart == size[ring[i]] - 1))
        ways = (b - a, d - c)
        folded = beside & (sides[0] == 0) & (sides[1] == 0) & (np.sum(ways[0] * ways[1], axis=1) < 0)
        meets = (sides[0] * sides[1] <= 0) & (sides[2] * sides[3] <= 0)
        crosses = (sides[0] * sides[1] < 0) & (sides[2] * sides[3] < 0)
        wrong = folded | (same & ~beside & meets) | (~same & crosses)
        if wrong.any():
            k = int(np.argmax(wrong))
            rule = "a ring must not touch itself" if same[k] else "rings must not cross"
            raise ValueError(f"points: {rule}, got one that does near {_corner(a[k], b[k], c[k], d[k])}")


def _corner(*points: Array) -> list[float]:
    """About where segments meet."""
    return [float(f"{x:.6g}") for x in np.mean(points, axis=0)]

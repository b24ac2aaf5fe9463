"""Portals: the places where bodies pass from a walkable triangle to the next, with enough clearance.

Two triangles are joined along an edge that they share. They are also joined where their edges coincide as seen from above and
are no more than a step apart in height: so a flight of stairs is a row of treads, and meshes of floors need not share their
vertices. All other edges are the rim. The pieces of a portal are its parts that are far enough from the rim.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.routes.triangulating import beside_of
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array

PIECES = 8
"""The most pieces of a portal."""

NODE = 200
"""The approximate memory of a node while a mesh is made [bytes]."""

HALVINGS = 50
"""The number of bisections that find the end of a piece between two places."""


class Portals(NamedTuple):
    """Portals and the rim.

    Attributes:
        triangle: The triangles on both sides, shape (p, 2), int32.
        end: The ends on both sides [m], shape (p, 2, 2, 3): of a portal from triangle A, the first is to the right.
        rim: Edges without a triangle beyond [m], shape (r, 2, 3).
        rim_triangle: The triangles that they belong to, shape (r,), int32.
    """

    triangle: Array
    end: Array
    rim: Array
    rim_triangle: Array


@kernel(exact=True)
def join(edge: Array, reach: Any, step: Any, pair: Array, part: Array) -> int:
    """Find the edges that lie above each other; how many pairs there are, of which those that fit are written.

    Args:
        edge: Edges without a triangle beyond [m], shape (m, 2, 3), their triangles to their left.
        reach: How far apart lines may be to count as one [m].
        step: How far apart they may be along z [m].
        pair: Written: rows of two edges, shape (k, 2), int64.
        part: Written: the part of the first one that they share, from 0 to 1, shape (k, 2).
    """
    count = 0
    for i in range(edge.shape[0]):
        ax, ay = edge[i, 0, 0], edge[i, 0, 1]
        dx, dy = edge[i, 1, 0] - ax, edge[i, 1, 1] - ay
        size = math.sqrt(dx * dx + dy * dy)
        dx, dy = dx / size, dy / size
        for j in range(i + 1, edge.shape[0]):
            cx, cy = edge[j, 0, 0] - ax, edge[j, 0, 1] - ay
            if abs(dx * cy - dy * cx) > reach:
                continue
            ex, ey = edge[j, 1, 0] - ax, edge[j, 1, 1] - ay
            if abs(dx * ey - dy * ex) > reach:
                continue
            first, last = dx * ex + dy * ey, dx * cx + dy * cy
            low, high = max(first, 0.0), min(last, size)
            if not high - low > 2.0 * reach:
                continue
            most, rise = 0.0, edge[i, 1, 2] - edge[i, 0, 2]
            for at in (low, high):
                own = edge[i, 0, 2] + rise * at / size
                other = edge[j, 1, 2] + (edge[j, 0, 2] - edge[j, 1, 2]) * (at - first) / (last - first)
                most = max(most, abs(own - other))
            if most > step:
                continue
            if count < pair.shape[0]:
                pair[count, 0], pair[count, 1] = i, j
                part[count, 0], part[count, 1] = low / size, high / size
            count += 1
    return count


def portals_of(point: Array, triangle: Array, step: float, reach: float) -> Portals:
    """The portals of a mesh of walkable triangles, and its rim.

    Args:
        point: Vertices [m], shape (v, 3).
        triangle: Walkable triangles, counter-clockwise seen from above, shape (t, 3).
        step: The highest step between two triangles [m].
        reach: How far apart lines may be to count as one [m].
    """
    beside = beside_of(triangle)
    t, e = np.nonzero(beside >= 0)
    one_way = t < beside[t, e]
    t, e = t[one_way], e[one_way]
    ends = point[np.stack([triangle[t, e], triangle[t, (e + 1) % 3]], axis=1)]
    shared = np.stack([ends, ends], axis=1)
    pairs = np.stack([t, beside[t, e]], axis=1)

    t, e = np.nonzero(beside < 0)
    edge = np.ascontiguousarray(point[np.stack([triangle[t, e], triangle[t, (e + 1) % 3]], axis=1)])
    count = 4 * len(edge) + 16
    while True:
        pair, part = np.zeros((count, 2), np.int64), np.zeros((count, 2))
        total = int(join(edge, reach, step, pair, part))
        if total <= count:
            break
        count = total
    pair, part = pair[:total], part[:total]
    near, far = edge[pair[:, 0]], edge[pair[:, 1]]
    own = near[:, :1] + part[:, :, None] * (near[:, 1:] - near[:, :1])
    way = far[:, 0] - far[:, 1]  # The other way round, seen from the first triangle.
    along = way[:, None, :2] * (own[..., :2] - far[:, 1:, :2])
    at = np.clip(along.sum(axis=2) / (way[:, None, :2] ** 2).sum(axis=2), 0, 1)
    other = far[:, 1:] + at[..., None] * way[:, None]
    rim, of = _left_over(edge, np.concatenate([pair[:, 0], pair[:, 1]]), np.concatenate([part, 1 - at[:, ::-1]]))
    return Portals(
        np.concatenate([pairs, t[pair]]).astype(np.int32).reshape(-1, 2),
        np.concatenate([shared, np.stack([own, other], axis=1)]).reshape(-1, 2, 2, 3),
        rim,
        t[of].astype(np.int32),
    )


def _left_over(edge: Array, row: Array, part: Array) -> tuple[Array, Array]:
    """What is left of edges without some parts [m], shape (r, 2, 3), and the rows of these edges."""
    pieces, rows = [], []
    order = np.lexsort([part[:, 0], row])
    first = np.searchsorted(row[order], np.arange(len(edge) + 1))
    for i, (a, b) in enumerate(edge):
        begin = 0.0
        for low, high in [*part[order[first[i] : first[i + 1]]], (1.0, 1.0)]:
            if low - begin > 1e-9:
                pieces.append([a + begin * (b - a), a + low * (b - a)])
                rows.append(i)
            begin = max(begin, high)
    return np.array(pieces).reshape(-1, 2, 3), np.array(rows, np.int64)


@kernel(exact=True)
def off_segment(ax: Any, ay: Any, az: Any, rim: Array, r: int) -> Any:
    """The distance of a point from a segment of the rim [m]."""
    dx, dy, dz = rim[r, 1, 0] - rim[r, 0, 0], rim[r, 1, 1] - rim[r, 0, 1], rim[r, 1, 2] - rim[r, 0, 2]
    px, py, pz = ax - rim[r, 0, 0], ay - rim[r, 0, 1], az - rim[r, 0, 2]
    s = min(max((px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz), 0.0), 1.0)
    px, py, pz = px - s * dx, py - s * dy, pz - s * dz
    return math.sqrt(px * px + py * py + pz * pz)


@kernel(exact=True)
def off_portal(end: Array, p: int, s: Any, rim: Array, r: int) -> Any:
    """The distance of a place of a portal from a segment of the rim [m]."""
    x = end[p, 0, 0, 0] + s * (end[p, 0, 1, 0] - end[p, 0, 0, 0])
    y = end[p, 0, 0, 1] + s * (end[p, 0, 1, 1] - end[p, 0, 0, 1])
    z = end[p, 0, 0, 2] + s * (end[p, 0, 1, 2] - end[p, 0, 0, 2])
    return off_segment(x, y, z, rim, r)


@kernel(exact=True)
def edge_of_room(end: Array, p: int, inside: Any, outside: Any, rim: Array, r: int, clearance: Any) -> Any:
    """The place where a portal comes too near to the rim, between a place that is too near and one that is not."""
    for _ in range(HALVINGS):
        middle = 0.5 * (inside + outside)
        if off_portal(end, p, middle, rim, r) < clearance:
            inside = middle
        else:
            outside = middle
    return outside


@row_kernel(exact=True)
def find_pieces(p: int, end: Array, rim: Array, clearance: Any, piece: Array, count: Array) -> None:
    """The pieces of portals that are far enough from the rim.

    The distance from a segment is convex along a portal: so each takes one interval out of it.

    Args:
        p: The portal.
        end: The ends of portals [m], shape (n, 2, 2, 3).
        rim: Segments [m], shape (r, 2, 3).
        clearance: How near a place may be [m].
        piece: Written: where each piece begins and ends, from 0 to 1, shape (n, PIECES, 2).
        count: Written: how many there are, shape (n,), int64.
    """
    piece[p, 0, 0], piece[p, 0, 1], number = 0.0, 1.0, 1
    mx, my = 0.5 * (end[p, 0, 0, 0] + end[p, 0, 1, 0]), 0.5 * (end[p, 0, 0, 1] + end[p, 0, 1, 1])
    mz = 0.5 * (end[p, 0, 0, 2] + end[p, 0, 1, 2])
    half = math.sqrt(
        (mx - end[p, 0, 0, 0]) ** 2 + (my - end[p, 0, 0, 1]) ** 2 + (mz - end[p, 0, 0, 2]) ** 2
    )  # fmt: skip
    for r in range(rim.shape[0]):
        if off_segment(mx, my, mz, rim, r) >= clearance + half:
            continue
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):  # The nearest place, by thirds.
            a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
            if off_portal(end, p, a, rim, r) < off_portal(end, p, b, rim, r):
                high = b
            else:
                low = a
        near = 0.5 * (low + high)
        for at in (0.0, 1.0):
            if off_portal(end, p, at, rim, r) < off_portal(end, p, near, rim, r):
                near = at
        if off_portal(end, p, near, rim, r) >= clearance:
            continue
        first, last = 0.0, 1.0
        if off_portal(end, p, 0.0, rim, r) >= clearance:
            first = edge_of_room(end, p, near, 0.0, rim, r, clearance)
        else:
            first = -1.0
        if off_portal(end, p, 1.0, rim, r) >= clearance:
            last = edge_of_room(end, p, near, 1.0, rim, r, clearance)
        else:
            last = 2.0
        k = 0
        while k < number:
            a, b = piece[p, k, 0], piece[p, k, 1]
            if b <= first or a >= last:
                k += 1
            elif a < first and b > last and number < PIECES:
                piece[p, k, 1] = first
                piece[p, number, 0], piece[p, number, 1] = last, b
                number += 1
                k += 1
            elif a < first:
                piece[p, k, 1] = first
                k += 1
            elif b > last:
                piece[p, k, 0] = last
                k += 1
            else:
                number -= 1
                piece[p, k, 0], piece[p, k, 1] = piece[p, number, 0], piece[p, number, 1]
    count[p] = number


class Nodes(NamedTuple):
    """Pieces of portals, and the nodes that ways lead over.

    Attributes:
        portal: The portal that each piece belongs to, shape (q,), int64.
        end: The ends of the pieces on both sides [m], shape (q, 2, 2, 3).
        piece: The piece that each node is in, shape (k,), int32.
        point: Where nodes are on both sides [m], shape (k, 2, 3).
    """

    portal: Array
    end: Array
    piece: Array
    point: Array


def nodes_of(portals: Portals, clearance: float, spacing: float | None) -> Nodes:
    """The pieces of portals with room, and nodes on them.

    Args:
        portals: The portals and the rim.
        clearance: How near bodies may come to the rim [m].
        spacing: How far apart nodes are at most [m]. Default: a third of the mean length of a piece.

    Raises:
        ValueError: There would be more nodes than fit into memory.
    """
    n = len(portals.end)
    piece, count = np.zeros((n, PIECES, 2)), np.zeros(n, np.int64)
    Call(find_pieces, (portals.end, portals.rim, clearance, piece, count)).run(n)
    portal, k = np.nonzero(np.arange(PIECES) < count[:, None])
    part = piece[portal, k]
    begin, end = portals.end[portal, :, 0, None], portals.end[portal, :, 1, None]
    ends = begin + part[:, None, :, None] * (end - begin)
    length = np.linalg.norm(ends[:, 0, 1] - ends[:, 0, 0], axis=1)
    apart = spacing or max(float(length.mean()) / 3 if len(length) else 1.0, 1e-9)
    with np.errstate(over="ignore"):
        nodes = float(np.ceil(length / apart).sum())
    check_bytes("spacing must be larger", f"{nodes:,.0f} nodes on the edges of triangles", NODE * nodes)
    at, rows = [], []
    for q, (size, (low, high)) in enumerate(zip(length, part, strict=True)):
        inner = max(int(np.ceil(size / apart - 1e-9)), 1)
        places = (np.arange(inner) + 0.5) / inner
        # Ways bend where a piece ends at the rim: there is a node, too.
        fractions = [*([0.0] if low > 0 else []), *places, *([1.0] if high < 1 else [])]
        at.append(fractions)
        rows.append(np.full(len(fractions), q))
    which = np.concatenate([np.zeros(0, int), *rows]).astype(np.int32)
    along = np.concatenate([np.zeros(0), *at])[:, None, None]
    point = ends[which, :, 0] + along * (ends[which, :, 1] - ends[which, :, 0])
    return Nodes(portal, ends, which, point)

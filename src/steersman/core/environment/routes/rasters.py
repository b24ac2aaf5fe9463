"""Rasters: the room around each node of a grid, and the cost there."""

from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import new_nearest
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.regions.region import Region
from steersman.core.environment.routes.eikonal import march, new_waiting
from steersman.core.environment.routes.route_map import run
from steersman.core.environment.shape import new_foot
from steersman.core.environment.surface import Surface
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.arrays import as_floats
from steersman.core.typing import Array

BLOCK = 8
"""The number of nodes along the edge of a block. The middle of a block is computed first."""


def distances(obstacles: Obstacles | None, region: Region | None, x: Array, y: Array, reach: Array) -> Array:
    """How far places are from everything in the way [m], negative inside of it, shape (k,); as far as `reach` [m].

    Bodies that are seen from outside are solid; of all others the surface alone is in the way, and it is from both sides.
    All their parts count, those that are switched off, too.
    """
    n = len(x)
    room = np.full(n, np.inf)
    all_rows = np.ones(n, np.uint8)
    for some in obstacles.sets if obstacles is not None else ():
        each = some.whole()
        answer = new_nearest(n, 2, np.float64)
        run(each.nearest_calls((x, y), reach, all_rows, np.zeros((2, 2)), answer), n)
        solid = each.is_closed and each.seen_from == "outside"
        np.minimum(room, answer.distance if solid else np.abs(answer.distance), out=room)
    if region is not None:
        foot = new_foot(n, 2, np.float64)
        run(region.foot_calls((x, y), foot), n)
        np.minimum(room, -foot.distance, out=room)
    return room


@row_kernel
def places_of(k: int, nodes: Array, columns: int, low: Array, spacing: float, x: Array, y: Array) -> None:
    """The positions of nodes [m]."""
    i = nodes[k] // columns
    x[k], y[k] = low[0] + spacing * i, low[1] + spacing * (nodes[k] - i * columns)


@row_kernel
def nodes_of_blocks(k: int, blocks: Array, shape: Array, count: int, nodes: Array) -> None:
    """The nodes of blocks, one block after the other; -1 beyond the rim."""
    size = BLOCK
    row, column = blocks[k] // count * size, blocks[k] % count * size
    for i in range(size):
        for j in range(size):
            inside = row + i < shape[0] and column + j < shape[1]
            nodes[(k * size + i) * size + j] = (row + i) * shape[1] + column + j if inside else -1


def room_of(
    obstacles: Obstacles | None, region: Region | None, low: Array, shape: tuple[int, int], spacing: float, cap: float
) -> Array:
    """How far nodes are from everything in the way [m], at most `cap`; shape (nx, ny).

    Blocks of nodes are asked by their middles first: most are far from everything.
    """
    counts = [-(-each // BLOCK) for each in shape]
    middle = [low[k] + spacing * (BLOCK * np.arange(counts[k]) + (BLOCK - 1) / 2) for k in range(2)]
    x, y = (each.ravel() for each in np.meshgrid(*middle, indexing="ij"))
    corner = spacing * (BLOCK - 1) * 0.5**0.5
    around = distances(obstacles, region, x, y, np.full(len(x), np.inf))
    near = np.flatnonzero(around < cap + corner)
    room = np.full(shape, cap)
    nodes = np.zeros(len(near) * BLOCK**2, np.int64)
    Call(nodes_of_blocks, (near, np.array(shape), counts[1], nodes)).run(len(near))
    # A block with its middle outside of everything holds no node that is deeper inside than across the block.
    reach = np.repeat(np.where(around[near] > 0, cap + 2 * corner, np.inf), BLOCK**2)[nodes >= 0]
    nodes = nodes[nodes >= 0]
    places = np.zeros((2, len(nodes)))
    Call(places_of, (nodes, shape[1], low, spacing, places[0], places[1])).run(len(nodes))
    room.ravel()[nodes] = np.minimum(distances(obstacles, region, places[0], places[1], reach), cap)
    return room


def without_shut(room: Array, shut: Array, least: float, spacing: float) -> Array:
    """The room around nodes [m], shape (nx, ny), where some are shut by their cost.

    They count as in the way from half a spacing before them, and the room falls on inside: so no straight way leads over
    them, and who is among them finds out.

    Args:
        room: How far nodes are from everything else in the way [m], shape (nx, ny).
        shut: Nodes that are shut, shape (nx, ny).
        least: Nodes with less room are shut, too [m].
        spacing: Distance between nodes [m].
    """
    if not shut.any():
        return room
    nx, ny = room.shape
    closed = shut | (room < least)
    depth, step = np.full((nx + 2, ny + 2), np.inf), np.full((nx + 2, ny + 2), np.inf)
    step[1:-1, 1:-1] = spacing
    depth[1:-1, 1:-1][~closed] = 0
    waiting = new_waiting(depth.size, spacing, 2 * spacing)
    march(depth.ravel(), step.ravel(), ny + 2, np.flatnonzero(depth == 0), waiting, np.zeros(0, np.uint8), 0.0)
    inside = np.where(np.isfinite(depth), depth, spacing)[1:-1, 1:-1]
    return np.where(closed, np.minimum(room, least + spacing / 2 - inside), room)


def costs_of(cost: Any, low: Array, shape: tuple[int, int], spacing: float) -> Array:
    """The cost at each node, shape (nx, ny): of a function of points, or of values that are spread over the grid."""
    if cost is None:
        return np.ones(shape)
    if callable(cost):
        x, y = (low[k] + spacing * np.arange(shape[k]) for k in range(2))
        points = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
        values = np.asarray(cost(points), np.float64)
        if values.shape != (len(points),):
            raise ValueError(f"cost must return one number per point, shape {(len(points),)}, got {values.shape}")
        values = values.reshape(shape)
    else:
        values = _spread(np.asarray(cost), shape)
    if not (values > 0).all():
        raise ValueError(f"cost must be > 0 everywhere, got {values[~(values > 0)].ravel()[0]}")
    return values


def climbs_of(ground: Surface, max_slope: float, low: Array, shape: tuple[int, int], spacing: float) -> Array:
    """The factor by which a way on the ground is longer than on the map, at each node; infinite where it is too steep."""
    x, y = (
        each.ravel() for each in np.meshgrid(*(low[k] + spacing * np.arange(shape[k]) for k in range(2)), indexing="ij")
    )
    _, normal = ground.project(np.column_stack([x, y, np.zeros(len(x))]))
    level = np.abs(normal[:, 2]).reshape(shape)
    return np.where(level < np.cos(max_slope), np.inf, 1 / np.maximum(level, 1e-9))


def off_segment(x: Array, y: Array, a: Array, b: Array) -> Array:
    """The distances of places from a segment [m], in the shape of x + y."""
    way = b - a
    part = ((x - a[0]) * way[0] + (y - a[1]) * way[1]) / max(float(way @ way), 1e-300)
    part = np.clip(part, 0, 1)
    return np.asarray(np.hypot(x - a[0] - part * way[0], y - a[1] - part * way[1]))


def crowding_of(
    places: Array, radius: Array, low: Array, shape: tuple[int, int], spacing: float, width: float
) -> Array:
    """The part of the ground around each node that bodies cover, shape (nx, ny): tents of some width, linear in between.

    Args:
        places: Where bodies are [m], shape (n, 2); rows with NaN do not count.
        radius: Their radii [m], shape (n,).
        low: Where the first node is [m].
        shape: Numbers of nodes.
        spacing: Distance between nodes [m].
        width: How far a body counts [m], about.
    """
    extent = spacing * (np.array(shape) - 1)
    count = np.maximum(np.ceil(extent / width).astype(int), 1)
    return _spread(tents(places, radius, low, np.maximum(extent / count, 1e-300), count), shape)


def tents(places: Array, radius: Array, low: Array, cell: Array, count: Array) -> Array:
    """The part of the ground around each node of a coarse grid that bodies cover, shape `count` + 1.

    Args:
        places: Where bodies are [m], shape (n, 2) or (n, 3), of which x and y count; rows with NaN do not count.
        radius: Their radii [m], shape (n,).
        low: Where the first node is [m].
        cell: Distances between nodes [m].
        count: Numbers of cells.
    """
    at = (places[:, :2] - low[:2]) / cell
    known = np.isfinite(at).all(axis=1) & (at > -1).all(axis=1) & (at < count + 1).all(axis=1)
    at, area = np.clip(at[known], 0, count), np.pi * radius[known].astype(np.float64) ** 2
    first = np.minimum(at.astype(np.int64), count - 1)
    part = at - first
    covered = np.zeros(count + 1)
    for i in range(2):
        for j in range(2):
            weight = np.abs(1 - i - part[:, 0]) * np.abs(1 - j - part[:, 1])
            np.add.at(covered, (first[:, 0] + i, first[:, 1] + j), area * weight)
    return np.asarray(covered / cell.prod())


def _spread(values: Array, shape: tuple[int, int]) -> Array:
    """Values of a picture at the nodes of a grid over the same rectangle, linear in between."""
    for axis in range(2):
        at = np.linspace(0, values.shape[axis] - 1, shape[axis])
        first = np.minimum(at.astype(np.int64), max(values.shape[axis] - 2, 0))
        part = np.expand_dims(at - first, 1 - axis)
        after = np.minimum(first + 1, values.shape[axis] - 1)
        near, far = np.take(values, first, axis=axis), np.take(values, after, axis=axis)
        values = near + np.where(part > 0, (far - near) * part, 0.0)
    return values


def as_cost(name: str, value: Any) -> Any:
    """A painted cost: a function of points (n, 2), or numbers (a, b), at least 1 x 1."""
    if callable(value):
        return value
    numbers = as_floats(name, value, np.float64)
    if numbers.ndim != 2 or 0 in numbers.shape:
        raise ValueError(f"{name} must have shape (a, b), got {numbers.shape}")
    if not (numbers > 0).all():
        raise ValueError(f"{name} must be > 0, got {numbers[~(numbers > 0)].ravel()[0]}")
    numbers.flags.writeable = False
    return numbers

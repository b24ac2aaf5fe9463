"""Moves apart: the moves that separate the vehicles of a crowd, all computed from one snapshot.

A pass tests only vehicles that touched another before, or are near a vehicle that has moved since: for all others nothing has
changed. Every move is computed from the snapshot, so the result does not depend on the workers' shares.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.box_tree import BOTH, INSIDE
from steersman.core.environment.obstacles.answers import Nearest
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.segments import nearest_parts
from steersman.core.maths.vectors import (
    add,
    add_scaled,
    cross,
    difference,
    dot,
    lateral,
    load,
    normalize,
    scale,
    store,
    subtract,
    truncate,
)
from steersman.core.neighborhood.grid import Grid, Order, find_runs
from steersman.core.typing import Array, Columns, Vector
from steersman.core.world.constraints.crowd import SHARE, Crowd

MOMENTUM = 0.6
"""Part of the last move that is added to the next one."""

MOST = 1.5
"""Momentum is at most this many times the overlaps that are left: otherwise one left by rounding throws a pair apart."""

GOLDEN = 2.399963229728653
"""Golden angle: directions of any number of coincident vehicles are spread evenly."""

PARALLEL = 1e-12
"""Squared sine of the angle between two axes that count as parallel."""

SAME = 1e-9
"""Part of their radii that counts as none: nearer than that two coincide, and with less overlap they only touch."""


@kernel
def apart(i: int, j: int, like: Vector) -> Vector:
    """The direction in which i leaves j where they coincide; that of j is the opposite."""
    first, second = min(i, j), max(i, j)
    angle = GOLDEN * (first * 31.0 + second)
    sign = 1.0 if i < j else -1.0
    if len(like) == 2:
        return (sign * math.cos(angle), sign * math.sin(angle))
    z = math.cos(0.7 * angle + 1.0)
    level = math.sqrt(max(1.0 - z * z, 0.0))
    return (sign * level * math.cos(angle), sign * level * math.sin(angle), sign * z)


@kernel
def find_moves(
    worker: int, workers: int, grid: Grid, order: Order, crowd: Crowd, wrap: Array, runs: Array, awake: Array,
    later: Array, deepest: Array,
) -> None:  # fmt: skip
    """Compute the moves, given the last moves, and the deepest overlap of this worker's places.

    Args:
        worker, workers: The number of this worker, and of all workers.
        grid, order, crowd, wrap: The cells, and the vehicles in them.
        runs: Scratch, shape (workers, 27, 2).
        awake: Flags of the places to be tested; read and cleared.
        later: Flags of the places to be tested in the next pass; set for vehicles that touch another.
        deepest: For each worker the deepest overlap, as a part of the radii.
    """
    n, depth = crowd.radius.size, 0.0
    position, radius, row, move, touches = crowd.position, crowd.radius, crowd.row, crowd.move, crowd.touches
    near, number, cell, start, shape, wraps = crowd.near, crowd.number, order.cell, order.start, grid.shape, grid.wraps
    mine = runs[worker]
    for begin in range(worker * SHARE, n, workers * SHARE):
        for i in range(np.uint64(begin), np.uint64(min(begin + SHARE, n))):
            if awake[i] == 0:
                continue
            awake[i] = 0
            here, pressed = load(position, i), 0.0
            total = scale(here, 0.0)
            count = number[i]
            for k in range(np.uint64(max(count, 0))):
                other = np.uint64(near[i, k])
                centers = difference(here, load(position, other), wrap)
                away = between(centers, crowd.axis, i, other)
                deep, way = overlap(away, centers, radius[i], radius[other], row[i], row[other], crowd.axis, i, other)
                if deep > SAME:
                    total, depth = add(total, way), max(depth, deep)
                    pressed += deep * (radius[i] + radius[other])
            if count < 0:
                for k in range(find_runs(cell[row[i]], shape, wraps, start, mine)):
                    for j in range(np.uint64(mine[k, 0]), np.uint64(mine[k, 1])):
                        centers = difference(here, load(position, j), wrap)
                        away = between(centers, crowd.axis, i, j)
                        deep, way = overlap(away, centers, radius[i], radius[j], row[i], row[j], crowd.axis, i, j)
                        if deep > SAME and j != i:
                            total, depth = add(total, way), max(depth, deep)
                            pressed += deep * (radius[i] + radius[j])
            if pressed > 0.0:
                total = add(total, truncate(scale(load(move, i), MOMENTUM), MOST * pressed))
                later[i] = 1
            touches[i] = pressed > 0.0
            store(move, i, total)
    deepest[worker] = depth


@kernel
def between(away: Vector, axis: Columns, i: Any, j: Any) -> Vector:
    """The shortest way from the axis of j to that of i [m], where `away` leads from the middle of j to that of i."""
    if len(axis) == 0:
        return away
    u, v = load(axis, i), load(axis, j)
    s, t = nearest_parts(away, u, v, PARALLEL)
    return add_scaled(add_scaled(away, u, s), v, -t)


@kernel
def overlap(
    away: Vector, centers: Vector, radius: Any, other: Any, row: int, other_row: int, axis: Columns, i: Any, j: Any
) -> tuple[Any, Vector]:
    """The overlap of two vehicles, as a part of their radii (0: none), and the move of the first one [m].

    `away` leads from the nearest point of the other one's axis, `centers` from its position.
    """
    room = radius + other
    d2 = dot(away, away)
    if not d2 < room * room:
        return 0.0, away
    distance = math.sqrt(d2)
    if distance > SAME * room:
        way = scale(away, 1.0 / distance)
    else:
        way = beside_bodies(centers, SAME * room, row, other_row, axis, i, j)
    return (room - distance) / room, scale(way, 0.5 * (room - distance))


@kernel
def beside_bodies(centers: Vector, same: float, row: int, other_row: int, axis: Columns, i: Any, j: Any) -> Vector:
    """The direction in which i leaves j where their axes meet; that of j is the opposite.

    It is at right angles to the axes if they are parallel, or only one has a length, and where they cross in 3D; along the
    line of centers where they cross in 2D; any for two balls. Lengths up to `same` [m] count as none.
    """
    any_way = apart(row, other_row, centers)
    if len(axis) == 0:
        return any_way
    u, v = load(axis, i), load(axis, j)
    if dot(v, v) > dot(u, u) or (dot(v, v) == dot(u, u) and other_row < row):
        u, v = v, u
    u2, v2, along = dot(u, u), dot(v, v), dot(u, v)
    if not u2 > 0.0:
        return any_way
    if u2 * v2 - along * along <= PARALLEL * u2 * v2:
        u = normalize(u)
        aside = lateral(centers, u)
        if dot(aside, aside) <= same * same:
            aside = lateral(any_way, u)
        return normalize(aside) if dot(aside, aside) > 0.0 else any_way
    if len(centers) == 3:
        normal = cross(u, v)
        side = dot(any_way, normal)
        return scale(normalize(normal), 1.0 if side > 0.0 or (side == 0.0 and row < other_row) else -1.0)
    return normalize(centers) if dot(centers, centers) > same * same else any_way


@kernel
def make_moves(
    worker: int, workers: int, grid: Grid, order: Order, crowd: Crowd, runs: Array, later: Array, farthest: Array
) -> None:
    """Move all vehicles that touch another, and write the largest squared distance [m^2] from their listed positions.

    `later` is set for these vehicles and those near them; `runs` is scratch, shape (workers, 27, 2).
    """
    n, far = crowd.radius.size, farthest[worker]
    position, origin, move, touches = crowd.position, crowd.origin, crowd.move, crowd.touches
    near, number, row, cell, start = crowd.near, crowd.number, crowd.row, order.cell, order.start
    shape, wraps, mine = grid.shape, grid.wraps, runs[worker]
    for begin in range(worker * SHARE, n, workers * SHARE):
        for i in range(np.uint64(begin), np.uint64(min(begin + SHARE, n))):
            if touches[i]:
                there = add(load(position, i), load(move, i))
                store(position, i, there)
                wake(i, near, number, cell[row[i]], shape, wraps, start, mine, later)
                drift = subtract(there, load(origin, i))
                far = max(far, dot(drift, drift))
    farthest[worker] = far


@kernel
def wake(
    i: Any, near: Array, number: Array, cell: int, shape: Array, wraps: Array, start: Array, runs: Array, later: Array
) -> None:
    """Set the flags of a place whose vehicle has moved, and of those near it, for the next pass."""
    later[i] = 1
    for k in range(np.uint64(max(number[i], 0))):
        later[np.uint64(near[i, k])] = 1
    if number[i] < 0:
        for k in range(find_runs(cell, shape, wraps, start, runs)):
            for j in range(np.uint64(runs[k, 0]), np.uint64(runs[k, 1])):
                later[j] = 1


@row_kernel
def put_points(i: int, crowd: Crowd, queried: Array, part: float, point: Columns) -> None:
    """The points on the axes at a part of the way to the front end."""
    if queried[i]:
        store(point, i, add_scaled(load(crowd.position, i), load(crowd.axis, i), part))


@row_kernel
def ask(i: int, crowd: Crowd, moved: Array, left: Array, queried: Array) -> None:
    """Ask about obstacles for vehicles that have moved since the last time, or had to leave one then."""
    touches = crowd.touches
    queried[i] = (moved[0] != 0 and touches[i] != 0) or left[i] != 0
    left[i] = 0


@kernel
def leave_obstacles(
    start: int, stop: int, worker: int, grid: Grid, order: Order, crowd: Crowd, runs: Array, nearest: Nearest,
    side: int, queried: Array, left: Array, later: Array, deepest: Array, farthest: Array,
) -> None:  # fmt: skip
    """Move the vehicles queried about that overlap an obstacle off its surface, to the side from which it is seen.

    A surface that is seen from both sides is left on the side on which they are.
    """
    depth, far = deepest[worker], farthest[worker]
    position, origin, radius = crowd.position, crowd.origin, crowd.radius
    near, number, row, cell, first = crowd.near, crowd.number, crowd.row, order.cell, order.start
    shape, wraps, mine = grid.shape, grid.wraps, runs[worker]
    distance, normal, which = nearest.distance, nearest.normal, nearest.which
    for i in range(start, stop):
        sign = -1.0 if side == INSIDE or (side == BOTH and distance[i] < 0.0) else 1.0
        deep = radius[i] - sign * distance[i]
        if queried[i] and which[i] >= 0 and deep > SAME * radius[i]:
            left[i] = 1
            there = add_scaled(load(position, i), load(normal, i), sign * deep)
            store(position, i, there)
            wake(i, near, number, cell[row[i]], shape, wraps, first, mine, later)
            drift = subtract(there, load(origin, i))
            far = max(far, dot(drift, drift))
            if radius[i] > 0.0:
                depth = max(depth, deep / radius[i])
    deepest[worker], farthest[worker] = depth, far

"""Tracing: a vehicle's way along the field of a goal, as far as it looks ahead, and the place that it can go to straight.

Between nodes, directions and clearance are bilinear. The result is the last place of the trace that can be reached straight:
all places on the straight way have the clearance of the map, or at least as much as the vehicle has now. So corners are not
cut nearer than that.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.routes.bending import begin_bend, bend_on
from steersman.core.environment.routes.route_map import ANY, Guide, RouteQuery
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import (
    HALF,
    INFINITE,
    ONE,
    TWO,
    ZERO,
    add_scaled,
    difference,
    dot,
    load,
    normalize,
    scale,
    store,
    subtract,
)
from steersman.core.typing import Array, Columns, Vector

STEPS = 64
"""The most steps of a trace."""

SLACK = np.float32(0.02)
"""The clearance that a vehicle may lose on its way, if it has less than the map asks for [spacings]."""

STUCK = np.float32(0.01)
"""Below this length a way has no direction [spacings]."""

BESIDE = np.float32(0.9)
"""A node with less to a goal, but more than nothing, stands beside a goal that lies between nodes [spacings]."""

RUN = 8
"""The number of steps beyond the place ahead in which a bend is searched for."""

HALVINGS = 8
"""The number of bisections that find the end of the straight way between two places of the trace."""


class FieldColumns(NamedTuple):
    """The fields of some goals, for kernels.

    Attributes:
        way: Unit vectors at nodes, shape (fields, 2, nx, ny).
        remaining: The costs of the ways [m], shape (fields, nx, ny).
        room: How far nodes are from everything in the way [m], shape (nx, ny).
        frame: Place of the first node [m], spacing [m], the least room [m], and 1 if a meter of way does not count 1
            everywhere, shape (5,).
        middle: Of the grid [m], 2 numbers.
    """

    way: Array
    remaining: Array
    room: Array
    frame: Array
    middle: Array


@kernel
def cell_of(frame: Array, x: Any, axis: int, count: int) -> tuple[int, Any]:
    """The node before a coordinate [m], and the fraction of the way from it to the next node; beyond the rim, the rim."""
    end = frame.dtype.type(count - 1)
    u = min(max((x - frame[axis]) / frame[2], ZERO * x), end)
    i = min(int(u), count - 2)
    return i, u - frame.dtype.type(i)


@kernel
def mixed(values: Array, i: int, j: int, x: Any, y: Any) -> Any:
    """The value at a place, bilinear between four nodes."""
    near = values[i, j] + (values[i, j + 1] - values[i, j]) * y
    far = values[i + 1, j] + (values[i + 1, j + 1] - values[i + 1, j]) * y
    return near + (far - near) * x


@kernel
def room_at(fields: FieldColumns, place: Vector) -> Any:
    """The approximate distance of a place from everything in the way [m]."""
    i, x = cell_of(fields.frame, place[0], 0, fields.room.shape[0])
    j, y = cell_of(fields.frame, place[1], 1, fields.room.shape[1])
    return mixed(fields.room, i, j, x, y)


@kernel
def way_at(fields: FieldColumns, k: int, place: Vector) -> Vector:
    """The unit vector of the field at a place; zero at a goal, and where no way leads to it."""
    i, x = cell_of(fields.frame, place[0], 0, fields.room.shape[0])
    j, y = cell_of(fields.frame, place[1], 1, fields.room.shape[1])
    way = (mixed(fields.way[k, 0], i, j, x, y), mixed(fields.way[k, 1], i, j, x, y))
    size = math.sqrt(dot(way, way))
    if size > np.float32(1e-6):
        return scale(way, ONE / size)
    # Half way between nodes, opposite ways cancel: take the direction of the nearest node.
    a, b = int(x > HALF), int(y > HALF)
    way = (fields.way[k, 0, i + a, j + b], fields.way[k, 1, i + a, j + b])
    if dot(way, way) > ZERO or not fields.remaining[k, i + a, j + b] > ZERO:
        return way
    return normalize(way_to_node(fields, k, place))


@kernel
def way_to_node(fields: FieldColumns, k: int, place: Vector) -> Vector:
    """The way to the best node around a place [m], where the field has no direction: nodes are shut, or their ways cancel."""
    i, x = cell_of(fields.frame, place[0], 0, fields.room.shape[0])
    j, y = cell_of(fields.frame, place[1], 1, fields.room.shape[1])
    best, way = INFINITE + ZERO * x, (ZERO * x, ZERO * x)
    for a in range(2):
        for b in range(2):
            along, across = fields.frame.dtype.type(a) - x, fields.frame.dtype.type(b) - y
            size = math.sqrt(along * along + across * across)
            remaining = fields.remaining[k, i + a, j + b] + fields.frame[2] * size
            if size > np.float32(1e-3) and remaining < best:
                best, way = remaining, (fields.frame[2] * along, fields.frame[2] * across)
    return way


@kernel(exact=True)
def remaining_at(fields: FieldColumns, k: int, place: Vector) -> Any:
    """The cost of the way from a place [m], through the best of the nodes around it; infinite without a way."""
    frame = fields.frame
    i, x = cell_of(frame, place[0], 0, fields.room.shape[0])
    j, y = cell_of(frame, place[1], 1, fields.room.shape[1])
    best = INFINITE + ZERO * x
    for a in range(2):
        for b in range(2):
            along, across = x - frame.dtype.type(a), y - frame.dtype.type(b)
            there = fields.remaining[k, i + a, j + b]
            best = min(best, there + frame[2] * math.sqrt(along * along + across * across))
    if best < TWO * frame[2] or frame[4] > ZERO:
        highest = max(
            max(fields.remaining[k, i, j], fields.remaining[k, i + 1, j]),
            max(fields.remaining[k, i, j + 1], fields.remaining[k, i + 1, j + 1]),
        )
        if highest < INFINITE:
            between = mixed(fields.remaining[k], i, j, x, y)
            # At the goal itself the cost is zero, also between nodes. Where costs differ, they differ within a cell, too.
            best = between if frame[4] > ZERO else min(best, between)
    return best


@kernel
def is_clear(fields: FieldColumns, origin: Vector, end: Vector, least: Any) -> bool:
    """Whether a body has room at all places of a straight way."""
    way = subtract(end, origin)
    count = int(math.sqrt(dot(way, way)) / (HALF * fields.frame[2])) + 1
    for k in range(1, count + 1):
        part = fields.frame.dtype.type(k) / fields.frame.dtype.type(count)
        if room_at(fields, add_scaled(origin, way, part)) < least:
            return False
    return True


@kernel
def last_clear(fields: FieldColumns, origin: Vector, clear: Vector, hidden: Vector, least: Any) -> Vector:
    """The last place that can be reached straight, between a place that can and one that cannot."""
    for _ in range(HALVINGS):
        middle = add_scaled(clear, subtract(hidden, clear), HALF)
        if is_clear(fields, origin, middle, least):
            clear = middle
        else:
            hidden = middle
    return clear


@kernel
def nearest_goal(goal: Columns, number: Any, row: Any, place: Vector, home: Vector, wrap: Array) -> Vector:
    """The goal of a vehicle, or the goal nearest to a place; on a torus, its image nearest to `home`."""
    if row >= 0:
        return add_scaled(home, difference(load(goal, row), home, wrap), ONE)
    best, closest = INFINITE + ZERO * place[0], home
    for m in range(number):
        there = add_scaled(home, difference(load(goal, m), home, wrap), ONE)
        off = subtract(there, place)
        if dot(off, off) < best:
            best, closest = dot(off, off), there
    return closest


@kernel
def trace(
    fields: FieldColumns,
    k: int,
    place: Vector,
    reach: Any,
    goal: Columns,
    number: Any,
    row: Any,
    points: bool,
    wrap: Array,
) -> tuple[Vector, Any, Any]:
    """The way to a place ahead that can be reached straight [m], how long the whole way is [m], and its cost [m].

    Where costs differ, the length is told from the mean cost of a meter up to where the trace ends.
    """
    frame = fields.frame
    home = (fields.middle[0], fields.middle[1])
    remaining = remaining_at(fields, k, place)
    room = room_at(fields, place)
    least = min(frame[3], room - SLACK * frame[2])
    step = max(HALF * frame[2], reach / np.float32(STEPS))
    count = max(int(reach / step), 1)
    here, visible, done, traced = place, place, False, ZERO * remaining
    for turn in range(count + 1):
        remaining_here = remaining_at(fields, k, here)
        if points and remaining_here < TWO * frame[2]:
            end = nearest_goal(goal, number, row, here, home, wrap)
            if turn == 0 or is_clear(fields, place, end, least):
                way = subtract(end, place)
                size = math.sqrt(dot(way, way))
                return way, size, remaining if frame[4] > ZERO else size
        if turn == count or done:
            break
        ahead = way_at(fields, k, here)
        here = add_scaled(here, ahead, step)
        traced += step
        done = (ahead[0] == ZERO and ahead[1] == ZERO) or not remaining_here > ZERO
        if turn > 0 and not is_clear(fields, place, here, least):
            visible = last_clear(fields, place, visible, here, least)
            break
        visible = here
    way = subtract(visible, place)
    if dot(way, way) < (STUCK * frame[2]) ** 2 and remaining > ZERO:
        way = way_to_node(fields, k, place)  # In a doorway that is shut, say, every way ahead has too little room.
    size = remaining
    if frame[4] > ZERO and remaining < INFINITE and traced > ZERO:
        paid = remaining - remaining_at(fields, k, here)
        if paid > ZERO:
            size = remaining * traced / paid
        if points:
            size = max(size, math.sqrt(dot(way, way)) + frame[2])
    return way, size, remaining


@kernel
def look_on(guide: Guide, i: int, fields: FieldColumns, k: int, place: Vector, way: Vector, cut: Any) -> None:
    """Find the bend of the route beyond the place ahead, within RUN times the clearance, or the spacing."""
    step, there = max(fields.frame[2], fields.frame[3]), add_scaled(place, way, ONE)
    for turn in range(RUN):
        ahead = way_at(fields, k, there)
        if (ahead[0] == ZERO and ahead[1] == ZERO) or not remaining_at(fields, k, there) > TWO * fields.frame[2]:
            return
        bend_on(guide, i, way, ahead, fields.frame.dtype.type(turn) * step, cut)
        there = add_scaled(there, ahead, step)


@row_kernel
def guide_on_grid(i: int, query: RouteQuery, which: Array, points: bool, fields: FieldColumns, guide: Guide) -> None:
    """Write the next place of each vehicle. `which` is the field of each goal, shape (m,); for ANY, the first field."""
    if not query.active[i]:
        return
    row, here = query.row[i], load(query.position, i)
    begin_bend(guide, i)
    home = (fields.middle[0], fields.middle[1])
    place = add_scaled(home, difference(here, home, query.wrap), ONE)
    k = -1
    if row >= 0:
        k = which[row]
    elif row == ANY:
        k = 0
    if k < 0:
        guide.remaining[i], guide.cost[i] = INFINITE, INFINITE
        store(guide.way, i, scale(here, ZERO))
    else:
        way, remaining, cost = trace(
            fields, k, place, query.reach[i], query.goal, query.number[0], row, points, query.wrap
        )
        guide.remaining[i], guide.cost[i] = remaining, cost
        store(guide.way, i, way)
        if dot(way, way) < remaining * remaining:
            look_on(guide, i, fields, k, place, way, query.cut[i])


@kernel
def agreement_at(fields: FieldColumns, k: int, place: Vector) -> Any:
    """How far the ways of the nodes around a place agree: 1 where they are the same, 0 where they cancel.

    It counts around a goal between nodes only; elsewhere it is 1.
    """
    i, x = cell_of(fields.frame, place[0], 0, fields.room.shape[0])
    j, y = cell_of(fields.frame, place[1], 1, fields.room.shape[1])
    near, far = fields.remaining[k, i], fields.remaining[k, i + 1]
    least = min(min(near[j], near[j + 1]), min(far[j], far[j + 1]))
    if least == ZERO or least > BESIDE * fields.frame[2]:
        return ONE
    way = (mixed(fields.way[k, 0], i, j, x, y), mixed(fields.way[k, 1], i, j, x, y))
    return math.sqrt(dot(way, way))


@row_kernel
def flow_on_grid(i: int, points: Columns, wrap: Array, fields: FieldColumns, speed: Any, flow: Columns) -> None:
    """The velocities of a field at many places; smaller within a spacing of a goal, and zero where its ways end.

    At a goal between nodes, they end where the ways of the nodes around it cancel.
    """
    home = (fields.middle[0], fields.middle[1])
    place = add_scaled(home, difference(load(points, i), home, wrap), ONE)
    remaining = remaining_at(fields, 0, place)
    size = speed * min(remaining / fields.frame[2], agreement_at(fields, 0, place))
    if remaining == INFINITE:
        size = speed
    store(flow, i, scale(way_at(fields, 0, place), size))

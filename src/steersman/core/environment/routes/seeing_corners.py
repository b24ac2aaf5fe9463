"""Corners in sight: the corners of a mesh of triangles that are in sight of a point, and the shortest ways over corners.

A shortest way bends only at corners, where the free space has an angle of more than 180 degrees. So it leads from a point to
a corner in sight, from corner to corner in sight, and from a corner to the goal. Corners in sight are found by expansion from
triangle to triangle, through a cone that every vertex narrows (Bungiu et al. 2014, "Efficient computation of visibility
polygons"). Those of corners are found once; the ways over corners to a goal are found by Dijkstra's algorithm.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.routes.crowds import NO_CROWD, CrowdField, crowd_along
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.typing import Array

NEAR = 1e-12
"""An area is zero below this part of the square of the mesh's size: three points on a line."""


class MeshColumns(NamedTuple):
    """A mesh, for kernels. All numbers are float64.

    Attributes:
        point: Its vertices [m], shape (v, 2).
        triangle: Vertices of triangles, counter-clockwise, shape (t, 3), int32.
        beside: The triangle beyond the edge from vertex k to the next one, -1 for none; shape (t, 3), int32.
        corner: The number of each vertex among the corners, -1 for none; shape (v,), int32.
        fan, fan_first: The triangles around each vertex, one vertex after the other, and where each begins.
        cell, cell_first: The triangles in each cell of a grid, one cell after the other, and where each begins.
        frame: Lowest corner of the grid [m], edge of a cell [m], numbers of cells along x and y, and NEAR as an area;
            shape (6,).
        door: Segments that are doors [m], shape (d, 4).
        toll: The cost to pass each door [m], infinite where it is shut; shape (d,).
    """

    point: Array
    triangle: Array
    beside: Array
    corner: Array
    fan: Array
    fan_first: Array
    cell: Array
    cell_first: Array
    frame: Array
    door: Array
    toll: Array


class GoalsOnMesh(NamedTuple):
    """Goals and the ways to them.

    Attributes:
        point: Where they are [m], shape (m, 2).
        triangle: The triangles that they lie in, shape (m,), int64; -1 for none.
        remaining: How long the way is from each corner [m], of a row for each goal, or one row for the nearest; (k, corners).
        after: The corner that the way goes to next from each corner, or -1 - m for goal m of the row, shape (k, corners),
            int64.
        crowd: Where ways are longer.
    """

    point: Array
    triangle: Array
    remaining: Array
    after: Array
    crowd: CrowdField = NO_CROWD


@kernel
def turn(ax: Any, ay: Any, bx: Any, by: Any, cx: Any, cy: Any) -> Any:
    """Twice the area of a triangle, > 0 counter-clockwise."""
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


@kernel(exact=True)
def tolls(mesh: MeshColumns, ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """The cost of the doors that a straight way passes [m]. A point on the line of a door counts to its left."""
    cost, near = 0.0, mesh.frame[5]
    for k in range(mesh.door.shape[0]):
        cx, cy, dx, dy = mesh.door[k, 0], mesh.door[k, 1], mesh.door[k, 2], mesh.door[k, 3]
        a, b = turn(cx, cy, dx, dy, ax, ay), turn(cx, cy, dx, dy, bx, by)
        if (a >= -near) != (b >= -near):
            c, d = turn(ax, ay, bx, by, cx, cy), turn(ax, ay, bx, by, dx, dy)
            if (c >= 0.0) != (d >= 0.0):
                cost += mesh.toll[k]
    return cost


@kernel(exact=True)
def locate(mesh: MeshColumns, x: Any, y: Any) -> Any:
    """The triangle that a point lies in; -1 for none."""
    frame, near = mesh.frame, mesh.frame[5]
    u, v = (x - frame[0]) / frame[2], (y - frame[1]) / frame[2]
    if not (u >= 0.0 and v >= 0.0 and u < frame[3] and v < frame[4]):
        return -1
    cell = int(u) * int(frame[4]) + int(v)
    for k in range(mesh.cell_first[cell], mesh.cell_first[cell + 1]):
        t = mesh.cell[k]
        inside = True
        for e in range(3):
            a, b = mesh.triangle[t, e], mesh.triangle[t, (e + 1) % 3]
            if turn(mesh.point[a, 0], mesh.point[a, 1], mesh.point[b, 0], mesh.point[b, 1], x, y) < -near:
                inside = False
        if inside:
            return t
    return -1


@kernel(exact=True)
def nearest_on_mesh(mesh: MeshColumns, x: Any, y: Any) -> tuple[Any, Any]:
    """The nearest point of the mesh to a point outside of it, a little inside."""
    best, bx, by = np.inf, x, y
    for t in range(mesh.triangle.shape[0]):
        for e in range(3):
            if mesh.beside[t, e] >= 0:
                continue
            a, b, c = mesh.triangle[t, e], mesh.triangle[t, (e + 1) % 3], mesh.triangle[t, (e + 2) % 3]
            ax, ay = mesh.point[a, 0], mesh.point[a, 1]
            dx, dy = mesh.point[b, 0] - ax, mesh.point[b, 1] - ay
            s = min(max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0), 1.0)
            px, py = ax + s * dx, ay + s * dy
            d2 = (px - x) * (px - x) + (py - y) * (py - y)
            if d2 < best:
                best = d2
                bx = px + 1e-9 * (mesh.point[c, 0] - px)
                by = py + 1e-9 * (mesh.point[c, 1] - py)
    return bx, by


@kernel(exact=True)
def consider(
    mesh: MeshColumns, goals: GoalsOnMesh, field: int, first: int, last: int, t: int, x: Any, y: Any, left: int, right: int,
    best: Array,
) -> None:  # fmt: skip
    """Whether a goal in triangle t is in sight between two vertices, and the nearest so far. `best`: length, place."""
    for m in range(first, last):
        if goals.triangle[m] != t:
            continue
        gx, gy = goals.point[m, 0], goals.point[m, 1]
        near = mesh.frame[5]
        if left >= 0 and (
            turn(x, y, mesh.point[left, 0], mesh.point[left, 1], gx, gy) > near
            or turn(x, y, mesh.point[right, 0], mesh.point[right, 1], gx, gy) < -near
        ):
            continue
        length = math.hypot(gx - x, gy - y) + tolls(mesh, x, y, gx, gy)
        length += crowd_along(goals.crowd, x, y, 0.0, gx, gy, 0.0)
        if length < best[0]:
            best[0], best[1], best[2], best[3] = length, gx, gy, -1.0


@kernel(exact=True)
def consider_corner(
    mesh: MeshColumns, goals: GoalsOnMesh, field: int, x: Any, y: Any, v: int, best: Array, visible: Array
) -> None:
    """A vertex in sight: note it as seen, and whether the way over it is the shortest so far."""
    c = mesh.corner[v]
    if c < 0:
        return
    if visible.size > 0:
        visible[c] = 1
    if field >= 0 and goals.remaining[field, c] < best[0]:
        px, py = mesh.point[v, 0], mesh.point[v, 1]
        length = math.hypot(px - x, py - y) + goals.remaining[field, c]
        if length < best[0]:
            length += tolls(mesh, x, y, px, py) + crowd_along(goals.crowd, x, y, 0.0, px, py, 0.0)
        if length < best[0]:
            best[0], best[1], best[2], best[3] = length, px, py, float(c)


@kernel(exact=True)
def look_around(
    mesh: MeshColumns, goals: GoalsOnMesh, field: int, first: int, last: int, x: Any, y: Any, t: int, vertex: int,
    stack: Array, best: Array, visible: Array,
) -> None:  # fmt: skip
    """All that is in sight of a point.

    Args:
        mesh: The mesh.
        goals: Goals, of which those from row `first` up to `last` count.
        field: The row of the ways from corners; -1: none counts.
        first: The first goal that counts.
        last: The first that does not any more.
        x: Where the point is [m].
        y: Where it is [m].
        t: The triangle that it lies in.
        vertex: The vertex that it is, -1 for none: then all triangles around it are looked into.
        stack: Space, shape (k, 4), int32.
        best: The length of the shortest way [m], the place where it bends first, or the goal, and the corner there, or -1;
            shape (4,), updated.
        visible: Written: 1 for corners in sight, shape (corners,); or empty.
    """
    near, top = mesh.frame[5], 0
    if vertex < 0:
        for k in range(3):
            v = mesh.triangle[t, k]
            if math.hypot(mesh.point[v, 0] - x, mesh.point[v, 1] - y) < 1e-9:
                vertex = v
    if vertex < 0:
        consider(mesh, goals, field, first, last, t, x, y, -1, -1, best)
        for k in range(3):
            consider_corner(mesh, goals, field, x, y, mesh.triangle[t, k], best, visible)
            if mesh.beside[t, k] >= 0:
                stack[top, 0], stack[top, 1] = mesh.beside[t, k], t
                stack[top, 2], stack[top, 3] = mesh.triangle[t, (k + 1) % 3], mesh.triangle[t, k]
                top += 1
    else:
        consider_corner(mesh, goals, -1, x, y, vertex, best, visible)
        for k in range(mesh.fan_first[vertex], mesh.fan_first[vertex + 1]):
            s = mesh.fan[k]
            consider(mesh, goals, field, first, last, s, x, y, -1, -1, best)
            for e in range(3):
                a, b = mesh.triangle[s, e], mesh.triangle[s, (e + 1) % 3]
                if a != vertex:
                    consider_corner(mesh, goals, field, x, y, a, best, visible)
                if a != vertex and b != vertex and mesh.beside[s, e] >= 0:
                    stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = mesh.beside[s, e], s, b, a
                    top += 1
    while top > 0:
        top -= 1
        here, come, left, right = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        consider(mesh, goals, field, first, last, here, x, y, left, right, best)
        e = 0
        if mesh.beside[here, 1] == come:
            e = 1
        elif mesh.beside[here, 2] == come:
            e = 2
        v = mesh.triangle[here, (e + 2) % 3]
        vx, vy = mesh.point[v, 0], mesh.point[v, 1]
        of_left = turn(x, y, mesh.point[left, 0], mesh.point[left, 1], vx, vy)
        of_right = turn(x, y, mesh.point[right, 0], mesh.point[right, 1], vx, vy)
        if of_left <= near and of_right >= -near:
            consider_corner(mesh, goals, field, x, y, v, best, visible)
        beyond = mesh.beside[here, (e + 2) % 3]  # To the left of the vertex.
        if beyond >= 0 and of_left < -near:
            stack[top, 0], stack[top, 1], stack[top, 2] = beyond, here, left
            stack[top, 3] = v if of_right >= -near else right
            top += 1
        beyond = mesh.beside[here, (e + 1) % 3]
        if beyond >= 0 and of_right > near:
            stack[top, 0], stack[top, 1], stack[top, 3] = beyond, here, right
            stack[top, 2] = v if of_left <= near else left
            top += 1


@row_kernel(exact=True)
def see_corners(
    i: int, mesh: MeshColumns, goals: GoalsOnMesh, corners: Array, stack: Array, best: Array, visible: Array
) -> None:
    """Which corners are in sight of each corner, shape (corners, corners)."""
    v = corners[i]
    x, y, beside = mesh.point[v, 0], mesh.point[v, 1], mesh.fan[mesh.fan_first[v]]
    look_around(mesh, goals, -1, 0, 0, x, y, beside, v, stack, best, visible[i])


@kernel(exact=True)
def shortest(
    mesh: MeshColumns, corners: Array, joined: Array, joined_first: Array, length: Array, remaining: Array, after: Array,
    done: Array,
) -> None:  # fmt: skip
    """Complete the ways from corners to a goal from those of the corners in its sight, by Dijkstra's algorithm."""
    n = corners.size
    done[:] = 0
    for _ in range(n):
        k, least = -1, np.inf
        for i in range(n):
            if not done[i] and remaining[i] < least:
                k, least = i, remaining[i]
        if k < 0:
            return
        done[k] = 1
        a = corners[k]
        for e in range(joined_first[k], joined_first[k + 1]):
            j = joined[e]
            if least + length[e] < remaining[j]:
                b = corners[j]
                way = least + length[e]
                way += tolls(mesh, mesh.point[b, 0], mesh.point[b, 1], mesh.point[a, 0], mesh.point[a, 1])
                if way < remaining[j]:
                    remaining[j], after[j] = way, k

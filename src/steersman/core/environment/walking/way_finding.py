"""Ways on a surface of triangles: over nodes on the edges between triangles, and then pulled straight.

From node to node ways are straight across a triangle, so Dijkstra's algorithm finds the cheapest, or, between two places, A*
(Hart, Nilsson and Raphael 1968). Such a way passes a sequence of triangles. These are laid out flat, one after the other, and
the funnel finds the shortest way through them (Lee and Preparata 1984; Mononen 2010, "Simple stupid funnel algorithm").
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.routes.bending import begin_bend, bend_on
from steersman.core.environment.routes.crowds import NO_CROWD, CrowdField, crowd_along
from steersman.core.environment.routes.heap import DONE, NOWHERE, Heap, lower, new_heap, take_first
from steersman.core.environment.routes.route_map import NONE, Guide, RouteQuery, queried_goals
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.typing import Array

RUN = 8
"""The most corners in which a bend is searched for."""

FLAT = 1e-9
"""Two triangles lie in one plane if the cosine of the angle between their normals is above 1 less this."""


class WalkColumns(NamedTuple):
    """A mesh of walkable triangles, for kernels. All numbers are float64.

    Attributes:
        point: Its vertices [m], shape (v, 3).
        triangle: Vertices of triangles, counter-clockwise seen from above, shape (t, 3), int32.
        normal: Unit normals of triangles, up, shape (t, 3).
        cell, cell_first: The triangles in each cell of a grid over x and y, one cell after the other, and where each begins.
        frame: Lowest corner of the grid [m], edge of a cell [m], numbers of cells along x and y, the area [m^2] below which
            three points are on a line, the highest step [m], and the shortest way ahead [m]; shape (8,).
        rim, rim_triangle: Edges without a triangle beyond [m], shape (r, 2, 3), and their triangles.
        beside: The triangles on both sides of each piece of a portal, shape (q, 2), int32.
        end: Its ends on both sides [m], shape (q, 2, 2, 3).
        toll: The cost to pass it [m], shape (q,).
        piece: The piece that each node is in, shape (k,), int32.
        node: Where nodes are on both sides [m], shape (k, 2, 3).
        near, near_first: The nodes around each triangle, one triangle after the other, and where each begins.
    """

    point: Array
    triangle: Array
    normal: Array
    cell: Array
    cell_first: Array
    frame: Array
    rim: Array
    rim_triangle: Array
    beside: Array
    end: Array
    toll: Array
    piece: Array
    node: Array
    near: Array
    near_first: Array


class GoalsOnGround(NamedTuple):
    """Goals and the ways to them.

    Attributes:
        point: Where they are [m], shape (m, 3).
        triangle: The triangles that they lie in, shape (m,), int64; -1 for none.
        remaining: How long the way is from each node [m], of a row for each goal, or one row for the nearest; (k, nodes).
        after: The node that the way goes to next from each node, or -1 - m for goal m of the row, shape (k, nodes), int32.
        through: The triangle that it goes through to there, shape (k, nodes), int32.
        crowd: Where ways are longer.
    """

    point: Array
    triangle: Array
    remaining: Array
    after: Array
    through: Array
    crowd: CrowdField = NO_CROWD


class WaySpace(NamedTuple):
    """Space for a search and for a way.

    Attributes:
        heap: Nodes by how long the way is to be expected.
        passed: The pieces that a way leads through, shape (k,), int32.
        flat: Their ends, laid out flat [m], left and right, shape (k + 2, 4).
        bend: Where the way bends: place laid out flat [m], and the number of the piece; shape (k + 2, 3).
    """

    heap: Heap
    passed: Array
    flat: Array
    bend: Array


def new_way_space(mesh: WalkColumns, search: bool = True) -> WaySpace:
    """Space for a way on a mesh, which passes each node once at most, and for a search."""
    nodes = len(mesh.node)
    size = nodes + 4
    heap = new_heap(nodes if search else 0)
    return WaySpace(heap, np.zeros(size, np.int32), np.zeros((size, 4)), np.zeros((size, 3)))


# ---------------------------------------------------------------------------------------------------- places


@kernel(exact=True)
def height_in(mesh: WalkColumns, t: int, x: Any, y: Any) -> Any:
    """The height of the plane of a triangle at a place [m]."""
    a = mesh.triangle[t, 0]
    nx, ny, nz = mesh.normal[t, 0], mesh.normal[t, 1], mesh.normal[t, 2]
    return mesh.point[a, 2] - (nx * (x - mesh.point[a, 0]) + ny * (y - mesh.point[a, 1])) / nz


@kernel(exact=True)
def beneath(mesh: WalkColumns, x: Any, y: Any, z: Any) -> int:
    """The triangle straight above or below a place that is nearest in height, -1 for none."""
    frame, near = mesh.frame, mesh.frame[5]
    u, v = (x - frame[0]) / frame[2], (y - frame[1]) / frame[2]
    if not (u >= 0.0 and v >= 0.0 and u < frame[3] and v < frame[4]):
        return -1
    cell, triangle, least = int(u) * int(frame[4]) + int(v), -1, np.inf
    for k in range(mesh.cell_first[cell], mesh.cell_first[cell + 1]):
        t = mesh.cell[k]
        inside = True
        for e in range(3):
            a, b = mesh.triangle[t, e], mesh.triangle[t, (e + 1) % 3]
            ax, ay = mesh.point[a, 0], mesh.point[a, 1]
            if (mesh.point[b, 0] - ax) * (y - ay) - (mesh.point[b, 1] - ay) * (x - ax) < -near:
                inside = False
        if inside:
            off = abs(height_in(mesh, t, x, y) - z)
            if off < least:
                triangle, least = t, off
    return triangle


@kernel(exact=True)
def stand(mesh: WalkColumns, x: Any, y: Any, z: Any) -> tuple[int, Any, Any, Any]:
    """The triangle that a body stands on, and where: straight above or below it, or the nearest place of the rim."""
    t = beneath(mesh, x, y, z)
    best, bx, by, bz = np.inf, x, y, z
    if t >= 0:
        bz = height_in(mesh, t, x, y)
        best = (bz - z) * (bz - z)
        if best <= mesh.frame[6] * mesh.frame[6]:
            return t, bx, by, bz
    for r in range(mesh.rim.shape[0]):
        ax, ay, az = mesh.rim[r, 0, 0], mesh.rim[r, 0, 1], mesh.rim[r, 0, 2]
        dx, dy, dz = mesh.rim[r, 1, 0] - ax, mesh.rim[r, 1, 1] - ay, mesh.rim[r, 1, 2] - az
        s = min(max(((x - ax) * dx + (y - ay) * dy + (z - az) * dz) / (dx * dx + dy * dy + dz * dz), 0.0), 1.0)
        px, py, pz = ax + s * dx, ay + s * dy, az + s * dz
        d2 = (px - x) * (px - x) + (py - y) * (py - y) + (pz - z) * (pz - z)
        if d2 < best:
            best, t, bx, by, bz = d2, mesh.rim_triangle[r], px, py, pz
    return t, bx, by, bz


@row_kernel(exact=True)
def stand_all(i: int, points: Array, mesh: WalkColumns, triangle: Array) -> None:
    """Put points on the mesh, shape (n, 3), and note their triangles."""
    t, x, y, z = stand(mesh, points[i, 0], points[i, 1], points[i, 2])
    triangle[i], points[i, 0], points[i, 1], points[i, 2] = t, x, y, z


@kernel(exact=True)
def off_node(mesh: WalkColumns, q: int, t: int, x: Any, y: Any, z: Any, crowd: CrowdField) -> Any:
    """The length of the way from a place of triangle t to a node [m], through a crowd."""
    side = 0 if mesh.beside[mesh.piece[q], 0] == t else 1
    dx, dy, dz = mesh.node[q, side, 0] - x, mesh.node[q, side, 1] - y, mesh.node[q, side, 2] - z
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    return length + crowd_along(crowd, x, y, z, x + dx, y + dy, z + dz)


# ---------------------------------------------------------------------------------------------------- the search


@kernel(exact=True)
def reach(
    mesh: WalkColumns, space: WaySpace, size: int, q: int, way: Any, after: int, through: int, f: int,
    goals: GoalsOnGround, tx: Any, ty: Any, aimed: bool,
) -> int:  # fmt: skip
    """Note a way from a node, if it is the shortest so far; return the size of the heap."""
    if space.heap.place[q] == DONE or not way < goals.remaining[f, q]:
        return size
    goals.remaining[f, q], goals.after[f, q], goals.through[f, q] = way, after, through
    if aimed:
        dx, dy = mesh.node[q, 0, 0] - tx, mesh.node[q, 0, 1] - ty
        way += math.sqrt(dx * dx + dy * dy)
    return lower(space.heap, size, q, way)


@kernel(exact=True)
def find_ways(
    mesh: WalkColumns, goals: GoalsOnGround, f: int, first: int, last: int, origin: int, tx: Any, ty: Any, tz: Any,
    space: WaySpace,
) -> None:  # fmt: skip
    """The ways from all nodes to the nearest of some goals; or, if there is an origin, from those around it.

    Args:
        mesh: The mesh.
        goals: The goals; written: row f of the ways.
        f: The row.
        first: The first goal that counts.
        last: The first that does not any more.
        origin: The triangle that the way begins in, -1 for everywhere.
        tx: Where the way begins [m].
        ty: Where it begins [m].
        tz: Where it begins [m].
        space: Space.
    """
    size, aimed, best = 0, origin >= 0, np.inf
    goals.remaining[f, :] = np.inf
    space.heap.place[:] = NOWHERE
    for m in range(first, last):
        t = goals.triangle[m]
        if t < 0:
            continue
        x, y, z = goals.point[m, 0], goals.point[m, 1], goals.point[m, 2]
        for k in range(mesh.near_first[t], mesh.near_first[t + 1]):
            q = mesh.near[k]
            way = off_node(mesh, q, t, x, y, z, goals.crowd)
            size = reach(mesh, space, size, q, way, -1 - (m - first), t, f, goals, tx, ty, aimed)
    while size > 0:
        here = space.heap.node[0]
        if aimed and space.heap.key[here] >= best:
            return
        size = take_first(space.heap, size)
        piece = mesh.piece[here]
        way = goals.remaining[f, here] + mesh.toll[piece]
        if not way < np.inf:
            continue
        t, side = mesh.beside[piece, 0], 0
        if t == goals.through[f, here]:
            t, side = mesh.beside[piece, 1], 1
        x, y, z = mesh.node[here, side, 0], mesh.node[here, side, 1], mesh.node[here, side, 2]
        if t == origin:
            dx, dy, dz = x - tx, y - ty, z - tz
            best = min(best, way + math.sqrt(dx * dx + dy * dy + dz * dz))
        for k in range(mesh.near_first[t], mesh.near_first[t + 1]):
            q = mesh.near[k]
            # Back over the same piece is never shorter than straight on before it.
            if space.heap.place[q] != DONE and mesh.piece[q] != piece:
                longer = way + off_node(mesh, q, t, x, y, z, goals.crowd)
                size = reach(mesh, space, size, q, longer, here, t, f, goals, tx, ty, aimed)


@row_kernel(exact=True)
def ways_from_nodes(k: int, first: Array, mesh: WalkColumns, goals: GoalsOnGround, space: WaySpace) -> None:
    """The ways from all nodes to some goals; field k is that of the goals from first[k] up to first[k + 1]."""
    find_ways(mesh, goals, k, first[k], first[k + 1], -1, 0.0, 0.0, 0.0, space)


# ---------------------------------------------------------------------------------------------------- the funnel


@kernel(exact=True)
def area(ax: Any, ay: Any, bx: Any, by: Any, cx: Any, cy: Any) -> Any:
    """Twice the area of a triangle, > 0 counter-clockwise."""
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


@kernel(exact=True)
def pass_through(
    mesh: WalkColumns, goals: GoalsOnGround, f: int, t: int, q: int, space: WaySpace
) -> tuple[int, int, int, Any]:
    """Write the pieces on the way from node q, from triangle t; return their number, the goal, its triangle, and tolls."""
    count, paid, goal = 0, 0.0, q
    while goal >= 0 and count < space.passed.size - 3:
        piece = mesh.piece[goal]
        space.passed[count] = piece
        paid += mesh.toll[piece]
        count += 1
        t = goals.through[f, goal]
        goal = goals.after[f, goal]
    return count, -1 - goal, t, paid


@kernel(exact=True)
def from_end(mesh: WalkColumns, piece: int, side: int, which: int, x: Any, y: Any, z: Any) -> tuple[Any, Any, Any]:
    """The way from a place to an end of a piece [m]."""
    return mesh.end[piece, side, which, 0] - x, mesh.end[piece, side, which, 1] - y, mesh.end[piece, side, which, 2] - z


@kernel(exact=True)
def lay_flat(
    mesh: WalkColumns, x: Any, y: Any, z: Any, t: int, count: int, gx: Any, gy: Any, gz: Any, space: WaySpace
) -> None:
    """Lay out the triangles that are passed: the ends of pieces, left and right, from a place at (0, 0), and the goal."""
    # A frame in the plane of the triangle: u is level, w = normal x u. In it the place is at (0, 0).
    nx, ny, nz = mesh.normal[t, 0], mesh.normal[t, 1], mesh.normal[t, 2]
    size = math.sqrt(nx * nx + nz * nz)
    ux, uy, uz = nz / size, 0.0, -nx / size
    wx, wy, wz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    ox, oy, oz, px, py = x, y, z, 0.0, 0.0
    for k in range(count):
        piece = space.passed[k]
        near = 0 if mesh.beside[piece, 0] == t else 1
        far = 1 - near
        # From the first triangle of a portal its end 1 is to the left.
        left, right = (1, 0) if near == 0 else (0, 1)
        dx, dy, dz = from_end(mesh, piece, near, left, ox, oy, oz)
        lx, ly = px + dx * ux + dy * uy + dz * uz, py + dx * wx + dy * wy + dz * wz
        dx, dy, dz = from_end(mesh, piece, near, right, ox, oy, oz)
        rx, ry = px + dx * ux + dy * uy + dz * uz, py + dx * wx + dy * wy + dz * wz
        space.flat[k, 0], space.flat[k, 1], space.flat[k, 2], space.flat[k, 3] = lx, ly, rx, ry
        # The frame of the next triangle: the portal is where it was, and the triangle beyond it.
        t = mesh.beside[piece, far]
        ox, oy, oz = mesh.end[piece, far, right, 0], mesh.end[piece, far, right, 1], mesh.end[piece, far, right, 2]
        ex, ey, ez = from_end(mesh, piece, far, left, ox, oy, oz)
        size, flat = math.sqrt(ex * ex + ey * ey + ez * ez), math.hypot(lx - rx, ly - ry)
        px, py = rx, ry
        if size == 0.0 or flat == 0.0:
            continue  # A piece of no length: the next piece begins in the frame of the triangle before.
        ex, ey, ez = ex / size, ey / size, ez / size
        nx, ny, nz = mesh.normal[t, 0], mesh.normal[t, 1], mesh.normal[t, 2]
        hx, hy, hz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
        cosine, sine = (lx - rx) / flat, (ly - ry) / flat
        # e is laid on (cosine, sine) and h = normal x e on (-sine, cosine).
        ux, uy, uz = cosine * ex - sine * hx, cosine * ey - sine * hy, cosine * ez - sine * hz
        wx, wy, wz = sine * ex + cosine * hx, sine * ey + cosine * hy, sine * ez + cosine * hz
    dx, dy, dz = gx - ox, gy - oy, gz - oz
    lx, ly = px + dx * ux + dy * uy + dz * uz, py + dx * wx + dy * wy + dz * wz
    space.flat[count, 0], space.flat[count, 1], space.flat[count, 2], space.flat[count, 3] = lx, ly, lx, ly


@kernel(exact=True)
def pull(count: int, space: WaySpace) -> int:
    """Pull the way straight between the ends of pieces, from (0, 0) to the goal: how many places it leads over.

    `space.bend` holds them, with the piece where each is; the last is the goal.
    """
    flat, bend = space.flat, space.bend
    ax, ay, lx, ly, rx, ry = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    left, right, number, i = -1, -1, 0, 0
    for _ in range((count + 4) * (count + 4)):
        if i > count or number > count:
            break
        nx, ny = flat[i, 2], flat[i, 3]
        if area(ax, ay, rx, ry, nx, ny) >= 0.0:
            if (rx == ax and ry == ay) or area(ax, ay, lx, ly, nx, ny) < 0.0:
                rx, ry, right = nx, ny, i
            else:
                if not (lx == ax and ly == ay):
                    bend[number, 0], bend[number, 1], bend[number, 2] = lx, ly, left
                    number += 1
                ax, ay, rx, ry, right, i = lx, ly, lx, ly, left, left + 1
                continue
        nx, ny = flat[i, 0], flat[i, 1]
        if area(ax, ay, lx, ly, nx, ny) <= 0.0:
            if (lx == ax and ly == ay) or area(ax, ay, rx, ry, nx, ny) > 0.0:
                lx, ly, left = nx, ny, i
            else:
                if not (rx == ax and ry == ay):
                    bend[number, 0], bend[number, 1], bend[number, 2] = rx, ry, right
                    number += 1
                ax, ay, lx, ly, left, i = rx, ry, rx, ry, right, right + 1
                continue
        i += 1
    bend[number, 0], bend[number, 1], bend[number, 2] = flat[count, 0], flat[count, 1], count
    return number + 1


@kernel(exact=True)
def length_of(count: int, space: WaySpace) -> Any:
    """The length of the way over a number of places [m]."""
    x, y, length = 0.0, 0.0, 0.0
    for k in range(count):
        length += math.hypot(space.bend[k, 0] - x, space.bend[k, 1] - y)
        x, y = space.bend[k, 0], space.bend[k, 1]
    return length


@kernel(exact=True)
def best_node(
    mesh: WalkColumns, goals: GoalsOnGround, f: int, first: int, last: int, t: int, x: Any, y: Any, z: Any
) -> tuple[int, Any]:
    """The node that the way from a place of triangle t leads over first, or -1 - m for goal m itself; and how far it is."""
    node, best = -1, np.inf
    for m in range(first, last):
        if goals.triangle[m] == t:
            dx, dy, dz = goals.point[m, 0] - x, goals.point[m, 1] - y, goals.point[m, 2] - z
            way = math.sqrt(dx * dx + dy * dy + dz * dz)
            way += crowd_along(goals.crowd, x, y, z, goals.point[m, 0], goals.point[m, 1], goals.point[m, 2])
            if way < best:
                node, best = -1 - (m - first), way
    for k in range(mesh.near_first[t], mesh.near_first[t + 1]):
        q = mesh.near[k]
        if goals.remaining[f, q] < best and goals.through[f, q] != t:
            way = goals.remaining[f, q] + mesh.toll[mesh.piece[q]] + off_node(mesh, q, t, x, y, z, goals.crowd)
            if way < best:
                node, best = q, way
    return node, best


@kernel(exact=True)
def trace(
    mesh: WalkColumns, goals: GoalsOnGround, f: int, first: int, last: int, t: int, x: Any, y: Any, z: Any,
    space: WaySpace,
) -> tuple[Any, Any, int, int, int]:  # fmt: skip
    """Find the way from a place: its length and its tolls [m], how many pieces and places it leads over, and the goal."""
    q, best = best_node(mesh, goals, f, first, last, t, x, y, z)
    if best == np.inf:
        return np.inf, 0.0, 0, 0, 0
    count, goal, _, paid = pass_through(mesh, goals, f, t, q, space)
    m = first + goal
    lay_flat(mesh, x, y, z, t, count, goals.point[m, 0], goals.point[m, 1], goals.point[m, 2], space)
    places = pull(count, space)
    return length_of(places, space), paid, count, places, m


@kernel(exact=True)
def ahead_of(
    mesh: WalkColumns, goals: GoalsOnGround, t: int, m: int, count: int, x: Any, y: Any, z: Any, space: WaySpace
) -> tuple[Any, Any, Any]:
    """The last place of a way that can be reached straight [m]: where it bends first, or where the ground does before."""
    bx, by, stop = space.bend[0, 0], space.bend[0, 1], int(space.bend[0, 2])
    least, first = min(mesh.frame[7], math.hypot(bx, by)), t
    for k in range(stop + 1):
        if k == count:
            break
        piece = space.passed[k]
        near = 0 if mesh.beside[piece, 0] == t else 1
        left, right = (1, 0) if near == 0 else (0, 1)
        lx, ly, rx, ry = space.flat[k, 0], space.flat[k, 1], space.flat[k, 2], space.flat[k, 3]
        part = 1.0 if bx == lx and by == ly else 0.0
        t = mesh.beside[piece, 1 - near]
        if k < stop:
            cosine = 0.0
            for axis in range(3):
                cosine += mesh.normal[t, axis] * mesh.normal[first, axis]
            if cosine > 1.0 - FLAT:
                continue
            one, other = bx * ry - by * rx, bx * ly - by * lx
            part = min(max(one / (one - other), 0.0), 1.0) if one != other else 0.5
        px = mesh.end[piece, near, right, 0] + part * (mesh.end[piece, near, left, 0] - mesh.end[piece, near, right, 0])
        py = mesh.end[piece, near, right, 1] + part * (mesh.end[piece, near, left, 1] - mesh.end[piece, near, right, 1])
        pz = mesh.end[piece, near, right, 2] + part * (mesh.end[piece, near, left, 2] - mesh.end[piece, near, right, 2])
        dx, dy, dz = px - x, py - y, pz - z
        if k == stop or dx * dx + dy * dy + dz * dz > least * least:
            return px, py, pz
    return goals.point[m, 0], goals.point[m, 1], goals.point[m, 2]


@kernel(exact=True)
def image_of(x: Any, middle: Any, period: Any, inverse: Any) -> Any:
    """The image of a coordinate that is nearest to the middle [m]."""
    return x - np.float64(period) * np.rint((x - middle) * np.float64(inverse))


@row_kernel(exact=True)
def guide_on_ground(
    i: int, query: RouteQuery, which: Array, mesh: WalkColumns, goals: GoalsOnGround, middle: Array, space: WaySpace,
    guide: Guide,
) -> None:  # fmt: skip
    """Write the next place of each vehicle: the goal, the next corner, or the place before it where the ground bends."""
    if not query.active[i]:
        return
    guide.remaining[i], guide.cost[i] = np.inf, np.inf
    guide.way[0][i], guide.way[1][i], guide.way[2][i] = 0.0, 0.0, 0.0
    begin_bend(guide, i)
    row = query.row[i]
    if row == NONE:
        return
    f, first, last = queried_goals(row, which, goals.point.shape[0])
    x = image_of(np.float64(query.position[0][i]), middle[0], query.wrap[0, 0], query.wrap[1, 0])
    y = image_of(np.float64(query.position[1][i]), middle[1], query.wrap[0, 1], query.wrap[1, 1])
    z = image_of(np.float64(query.position[2][i]), middle[2], query.wrap[0, 2], query.wrap[1, 2])
    t, px, py, pz = stand(mesh, x, y, z)
    if t < 0:
        return
    length, paid, count, places, m = trace(mesh, goals, f, first, last, t, px, py, pz, space)
    if not length + paid < np.inf:
        return
    ax, ay, az = ahead_of(mesh, goals, t, m, count, px, py, pz, space)
    guide.remaining[i] = length + math.hypot(px - x, py - y)
    guide.cost[i] = guide.remaining[i] + paid
    guide.way[0][i], guide.way[1][i], guide.way[2][i] = ax - x, ay - y, az - z
    run, bx, by = 0.0, space.bend[0, 0], space.bend[0, 1]
    for k in range(1, min(places, RUN + 1)):
        nx, ny = space.bend[k, 0], space.bend[k, 1]
        bend_on(guide, i, (space.bend[0, 0], space.bend[0, 1]), (nx - bx, ny - by), run, query.cut[i])
        run += math.hypot(nx - bx, ny - by)
        bx, by = nx, ny


@row_kernel(exact=True)
def lengths_on_ground(
    i: int, mesh: WalkColumns, origin: Array, triangle: Array, goals: GoalsOnGround, space: WaySpace, length: Array
) -> None:
    """The length of the way between a pair of places [m]: from origin i to goal i."""
    length[i] = np.inf
    t = triangle[i]
    if t < 0 or goals.triangle[i] < 0:
        return
    x, y, z = origin[i, 0], origin[i, 1], origin[i, 2]
    find_ways(mesh, goals, 0, i, i + 1, t, x, y, z, space)
    way, paid, _, _, _ = trace(mesh, goals, 0, i, i + 1, t, x, y, z, space)
    length[i] = way + paid

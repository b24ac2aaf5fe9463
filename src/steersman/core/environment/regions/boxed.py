"""Kernels of a box as a region: its nearest points, and where ways leave it."""

import math
from typing import Any

from steersman.core.environment.regions.sphere import point_of
from steersman.core.environment.shape import SurfaceProjection, keep_foot
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, TINY, ZERO, add, dot, load, scale, store, subtract
from steersman.core.typing import Array, Columns, Vector


@kernel
def sign(x: Any) -> Any:
    """The sign of a number: -1 where it is negative, else 1."""
    if x < ZERO:
        return x * ZERO - ONE
    return x * ZERO + ONE


@kernel
def along_axis(axis: int, size: Any, like: Vector) -> Vector:
    """A vector along one of the axes."""
    none = size * ZERO
    if len(like) == 2:
        if axis == 0:
            return (size, none)
        return (none, size)
    if axis == 0:
        return (size, none, none)
    if axis == 1:
        return (none, size, none)
    return (none, none, size)


@kernel
def beyond(offset: Vector, box: Array) -> Vector:
    """How far an offset from the middle is beyond the faces [m], negative inside."""
    if len(offset) == 2:
        return (abs(offset[0]) - box[1, 0], abs(offset[1]) - box[1, 1])
    return (abs(offset[0]) - box[1, 0], abs(offset[1]) - box[1, 1], abs(offset[2]) - box[1, 2])


@kernel
def outside_part(q: Vector, offset: Vector) -> Vector:
    """The way from the nearest point of the box; zero inside."""
    if len(q) == 2:
        return (sign(offset[0]) * max(q[0], ZERO), sign(offset[1]) * max(q[1], ZERO))
    return (
        sign(offset[0]) * max(q[0], ZERO),
        sign(offset[1]) * max(q[1], ZERO),
        sign(offset[2]) * max(q[2], ZERO),
    )


@kernel
def component(a: Vector, axis: int) -> Any:
    """One component of a vector."""
    if len(a) == 2:
        return a[0] if axis == 0 else a[1]
    if axis == 0:
        return a[0]
    return a[1] if axis == 1 else a[2]


@kernel
def nearest_face(q: Vector) -> tuple[int, Any]:
    """The axis of the face that a place inside is nearest to, and the (negative) distance from it."""
    axis, most = 0, q[0]
    if q[1] > most:
        axis, most = 1, q[1]
    if len(q) == 3:  # noqa: SIM102 (only a length that stands alone is known when compiling)
        if q[2] > most:
            axis, most = 2, q[2]
    return axis, most


@row_kernel
def foot_on_box(i: int, points: Columns, box: Array, foot: SurfaceProjection) -> None:
    """The nearest points of a box. `box`, shape (2, d): its middle and half of its edges [m]."""
    place = load(points, i)
    offset = subtract(place, point_of(box, 0, place))
    q = beyond(offset, box)
    way = outside_part(q, offset)
    d2 = dot(way, way)
    if d2 > ZERO:
        distance = math.sqrt(d2)
        foot.distance[i] = distance
        store(foot.normal, i, scale(way, ONE / distance))
        return
    axis, most = nearest_face(q)
    foot.distance[i] = most
    store(foot.normal, i, along_axis(axis, sign(component(offset, axis)), place))


@kernel
def time_out(x: Any, w: Any, half: Any) -> Any:
    """After which part of a way w a coordinate that begins at x is at the face ahead; more than all if never."""
    if w == ZERO:
        return ONE + ONE + x * ZERO
    return (sign(w) * half - x) / w


@kernel
def first_face(begin: Vector, way: Vector, box: Array) -> int:
    """The axis of the face through which a way from inside leaves."""
    axis, soonest = 0, time_out(begin[0], way[0], box[1, 0])
    t = time_out(begin[1], way[1], box[1, 1])
    if t < soonest:
        axis, soonest = 1, t
    if len(begin) == 3:  # noqa: SIM102
        if time_out(begin[2], way[2], box[1, 2]) < soonest:
            axis = 2
    return axis


@row_kernel
def leave_box(
    i: int, origin: Columns, points: Columns, box: Array, foot: SurfaceProjection, leaving: SurfaceProjection
) -> None:
    """The faces through which ways leave a box."""
    keep_foot(i, foot, leaving)
    if foot.distance[i] <= ZERO:
        return
    here, there = load(origin, i), load(points, i)
    begin, way = subtract(here, point_of(box, 0, here)), subtract(there, here)
    if nearest_face(beyond(begin, box))[1] > ZERO:
        return
    axis = first_face(begin, way, box)
    leaving.distance[i] = max(component(beyond(add(begin, way), box), axis), TINY)
    store(leaving.normal, i, along_axis(axis, sign(component(way, axis)), here))

"""A moving ball and a box: the way into its own axes, where it lies at the origin, and the first contact there."""

from typing import Any

from steersman.core.environment.box_tree import INSIDE, OUTSIDE
from steersman.core.environment.obstacles.contact import never, touch_ball, touch_segment
from steersman.core.kernels.kernel import kernel
from steersman.core.maths import vectors as v
from steersman.core.typing import Array, Vector


@kernel
def to_box(rows: Array, k: int, a: Vector) -> Vector:
    """Components of a vector along the axes of a box."""
    d = len(a)
    x, y = v.dot(v.vector_of(rows, k, 2 * d, a), a), v.dot(v.vector_of(rows, k, 3 * d, a), a)
    if len(a) == 2:
        return (x, y)
    return (x, y, v.dot(v.vector_of(rows, k, 4 * d, a), a))


@kernel
def from_box(rows: Array, k: int, a: Vector) -> Vector:
    """A vector of components along the axes of a box."""
    if len(a) == 2:
        return (rows[k, 4] * a[0] + rows[k, 6] * a[1], rows[k, 5] * a[0] + rows[k, 7] * a[1])
    return (
        rows[k, 6] * a[0] + rows[k, 9] * a[1] + rows[k, 12] * a[2],
        rows[k, 7] * a[0] + rows[k, 10] * a[1] + rows[k, 13] * a[2],
        rows[k, 8] * a[0] + rows[k, 11] * a[1] + rows[k, 14] * a[2],
    )


@kernel
def clamped(a: Vector, half: Vector) -> Vector:
    """The point of the box nearest to a place [m]."""
    x, y = min(max(a[0], -half[0]), half[0]), min(max(a[1], -half[1]), half[1])
    if len(a) == 2:
        return (x, y)
    return (x, y, min(max(a[2], -half[2]), half[2]))


@kernel
def along_axis(like: Vector, axis: int, size: Any) -> Vector:
    """A vector along one axis."""
    none = v.ZERO * size
    x, y = (size if axis == 0 else none), (size if axis == 1 else none)
    if len(like) == 2:
        return (x, y)
    return (x, y, size if axis == 2 else none)


@kernel
def signed(size: Any, like: Any) -> Any:
    """A size with the sign of a number; zero counts as positive."""
    return -size if like < v.ZERO else size


@kernel
def is_strictly_inside(a: Vector, half: Vector) -> Any:
    """Whether a place is inside the box, and not on a face."""
    inside = abs(a[0]) < half[0] and abs(a[1]) < half[1]
    if len(a) == 3:
        return inside and abs(a[2]) < half[2]
    return inside


@kernel
def nearest_face(a: Vector, half: Vector) -> tuple[Any, Vector]:
    """From inside or from a face: how deep a place is [m], and the outward normal of the face nearest to it."""
    depth, axis, sign = half[0] - abs(a[0]), 0, signed(v.ONE, a[0])
    if half[1] - abs(a[1]) < depth:
        depth, axis, sign = half[1] - abs(a[1]), 1, signed(v.ONE, a[1])
    if len(a) == 3 and half[2] - abs(a[2]) < depth:
        depth, axis, sign = half[2] - abs(a[2]), 2, signed(v.ONE, a[2])
    return depth, along_axis(a, axis, sign + v.ZERO * a[0])


@kernel
def distance_from_straight_box(a: Vector, half: Vector) -> tuple[Any, Vector]:
    """Signed distance of a place from the surface [m], and the direction in which it grows."""
    off = v.subtract(a, clamped(a, half))
    depth, normal = nearest_face(a, half)
    if v.dot(off, off) > v.ZERO:
        return v.length(off), v.direction_or(off, v.ZERO * depth, normal)
    return -depth, normal


@kernel
def touch_straight_box(a: Vector, forward: Vector, half: Vector, radius: Any, side: int) -> tuple[Any, Vector]:
    """When a ball touches the surface [m], and the normal there."""
    if is_strictly_inside(a, half):
        return never(forward) if side == OUTSIDE else leave_box(a, forward, half, radius)
    if side == INSIDE:
        return never(forward)
    distance, normal = distance_from_straight_box(a, half)
    if distance <= radius:
        return (v.ZERO * radius if v.dot(normal, forward) < v.ZERO else v.INFINITE + radius), normal
    distance, axis = enter_box(a, forward, half, radius)
    if not distance < v.INFINITE:
        return never(forward)
    there = v.add_scaled(a, forward, distance)
    normal = along_axis(a, axis, signed(v.ONE, there[0] if axis == 0 else there[1]) + v.ZERO * radius)
    if len(a) == 3 and axis == 2:
        normal = along_axis(a, axis, signed(v.ONE, there[2]) + v.ZERO * radius)
    off = v.subtract(there, clamped(there, half))
    off = v.add_scaled(off, normal, -v.dot(off, normal))
    if v.dot(off, off) == v.ZERO:
        return distance, normal
    return touch_rim(a, forward, half, radius)


@kernel
def enter_box(a: Vector, forward: Vector, half: Vector, radius: Any) -> tuple[Any, int]:
    """When a point comes into the box made larger by the radius [m], from outside, and across which axis."""
    axis = 0
    near, far = slab(a[0], forward[0], half[0] + radius)
    begin, end = slab(a[1], forward[1], half[1] + radius)
    if begin > near:
        near, axis = begin, 1
    far = min(far, end)
    if len(a) == 3:
        begin, end = slab(a[2], forward[2], half[2] + radius)
        if begin > near:
            near, axis = begin, 2
        far = min(far, end)
    if far < v.ZERO or near > far:
        return v.INFINITE + radius, axis
    return max(near, v.ZERO), axis


@kernel
def slab(x: Any, rate: Any, half: Any) -> tuple[Any, Any]:
    """From when to when a coordinate is between two planes."""
    if rate == v.ZERO:
        if abs(x) <= half:
            return -v.INFINITE + x, v.INFINITE + x
        return v.INFINITE + x, -v.INFINITE + x
    return (-signed(half, rate) - x) / rate, (signed(half, rate) - x) / rate


@kernel
def touch_rim(a: Vector, forward: Vector, half: Vector, radius: Any) -> tuple[Any, Vector]:
    """When a ball touches a corner (2D) or an edge (3D), and the normal there."""
    best, normal = never(forward)
    if len(a) == 2:
        for corner in range(4):
            spot = (half[0] if corner & 1 else -half[0], half[1] if corner & 2 else -half[1])
            distance, there = touch_ball(v.subtract(a, spot), forward, radius)
            if distance < best:
                best, normal = distance, there
        return best, normal
    for axis in range(3):
        for corner in range(4):
            spot = edge_start(half, axis, corner)
            size = v.TWO * (half[0] if axis == 0 else half[1])
            if axis == 2:
                size = v.TWO * half[2]
            tangent = along_axis(a, axis, v.ONE + v.ZERO * radius)
            distance, _, there = touch_segment(v.subtract(a, spot), forward, tangent, size, radius)
            if distance < best:
                best, normal = distance, there
    return best, normal


@kernel
def edge_start(half: Vector, axis: int, corner: int) -> Vector:
    """Where one of the four edges along an axis begins [m]."""
    one, other = (corner & 1) == 0, (corner & 2) == 0
    if axis == 0:
        return (-half[0], half[1] if one else -half[1], half[2] if other else -half[2])
    if axis == 1:
        return (half[0] if one else -half[0], -half[1], half[2] if other else -half[2])
    return (half[0] if one else -half[0], half[1] if other else -half[1], -half[2])


@kernel
def leave_box(a: Vector, forward: Vector, half: Vector, radius: Any) -> tuple[Any, Vector]:
    """When a ball that is inside touches a face [m], and the inward normal there."""
    best, axis, rate = slab(a[0], forward[0], half[0] - radius)[1], 0, forward[0]
    if forward[0] == v.ZERO:
        best = v.INFINITE + radius
    until = slab(a[1], forward[1], half[1] - radius)[1]
    if forward[1] != v.ZERO and until < best:
        best, axis, rate = until, 1, forward[1]
    if len(a) == 3:
        until = slab(a[2], forward[2], half[2] - radius)[1]
        if forward[2] != v.ZERO and until < best:
            best, axis, rate = until, 2, forward[2]
    return max(best, v.ZERO), along_axis(a, axis, -signed(v.ONE, rate) + v.ZERO * radius)

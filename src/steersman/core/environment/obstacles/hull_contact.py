"""Kernels of hulls: the nearest point, and how far one reaches in a direction."""

from typing import Any

from steersman.core.environment.obstacles.box_contact import clamped, from_box, to_box
from steersman.core.environment.obstacles.hulls import Hulls
from steersman.core.environment.obstacles.triangle_contact import A, B, C, nearest_on
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import dot, subtract, vector_of
from steersman.core.typing import Vector


@kernel
def way_from_hull(hulls: Hulls, k: int, place: Vector) -> Vector:
    """The way from the nearest point of hull k, not rounded, to a place [m]; zero within it."""
    rows = hulls.parts.rows
    if len(place) == 3 and hulls.triangles:
        spot, _ = nearest_on(place, rows, k)
        return subtract(place, spot)
    local = to_box(rows, k, subtract(place, vector_of(rows, k, 0, place)))
    return from_box(rows, k, subtract(local, clamped(local, vector_of(rows, k, len(place), place))))


@kernel
def rounding_of(hulls: Hulls, k: int) -> Any:
    """The radius by which hull k is rounded [m]."""
    rows = hulls.parts.rows
    return rows.dtype.type(0) if hulls.triangles else rows[k, rows.shape[1] - 1]


@kernel
def support_of(hulls: Hulls, k: int, place: Vector, normal: Vector) -> Any:
    """The extent of hull k, rounded, from a place in a direction [m]."""
    rows = hulls.parts.rows
    if len(place) == 3 and hulls.triangles:
        a, b, c = vector_of(rows, k, A, place), vector_of(rows, k, B, place), vector_of(rows, k, C, place)
        return max(dot(subtract(a, place), normal), dot(subtract(b, place), normal), dot(subtract(c, place), normal))
    along, half = to_box(rows, k, normal), vector_of(rows, k, len(place), place)
    reach = dot(subtract(vector_of(rows, k, 0, place), place), normal) + rounding_of(hulls, k)
    reach += abs(along[0]) * half[0] + abs(along[1]) * half[1]
    if len(place) == 3:
        reach += abs(along[2]) * half[2]
    return reach

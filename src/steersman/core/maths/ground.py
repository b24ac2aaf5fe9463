"""Vectors on ground: for vehicles that cannot leave a surface, only the part in its tangent plane has an effect.

A law that chooses a side (to pass an obstacle, or a vehicle that comes head on) must choose it in the tangent plane;
otherwise the surface removes the choice. `ground` are the columns of unit normals under the vehicles, 3 arrays of shape (n,).
For vehicles without a surface it is the empty tuple: then vectors stay as they are, and nothing is computed.
"""

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, across, cross, direction_or, lateral, load, perpendicular
from steersman.core.typing import Columns, Vector


@kernel
def level(a: Vector, ground: Columns, i: int) -> Vector:
    """The part of a vector in the tangent plane of row i; the vector itself without ground."""
    if len(ground) == 3:
        return lateral(a, load(ground, i))
    return a


@kernel
def level_direction(a: Vector, ground: Columns, i: int) -> Vector:
    """The unit vector along the part in the tangent plane of row i; `a` itself if that part is zero, or without ground."""
    if len(ground) == 3:
        return direction_or(lateral(a, load(ground, i)), ONE, a)
    return a


@kernel
def beside(axis: Vector, ground: Columns, i: int) -> Vector:
    """A unit vector perpendicular to `axis`: on ground in the tangent plane, to the left; else `perpendicular(axis)`.

    For the opposite axis it is the opposite vector.
    """
    if len(ground) == 3:
        return across(cross(load(ground, i), axis), axis, perpendicular(axis))
    return perpendicular(axis)

"""Vectors on ground: for vehicles that cannot leave a surface, only the part in its tangent plane has an effect.

A law that chooses a side (which way round an obstacle, away from a vehicle that comes head on) must choose it there, or
the surface removes the choice. `ground` are the columns of unit normals under the vehicles, 3 arrays of shape (n,), or
the empty tuple for vehicles that are free: then nothing is changed, and nothing computed.
"""

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, across, cross, direction_or, lateral, load, perpendicular
from steersman.core.typing import Columns, Vector


@kernel
def level(a: Vector, ground: Columns, i: int) -> Vector:
    """The part of a vector that lies in the ground of row i; all of it where there is none."""
    if len(ground) == 3:
        return lateral(a, load(ground, i))
    return a


@kernel
def level_direction(a: Vector, ground: Columns, i: int) -> Vector:
    """A unit vector turned into the ground of row i; left as it is where it stands on it, or where there is none."""
    if len(ground) == 3:
        return direction_or(lateral(a, load(ground, i)), ONE, a)
    return a


@kernel
def beside(axis: Vector, ground: Columns, i: int) -> Vector:
    """`perpendicular(axis)`, but on ground the one that lies in it, to the left: opposite for opposite axes, too."""
    if len(ground) == 3:
        return across(cross(load(ground, i), axis), axis, perpendicular(axis))
    return perpendicular(axis)

"""Vectors inside kernels: tuples of two or three numbers, and columns, tuples of two or three arrays.

One source serves 2D and 3D: the length of a tuple is known when compiling, so `if len(a) == 2` costs nothing. Functions
that sum forces also take tuples of one: turning in the plane has a single component.
Constants are float32: in expressions of float64 they are converted at compile time, and in expressions of float32 they stay
as they are. (A literal 0 or 1 would promote the whole expression to float64.)
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.typing import Array, Columns, Vector

ZERO = np.float32(0)
ONE = np.float32(1)
TWO = np.float32(2)
HALF = np.float32(0.5)

TINY = np.float32(1e-37)
"""A squared length below this has lost digits in float32, so the vector counts as zero."""

NOISE = np.float32(1e-5)
"""A vector below this part of the lengths that it was computed from is a rounding error, and no direction."""

INFINITE = np.float32(np.inf)

SINGLE, DOUBLE = np.float32(2.0**-20), np.float32(2.0**-49)
"""Eight units in the last place of 1, in float32 and in float64."""

LOST = np.float32(1e-10)
"""What float32 cannot add to 1, and float64 can."""

SHRINK = np.float32(1e-20)
"""A factor that makes the square of the largest float32 finite."""


@kernel
def load(columns: Columns, i: Any) -> Vector:
    """Row i of the columns."""
    if len(columns) == 1:
        return (columns[0][i],)
    if len(columns) == 2:
        return (columns[0][i], columns[1][i])
    return (columns[0][i], columns[1][i], columns[2][i])


@kernel
def vector_of(rows: Array, k: int, at: int, like: Vector) -> Vector:
    """The vector that begins in column `at` of row k, of as many components as `like`."""
    if len(like) == 2:
        return (rows[k, at], rows[k, at + 1])
    return (rows[k, at], rows[k, at + 1], rows[k, at + 2])


@kernel
def store(columns: Columns, i: Any, a: Vector) -> None:
    """Write row i."""
    if len(columns) == 1:
        columns[0][i] = a[0]
    elif len(columns) == 2:
        columns[0][i] = a[0]
        columns[1][i] = a[1]
    else:
        columns[0][i] = a[0]
        columns[1][i] = a[1]
        columns[2][i] = a[2]


@kernel
def accumulate(columns: Columns, i: Any, a: Vector) -> None:
    """Add to row i."""
    if len(columns) == 1:
        columns[0][i] += a[0]
    elif len(columns) == 2:
        columns[0][i] += a[0]
        columns[1][i] += a[1]
    else:
        columns[0][i] += a[0]
        columns[1][i] += a[1]
        columns[2][i] += a[2]


@kernel
def add(a: Vector, b: Vector) -> Vector:
    """Sum of two vectors."""
    if len(a) == 1:
        return (a[0] + b[0],)
    if len(a) == 2:
        return (a[0] + b[0], a[1] + b[1])
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def subtract(a: Vector, b: Vector) -> Vector:
    """Difference a - b."""
    if len(a) == 1:
        return (a[0] - b[0],)
    if len(a) == 2:
        return (a[0] - b[0], a[1] - b[1])
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(a: Vector, s: Any) -> Vector:
    """The vector times a number."""
    if len(a) == 1:
        return (a[0] * s,)
    if len(a) == 2:
        return (a[0] * s, a[1] * s)
    return (a[0] * s, a[1] * s, a[2] * s)


@kernel
def add_scaled(a: Vector, b: Vector, s: Any) -> Vector:
    """The point a + s b."""
    if len(a) == 1:
        return (a[0] + b[0] * s,)
    if len(a) == 2:
        return (a[0] + b[0] * s, a[1] + b[1] * s)
    return (a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s)


@kernel
def dot(a: Vector, b: Vector) -> Any:
    """Inner product."""
    if len(a) == 1:
        return a[0] * b[0]
    if len(a) == 2:
        return a[0] * b[0] + a[1] * b[1]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def length(a: Vector) -> Any:
    """Euclidean length."""
    return math.sqrt(dot(a, a))


@kernel
def largest_component(a: Vector) -> Any:
    """The largest component's size: finite where the square of the length is not."""
    size = abs(a[0])
    if len(a) > 1:
        size = max(size, abs(a[1]))
    if len(a) > 2:
        size = max(size, abs(a[2]))
    return size


@kernel
def cross(a: Vector, b: Vector) -> Vector:
    """Cross product of two 3D vectors."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def normalize(a: Vector) -> Vector:
    """Unit vector along a; a vector shorter than 3e-19 becomes zero (NaN stays NaN)."""
    n2 = dot(a, a)
    if n2 < TINY:
        return scale(a, ZERO)
    return scale(a, ONE / math.sqrt(n2))


@kernel
def truncate(a: Vector, limit: Any) -> Vector:
    """The vector, shortened to `limit` where it is longer. NaN passes through.

    It has no branch, since which vectors are too long cannot be predicted. (`min` takes ONE before NaN.)
    """
    shrink = SHRINK if dot(a, a) == INFINITE else ONE  # The square may overflow though the vector is finite.
    b = scale(a, shrink)
    return scale(a, min(ONE, limit * shrink / math.sqrt(dot(b, b))))


@kernel
def with_length(a: Vector, size: Any) -> Vector:
    """The vector stretched to length `size`; the zero vector stays zero."""
    return scale(normalize(a), size)


@kernel
def lateral(a: Vector, axis: Vector) -> Vector:
    """The part of a that is perpendicular to the unit vector `axis`."""
    return add_scaled(a, axis, -dot(a, axis))


@kernel
def perpendicular(a: Vector) -> Vector:
    """A unit vector perpendicular to the unit vector a, always the same one: to the left in 2D.

    In 3D it is a x e, where e is the coordinate axis that a leans on least (the first of those that tie).
    """
    if len(a) == 2:
        return (-a[1], a[0])
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    none = a[0] * ZERO
    if x <= y and x <= z:
        b = (none, a[2], -a[1])
    elif y <= z:
        b = (-a[2], none, a[0])
    else:
        b = (a[1], -a[0], none)
    return normalize(b)


@kernel
def direction_or(a: Vector, size: Any, otherwise: Vector) -> Vector:
    """Unit vector along a; `otherwise`, where a is only the rounding error of lengths like `size`. NaN stays NaN.

    Args:
        a: A difference, or the part of a vector across another one.
        size: The length of the vectors that a was computed from.
        otherwise: The result where a has no direction.
    """
    n2 = dot(a, a)
    noise = NOISE * size
    if n2 <= noise * noise or n2 < TINY:
        return otherwise
    return scale(a, ONE / math.sqrt(n2))


@kernel
def rounding(size: Any) -> Any:
    """The rounding error of a difference of coordinates of a size [m], in their precision."""
    if ZERO * size + ONE + LOST == ONE:
        return SINGLE * size
    return DOUBLE * size


@kernel
def direction_off(off: Vector, place: Vector, otherwise: Vector) -> Vector:
    """Unit vector along the way to a place from a shape; `otherwise`, where it is only the rounding error of the place."""
    return direction_or(off, rounding(length(place)) / NOISE, otherwise)


@kernel
def across(a: Vector, axis: Vector, otherwise: Vector) -> Vector:
    """Unit vector along the part of a that is across the unit vector `axis`; `otherwise`, where a lies along it.

    A part shorter than NOISE of a is no direction: a vector exactly ahead leaves 1e-16 of its length to one side or the
    other, or forward. `perpendicular(axis)` is a good answer for it: it is opposite for opposite axes, so of two that meet
    head on each chooses its own left, and both pass.
    """
    return direction_or(lateral(a, axis), length(a), otherwise)


@kernel
def difference(to: Vector, origin: Vector, wrap: Array) -> Vector:
    """The shortest way from `origin` to `to`: on a torus, the minimum image.

    `wrap` has shape (2, d): the period of each axis [m] and its inverse, both zero where space does not wrap.
    """
    if len(to) == 2:
        x, y = to[0] - origin[0], to[1] - origin[1]
        return (x - wrap[0, 0] * np.rint(x * wrap[1, 0]), y - wrap[0, 1] * np.rint(y * wrap[1, 1]))
    x, y, z = to[0] - origin[0], to[1] - origin[1], to[2] - origin[2]
    return (
        x - wrap[0, 0] * np.rint(x * wrap[1, 0]),
        y - wrap[0, 1] * np.rint(y * wrap[1, 1]),
        z - wrap[0, 2] * np.rint(z * wrap[1, 2]),
    )

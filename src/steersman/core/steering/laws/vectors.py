"""Vector arithmetic that the laws are written in: zero vectors stay zero, and nothing divides by zero.

Vectors have shape (d,) or (n, d), numbers are plain or of shape (n,). The floating type of the arrays is kept.
"""

from typing import Any

import numpy as np

from steersman.core.maths.vectors import NOISE
from steersman.core.typing import Array

Number = float | Array
"""A plain number, or one a vehicle: shape (n,)."""


def per_vehicle(number: Any) -> Any:
    """A number, or one number a vehicle, shaped to multiply vectors: (n,) becomes (n, 1)."""
    return float(number) if np.ndim(number) == 0 else np.asarray(number)[..., None]


def ratio(numerator: Any, denominator: Any, otherwise: float = 0.0) -> Array:
    """The quotient, and `otherwise` where the denominator is zero, or so near it that the quotient is infinite."""
    dtype = np.result_type(numerator, denominator, np.float16)
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    quotient = np.full(shape, otherwise, dtype=dtype)
    with np.errstate(over="ignore"):
        np.divide(numerator, denominator, out=quotient, where=np.not_equal(denominator, 0))
    return np.where(np.isinf(quotient), otherwise, quotient)


def dot(a: Array, b: Array) -> Array:
    """Inner product, shape () or (n,)."""
    return np.asarray(np.sum(np.multiply(a, b), axis=-1))


def length(vector: Array) -> Array:
    """Euclidean length, shape () or (n,)."""
    return np.asarray(np.hypot.reduce(vector, axis=-1))


def normalize(vector: Array) -> Array:
    """Unit vector in the direction of `vector`; zero stays zero."""
    return ratio(np.asarray(vector), length(vector)[..., None])


def with_length(vector: Array, size: Number) -> Array:
    """The vector stretched or shrunk to length `size`; zero stays zero."""
    return np.asarray(per_vehicle(size) * normalize(vector))


def truncate(vector: Array, limit: Number) -> Array:
    """The vector itself, cut to length `limit` where it is longer (Reynolds 1999, "A Simple Vehicle Model")."""
    shrink = np.minimum(ratio(limit, length(vector), otherwise=1.0), 1)
    return np.asarray(np.multiply(vector, per_vehicle(shrink)))


def lateral(vector: Array, axis: Array) -> Array:
    """The part of a vector that is perpendicular to the unit vector `axis`."""
    return np.asarray(vector - dot(vector, axis)[..., None] * np.asarray(axis))


def perpendicular(axis: Array) -> Array:
    """A unit vector perpendicular to the unit vector `axis`, always the same one: in 2D the one to the left.

    In 3D it is axis x e, where e is the coordinate axis that it leans on least (the first of equals).
    """
    axis = np.asarray(axis)
    if axis.shape[-1] == 2:
        return np.stack([-axis[..., 1], axis[..., 0]], axis=-1)
    least = np.eye(3, dtype=axis.dtype)[np.argmin(np.abs(axis), axis=-1)]
    return normalize(np.cross(axis, least))


def direction_or(vector: Array, size: Number, otherwise: Array) -> Array:
    """Unit vector in the direction of `vector`; `otherwise`, where it is mere rounding error of lengths like `size`."""
    noise = length(vector) <= NOISE * np.asarray(size)
    return np.where((noise | (length(vector) == 0))[..., None], otherwise, normalize(vector))


def across(vector: Array, axis: Array, otherwise: Array) -> Array:
    """Unit vector along the part of a vector across the unit vector `axis`; `otherwise`, where it lies along the axis."""
    return direction_or(lateral(vector, axis), length(vector), otherwise)


def level(vector: Array, up: Array | None) -> Array:
    """The part of a vector that lies in the ground with the unit normal `up`; all of it where `up` is None."""
    return np.asarray(vector) if up is None else lateral(vector, up)


def beside(axis: Array, up: Array | None) -> Array:
    """`perpendicular(axis)`; on ground with the unit normal `up` the one that lies in it, to the left."""
    otherwise = perpendicular(axis)
    return otherwise if up is None else across(np.cross(np.asarray(up), axis), axis, otherwise)


def rotate(vector: Array, angle: Number, up: Array | None = None) -> Array:
    """The vector turned to the left by an angle [rad]: in the plane, or in 3D around the unit vector `up`.

    Raises:
        ValueError: The vector is in 3D and `up` is missing.
    """
    vector = np.asarray(vector)
    cosine, sine = per_vehicle(np.cos(angle)), per_vehicle(np.sin(angle))
    if vector.shape[-1] == 2:
        return np.asarray(cosine * vector + sine * perpendicular(vector))
    if up is None:
        raise ValueError("up must be a unit vector of shape (3,) or (n, 3) to rotate in 3D, got None")
    along = vector - lateral(vector, up)
    return np.asarray(along + cosine * (vector - along) + sine * np.cross(np.asarray(up), vector))


def to_local(vector: Array, axes: Array) -> Array:
    """Components of a vector along a vehicle's own axes (Reynolds' "localize").

    Args:
        vector: Shape (d,) or (n, d).
        axes: Perpendicular unit vectors as rows, shape (d, d) or (n, d, d): forward and side in 2D, forward, up and
            side in 3D. Side is to the right.

    Returns:
        Components in the order of the rows, shape (d,) or (n, d).
    """
    return np.asarray(np.einsum("...d,...kd->...k", np.asarray(vector), np.asarray(axes)))


def to_global(local: Array, axes: Array) -> Array:
    """The vector that has these components along a vehicle's own axes (Reynolds' "globalize"): undoes `to_local`."""
    return np.asarray(np.einsum("...k,...kd->...d", np.asarray(local), np.asarray(axes)))

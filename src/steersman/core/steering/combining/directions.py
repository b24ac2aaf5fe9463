"""Directions of a context map: evenly around a vehicle, the first one straight ahead, in its local frame.

In 2D they have equal angles. In 3D they lie on a spiral from forward to backward with equal areas (Fibonacci's sphere).

The values at the directions are smooth in between. The interest of a single part is an exactly linear function of the
direction, so near the best direction a linear function is fitted to it and its nearest neighbors; the vehicle goes
where that function grows.
"""

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from steersman.core.typing import Array

GOLDEN = math.pi * (3 - math.sqrt(5))
"""The angle of which no multiple falls on another [rad]."""

RING = {2: 2, 3: 6}
"""Number of nearest neighbors in the fit, in 2D and 3D."""


class Directions(NamedTuple):
    """Directions as kernels take them.

    Attributes:
        unit: Unit vectors in the local frame, (forward, side) or (forward, up, side), shape (k, d).
        near: For each direction itself and its nearest neighbors, shape (k, m), int64.
        fit: Factors that give the slope of the fitted function from the values there, shape (k, m, d).
        spacing: Cosine and tangent of the angle between neighbors, shape (2,).
    """

    unit: Array
    near: Array
    fit: Array
    spacing: Array

    def astype(self, dtype: Any) -> "Directions":
        """The same in another type of numbers."""
        return Directions(self.unit.astype(dtype), self.near, self.fit.astype(dtype), self.spacing.astype(dtype))


@cache
def directions_of(count: int, dimensions: int) -> Directions:
    """The directions, `count` of them, in float64."""
    unit = circle(count) if dimensions == 2 else spiral(count)
    near = np.argsort(-(unit @ unit.T), axis=1, kind="stable")[:, : RING[dimensions] + 1]
    fit = np.empty((count, near.shape[1], dimensions))
    for k, rows in enumerate(near):
        constant = np.ones((len(rows), 1))
        fit[k] = np.linalg.pinv(np.hstack([constant, unit[rows]]))[1:].T
    angle = 2 * math.pi / count if dimensions == 2 else math.sqrt(4 * math.pi / count)
    return Directions(unit, near.astype(np.int64), fit, np.array([math.cos(angle), math.tan(min(angle, 1.2))]))


def circle(count: int) -> Array:
    """Equal angles: forward, then one step to each side, two steps, and so on."""
    steps = np.array([(k + 1) // 2 * (-1) ** (k + 1) for k in range(count)])
    angle = 2 * math.pi / count * steps
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def spiral(count: int) -> Array:
    """A spiral from forward to backward."""
    k = np.arange(count)
    ahead = 1 - 2 * k / (count - 1)
    across = np.sqrt(np.maximum(0, 1 - ahead**2))
    return np.stack([ahead, across * np.cos(GOLDEN * k), across * np.sin(GOLDEN * k)], axis=1)

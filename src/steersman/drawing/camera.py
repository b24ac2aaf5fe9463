"""A camera with perspective: where points of a 3D world lie in the picture, and how far away they are."""

import math
from dataclasses import dataclass

import numpy as np

from steersman.core.typing import Array

DISTANCE = 2.6
"""How far the camera is from the middle, in radii of its view."""


@dataclass(frozen=True)
class Camera:
    """Looks at the middle of a scene, from an azimuth and an elevation.

    Attributes:
        middle: The point it looks at [m], shape (3,).
        reach: Radius of its view [m].
        azimuth, elevation: Where it stands [degrees]: around the vertical (z) axis from x, and above the horizon.
    """

    middle: Array
    reach: float
    azimuth: float = -60.0
    elevation: float = 18.0

    def axes(self) -> Array:
        """Right, up and toward the camera, shape (3, 3): unit vectors in rows."""
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        toward = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
        right = np.array([-math.sin(a), math.cos(a), 0.0])
        return np.stack([right, np.cross(toward, right), toward])

    def project(self, points: Array) -> tuple[Array, Array, Array]:
        """Points in the picture.

        Args:
            points: Points [m], shape (..., 3).

        Returns:
            Places in the picture, about in [-1, 1], shape (..., 2); depth, 0 at the middle, growing away from the camera
            in units of reach, shape (...); and the size at which one meter is seen there, shape (...).
        """
        turned = (np.asarray(points, np.float64) - self.middle) @ self.axes().T / self.reach
        distance = np.maximum(DISTANCE - turned[..., 2], 0.1)
        scale = DISTANCE / distance
        return turned[..., :2] * scale[..., None], -turned[..., 2], scale / self.reach

    def places(self, points: Array) -> Array:
        """Where points [m], shape (..., 3), lie in the picture, shape (..., 2)."""
        return self.project(points)[0]

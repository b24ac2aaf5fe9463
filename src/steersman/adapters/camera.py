"""A camera over the plane: meters to pixels and back, for windows whose y grows downwards or upwards."""

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.bounds import bounds
from steersman.core.parameters.arrays import as_floats
from steersman.core.typing import Array


@dataclass
class Camera:
    """Where a window looks: all fields may be changed between frames.

    Args:
        size: Width and height of the window [pixels].
        center: The point in the middle of the window [m], shape (2,).
        scale: Pixels a meter; raising it enlarges all things.
        flip: Whether y grows upwards in the world and downwards in the window, or the other way. Default: True, as for
            pygame; False is for windows whose y grows upwards (arcade), and for worlds whose y grows downwards.
    """

    size: tuple[float, float]
    center: Any = (0.0, 0.0)
    scale: float = 1.0
    flip: bool = True

    @classmethod
    def over(cls, size: tuple[float, float], area: Any, *, margin: float = 0.0) -> Self:
        """A camera that sees a whole area.

        Args:
            size: Width and height of the window [pixels].
            area: A Box, a Torus, or the lowest and the highest corner [m], shape (2, 2).
            margin: Room around it [pixels].

        Raises:
            ValueError: The area has no end, or no extent.
        """
        if isinstance(area, Domain):
            low, extent = bounds(area, 2)
        else:
            corners = as_floats("area", area, np.float64).reshape(2, 2)
            low, extent = corners[0], corners[1] - corners[0]
        if not np.isfinite(extent).all() or np.any(extent <= 0):
            raise ValueError(
                f"area must be a Box, a Torus, or two corners (2, 2) [m] with something between, got {area}"
            )
        scale = min((each - 2 * margin) / long for each, long in zip(size, extent.tolist(), strict=True))
        return cls(size, tuple((low + extent / 2).tolist()), scale)

    def pixels(self, points: Any) -> Array:
        """Places in the window [pixels] of points [m], shape (..., 2)."""
        width, height = self.size
        way = (np.asarray(points, np.float64) - self.center) * self.scale
        return np.asarray(way * (1.0, -1.0 if self.flip else 1.0) + (width / 2, height / 2))

    def meters(self, pixels: Any) -> Array:
        """Points of the world [m] at places in the window [pixels], shape (..., 2)."""
        width, height = self.size
        way = (np.asarray(pixels, np.float64) - (width / 2, height / 2)) * (1.0, -1.0 if self.flip else 1.0)
        return np.asarray(way / self.scale + self.center)

    def direction(self, right: float, up: float) -> Array:
        """A direction of the window as a vector of the world, of length 1 or 0, shape (2,).

        Args:
            right: Along the window, as of arrow keys: 1 to the right, -1 to the left.
            up: The same upwards, as a person sees it.
        """
        way = np.array([right, up if self.world_y_up else -up], np.float64)
        return way / (math.hypot(*way.tolist()) or 1.0)

    window_y_up = False
    """Whether y grows upwards in windows of this library."""

    @property
    def world_y_up(self) -> bool:
        """Whether y of the world is seen to grow upwards."""
        return self.flip != self.window_y_up

    def degrees(self, heading: Any) -> Array:
        """How far things are seen turned [degrees], counterclockwise from the right, of headings [rad], shape (n,)."""
        angle: Array = np.degrees(np.asarray(heading, np.float64))
        return angle * (1.0 if self.world_y_up else -1.0)

    def sees(self, points: Any, margin: float = 0.0) -> Array:
        """Which points [m], shape (n, 2), are in the window or nearer to it than a margin [pixels], shape (n,), bool."""
        places = self.pixels(points)
        return np.asarray(np.all((places >= -margin) & (places <= np.add(self.size, margin)), axis=-1))

    def follow(self, point: Any, dt: float, seconds: float = 0.3) -> None:
        """Move the center toward a point [m], so that the way that is left halves every so many seconds."""
        left = 0.5 ** (dt / seconds)
        self.center = tuple((np.asarray(point, np.float64) * (1 - left) + np.multiply(self.center, left)).tolist())

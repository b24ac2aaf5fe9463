"""Skin: the surface of obstacles, to move upon: a triangle mesh, boulders, boxes."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.obstacles.answers import Nearest
from steersman.core.environment.obstacles.obstacle import ONE_SET, Obstacles
from steersman.core.environment.shape import SurfaceProjection
from steersman.core.environment.surface import Ground, Surface, foot_of, place_on_surface
from steersman.core.kernels.call import Call
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns


@final
@dataclass(frozen=True, eq=False)
class Skin(Surface):
    """The surface of a set of obstacles; wherever a surface is expected, the obstacles themselves will do.

    Up is away from the nearest point of it: on a flat face its normal, on an edge a direction between those of its
    faces.

    Args:
        obstacles: The obstacles to move upon: a TriangleMesh, or any other set of obstacles.
    """

    obstacles: Any = parameter(kind=ONE_SET, positional=True)

    def validate(self) -> None:
        """Check that there are obstacles."""
        if len(self.obstacles) == 0:
            raise ValueError("obstacles must be at least one to be moved upon, got none")

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.obstacles.dimensions)

    @property
    def middle(self) -> Array:
        """The mean of the centers [m]."""
        return np.asarray(self.obstacles.position.mean(axis=0))

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """The calls of the obstacles."""
        return foot_on_obstacles(self.obstacles, points, foot)

    def project_calls(self, points: Columns, ground: Ground) -> list[Call]:
        """The nearest points."""
        foot = foot_of(points, ground)
        return [*self.foot_calls(points, foot), Call(place_on_surface, (points, foot, ground.position))]


def foot_on_obstacles(
    obstacles: Obstacles, points: Columns, foot: SurfaceProjection, active: Array | None = None
) -> list[Call]:
    """The calls that find the nearest points of obstacles, in open space; for the `active` rows (default: all)."""
    n, d, dtype = len(points[0]), len(points), points[0].dtype
    active, anywhere = np.ones(n, np.uint8) if active is None else active, np.full(n, np.inf, dtype)
    nearest = Nearest(foot.distance, foot.normal, np.zeros(n, np.int64))
    return obstacles.nearest_calls(points, anywhere, active, np.zeros((2, d), dtype), nearest)

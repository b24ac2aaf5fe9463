"""Interior: the inside of closed obstacles as a region: a tank of any shape, a cave."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from steersman.core.environment.obstacles.answers import Hits, Rays, new_hits
from steersman.core.environment.obstacles.obstacle import ONE_SET
from steersman.core.environment.obstacles.skin import foot_on_obstacles
from steersman.core.environment.regions.region import Region
from steersman.core.environment.shape import SurfaceProjection, keep_foot
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns

SAMPLES = 4096
"""The number of points at which the depth is computed."""


@row_kernel
def aim(i: int, origin: Columns, points: Columns, direction: Columns, reach: Array) -> None:
    """Straight ways as rays."""
    way = v.subtract(v.load(points, i), v.load(origin, i))
    reach[i] = v.length(way)
    v.store(direction, i, v.normalize(way))


@row_kernel
def leave_interior(
    i: int, origin: Columns, points: Columns, now: SurfaceProjection, hits: Hits, foot: SurfaceProjection,
    leaving: SurfaceProjection,
) -> None:  # fmt: skip
    """Where rays from inside hit the surface first."""
    keep_foot(i, foot, leaving)
    if now.distance[i] <= v.ZERO and hits.which[i] >= 0:
        outward = v.scale(v.load(hits.normal, i), -v.ONE)
        way = v.subtract(v.load(points, i), v.load(origin, i))
        beyond = v.add_scaled(way, v.normalize(way), -hits.distance[i])
        leaving.distance[i] = max(v.dot(beyond, outward), v.TINY)
        v.store(leaving.normal, i, outward)


@final
@dataclass(frozen=True, eq=False)
class Interior(Region):
    """The inside of a set of closed obstacles; wherever a region is expected, the obstacles themselves will do.

    Args:
        obstacles: The obstacles that enclose it: a closed TriangleMesh, or any other set of obstacles that has an
            inside.

    Raises:
        ValueError: The obstacles have no inside.
    """

    obstacles: Any = parameter(kind=ONE_SET, positional=True)

    def validate(self) -> None:
        """Check that there are obstacles, with an inside."""
        if len(self.obstacles) == 0:
            raise ValueError("obstacles must be at least one to be within, got none")
        self.obstacles.check_inside("to be a region")

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.obstacles.dimensions)

    @property
    def middle(self) -> Array:
        """The middle of its bounds [m]."""
        low, high = self.bounds
        return np.asarray((low + high) / 2)

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner of a box around the spheres that bound the obstacles [m]."""
        center, radius = self.obstacles.bounding_spheres()
        return (center - radius[:, None]).min(axis=0), (center + radius[:, None]).max(axis=0)

    @cached_property
    def depth(self) -> float:
        """The depth of the deepest of some thousand points inside [m]."""
        low, high = self.bounds
        side = round(SAMPLES ** (1 / self.dimensions))
        index = np.stack(np.meshgrid(*[(np.arange(side) + 0.5) / side] * self.dimensions, indexing="ij"), axis=-1)
        points = low + index.reshape(-1, self.dimensions) * (high - low)
        return max(0.0, -float(self.nearest(points).distance.min()))

    @property
    def is_convex(self) -> bool:
        """False: it is not known to be convex."""
        return False

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """The calls of the obstacles."""
        return foot_on_obstacles(self.obstacles.united, points, foot)

    def some_foot_calls(self, points: Columns, foot: SurfaceProjection, active: Array) -> list[Call]:
        """The calls of the obstacles."""
        return foot_on_obstacles(self.obstacles.united, points, foot, active)

    def leaving_calls(
        self, origin: Columns, points: Columns, foot: SurfaceProjection, leaving: SurfaceProjection
    ) -> list[Call]:
        """Rays are cast from the vehicles inside."""
        n, d, dtype = len(points[0]), len(points), points[0].dtype
        direction = tuple(np.zeros((d, n), dtype))
        rays = Rays(origin, direction, np.zeros(n, dtype), np.zeros(n, dtype))
        hits, all_rows, wrap = new_hits(n, d, dtype), np.ones(n, np.uint8), np.zeros((2, d), dtype)
        now = SurfaceProjection(np.zeros(n, dtype), tuple(np.zeros((d, n), dtype)))
        return [
            *self.foot_calls(origin, now),
            Call(aim, (origin, points, direction, rays.reach)),
            *self.obstacles.viewed_from("inside").cast_calls(rays, all_rows, wrap, hits),
            Call(leave_interior, (origin, points, now, hits, foot, leaving)),
        ]

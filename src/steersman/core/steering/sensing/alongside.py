"""Alongside: surfaces and paths that a vehicle goes along, sensed in the same form as obstacles.

Any shape with a distance can be followed: the foot of a vehicle on it is the nearest point, and a ray is advanced by
the distance again and again, until it arrives (sphere tracing: Hart 1996). A path has a foot, too: the nearest point of
its spine.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import Hits, Nearest, Rays
from steersman.core.environment.paths.path import Path
from steersman.core.environment.paths.projecting import PathColumns, point_at, project, tangent_of
from steersman.core.environment.regions.sphere import point_of
from steersman.core.environment.shape import Shape, SurfaceProjection, new_foot
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.steering.scene.scene import Scene
from steersman.core.typing import Array, Columns

STEPS = 8
"""How many times a ray is advanced."""

THERE = np.float32(0.05)
"""A ray has arrived when less than this part of the offset is left."""


@row_kernel
def feet_on_path(
    i: int, points: Columns, active: Array, path: PathColumns, wrap: Array, lead: Columns, foot: SurfaceProjection
) -> None:
    """The nearest points of a spine, and in space its direction there; zero at an end. A point on it has it on the right."""
    place = v.load(points, i)
    s, d2, segment = project(path, place, wrap, -1)
    tangent = tangent_of(path, segment, place)
    away = v.difference(place, point_at(path, s, segment, place), wrap)
    foot.distance[i] = math.sqrt(d2)
    v.store(foot.normal, i, v.direction_off(away, place, v.perpendicular(tangent)))
    if len(place) == 3:
        at_end = path.closed == 0 and (s <= v.ZERO or s >= path.total[0])
        v.store(lead, i, v.scale(tangent, v.ZERO) if at_end else tangent)


@row_kernel
def as_nearest(i: int, active: Array, foot: SurfaceProjection, nearest: Nearest) -> None:
    """Write feet as the nearest points."""
    nearest.distance[i], nearest.which[i] = foot.distance[i], 0
    v.store(nearest.normal, i, v.load(foot.normal, i))


@row_kernel
def bring_near(i: int, active: Array, middle: Array, wrap: Array, points: Columns) -> None:
    """Points on a torus as seen from the middle of a shape."""
    center = point_of(middle, 0, v.load(points, i))
    v.store(points, i, v.add(center, v.difference(v.load(points, i), center, wrap)))


@row_kernel
def set_out(i: int, active: Array, rays: Rays, probe: Columns, hits: Hits) -> None:
    """The beginning of every ray."""
    v.store(probe, i, v.load(rays.origin, i))
    hits.distance[i], hits.which[i] = v.ZERO, -1


@row_kernel
def go_on(
    i: int, active: Array, rays: Rays, foot: SurfaceProjection, offset: Any, last: bool, probe: Columns, hits: Hits
) -> None:
    """Advance rays by the free distance; in the end, note the hits. `offset`: how far beside it is followed [m]."""
    free = abs(foot.distance[i])
    if last:
        if hits.distance[i] <= rays.reach[i] and free <= THERE * offset:
            hits.which[i] = 0
        return
    if (
        free > THERE * offset or hits.distance[i] == v.ZERO
    ):  # Of a nearer hit, rounding alone decides on which side it lies.
        v.store(hits.normal, i, v.load(foot.normal, i))
    hits.distance[i] += free
    v.store(probe, i, v.add_scaled(v.load(rays.origin, i), v.load(rays.direction, i), hits.distance[i]))


class Alongside:
    """A surface or a path that is followed.

    Args:
        followed: The surface or the path.
        scene: The scene of the behavior.
        active: The vehicles to find places for.
        lead: Where a path leads in space, written by `nearest_calls`.
    """

    def __init__(self, followed: Shape | Path, scene: Scene, active: Array, lead: Columns) -> None:
        self.followed, self.scene, self.active, self.lead = followed, scene, active, lead

    def nearest_calls(self, points: Columns, nearest: Nearest) -> list[Call]:
        """The calls that find the nearest places to points."""
        n, d, dtype = self.scene.capacity, self.scene.vehicles.dimensions, self.scene.vehicles.dtype
        foot = new_foot(n, d, dtype)
        return [*self._feet(points, self.lead, foot), Call(as_nearest, (self.active, foot, nearest))]

    def cast_calls(self, rays: Rays, offset: Any, hits: Hits) -> list[Call]:
        """The calls that find the hits of rays."""
        n, d, dtype = self.scene.capacity, self.scene.vehicles.dimensions, self.scene.vehicles.dtype
        foot, nowhere = new_foot(n, d, dtype), tuple(np.zeros((d, n), dtype))
        probe: Any = tuple(np.zeros((d, n), dtype))
        calls = [Call(set_out, (self.active, rays, probe, hits))]
        for step in range(STEPS + 1):
            on = (self.active, rays, foot, offset, step == STEPS, probe, hits)
            calls += [*self._feet(probe, nowhere, foot), Call(go_on, on)]
        return calls

    def _feet(self, points: Columns, lead: Columns, foot: SurfaceProjection) -> list[Call]:
        wrap, dtype = self.scene.wrap, self.scene.vehicles.dtype
        if isinstance(self.followed, Path):
            path = self.followed.columns(dtype, wrap)
            return [Call(feet_on_path, (points, self.active, path, wrap, lead, foot))]
        middle = np.array([self.followed.middle], dtype)
        return [Call(bring_near, (self.active, middle, wrap, points)), *self.followed.foot_calls(points, foot)]

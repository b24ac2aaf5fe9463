"""Lines of sight: the vehicles in the field of view, and those among them that obstacles hide.

A target is hidden when a ray from eye to target hits an obstacle before it.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import Hits, Rays, new_hits
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, difference, dot, load, normalize, store
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.targets.target import Mark
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

FAR = 1e18
"""The largest range [m]; its square is still finite in float32."""

GRAZING = np.float32(1 - 1e-5)
"""Part of the way to the target that must be free: an obstacle that touches the target itself does not hide it."""


def half_angle_cosine(angle: float) -> float:
    """Cosine of half of a full field of view [rad]; -1 where all around is seen."""
    return -1.0 if angle >= 2 * math.pi else math.cos(angle / 2)


@kernel
def in_view(way: Vector, forward: Vector, cosine: Any) -> Any:
    """Whether a way [m] leads into the field of view; cosine of half its angle."""
    return cosine <= -ONE or dot(way, forward) >= cosine * math.sqrt(dot(way, way))


@row_kernel(every=True)
def look_at_mark(
    i: int, vehicles: VehicleColumns, mark: Mark, wrap: Array, numbers: Any, active: Array, picks: Array,
) -> None:  # fmt: skip
    """The row of the mark where it is in view, -1 elsewhere; shape (n, 1)."""
    picks[i, 0] = -1
    j = mark.pick[i]
    if active[i] and j >= 0:
        way = difference(load(mark.position, j), load(vehicles.position, i), wrap)
        near = dot(way, way) <= numbers.range * numbers.range
        if near and in_view(way, load(vehicles.forward, i), numbers.cosine):
            picks[i, 0] = j


@row_kernel
def flag_first(i: int, picks: Array, in_sight: Array) -> None:
    """A vehicle sees its first pick, if it has one."""
    in_sight[i] = picks[i, 0] >= 0


@row_kernel(every=True)
def aim(
    i: int, vehicles: VehicleColumns, others: Columns, wrap: Array, picks: Array, k: int,
    active: Array, in_sight: Array,
    cast: Array, rays: Rays,
) -> None:  # fmt: skip
    """Cast rays to each vehicle's pick number k, for vehicles that have seen none yet."""
    j = picks[i, k]
    if k == 0:
        in_sight[i] = 0
    cast[i] = active[i] != 0 and j >= 0 and in_sight[i] == 0
    if cast[i]:
        way = difference(load(others, j), load(vehicles.position, i), wrap)
        distance = math.sqrt(dot(way, way))
        rays.reach[i] = distance * GRAZING
        store(rays.direction, i, normalize(way) if distance > ZERO else load(vehicles.forward, i))


@row_kernel
def recognize(i: int, cast: Array, reach: Array, hits: Hits, k: int, in_sight: Array) -> None:
    """Note the number of the pick that vehicles see: their ray meets no obstacle."""
    if cast[i] and not hits.distance[i] < reach[i]:
        in_sight[i] = k + 1


def sight_calls(
    scene: Scene, obstacles: Obstacles, others: Columns, picks: Array, active: Array, in_sight: Array
) -> list[Call]:
    """The calls that find which vehicles see one of their picks, pick by pick, until one is seen.

    Args:
        scene: The scene of the vehicles that look.
        obstacles: The obstacles that block the view.
        others: Positions of the vehicles that may be seen [m].
        picks: Their rows, -1 for none, shape (n, k).
        active: Which vehicles look, shape (n,), uint8.
        in_sight: The number of the first pick that a vehicle sees, from 1; 0 if it sees none; shape (n,), int32; written
            by the calls.
    """
    n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
    cast, hits = np.zeros(n, np.uint8), new_hits(n, d, dtype)
    rays = Rays(scene.columns.position, tuple(np.zeros((d, n), dtype)), np.zeros(n, dtype), np.zeros(n, dtype))
    calls: list[Call] = []
    for k in range(picks.shape[1]):
        calls += [
            Call(aim, (scene.columns, others, scene.wrap, picks, k, active, in_sight, cast, rays)),
            *obstacles.cast_calls(rays, cast, scene.wrap, hits),
            Call(recognize, (cast, rays.reach, hits, k, in_sight)),
        ]
    return calls

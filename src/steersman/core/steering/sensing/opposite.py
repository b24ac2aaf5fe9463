"""The middle between the place that a feeler touches and an obstacle opposite of it."""

import numpy as np

from steersman.core.environment.obstacles.answers import Hits, Rays, new_hits, new_rays
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import HALF, INFINITE, TWO, ZERO, add, add_scaled, length, load, rounding, store
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.sensing.feelers import Touch
from steersman.core.typing import Array
from steersman.core.vehicles.vehicle_columns import VehicleColumns

OFF = np.float32(0.01)
"""The least distance from the touched place to where the ray begins, which must not feel that place, over the clearance."""


@row_kernel(every=True)
def look_opposite(
    i: int, vehicles: VehicleColumns, active: Array, touch: Touch, clearance: Array, looks: Array, rays: Rays
) -> None:
    """Cast a ray from the touched place along its normal, twice the clearance far; none where nothing is touched."""
    looks[i] = active[i] != 0 and touch.distance[i] < INFINITE and clearance[i] > ZERO
    if looks[i]:
        place, normal = add(load(vehicles.position, i), load(touch.way, i)), load(touch.normal, i)
        off = max(OFF * clearance[i], rounding(length(place)))
        rays.reach[i] = TWO * clearance[i] - off
        store(rays.direction, i, normal)
        store(rays.origin, i, add_scaled(place, normal, off))


@row_kernel
def keep_to_the_middle(i: int, active: Array, reach: Array, hits: Hits, clearance: Array) -> None:
    """Lower the clearance by half of how far the ray reaches into the obstacle that it hits."""
    if hits.which[i] >= 0:
        clearance[i] -= HALF * (reach[i] - hits.distance[i])


def middle_calls(scene: Scene, obstacles: Obstacles, touch: Touch, clearance: Array, active: Array) -> list[Call]:
    """The calls that keep points beside touched places within the middle, where an obstacle stands opposite.

    Args:
        scene: The scene of the behavior.
        obstacles: The obstacles that are touched, and may stand opposite.
        touch: The places.
        clearance: The clearances [m], shape (n,).
        active: The vehicles with feelers, shape (n,), uint8.
    """
    n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
    looks, rays, hits = np.zeros(n, np.uint8), new_rays(n, d, dtype), new_hits(n, d, dtype)
    return [
        Call(look_opposite, (scene.columns, active, touch, clearance, looks, rays)),
        *obstacles.cast_calls(rays, looks, scene.wrap, hits),
        Call(keep_to_the_middle, (looks, rays.reach, hits, clearance)),
    ]

"""Feelers: rays that stick out of a vehicle."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import Hits, Rays, new_hits, new_rays
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import side_of, up_at
from steersman.core.maths.vectors import INFINITE, add, add_scaled, load, scale, store, subtract
from steersman.core.parameters.per_vehicle import applied
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns


class Touch(NamedTuple):
    """The places that the feelers of vehicles touch.

    Attributes:
        distance: How far along the feeler [m], shape (n,); infinite where none touches anything.
        way: From the vehicle to the touch [m], d arrays of shape (n,).
        normal: Unit normals there, toward the vehicle's side, d arrays of shape (n,).
    """

    distance: Array
    way: Columns
    normal: Columns


@kernel
def raised(direction: Vector, up: Vector, height: Any) -> Vector:
    """The direction with a part along up; in 2D up does not exist."""
    if len(up) == 3:
        return add_scaled(direction, up, height)
    return direction


class Feeler(NamedTuple):
    """How a feeler sticks out of a vehicle.

    Attributes:
        ahead, right, up: Its direction, of length 1.
        aside: How far to the right it begins, in radii of the vehicle.
    """

    ahead: Any
    right: Any
    up: Any
    aside: Any


@row_kernel
def stretch(i: int, vehicles: VehicleColumns, active: Array, feeler: Feeler, reach: Any, rays: Rays) -> None:
    """Stick a feeler out, so far [m]."""
    rays.reach[i] = reach
    forward = load(vehicles.forward, i)
    up = up_at(vehicles.up, i)
    side = side_of(forward, up)
    direction = add_scaled(scale(forward, feeler.ahead), side, feeler.right)
    store(rays.direction, i, raised(direction, up, feeler.up))
    store(rays.origin, i, add_scaled(load(vehicles.position, i), side, feeler.aside * vehicles.radius[i]))


@row_kernel
def feel_nothing(i: int, distance: Array) -> None:
    """Start with no touch."""
    distance[i] = INFINITE


@row_kernel
def feel(i: int, vehicles: VehicleColumns, active: Array, rays: Rays, hits: Hits, nearest: bool, touch: Touch) -> None:
    """Keep the hit of a feeler where it is nearer than the one known, or where none is known."""
    if hits.which[i] < 0:
        return
    if hits.distance[i] < touch.distance[i] and (nearest or touch.distance[i] == INFINITE):
        touch.distance[i] = hits.distance[i]
        root = subtract(load(rays.origin, i), load(vehicles.position, i))
        store(touch.way, i, add(root, scale(load(rays.direction, i), hits.distance[i])))
        store(touch.normal, i, load(hits.normal, i))


def half_cosine(angle: float) -> float:
    """The cosine of half an angle."""
    return math.cos(angle / 2)


def half_sine(angle: float) -> float:
    """The sine of half an angle."""
    return math.sin(angle / 2)


def fan(count: int, spread: Any, dimensions: int, name: str) -> list[Feeler]:
    """Feelers: the one ahead, then right and left, then up and down.

    Args:
        count: 1, 2 (parallel, a radius to either side), 3, or in 3D 5.
        spread: Full angle between feelers on opposite sides [rad], or one per vehicle.
        dimensions: 2 or 3.
        name: The name of the count in messages.
    """
    cosine, sine = applied(half_cosine, spread), applied(half_sine, spread)
    ahead, right, left = Feeler(1.0, 0.0, 0.0, 0.0), Feeler(cosine, sine, 0.0, 0.0), Feeler(cosine, -sine, 0.0, 0.0)
    fans = {
        1: [ahead],
        2: [Feeler(1.0, 0.0, 0.0, 1.0), Feeler(1.0, 0.0, 0.0, -1.0)],
        3: [ahead, right, left],
    }
    if dimensions == 3:
        fans[5] = [ahead, right, left, Feeler(cosine, 0.0, sine, 0.0), Feeler(cosine, 0.0, -sine, 0.0)]
    if count not in fans:
        raise ValueError(f"{name} must be {', '.join(map(str, fans))} in {dimensions}D, got {count}")
    return fans[count]


def feel_calls(
    scene: Scene,
    obstacles: Obstacles,
    feelers: Sequence[Feeler],
    reach: Any,
    active: Array,
    nearest: bool,
) -> tuple[Touch, list[Call]]:
    """The places that feelers touch, and the calls that find them.

    Args:
        scene: The scene of the behavior.
        obstacles: The obstacles that they feel.
        feelers: See `fan`.
        reach: Their length [m], as an argument of a kernel.
        active: The vehicles with feelers to cast.
        nearest: Whether the nearest touch counts, or that of the first feeler which touches anything.
    """
    n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
    touch = Touch(np.full(n, np.inf, dtype), tuple(np.zeros((d, n), dtype)), tuple(np.zeros((d, n), dtype)))
    rays, hits = new_rays(n, d, dtype), new_hits(n, d, dtype)
    calls = [Call(feel_nothing, (touch.distance,))]
    for feeler in feelers:
        calls += [
            Call(stretch, (scene.columns, active, scene.numbers(Feeler, **feeler._asdict()), reach, rays)),
            *obstacles.cast_calls(rays, active, scene.wrap, hits),
            Call(feel, (scene.columns, active, rays, hits, nearest, touch)),
        ]
    return touch, calls


def feeler_lines(context: SketchContext, feelers: Sequence[Feeler], reach: Any) -> Iterator[Array]:
    """Feelers as lines from end to end [m], shape (k, 2, d) each."""
    side = context.axes[:, -1]
    for feeler in feelers:
        local = [feeler.ahead, feeler.right] if side.shape[1] == 2 else [feeler.ahead, feeler.up, feeler.right]
        root = context.position + side * (feeler.aside * context.radius)[:, None]
        yield np.stack([root, root + context.globalized(np.array(local)) * reach], axis=1)

"""Kernels of stopping: the surfaces that a vehicle would meet, and a force that lets it stop before them.

The equations stand in `steersman.laws.stop_before`. The surfaces that matter are the one that the vehicle goes at, the
one that it would meet instead of sliding along the first, and in 3D along both, so that a corner stops it too; and that
which it was last stopped by, so that it is not pushed through by and by.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.obstacles.answers import Hits, Rays, new_hits
from steersman.environment.obstacles.obstacle import Obstacles
from steersman.geometry.call import Call
from steersman.geometry.ground import level
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import (
    HALF,
    INFINITE,
    ONE,
    TWO,
    ZERO,
    Array,
    Columns,
    Vector,
    add_scaled,
    direction_or,
    dot,
    lateral,
    length,
    load,
    scale,
    store,
    subtract,
    truncate,
)
from steersman.steering.laws import stopping
from steersman.steering.scene import Scene
from steersman.steering.sensing.on_ground import lay_hits
from steersman.vehicles.vehicle_columns import VehicleColumns

BRAKES, BACK, SWEEPS = np.float32(stopping.BRAKES), np.float32(stopping.BACK), stopping.SWEEPS

SHALLOW = np.float32(0.01)
"""A way along a surface shorter than this part of the way is none: the vehicle goes straight at it."""


class Stops(NamedTuple):
    """What vehicles would meet.

    Attributes:
        looks: Whose way is looked along, shape (n,), uint8: ahead, along each surface met, and back at the last one.
        rays: The ways, one `Rays` each.
        hits: What is met on them.
        room: Radii of the vehicles with the clearance around them [m], shape (n,).
        met: For every way and vehicle how near the surface met may still come [m], infinite for none, and its normal,
            shape (ways, n, 1 + d).
    """

    looks: tuple[Array, ...]
    rays: tuple[Rays, ...]
    hits: tuple[Hits, ...]
    room: Array
    met: Array


def new_stops(scene: Scene, room: Array, *, round_only: bool) -> Stops:
    """Space for what all vehicles would meet: three ways in 2D, four in 3D; two where all is round, and makes no corners."""
    n, d, dtype = scene.room, scene.vehicles.dimensions, scene.vehicles.dtype
    ways, reach = 2 if round_only else d + 1, np.zeros(n, dtype)
    rays = tuple(
        Rays(scene.columns.position, tuple(np.zeros((d, n), dtype)), reach, scene.columns.radius) for _ in range(ways)
    )
    return Stops(
        tuple(np.zeros(n, np.uint8) for _ in range(ways)), rays, tuple(new_hits(n, d, dtype) for _ in range(ways)),
        room, np.zeros((ways, n, d + 1), dtype),
    )  # fmt: skip


def stops_calls(scene: Scene, obstacles: Obstacles, wall: Columns, stops: Stops) -> list[Call]:
    """The calls that find what vehicles would meet.

    Args:
        scene: The scene of the behavior.
        obstacles: What they could run into.
        wall: Along the normals of the surfaces that were last stopped for, d arrays of shape (n,); zero for none.
        stops: What is found. It is asked for those whose `looks[0]` is set.
    """
    back = len(stops.rays) - 1
    calls = [
        Call(aim, (scene.columns, stops.looks[0], scene.clock.dt, stops.room, stops.rays[0])),
        Call(look_back, (stops.looks[0], wall, scene.ground, stops.looks[back], stops.rays[back])),
    ]
    for k, (looks, rays, hits) in enumerate(zip(*stops[:3], strict=True)):
        calls += obstacles.cast_calls(rays, looks, scene.wrap, hits)
        if scene.ground:
            calls.append(Call(lay_hits, (looks, scene.ground, hits)))
        calls.append(
            Call(note, (scene.columns, stops.looks[0], looks, rays, hits, scene.clock.dt, stops.room, stops.met[k]))
        )
        if k + 1 < back:
            calls.append(Call(slide, (looks, rays, hits, stops.looks[k + 1], stops.rays[k + 1])))
    return calls


@kernel
def way_to_stop(speed: Any, strength: Any, dt: Any) -> Any:
    """How far a vehicle gets that goes on for two steps, speeding up, and then brakes [m]; infinite without brakes."""
    if not strength > ZERO:
        return INFINITE + ZERO * speed
    faster = speed + strength * dt
    return HALF * faster * faster / (BRAKES * strength) + TWO * faster * dt


@kernel
def kept(clearance: Any, strength: Any, dt: Any) -> Any:
    """How near surfaces may come [m]: half of the clearance, and no nearer than a step needs."""
    return max(HALF * clearance, TWO * strength * dt * dt)


@kernel
def stoppable(gap: Any, strength: Any, dt: Any) -> Any:
    """The closing speed [m/s] from which a vehicle can still stop within a gap [m]; negative where it is to come away."""
    if gap < ZERO:
        return gap / BACK
    brakes = BRAKES * strength
    return math.sqrt(brakes * dt * (brakes * dt) + TWO * brakes * gap) - brakes * dt


@kernel
def aim(start: int, stop: int, vehicles: VehicleColumns, looks: Array, dt: Array, room: Array, rays: Rays) -> None:
    """A ray where a vehicle goes, as far as it could need to stop."""
    for i in range(start, stop):
        if looks[i]:
            velocity = load(vehicles.velocity, i)
            speed = length(velocity)
            store(rays.direction, i, direction_or(velocity, speed, load(vehicles.forward, i)))
            strength = vehicles.max_force[i] / vehicles.mass[i]
            rays.reach[i] = kept(room[i] - vehicles.radius[i], strength, dt[0]) + way_to_stop(speed, strength, dt[0])


@kernel
def look_back(
    start: int, stop: int, looks: Array, wall: Columns, ground: Columns, looks_back: Array, back: Rays
) -> None:
    """A ray at the surface that was last stopped for."""
    for i in range(start, stop):
        normal = level(load(wall, i), ground, i)
        looks_back[i] = 1 if looks[i] and dot(normal, normal) > ZERO else 0
        store(back.direction, i, scale(direction_or(normal, ZERO, normal), -ONE))


@kernel
def slide(start: int, stop: int, looks: Array, rays: Rays, hits: Hits, looks_on: Array, along: Rays) -> None:
    """A ray along the surface that is met."""
    for i in range(start, stop):
        looks_on[i] = 0
        if not looks[i] or hits.which[i] < 0:
            continue
        way = lateral(load(rays.direction, i), load(hits.normal, i))
        size = length(way)
        if size > SHALLOW:
            looks_on[i] = 1
            store(along.direction, i, scale(way, ONE / size))


@kernel
def note(
    start: int,
    stop: int,
    vehicles: VehicleColumns,
    asked: Array,
    looks: Array,
    rays: Rays,
    hits: Hits,
    dt: Array,
    room: Array,
    met: Array,
) -> None:
    """Write down how near the surface met may still come along its normal [m], and that normal."""
    for i in range(start, stop):
        if asked[i]:
            met[i, 0] = INFINITE
            if looks[i] and hits.which[i] >= 0:
                normal = load(hits.normal, i)
                keep = kept(room[i] - vehicles.radius[i], vehicles.max_force[i] / vehicles.mass[i], dt[0])
                met[i, 0] = -hits.distance[i] * dot(load(rays.direction, i), normal) - keep
                for k in range(len(normal)):
                    met[i, 1 + k] = normal[k]


@kernel
def normal_of(met: Array, k: int, i: int, like: Vector) -> Vector:
    """The normal of the surface met on way k."""
    if len(like) == 2:
        return (met[k, i, 1], met[k, i, 2])
    return (met[k, i, 1], met[k, i, 2], met[k, i, 3])


@kernel
def stopped_for(met: Array, velocity: Vector, strength: Any, dt: Any, i: int) -> int:
    """On which way the surface is met for which one step more, with all force toward it, would be one too many; or -1."""
    worst, first = ZERO * dt, -1
    for k in range(len(met)):
        if met[k, i, 0] < INFINITE:
            closing, gap = -dot(velocity, normal_of(met, k, i, velocity)), met[k, i, 0]
            faster = closing + strength * dt
            excess = faster - stoppable(gap - faster * dt, strength, dt)
            if closing > ZERO and not excess <= worst:
                worst, first = excess, k
    return first


@kernel
def held_back(met: Array, velocity: Vector, strength: Any, dt: Any, i: int) -> Vector:
    """The velocity nearest to the given one from which a vehicle can still stop before every surface."""
    for _ in range(SWEEPS):
        moved = False
        for k in range(len(met)):
            if met[k, i, 0] < INFINITE:
                normal = normal_of(met, k, i, velocity)
                excess = -stoppable(met[k, i, 0], strength, dt) - dot(velocity, normal)
                if excess > ZERO:
                    velocity, moved = add_scaled(velocity, normal, excess), True
        if not moved:
            break
    return velocity


@kernel
def stopping_force(met: Array, vehicles: VehicleColumns, force: Vector, dt: Any, i: int) -> Vector:
    """The force, held back; what brakes comes first, and of the rest as much as there is strength for.

    Where nothing would be met it is the force as it is.
    """
    if met[0, i, 0] == INFINITE and met[len(met) - 1, i, 0] == INFINITE:
        return force
    velocity, gain, limit = load(vehicles.velocity, i), vehicles.mass[i] / dt, vehicles.max_force[i]
    strength = limit / vehicles.mass[i]
    wanted = add_scaled(velocity, truncate(force, limit), ONE / gain)
    whole = scale(subtract(held_back(met, wanted, strength, dt, i), velocity), gain)
    if not dot(whole, whole) > limit * limit:
        return whole
    brakes = truncate(scale(subtract(held_back(met, velocity, strength, dt, i), velocity), gain), limit)
    rest = subtract(whole, brakes)
    a, b, c = dot(rest, rest), dot(brakes, rest), dot(brakes, brakes) - limit * limit
    if not a > ZERO:
        return brakes
    share = (math.sqrt(max(b * b - a * c, ZERO)) - b) / a
    return add_scaled(brakes, rest, min(max(share, ZERO), ONE))

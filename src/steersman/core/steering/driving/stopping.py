"""Kernels of stopping: the half-spaces that bar the way of a vehicle, and a force that lets it stop before them.

The equations stand in `steersman.laws.stop_before`. The half-spaces are those of `environment/obstacles/barring.py`, of all
parts of obstacles within the way that the vehicle needs to stop, whichever way it goes.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import Balls, Bars, new_bars
from steersman.core.environment.obstacles.barring import add_bar
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import (
    HALF,
    INFINITE,
    ONE,
    TWO,
    ZERO,
    add,
    add_scaled,
    dot,
    length,
    load,
    scale,
    store,
    subtract,
    truncate,
)
from steersman.core.steering.laws import stopping
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.sensing.on_ground import lay_bars
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

BRAKES, BACK, SWEEPS = np.float32(stopping.BRAKES), np.float32(stopping.BACK), stopping.SWEEPS

APART, SHALLOW, SLACK = np.float32(stopping.APART), np.float32(stopping.SHALLOW), np.float32(stopping.SLACK)

STRAIGHT = np.float32(1e-3)
"""Cosine of the angle between a way and a normal up to which the way leads along the surface: rounding is less."""


class Stops(NamedTuple):
    """Half-spaces that bar the ways of vehicles.

    Attributes:
        looks: Flags of the vehicles to find half-spaces for, shape (n,), uint8.
        balls: The vehicles, with the room that they keep.
        bars: The half-spaces of places where they are clear of everything within reach.
        room: Radii of the vehicles with the clearance around them [m], shape (n,).
    """

    looks: Array
    balls: Balls
    bars: Bars
    room: Array


def new_stops(scene: Scene, obstacles: Obstacles, room: Array) -> Stops:
    """Space for the half-spaces that bar the ways of all vehicles, and for as many bevels as there are of one set."""
    n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
    way, (reach, radius) = tuple(np.zeros((d, n), dtype)), np.zeros((2, n), dtype)
    balls = Balls(scene.columns.position, way, reach, radius)
    return Stops(np.zeros(n, np.uint8), balls, new_bars(n, d, len(obstacles.sets) + 1, dtype), room)


def stops_calls(scene: Scene, obstacles: Obstacles, stops: Stops) -> list[Call]:
    """The calls that find the half-spaces that bar the ways of vehicles with `looks` set."""
    looks, bars = stops.looks, stops.bars
    lay = [Call(lay_bars, (looks, scene.ground, bars))] if scene.ground else []
    return [
        Call(aim, (scene.columns, looks, scene.number(scene.brakes), scene.clock.dt, stops.room, stops.balls)),
        *obstacles.bar_calls(stops.balls, looks, scene.wrap, bars, braking=True),
        *lay,
        Call(bevel, (looks, stops.balls.reach, bars)),
    ]


@kernel
def way_to_stop(speed: Any, strength: Any, dt: Any) -> Any:
    """How far a vehicle gets that goes on for two steps, speeding up, and then brakes [m]; infinite without brakes."""
    if not strength > ZERO:
        return INFINITE + ZERO * speed
    faster = speed + strength * dt
    return HALF * faster * faster / (BRAKES * strength) + TWO * faster * dt


@kernel
def least_clearance(strength: Any, dt: Any) -> Any:
    """The clearance that a vehicle needs to stop in steps [m]: a step with all force is too late by half of it."""
    return TWO * TWO * strength * dt * dt


@kernel
def nearest_allowed(radius: Any, clearance: Any) -> Any:
    """How near surfaces may come [m]: the clearance less SLACK of the radius, or half of it if that is more."""
    return max(HALF * clearance, clearance - SLACK * radius)


@kernel
def slack_of(radius: Any, thick: Any) -> Any:
    """How far a vehicle that moves along a surface may enter its clearance [m]; `thick`: radius and clearance [m]."""
    return min(SLACK * radius, thick - radius)


@kernel
def stoppable(gap: Any, strength: Any, dt: Any) -> Any:
    """The closing speed [m/s] from which a vehicle can still stop within a gap [m].

    Where the gap is negative, so is the speed: the vehicle is to come away, and could stop at the end of the gap.
    """
    brakes, size = BRAKES * strength, abs(gap)
    speed = math.sqrt(brakes * dt * (brakes * dt) + TWO * brakes * size) - brakes * dt
    return -min(speed, size / BACK) if gap < ZERO else speed


@row_kernel
def aim(i: int, vehicles: VehicleColumns, looks: Array, brakes: Any, dt: Array, room: Array, balls: Balls) -> None:
    """How far vehicles get at least until they stand, and how thick they are with the room that they keep."""
    if looks[i]:
        velocity, radius = load(vehicles.velocity, i), vehicles.radius[i]
        strength = brakes * (vehicles.max_force[i] / vehicles.mass[i])
        per_root = math.sqrt(TWO * BRAKES * strength)
        store(balls.way, i, scale(velocity, ONE / per_root if per_root > ZERO else per_root))
        balls.reach[i] = way_to_stop(length(velocity), strength, dt[0])
        balls.radius[i] = radius + nearest_allowed(radius, room[i] - radius)


@row_kernel
def bevel(i: int, looks: Array, reach: Array, bars: Bars) -> None:
    """Add the half-spaces that follow from two with normals so far apart that braking before one is not enough."""
    if not looks[i]:
        return
    j = 1
    while j < bars.number[i]:
        for k in range(j):
            if bars.number[i] == bars.normal[0].shape[1]:
                break
            one, other = load(bars.normal, (i, j)), load(bars.normal, (i, k))
            both, bound = add(one, other), bars.bound[i, j] + bars.bound[i, k]
            size = length(both)
            if dot(one, other) < APART and size > SHALLOW and -bound < reach[i] * size:
                add_bar(bars, i, scale(both, ONE / size), bound / size)
        j += 1


@kernel
def stopped_for(bars: Bars, velocity: Vector, slack: Any, strength: Any, dt: Any, i: int) -> int:
    """The half-space for which one more step, with all force toward its border, would be one too many; or -1.

    Half-spaces with a border that the vehicle would not cross by `slack` [m] while it stops, straight on, do not count.
    """
    speed, worst, first = length(velocity), ZERO * dt, -1
    reach = slack + way_to_stop(speed, strength, dt)
    for k in range(bars.number[i]):
        closing = -dot(velocity, load(bars.normal, (i, k)))
        if (slack - bars.bound[i, k]) * speed > closing * reach:
            continue
        faster = closing + strength * dt
        excess = faster - stoppable(-bars.bound[i, k] - faster * dt, strength, dt)
        if closing > ZERO and not excess <= worst:
            worst, first = excess, k
    return first


@kernel
def free_way_of(bars: Bars, way: Vector, spare: Any, i: int) -> Any:
    """How far a vehicle may go on along a unit vector [m], until it is `spare` [m] beyond a half-space; infinite for none."""
    free = INFINITE + ZERO * way[0]
    for k in range(bars.number[i]):
        cosine = -dot(way, load(bars.normal, (i, k)))
        if cosine > STRAIGHT:
            free = min(free, max(spare - bars.bound[i, k], ZERO) / cosine)
    return free


@kernel
def held_back(bars: Bars, velocity: Vector, strength: Any, dt: Any, i: int) -> Vector:
    """A velocity near the given one from which a vehicle can still stop within all half-spaces.

    The first sweep also makes a vehicle come away from borders that are too near; all sweeps keep it from coming
    nearer.
    """
    for sweep in range(SWEEPS):
        moved = False
        for k in range(bars.number[i]):
            normal, speed = load(bars.normal, (i, k)), stoppable(-bars.bound[i, k], strength, dt)
            if sweep > 0:
                speed = max(speed, ZERO * speed)
            excess = -speed - dot(velocity, normal)
            if excess > ZERO:
                velocity, moved = add_scaled(velocity, normal, excess), True
        if not moved:
            break
    return velocity


@kernel
def stopping_force(bars: Bars, vehicles: VehicleColumns, force: Vector, brakes: Any, dt: Any, i: int) -> Vector:
    """The force, held back; braking comes first, and of the rest as much as there is strength for.

    Where no half-space bars the way the force is unchanged. `brakes` is the part of max_force that the body brakes with.
    """
    if bars.number[i] == 0:
        return force
    velocity, gain, limit = load(vehicles.velocity, i), vehicles.mass[i] / dt, vehicles.max_force[i]
    strength = brakes * (limit / vehicles.mass[i])
    desired = add_scaled(velocity, truncate(force, limit), ONE / gain)
    whole = scale(subtract(held_back(bars, desired, strength, dt, i), velocity), gain)
    if not dot(whole, whole) > limit * limit:
        return whole
    slowing = truncate(scale(subtract(held_back(bars, velocity, strength, dt, i), velocity), gain), limit)
    rest = subtract(whole, slowing)
    a, b, c = dot(rest, rest), dot(slowing, rest), dot(slowing, slowing) - limit * limit
    if not a > ZERO:
        return slowing
    share = (math.sqrt(max(b * b - a * c, ZERO)) - b) / a
    return add_scaled(slowing, rest, min(max(share, ZERO), ONE))

"""Velocity obstacles: the velocities that lead to a collision, and the planes that rule them out.

With w the velocity of a vehicle less that of another body, `offset` the way to that body, and r the distance at which
the two touch, they touch within `horizon` seconds if w t comes within r of `offset` at a time t <= horizon. These w
form a truncated cone, the velocity obstacle. With u the shortest way out of it and n its unit direction, the plane

    n . v >= n . velocity + share * u

asks the vehicle for its share of that way: 1 beside an obstacle, which does nothing, and about 1/2 beside a vehicle
that avoids, too. Of two bodies that overlap, the two are to come apart within a response time.

Obstacles that are not round are known by the bars that they form (`environment/obstacles/barring.py`), which are planes
already. Van den Berg, Guy, Lin and Manocha 2011, "Reciprocal n-body collision avoidance", sections 4 and 5.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import Balls, Bars, new_bars
from steersman.core.environment.obstacles.obstacle import as_obstacles
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.environment.obstacles.spheres import SphereColumns
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import beside, level, level_direction
from steersman.core.maths.vectors import (
    ONE,
    TINY,
    TWO,
    ZERO,
    across,
    add_scaled,
    difference,
    direction_or,
    dot,
    length,
    load,
    normalize,
    scale,
    store,
    subtract,
)
from steersman.core.neighborhood.bodies import threatening_offset
from steersman.core.neighborhood.coincident import direction
from steersman.core.steering.driving.resting import lets_near
from steersman.core.steering.group.crowd import Crowd
from steersman.core.steering.group.giving_way import more_than
from steersman.core.steering.group.half_spaces import set_plane
from steersman.core.steering.group.turning_room import order_in_line
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.setting import Setting
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

ROCKS = 8
"""How many of the nearest round obstacles count at once."""

AWAY = 1e30
"""A round obstacle that is switched off has a radius of minus this [m]: it is never in reach."""

STEEP = np.float32(1e-3)
"""On ground, a wall is ground, or a roof, if the part of its normal along the ground is shorter than this."""

QUARTER = np.float32(0.25)


@kernel
def way_out_of_obstacle(
    offset: Vector, w: Vector, reach: Any, horizon: Any, now: Any, apart: Vector, ground: Columns, i: int
) -> tuple[Vector, Any]:
    """The shortest way out of a velocity obstacle: its unit direction, and how far it is [m/s], negative from outside.

    Args:
        offset: From here to the other [m].
        w: Own velocity less the other's [m/s].
        reach: Distance at which the two touch [m].
        horizon: How far ahead they must not touch [s].
        now: Time in which they are to come apart when they overlap [s].
        apart: Unit vector that is used when they coincide.
        ground, i: The ground in which everything lies, and the row there.
    """
    d2 = dot(offset, offset)
    if d2 > reach * reach:
        beyond = add_scaled(w, offset, -ONE / horizon)
        ahead, b2 = dot(beyond, offset), dot(beyond, beyond)
        if ahead < ZERO and ahead * ahead > reach * reach * b2:
            return normalize(beyond), reach / horizon - math.sqrt(b2)
        d = math.sqrt(d2)
        axis = scale(offset, ONE / d)
        side = across(w, axis, beside(axis, ground, i))
        # The side of the cone goes through the origin, at an angle to the axis whose sine is reach / d.
        normal = add_scaled(scale(side, math.sqrt((d - reach) * (d + reach)) / d), axis, -reach / d)
        return normal, -dot(normal, w)
    beyond = add_scaled(w, offset, -ONE / now)
    if d2 < TINY:
        straight = apart
    else:
        straight = scale(offset, -ONE / math.sqrt(d2))
    normal = direction_or(beyond, length(w) + math.sqrt(d2) / now, straight)
    return normal, reach / now - math.sqrt(dot(beyond, beyond))


@kernel
def cut(offset: Vector, reach: Any, ground: Columns, i: int) -> tuple[bool, Vector, Any]:
    """Whether the ground cuts a ball, and its section: the way to the middle, and the radius; without ground, the ball."""
    if len(ground) == 3:
        height = dot(offset, load(ground, i))
        if abs(height) < reach:
            return True, level(offset, ground, i), math.sqrt(reach * reach - height * height)
        return False, offset, reach
    return True, offset, reach


@kernel
def add_rocks(
    planes: Array, i: int, vehicles: VehicleColumns, rocks: SphereColumns, horizon: Any, now: Any, setting: Setting
) -> int:  # fmt: skip
    """Write the planes of the nearest round obstacles in reach; returns how many."""
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    wrap, ground = setting.wrap, setting.ground
    radius, speed = vehicles.radius[i], vehicles.max_speed[i]
    count, row, last = 0, -1, speed * ZERO - np.float32(AWAY)
    for _ in range(ROCKS):
        nearest, best = -1, speed * horizon
        for j in range(rocks.radius.size):
            offset = difference(load(rocks.center, j), place, wrap)
            gap = math.sqrt(dot(offset, offset)) - rocks.radius[j] - radius
            if gap < best and (gap > last or (gap == last and j > row)):
                nearest, best = j, gap
        if nearest < 0:
            break
        offset, reach = difference(load(rocks.center, nearest), place, wrap), rocks.radius[nearest] + radius
        last, row = best, nearest
        meets, offset, reach = cut(offset, reach, ground, i)
        if not meets:
            continue
        apart = beside(normalize(velocity), ground, i)
        normal, size = way_out_of_obstacle(offset, velocity, reach, horizon, now, apart, ground, i)
        set_plane(planes, count, normal, dot(normal, velocity) + size)
        count += 1
    return count


@row_kernel
def look_for_walls(i: int, vehicles: VehicleColumns, active: Array, horizon: Any, balls: Balls) -> None:
    """How vehicles would move within the obstacle horizon [s], and how far they could."""
    store(balls.place, i, load(vehicles.position, i))
    store(balls.way, i, scale(load(vehicles.velocity, i), horizon))
    balls.reach[i] = vehicles.max_speed[i] * horizon
    balls.radius[i] = vehicles.radius[i]


def wall_calls(scene: Scene, walls: list[ObstacleSet], active: Array, horizon: float) -> tuple[Bars, list[Call]]:
    """The bars that sets of obstacles form within a horizon [s], and the calls that keep them up to date."""
    n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
    bars = new_bars(n, d, len(walls), dtype)
    if not walls:
        return bars, []
    balls = Balls(new_columns(scene), new_columns(scene), np.zeros(n, dtype), np.zeros(n, dtype))
    look = Call(look_for_walls, (scene.columns, active, horizon, balls))
    return bars, [look, *as_obstacles(walls).bar_calls(balls, active, scene.wrap, bars)]


@kernel
def add_walls(planes: Array, count: int, i: int, bars: Bars, horizon: Any, ground: Columns) -> int:
    """Write the planes of the walls behind the first `count`; returns how many there are now."""
    for j in range(bars.number[i]):
        normal, bound = load(bars.normal, (i, j)), bars.bound[i, j] / horizon
        if len(ground) == 3:
            flat = level(normal, ground, i)
            share = length(flat)
            if not share > STEEP:
                continue
            normal, bound = scale(flat, ONE / share), bound / share
        set_plane(planes, count, normal, bound)
        count += 1
    return count


@kernel
def shares_beside(j: int, shares: tuple[Array, ...], numbers: Any) -> tuple[Any, Any]:
    """The part of the avoiding that a vehicle does beside neighbor j, and how much of it may go to one of the two."""
    share, uneven = numbers.share, numbers.uneven
    if len(shares) > 0:
        share = shares[0][j]
        uneven *= min(share, ONE - share)
    return share, uneven


@kernel
def add_others(
    planes: Array, count: int, i: int, crowd: Crowd, numbers: Any, now: Any, setting: Setting
) -> int:  # fmt: skip
    """Write the planes of the neighbors behind the first `count`; returns how many there are now.

    Args:
        planes, count: The planes.
        i: The vehicle.
        crowd: Its neighbors.
        numbers: Those of ORCA.
        now: Time in which two that overlap are to come apart [s].
        setting: Space and time.
    """
    vehicles, others, listing, shares = crowd.vehicles, crowd.others, crowd.listing, crowd.shares
    wrap, ground = setting.wrap, setting.ground
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        w = level(subtract(velocity, load(others.velocity, j)), ground, i)
        reach = vehicles.radius[i] + others.radius[j]
        margin = numbers.margin
        if margin < ZERO:
            margin = min(vehicles.max_speed[i] * now, QUARTER * reach)
        reach += margin
        offset, horizon = difference(load(others.position, j), place, wrap), numbers.time_horizon
        offset = threatening_offset(offset, scale(w, -ONE), reach, horizon, i, j, vehicles, others, crowd.bodies)
        offset = level(offset, ground, i)
        apart = velocity
        if dot(offset, offset) < TINY:
            apart = level_direction(direction(vehicles.id[i], others.id[j], numbers.tie, others.position), ground, i)
        normal, size = way_out_of_obstacle(offset, w, reach, horizon, now, apart, ground, i)
        share, uneven = shares_beside(j, shares, numbers)
        share += uneven * more_than(vehicles.id[i], others.id[j])
        behind = ZERO * share
        if numbers.tightest > ZERO and len(shares) == 0:
            behind = order_in_line(offset, load(vehicles.forward, i), load(others.forward, j))
            if behind > ZERO:
                share = ONE + ZERO * share
        bound = dot(normal, velocity) + size * share
        rests = lets_near(i, j, vehicles, others, numbers.margin, wrap, setting.clock, crowd.rests)
        if behind < ZERO or rests:
            bound = -TWO * vehicles.max_speed[i]  # No velocity violates it.
        set_plane(planes, count, normal, bound)
        count += 1
    return count

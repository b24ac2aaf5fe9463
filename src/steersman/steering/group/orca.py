"""ORCA: everybody avoids everybody, each doing half of it, and nobody collides.

What two do in the next `time_horizon` seconds is decided by their relative velocity w: those that lead to a collision form
a truncated cone, the velocity obstacle. With u the shortest way out of it and n its direction, both keep to their half:

    n . v >= n . velocity + u / 2

The vehicle takes the velocity nearest to the wanted one that keeps to all of these planes (`half_spaces.py`), and

    force = mass * (v - velocity) / response_time

Round obstacles are avoided likewise, with nobody to share the work; of every other set of obstacles, the nearest face is
approached so slowly that it is not reached within the obstacle horizon. Van den Berg, Guy, Lin and Manocha 2011, "Reciprocal
n-body collision avoidance". The promise holds for vehicles that reach v at once, with `response_time="step"` and force
enough; for slower ones give a `margin`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.obstacles.obstacle import Nearest, Obstacles, as_obstacles, check_dimensions, no_nearest_call
from steersman.environment.obstacles.spheres import SphereColumns, Spheres, as_spheres
from steersman.geometry.call import Call
from steersman.geometry.frames import up_at
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import (
    ONE,
    ZERO,
    Array,
    Columns,
    Vector,
    add_scaled,
    cross,
    difference,
    dot,
    lateral,
    load,
    normalize,
    perpendicular,
    scale,
    subtract,
    truncate,
)  # fmt: skip
from steersman.neighborhood.coincident import direction
from steersman.neighborhood.request import Listing
from steersman.steering.behavior import RAW, Behavior, Out, as_behavior, deposit, match
from steersman.steering.group.half_spaces import lack, nearest_velocity, set_plane
from steersman.steering.group.watchful import Watchful
from steersman.steering.registry import registered
from steersman.steering.scene import Clock, Scene
from steersman.vehicles.body import Body
from steersman.vehicles.memory import Memory

ROCKS = 8
"""So many of the nearest obstacles are minded at once."""


@kernel
def way_out_of_obstacle(
    offset: Vector, w: Vector, reach: Any, horizon: Any, now: Any, apart: Vector
) -> tuple[Vector, Any]:
    """The shortest way out of a velocity obstacle: its unit direction, and how far it is [m/s], negative from outside.

    Args:
        offset: From here to the other [m].
        w: Own velocity less the other's [m/s].
        reach: Distance at which the two touch [m].
        horizon: How far ahead they must not touch [s].
        now: Time in which they are to come apart when they overlap [s].
        apart: Unit vector that is used when they coincide.
    """
    d2 = dot(offset, offset)
    if d2 > reach * reach:
        beyond = add_scaled(w, offset, -ONE / horizon)
        ahead, b2 = dot(beyond, offset), dot(beyond, beyond)
        if ahead < ZERO and ahead * ahead > reach * reach * b2:
            return normalize(beyond), reach / horizon - math.sqrt(b2)
        d = math.sqrt(d2)
        axis = scale(offset, ONE / d)
        side = normalize(lateral(w, axis))
        if dot(side, side) == ZERO:
            side = perpendicular(axis)
        # The side of the cone goes through the origin, at an angle to the axis whose sine is reach / d.
        normal = add_scaled(scale(side, math.sqrt((d - reach) * (d + reach)) / d), axis, -reach / d)
        return normal, -dot(normal, w)
    beyond = add_scaled(w, offset, -ONE / now)
    normal = normalize(beyond)
    if dot(normal, normal) == ZERO:
        normal = scale(normalize(offset), -ONE)
        if dot(normal, normal) == ZERO:
            normal = apart
    return normal, reach / now - math.sqrt(dot(beyond, beyond))


@kernel
def add_rocks(
    planes: Array, place: Vector, velocity: Vector, radius: Any, speed: Any, rocks: SphereColumns, wrap: Array,
    horizon: Any, now: Any,
) -> int:  # fmt: skip
    """Write the planes of the nearest obstacles in reach; returns how many."""
    count, last, row = 0, -ONE, -1
    last = speed * ZERO - np.float32(1e30)
    for _ in range(ROCKS):
        nearest, best = -1, speed * horizon
        for j in range(rocks.radius.size):
            offset = difference(load(rocks.center, j), place, wrap)
            gap = math.sqrt(dot(offset, offset)) - rocks.radius[j] - radius
            if gap < best and (gap > last or (gap == last and j > row)):
                nearest, best = j, gap
        if nearest < 0:
            break
        offset = difference(load(rocks.center, nearest), place, wrap)
        normal, size = way_out_of_obstacle(
            offset, velocity, rocks.radius[nearest] + radius, horizon, now, perpendicular(normalize(velocity))
        )
        set_plane(planes, count, normal, dot(normal, velocity) + size)
        count += 1
        last, row = best, nearest
    return count


class Faces(NamedTuple):
    """The nearest faces of some sets of obstacles.

    Attributes:
        distance: Signed distances [m], shape (sets, n).
        normal: Unit vectors along which they grow, d arrays of shape (sets, n).
        side: From where each set is seen: 0 outside, 1 inside, 2 both; shape (sets,), int64.
    """

    distance: Array
    normal: Columns
    side: Array


@kernel
def add_faces(planes: Array, count: int, i: int, radius: Any, speed: Any, faces: Faces, horizon: Any) -> int:
    """Write the planes of the nearest faces behind the first `count`; returns how many there are now."""
    for s in range(faces.side.size):
        distance, normal = faces.distance[s, i], face_normal(faces.normal, s, i)
        if faces.side[s] == 1 or (faces.side[s] == 2 and distance < ZERO):
            distance, normal = -distance, scale(normal, -ONE)
        if distance - radius < speed * horizon:
            set_plane(planes, count, normal, (radius - distance) / horizon)
            count += 1
    return count


@kernel
def face_normal(normal: Columns, s: int, i: int) -> Vector:
    """The normal of set s for vehicle i."""
    if len(normal) == 2:
        return (normal[0][s, i], normal[1][s, i])
    return (normal[0][s, i], normal[1][s, i], normal[2][s, i])


@kernel
def add_others(
    planes: Array, count: int, i: int, body: Body, others: Body, listing: Listing, wrap: Array,
    numbers: Array, now: Any,
) -> int:  # fmt: skip
    """Write the planes of the neighbors behind the first `count`; returns how many there are now."""
    place, velocity = load(body.position, i), load(body.velocity, i)
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        offset = difference(load(others.position, j), place, wrap)
        w = subtract(velocity, load(others.velocity, j))
        reach = body.radius[i] + others.radius[j] + numbers[2]
        apart = velocity
        if dot(offset, offset) == ZERO:
            apart = direction(body.id[i], others.id[j], 1, others.position)
        normal, size = way_out_of_obstacle(offset, w, reach, numbers[0], now, apart)
        set_plane(planes, count, normal, dot(normal, velocity) + size * numbers[3])
        count += 1
    return count


@kernel
def is_barred(planes: Array, count: int, v: Vector, slack: Any) -> bool:
    """Whether a velocity violates one of the planes."""
    barred = False
    for k in range(count):
        barred |= lack(planes, k, v) > slack
    return barred


@kernel
def left_of(v: Vector, up: Vector) -> Vector:
    """A velocity turned to the left by a right angle; in 3D around `up`."""
    if len(v) == 2:
        return perpendicular(v)
    return cross(up, v)


@kernel
def orca(
    start: int, stop: int, body: Body, others: Body, listing: Listing, rocks: SphereColumns, faces: Faces,
    wrap: Array, numbers: Array, wanted: Out, planes: Array, spare: Array, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Numbers: time horizon, that of obstacles, margin, share, slack (part of the speed), bias."""
    for i in range(start, stop):
        if not out.active[i]:
            continue
        velocity, mass, tau, speed = load(body.velocity, i), body.mass[i], body.response_time[i], body.max_speed[i]
        if tau == ZERO:
            tau = clock.dt[0]
        count = add_rocks(
            planes[i], load(body.position, i), velocity, body.radius[i], speed, rocks, wrap, numbers[1], tau
        )
        count = add_faces(planes[i], count, i, body.radius[i], speed, faces, numbers[1])
        hard = count
        count = add_others(planes[i], count, i, body, others, listing, wrap, numbers, tau)
        target = add_scaled(velocity, load(wanted.linear, i), tau / mass)
        if is_barred(planes[i], count, truncate(target, speed), numbers[4] * speed):
            target = add_scaled(target, left_of(target, up_at(body.up, i)), numbers[5])
        v = nearest_velocity(planes[i], hard, count, speed, target, spare[i], numbers[4] * speed)
        deposit(out, i, match(v, velocity, mass, tau, tau), body.max_force[i], wanted.acts[i] != 0)


@registered
@dataclass(frozen=True, eq=False)
class ORCA(Watchful):
    """Avoid everybody who does the same, without collisions: optimal reciprocal collision avoidance.

    Args:
        time_horizon: How far ahead nobody may collide [s]. Raising it evades earlier, and makes crowds timid.
        toward: The behavior that says where to go; its force is turned into the velocity that is wanted. Default: the
            vehicle wants to go on as it does.
        obstacles: Obstacles, or a list of several sets, to keep clear of. Of a set that is not Spheres only the nearest
            part counts at a time.
        obstacle_horizon: How far ahead nobody may run into an obstacle [s].
        margin: Added to the sum of the radii [m]. Raising it keeps more room.
        share: Part of the avoiding that the vehicle does: 0.5 among those that all avoid, 1 for those that do not.
        bias: How far the wanted velocity is turned to the left where it cannot be had [rad], which breaks ties: two that
            meet exactly head on would stop for ever.
        radius: Distance up to which others are looked at [m].
        angle: Full field of view [rad].
        inner_radius: Distance within which neighbors are noticed at any angle [m].
        k: How many of the nearest are minded. Raising it costs time.
        of: Who is avoided: another Vehicles. Default: the own population.
        name: Name by which the node keeps its memory.

    Raises:
        TypeError: An argument is of another kind.
        ValueError: A number is NaN or out of range, or the obstacles' dimensions are not the vehicles' (when planned).
    """

    time_horizon: float = parameter(4.0, above=0.0, unit="s", positional=True, doc="How far ahead nobody may collide.")
    toward: Any = parameter(None, kind="steering", optional=True, doc="The behavior that says where to go.")
    obstacles: Any = parameter(None, kind="obstacles", optional=True, doc="What to keep clear of.")
    obstacle_horizon: float = parameter(1.0, above=0.0, unit="s", doc="How far ahead nobody may run into an obstacle.")
    margin: float = parameter(0.0, low=0.0, unit="m", doc="Added to the sum of the radii.")
    share: float = parameter(0.5, low=0.0, high=1.0, doc="Part of the avoiding that the vehicle does.")
    bias: float = parameter(0.05, low=0.0, high=1.0, unit="rad", doc="Turn to the left where the way is barred.")

    def parts(self) -> tuple[Behavior, ...]:
        """What says where to go."""
        return () if self.toward is None else (as_behavior(self.toward),)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The wanted force first, then the velocity that avoids everybody."""
        n, d, dtype = len(scene.vehicles), scene.vehicles.dimensions, scene.vehicles.dtype
        rocks, walls = self._obstacles(d)
        faces, look = nearest_faces(scene, walls, out.active)
        wanted = scene.scratch(out.active, 1.0, RAW)
        calls = scene.clear_calls(wanted)
        if self.toward is not None:
            calls += scene.part(0, wanted)
        listing = scene.neighbors(self.needs()[0])
        room = listing.row.shape[1] + (ROCKS if len(rocks) else 0) + len(walls)
        planes, spare = np.zeros((2, n, room, d + 1), dtype)
        slack = 1e-5 if dtype == np.float32 else 1e-12
        numbers = scene.numbers(self.time_horizon, self.obstacle_horizon, self.margin, self.share, slack, self.bias)
        arguments = (
            scene.body, self.watched(scene), listing, rocks.columns(dtype), faces, scene.wrap, numbers, wanted,
            planes, spare, scene.clock, out,
        )  # fmt: skip
        return [*calls, *look, Call(orca, arguments)]

    def _obstacles(self, dimensions: int) -> tuple[Spheres, list[Obstacles]]:
        """All rocks, and the other sets."""
        sets = () if self.obstacles is None else as_obstacles(self.obstacles)
        if sets:
            check_dimensions(sets, dimensions)
        rocks = [each for each in sets if isinstance(each, Spheres) and each.seen_from == "outside"]
        walls = [each for each in sets if each not in rocks]
        return as_spheres(rocks) if rocks else Spheres(np.zeros((0, dimensions))), walls


def nearest_faces(scene: Scene, sets: Sequence[Obstacles], active: Array) -> tuple[Faces, list[Call]]:
    """The nearest faces of sets of obstacles, and the calls that keep them up to date."""
    n, d, dtype = len(scene.vehicles), scene.vehicles.dimensions, scene.vehicles.dtype
    distance, normal = np.full((len(sets), n), np.inf, dtype), tuple(np.zeros((d, len(sets), n), dtype))
    which, reach = np.full((len(sets), n), -1, np.int64), np.full(n, np.inf, dtype)
    calls = []
    for s, each in enumerate(sets):
        nearest = Nearest(distance[s], tuple(column[s] for column in normal), which[s])
        calls.append(no_nearest_call(active, nearest))
        calls += each.nearest_calls(scene.body.position, reach, active, scene.wrap, 0, nearest)
    return Faces(distance, normal, np.array([each.side for each in sets], np.int64)), calls

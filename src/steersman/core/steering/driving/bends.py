"""Bends: how fast a vehicle may go along a path, such that it can take the bends ahead.

    speed^2 = min over the corners ahead of  a R + 2 b (distance - speed response_time)
    a = GRIP * side force / mass,   b = GRIP * braking force / mass

A body that turns no faster than a rate w (TurnRate) is no faster there than w R, either. Which corner counts then
depends on the vehicle, so for such bodies all corners are looked at that are near enough to count.

R are the radii of `environment/paths/bends.py`, no smaller than the body's tightest circle and the vehicle's own radius.
Force is needed for turning and for braking at once, so each has its share: with GRIP^2 = 1/2 both together take max_force.

Reynolds 1999 gives "path following" no speed law: its vehicles leave the tube in a bend that is too tight for their speed,
and come back. How far the target lies ahead depends on the speed that a bend allows, and it lies beyond a corner by no more
than 0.8 R: else the vehicle would cut it. Nor does a vehicle on a path with bends ask for more speed than it can reach within
its response time: all of its force would be spent on speeding up, and it would go straight on.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.paths.bends import corners_of
from steersman.core.environment.paths.path import Path
from steersman.core.environment.paths.projecting import PathColumns, arc_at, length_of
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import response
from steersman.core.typing import Array
from steersman.core.vehicles.vehicle_columns import VehicleColumns

GRIP = math.sqrt(0.5)
"""Part of the force that is spent on turning, and the part that is spent on braking before."""


class Cornering(NamedTuple):
    """The limits of a body in a bend, for kernels.

    Attributes:
        grip: Part of max_force to the side that bends may take.
        brakes: Part of max_force for braking before them.
        tightest: Radius of the body's tightest circle [m].
        rates: How fast the body of each vehicle turns [rad/s], shape (capacity,); empty for any.
    """

    grip: Any
    brakes: Any
    tightest: Any
    rates: Array


class BendColumns(NamedTuple):
    """The corners of a path, and what a body can do, for kernels.

    Attributes:
        corners: The numbers of `Corners`, one row a segment in the direction of travel, shape (m, 8).
        body: What the body can do.
    """

    corners: Array
    body: Cornering


SLOWEST = np.float32(1e-3)
"""A body that cannot turn is taken to turn at this rate [rad/s]."""

LEAST = 1e-3
"""A body without any grip or brakes is taken to have this part of its force for them."""


def cornering(scene: Scene) -> Cornering:
    """The limits of a scene's vehicles in a bend."""
    grip, brakes = max(scene.grip, LEAST), max(scene.brakes, LEAST)
    rates = np.zeros(0, scene.vehicles.dtype) if scene.turn_rates is None else scene.turn_rates
    return Cornering(scene.number(GRIP * grip), scene.number(GRIP * brakes), scene.number(scene.tightest), rates)


def bend_columns(scene: Scene, path: Path, direction: int) -> BendColumns:
    """The corners of a path for the body of a scene's vehicles."""
    ratio = max(scene.brakes, LEAST) / max(scene.grip, LEAST)
    corners = np.column_stack(corners_of(path, direction, ratio, scene.tightest))
    return BendColumns(corners.astype(scene.vehicles.dtype), cornering(scene))


@kernel
def least_radius(body: Cornering, radius: Any, strength: Any, tau: Any) -> Any:
    """The smallest radius that counts [m]: that of the body, and one for which no vehicle has to stop."""
    return max(body.tightest, radius, strength * tau * tau)


@kernel
def speed_before(radius: Any, distance: Any, least: Any, body: Cornering, strength: Any) -> Any:
    """The speed [m/s] from which a vehicle can slow down for an arc of a radius [m] at a distance [m], >= 0."""
    return math.sqrt(strength * (body.grip * max(radius, least) + v.TWO * body.brakes * distance))


@kernel
def speed_to_turn(radius: Any, distance: Any, least: Any, body: Cornering, strength: Any, rate: Any) -> Any:
    """The speed [m/s] from which a vehicle can slow down for an arc along which it can turn at a rate [rad/s]."""
    speed = max(rate, SLOWEST) * max(radius, least)
    return math.sqrt(speed * speed + v.TWO * strength * body.brakes * distance)


@kernel
def slowest_turn(
    path: PathColumns, bends: BendColumns, j: int, at: Any, stop: Any, least: Any, strength: Any, rate: Any, top: Any,
    direction: Any,
) -> Any:  # fmt: skip
    """The speed [m/s] for the turns ahead of a vehicle in segment j, up to its top speed.

    Args:
        path: The path.
        bends: Its corners.
        j: The segment, counted in the direction of travel.
        at: Arc length of the vehicle, with what it goes on while it begins to slow down [m].
        stop: Arc length of the end of segment j [m].
        least: The smallest radius that counts [m].
        strength: Acceleration at max_force [m/s^2].
        rate: How fast the body turns [rad/s].
        top: A speed up to which it is of interest [m/s].
        direction: 1 from the first point to the last, -1 back.
    """
    count, fastest = bends.corners.shape[0], top
    for _ in range(count):
        radius, gap = bends.corners[j, 6], max(stop - bends.corners[j, 7] - at, v.ZERO * at)
        if radius < v.INFINITE:
            fastest = min(fastest, speed_to_turn(radius, gap, least, bends.body, strength, rate))
        if v.TWO * strength * bends.body.brakes * (stop - at) > top * top:
            break
        j += 1
        if j == count:
            if path.closed == 0:
                break
            j = 0
        stop += length_of(path, j if direction > v.ZERO else count - 1 - j)
    return fastest


@row_kernel
def look_at_bends(
    i: int, vehicles: VehicleColumns, path: PathColumns, bends: BendColumns, numbers: Any, s: Array, segment: Array,
    clock: Clock, active: Array, limit: Array, around: Array,
) -> None:  # fmt: skip
    """The speed that bends allow [m/s], and how far around the next corner the target may lie [m]."""
    j, at, total, last = segment[i], s[i], path.total[0], path.segments.shape[0] - 1
    start, size = arc_at(path, j), length_of(path, j)
    if numbers.direction < v.ZERO:
        start = total - start - size
        j, at = last - j, total - at
    before, until = bends.corners[j, 0], bends.corners[j, 1]
    decisive, begin = bends.corners[j, 2], bends.corners[j, 3]
    strength, tau = vehicles.max_force[i] / vehicles.mass[i], response(vehicles.response_time[i], clock.dt[0])
    least = least_radius(bends.body, vehicles.radius[i], strength, tau)
    lag = tau * v.length(v.load(vehicles.velocity, i))
    fastest = v.INFINITE + v.ZERO * at
    if at < until + v.TWO * lag:
        fastest = speed_before(before, v.ZERO * at, least, bends.body, strength)
    if decisive < v.INFINITE:
        distance = max(begin - at - lag, v.ZERO)
        fastest = min(fastest, speed_before(decisive, distance, least, bends.body, strength))
    if bends.body.rates.size > 0:
        rate, here = bends.body.rates[i], v.ZERO * at
        if at < until + v.TWO * lag and before < v.INFINITE:
            fastest = min(fastest, speed_to_turn(before, here, least, bends.body, strength, rate))
        top = min(fastest, vehicles.max_speed[i])
        slowest = slowest_turn(path, bends, j, at + lag, start + size, least, strength, rate, top, numbers.direction)
        if slowest < top:
            fastest = slowest
    limit[i] = fastest
    around[i] = min(bends.corners[j, 4] + at - start, bends.corners[j, 5] + start + size - at)

"""Stopping short: AvoidObstacles holds a vehicle back from the obstacles that it could not stop before.

The force is changed so that the vehicle can still stop before everything that it could reach while it brakes, whichever way
it goes (`laws.stop_before` has the equation). After a stop the behavior claims the vehicle for another moment (HOLD).

A body that turns on the spot before it can go aside is held for longer: the time counts up while an obstacle is ahead of
it and it turns away, and down while its way is free. So it drives on for as long as it had to turn, and what turns it back
to its goal does not bring it to where it stood. Meanwhile it keeps the side to which it turns (`evading.py`): between two
rocks that touch it would turn away from one and from the other for ever.
"""

from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import Bars
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.vectors import HALF, ONE, ZERO, add, dot, length, load, scale, store
from steersman.core.steering.driving.stopping import BRAKES, SHALLOW, free_way_of, slack_of, stopped_for, stopping_force
from steersman.core.steering.obstacles.evading import KEPT, Evaded
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LOOKS, CLAIMS, LED, TURNS = np.uint8(1), np.uint8(2), np.uint8(3), np.uint8(4)
"""Flags of vehicles that may have to stop; CLAIMS: the behavior claims the vehicle anyway; LED: its route turns before;
TURNS: it is claimed, and turns on the spot away from an obstacle."""

ALONG = np.float32(0.999)
"""Cosine of the angle up to which a vehicle moves where it faces; beyond, obstacles along its velocity count, too.

Less would do for one that turns into its velocity, but a FreeBody faces along a wall while it drifts into it.
"""

HOLD = np.float32(0.2)
"""For how long [s] other parts do not steer after a stop: parts of a Priority would take turns at every step."""


@kernel
def is_stuck(bars: Bars, force: Vector, spare: Any, radius: Any, i: int) -> Any:
    """Whether a force that was held back leads no farther than by a vehicle's radius: between two that bar its way."""
    size = length(force)
    return bars.number[i] > 1 and size > ZERO and free_way_of(bars, scale(force, ONE / size), spare, i) < radius


@kernel
def way_out(bars: Bars, force: Vector, most: Any, i: int) -> Vector:
    """The force away from all that bars the way, with half of max_force; `force` itself where they are opposite."""
    total = scale(force, ZERO)
    for k in range(bars.number[i]):
        total = add(total, load(bars.normal, (i, k)))
    size = length(total)
    return scale(total, HALF * most / size) if size > SHALLOW else force


@kernel
def hold(i: int, wall: Vector, forward: Vector, turns: bool, now: Evaded, following: Evaded, dt: Any) -> None:
    """Let the time pass for which vehicle i is held; it grows while the vehicle `turns` away."""
    left = length(wall)
    if turns:
        held = left + dt if left > ZERO else HOLD + ZERO * dt
        store(following.wall, i, scale(wall, held / left) if left > ZERO else scale(forward, -held))
        following.kept[i] = max(following.kept[i], KEPT * held)
    else:
        store(following.wall, i, scale(wall, max(left - dt, ZERO * dt) / left if left > ZERO else ZERO * left))


@row_kernel
def stop_before(
    i: int, vehicles: VehicleColumns, looks: Array, ahead: Array, thick: Array, bars: Bars, push: Columns, pivots: Any,
    now: Evaded, following: Evaded, free_way: Array, brakes: Any, clock: Array, out: Out,
) -> None:  # fmt: skip
    """Hand over the force of vehicles that may have to stop, held back where it would run them into an obstacle.

    A body that cannot follow this force gets the distance that it may still go on.
    """
    if not out.active[i] or looks[i] == 0:
        return
    force, dt, wall, turns = load(push, i), clock[0], load(now.wall, i), looks[i] == TURNS
    velocity, claims = load(vehicles.velocity, i), turns or looks[i] == CLAIMS
    spare = HALF * (thick[i] - vehicles.radius[i])  # A body that turns slowly needs half of the clearance.
    forward, free = load(vehicles.forward, i), ZERO * dt
    way = heading_after(velocity, forward, vehicles.max_speed[i])
    if not dot(way, forward) < ALONG:
        free = ahead[i]
    free_way[i] = min(free_way[i], max(free, free_way_of(bars, way, spare, i)))
    hold(i, wall, forward, turns, now, following, dt)
    if looks[i] == LED:
        brakes = (
            brakes / BRAKES
        )  # Its route brakes, too, so it stops with all of its force for what lies beyond the turn.
    slack, strength = slack_of(vehicles.radius[i], thick[i]), brakes * (vehicles.max_force[i] / vehicles.mass[i])
    first = stopped_for(bars, velocity, slack, strength, dt, i)
    if first >= 0:
        claims = True
        if looks[i] != LED:
            held = HOLD + ZERO * dt
            if pivots > ZERO:
                held = max(held, length(wall))
                following.kept[i] = max(following.kept[i], KEPT * held)
            store(following.wall, i, scale(load(bars.normal, (i, first)), held))
    if claims:
        left, radius = stopping_force(bars, vehicles, force, brakes, dt, i), vehicles.radius[i]
        if pivots > ZERO and is_stuck(bars, left, spare, radius, i):
            left = way_out(bars, left, vehicles.max_force[i], i)
        deposit(out, i, left, vehicles.max_force[i], True)

"""Stopping short: AvoidObstacles holds a vehicle back from the obstacles that it could not stop before.

The force is changed so that the vehicle can still stop before everything that it could reach while it brakes, whichever way
it goes (`laws.stop_before` has the equation). After a stop the behavior claims the vehicle for another moment (HOLD).
"""

from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import Bars
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.vectors import HALF, ZERO, dot, length, load, scale, store
from steersman.core.steering.driving.stopping import BRAKES, free_way_of, slack_of, stopped_for, stopping_force
from steersman.core.steering.obstacles.evading import Evaded
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LOOKS, CLAIMS, LED = np.uint8(1), np.uint8(2), np.uint8(3)
"""Flags of vehicles that may have to stop; CLAIMS: the behavior claims the vehicle anyway; LED: its route turns before."""

ALONG = np.float32(0.999)
"""Cosine of the angle up to which a vehicle moves where it faces; beyond, obstacles along its velocity count, too.

Less would do for one that turns into its velocity, but a FreeBody faces along a wall while it drifts into it.
"""

HOLD = np.float32(0.2)
"""For how long [s] other parts do not steer after a stop: parts of a Priority would take turns at every step."""


@row_kernel
def stop_before(
    i: int, vehicles: VehicleColumns, looks: Array, ahead: Array, thick: Array, bars: Bars, push: Columns,
    now: Evaded, following: Evaded, free_way: Array, brakes: Any, clock: Array, out: Out,
) -> None:  # fmt: skip
    """Hand over the force of vehicles that may have to stop, held back where it would run them into an obstacle.

    A body that cannot follow this force gets the distance that it may still go on.
    """
    if not out.active[i] or looks[i] == 0:
        return
    force, dt, wall, claims = load(push, i), clock[0], load(now.wall, i), looks[i] == CLAIMS
    left, velocity = length(wall), load(vehicles.velocity, i)
    spare = HALF * (thick[i] - vehicles.radius[i])  # A body that turns slowly needs half of the clearance.
    forward, free = load(vehicles.forward, i), ZERO * dt
    way = heading_after(velocity, forward, vehicles.max_speed[i])
    if not dot(way, forward) < ALONG:
        free = ahead[i]
    free_way[i] = min(free_way[i], max(free, free_way_of(bars, way, spare, i)))
    store(following.wall, i, scale(wall, max(left - dt, ZERO * dt) / left if left > ZERO else ZERO * left))
    if looks[i] == LED:
        brakes = (
            brakes / BRAKES
        )  # Its route brakes, too, so it stops with all of its force for what lies beyond the turn.
    slack, strength = slack_of(vehicles.radius[i], thick[i]), brakes * (vehicles.max_force[i] / vehicles.mass[i])
    first = stopped_for(bars, velocity, slack, strength, dt, i)
    if first >= 0:
        claims = True
        if looks[i] != LED:
            store(following.wall, i, scale(load(bars.normal, (i, first)), HOLD))
    if claims:
        deposit(out, i, stopping_force(bars, vehicles, force, brakes, dt, i), vehicles.max_force[i], True)

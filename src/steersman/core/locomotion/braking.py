"""Braking: a body that cannot follow a force still stops in time.

Steering that stops before obstacles says so twice: by a force, and by the way that the vehicle may still go on along
its velocity (`Scene.free_way`). A body that follows every force needs only the first. One that turns slowly, answers
late or turns around by itself is not faster along its velocity (forward, at rest) than

    max(s, |velocity| - brakes a dt),    s = sqrt((b dt)^2 + 2 b way) - b dt,   a = max_force / mass, b = min(brakes, SHARE) a

With s it can still stop within the way after one step more (see `laws.stoppable_speed`), or else it brakes as hard as it can.

Both are compiled without fused products. Which of the two in the root is fused may differ between the loops that a compiler
makes of one, and so the bits between numbers of threads.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.vectors import TWO, add_scaled, dot, length, load, store
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns

SHARE = np.float32(0.55)
"""Part of max_force that braking is reckoned with: less than all, for the way bends while a vehicle turns."""


@kernel(exact=True)
def safe_speed(way: Any, brakes: Any, strength: Any, dt: Any) -> Any:
    """The speed from which a vehicle can stop within a way [m/s].

    Args:
        way: [m].
        brakes: Part of max_force that brakes.
        strength: Acceleration at max_force [m/s^2].
        dt: Time step [s].
    """
    slower = min(brakes, SHARE) * strength
    return math.sqrt(slower * dt * (slower * dt) + TWO * slower * way) - slower * dt


@kernel(exact=True)
def braked_speed(speed: Any, way: Any, brakes: Any, strength: Any, dt: Any) -> Any:
    """The speed that a vehicle may have after the step [m/s]: the safe one, or as near to it as its brakes get."""
    return max(safe_speed(way, brakes, strength, dt), speed - brakes * strength * dt)


@row_kernel
def keep_safe(i: int, vehicles: VehicleColumns, free_way: Array, brakes: Any, dt: Array, proposed: Columns) -> None:
    """Take from the proposed velocity the part too fast to stop; `brakes` is the part of max_force that brakes."""
    velocity, next_velocity = load(vehicles.velocity, i), load(proposed, i)
    speed = length(velocity)
    way = heading_after(velocity, load(vehicles.forward, i), vehicles.max_speed[i])
    along = dot(next_velocity, way)
    most = braked_speed(speed, free_way[i], brakes, vehicles.max_force[i] / vehicles.mass[i], dt[0])
    if along > most:
        store(proposed, i, add_scaled(next_velocity, way, most - along))

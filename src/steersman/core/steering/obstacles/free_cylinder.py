"""The cylinder of free space ahead of a vehicle: how long it is, and how thick.

It lies along forward, is as thick as the vehicle and a clearance around it, and reaches

    reach = max(min_length, lookahead * speed, the way that stopping takes)

far, but no farther than to a goal. A body that takes time to turn in (`Locomotion.lag`) looks ahead by the distance
that it goes meanwhile, and keeps clear by the distance that it moves aside meanwhile.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, difference, dot, load
from steersman.core.steering.driving.stopping import least_clearance, way_to_stop
from steersman.core.steering.targets.target import Mark
from steersman.core.typing import Array
from steersman.core.vehicles.vehicle_columns import VehicleColumns

SHARE = np.float32(0.2)
"""Default of the clearance, as a part of the vehicle's radius."""


class LookAheadNumbers(NamedTuple):
    """How far ahead obstacles matter.

    Attributes:
        lookahead: [s].
        clearance: Free room to keep beside obstacles [m]; negative: a part of the radius.
        stops: 1 to look as far as stopping takes, else 0.
        brakes: Part of max_force that their body brakes with.
        tightest: Radius of the tightest circle of their body [m].
        lag: Time that it takes to begin that circle [s].
    """

    lookahead: Any
    clearance: Any
    stops: Any
    brakes: Any
    tightest: Any
    lag: Any


@kernel
def room_to_turn(speed: Any, strength: Any, tightest: Any, lag: Any) -> Any:
    """How far aside a vehicle gets that turns as tightly as it can, in the time that it takes to begin another turn [m]."""
    return min(speed * speed / tightest, strength) * lag * lag


@row_kernel
def look_ahead(
    i: int, vehicles: VehicleColumns, active: Array, wrap: Array, numbers: LookAheadNumbers,
    shortest: Array, goal: Mark,
    reaches: Array, radii: Array, dt: Array,
) -> None:  # fmt: skip
    """How far ahead obstacles matter, at least `shortest[0]`, and how thick the cylinder is [m]."""
    velocity, clearance = load(vehicles.velocity, i), numbers.clearance
    if clearance < ZERO:
        clearance = SHARE * vehicles.radius[i]
    speed, strength = math.sqrt(dot(velocity, velocity)), vehicles.max_force[i] / vehicles.mass[i]
    reach = max(shortest[0], numbers.lookahead * speed)
    if numbers.stops > ZERO:
        reach = max(reach, way_to_stop(speed, numbers.brakes * strength, dt[0]))
        clearance = max(clearance, least_clearance(strength, dt[0]))
    if numbers.lag > ZERO:
        reach += speed * numbers.lag
        clearance = max(clearance, room_to_turn(speed, strength, numbers.tightest, numbers.lag))
    if goal.pick.size > 0 and goal.pick[i] >= 0:
        way = difference(load(goal.position, goal.pick[i]), load(vehicles.position, i), wrap)
        reach = min(reach, math.sqrt(dot(way, way)))
    reaches[i], radii[i] = reach, vehicles.radius[i] + clearance

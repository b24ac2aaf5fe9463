"""Offset points: the literal laws of OffsetPursuit, which head for a point near where a quarry will be.

    fly-by:  seek(predicted - radius * unit(lateral part of predicted - position))
    slot:    arrive(slot + quarry velocity * T),   slot = quarry + offset

Reynolds 1999, "Offset pursuit": the predicted position, in the vehicle's own frame, without its part along forward, gives
the side on which to pass; a quarry straight ahead is passed on a side that is always the same.
Game AI lecture, "Pursue with Offset": T = |slot - position| / (max_speed + quarry speed).
"""

from typing import Any

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import to_global, up_at
from steersman.core.maths.vectors import ZERO, across, add, add_scaled, difference, load, perpendicular, scale
from steersman.core.steering.driving.arriving import ArrivingNumbers, come
from steersman.core.steering.driving.drive import stands
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.targets.prediction import PredictionNumbers, prediction_time
from steersman.core.steering.targets.target import Mark, Quarry
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@kernel
def offset_at(i: int, slots: Mark, others: VehicleColumns, j: int, turned: bool) -> Vector:
    """Where the slot of vehicle i is, from vehicle j of the others [m]; `turned`: slots turn with it."""
    offset = load(slots.position, slots.pick[i])
    if turned:
        return to_global(offset, load(others.forward, j), up_at(others.up, j))
    return offset


@kernel
def way_to_slot(
    offset: Vector, others: VehicleColumns, j: int, vehicles: VehicleColumns, i: int, wrap: Array
) -> Vector:
    """The shortest way of vehicle i to an offset [m] from vehicle j of the others."""
    way = add(difference(load(others.position, j), load(vehicles.position, i), wrap), offset)
    return difference(way, scale(way, ZERO), wrap)


@row_kernel
def fly_by(
    i: int, vehicles: VehicleColumns, quarry: Quarry, wrap: Array, how: PredictionNumbers, radius: Any,
    end: ArrivingNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Come to the point beside the predicted position, at the radius [m]; claim as long as there is a quarry."""
    others = quarry.columns
    j = quarry.pick[i]
    if j < 0:
        return
    forward = load(vehicles.forward, i)
    way = difference(load(others.position, j), load(vehicles.position, i), wrap)
    way = add_scaled(way, load(others.velocity, j), prediction_time(i, vehicles, way, j, others, how))
    way = add_scaled(way, across(way, forward, perpendicular(forward)), -radius)
    rests = stands(load(others.velocity, j), i, vehicles)
    deposit(out, i, come(way, rests, i, vehicles, end, clock.dt[0]), vehicles.max_force[i], True)


@row_kernel
def pursue_slot(
    i: int, vehicles: VehicleColumns, quarry: Quarry, slots: Mark, turned: bool, wrap: Array, how: PredictionNumbers,
    end: ArrivingNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Come to where the slot will be; claim as long as there is a quarry. `turned`: slots turn with the quarry."""
    others = quarry.columns
    j = quarry.pick[i]
    if j < 0:
        return
    way = way_to_slot(offset_at(i, slots, others, j, turned), others, j, vehicles, i, wrap)
    way = add_scaled(way, load(others.velocity, j), prediction_time(i, vehicles, way, j, others, how))
    rests = stands(load(others.velocity, j), i, vehicles)
    deposit(out, i, come(way, rests, i, vehicles, end, clock.dt[0]), vehicles.max_force[i], True)

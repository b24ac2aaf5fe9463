"""PointMass: Reynolds' simple vehicle model.

    force    = truncate(steering, max_force)
    velocity = truncate(velocity + force / mass * dt, max_speed)
    position = position + velocity * dt

Reynolds 1999, "A Simple Vehicle Model" (there dt = 1): the new velocity moves the vehicle. Forward follows the velocity
and is kept while the vehicle is nearly still; in 3D, side = unit(forward x up) and up = side x forward, from the old up.
"""

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.locomotion.locomotion import Locomotion, move_calls
from steersman.core.locomotion.registry import locomotion
from steersman.core.maths.vectors import add_scaled, load, store, truncate
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def propose_velocity(i: int, vehicles: VehicleColumns, force: Columns, dt: Array, proposed: Columns) -> None:
    """The velocity after the step: force and speed truncated, as in the paper."""
    steering = truncate(load(force, i), vehicles.max_force[i])
    velocity = add_scaled(load(vehicles.velocity, i), steering, dt[0] / vehicles.mass[i])
    store(proposed, i, truncate(velocity, vehicles.max_speed[i]))


@locomotion
class PointMass(Locomotion):
    """A point with a mass, pushed by its steering force, that faces where it goes."""

    def bind(self, chassis: Chassis) -> Motion:
        """The calls that move a population."""
        arguments = (chassis.columns, chassis.force, chassis.dt, chassis.proposed)
        return Motion([Call(propose_velocity, arguments)], move_calls(chassis))

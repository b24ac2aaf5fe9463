"""FreeBody: a body with an orientation of its own, apart from the direction of its velocity.

    velocity         = truncate(velocity + truncate(force, max_force) / mass * dt, max_speed)
    angular velocity = truncate(angular velocity + truncate(angular steering, max_angular_acceleration) * dt,
                                max_angular_speed)
    position += velocity * dt,   orientation turns by angular velocity * dt

The Unity lecture's bodies have forces and a rotation, and slow down by drag: `FreeBody(limits=[Drag(1.0)])`. Reynolds'
simple vehicle faces where it goes; this one may go sideways, as a hockey player does. It is turned by Face,
LookWhereYouGo and ReachOrientation; in 2D the turn is a number, in 3D a vector along the axis. `max_angular_acceleration`
is the largest torque divided by the moment of inertia.
"""

from typing import ClassVar

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.locomotion.locomotion import Locomotion, move_calls
from steersman.core.locomotion.point_mass import propose_velocity
from steersman.core.locomotion.registry import locomotion
from steersman.core.maths.vectors import add_scaled, load, store, truncate
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import Spin


@row_kernel
def propose_spin(i: int, turning: Spin, angular: Columns, dt: Array, spin: Columns) -> None:
    """The angular velocity after the step: acceleration and speed truncated."""
    acceleration = truncate(load(angular, i), turning.max_acceleration[i])
    rate = add_scaled(load(turning.velocity, i), acceleration, dt[0])
    store(spin, i, truncate(rate, turning.max_speed[i]))


@locomotion
class FreeBody(Locomotion):
    """A body that is pushed by its force and turned by its angular steering, each apart from the other.

    Without angular steering it keeps turning as it turns; add LookWhereYouGo to face where it goes.
    """

    turns: ClassVar[bool] = True

    def bind(self, chassis: Chassis) -> Motion:
        """The calls that move a population."""
        force = (chassis.columns, chassis.force, chassis.dt, chassis.proposed)
        spin = (chassis.turning, chassis.angular, chassis.dt, chassis.spin)
        return Motion([Call(propose_velocity, force), Call(propose_spin, spin)], move_calls(chassis, turns=True))

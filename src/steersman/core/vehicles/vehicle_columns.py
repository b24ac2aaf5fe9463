"""Vehicle columns: the columns of a population by name, as arguments of kernels."""

from typing import NamedTuple

from steersman.core.typing import Array, Columns


class VehicleColumns(NamedTuple):
    """The columns of a population of n vehicles in d dimensions, as kernels take them.

    Attributes:
        position, velocity, forward: d arrays of shape (n,) each [m, m/s, unit vector].
        up: 3 arrays of shape (n,) in 3D [unit vector], an empty tuple in 2D.
        mass [kg], radius [m], max_speed [m/s], max_force [N]: shape (n,).
        response_time: Shape (n,) [s]; 0 stands for the current time step.
        id: Ids, shape (n,), int64, which vehicles keep.
    """

    position: Columns
    velocity: Columns
    forward: Columns
    up: Columns
    mass: Array
    radius: Array
    max_speed: Array
    max_force: Array
    response_time: Array
    id: Array


class Spin(NamedTuple):
    """The columns about turning, apart from `VehicleColumns`: few kernels need them, and every array costs time in a call.

    Attributes:
        velocity: Angular velocities [rad/s]: 1 array of shape (n,) in 2D, counter-clockwise; 3 in 3D.
        max_speed [rad/s], max_acceleration [rad/s^2]: shape (n,).
    """

    velocity: Columns
    max_speed: Array
    max_acceleration: Array

"""Flying: a point mass in 3D that banks into its turns.

    apparent up = unit(bank * force / mass - gravity)
    up          = unit(up + (wanted - up) (1 - exp(-dt cos(climb) / roll_time)))

Reynolds 1999, "A Simple Vehicle Model": the floor of a flying vehicle aligns with the apparent gravity of a turn. (The paper
adds gravity as it points, downwards, which would turn the vehicle over; the floor points down, so up is against it.) In a
steady level turn of radius r with bank = 1, tan(roll) = v^2 / (r g). The old up is carried along with the turn first, so the
roll does not lag behind a turn that goes on. Where forward jumps, as it may from rest, where a vehicle turns back and where
it is stopped, the roll about forward keeps its angle to the horizon; from or to straight up or down, where there is
no horizon, up turns by the smallest rotation that turns forward.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.point_mass import propose_velocity
from steersman.core.locomotion.registry import locomotion
from steersman.core.maths import vectors as v
from steersman.core.maths.facing import heading_after
from steersman.core.maths.frames import realign
from steersman.core.parameters.kinds import VECTOR, Kind, as_vector
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

UPSIDE_DOWN = np.float32(-0.98)
"""Cosine of the angle between the up directions beyond which a vehicle counts as upside down."""


JUMP = np.float32(math.cos(math.radians(20)))
"""Cosine of the turn in a step from which it counts as a jump."""

STEEP = np.float32(0.1)
"""Sine of the angle to gravity below which forward has no horizon."""


@kernel
def carried(up: Vector, before: Vector, forward: Vector, gravity: Vector) -> Vector:
    """The up direction that goes along with a turn from `before` to `forward`, perpendicular to that; all unit vectors."""
    cosine = v.dot(before, forward)
    if cosine >= JUMP:
        return realign(forward, up)
    least = STEEP * STEEP * v.dot(gravity, gravity)
    old, new = v.scale(v.lateral(gravity, before), -v.ONE), v.scale(v.lateral(gravity, forward), -v.ONE)
    if v.dot(old, old) > least and v.dot(new, new) > least:
        old, new = v.normalize(old), v.normalize(new)
        return v.add(v.scale(new, v.dot(up, old)), v.scale(v.cross(forward, new), v.dot(up, v.cross(before, old))))
    axis = v.cross(before, forward)
    if v.ONE + cosine > STEEP * STEEP:
        up = v.add(v.add(v.scale(up, cosine), v.cross(axis, up)), v.scale(axis, v.dot(axis, up) / (v.ONE + cosine)))
    return realign(forward, up)


@kernel
def rolled(up: Vector, forward: Vector, desired: Vector, rate: Any) -> Vector:
    """The weighted sum of the up direction and the wanted one, to be made perpendicular to forward and a unit vector.

    Where the wanted up is nearly along forward there is little to roll to: the roll takes longer. Upside down, the sum of
    the two would have no direction: the vehicle rolls to its right.
    """
    toward = v.across(desired, forward, v.scale(forward, v.ZERO))
    fade = v.dot(toward, desired)
    if not fade > v.ZERO:  # Less, where a forward that was written into the view is no unit vector.
        return up
    if rate == v.INFINITE:
        return toward
    share = -math.expm1(-rate * fade / v.length(desired))
    if v.dot(up, toward) < UPSIDE_DOWN:
        toward = v.cross(forward, up)
    return v.add(v.scale(up, v.ONE - share), v.scale(toward, share))


class FlyingNumbers(NamedTuple):
    """How to bank.

    Attributes:
        gravity: The acceleration of gravity [m/s^2].
        bank: How much the force counts beside gravity.
        roll_time: Time in which a roll covers 63% of its way [s].
    """

    gravity: Vector
    bank: Any
    roll_time: Any


@row_kernel
def fly(
    i: int, vehicles: VehicleColumns, force: Columns, proposed: Columns, numbers: FlyingNumbers,
    dt: Array,
) -> None:  # fmt: skip
    """Take the proposed velocity, move with it, face along it, and bank."""
    rate = dt[0] / numbers.roll_time
    velocity, forward = v.load(proposed, i), v.load(vehicles.forward, i)
    v.store(vehicles.velocity, i, velocity)
    v.store(vehicles.position, i, v.add_scaled(v.load(vehicles.position, i), velocity, dt[0]))
    ahead = heading_after(velocity, forward, vehicles.max_speed[i])
    up = carried(v.load(vehicles.up, i), forward, ahead, numbers.gravity)
    push = v.scale(v.truncate(v.load(force, i), vehicles.max_force[i]), numbers.bank / vehicles.mass[i])
    up = rolled(up, ahead, v.add_scaled(push, numbers.gravity, -v.ONE), rate)
    v.store(vehicles.forward, i, ahead)
    v.store(vehicles.up, i, realign(ahead, up))


GRAVITY = Kind("vector", "a vector (3,)", lambda name, value: as_vector(name, value, (3,)), like=VECTOR)


@locomotion
class Flying(Locomotion):
    """A point mass in 3D that faces where it goes and banks into turns, as aircraft, birds and fish do.

    Args:
        gravity: The acceleration of gravity [m/s^2], shape (3,). With zero, up turns to where the force pushes.
        bank: How much the force counts beside gravity. Raising it rolls more; 1 is a coordinated turn, 0 keeps
            upright.
        roll_time: Time in which a roll covers 63% of its way [s]. Raising it rolls slower; 0 rolls at once.
    """

    gravity: Any = parameter((0.0, 0.0, -9.81), kind=GRAVITY, unit="m/s^2")
    bank: float = parameter(1.0, low=0.0)
    roll_time: float = parameter(0.3, low=0.0, unit="s")

    def bind(self, chassis: Chassis) -> Motion:
        """The calls that move a population.

        Raises:
            ValueError: The vehicles are in 2D.
        """
        if chassis.vehicles.dimensions != 3:
            raise ValueError(f"Flying needs vehicles in 3 dimensions, got {chassis.vehicles.dimensions}")
        own, gravity = chassis.columns, tuple(chassis.number(x) for x in self.gravity)
        numbers = FlyingNumbers(gravity, chassis.number(self.bank), chassis.number(self.roll_time))
        propose = Call(propose_velocity, (own, chassis.force, chassis.dt, chassis.proposed))
        return Motion([propose], [Call(fly, (own, chassis.force, chassis.proposed, numbers, chassis.dt))])

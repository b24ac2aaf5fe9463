"""Chassis: the arrays that a body is bound to, and the calls it is made of."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.numbers import number, numbers_of
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


@dataclass(frozen=True)
class Chassis:
    """The arrays that a body is bound to.

    Columns are d arrays of shape (capacity,), of which the first n rows are the vehicles; those about turning 1 in 2D, and 3
    in 3D.

    Attributes:
        vehicles: The population.
        force: Steering force [N], not truncated yet.
        angular: Angular steering [rad/s^2], not truncated yet; zero where no behavior turns.
        proposed: Where to propose a velocity [m/s].
        spin: Where a body that turns by itself proposes an angular velocity [rad/s].
        dt: The time step [s], shape (1,).
        memory: The columns of `Locomotion.init`.
        brakes: Part of max_force that limits leave for braking.
        smoothed: Whether vehicles face along an average of their headings, so that where they go is another matter.
        free_way: How far each vehicle may still go on along its velocity (forward, at rest) [m], shape (capacity,); None
            where steering does not say so.
        requested_force: The force before limits have changed it [N], not truncated; None where there are no limits. On ground
            without the part across it, which asks a vehicle for nothing.
        ground: Unit normals of the surface that the vehicles cannot leave (see `maths/ground.py`); empty where they are free.
    """

    vehicles: Vehicles
    force: Columns
    angular: Columns
    proposed: Columns
    spin: Columns
    dt: Array
    memory: Memory
    smoothed: bool = False
    free_way: Array | None = None
    brakes: float = 1.0
    requested_force: Columns | None = None
    ground: Columns = ()

    @property
    def columns(self) -> VehicleColumns:
        """The columns of the population, for kernels."""
        return self.vehicles.columns

    @property
    def turning(self) -> Spin:
        """The columns about turning, for kernels."""
        return self.vehicles.spin

    def numbers(self, own: Any, /, *names: str, **values: float | None) -> Any:
        """Parameters of an object for a kernel, by the same names, and other numbers; None where the usual is meant."""
        return numbers_of(own, self.vehicles.dtype, *names, **values)

    def number(self, value: float | None) -> Any:
        """One scalar parameter for a kernel, in the vehicles' dtype; None where the usual is meant."""
        return number(self.vehicles.dtype, value)

    def free_ways(self) -> Array:
        """The free way of each vehicle [m], shape (capacity,); infinite where steering does not say so."""
        if self.free_way is not None:
            return self.free_way
        return np.full(self.vehicles.capacity, np.inf, self.vehicles.dtype)

    def vectors(self) -> Columns:
        """Scratch for one vector a vehicle."""
        return tuple(np.zeros((self.vehicles.dimensions, self.vehicles.capacity), self.vehicles.dtype))


@dataclass(frozen=True)
class Motion:
    """The calls of one population's motion.

    Attributes:
        propose: Write the proposed velocity (and angular velocity) and the body's next memory, and nothing else.
        move: Take the proposed velocity and move the vehicles, in place. These cannot fail.
        reach: Compute where the proposed velocity leads, when limits have changed it, and write nothing else.
        reached: Where they write it, shape (k, capacity), of a body that goes elsewhere than straight on; it is checked.
    """

    propose: list[Call]
    move: list[Call]
    reach: list[Call] = field(default_factory=list)
    reached: Array | None = None

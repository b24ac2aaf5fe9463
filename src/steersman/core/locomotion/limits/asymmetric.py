"""Asymmetric: engine, brakes and steering of different strength.

Reynolds 1999, "A Simple Vehicle Model", figure 2: the forward part of the steering force is thrust or braking, the rest is
steering, and a car can brake much harder than it can speed up.
"""

from dataclasses import dataclass

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.maths.vectors import add_scaled, dot, lateral, load, store, truncate
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def asymmetric(i: int, vehicles: VehicleColumns, force: Columns, numbers: "Asymmetric") -> None:
    """Cut the force to the forces that engine, brakes and steering give."""
    requested, forward, most = load(force, i), load(vehicles.forward, i), vehicles.max_force[i]
    along = min(max(dot(requested, forward), -numbers.brake * most), numbers.thrust * most)
    aside = truncate(lateral(requested, forward), numbers.side * most)
    store(force, i, add_scaled(aside, forward, along))


@dataclass(frozen=True, eq=False)
class Asymmetric(Limit):
    """Give thrust, brakes and steering limits of their own, as parts of max_force.

    Args:
        thrust: Part of max_force that pushes forward, at most. Raising it speeds up faster.
        brake: Part of max_force that pushes back, at most. Raising it brakes harder.
        side: Part of max_force across, at most. Raising it turns tighter.
    """

    thrust: float = parameter(1.0, low=0.0, high=1.0)
    brake: float = parameter(1.0, low=0.0, high=1.0)
    side: float = parameter(1.0, low=0.0, high=1.0)

    @property
    def brakes(self) -> float:
        """The part of max_force left for braking."""
        return self.brake

    @property
    def grip(self) -> float:
        """The part of max_force left to the side."""
        return self.side

    def on_force(self, chassis: Chassis) -> list[Call]:
        """One call."""
        numbers = chassis.numbers(self, "thrust", "brake", "side")
        return [Call(asymmetric, (chassis.columns, chassis.force, numbers))]

"""The contract of a limit: a part of a body, such as drag or a largest turn rate.

Limits work in the order in which they are given: first on the force, which is truncated to max_force by then, then on the
velocity that the body proposes, and last, when all vehicles have moved, on where they face.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from steersman.core.kernels.call import Call
from steersman.core.locomotion.chassis import Chassis
from steersman.core.parameters.kinds import Several
from steersman.core.parameters.parameters import Parameters
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles


@dataclass(frozen=True, eq=False)
class Limit(Parameters):
    """Base of all limits. `init` declares the memory of a limit from step to step; it is found in `chassis.memory`.

    Wrong arguments raise TypeError or ValueError, as `Parameters` says.

    Attributes:
        smooths: Whether vehicles face along an average, which the other limits must not take for where they go.
        steps_aside: Whether vehicles can go to any side without turning there first.
        pivots: Whether vehicles take time to turn, and do it on the spot. So do those with `turn_rates`.
    """

    smooths: ClassVar[bool] = False
    steps_aside: ClassVar[bool] = True
    pivots: ClassVar[bool] = False

    @property
    def brakes(self) -> float:
        """Part of max_force that it leaves for braking, 0 to 1. Default: all of it."""
        return 1.0

    @property
    def grip(self) -> float:
        """Part of max_force that it leaves to the side, 0 to 1. Default: all of it."""
        return 1.0

    def turn_rates(self, vehicles: Vehicles) -> Array | None:
        """The fastest turning that it leaves every vehicle [rad/s], shape (capacity,). Default: None, any."""
        return None

    def init(self, vehicles: Vehicles) -> Mapping[str, Array]:
        """Memory columns at the start, name -> array of shape (n, ...), one row a vehicle. Default: none."""
        return {}

    def on_force(self, chassis: Chassis) -> list[Call]:
        """Calls that change `chassis.force` [N] in place. Default: none."""
        return []

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """Calls that change `chassis.proposed` [m/s] (and `chassis.spin` [rad/s]) in place. Default: none."""
        return []

    def on_facing(self, chassis: Chassis) -> list[Call]:
        """Calls that change where vehicles face, after they have moved. These cannot fail. Default: none."""
        return []


LIMITS = Several("limits", "limits such as Drag(1.0)", base=Limit)

"""MatchVelocity: move as another vehicle does.

    force = mass * (velocity of the other - velocity) / response_time

The heading and speed part of Reynolds 1999's shadowing, for a chosen vehicle instead of a neighborhood (see Alignment).
"""

from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import ScaledArrow
from steersman.core.maths.vectors import load
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext, columns_of
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.steering.tree.forces import Out, deposit, match
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


@row_kernel
def match_velocity(i: int, vehicles: VehicleColumns, other: Mark, clock: Clock, out: Out) -> None:
    """Match the wanted velocities; claim as long as there is one."""
    if other.pick[i] >= 0:
        desired, velocity = load(other.position, other.pick[i]), load(vehicles.velocity, i)
        force = match(desired, velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
        deposit(out, i, force, vehicles.max_force[i], True)


@registered
class MatchVelocity(Behavior):
    """Reach the velocity of another vehicle, and hold it.

    Args:
        of: The velocity to reach: that of another Vehicles, or velocities [m/s]: (d,), one per vehicle (n, d) (copied),
            or a function that returns them.
        which: The member of a population to match: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    of: Any = parameter(kind=TARGET, positional=True, unit="m/s")
    which: Any = parameter("nearest", kind=WHICH, of="of")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the velocity."""
        other, calls = scene.mark(self.of, self.which, "of")
        moving = columns_of(scene, self.of)
        if moving is not None:
            other = other._replace(position=moving.velocity)
        return [*calls, Call(match_velocity, (scene.columns, other, scene.clock, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The vehicle that it matches, and the velocity of that vehicle."""
        if not isinstance(self.of, (Vehicles, Knowledge)):
            return
        watched = context.watched(self.of, self.which)
        yield from context.choice(watched)
        yield ScaledArrow(watched.position, watched.velocity, role="target", label="velocity to match")

"""Seek: go to a point at full speed, pass through it, turn and come back.

    desired = speed * unit(target - position),   (target - position) / T where that is slower
    force   = mass * (desired - velocity) / response_time

Reynolds 1999, "Seek" (with the sign of the printed equation corrected: the way leads from the character to the target).
`speed` and `thrust` give the variants of the lectures; see `steering/driving/drive.py`. It lands on a target
that stands within T = max(dt, speed * mass / (16 * max_force)), as `laws.landing_time` says (dt on one that moves): some
five swings, whatever the time step is. By the paper's law alone it would swing through the target for ever, or tremble
there, one step to and one step fro. To stop at the target without swinging through it, use Arrive.
A point mass turns back on the spot; for an arc give it a body with TurnRate.
"""

from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import difference, load
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive_to, stands
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.moving_targets import MovingMark, bind_moving
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def seek(
    i: int, vehicles: VehicleColumns, mark: MovingMark, wrap: Array, go: DriveNumbers, clock: Clock, out: Out
) -> None:
    """Drive along the way to the target; claim as long as there is one."""
    if mark.pick[i] >= 0:
        way = difference(load(mark.position, mark.pick[i]), load(vehicles.position, i), wrap)
        rests = stands(load(mark.velocity, mark.pick[i]), i, vehicles)
        deposit(out, i, drive_to(way, rests, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
class Seek(Driven):
    """Go to a point, a population, or the points of a function.

    On the target the desired velocity is zero; a vehicle that comes with speed passes through, turns back, and rests after
    some five swings.

    Args:
        target: Where to go: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, or a function that returns
            points.
        which: The member of a population to go to: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="target")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the target."""
        mark, calls = bind_moving(scene, self.target, self.which)
        go = self.go(scene.vehicles.dtype)
        return [*calls, Call(seek, (scene.columns, mark, scene.wrap, go, scene.clock, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The target, with a ring around a vehicle, and the way there."""
        watched = context.watched(self.target, self.which)
        yield from context.rings(watched)
        yield from context.goal(watched.position)

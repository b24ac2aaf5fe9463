"""Face: turn toward a target, independent of the direction of motion.

    turn = the shortest one from forward to (target - position)

The Unity lecture's "Face" (with its mixed axes put right); see `steering/driving/turning.py` for the turn itself. In 3D
the vehicle turns about the axis across both directions, and does not roll.
"""

from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import up_at
from steersman.core.maths.shapes import segment
from steersman.core.maths.vectors import difference, load
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.turning import Turning, TurningNumbers, turn_by, turn_toward
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns


@row_kernel
def face(
    i: int, vehicles: VehicleColumns, spin: Spin, mark: Mark, wrap: Array, how: TurningNumbers, clock: Clock, out: Out
) -> None:
    """Turn toward the target; claim as long as there is one."""
    if mark.pick[i] >= 0:
        way = difference(load(mark.position, mark.pick[i]), load(vehicles.position, i), wrap)
        turn = turn_toward(load(vehicles.forward, i), way, up_at(vehicles.up, i))
        turn_by(i, turn, spin, vehicles.response_time, how, clock.dt[0], out)


@registered
class Face(Turning):
    """Turn toward a target, the short way round, and follow it.

    It steers the orientation alone: add it to a behavior that steers the velocity, and use a body that turns by itself
    (FreeBody). On the target itself there is no direction: the vehicle stops turning.

    Args:
        target: The target to face: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, or a function
            that returns points.
        which: The member of a population to face: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="target")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the target."""
        mark, calls = scene.mark(self.target, self.which)
        arguments = (scene.columns, scene.spin, mark, scene.wrap, self.how(scene), scene.clock, out)
        return [*calls, Call(face, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The target that it faces."""
        watched = context.watched(self.target, self.which)
        yield segment(context.position, watched.position, "target", means="faces this")
        yield from context.choice(watched)

"""LookWhereYouGo: turn to face along the velocity.

    turn = the shortest one from forward to velocity

The Unity lecture's "Look Where You're Going". Bodies such as PointMass do so by themselves and at once; this is for those
that turn by themselves. At rest there is no direction: the vehicle stops turning.
"""

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.frames import up_at
from steersman.core.maths.vectors import load
from steersman.core.steering.driving.turning import Turning, TurningNumbers, turn_by, turn_toward
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import Out
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns


@row_kernel
def look_where_you_go(
    i: int, vehicles: VehicleColumns, spin: Spin, how: TurningNumbers, clock: Clock, out: Out
) -> None:
    """Turn along the velocity."""
    forward = load(vehicles.forward, i)
    ahead = heading_after(load(vehicles.velocity, i), forward, vehicles.max_speed[i])
    turn = turn_toward(forward, ahead, up_at(vehicles.up, i))
    turn_by(i, turn, spin, vehicles.response_time, how, clock.dt[0], out)


@registered
class LookWhereYouGo(Turning):
    """Turn to face along the velocity, the short way round.

    It steers the orientation alone: add it to a behavior that steers the velocity, and use a body that turns by itself
    (FreeBody).
    """

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        arguments = (scene.columns, scene.spin, self.how(scene), scene.clock, out)
        return [Call(look_where_you_go, arguments)]

"""Shadow: approach a quarry, then match its heading and speed.

    farther than `distance`:  desired = truncate(quarry velocity + ramped speed * unit(quarry - position), max_speed)
    within it:                desired = quarry velocity

Reynolds 1999, a sketch beside "Leader following": approach, then use alignment. The speed ramps down to zero at
`distance`, as in Arrive, so that approach turns into alignment without a jerk. Since it comes on top of the quarry's
velocity, the quarry is led as in a pursuit.
"""

import math
from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle, ScaledArrow
from steersman.core.maths.vectors import ZERO, add, difference, dot, load, truncate, with_length
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.approach import full_speed, slowing_distance
from steersman.core.steering.driving.drive import DriveNumbers, drive_numbers
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import QUARRY, Quarry
from steersman.core.steering.tree.forces import Out, deposit, match, response
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def shadow(
    i: int, vehicles: VehicleColumns, quarry: Quarry, wrap: Array, numbers: Any, go: DriveNumbers,
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Approach and match; claim as long as there is a quarry."""
    others = quarry.columns
    j = quarry.pick[i]
    if j < 0:
        return
    velocity, mass = load(vehicles.velocity, i), vehicles.mass[i]
    tau = response(vehicles.response_time[i], clock.dt[0])
    way = difference(load(others.position, j), load(vehicles.position, i), wrap)
    desired, remaining = load(others.velocity, j), math.sqrt(dot(way, way)) - numbers.distance
    if remaining > ZERO:
        speed = full_speed(way, velocity, vehicles.max_speed[i], go)
        slowing = slowing_distance(speed, i, vehicles, numbers.brakes, tau, numbers.slowing_distance)
        if remaining < slowing:
            speed *= remaining / slowing
        desired = add(desired, with_length(way, speed))
    desired = truncate(desired, vehicles.max_speed[i])
    deposit(out, i, match(desired, velocity, mass, tau, tau), vehicles.max_force[i], True)


@registered
class Shadow(Behavior):
    """Approach a quarry and go along with it: same heading, same speed.

    Args:
        quarry: The population that is shadowed, or a LastSeen of it.
        which: The member of it to shadow: "nearest", "first", an id, ids (one per vehicle) or a mask.
        distance: How near to come [m]. Raising it keeps more out of sight.
        slowing_distance: Distance from there at which slowing begins [m]. Raising it is gentler. Default: the shortest
            without overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        speed: How fast to approach [m/s], on top of the quarry's velocity: a number or "max". The sum is at most
            max_speed. Raising it comes up faster.
    """

    quarry: Any = parameter(kind=QUARRY, positional=True)
    which: Any = parameter("nearest", kind=WHICH, of="quarry")
    distance: float = parameter(5.0, low=0.0, unit="m")
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    speed: float | str = parameter("max", choices=("max",), low=0.0, unit="m/s")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that choose each vehicle's quarry."""
        quarry, calls = scene.quarry(self.quarry, self.which)
        numbers = scene.own("distance", "slowing_distance", brakes=scene.stopping)
        go = drive_numbers(self.speed, scene.vehicles.dtype)
        return [*calls, Call(shadow, (scene.columns, quarry, scene.wrap, numbers, go, scene.clock, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The quarry, how near to come, and its velocity, which is to be matched."""
        watched = context.watched(self.quarry, self.which)
        yield from context.choice(watched)
        yield Circle(watched.position, self.distance, label="comes no nearer than this")
        yield ScaledArrow(watched.position, watched.velocity, role="target", label="velocity to match")

"""ConstantBearing: meet a target by keeping it at a constant bearing.

    "proportional"  force = turn + match(s * unit(velocity)),   turn = mass * gain * (turn of the line of sight) x velocity
    "parallel"      force = match(sideways + along),   sideways: the target's velocity across the line of sight,
                                                        along: the rest of the speed along the line of sight

Reynolds 1999, "Pursuit": on a collision course the target appears at a constant heading in local space, so contrive to
keep it there. "proportional" is proportional navigation: the velocity turns `gain` times as fast as the line of sight does.
It needs a velocity toward the target; a target behind is sought. Turning comes first: speeding up gets the rest of
max_force, and s is the speed or, where the turn takes more than max_force, |velocity| sqrt(max_force / |turn|) if that is
less. Otherwise a vehicle would circle for ever around a target inside of its tightest circle at full speed. "parallel" is
the course with no turn at all.
"""

import math
from collections.abc import Iterator
from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Shape, segment
from steersman.core.maths.vectors import (
    ONE,
    TINY,
    ZERO,
    add,
    add_scaled,
    difference,
    dot,
    length,
    load,
    normalize,
    scale,
    subtract,
    truncate,
    with_length,
)
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.approach import full_speed
from steersman.core.steering.driving.drive import DriveNumbers, drive, drive_numbers
from steersman.core.steering.driving.fly_by import parallel_course
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.moving_targets import MovingMark, bind_moving
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET
from steersman.core.steering.tree.forces import Out, deposit, match
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LAWS = ("proportional", "parallel")


@kernel
def turn_with_sight(way: Vector, velocity: Vector, other: Vector) -> Vector:
    """The acceleration [m/s^2] that turns the velocity as fast as the line of sight turns."""
    relative = subtract(other, velocity)
    turned = add_scaled(scale(relative, dot(way, velocity)), way, -dot(relative, velocity))
    return scale(turned, ONE / dot(way, way))


@row_kernel
def constant_bearing(
    i: int, vehicles: VehicleColumns, mark: MovingMark, parallel: bool, gain: Array, wrap: Array,
    go: DriveNumbers,
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Keep the bearing of the target; claim as long as there is one.

    `gain` has shape (1,): as a scalar it would be multiplied in another order.
    """
    j = mark.pick[i]
    if not out.active[i] or j < 0:
        return
    velocity, other = load(vehicles.velocity, i), load(mark.velocity, j)
    way = difference(load(mark.position, j), load(vehicles.position, i), wrap)
    speed = full_speed(way, velocity, vehicles.max_speed[i], go)
    if parallel:
        course = parallel_course(normalize(way), other, speed)
        force = match(course, velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
    elif dot(way, velocity) <= ZERO or dot(way, way) < TINY:
        force = drive(way, i, vehicles, go, clock.dt[0])
    else:
        turn = scale(turn_with_sight(way, velocity, other), vehicles.mass[i] * gain[0])
        needed, most = length(turn), vehicles.max_force[i]
        if needed > most:
            # Slower by this factor, the vehicle could turn as fast as the line of sight does.
            speed = min(speed, length(velocity) * math.sqrt(most / needed))
        desired = with_length(velocity, speed)
        force = match(desired, velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
        if dot(force, velocity) > ZERO:
            force = truncate(force, math.sqrt(max(most * most - needed * needed, ZERO)))
        force = add(force, turn)
    deposit(out, i, force, vehicles.max_force[i], True)


@registered
class ConstantBearing(Behavior):
    """Meet a target, moving or not, by keeping it at a constant bearing.

    Args:
        target: The target to meet: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, or a function
            that returns points. Only a population is known to move.
        which: The member of a population to meet: "nearest", "first", an id, ids (one per vehicle) or a mask.
        law: How the bearing is kept: "proportional" (navigation) or "parallel".
        gain: Of "proportional": how many times faster than the line of sight the velocity turns, usually 3 to 5. Raising
            it corrects earlier; at 1 the course becomes a plain chase.
        speed: How fast to go [m/s]: a number, "max" or "current". Raising it goes faster.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="target")
    law: str = parameter("proportional", kind=TEXT, choices=LAWS)
    gain: float = parameter(3.0, low=1.0)
    speed: float | str = parameter("max", choices=("max", "current"), low=0.0, unit="m/s")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the target."""
        mark, calls = bind_moving(scene, self.target, self.which)
        go = drive_numbers(self.speed, scene.vehicles.dtype)
        parallel, gain = self.law == "parallel", scene.cell(self.gain)
        arguments = (scene.columns, mark, parallel, gain, scene.wrap, go, scene.clock, out)
        return [*calls, Call(constant_bearing, arguments)]

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The line of sight now and in a second: parallel, if the two will meet."""
        watched = context.watched(self.target, self.which)
        yield from context.choice(watched)
        yield segment(context.position, watched.position, means="line of sight")
        yield segment(
            context.ahead(1.0), watched.position + watched.velocity, "predicted", means="line of sight in a second"
        )

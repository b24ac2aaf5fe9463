"""Evade: flee the place where a moving pursuer will be.

    force = flee(pursuer position + pursuer velocity * T),   zero while that place is beyond the panic distance

Reynolds 1999, "Evasion": the analog of pursuit. "Intentionally" non-optimal evasion, which foils a pursuer's prediction,
is `unpredictability`: the way is turned by a random angle, a smooth function of time that is new every `period`.
"""

import math
from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import squared
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.ground import beside
from steersman.core.maths.shapes import Circle
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive
from steersman.core.steering.goals.flee import on_foot
from steersman.core.steering.noise import smooth_noise
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.prediction import (
    PREDICTOR,
    Approach,
    PredictionNumbers,
    Predictor,
    prediction_time,
)
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import QUARRY, Quarry
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@kernel
def swerve(way: Vector, angle: Any, roll: Any, ground: Columns, i: int) -> Vector:
    """The way turned by an angle; in 3D about a perpendicular axis chosen by `roll`, or about the normal."""
    side = beside(v.normalize(way), ground, i)
    size = math.sqrt(v.dot(way, way))
    if len(way) == 3 and len(ground) != 3:
        across = v.cross(v.normalize(way), side)
        side = v.add(v.scale(side, math.cos(roll)), v.scale(across, math.sin(roll)))
    return v.add(v.scale(way, math.cos(angle)), v.scale(side, size * math.sin(angle)))


@row_kernel
def evade(
    i: int, vehicles: VehicleColumns, pursuer: Quarry, wrap: Array, how: PredictionNumbers, numbers: Any,
    go: DriveNumbers, key: Array, clock: Clock, ground: Columns, out: Out,
) -> None:  # fmt: skip
    """Drive away from the predicted position."""
    others = pursuer.columns
    j = pursuer.pick[i]
    if j < 0:
        return
    offset = v.difference(v.load(others.position, j), v.load(vehicles.position, i), wrap)
    time = prediction_time(i, vehicles, offset, j, others, how)
    way = v.scale(v.add_scaled(offset, v.load(others.velocity, j), time), -v.ONE)
    if v.dot(way, way) > numbers.panic2:
        return
    way = on_foot(way, v.load(vehicles.forward, i), ground, i)
    if numbers.unpredictability > v.ZERO:
        half_turn = vehicles.mass.dtype.type(math.pi)
        drawn = smooth_noise(key, vehicles.id[i], clock.time[0], numbers.period, 0, vehicles.mass)
        # The bound changes nothing, but tells the compiler in which order to multiply.
        angle = min(drawn * numbers.unpredictability, v.ONE) * v.HALF * half_turn
        roll = smooth_noise(key, vehicles.id[i], clock.time[0], numbers.period, 1, vehicles.mass) * half_turn
        way = swerve(way, angle, roll, ground, i)
    deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
class Evade(Driven):
    """Get away from a moving pursuer by fleeing where it will be.

    Args:
        pursuer: The population to get away from, or a LastSeen of it.
        which: The member of it to get away from: "nearest", "first", an id, ids (one per vehicle) or a mask.
        prediction: How far ahead to look: Constant(time), Proportional(c), Approach(), Capped(limit), Heading(),
            NineCases(limit), Oncoming(limit) or Intercept().
        panic_distance: Distance to the predicted position beyond which the vehicle does not flee [m]. Raising it makes
            it more timid.
        unpredictability: How far off the straight way to flee, at random: from 0 (straight away) to 1 (up to a right angle
            off). Raising it foils prediction, at a price in distance.
        period: Time after which the random angle is a new one [s]. Raising it holds a random course longer.
    """

    pursuer: Any = parameter(kind=QUARRY, positional=True)
    which: Any = parameter("nearest", kind=WHICH, of="pursuer")
    prediction: Predictor = parameter(Approach(), kind=PREDICTOR)
    panic_distance: float = parameter(math.inf, above=0.0, infinite=True, unit="m")
    unpredictability: float = parameter(0.0, low=0.0, high=1.0)
    period: float = parameter(0.5, above=0.0, unit="s")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that choose each vehicle's pursuer."""
        pursuer, calls = scene.quarry(self.pursuer, self.which, "pursuer")
        dtype = scene.vehicles.dtype
        numbers = scene.own("unpredictability", "period", panic2=squared(dtype, self.panic_distance))
        arguments = (
            scene.columns, pursuer, scene.wrap, self.prediction.numbers(dtype), numbers, self.go(dtype), scene.key,
            scene.clock, scene.ground, out,
        )  # fmt: skip
        return [*calls, Call(evade, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The pursuer, where it will be, and how near that may come."""
        watched = context.watched(self.pursuer, self.which)
        future = context.predicted(watched, self.pursuer, self.prediction)
        yield from context.choice(watched)
        yield from context.future(watched, future)
        yield Circle(future, self.panic_distance, role="danger", label="wants to be out of here")

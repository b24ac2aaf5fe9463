"""Pursue: seek the place where a moving quarry will be.

    force = seek(quarry position + quarry velocity * T)

Reynolds 1999, "Pursuit"; T comes from a predictor (`steering/targets/prediction.py`). The game AI lecture's special case: a
quarry ahead that comes straight at the pursuer is sought where it is.

The sources end with the catch: their pursuer runs through its quarry, turns back and runs through it again. Here a pursuer
that has touched its quarry stays with it, as in a slot (`steering/driving/slot_keeping.py`) at its place:

    desired = quarry velocity + speed * min(1, distance / slowing_distance) * unit(quarry - position)

The catch is remembered (memory `caught`, the id of the quarry) until the gap between the bodies exceeds the slowing distance
of Arrive and, of a car, four radii of its tightest circle: it comes so far away as it turns around. Where a quarry stands,
pursuers that keep apart (AvoidNeighbors, ORCA, ContextMap) come to rest around it (`steering/driving/resting.py`): one that
has met others there arrives.
"""

from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, add_scaled, difference, dot, length, load, subtract
from steersman.core.parameters.kinds import FLAG
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.approach import usual_distance
from steersman.core.steering.driving.arriving import ArrivingNumbers, arriving_numbers, come
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive, drive_numbers, stands
from steersman.core.steering.driving.resting import Resting, meets_others, note_goal, resting_after, way_among
from steersman.core.steering.driving.slot_keeping import keep
from steersman.core.steering.laws.pursuing import is_head_on
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
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

HEAD_ON = np.float32(-0.95)
"""Cosine between two forward directions below which they count as opposite (18 degrees)."""


AROUND = np.float32(4)
"""Radii of its tightest circle that a body goes away from a place as it turns around to it."""

NOTHING = -1
"""The id that stands for no quarry."""


@kernel
def reach_of_catch(
    caught: bool, velocity: Vector, lead: Vector, i: int, vehicles: VehicleColumns, tightest: Any, clock: Clock
) -> Any:
    """The gap [m] up to which the quarry counts as caught: the gap closed in a step, or room to brake and return.

    `tightest` is the radius of the tightest circle [m].
    """
    if caught:
        tau = response(vehicles.response_time[i], clock.dt[0])
        brakes = usual_distance(vehicles.max_speed[i], vehicles.mass[i], vehicles.max_force[i], tau)
        return brakes + AROUND * tightest
    return length(subtract(velocity, lead)) * clock.dt[0]


@row_kernel
def pursue(
    i: int, vehicles: VehicleColumns, quarry: Quarry, wrap: Array, how: PredictionNumbers, head_on: bool,
    go: DriveNumbers, end: ArrivingNumbers, tightest: Any, resting: tuple[Resting, ...], now: Array, following: Array,
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Drive to the predicted position, and stay with a quarry that is caught; claim as long as there is a quarry."""
    others = quarry.columns
    j = quarry.pick[i]
    if j < 0:
        return
    way = difference(load(others.position, j), load(vehicles.position, i), wrap)
    velocity, lead = load(vehicles.velocity, i), load(others.velocity, j)
    gap, caught = length(way) - vehicles.radius[i] - others.radius[j], now[i] == others.id[j]
    reach = reach_of_catch(caught, velocity, lead, i, vehicles, tightest, clock)
    following[i] = others.id[j] if gap <= reach else NOTHING
    meets = False
    if len(resting) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
        if stands(lead, i, vehicles):
            state = note_goal(resting[0], i, load(others.position, j), clock.step, wrap)
            meets, way = meets_others(resting[0], i, clock.step), way_among(resting[0], i, state, way)
    if caught and following[i] != NOTHING:
        force = keep(way, lead, i, vehicles, end, response(vehicles.response_time[i], clock.dt[0]))
        deposit(out, i, force, vehicles.max_force[i], True)
        return
    if meets:
        deposit(out, i, come(way, True, i, vehicles, end, clock.dt[0]), vehicles.max_force[i], True)
        return
    forward = load(vehicles.forward, i)
    coming = dot(way, forward) > ZERO and dot(forward, load(others.forward, j)) < HEAD_ON
    if not (coming and head_on):
        way = add_scaled(way, lead, prediction_time(i, vehicles, way, j, others, how))
    deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
class Pursue(Driven):
    """Chase a moving quarry by heading for where it will be, and stay with it when it is caught.

    Args:
        quarry: The population that is chased, or a LastSeen of it.
        which: The member of it to chase: "nearest", "first", an id, ids (one per vehicle) or a mask.
        prediction: How far ahead to look: Constant(time), Proportional(c), Approach(), Capped(limit), Heading(),
            NineCases(limit), Oncoming(limit) or Intercept().
        head_on: Go straight for a quarry that is ahead and comes straight on.
    """

    quarry: Any = parameter(kind=QUARRY, positional=True)
    which: Any = parameter("nearest", kind=WHICH, of="quarry")
    prediction: Predictor = parameter(Approach(), kind=PREDICTOR)
    head_on: bool = parameter(True, kind=FLAG)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The memory of a catch, at the start of no quarry."""
        return {"caught": np.full(len(vehicles), NOTHING, np.int64)}

    def may_rest(self) -> bool:
        """Around a quarry that stands."""
        return True

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that choose each vehicle's quarry."""
        quarry, calls = scene.quarry(self.quarry, self.which)
        dtype = scene.vehicles.dtype
        end = arriving_numbers(drive_numbers(self.speed, dtype), scene, True, None)
        arguments = (
            scene.columns, quarry, scene.wrap, self.prediction.numbers(dtype), bool(self.head_on), self.go(dtype), end,
            scene.number(scene.tightest), resting_after(scene.resting), memory.now("caught"), memory.next("caught"),
            scene.clock, out,
        )  # fmt: skip
        return [*calls, Call(pursue, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The quarry, and where it will be, unless it comes straight on."""
        watched = context.watched(self.quarry, self.which)
        coming = self.head_on & is_head_on(context.position, context.forward, watched.position, watched.forward)
        future = np.where(coming[:, None], watched.position, context.predicted(watched, self.quarry, self.prediction))
        yield from context.choice(watched)
        yield from context.future(watched, future)
        yield from context.goal(future)

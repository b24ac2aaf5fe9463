"""Pursue: seek the place where a moving quarry will be.

    force = seek(quarry position + quarry velocity * T)

Reynolds 1999, "Pursuit"; T comes from a predictor (`steering/targets/prediction.py`). The game AI lecture's special case: a
quarry ahead that comes straight at the pursuer is sought where it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import FLAG
from steersman.geometry.parameters import parameter
from steersman.geometry.shapes import Shape
from steersman.geometry.vectors import ZERO, Array, add_scaled, difference, dot, load
from steersman.steering.forces import Out, deposit
from steersman.steering.going.drive import Driven, DriveNumbers, drive
from steersman.steering.laws.pursuing import is_head_on
from steersman.steering.registry import registered
from steersman.steering.scene import Clock, Scene
from steersman.steering.sketched import Sketched
from steersman.steering.targets.prediction import PREDICTOR, Approach, PredictionNumbers, Predictor, prediction_time
from steersman.steering.targets.target import Quarry
from steersman.steering.targets.whom import WHICH
from steersman.vehicles.holding import POPULATION
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicle_columns import VehicleColumns

HEAD_ON = np.float32(-0.95)
"""Cosine between two forward directions below which they count as opposite (18 degrees)."""


@kernel
def pursue(
    start: int, stop: int, vehicles: VehicleColumns, quarry: Quarry, wrap: Array, how: PredictionNumbers, head_on: bool,
    go: DriveNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Drive to the predicted position; claim as long as there is a quarry."""
    others = quarry.columns
    for i in range(start, stop):
        j = quarry.pick[i]
        if not out.active[i] or j < 0:
            continue
        way = difference(load(others.position, j), load(vehicles.position, i), wrap)
        forward = load(vehicles.forward, i)
        coming = dot(way, forward) > ZERO and dot(forward, load(others.forward, j)) < HEAD_ON
        if not (coming and head_on):
            way = add_scaled(way, load(others.velocity, j), prediction_time(i, vehicles, way, j, others, how))
        deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
@dataclass(frozen=True, eq=False)
class Pursue(Driven):
    """Chase a moving quarry by heading for where it will be.

    Args:
        quarry: The population that is chased.
        which: Whom of it to chase: "nearest", "first", an id, ids (one per vehicle) or a mask.
        prediction: How far ahead to look: Constant(time), Proportional(c), Approach(), Capped(limit), Heading(),
            NineCases(limit), Oncoming(limit) or Intercept().
        head_on: Go straight for a quarry that is ahead and comes straight on.

    Raises:
        TypeError: The quarry is no population, or the prediction no predictor.
        ValueError: A number is out of range, or a word is not known.
    """

    quarry: Any = parameter(kind=POPULATION, positional=True)
    which: Any = parameter("nearest", kind=WHICH, of="quarry")
    prediction: Predictor = parameter(Approach(), kind=PREDICTOR)
    head_on: bool = parameter(True, kind=FLAG)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that say who chases whom."""
        quarry, calls = scene.quarry(self.quarry, self.which)
        dtype = scene.vehicles.dtype
        how, go = self.prediction.numbers(dtype), self.go(dtype)
        return [
            *calls,
            Call(pursue, (scene.columns, quarry, scene.wrap, how, bool(self.head_on), go, scene.clock, out)),
        ]

    def sketch(self, them: Sketched) -> Iterator[Shape]:
        """The quarry, and where it will be, unless it comes straight on."""
        whom = them.whom(self.quarry, self.which)
        coming = self.head_on & is_head_on(them.position, them.forward, whom.position, whom.forward)
        future = np.where(coming[:, None], whom.position, them.predicted(whom, self.quarry, self.prediction))
        yield from them.choice(whom)
        yield from them.future(whom, future)
        yield from them.goal(future)

"""OffsetPursuit: pass near a moving quarry without running into it, or keep a place beside it.

    radius:  seek(predicted - radius * unit(lateral part of predicted - position))      a fly-by
    offset:  arrive(slot + quarry velocity * T),  slot = quarry + offset                a slot

Reynolds 1999, "Offset pursuit": the predicted position, in the vehicle's own frame, without its part along forward, gives
the side on which to pass. A quarry straight ahead is passed on a side that is always the same.
Game AI lecture, "Pursue with Offset": T = |slot - position| / (max_speed + quarry speed); for an offset in the leader's
frame a squad keeps its places when the leader turns.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.geometry.arrays import as_floats, columns_of, frozen
from steersman.geometry.call import Call
from steersman.geometry.frames import to_global, up_at
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import (
    ZERO,
    Array,
    Vector,
    add,
    add_scaled,
    difference,
    dot,
    lateral,
    load,
    normalize,
    perpendicular,
    scale,
)  # fmt: skip
from steersman.steering.arriving import APPROACHES, Arriving, come
from steersman.steering.behavior import Out, deposit
from steersman.steering.individual.pursue import check_predictor
from steersman.steering.prediction import Approach, Predictor, prediction_time
from steersman.steering.registry import registered
from steersman.steering.scene import Clock, Scene
from steersman.steering.targets import Mark, Quarry, as_population, as_which, check_points
from steersman.vehicles.body import Body
from steersman.vehicles.memory import Memory

FRAMES = ("leader", "world")


@kernel
def aside(way: Vector, forward: Vector) -> Vector:
    """The unit vector from forward toward the side on which a way [m] leads."""
    side = normalize(lateral(way, forward))
    if dot(side, side) == ZERO:
        return perpendicular(forward)
    return side


@kernel
def fly_by(
    start: int, stop: int, body: Body, quarry: Quarry, wrap: Array, how: Array, radius: Array, end: Array, clock: Clock,
    out: Out,
) -> None:  # fmt: skip
    """Come to the point beside the predicted position; claim as long as there is a quarry."""
    others = quarry.body
    for i in range(start, stop):
        j = quarry.pick[i]
        if not out.active[i] or j < 0:
            continue
        way = difference(load(others.position, j), load(body.position, i), wrap)
        way = add_scaled(way, load(others.velocity, j), prediction_time(i, body, way, j, others, how))
        way = add_scaled(way, aside(way, load(body.forward, i)), -radius[0])
        deposit(out, i, come(way, i, body, end, clock.dt[0]), body.max_force[i], True)


@kernel
def keep_slot(
    start: int, stop: int, body: Body, quarry: Quarry, slots: Mark, turned: bool, wrap: Array, how: Array, end: Array,
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Come to where the slot will be; claim as long as there is a quarry. `turned`: slots turn with the quarry."""
    others = quarry.body
    for i in range(start, stop):
        j = quarry.pick[i]
        if not out.active[i] or j < 0:
            continue
        offset = load(slots.position, slots.pick[i])
        if turned:
            offset = to_global(offset, load(others.forward, j), up_at(others.up, j))
        way = add(difference(load(others.position, j), load(body.position, i), wrap), offset)
        way = difference(way, scale(way, ZERO), wrap)
        way = add_scaled(way, load(others.velocity, j), prediction_time(i, body, way, j, others, how))
        deposit(out, i, come(way, i, body, end, clock.dt[0]), body.max_force[i], True)


@registered
@dataclass(frozen=True, eq=False)
class OffsetPursuit(Arriving):
    """Fly by a moving quarry at a distance, or keep a slot beside it.

    Args:
        quarry: The population that is pursued.
        which: Whom of it: "nearest", a row number, or ids, one per vehicle, shape (n,).
        radius: How near to pass [m]. Give this or an offset.
        offset: The slot [m], shape (d,), or one per vehicle (n, d). In the leader's frame its components are forward and
            side (to the right) in 2D, forward, up and side in 3D.
        frame: Whether the offset turns with the quarry ("leader"), or not ("world").
        prediction: How far ahead to look: Constant(time), Proportional(c), Approach(), Capped(limit), Heading() or
            Intercept(); for a slot, as if the quarry were there.
        approach: "arrive" or "seek". Default: "seek" for a radius, "arrive" for an offset.
        slowing_distance: Of "arrive": distance at which slowing begins [m]. Default: the shortest without overshoot.
        deceleration_time: Instead of a slowing distance: the time to go at which slowing begins [s].
        speed: How fast to go [m/s]: a number, "max", "current" or "offset".
        thrust: "match" or "full".
        name: Name by which the node keeps its memory.

    Raises:
        TypeError: The quarry is no population, or the prediction no predictor.
        ValueError: Neither or both of radius and offset are given, a shape does not fit, a number is NaN, infinite or out
            of range, or a word is not known.
    """

    quarry: Any = parameter(kind="population", positional=True, doc="The population that is pursued.")
    which: Any = parameter("nearest", kind="which", doc="Whom of it to pursue.")
    radius: float | None = parameter(None, low=0.0, unit="m", optional=True, doc="How near to pass.")
    offset: Any = parameter(None, kind="vector", unit="m", optional=True, doc="The slot: forward, (up,) side.")
    frame: str = parameter("leader", kind="text", choices=FRAMES, doc="Whether the offset turns with the quarry.")
    prediction: Predictor = parameter(Approach(), kind="predictor", doc="How far ahead to look.")
    approach: Any = parameter(
        None, kind="text", choices=APPROACHES, optional=True, doc="Stop there, or pass; None: as the source does."
    )

    def validate(self) -> None:
        """Check the quarry, and settle which of the two it is."""
        as_population("quarry", self.quarry)
        object.__setattr__(self, "which", as_which(self.which))
        check_predictor(self.prediction)
        self.check_slowing()
        if (self.radius is None) == (self.offset is None):
            raise ValueError(
                f"OffsetPursuit takes radius or offset, got {'both' if self.offset is not None else 'none'}"
            )
        if self.approach is None:
            object.__setattr__(self, "approach", "seek" if self.offset is None else "arrive")
        if self.offset is not None:
            offset = as_floats("offset", self.offset, np.float64)
            if offset.ndim not in (1, 2) or offset.shape[-1] not in (2, 3):
                raise ValueError(f"offset must have shape (d,) or (n, d), got {offset.shape}")
            object.__setattr__(self, "offset", frozen(offset))

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that say who pursues whom."""
        quarry, calls = scene.quarry(self.quarry, self.which)
        n, d, dtype = len(scene.vehicles), scene.vehicles.dimensions, scene.vehicles.dtype
        how, end = self.prediction.pack(dtype), self.end(dtype)
        if self.offset is None:
            assert self.radius is not None
            radius = scene.numbers(self.radius)
            return [*calls, Call(fly_by, (scene.body, quarry, scene.wrap, how, radius, end, scene.clock, out))]
        check_points("offset", self.offset, n, d)
        rows = np.zeros(n, np.int64) if self.offset.ndim == 1 else np.arange(n)
        slots = Mark(columns_of(np.atleast_2d(self.offset), dtype), rows)
        turned = self.frame == "leader"
        return [*calls, Call(keep_slot, (scene.body, quarry, slots, turned, scene.wrap, how, end, scene.clock, out))]

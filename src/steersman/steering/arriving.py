"""Arriving: the end of the behaviors that come to a point of their own making, and may stop there.

    approach="arrive":  as Arrive does, with its linear ramp (see `steering/approach.py`)
    approach="seek":    as Seek does, through the point (see `steering/drive.py`)

Reynolds 1999 seeks ("Offset pursuit", and the sketches of interpose and hide); the game AI lecture arrives.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import TEXT
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import ONE, ZERO, Array, Vector, dot, load
from steersman.steering.approach import FOUR, approach, full_speed, slowing_distance
from steersman.steering.drive import Driven, drive
from steersman.vehicles.body import Body

APPROACHES = ("arrive", "seek")


@kernel
def usual_distance(fast: Any, mass: Any, max_force: Any, tau: Any) -> Any:
    """The slowing distance of Arrive [m], in which there is room for a turn at full speed."""
    smooth = FOUR * fast * tau
    if max_force > ZERO:
        return max(smooth, mass * fast * fast / max_force)
    return smooth


@kernel
def come(way: Vector, i: int, body: Body, end: Array, dt: Any) -> Vector:
    """The force that moves vehicle i along a way [m], and stops it at the end of it.

    `end` holds what `drive` takes (kind of speed, number, full thrust), then 1 to arrive, the slowing distance [m] and
    the deceleration time [s], each negative where it is not given.
    """
    if end[3] == ZERO or end[2] == ONE:
        return drive(way, i, body, end, dt)
    velocity, mass, tau = load(body.velocity, i), body.mass[i], body.response_time[i]
    if tau == ZERO:
        tau = dt
    full = full_speed(way, velocity, body.max_speed[i], end)
    given = end[4]
    if end[5] >= ZERO:
        given = full * end[5]
    slowing = slowing_distance(full, mass, body.max_force[i], tau, given)
    return approach(way, math.sqrt(dot(way, way)), slowing, full, velocity, mass, tau)


@dataclass(frozen=True, eq=False)
class Arriving(Driven):
    """Base of the behaviors that come to a point.

    Args:
        approach: How to come there: "arrive" slows down and stops, "seek" passes through. With thrust="full" there is no
            slowing.
        slowing_distance: Distance at which slowing begins [m]. Default: the shortest one without overshoot.
        deceleration_time: Instead of a slowing distance: the time to go at which slowing begins [s].
    """

    approach: str = parameter("arrive", kind=TEXT, choices=APPROACHES)
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    deceleration_time: float | None = parameter(None, above=0.0, unit="s", optional=True)

    def validate(self) -> None:
        """Check that slowing is said once."""
        if self.slowing_distance is not None and self.deceleration_time is not None:
            raise ValueError(f"{type(self).__name__} takes slowing_distance or deceleration_time, got both")

    def end(self, dtype: Any) -> Array:
        """Speed, thrust and slowing packed for `come`."""
        slowing = -1.0 if self.slowing_distance is None else self.slowing_distance
        time = -1.0 if self.deceleration_time is None else self.deceleration_time
        return pack_end(self.go(dtype), stops=self.approach == "arrive", slowing=slowing, time=time)


def pack_end(go: Array, *, stops: bool, slowing: float = -1.0, time: float = -1.0) -> Array:
    """What `come` takes: speed and thrust as packed for `drive`, whether to stop, slowing distance, deceleration time."""
    return np.array([*go, stops, slowing, time], go.dtype)

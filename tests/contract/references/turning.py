"""References of the behaviors that turn a vehicle: no force, and an angular acceleration of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import Answer, At, Reference
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.core.vehicles.orientation import axes_of

Turning = Callable[[Any, At], Array]


def no_force(b: Any, at: At) -> Answer:
    return np.zeros_like(at.position), True


def by(b: Any, at: At, turn: Array) -> Array:
    """The angular acceleration that makes a turn."""
    tau = laws.angular_response_time(at.tau, DT, law=b.law, rate=b.rate)
    options = {"law": b.law, "slow_angle": b.slow_angle, "rate": b.rate}
    limits = (at.max_angular_speed, at.max_angular_acceleration)
    speed = laws.angular_speed(laws.length(turn), *limits, tau, **options)
    return laws.turn(turn, np.atleast_1d(at.angular_velocity), speed, tau)


def up(at: At) -> Any:
    return at.up if len(at.position) == 3 else None


def face(b: Any, at: At) -> Array:
    way = at.target(b.target, b.which) - at.position
    return by(b, at, laws.turn_toward(at.forward, way, up(at)))


def look_where_you_go(b: Any, at: At) -> Array:
    return by(b, at, laws.turn_toward(at.forward, at.velocity, up(at)))


def reach_orientation(b: Any, at: At) -> Array:
    if isinstance(b.orientation, sm.Vehicles):
        j = at.row(b.orientation, b.which)
        forward, above = b.orientation.forward[j], b.orientation.up[j] if len(at.position) == 3 else None
    elif len(at.position) == 2:
        heading = float(b.orientation if b.orientation.ndim == 0 else b.orientation[at.i])
        left = (heading - np.arctan2(at.forward[1], at.forward[0]) + np.pi) % (2 * np.pi) - np.pi
        return by(b, at, np.array([left]))
    else:
        axes = axes_of(np.atleast_2d(b.orientation if b.orientation.ndim == 1 else b.orientation[at.i]))
        forward, above = axes[0][0], axes[1][0]
    if above is None:
        return by(b, at, laws.turn_toward(at.forward, forward))
    wanted = np.array([forward, above, np.cross(forward, above)])
    own = np.array([at.forward, at.up, np.cross(at.forward, at.up)])
    return by(b, at, laws.turn_between_frames(own, wanted))


REFERENCES: dict[str, Reference] = dict.fromkeys(("Face", "LookWhereYouGo", "ReachOrientation"), no_force)

TURNING: dict[str, Turning] = {
    "Face": face, "LookWhereYouGo": look_where_you_go, "ReachOrientation": reach_orientation,
}  # fmt: skip


@dataclass(frozen=True)
class Turned(At):
    """A vehicle as combinators of angular accelerations see it: with another limit."""

    @property
    def max_force(self) -> float:
        return float(self.place.vehicles.max_angular_acceleration[self.i])

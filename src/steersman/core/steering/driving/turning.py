"""Turning: the end of every behavior that turns a vehicle: the angular acceleration for the turn that is left.

    angular acceleration = (speed(angle) * unit(turn) - angular velocity) / response time

law="arrive" turns as fast as the brakes allow, or slows down over `slow_angle`, like Arrive. law="lag" is the Unity
lecture's first-order approach: the angle left falls as exp(-rate t). Both are capped by the ability of the brakes, so
neither turns too far. Only bodies that turn by themselves follow (FreeBody); others face where they go.
"""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, TINY, ZERO, cross, dot, load, normalize, scale, subtract
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.approach import FOUR, braking_speed
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.tree.forces import Out, deposit_turning
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.vehicle_columns import Spin

HALF_TURN = np.float32(np.pi)


class TurningNumbers(NamedTuple):
    """How to turn, for kernels.

    Attributes:
        lags: 1 for law="lag", 0 for "arrive".
        slow_angle: Of "arrive": the angle at which slowing begins [rad], 0 where it is not given.
        rate: Of "lag": the inverse of its time constant [1/s].
    """

    lags: Any
    slow_angle: Any
    rate: Any


@kernel
def turn_by(i: int, turn: Vector, spin: Spin, response_time: Array, how: TurningNumbers, dt: Any, out: Out) -> None:
    """Deposit the angular acceleration of vehicle i that has this turn left; it claims the vehicle."""
    tau = response_time[i]
    if how.lags == ONE:
        tau = min(tau, ONE / (FOUR * how.rate))
    tau = max(tau, dt)
    angle = math.sqrt(dot(turn, turn))
    speed = min(spin.max_speed[i], braking_speed(angle, spin.max_acceleration[i], tau))
    if how.lags == ONE:
        speed = min(speed, how.rate * angle)
    elif how.slow_angle > ZERO:
        speed = min(speed, angle * (spin.max_speed[i] / how.slow_angle))
    desired = turn
    if angle != ZERO:
        desired = scale(turn, speed / angle)
    steering = scale(subtract(desired, load(spin.velocity, i)), ONE / tau)
    deposit_turning(out, i, steering, spin.max_acceleration[i], True)


@kernel
def turn_toward(forward: Vector, direction: Vector, up: Vector) -> Vector:
    """The shortest turn from a unit vector to a direction of any length; zero where the direction is zero.

    Straight back it is to the left in 2D, and about `up` in 3D.
    """
    to = normalize(direction)
    along = dot(forward, to)
    if len(forward) == 2:
        across = forward[0] * to[1] - forward[1] * to[0]
        return (math.atan2(across + ZERO, along + ZERO),)
    axis = cross(forward, to)
    sine2 = dot(axis, axis)
    if sine2 < TINY:
        if along < ZERO:
            return scale(up, HALF_TURN)
        return axis
    sine = math.sqrt(sine2)
    return scale(axis, math.atan2(sine, along) / sine)


@dataclass(frozen=True, eq=False)
class Turning(Behavior):
    """Base of the behaviors that turn a vehicle and leave its velocity alone.

    Args:
        law: How the turn ends: "arrive" turns as fast as limits allow; "lag" lets the angle left fall as exp(-rate t).
        slow_angle: Of "arrive": the angle at which slowing begins [rad]. Raising it is gentler. Default: as late as the
            brakes allow.
        rate: Of "lag": the inverse of its time constant [1/s]. Raising it turns faster.
    """

    turns: ClassVar[bool] = True

    _: KW_ONLY
    law: str = parameter("arrive", kind=TEXT, choices=("arrive", "lag"))
    slow_angle: float | None = parameter(None, above=0.0, unit="rad", optional=True)
    rate: float = parameter(3.0, above=0.0, unit="1/s")

    def how(self, scene: Scene) -> TurningNumbers:
        """The law for `turn_by`."""
        lags, slow_angle = self.law == "lag", 0.0 if self.slow_angle is None else self.slow_angle
        return scene.numbers(TurningNumbers, lags=lags, slow_angle=slow_angle, rate=self.rate)

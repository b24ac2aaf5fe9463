"""Drag: a moving body slows down by itself.

    dv/dt = acceleration - rate v        (integrated exactly over a step of constant acceleration)

The Unity lecture gives its bodies a drag of 1 per second; there it takes the place of a top speed: with full thrust a body
reaches max_force / (mass rate).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.maths.vectors import add_scaled, dot, load, scale, store, subtract, truncate
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector

FAST = np.float32(1.0001)
"""A vehicle faster than so many times the top speed has not been slowed down to it yet; less is rounding."""

LEAST = np.float32(1e-37)
"""Steps of a shorter part of the time of a drag change nothing; they may be zero in float32."""


@kernel
def decay(before: Columns, proposed: Columns, most: Array, rate: Any, dt: Array) -> Any:
    """The parts of the old velocity, and of its change, that remain after a step."""
    time = max(rate * dt[0], LEAST)
    return math.exp(-time), -math.expm1(-time) / time


@row_kernel(once=decay)
def drag(i: int, before: Columns, proposed: Columns, most: Array, rate: Any, dt: Array, parts: Any) -> None:
    """Slow down the proposed velocity, at a rate [1/s]; `most` are top speeds, which bodies keep by shortening it."""
    rest, gain = parts
    velocity = load(proposed, i)
    old = shortened_alike(load(before, i), velocity, most[i])
    store(proposed, i, dragged(old, velocity, rest, gain))


@kernel
def shortened_alike(before: Vector, proposed: Vector, most: Any) -> Vector:
    """The old velocity. Its part above the top speed, which the proposed one keeps, is no change to drag."""
    top = most * FAST
    if dot(proposed, proposed) <= top * top < dot(before, before):
        return truncate(before, most)
    return before


@kernel
def dragged(before: Vector, proposed: Vector, rest: Any, gain: Any) -> Vector:
    """The old velocity, decayed, and the rest of the change."""
    return add_scaled(scale(before, rest), subtract(proposed, before), gain)


@dataclass(frozen=True, eq=False)
class Drag(Limit):
    """Slow down in proportion to speed.

    Args:
        rate: The inverse of the time in which a coasting vehicle slows down to 1/e [1/s]. Raising it brakes more.
        angular: The inverse of the time in which turning slows down likewise [1/s], of bodies that turn by themselves.
            Raising it stops turning sooner.
    """

    rate: float = parameter(1.0, low=0.0, unit="1/s", positional=True)
    angular: float = parameter(0.0, low=0.0, unit="1/s")

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """Slow down, and turn slower."""
        calls = []
        if self.rate > 0:
            rate = chassis.number(self.rate)
            calls.append(
                Call(drag, (chassis.columns.velocity, chassis.proposed, chassis.columns.max_speed, rate, chassis.dt))
            )
        if self.angular > 0:
            rate = chassis.number(self.angular)
            calls.append(
                Call(drag, (chassis.turning.velocity, chassis.spin, chassis.turning.max_speed, rate, chassis.dt))
            )
        return calls

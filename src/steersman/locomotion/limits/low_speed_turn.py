"""LowSpeedTurn: no turning on the spot.

    lateral force *= min(1, speed / (part * max_speed))

Reynolds 1999, "A Simple Vehicle Model": a point mass may turn at rest, which most vehicles cannot; limiting the lateral part
of the force at low speed prevents it. What is taken from the side pushes forward instead, or a vehicle that wants to turn
would never get going; and brakes stop a vehicle, they do not throw it back.
"""

import math
from dataclasses import dataclass

from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import ONE, ZERO, Array, Columns, add_scaled, dot, lateral, load, scale, store
from steersman.locomotion.chassis import Chassis
from steersman.locomotion.limits.limit import Limit
from steersman.vehicles.body import Body


@kernel
def low_speed_turn(start: int, stop: int, body: Body, force: Columns, numbers: Array, dt: Array) -> None:
    """Let the side of the force fade at low speed. Numbers: part of max_speed."""
    for i in range(start, stop):
        given, forward, velocity = load(force, i), load(body.forward, i), load(body.velocity, i)
        speed = max(dot(velocity, forward), ZERO)
        slow = numbers[0] * body.max_speed[i]
        share = ONE
        if speed < slow:
            share = speed / slow
        along, aside = dot(given, forward), lateral(given, forward)
        along = max(along, -body.mass[i] * speed / dt[0])
        along += (ONE - share) * math.sqrt(dot(aside, aside))
        store(force, i, add_scaled(scale(aside, share), forward, along))


@dataclass(frozen=True, eq=False)
class LowSpeedTurn(Limit):
    """Let a vehicle turn only as it moves.

    Args:
        part: Part of max_speed below which the force to the side fades. Raising it needs more speed to turn.

    Raises:
        TypeError: The part is no number.
        ValueError: The part is NaN, not > 0, or above 1.
    """

    part: float = parameter(
        0.2, above=0.0, high=1.0, positional=True, doc="Part of max_speed below which steering to the side fades."
    )

    def on_force(self, chassis: Chassis) -> list[Call]:
        """One call."""
        return [Call(low_speed_turn, (chassis.body, chassis.force, chassis.numbers(self.part), chassis.dt))]

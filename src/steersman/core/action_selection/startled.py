"""Startled: a startle that spreads from neighbor to neighbor.

    noticed = now    where the cause holds, or a fraction of the neighbors (at least one) is startled
    holds   = delay <= now - noticed < delay + lasts

After that, a vehicle notices nothing for `rest` seconds. So a startle goes through a group as a wave of alarm, and each
vehicle is startled once by it.

The response to a fraction of the neighbors is complex contagion: Watts 2002, "A simple model of global cascades on
random networks"; Rosenthal, Twomey, Hartnett, Wu and Couzin 2015 found that it is a fraction, not a number, that
startles fish (in "Revealing the hidden networks of interaction in mobile animal groups"). With fraction 0 one startled
neighbor is enough: simple contagion, as of a disease, with delay as its time of incubation. All times are counted by
the world's clock.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.action_selection.after import ROUNDING
from steersman.core.action_selection.condition import Condition, Truth, judge_calls
from steersman.core.action_selection.kind import CONDITION
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.neighborhood.request import Listing, NeighborList
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

NEVER = -1e12
"""The time at which a vehicle that was never startled noticed something [s]."""


class Times(NamedTuple):
    """Times of a startle, each counted from the moment at which a vehicle noticed something; float64 in any case.

    Attributes:
        begin: The time from which on the condition holds [s].
        end: The time until which it holds [s].
        ready: The time from which on the vehicle can notice something again [s].
        fraction: The part of the neighbors that startles a vehicle.
    """

    begin: float
    end: float
    ready: float
    fraction: float


@kernel
def lasts(age: float, times: Times) -> bool:
    """Whether the condition holds for a vehicle that noticed something so long ago [s]."""
    return times.begin <= age < times.end


@row_kernel
def startle(
    i: int, cause: Array, listing: Listing, was: Array, will: Array, times: Times, clock: Clock, truth: Truth
) -> None:
    """Note the time if the cause holds or enough neighbors are startled; judge by the times."""
    now, noticed = clock.time[0], was[i]
    if now - noticed >= times.ready:
        count, number = 0, listing.number[i]
        for k in range(number):
            if lasts(now - was[listing.row[i, k]], times):
                count += 1
        if cause[i] or (count > 0 and count >= times.fraction * number):
            noticed = now
    will[i] = noticed
    truth.holds[i] = lasts(now - noticed, times)


@condition
class Startled(Condition):
    """Holds while a vehicle is startled: by a cause of its own, or by neighbors that are.

        shoal = sm.Modes(
            {"calm": sm.Zones(), "flee": sm.Flee(shark)},
            start="calm",
            transitions=[("calm", "flee", sm.Startled(sm.Near(shark, 5), lasts=2)), ("flee", "calm", sm.After(2))],
        )

    Args:
        cause: The condition that startles a vehicle by itself, such as Near(shark, 5), or a function of the vehicles.
        radius: Distance up to which others are neighbors [m]. Raising it spreads the fright farther at once.
        k: Only the k nearest of them count. Raising it lets many calm ones outweigh a startled one.
        angle: Full field of view [rad]. Raising it notices frightened neighbors at the sides and behind.
        fraction: The part of the neighbors that must be startled, 0 to 1; 0 for any one. Raising it stops startles early.
        delay: Time from what is noticed to the answer [s]. Raising it slows the wave of alarm.
        lasts: How long a vehicle is startled [s]. Raising it startles more of the others.
        rest: How long after that nothing startles it [s]. Raising it calms a flock down between two frights.
    """

    cause: Any = parameter(kind=CONDITION, positional=True)
    radius: float = parameter(10.0, above=0.0, infinite=True, unit="m")
    k: int = parameter(7, kind=INTEGER, low=1)
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    fraction: float = parameter(0.0, low=0.0, high=1.0)
    delay: float = parameter(0.1, low=0.0, unit="s")
    lasts: float = parameter(1.0, above=0.0, unit="s")
    rest: float = parameter(1.0, low=0.0, unit="s")

    def parts(self) -> tuple[Condition, ...]:
        """The cause."""
        return (self.cause,)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The time at which each vehicle last noticed something."""
        return {"noticed": np.full(len(vehicles), NEVER)}

    def needs(self) -> tuple[NeighborList, ...]:
        """The nearest neighbors."""
        return (NeighborList(float(self.radius), int(self.k), float(self.angle)),)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """Ask for the cause, then look at the neighbors."""
        cause = np.zeros(scene.capacity, np.uint8)
        calls = judge_calls(scene.shared, scene.node.children[0], Truth(cause, truth.active, truth.entered))
        begin, end = self.delay, self.delay + self.lasts
        part = 1 - ROUNDING
        times = Times(begin * part, end * part, (end + self.rest) * part, self.fraction * part)
        listing = scene.neighbors(self.needs()[0])
        own = (memory.now("noticed"), memory.next("noticed"))
        return [*calls, Call(startle, (cause, listing, *own, times, scene.clock, truth))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The neighborhood."""
        yield context.view(self.radius, self.angle)

"""Watchful: the base of behaviors that look at their neighbors one by one, and not at sums over them."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from steersman.core.kernels.call import Call
from steersman.core.neighborhood.request import NeighborList
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.resting import Rests, find_states, resting_sides
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import Near, SketchContext
from steersman.core.typing import Array
from steersman.core.vehicles.holding import POPULATIONS


@dataclass(frozen=True, eq=False)
class Watchful(Behavior):
    """Base of the behaviors that look at their neighbors one by one.

    Args:
        radius: Distance up to which others are looked at [m]; may be infinite. It does not change the cost: only the k
            nearest are searched for. Raising it notices vehicles sooner.
        angle: Full field of view [rad]; 2 pi sees all around. Raising it sees more of those behind.
        inner_radius: Distance within which neighbors are noticed at any angle [m]. Raising it notices more of those
            behind.
        k: How many of the nearest are looked at. Raising it costs time.
        of: The populations to look at: another Vehicles, a list of several, or "all" that are in the world. Default: the
            vehicles' own population.
    """

    _: KW_ONLY
    radius: float = parameter(20.0, above=0.0, infinite=True, unit="m")
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    inner_radius: float = parameter(0.0, low=0.0, unit="m")
    k: int = parameter(8, kind=INTEGER, low=1)
    of: Any = parameter(None, kind=POPULATIONS, optional=True)

    rest_room: ClassVar[float] = 1.5
    """How much free room vehicles keep where they rest around a common goal, besides the margin, in their radii."""

    @property
    def avoids(self) -> bool:
        """Whether it keeps vehicles from running into the neighbors."""
        return True

    def needs(self) -> tuple[NeighborList, ...]:
        """The neighbors."""
        return (NeighborList(plain(self.radius), int(self.k), plain(self.angle), plain(self.inner_radius), self.of),)

    def yields(self) -> bool:
        """Whether the own population may be among the neighbors that it keeps vehicles apart from."""
        return self.avoids and (self.of is None or isinstance(self.of, (tuple, str)))

    def _resting(self, scene: Scene, active: Array) -> tuple[tuple[Any, ...], list[Call]]:
        """What lets vehicles rest at a common goal, and the call that finds those that do; nothing where none rests."""
        vehicles, others, _, segment, bodies = scene.encounter(self.of)
        memory = scene.resting
        if memory is None or not self.yields() or not (segment or others is vehicles):
            return (), []
        rests = Rests(*resting_sides(memory), segment, bodies, scene.number(self.rest_room))
        margin = scene.own("margin").margin
        inputs = (active, vehicles, others, scene.neighbors(self.needs()[0]), scene.wrap, margin)
        return (rests,), [Call(find_states, (*inputs, scene.number(scene.tightest), scene.ground, scene.clock, rests))]

    def _near(self, context: SketchContext) -> Near:
        """The neighbors of the sketched vehicles."""
        return context.neighbors(self.radius, angle=self.angle, inner_radius=self.inner_radius, k=self.k, of=self.of)

"""LastSeen: a population as each vehicle saw it last, for behaviors in place of the population itself.

    seen:      distance <= range, in the field of view, no occluder in between: position and velocity, as they are
    not seen:  the last ones, until `forget` seconds have passed
    forgotten: nothing; behaviors do not act

A vehicle remembers one sighting: of all members in view the nearest. So a pursuer loses its quarry behind a wall, comes
to the place where it was last seen, and searches, where the part below the pursuit in a Priority is a search:

    seen = sm.LastSeen(thieves, forget=8, range=30, angle=2, occluders=walls)
    guard = sm.Priority([sm.AvoidObstacles(walls), sm.Pursue(seen), sm.Patrol(rounds)])

Game AI: the senses of guards in "Thief" (Leonard 2003, "Building an AI Sensory System").
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import load, store
from steersman.core.neighborhood.request import NeighborList, Request
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.sensing.line_of_sight import (
    FAR,
    flag_first,
    half_angle_cosine,
    look_at_mark,
    sight_calls,
)
from steersman.core.steering.sensing.remembering import Notice, Remembered, copy_up, next_notice
from steersman.core.steering.targets.selection import WHICH, anybody
from steersman.core.steering.targets.target import Mark
from steersman.core.steering.tree.knowledge import Belief, knowledge
from steersman.core.typing import Array
from steersman.core.vehicles.holding import POPULATION
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def note_sighting(i: int, others: VehicleColumns, picks: Array, in_sight: Array, clock: Clock, notice: Notice) -> None:
    """Remember the vehicle that is seen, as it is now."""
    if in_sight[i] == 0:
        return
    j = picks[i, in_sight[i] - 1]
    notice.time[i], notice.id[i], notice.radius[i] = clock.time[0], others.id[j], others.radius[j]
    store(notice.position, i, load(others.position, j))
    store(notice.velocity, i, load(others.velocity, j))
    store(notice.forward, i, load(others.forward, j))
    copy_up(notice.up, i, others.up, j)


@knowledge
class LastSeen(Remembered):
    """A population as each vehicle saw it last: a target for behaviors and conditions.

    All behaviors and conditions of a tree that are given equal ones share one memory. Vehicles look at every step, also
    while no behavior asks them to.

    Args:
        population: The population to look for. In their own population no vehicle sees itself.
        range: How far they see [m]; infinite by default. Raising it notices sooner.
        angle: Full field of view [rad]. Raising it sees more to the sides.
        occluders: The obstacles that hide vehicles behind them: a set of obstacles, or a list of sets.
        extrapolate: For how long a vehicle out of sight is taken to go straight on [s], at the velocity that it had; may be
            infinite. After that it is taken to stand. Raising it searches farther on. By default it stands where it was
            last seen.
        attention: To how many, the nearest in view, rays are cast. Raising it sees more in a crowd.
        which: The members to look for: "nearest" (any), "first", an id, ids (one per vehicle) or a mask.
    """

    population: Any = parameter(kind=POPULATION, positional=True)
    range: float = parameter(math.inf, above=0.0, infinite=True, unit="m")
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    occluders: Any = parameter(None, kind=OBSTACLES, optional=True)
    extrapolate: float = parameter(0.0, low=0.0, infinite=True, unit="s")
    attention: int = parameter(4, kind=INTEGER, low=1)
    which: Any = parameter("nearest", kind=WHICH, of="population")

    @property
    def _nearest(self) -> NeighborList:
        """The nearest vehicles in view; one, where nothing hides them."""
        most = 1 if self.occluders is None else self.attention
        return NeighborList(float(self.range), most, float(self.angle), of=self.population)

    def needs(self) -> tuple[Request, ...]:
        """The nearest in view."""
        return (self._nearest,) if anybody(self.which) else ()

    def bind(self, scene: Scene, memory: Memory, belief: Belief) -> list[Call]:
        """Look, note, tell, and believe."""
        others, active = self.population.columns, np.ones(scene.capacity, np.uint8)
        in_sight = np.zeros(scene.capacity, np.int32)
        calls: list[Call] = []
        if anybody(self.which):
            picks = scene.neighbors(self._nearest).row
        else:
            (_, pick), calls = scene.quarry(self.population, self.which, "population")
            picks = np.full((scene.capacity, 1), -1, np.int32)
            numbers = scene.own(range=min(self.range, FAR), cosine=half_angle_cosine(self.angle))
            mark = Mark(others.position, pick)
            calls.append(Call(look_at_mark, (scene.columns, mark, scene.wrap, numbers, active, picks)))
        if self.occluders is None:
            calls.append(Call(flag_first, (picks, in_sight)))
        else:
            check_dimensions(self.occluders, scene.vehicles.dimensions, "occluders")
            calls += sight_calls(scene, self.occluders, others.position, picks, active, in_sight)
        notice = next_notice(memory)
        note = Call(note_sighting, (others, picks, in_sight, scene.clock, notice))
        return [*calls, note, *self.belief_calls(scene, notice, self.extrapolate, belief)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The field of view, and where they believe the vehicle that they saw."""
        yield context.view(self.range, self.angle)
        yield from super().sketch(context)

"""Sees: a target is in the field of view, and nothing hides it.

    holds = distance <= range  and  angle from forward <= angle / 2  and  no occluder in between;
            and for `memory` seconds after that

Reynolds 1999, "Combining Behaviors": caribou do not recognize the wolves before they sense them. In the game AI lecture,
"Hide" tests whether a target can see its hunter. An occluder hides a target if a ray from the eye hits the occluder first.

Without occluders the neighborhood pass counts the targets in view, however many there are. With occluders, rays are
cast to the `attention` nearest of those in view.
"""

import math
from typing import Any

import numpy as np

from steersman.core.action_selection.after import ROUNDING
from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import segment
from steersman.core.maths.vectors import ZERO
from steersman.core.neighborhood.request import NeighborList, NeighborSum, Request
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
from steersman.core.steering.targets.selection import WHICH, anybody
from steersman.core.steering.targets.target import TARGET
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles


@row_kernel
def flag_counted(i: int, count: Array, in_sight: Array) -> None:
    """Flag the vehicles with a target in view."""
    in_sight[i] = count[i] > ZERO


@row_kernel
def judge(i: int, in_sight: Array, last: Array, following: Array, wait: float, clock: Clock, truth: Truth) -> None:
    """Judge whether a target is seen now, or was at most `wait` [s] ago.

    `last` is the time at which each vehicle last saw a target [s], negative for never; empty without memory.
    """
    time = clock.time[0]
    holds = in_sight[i] != 0
    if last.size > 0:
        if holds:
            following[i] = time
        elif last[i] >= ZERO:
            holds = time - last[i] <= wait
    truth.holds[i] = holds


@condition
class Sees(Condition):
    """Holds while a target is in sight.

    Args:
        target: The target that may be in sight: Vehicles, a point (d,) [m], points (n, d), or a function that returns
            points. In the vehicles' own population no vehicle sees itself.
        range: How far they see [m]; infinite by default. Raising it notices sooner.
        angle: Full field of view [rad]. Raising it sees more to the sides.
        occluders: The obstacles that hide targets behind them: a set of obstacles, or a list of sets.
        memory: For how long it holds after the target went out of sight [s]. Raising it forgets more slowly.
        attention: To how many of a population, the nearest in view, rays are cast. Raising it sees more in a crowd.
        which: The members of a population to look for: "nearest" (any), "first", an id, ids (one per vehicle) or a mask.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    range: float = parameter(math.inf, above=0.0, infinite=True, unit="m")
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    occluders: Any = parameter(None, kind=OBSTACLES, optional=True)
    memory: float = parameter(0.0, low=0.0, unit="s")
    attention: int = parameter(4, kind=INTEGER, low=1)
    which: Any = parameter("nearest", kind=WHICH, of="target")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With a memory: the time at which each vehicle last saw a target."""
        return {"seen": np.full(len(vehicles), -1.0)} if self.memory > 0 else {}

    @property
    def _is_any_member(self) -> bool:
        return isinstance(self.target, Vehicles) and anybody(self.which)

    @property
    def _crowd(self) -> NeighborSum:
        """The request for the number of members of a population in view."""
        return NeighborSum("offset", float(self.range), float(self.angle), of=self.target)

    @property
    def _nearest(self) -> NeighborList:
        """The request for the nearest members of a population in view."""
        return NeighborList(float(self.range), self.attention, float(self.angle), of=self.target)

    def needs(self) -> tuple[Request, ...]:
        """The number of members of a population in view; with occluders, the nearest of them."""
        if not self._is_any_member:
            return ()
        return (self._crowd,) if self.occluders is None else (self._nearest,)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """Look, then judge."""
        in_sight, nothing = np.zeros(scene.capacity, np.int32), np.zeros(0)
        if self._is_any_member and self.occluders is None:
            calls = [Call(flag_counted, (scene.sum(self._crowd).count, in_sight))]
        elif self._is_any_member:
            picks = scene.neighbors(self._nearest).row
            calls = self._ray_calls(scene, truth, self.target.columns.position, picks, in_sight)
        else:
            mark, calls = scene.mark(self.target, self.which)
            picks = np.full((scene.capacity, 1), -1, np.int32)
            numbers = scene.own(range=min(self.range, FAR), cosine=half_angle_cosine(self.angle))
            calls.append(Call(look_at_mark, (scene.columns, mark, scene.wrap, numbers, truth.active, picks)))
            if self.occluders is None:
                calls.append(Call(flag_first, (picks, in_sight)))
            else:
                calls += self._ray_calls(scene, truth, mark.position, picks, in_sight)
        last, following = (memory.now("seen"), memory.next("seen")) if self.memory > 0 else (nothing, nothing)
        wait = float(self.memory * (1 + ROUNDING))
        return [*calls, Call(judge, (in_sight, last, following, wait, scene.clock, truth))]

    def _ray_calls(self, scene: Scene, truth: Truth, others: Columns, picks: Array, in_sight: Array) -> list[Call]:
        """The calls that cast rays to the picks."""
        check_dimensions(self.occluders, scene.vehicles.dimensions, "occluders")
        return sight_calls(scene, self.occluders, others, picks, truth.active, in_sight)

    def sketch(self, context: SketchContext) -> Shapes:
        """The field of view, and the target that it looks for."""
        yield context.view(self.range, self.angle)
        yield segment(context.position, context.watched(self.target, self.which).position, means="line of sight")

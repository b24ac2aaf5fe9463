"""Sees: somebody is in the field of view, and nothing hides him.

    holds = distance <= range  and  angle from forward <= angle / 2  and  no occluder in between;
            and for `memory` seconds after that

Reynolds 1999, "Combining Behaviors": caribou do not recognize the wolves before they sense them. The game AI lecture, "Hide",
looks whether a target can see its hunter. An occluder hides what a ray from eye to target hits it before.

Without occluders the neighborhood pass says who is in view, however many there are. With occluders, rays are cast to the
`attention` nearest of those in view.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.action_selection.after import ROUNDING
from steersman.action_selection.condition import Condition, Truth
from steersman.action_selection.registry import condition
from steersman.environment.obstacles.obstacle import (
    Hits,
    Rays,
    as_obstacles,
    check_dimensions,
    firsts,
    new_hits,
    no_hits_call,
)
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import (
    ONE,
    ZERO,
    Array,
    Columns,
    Vector,
    difference,
    dot,
    load,
    normalize,
    store,
)
from steersman.neighborhood.request import NeighborSum
from steersman.steering.memory import Memory
from steersman.steering.scene import Clock, Scene
from steersman.steering.targets import Mark, as_target, as_which
from steersman.vehicles.body import Body
from steersman.vehicles.vehicles import Vehicles

GRAZING = np.float32(1 - 1e-5)
"""Part of the way to the target that must be free: what touches the target itself does not hide it."""


@kernel
def in_view(way: Vector, forward: Vector, numbers: Array) -> Any:
    """Whether a place is within the range and the field of view. Numbers: range, cosine of half the angle."""
    d2 = dot(way, way)
    if not d2 <= numbers[0] * numbers[0]:
        return False
    return numbers[1] <= -ONE or dot(way, forward) >= numbers[1] * math.sqrt(d2)


@kernel
def find_in_view(
    start: int, stop: int, body: Body, others: Columns, same: bool, wrap: Array, numbers: Array, truth: Truth,
    picks: Array,
) -> None:  # fmt: skip
    """Rows of the nearest of those in view, the nearest first, -1 where there are no more; shape (attention, n)."""
    for i in range(start, stop):
        for k in range(picks.shape[0]):
            picks[k, i] = -1
        if not truth.active[i]:
            continue
        here, forward = load(body.position, i), load(body.forward, i)
        for j in range(others[0].size):
            way = difference(load(others, j), here, wrap)
            if (same and i == j) or not in_view(way, forward, numbers):
                continue
            candidate, d2 = j, dot(way, way)
            for k in range(picks.shape[0]):  # Insert; those who are farther move on.
                other = picks[k, i]
                if other < 0:
                    picks[k, i] = candidate
                    break
                theirs = difference(load(others, other), here, wrap)
                their_d2 = dot(theirs, theirs)
                if d2 < their_d2:
                    picks[k, i] = candidate
                    candidate, d2 = other, their_d2


@kernel
def look_at_mark(
    start: int, stop: int, body: Body, mark: Mark, wrap: Array, numbers: Array, truth: Truth, picks: Array
) -> None:
    """The row of the mark where it is in view, -1 elsewhere; shape (1, n)."""
    for i in range(start, stop):
        picks[0, i] = -1
        j = mark.pick[i]
        if truth.active[i] and j >= 0:
            way = difference(load(mark.position, j), load(body.position, i), wrap)
            if in_view(way, load(body.forward, i), numbers):
                picks[0, i] = j


@kernel
def aim(
    start: int, stop: int, body: Body, others: Columns, wrap: Array, pick: Array, seen: Array, asked: Array,
    direction: Columns, reach: Array,
) -> None:  # fmt: skip
    """Rays to those picked, of those who have seen nobody yet."""
    for i in range(start, stop):
        asked[i] = pick[i] >= 0 and seen[i] == 0
        if asked[i]:
            way = difference(load(others, pick[i]), load(body.position, i), wrap)
            distance = math.sqrt(dot(way, way))
            reach[i] = distance * GRAZING
            store(direction, i, normalize(way) if distance > ZERO else load(body.forward, i))


@kernel
def recognize(start: int, stop: int, asked: Array, reach: Array, hits: Hits, seen: Array) -> None:
    """Those whose ray meets nothing see."""
    for i in range(start, stop):
        if asked[i] and not hits.distance[i] < reach[i]:
            seen[i] = 1


@kernel
def count_seen(start: int, stop: int, count: Array, seen: Array) -> None:
    """Those see who have somebody in view."""
    for i in range(start, stop):
        seen[i] = count[i] > ZERO


@kernel
def first_seen(start: int, stop: int, picks: Array, seen: Array) -> None:
    """The same of picks."""
    for i in range(start, stop):
        seen[i] = picks[0, i] >= 0


@kernel
def nobody_seen(start: int, stop: int, seen: Array) -> None:
    """Nobody sees."""
    seen[start:stop] = 0


@kernel
def judge(
    start: int, stop: int, seen: Array, last: Array, following: Array, wait: Array, clock: Clock, truth: Truth
) -> None:
    """Seen now, or not longer ago than the wait [s]. `last` is when they saw last [s], negative for never."""
    time = clock.time[0]
    for i in range(start, stop):
        if not truth.active[i]:
            continue
        holds = seen[i] != 0
        if last.size > 0:
            if holds:
                following[i] = time
            elif last[i] >= ZERO:
                holds = time - last[i] <= wait[0]
        truth.holds[i] = holds


@condition
@dataclass(frozen=True, eq=False)
class Sees(Condition):
    """Holds while somebody is in sight.

    Args:
        target: Vehicles, a point (d,), points (n, d), or a function that returns points. Of the vehicles' own population
            nobody sees himself.
        range: How far they see [m]; infinite by default. Raising it notices sooner.
        angle: FULL field of view [rad].
        occluders: Obstacles, or a list of sets, that hide what is behind them.
        memory: For how long it holds after the target went out of sight [s]. Raising it forgets more slowly.
        attention: To how many of a population, the nearest in view, rays are cast. Raising it sees more in a crowd.
        which: Whom of a target that is a population: "nearest" (anybody), a row number, or ids.
        name: Name by which the condition keeps its memory.

    Raises:
        TypeError: The target or the occluders are none.
        ValueError: A number is out of range, or something does not fit the vehicles (when it is planned).
    """

    target: Any = parameter(kind="target", positional=True, unit="m", doc="Who or what may be in sight.")
    range: float = parameter(math.inf, above=0.0, infinite=True, unit="m", doc="How far they see.")
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad", doc="Full field of view.")
    occluders: Any = parameter(None, kind="obstacles", optional=True, doc="What hides those behind it.")
    memory: float = parameter(0.0, low=0.0, unit="s", doc="For how long it holds after the target went out of sight.")
    attention: int = parameter(4, kind="integer", low=1, doc="To how many of a population rays are cast.")
    which: Any = parameter("nearest", kind="which", doc="Whom of a target that is a population.")

    def validate(self) -> None:
        """Bring target and occluders to their normal form."""
        object.__setattr__(self, "target", as_target("target", self.target))
        object.__setattr__(self, "which", as_which(self.which))
        if self.occluders is not None:
            object.__setattr__(self, "occluders", as_obstacles(self.occluders, "occluders"))

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With a memory: when each saw somebody last."""
        return {"seen": np.full(len(vehicles), -1.0)} if self.memory > 0 else {}

    @property
    def _anybody(self) -> bool:
        return isinstance(self.target, Vehicles) and isinstance(self.which, str)

    def needs(self) -> tuple[NeighborSum, ...]:
        """Without occluders: how many of a population are in view."""
        if not self._anybody or self.occluders is not None:
            return ()
        return (NeighborSum("offset", float(self.range), float(self.angle), of=self.target),)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """Look, then judge."""
        n = len(scene.vehicles)
        seen, nothing = np.zeros(n, np.uint8), np.zeros(0)
        if self.needs():
            calls = [Call(count_seen, (scene.sum(self.needs()[0]).count, seen))]
        else:
            calls, others, picks = self._candidates(scene, truth)
            calls += [Call(first_seen, (picks, seen))] if self.occluders is None else []
            calls += self._ray_calls(scene, others, picks, seen) if self.occluders is not None else []
        last, following = (memory.now("seen"), memory.next("seen")) if self.memory > 0 else (nothing, nothing)
        wait = np.array([self.memory * (1 + ROUNDING)])
        return [*calls, Call(judge, (seen, last, following, wait, scene.clock, truth))]

    def _candidates(self, scene: Scene, truth: Truth) -> tuple[list[Call], Columns, Array]:
        """The calls that pick whom to look at, their positions, and the picks."""
        n = len(scene.vehicles)
        with np.errstate(over="ignore"):
            numbers = scene.numbers(
                min(self.range, 1e18), -1.0 if self.angle == 2 * math.pi else math.cos(self.angle / 2)
            )
        if not self._anybody:
            mark, calls = scene.mark(self.target, self.which)
            picks = np.full((1, n), -1, np.int64)
            looking = Call(look_at_mark, (scene.body, mark, scene.wrap, numbers, truth, picks))
            return [*calls, looking], mark.position, picks
        if self.target.dimensions != scene.vehicles.dimensions:
            raise ValueError(
                f"target must have {scene.vehicles.dimensions} dimensions like the vehicles, got {self.target.dimensions}"
            )
        others, same = self.target.body.position, self.target is scene.vehicles
        picks = np.full((self.attention, n), -1, np.int64)
        return [Call(find_in_view, (scene.body, others, same, scene.wrap, numbers, truth, picks))], others, picks

    def _ray_calls(self, scene: Scene, others: Columns, picks: Array, seen: Array) -> list[Call]:
        """The calls that look along rays, pick by pick, until somebody is seen."""
        n, d, dtype = len(scene.vehicles), scene.vehicles.dimensions, scene.vehicles.dtype
        check_dimensions(self.occluders, d, "occluders")
        asked, hits = np.zeros(n, np.uint8), new_hits(n, d, dtype)
        rays = Rays(scene.body.position, tuple(np.zeros((d, n), dtype)), np.zeros(n, dtype), np.zeros(n, dtype))
        calls = [Call(nobody_seen, (seen,))]
        for pick in picks:
            calls.append(Call(aim, (scene.body, others, scene.wrap, pick, seen, asked, rays.direction, rays.reach)))
            calls.append(no_hits_call(asked, hits))
            for each, first in zip(self.occluders, firsts(self.occluders), strict=True):
                calls += each.cast_calls(rays, asked, scene.wrap, first, hits)
            calls.append(Call(recognize, (asked, rays.reach, hits, seen)))
        return calls

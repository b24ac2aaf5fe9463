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
from typing import Any, NamedTuple

import numpy as np

from steersman.action_selection.after import ROUNDING
from steersman.action_selection.condition import Condition, Truth
from steersman.action_selection.registry import condition
from steersman.environment.obstacles.obstacle import (
    OBSTACLES,
    Hits,
    Rays,
    check_dimensions,
    firsts,
    new_hits,
    no_hits_call,
)
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import INTEGER
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
from steersman.neighborhood.request import NeighborList, NeighborSum, Request
from steersman.steering.scene import Clock, Scene
from steersman.steering.targets.target import TARGET, Mark
from steersman.steering.targets.whom import WHICH, anybody
from steersman.vehicles.body import Body
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicles import Vehicles

FAR = 1e18
"""The largest range [m]; its square is still finite in float32."""

GRAZING = np.float32(1 - 1e-5)
"""Part of the way to the target that must be free: what touches the target itself does not hide it."""


class SeesNumbers(NamedTuple):
    """How far and how wide they see.

    Attributes:
        range: [m].
        cosine: Of half the field of view; -1: all around.
    """

    range: Any
    cosine: Any


@kernel
def in_view(way: Vector, forward: Vector, numbers: SeesNumbers) -> Any:
    """Whether a place is within the range and the field of view."""
    d2 = dot(way, way)
    if not d2 <= numbers.range * numbers.range:
        return False
    return numbers.cosine <= -ONE or dot(way, forward) >= numbers.cosine * math.sqrt(d2)


@kernel
def look_at_mark(
    start: int, stop: int, body: Body, mark: Mark, wrap: Array, numbers: SeesNumbers, truth: Truth, picks: Array
) -> None:
    """The row of the mark where it is in view, -1 elsewhere; shape (n, 1)."""
    for i in range(start, stop):
        picks[i, 0] = -1
        j = mark.pick[i]
        if truth.active[i] and j >= 0:
            way = difference(load(mark.position, j), load(body.position, i), wrap)
            if in_view(way, load(body.forward, i), numbers):
                picks[i, 0] = j


@kernel
def aim(
    start: int, stop: int, body: Body, others: Columns, wrap: Array, picks: Array, k: int, seen: Array, truth: Truth,
    asked: Array, direction: Columns, reach: Array,
) -> None:  # fmt: skip
    """Rays to each one's pick number k, of those who have seen nobody yet."""
    for i in range(start, stop):
        j = picks[i, k]
        asked[i] = truth.active[i] != 0 and j >= 0 and seen[i] == 0
        if asked[i]:
            way = difference(load(others, j), load(body.position, i), wrap)
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
        seen[i] = picks[i, 0] >= 0


@kernel
def nobody_seen(start: int, stop: int, seen: Array) -> None:
    """Nobody sees."""
    seen[start:stop] = 0


@kernel
def judge(
    start: int, stop: int, seen: Array, last: Array, following: Array, wait: float, clock: Clock, truth: Truth
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
                holds = time - last[i] <= wait
        truth.holds[i] = holds


@condition
@dataclass(frozen=True, eq=False)
class Sees(Condition):
    """Holds while somebody is in sight.

    Args:
        target: Who or what may be in sight: Vehicles, a point (d,) [m], points (n, d), or a function that returns points. Of
            the vehicles' own population nobody sees himself.
        range: How far they see [m]; infinite by default. Raising it notices sooner.
        angle: Full field of view [rad].
        occluders: What hides those behind it: a set of obstacles, or a list of sets.
        memory: For how long it holds after the target went out of sight [s]. Raising it forgets more slowly.
        attention: To how many of a population, the nearest in view, rays are cast. Raising it sees more in a crowd.
        which: Whom of a target that is a population: "nearest" (anybody), "first", an id, ids (one per vehicle) or a mask.

    Raises:
        TypeError: The target or the occluders are none.
        ValueError: A number is out of range, or something does not fit the vehicles (when it is planned).
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    range: float = parameter(math.inf, above=0.0, infinite=True, unit="m")
    angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    occluders: Any = parameter(None, kind=OBSTACLES, optional=True)
    memory: float = parameter(0.0, low=0.0, unit="s")
    attention: int = parameter(4, kind=INTEGER, low=1)
    which: Any = parameter("nearest", kind=WHICH, of="target")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With a memory: when each saw somebody last."""
        return {"seen": np.full(len(vehicles), -1.0)} if self.memory > 0 else {}

    @property
    def _anybody(self) -> bool:
        return isinstance(self.target, Vehicles) and anybody(self.which)

    @property
    def _crowd(self) -> NeighborSum:
        """How many of a population are in view."""
        return NeighborSum("offset", float(self.range), float(self.angle), of=self.target)

    @property
    def _nearest(self) -> NeighborList:
        """Who the nearest of a population in view are."""
        return NeighborList(float(self.range), self.attention, float(self.angle), of=self.target)

    def needs(self) -> tuple[Request, ...]:
        """Of a population: how many are in view, or with occluders, who the nearest of them are."""
        if not self._anybody:
            return ()
        return (self._crowd,) if self.occluders is None else (self._nearest,)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """Look, then judge."""
        seen, nothing = np.zeros(len(scene.vehicles), np.uint8), np.zeros(0)
        if self._anybody and self.occluders is None:
            calls = [Call(count_seen, (scene.sum(self._crowd).count, seen))]
        elif self._anybody:
            picks = scene.neighbors(self._nearest).row
            calls = self._ray_calls(scene, truth, self.target.body.position, picks, seen)
        else:
            mark, calls = scene.mark(self.target, self.which)
            picks = np.full((len(scene.vehicles), 1), -1, np.int32)
            calls.append(Call(look_at_mark, (scene.body, mark, scene.wrap, self._numbers(scene), truth, picks)))
            if self.occluders is None:
                calls.append(Call(first_seen, (picks, seen)))
            else:
                calls += self._ray_calls(scene, truth, mark.position, picks, seen)
        last, following = (memory.now("seen"), memory.next("seen")) if self.memory > 0 else (nothing, nothing)
        wait = float(self.memory * (1 + ROUNDING))
        return [*calls, Call(judge, (seen, last, following, wait, scene.clock, truth))]

    def _numbers(self, scene: Scene) -> SeesNumbers:
        cosine = -1.0 if self.angle == 2 * math.pi else math.cos(self.angle / 2)
        return scene.numbers(SeesNumbers, range=min(self.range, FAR), cosine=cosine)

    def _ray_calls(self, scene: Scene, truth: Truth, others: Columns, picks: Array, seen: Array) -> list[Call]:
        """The calls that look along rays, pick by pick, until somebody is seen."""
        n, d, dtype = len(scene.vehicles), scene.vehicles.dimensions, scene.vehicles.dtype
        check_dimensions(self.occluders, d, "occluders")
        asked, hits = np.zeros(n, np.uint8), new_hits(n, d, dtype)
        rays = Rays(scene.body.position, tuple(np.zeros((d, n), dtype)), np.zeros(n, dtype), np.zeros(n, dtype))
        calls = [Call(nobody_seen, (seen,))]
        for k in range(picks.shape[1]):
            ray = (rays.direction, rays.reach)
            calls.append(Call(aim, (scene.body, others, scene.wrap, picks, k, seen, truth, asked, *ray)))
            calls.append(no_hits_call(asked, hits))
            for each, first in zip(self.occluders, firsts(self.occluders), strict=True):
                calls += each.cast_calls(rays, asked, scene.wrap, first, hits)
            calls.append(Call(recognize, (asked, rays.reach, hits, seen)))
        return calls

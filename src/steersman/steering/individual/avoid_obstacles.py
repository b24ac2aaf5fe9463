"""AvoidObstacles: keep a cylinder of free space ahead.

The cylinder lies along forward, is as thick as the vehicle, and reaches max(min_length, lookahead * speed) far. Of the
obstacles that enter it, the one that is met first is avoided:

    force = max_force * unit(-lateral),   lateral = center - position without its part along forward

Reynolds 1999, "Obstacle avoidance" (there "literal": the negated lateral offset itself). "proximity" grows from zero at
the end of the cylinder to max_force at touch, and `braking` adds a part against forward that grows alike: game AI lecture.
An obstacle whose center is not ahead is being left behind.

Of an obstacle that is not round, the first contact counts: the place of the negated lateral offset is taken by the lateral
part of the normal there, times the radius of the obstacle's bounding sphere. What the vehicle moves along or away from is
no threat.

The side is remembered while an obstacle threatens: an obstacle nearly dead ahead is passed on the side once chosen, so a
goal behind it cannot make the vehicle waver, nor can the two walls of a corner. Dead center, the side is always the same.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.environment.obstacles.obstacle import (
    Rays,
    Sight,
    as_obstacles,
    check_dimensions,
    firsts,
    new_sight,
    no_sight_call,
)  # fmt: skip
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import (
    ONE,
    TWO,
    ZERO,
    Array,
    Columns,
    Vector,
    add_scaled,
    difference,
    dot,
    lateral,
    load,
    normalize,
    perpendicular,
    scale,
    store,
)  # fmt: skip
from steersman.steering.behavior import Behavior, Out, deposit
from steersman.steering.registry import registered
from steersman.steering.scene import Scene
from steersman.steering.targets import Mark, as_target, as_which
from steersman.vehicles.body import Body
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicles import Vehicles

MAGNITUDES = ("full", "literal", "proximity")

NEARLY = np.float32(0.2)
"""Part of the sum of the radii within which an obstacle counts as nearly dead ahead."""


@kernel
def look_ahead(
    start: int, stop: int, body: Body, active: Array, wrap: Array, numbers: Array, goal: Mark, reach: Array
) -> None:
    """How far ahead obstacles matter [m]. Numbers: lookahead, min_length."""
    for i in range(start, stop):
        if not active[i]:
            continue
        velocity = load(body.velocity, i)
        reach[i] = max(numbers[1], numbers[0] * math.sqrt(dot(velocity, velocity)))
        if goal.pick.size > 0 and goal.pick[i] >= 0:
            way = difference(load(goal.position, goal.pick[i]), load(body.position, i), wrap)
            reach[i] = min(reach[i], math.sqrt(dot(way, way)))


@kernel
def chosen_side(away: Vector, room: Any, forward: Vector, remembered: Vector, known: bool) -> Vector:
    """The unit vector to steer along: away from the center, or to the remembered side of one nearly dead ahead."""
    offset2 = dot(away, away)
    if known and offset2 < (NEARLY * room) * (NEARLY * room):
        side = lateral(remembered, forward)
        if dot(side, side) > ZERO:
            return normalize(side)
    if offset2 == ZERO:
        return perpendicular(forward)
    return normalize(away)


@kernel
def avoid_obstacles(
    start: int, stop: int, body: Body, numbers: Array, reach: Array, sight: Sight,
    side_now: Columns, side_next: Columns, threat_now: Array, threat_next: Array, out: Out,
) -> None:  # fmt: skip
    """Steer sideways from the first threat. Numbers: magnitude, braking, strength."""
    for i in range(start, stop):
        if not out.active[i]:
            continue
        threat_next[i] = sight.which[i]
        if sight.which[i] < 0:
            continue
        forward = load(body.forward, i)
        away = lateral(load(sight.away, i), forward)
        side = chosen_side(away, sight.room[i], forward, load(side_now, i), threat_now[i] == sight.which[i])
        store(side_next, i, side)
        nearness = ONE
        if reach[i] > ZERO:
            nearness = ONE - sight.touch[i] / reach[i]
        size = body.max_force[i]
        if numbers[0] == TWO:
            size *= nearness
        elif numbers[0] == ONE:
            size = numbers[2] * math.sqrt(dot(away, away))
        force = add_scaled(scale(side, size), forward, -numbers[1] * nearness * body.max_force[i])
        deposit(out, i, force, body.max_force[i], True)


@registered
@dataclass(frozen=True, eq=False)
class AvoidObstacles(Behavior):
    """Steer around obstacles that are in the way, and only those.

    Args:
        obstacles: A set of obstacles (Spheres, Boxes, Capsules, Walls, TriangleMesh), or a list of several.
        lookahead: How far to look [s], as time at the present speed. Raising it turns earlier.
        min_length: Length of the cylinder at low speed [m]. Default: the vehicles' largest radius.
        magnitude: "full" (max_force), "literal" (`strength` times the lateral offset) or "proximity" (the nearer, the
            harder).
        strength: Of "literal": force per meter [N/m].
        braking: Part of max_force to brake with at touch; it grows from zero at the end of the cylinder.
        goal: A target (see Seek) beyond which obstacles do not matter.
        which: Whom of a goal that is a population: "nearest", a row number, or ids.
        name: Name by which the node keeps its memory.

    Raises:
        TypeError: The obstacles are none, or the goal is no target.
        ValueError: A number is NaN, infinite or out of range, or a word is not known.
    """

    obstacles: Any = parameter(kind="obstacles", positional=True, doc="What to keep clear of.")
    lookahead: float = parameter(2.0, low=0.0, unit="s", doc="How far to look; raising it turns earlier.")
    min_length: float | None = parameter(
        None, low=0.0, unit="m", optional=True, doc="Length of the cylinder at low speed."
    )
    magnitude: str = parameter("full", kind="text", choices=MAGNITUDES, doc="How hard to steer.")
    strength: float = parameter(1.0, low=0.0, unit="N/m", doc='Force per meter of magnitude "literal".')
    braking: float = parameter(0.0, low=0.0, doc="Part of max_force to brake with at touch.")
    goal: Any = parameter(
        None, kind="target", unit="m", optional=True, doc="A target beyond which obstacles do not matter."
    )
    which: Any = parameter("nearest", kind="which", doc="Whom of a goal that is a population.")

    def validate(self) -> None:
        """Bring obstacles and goal to their normal form."""
        object.__setattr__(self, "obstacles", as_obstacles(self.obstacles))
        object.__setattr__(self, "which", as_which(self.which))
        if self.goal is not None:
            object.__setattr__(self, "goal", as_target("goal", self.goal))

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The side chosen last, and the obstacle it was chosen for (-1: none)."""
        n, d = len(vehicles), vehicles.dimensions
        return {"side": np.zeros((n, d), vehicles.dtype), "threat": np.full(n, -1, np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """How far to look, what every set has in the way, and the force; before it, what keeps the goal up to date."""
        body, n, d, dtype = scene.body, len(scene.vehicles), scene.vehicles.dimensions, scene.vehicles.dtype
        check_dimensions(self.obstacles, d)
        nowhere = Mark(tuple(np.zeros((d, 1), dtype)), np.zeros(0, np.int64))
        goal, calls = (nowhere, []) if self.goal is None else scene.mark(self.goal, self.which, "goal")
        shortest = float(scene.vehicles.radius.max(initial=0)) if self.min_length is None else self.min_length
        reach, sight = np.zeros(n, dtype), new_sight(n, d, dtype)
        far = scene.numbers(self.lookahead, shortest)
        calls += [
            Call(look_ahead, (body, out.active, scene.wrap, far, goal, reach)),
            no_sight_call(out.active, sight),
        ]
        rays = Rays(body.position, body.forward, reach, body.radius)
        for each, first in zip(self.obstacles, firsts(self.obstacles), strict=True):
            calls += each.sweep_calls(rays, out.active, scene.wrap, first, sight)
        hard = scene.numbers(MAGNITUDES.index(self.magnitude), self.braking, self.strength)
        sides = (memory.now("side"), memory.next("side"), memory.now("threat"), memory.next("threat"))
        return [*calls, Call(avoid_obstacles, (body, hard, reach, sight, *sides, out))]

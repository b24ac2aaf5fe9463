"""AvoidNeighbors: keep out of the way of others that move in any direction.

Two that go on as they do come nearest after T = -(offset . w) / w^2, at c = offset + w T, with w the other's velocity less
one's own. If T is at most the lookahead and |c| less than the room they need, the two threaten to collide. Then

    force = mass * 2 (room - |c|) / T^2 * -unit(c),   room = both radii + distance

which is what it takes to pass with just that room. It is a turn where they meet head on or one overtakes the other; where
ways cross it has a part along forward, too: who will be first speeds up, the other slows down.

Reynolds 1999, "Unaligned collision avoidance": "imminent" minds only the nearest collision in time (and stays with it until
another is much nearer, so that a crowd does not jiggle). "all" adds up what every threat asks for; the most imminent counts
most by itself, and nothing is ever switched.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import (
    ONE,
    TWO,
    ZERO,
    Array,
    Vector,
    add,
    add_scaled,
    difference,
    dot,
    load,
    normalize,
    perpendicular,
    scale,
    subtract,
)  # fmt: skip
from steersman.neighborhood.request import Listing
from steersman.steering.behavior import Out, deposit
from steersman.steering.group.watchful import Watchful
from steersman.steering.registry import registered
from steersman.steering.scene import Scene
from steersman.vehicles.body import Body
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicles import Vehicles

LAWS = ("imminent", "all")

STUBBORN = np.float32(0.6)
"""A new threat displaces the old one if it is nearer in time by this factor."""


@kernel
def evade_one(offset: Vector, w: Vector, room: Any, lookahead: Any, mass: Any, max_force: Any) -> tuple[Any, Vector]:
    """When a collision threatens [s], 0 for never; and the force that evades it."""
    none = scale(w, ZERO)
    w2 = dot(w, w)
    if not w2 > ZERO:
        return w2 * ZERO, none
    time = -dot(offset, w) / w2
    if not (time > ZERO and time <= lookahead):
        return w2 * ZERO, none
    miss = add_scaled(offset, w, time)
    miss2 = dot(miss, miss)
    if not miss2 < room * room:
        return w2 * ZERO, none
    away = scale(normalize(miss), -ONE)
    if dot(away, away) == ZERO:
        away = perpendicular(normalize(w))
    size = min(max_force, mass * TWO * (room - math.sqrt(miss2)) / (time * time))
    return time, scale(away, size)


@kernel
def avoid_neighbors(
    start: int, stop: int, body: Body, others: Body, listing: Listing, wrap: Array, numbers: Array, threat_now: Array,
    threat_next: Array, out: Out,
) -> None:  # fmt: skip
    """Evade the most imminent collision, or all of them. Numbers: lookahead, distance, whether all count."""
    positions, velocities, radii, ids, rows = others.position, others.velocity, others.radius, others.id, listing.row
    for i in range(start, stop):
        if not out.active[i]:
            continue
        place, velocity = load(body.position, i), load(body.velocity, i)
        mass, radius, max_force = body.mass[i], body.radius[i], body.max_force[i]
        total = scale(velocity, ZERO)
        soonest, known = numbers[0] * TWO, numbers[0] * TWO
        choice, remembered = total, total
        threat = -1
        for k in range(listing.number[i]):
            j = rows[i, k]
            offset = difference(load(positions, j), place, wrap)
            room = radius + radii[j] + numbers[1]
            time, force = evade_one(offset, subtract(load(velocities, j), velocity), room, numbers[0], mass, max_force)
            if not time > ZERO:
                continue
            total = add(total, force)
            if time < soonest:
                soonest, choice, threat = time, force, ids[j]
            if ids[j] == threat_now[i]:
                known, remembered = time, force
        if known <= numbers[0] and soonest > STUBBORN * known:
            choice, threat = remembered, threat_now[i]
        threat_next[i] = threat
        if threat >= 0:
            deposit(out, i, total if numbers[2] == ONE else choice, body.max_force[i], True)


@registered
@dataclass(frozen=True, eq=False)
class AvoidNeighbors(Watchful):
    """Keep out of the way of others that move in any direction.

    Args:
        lookahead: How far ahead collisions are foreseen [s]. Raising it evades earlier, and more gently.
        distance: Free room to keep between the two when they are nearest [m].
        law: "imminent" minds the nearest collision in time, "all" adds up what each asks for.
        radius: Distance up to which others are looked at [m]. At less than lookahead times the speed at which two
            approach, some are seen late.
        angle: Full field of view [rad].
        inner_radius: Distance within which neighbors are noticed at any angle [m].
        k: How many of the nearest are looked at. Raising it costs time.
        of: Who is avoided: another Vehicles. Default: the own population.
        name: Name by which the node keeps its memory.

    Raises:
        TypeError: An argument is of another kind.
        ValueError: A number is NaN or out of range, or the law is not known.
    """

    lookahead: float = parameter(
        3.0, above=0.0, unit="s", positional=True, doc="How far ahead collisions are foreseen."
    )
    distance: float = parameter(0.5, low=0.0, unit="m", positional=True, doc="Free room to keep when passing.")
    law: str = parameter("imminent", kind="text", choices=LAWS, doc="Whom to mind.")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The id of the one that is being evaded, -1 for nobody."""
        return {"threat": np.full(len(vehicles), -1, np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        numbers = scene.numbers(self.lookahead, self.distance, LAWS.index(self.law))
        arguments = (
            scene.body, self.watched(scene), scene.neighbors(self.needs()[0]), scene.wrap, numbers, memory.now("threat"),
            memory.next("threat"), out,
        )  # fmt: skip
        return [Call(avoid_neighbors, arguments)]

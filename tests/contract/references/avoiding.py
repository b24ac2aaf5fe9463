"""References of the behaviors about obstacles.

What a ball touches first is found with nothing but the distance from each body: along a straight way it first falls and
then rises, for all bodies here are convex.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from contract.places import Array
from contract.references.vehicle import Answer, At, Reference
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.core.environment.obstacles.barring import GOLDEN, PROBES
from steersman.core.steering.laws.avoiding import FADE, LEAST
from steersman.core.steering.laws.stopping import BRAKES, SLACK
from steersman.core.steering.laws.vectors import across
from steersman.core.steering.obstacles.free_cylinder import SHARE

Closest = Callable[[Array], Array]
"""The point of a body nearest to a place; the place itself, inside."""

HalfSpace = tuple[Array, float]
"""A unit normal, and how far the border is [m]."""


class Threat(NamedTuple):
    """Order, touch, the way from the vehicle to what counts as the obstacle's center, and the obstacle's radius."""

    order: float
    touch: float
    offset: Array
    bend: float


@dataclass(frozen=True)
class Ball(At):
    """The vehicle as a ball that moves some way, as thick as wanted."""

    forward: Any = None
    radius: Any = 0.0


def ball(at: At, way: Array, radius: float) -> Ball:
    return Ball(at.place, at.i, at.step, at.key, way, radius)


def on_segment(a: Array, b: Array) -> Closest:
    return lambda x: a + np.clip((x - a) @ (b - a) / max((b - a) @ (b - a), 1e-300), 0, 1) * (b - a)


def on_triangle(a: Array, b: Array, c: Array) -> Closest:
    u, v = b - a, c - a
    shares = np.linalg.pinv(np.stack([u, v], axis=1))
    sides = [on_segment(*ends) for ends in ((a, b), (b, c), (c, a))]

    def closest(x: Array) -> Array:
        s, t = shares @ (x - a)
        if s >= 0 and t >= 0 and s + t <= 1:
            return np.asarray(a + s * u + t * v)
        return min((side(x) for side in sides), key=lambda end: float(laws.length(x - end)))

    return closest


def in_body(sides: list[Closest], normals: Array, height: Array) -> Closest:
    """Nearest in a convex body, out of those on its sides."""

    def closest(x: Array) -> Array:
        if np.all(normals @ x <= height):
            return x
        return min((side(x) for side in sides), key=lambda end: float(laws.length(x - end)))

    return closest


def bodies(obstacles: Any) -> Iterator[tuple[Closest, float, float]]:
    """All bodies of a set: nearest point, thickness, and the radius of the sphere around it."""
    if isinstance(obstacles, sm.Spheres):
        for center, radius in zip(obstacles.center, obstacles.radius, strict=True):
            yield (lambda x, c=center: c), radius, radius
    elif isinstance(obstacles, sm.Capsules):
        for a, b, radius in zip(obstacles.a, obstacles.b, obstacles.radius, strict=True):
            yield on_segment(a, b), radius, laws.length(b - a) / 2 + radius
    elif isinstance(obstacles, sm.Boxes):
        for c, half, r in zip(obstacles.center, obstacles.size, obstacles.orientation, strict=True):
            yield (lambda x, c=c, h=half, r=r: c + r @ np.clip(r.T @ (x - c), -h, h)), 0.0, float(laws.length(half))
    elif isinstance(obstacles, sm.Walls):
        for corners, closed in zip(obstacles.points, obstacles.closed, strict=True):
            ends = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
            around = laws.length(corners - corners.mean(axis=0)).max()
            middle = corners.mean(axis=0)
            normals = np.array([outward(laws.perpendicular(laws.normalize(b - a)), a - middle) for a, b in ends])
            heights = np.array([n @ a for n, (a, _) in zip(normals, ends, strict=True)])
            sides = [on_segment(a, b) for a, b in ends]
            yield (in_body(sides, normals, heights) if closed else sides[0]), 0.0, float(around)
    else:
        count = 8 if obstacles.is_closed else 1
        for k in range(0, len(obstacles), count):
            corners = obstacles.vertices[obstacles.faces[k : k + count]]
            unique = np.unique(corners.reshape(-1, 3), axis=0)
            middle = unique.mean(axis=0)
            normals = np.array([outward(laws.normalize(np.cross(b - a, c - a)), a - middle) for a, b, c in corners])
            sides = [on_triangle(*three) for three in corners]
            heights = np.sum(normals * corners[:, 0], axis=1)
            whole = in_body(sides, normals, heights) if count == 8 else sides[0]
            yield whole, 0.0, float(laws.length(unique - middle).max())


def outward(normal: Array, way: Array) -> Array:
    return normal if normal @ way >= 0 else -normal


def touch(closest: Closest, thickness: float, at: At, start: Array, reach: float) -> tuple[float, Array] | None:
    """Where a ball first touches a convex body from outside, and the normal there."""

    def gap(t: float) -> float:
        x = start + t * at.forward
        return float(laws.length(x - closest(x))) - thickness - at.radius

    if gap(0) + at.radius < 0 or np.array_equal(closest(start), start):
        return None  # It began inside.
    off = start - closest(start)
    if gap(0) <= 0:
        return (0.0, laws.normalize(off)) if off @ at.forward < 0 else None
    low, high = 0.0, reach
    for _ in range(90):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        at_a, at_b = gap(a), gap(b)
        if min(at_a, at_b) > high - low:
            return None  # A gap closes by no more than the way, so none between these ends is closed.
        low, high = (low, b) if at_a < at_b else (a, high)
        if at_a <= 0:
            low = a
            break
    if gap(low) > 0:
        return None
    near, far = 0.0, low
    for _ in range(60):
        middle = 0.5 * (near + far)
        near, far = (near, middle) if gap(middle) <= 0 else (middle, far)
    there = start + far * at.forward
    return far, laws.normalize(there - closest(there))


def leave(center: Array, radius: float, at: At, start: Array) -> tuple[float, Array] | None:
    """Where a ball touches a sphere from inside."""
    way = start - center
    if laws.length(way) >= radius:
        return None
    along = way @ at.forward
    chord = max(radius - at.radius, 0.0) ** 2 - (way @ way - along**2)
    distance = max(math.sqrt(max(chord, 0.0)) - along, 0.0)
    return distance, -laws.normalize(way + distance * at.forward)


def images(at: At) -> Iterator[Array]:
    """Where the vehicle is, on a torus again and again."""
    again = range(-1, 2) if at.place.state.torus else range(1)
    for turns in itertools.product(again, repeat=len(at.position)):
        yield at.position + at.place.state.periods * np.array(turns)


def contacts(sets: Any, at: At, reach: float) -> Iterator[tuple[float, Array] | None]:
    """First contacts with the bodies of all sets, seen from outside."""
    for obstacles in sets:
        limit = min(reach, max(at.place.state.periods)) if at.place.state.torus else reach
        for (closest, thickness, around), start in itertools.product(bodies(obstacles), images(at)):
            way = closest(start) - start
            if laws.length(way - np.clip(way @ at.forward, 0, limit) * at.forward) <= 3 * around + at.radius:
                yield touch(closest, thickness, at, start, limit)


def threats(obstacles: Any, at: At, reach: float) -> Iterator[Threat]:
    """What one set has in the way."""
    if isinstance(obstacles, sm.Spheres) and obstacles.seen_from == "outside":
        for center, radius in zip(at.near(obstacles.center), obstacles.radius, strict=True):
            row, distance = laws.nearest_threat(at.position, at.forward, at.radius, center[None], radius, reach)
            if row == 0:
                entry, out = laws.ray_sphere_crossings(at.position, at.forward, center, radius + at.radius)
                yield Threat(float(entry if entry >= 0 else out), float(distance), center - at.position, radius)
        return
    limit = min(reach, max(at.place.state.periods)) if at.place.state.torus else reach
    for (closest, thickness, around), start in itertools.product(bodies(obstacles), images(at)):
        way = closest(start) - start  # Nothing of a body is farther from its nearest point than it is wide.
        if laws.length(way - np.clip(way @ at.forward, 0, limit) * at.forward) > 3 * around + at.radius:
            continue
        found = touch(closest, thickness, at, start, limit) if obstacles.seen_from != "inside" else None
        if found is None and obstacles.seen_from != "outside" and isinstance(obstacles, sm.Spheres):
            found = leave(closest(start), thickness, at, start)
        if found is not None and found[0] <= limit:
            yield Threat(found[0], found[0], -around * found[1], around)


def needed(at: At, threat: Threat, speed: float, clearance: float) -> float:
    """The part of max_force that turns past a threat, one step from now."""
    size = float(laws.length(threat.offset))
    bend = threat.bend + at.radius + clearance
    sine = min(float(laws.length(laws.lateral(threat.offset, at.forward))) / min(size, bend), 1.0)
    touch = max(threat.touch - speed * DT, 0.5 * clearance)
    return float(laws.needed_part(touch, sine, bend, speed, at.max_force / at.mass))


def hulls(obstacles: Any) -> Iterator[tuple[Closest, Array, float]]:
    """All convex parts of a set: nearest point, corners, and how far they are rounded."""
    if isinstance(obstacles, sm.Spheres):
        for center, radius in zip(obstacles.center, obstacles.radius, strict=True):
            yield (lambda x, c=center: c), center[None], radius
    elif isinstance(obstacles, sm.Boxes):
        for (closest, _, _), corners in zip(bodies(obstacles), obstacles.corners, strict=True):
            yield closest, corners, 0.0
    elif isinstance(obstacles, sm.Walls):
        for a, b in obstacles.points:
            yield on_segment(a, b), np.array([a, b]), 0.0
    else:
        for face in obstacles.faces:
            yield on_triangle(*obstacles.vertices[face]), obstacles.vertices[face], 0.0


def roomiest(corners: Array, rounding: float, at: Ball, start: Array, off: Array, way: Array) -> HalfSpace:
    """Of the half-spaces outside of a convex part the one with the largest margin, by golden sections."""

    def gap(normal: Array) -> float:
        return -float(np.max((corners - start) @ normal)) - rounding - at.radius

    def margin(share: float) -> float:
        normal = between(share)
        return math.sqrt(gap(normal)) + normal @ way if gap(normal) >= 0 else gap(normal) - laws.length(way)

    def between(share: float) -> Array:
        return np.asarray(laws.normalize((1 - share) * held + share * aside))

    held = laws.normalize(off)
    if laws.length(off) - rounding - at.radius <= 0 or held @ way >= 0:
        return held, float(laws.length(off)) - rounding - at.radius
    aside = across(held, laws.normalize(way), laws.perpendicular(laws.normalize(way)))
    golden, low, high = float(GOLDEN), 0.0, 1.0
    left, right = 1 - golden, golden
    for _ in range(PROBES):
        if margin(left) >= margin(right):
            high, right = right, left
            left = high - golden * (high - low)
        else:
            low, left = left, right
            right = low + golden * (high - low)
    best = between(left if margin(left) >= margin(right) else right)
    return best, gap(best)


def barring(b: Any, at: Ball, way: Array, reach: float) -> list[HalfSpace]:
    """What bars the way: of each set the parts in reach, nearest first, less those that lie behind another."""
    found: list[HalfSpace] = []
    for each in b.obstacles.sets:
        if each.nearest(at.position, at.place.domain).distance < 0 and each.is_closed:
            continue
        parts = []
        for (closest, corners, rounding), start in itertools.product(hulls(each), images(at)):
            off = start - closest(start)
            parts.append((float(laws.length(off)) - rounding - at.radius, corners, rounding, start, off))
        before = len(found)
        for gap, corners, rounding, start, off in sorted(parts, key=lambda part: part[0]):
            slack = 1e-3 * (abs(gap) + at.radius)
            behind = any(np.max((corners - start) @ n) + rounding + at.radius + border <= slack for n, border in found)
            if gap <= reach and not behind and len(found) < before + 8:
                found.append(roomiest(corners, rounding, at, start, off, way))
    return found


def avoid(b: Any, at: At) -> Answer:
    forward, speed, strength = at.forward, float(laws.length(at.velocity)), at.max_force / at.mass
    clearance = float(SHARE) * at.radius if b.clearance is None else b.clearance
    shortest = at.place.vehicles.radius.max() if b.min_length is None else b.min_length
    reach = max(shortest, b.lookahead * speed)
    if b.stops:
        reach = max(reach, laws.way_to_stop(speed, strength, DT))
        clearance = max(clearance, 4 * strength * DT**2)
    if b.goal is not None:
        reach = min(reach, laws.length(at.target(b.goal, b.which) - at.position))
    thick = ball(at, forward, at.radius + clearance)
    seen = [threat for each in b.obstacles.sets for threat in threats(each, thick, reach)]
    force, acts, near = np.zeros_like(forward), False, False
    if seen:
        first = min(seen, key=lambda threat: threat.order)
        deep = b.obstacles.is_round and laws.length(first.offset) < first.bend
        near = min(threat.touch for threat in seen) <= laws.way_to_stop(speed, strength, DT) and not deep
        part = needed(at, first, speed, clearance) if b.magnitude == "needed" else 1.0
        acts = part >= LEAST or b.magnitude != "needed"
        nearness = 1 - first.touch / reach
        scale = b.strength if b.magnitude == "literal" else 1.0
        least = LEAST * (min(max(1 - speed / at.max_speed, 0.0) / FADE, 1.0) if first.touch > 0 else 1.0)
        force = scale * laws.avoid_sideways(
            first.offset, forward, at.max_force, magnitude=b.magnitude, nearness=nearness, needed=part, least=least
        )
        brake = b.braking * nearness * at.max_force
        if b.stops:
            brake = min(brake, max(float(at.velocity @ forward), 0.0) * at.mass / DT)
        force = force - brake * forward
    if b.stops and (near or at.velocity @ forward < 0.999 * speed):
        keep = max(0.5 * clearance, clearance - SLACK * at.radius)
        way, stop = at.velocity / math.sqrt(2 * BRAKES * strength), laws.way_to_stop(speed, strength, DT)
        bars = barring(b, ball(at, forward, at.radius + keep), way, stop)
        if bars:
            most = 8 * (len(b.obstacles.sets) + 1)
            normals, gaps = laws.beveled(*map(np.array, zip(*bars, strict=True)), stop, most)
            slack = min(keep, SLACK * at.radius)
            for normal, gap in zip(normals, gaps, strict=True):
                closing = -float(at.velocity @ normal)
                faster = closing + strength * DT
                if closing > 0 and (slack + gap) * speed <= closing * (slack + stop):
                    acts = acts or faster > laws.stoppable_speed(gap - faster * DT, strength, DT)
            if acts:
                force = laws.stop_before(at.velocity, force, at.mass, at.max_force, normals, gaps, DT)
    return (force, True) if acts else (np.zeros_like(forward), False)


REFERENCES: dict[str, Reference] = {"AvoidObstacles": avoid}

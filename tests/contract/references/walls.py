"""References of the behaviors that feel obstacles, go along them, or hide behind them; obstacles answer for themselves."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.going import come
from contract.references.individual import prediction_time
from contract.references.vehicle import Answer, At, Reference

import steersman as sm
from steersman import laws


def cast(at: At, sets: Any, origin: Array, direction: Array, reach: float) -> tuple[float, Array]:
    """How far it is to the first hit, infinite where there is none; and the normal there."""
    found = [each.cast(origin, direction, reach, at.place.domain) for each in sets]
    first = min(found, key=lambda each: float(each.distance))
    return float(first.distance), first.normal


def touches(at: At, sets: Any, count: int, spread: float, reach: float) -> list[tuple[float, Array, Array]]:
    """What each feeler touches: the distance, the place, the normal."""
    roots, directions = [at.position] * count, laws.feeler_directions(at.axes, spread, count)
    if count == 2:
        roots, directions = [at.position + side * at.radius * at.axes[-1] for side in (1, -1)], [at.forward] * 2
    answers = []
    for root, direction in zip(roots, directions, strict=True):
        distance, normal = cast(at, sets, root, direction, reach)
        if math.isfinite(distance):
            answers.append((distance, root + distance * direction, normal))
    return answers


def whiskers(b: Any, at: At) -> Answer:
    full = b.speed if isinstance(b.speed, float) else at.max_speed
    stop = max(4 * full * at.tau, at.mass * full**2 / at.max_force)
    clearance = stop if b.clearance is None else b.clearance
    found = touches(at, b.obstacles.sets, b.rays, b.spread, clearance + stop if b.reach is None else b.reach)
    if not found:
        return np.zeros_like(at.position), False
    _, hit, normal = min(found, key=lambda each: each[0]) if b.rays == 2 else found[0]
    room = 0.01 * clearance + cast(at, b.obstacles.sets, hit + 0.01 * clearance * normal, normal, 1.99 * clearance)[0]
    point = laws.beside_hit(hit, normal, min(clearance, room / 2))
    return at.drive(b, laws.seek(at.position, at.velocity, point, at.max_speed, speed=b.speed)), True


def avoid_walls(b: Any, at: At) -> Answer:
    found = touches(at, b.walls.sets, b.feelers, b.spread, b.reach)
    if not found:
        return np.zeros_like(at.position), False
    distance, _, normal = min(found, key=lambda each: each[0])
    strength = at.max_force / b.reach if b.strength is None else b.strength
    return laws.push_off(distance, normal, b.reach, strength), True


def follow_wall(b: Any, at: At) -> Answer:
    ahead = at.tau if b.lookahead is None else b.lookahead
    if isinstance(b.walls, (sm.Path, sm.Plane)):
        return follow_line(b, at, ahead)
    found = [each.nearest(at.position + ahead * at.velocity, at.place.domain) for each in b.walls.sets]
    near = min(found, key=lambda each: float(each.distance))
    sign = -1.0 if near.distance < 0 else 1.0
    normal, distance, off = sign * near.normal, abs(float(near.distance)), np.zeros_like(at.position)
    speed = float(laws.length(at.velocity))
    turn = b.offset + 2 * speed * at.tau + at.mass * speed**2 / at.max_force
    course = laws.normalize(at.velocity) if speed else at.forward
    both = [replace(each, seen_from="both") for each in b.walls.sets]
    hit, hit_normal = cast(at, both, at.position, course, turn)
    if math.isfinite(hit):
        off, normal, distance = normal, hit_normal, -hit * float(course @ hit_normal)
    reach = max(4 * at.max_speed * at.tau, at.mass * at.max_speed**2 / at.max_force) if b.reach is None else b.reach
    along = laws.along_wall(normal, at.forward, off)
    if b.side != "either":
        right = np.cross(normal, at.up) if len(normal) == 3 else np.array([normal[1], -normal[0]])
        along = laws.normalize(right) * (1 if b.side == "right" else -1)
    way = laws.wall_way(distance, normal, along, b.offset, reach)
    return at.drive(b, laws.seek(at.position, at.velocity, at.position + way, at.max_speed, speed=b.speed)), True


def foot(walls: Any, at: At, place: Array) -> tuple[float, Array, Array]:
    """How far a place is from a plane or a path, the normal there, and where a path in space leads."""
    middle = np.asarray(walls.point) if isinstance(walls, sm.Plane) else np.mean(walls.points, axis=0)
    way = at.place.domain.difference(place, middle)
    if isinstance(walls, sm.Plane):
        return float(way @ walls.normal), np.asarray(walls.normal), np.zeros_like(way)
    period = getattr(at.place.domain, "size", np.zeros(len(way)))
    turns = np.stack(np.meshgrid(*[[-1, 0, 1]] * len(way)), axis=-1).reshape(-1, len(way))
    images = middle + way + turns * period
    image = images[np.argmin(walls.project(images).distance)]
    s = float(walls.project(image).s)
    way = image - walls.point_at(s)
    inside = len(way) == 3 and 0 < s < walls.length
    return float(laws.length(way)), laws.normalize(way), walls.tangent_at(s) * inside


def follow_line(b: Any, at: At, ahead: float) -> Answer:
    """Along a plane or a path; a ray ahead goes on eight times by what is free."""
    reach = max(4 * at.max_speed * at.tau, at.mass * at.max_speed**2 / at.max_force) if b.reach is None else b.reach
    distance, normal, lead = foot(b.walls, at, at.position + ahead * at.velocity)
    speed, off, gone = float(laws.length(at.velocity)), None, 0.0
    course = laws.normalize(at.velocity) if speed else at.forward
    there = normal
    for _ in range(8):
        free, beside, _ = foot(b.walls, at, at.position + gone * course)
        there = beside if abs(free) > 0.05 * b.offset or gone == 0 else there
        gone += abs(free)
    free = foot(b.walls, at, at.position + gone * course)[0]
    turn = b.offset + 2 * speed * at.tau + at.mass * speed**2 / at.max_force
    if gone <= turn and abs(free) <= 0.05 * b.offset:
        off, normal, distance = normal, there, -gone * float(course @ there)
    along = laws.along_wall(normal, at.forward, off)
    if lead.any():
        along = lead if at.forward @ lead >= 0 else -lead
    way = laws.wall_way(distance, normal, along, b.offset, reach)
    return at.drive(b, laws.seek(at.position, at.velocity, at.position + way, at.max_speed, speed=b.speed)), True


def sees(b: Any, at: At, j: int) -> bool:
    """Whether the vehicle sees the pursuer, and is seen where that is asked for."""
    way, cosine = at.near(b.pursuer.position[j]) - at.position, math.cos(b.angle / 2)
    distance = float(laws.length(way))
    free = not math.isfinite(cast(at, b.obstacles.sets, at.position, way, distance * (1 - 1e-5))[0])
    seen = b.angle >= 2 * math.pi or way @ at.forward >= distance * cosine
    watched = b.angle >= 2 * math.pi or -way @ b.pursuer.forward[j] >= distance * cosine
    return bool(free and seen and (b.only_if == "seen" or watched))


def hide(b: Any, at: At) -> Answer:
    j = at.row(b.pursuer, b.which)
    danger, heading = at.near(b.pursuer.position[j]), b.pursuer.forward[j]
    far = laws.length(danger - at.position) > b.panic_distance
    if far or (b.only_if != "always" and not sees(b, at, j)):
        return np.zeros_like(at.position), False
    difference = at.place.domain.difference
    spheres = [each.bounding_spheres() for each in b.obstacles.sets]
    centers, radii = (np.concatenate(columns) for columns in zip(*spheres, strict=True))
    room = b.margin + at.radius
    # Everything in the image nearest to the pursuer; the spots then in that nearest to the vehicle.
    spots = laws.hiding_spots(danger, danger + difference(centers, danger), radii, room)
    apart = laws.length(difference(spots[:, None], centers[None]))
    np.fill_diagonal(apart, np.inf)
    free = (apart >= radii).all(axis=1)
    behind = [not (b.favor == "behind" and (spot - danger) @ heading <= 0) for spot in spots]
    near = at.near(spots)
    best = sorted((behind[k], laws.length(near[k] - at.position), k) for k in range(len(spots)) if free[k])
    if best:
        return come(b, at, near[best[0][2]], b.pursuer.velocity[j]), True
    velocity = b.pursuer.velocity[j]
    time = prediction_time(b.prediction, at, danger, velocity, heading)
    return at.drive(b, laws.flee(at.position, at.velocity, danger + time * velocity, at.max_speed, speed=b.speed)), True


REFERENCES: dict[str, Reference] = {
    "Whiskers": whiskers, "AvoidWalls": avoid_walls, "FollowWall": follow_wall, "Hide": hide,
}  # fmt: skip

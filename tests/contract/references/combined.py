"""References of the combinators: what they make of the answers of their parts."""

from itertools import product
from typing import Any

import numpy as np
from contract.references.crowds import paced, watched
from contract.references.vehicle import LIKE, Answer, At, Combination, words
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.core.maths.random import uniform
from steersman.core.steering.combining.directions import directions_of
from steersman.core.steering.laws.crowding import LEFT


def sharing(b: Any, at: At) -> dict[str, Any]:
    """Which parts leave to others what they do not use of max_force."""
    return {"shares": [part.shares() for part in b.components], "max_force": at.max_force}


def priority(b: Any, at: At, parts: list[Answer]) -> Answer:
    force = laws.priority([force for force, _ in parts], [acts for _, acts in parts], **sharing(b, at))
    if b.blend:  # In the first step there is nothing that it could go over from.
        force = laws.truncate(force, at.max_force)
    return force, any(acts for _, acts in parts)


def flocking(b: Any, at: At, parts: list[Answer]) -> Answer:
    weights = (b.separation_weight, b.cohesion_weight, b.alignment_weight)
    separation, alignment, cohesion = (force for force, _ in parts)
    force = laws.flocking(separation, cohesion, alignment, weights=weights, max_force=at.max_force, each=b.each)
    return force, any(acts for _, acts in parts)


def weighted_sum(b: Any, at: At, parts: list[Answer]) -> Answer:
    options = {"each": b.each, "max_force": at.max_force, "normalize_weights": b.normalize_weights}
    whole = [(force, weight) for (force, _), weight in zip(parts, b.weights, strict=True)]
    pair = [
        k
        for kind in ((sm.Separation, sm.AvoidNeighbors), sm.Arrive)
        for k, part in enumerate(b.components)
        if isinstance(part, kind)
    ]
    both = 0.0
    if len(pair) == 2 and b.balance and b.each == "limit" and all(parts[k][1] for k in pair):
        body = {name: getattr(at, name) for name in ("mass", "max_force", "max_speed")}
        push, pull = (parts[k][0] for k in pair)
        weights = tuple(b.weights[k] for k in pair)
        if isinstance(b.components[pair[0]], sm.AvoidNeighbors):
            both = laws.given_way(push, pull, max_force=at.max_force, weights=weights)
        else:
            both, _ = laws.balanced(push, pull, at.velocity, **body, response_time=at.tau, weights=weights)
        whole = [each for k, each in enumerate(whole) if k not in pair]
    total = laws.weighted_sum([force for force, _ in whole], [weight for _, weight in whole], **options)
    return total + both, any(acts for _, acts in parts)


def truncated_sum(b: Any, at: At, parts: list[Answer]) -> Answer:
    limit, asked, total, acts = at.max_force, [], parts[0][0] * 0, False
    for force, claims in parts:
        asked.append(laws.weighted_sum([force], [1.0], each=b.each, max_force=limit))
        acts |= claims
        total = laws.truncated_sum(asked, b.weights[: len(asked)], limit, accounting=b.accounting)
        spent = laws.length(total)
        if b.accounting == "lengths":
            spent = sum(float(laws.length(w * f)) for w, f in zip(b.weights, asked, strict=False))
        if spent >= limit * (1 - 1e-12):
            break
    return total, acts


def held(at: At, period: float) -> int:
    """Number of the choice that holds."""
    return at.step if period <= DT else int(at.step * DT / period + 1e-6)


def dithered(b: Any, at: At, parts: list[Answer]) -> Answer:
    when = held(at, b.period)
    drawn = [bool(uniform(words(at, when, k // 4)[k % 4], LIKE) < chance) for k, chance in enumerate(b.probabilities)]
    acts = [claims for _, claims in parts]
    chosen = laws.dithered([force for force, _ in parts], drawn, acts, **sharing(b, at))
    return chosen, any(np.logical_and(acts, drawn))


def round_robin(b: Any, at: At, parts: list[Answer]) -> Answer:
    when = held(at, b.period)
    force = laws.round_robin([force for force, _ in parts], float(when), 1.0)
    return force, parts[when % len(parts)][1]


def switch(b: Any, at: At, parts: list[Answer]) -> Answer:
    on = np.asarray(b.on(at.place.vehicles) if callable(b.on) else b.on)
    (force, acts), is_on = parts[0], bool(on[at.i] if on.ndim else on)
    return force * is_on, acts and is_on


def neighbors_met(b: Any, at: At, ways: Any) -> Any:
    """How dangerous the neighbors make ways, (k,)."""
    others, rows, positions = watched(b, at)
    danger = np.zeros(len(ways))
    for row, position in zip(rows, positions, strict=True):
        touch = at.radius + others.radius[row]
        margin = min(at.max_speed * at.tau, touch / 4) if b.margin is None else b.margin
        met = laws.meeting_danger(
            at.position, ways, position, others.velocity[row], touch, margin=margin, time_horizon=b.time_horizon
        )
        danger = np.maximum(danger, met)
    return danger


def context_map(b: Any, at: At, parts: list[Answer]) -> Answer:
    d = len(at.position)
    units = directions_of(b.directions or (16 if d == 2 else 48) * (1 + b.neighbors), d).unit
    interest, danger, someone = np.zeros(len(units)), np.zeros(len(units)), False
    for k, ((force, acts), weight) in enumerate(zip(parts, b.weights, strict=True)):
        if acts:
            force = paced(b, at, np.asarray(force)) if k < len(b.interest) else force
            wish = laws.truncate(at.velocity + np.asarray(force) * at.tau / at.mass, at.max_speed)
            along = units @ (at.axes @ wish)
            if k < len(b.interest):
                someone = True
                interest = np.maximum(interest, weight * (laws.length(wish) + along) / 2)
            else:
                pushed = laws.truncate(np.asarray(force), at.max_force) / at.max_force
                danger = np.maximum(danger, -weight * units @ (at.axes @ pushed))
                if wish @ np.asarray(force) >= 0:
                    danger = np.maximum(danger, -weight * along / at.max_speed)
    for k, unit in enumerate(units if b.obstacles else ()):
        reach = b.lookahead * at.max_speed
        centers, radii = at.near(b.obstacles.sets[0].center), b.obstacles.sets[0].radius
        row, touch = laws.nearest_threat(at.position, unit @ at.axes, at.radius, centers, radii, reach)
        if row >= 0:
            danger[k] = max(danger[k], 1 - float(touch) / reach)
    if not someone:
        interest = (laws.length(at.velocity) + units @ (at.axes @ at.velocity)) / 2
    if b.neighbors:
        met = neighbors_met(b, at, interest[:, None] * units @ at.axes)
        danger = np.maximum(danger, np.maximum(met, LEFT * met.max() * np.maximum(0, -units[:, -1])))
    if not someone and not danger.any():
        return at.velocity * 0, False
    velocity = laws.truncate(laws.context_map(interest, danger, units) @ at.axes, at.max_speed)
    return at.match(velocity - at.velocity), True


def first_in_the_way(at: At, rocks: Any, margin: float, way: Any) -> Any:
    """Distance at which the first rock is touched going along a way, and its offset and room."""
    centers, unit = at.near(rocks.center), laws.normalize(way)
    row, touch = laws.nearest_threat(at.position, unit, at.radius + margin, centers, rocks.radius, laws.length(way))
    if row < 0:
        return np.inf, None, None
    return float(touch), centers[row] - at.position, rocks.radius[row] + at.radius + margin


def arc_of(path: Any, point: Any, at: At) -> float:
    """Where a point is along a path, the shortest way."""
    turns = product((-1, 0, 1) if at.place.state.torus else (0,), repeat=len(point))
    images = [point + at.place.state.periods * turn for turn in turns]
    return float(min((path.project(image) for image in images), key=lambda each: each.distance).s)


def pipeline(b: Any, at: At, parts: list[Answer]) -> Answer:
    goal = at.target(b.targeters[0].target, b.targeters[0].which)
    for decomposer in b.decomposers:
        path = decomposer.path
        here, there = (arc_of(path, point, at) for point in (at.position, goal))
        if abs(there - here) > decomposer.reach:
            goal = path.point_at(here + np.sign(there - here) * decomposer.reach)
    way = at.near(goal) - at.position
    for attempt in range(b.rounds + 1):
        found = [(*first_in_the_way(at, c.obstacles.sets[0], c.margin, way), k) for k, c in enumerate(b.constraints)]
        distance, center, room, _ = min(found, key=lambda each: (each[0], each[3]))
        if distance == np.inf:
            break
        if attempt == b.rounds:
            return parts[0] if parts else (at.match(-at.velocity), True)
        unit = laws.normalize(way)
        nearest = min(max(center @ unit, 0.0), laws.length(way)) * unit
        way = center + 1.1 * room * laws.normalize(nearest - center)
        way = at.near(at.position + way) - at.position
    law = b.actuator.law
    if law == "seek":
        return at.match(laws.seek(at.position * 0, at.velocity, way, at.max_speed)), True
    slowing = max(4 * at.max_speed * at.tau, at.mass * at.max_speed**2 / at.max_force)
    return at.match(laws.arrive(at.position * 0, at.velocity, way, at.max_speed, slowing_distance=slowing)), True


COMBINATIONS: dict[str, Combination] = {
    "ContextMap": context_map,
    "Dithered": dithered,
    "Flocking": flocking,
    "Pipeline": pipeline,
    "Priority": priority,
    "RoundRobin": round_robin,
    "Orders": lambda b, at, parts: parts[0],
    "Switch": switch,
    "TruncatedSum": truncated_sum,
    "WeightedSum": weighted_sum,
}

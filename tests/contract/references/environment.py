"""References of the behaviors about fields, regions and resources."""

from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import Answer, At, Combination, Reference

from steersman import laws
from steersman.steering.individual.explore import cells_of


def follow_flow(b: Any, at: At) -> Answer:
    flow = b.field.at(laws.predict(at.position, at.velocity, b.lookahead), at.place.domain)
    return at.match(laws.follow_flow(at.velocity, flow, at.max_speed, speed=b.speed)), True


def images(b: Any, at: At) -> tuple[Array, Array]:
    """Where a vehicle is and will be, as seen from the middle of the region."""
    here = b.region.images(at.position, at.place.domain)[0]
    return here, laws.predict(here, at.velocity, b.lookahead)


def contain(b: Any, at: At) -> Answer:
    here, predicted = images(b, at)
    then = b.region.nearest(predicted)
    beyond, crossed = b.region.leaving(here, predicted)
    distance, normal = then.distance + b.margin, then.normal
    if distance <= 0:
        distance, normal = beyond, crossed
    if distance <= 0:
        return np.zeros_like(here), False
    depth = min(b.lookahead * laws.length(at.velocity), b.region.depth - b.margin) if b.depth is None else b.depth
    now, sought = b.region.nearest(here), laws.inside_point(predicted, distance, normal, depth)
    if b.corners == "retreat" and now.distance <= 0 and b.region.nearest(sought).distance + b.margin > -0.5 * depth:
        way = laws.way_back(at.velocity, now.distance, now.normal, lookahead=b.lookahead, margin=b.margin)
        return at.drive(b, laws.seek(here, at.velocity, here + way, at.max_speed, speed=b.speed)), True
    side = laws.contain_sideways(at.forward, crossed)
    if b.law == "normal" and b.region.inside(here) and then.normal @ crossed > 0.9 and laws.length(side) > 0.2:
        return laws.with_length(side, at.max_force), True
    options = {"lookahead": b.lookahead, "depth": depth, "speed": b.speed}
    return at.drive(b, laws.contain(here, at.velocity, distance, normal, at.max_speed, **options)), True


def explore(b: Any, at: At) -> Answer:
    """Who is new begins at the cell that the golden section says."""
    cells = cells_of(b.region, b.reach)
    first = int(at.id * (5**0.5 - 1) / 2 % 1 * len(cells))
    near = max(b.reach / 4, at.mass * at.max_speed**2 / at.max_force, at.max_speed * at.tau)
    steering, _ = laws.follow_waypoints(
        at.position, at.velocity, at.near(cells), first, at.max_speed, seek_distance=near, closed=True, speed=b.speed
    )
    return at.drive(b, steering), True


def forage(b: Any, at: At, parts: list[Answer]) -> Answer:
    places = at.near(b.resources.position)
    seen = laws.sensed(at.position, at.forward, places, reach=b.reach, angle=b.angle) & (b.resources.amount > 0)
    if not seen.any():
        return parts[0]
    distance = np.where(seen, laws.length(places - at.position), np.inf)
    target = places[np.argmin(distance)]
    if b.approach == "seek":
        return at.match(laws.seek(at.position, at.velocity, target, at.max_speed)), True
    slowing = max(4 * at.max_speed * at.tau, at.mass * at.max_speed**2 / at.max_force)
    return at.match(laws.arrive(at.position, at.velocity, target, at.max_speed, slowing_distance=slowing)), True


REFERENCES: dict[str, Reference] = {"FollowFlow": follow_flow, "Contain": contain, "Explore": explore}
COMBINATIONS: dict[str, Combination] = {"Forage": forage}

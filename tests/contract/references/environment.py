"""References of the behaviors about fields, regions and resources."""

from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import Answer, At, Combination, Reference, spring_time
from contract.running import DT

from steersman import laws
from steersman.core.steering.wandering.explore import cells_of


def follow_flow(b: Any, at: At) -> Answer:
    flow = b.field.at(laws.predict(at.position, at.velocity, b.lookahead), at.place.domain)
    return at.match(laws.follow_flow(at.velocity, flow, at.max_speed, speed=b.speed)), True


def images(b: Any, at: At) -> tuple[Array, Array]:
    """Where a vehicle is and will be, as seen from the middle of the region."""
    here = b.region.images(at.position, at.place.domain)[0]
    return here, laws.predict(here, at.velocity, b.lookahead)


def brought_inside(region: Any, point: Array, beyond: float, normal: Array, keep: float) -> Array:
    """The point at least so far inside the boundary, or in the middle of where it is too narrow.

    Between two walls that lean toward each other it is where both are so far away, if they meet near the boundary.
    """
    point, before = point - (beyond + keep) * normal, normal
    for part in [1.0] * (len(point) - 1) + [0.5]:
        foot = region.nearest(point)
        over = foot.distance + keep
        if over <= 0:
            continue
        both = np.linalg.pinv(
            np.array([before, foot.normal])
        )  # The least way by so much along each of the two normals.
        tip = point + both @ [keep, -foot.distance]
        leans = region.is_sharp and -0.999 < foot.normal @ before < 0
        if leans and abs(region.nearest(tip).distance) < 0.25 * keep:
            point = tip - both @ [keep, keep]
        else:
            point = point - part * over * foot.normal
        before = foot.normal
    return point


def turn(b: Any, at: At) -> Answer:
    """Law "turn" at the start of memory: nothing is remembered."""
    velocity, speed, region = at.velocity, float(laws.length(at.velocity)), b.region
    strength, deepest = at.max_force / at.mass, region.depth - b.margin
    tau = spring_time(at, strength, deepest)
    keep = b.margin + min(3 * strength * tau**2, 0.25 * deepest)
    time = max(min(b.lookahead, deepest / max(speed, 1e-12)), 4 * tau, speed / (0.5 * strength))
    here = region.images(at.position, at.place.domain)[0]
    predicted = goal = here + time * velocity
    beyond, normal = (0.0, None) if region.is_convex else region.leaving(here, predicted)
    if not beyond > 0:
        foot = region.nearest(predicted)
        beyond, normal = foot.distance, foot.normal
    if beyond + keep > 0:
        goal = brought_inside(region, predicted, beyond, normal, keep)
    near, foot = here, region.nearest(here)
    if foot.distance + keep > 0:
        near = brought_inside(region, here, foot.distance, foot.normal, keep)
    change, deep = (goal - predicted) / time, float(laws.length(near - here))
    if deep > 0:
        inward = (near - here) / deep
        change = change + max(deep / (4 * tau) - (velocity + change) @ inward, 0) * inward
    size, turned = float(laws.length(change)), min(2 * DT / time, 1)
    if size == 0:
        return np.zeros_like(here), False
    outward = -change / size
    closing = velocity @ outward
    change = change - min(max(closing - size + 0.5 * turned * speed, 0), turned * speed * tau / time) * outward
    side = velocity - closing * outward
    if laws.length(side) < 1e-5 * speed or speed == 0:
        side = (region.middle - here) - ((region.middle - here) @ outward) * outward
    side = laws.normalize(side)
    along, against = (region.nearest(here + way * speed * time).distance + keep for way in (side, -side))
    if along > max(against, 0) + 0.5 * speed * time:
        side = -side
    closing, passing, gain = max(closing, 0), max(velocity @ side, 0), float(laws.length(change))
    gain = gain * closing / passing if closing < 2 * passing else 2 * gain
    fastest = {"max": at.max_speed, "current": speed, "offset": min(laws.length(change), at.max_speed)}.get(
        b.speed, b.speed
    )
    wanted = laws.truncate(velocity + change, max(fastest, speed))
    force = laws.truncate(at.mass * (wanted - velocity) / tau, at.max_force)
    gained = min(min(gain, closing) * at.mass / tau, max(at.max_force - float(laws.length(force)), 0))
    return force + gained * side, False


def contain(b: Any, at: At) -> Answer:
    if b.law == "turn":
        return turn(b, at)
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

"""References of the behaviors that look at individuals."""

from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import Answer, At, Combination, Reference, joined, slowing
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.core.steering.driving.pace import weidmann
from steersman.core.steering.group.follow_leader import FELLOWS
from steersman.core.steering.laws.vectors import direction_or


def nearest_rows(at: At, radius: float, k: int, of: Any = None, angle: float = 7.0, inner: float = 0.0) -> Array:
    """The rows of the neighbors, nearest first."""
    others, own = joined(of, at)
    positions = at.near(others.position)
    seen = laws.neighborhood(at.position, at.forward, radius, angle=angle, inner_radius=inner, others=positions)
    if own is not None:
        seen[own] = False
    rows = np.flatnonzero(seen)
    return np.asarray(rows[np.argsort(laws.length(positions[rows] - at.position), kind="stable")[:k]])


def watched(b: Any, at: At) -> tuple[Any, Array, Array]:
    """Who is looked at, their rows, and where the vehicle sees them."""
    others, _ = joined(b.of, at)
    rows = nearest_rows(at, b.radius, b.k, b.of, b.angle, b.inner_radius)
    return others, rows, at.near(others.position)[rows]


def avoid_neighbors(b: Any, at: At) -> Answer:
    others, rows, positions = watched(b, at)
    acceleration = laws.avoid_neighbors(
        at.position, at.velocity, at.radius, positions, others.velocity[rows], others.radius[rows],
        lookahead=b.lookahead, distance=b.distance, law=b.law, max_acceleration=at.max_force / at.mass, dt=DT,
    )  # fmt: skip
    return at.mass * acceleration, bool(acceleration.any())


def own_side(at: At, forward: Array) -> Array:
    return np.asarray(laws.perpendicular(forward) * (-1 if at.id & 1 else 1))


def follow_apart(b: Any, at: At, row: int) -> Array:
    """As FollowLeader's law "apart", plane by plane."""
    chief, vehicles = b.leader, at.place.vehicles
    forward, lead, offset = chief.forward[row], chief.velocity[row], at.position - at.near(chief.position)[row]
    brakes: Any = {"acceleration": at.max_force / at.mass, "response_time": at.tau}
    side = own_side(at, forward)
    options = {"radius": at.radius, "side": side, "max_speed": at.max_speed, **brakes}
    clear = laws.clear_plane(offset, forward, lead, b.clear_length, b.clear_width, **options)
    gap = laws.length(offset) - at.radius - chief.radius[row] - b.spacing
    planes = [laws.apart_plane(laws.normalize(offset) if offset.any() else side, lead, gap, **brakes)]
    positions = at.near(vehicles.position)
    for j in nearest_rows(at, b.separation_radius, FELLOWS):
        if chief is vehicles and j == row:
            continue
        away = at.position - positions[j]
        gap = laws.length(away) - at.radius - vehicles.radius[j] - b.spacing
        mean = (at.velocity + vehicles.velocity[j]) / 2
        planes.append(laws.apart_plane(laws.normalize(away), mean, gap / 2, **brakes))
    hard = len(planes)
    planes += [] if clear is None else [clear]
    way = laws.behind_leader(-offset, forward, lead, b.behind, b.behind_time)
    full = at.max_speed if b.speed == "max" else b.speed
    left = laws.length(way)
    room = min(
        [left, *(gap for gap in crowd_gaps(b, at, row, way, lead, slowing(b, at, full) / (2 * full) if full else 0))]
    )
    way = way * (room / left) if left else way
    steering = laws.hold_slot(way, at.velocity, lead, full, slowing(b, at, full))
    normals, offsets = np.array([plane[0] for plane in planes]), np.array([plane[1] for plane in planes])
    wanted = laws.nearest_velocity(normals, offsets, steering + at.velocity, at.max_speed, hard=hard)
    return at.match(wanted - at.velocity)


def crowd_gaps(b: Any, at: At, row: int, way: Array, lead: Array, time: float) -> list[float]:
    """The room to the fellows before the vehicle on its way to the place."""
    vehicles, found = at.place.vehicles, []
    positions, left = at.near(vehicles.position), laws.length(way)
    for j in nearest_rows(at, b.separation_radius, FELLOWS):
        to = positions[j] - at.position
        if (b.leader is vehicles and j == row) or laws.length(way - to) >= left:
            continue
        if to @ way > 0.5 * laws.length(to) * left:
            gap = laws.length(to) - at.radius - vehicles.radius[j] - b.spacing
            found.append(max(gap, 0) + time * laws.length(vehicles.velocity[j] - lead))
    return found


def follow_leader(b: Any, at: At) -> Answer:
    row = at.row(b.leader, b.which)
    if b.law == "apart":
        if row is None or (b.leader is at.place.vehicles and row == at.i):
            return np.zeros_like(at.forward), False
        return follow_apart(b, at, row), True
    pushes, _ = separation(b, at)
    if row is None:
        return pushes, False
    if b.leader is at.place.vehicles and row == at.i:
        return np.zeros_like(at.forward), False
    here, forward, velocity = at.near(b.leader.position)[row], b.leader.forward[row], b.leader.velocity[row]
    out = laws.clear_way(at.position - here, forward, b.clear_length, b.clear_width, own_side(at, forward))
    if out.any():
        return at.max_force * out, True
    target = laws.behind_leader(here, forward, velocity, b.behind, b.behind_time)
    full = at.max_speed if b.speed == "max" else b.speed
    steering = laws.arrive(
        at.position, at.velocity, target, at.max_speed, slowing_distance=slowing(b, at, full), speed=b.speed
    )
    if b.leader is not at.place.vehicles and laws.length(here - at.position) < b.separation_radius:
        push = laws.separation(at.position, here[None], strength=at.max_force * 2 * at.radius)
        pushes = pushes + b.separation_weight * laws.truncate(push, at.max_force)
    return laws.truncate(at.match(steering), at.max_force) + pushes, True


def separation(b: Any, at: At) -> Answer:
    """As Separation with its usual strength."""
    positions = at.near(at.place.vehicles.position)[nearest_rows(at, b.separation_radius, 99)]
    pushes = laws.separation(at.position, positions, strength=at.max_force * 2 * at.radius)
    return b.separation_weight * laws.truncate(pushes, at.max_force), False


def queue(b: Any, at: At) -> Answer:
    doorway = at.target(b.doorway, "nearest")
    way = doorway - at.position
    if b.exit is not None and way @ b.exit <= 0:
        return np.zeros_like(way), False
    rows = nearest_rows(at, b.radius, b.k, b.of)
    others, _ = joined(b.of, at)
    positions = at.near(others.position)[rows]
    rest = doorway - positions
    first, through = laws.length(rest) < laws.length(way), np.zeros(len(rows), bool)
    if b.exit is not None:
        through = rest @ b.exit <= 0
        circle = others.mass[rows] * others.max_speed[rows] ** 2 / others.max_force[rows]
        bend = circle * (1 - laws.normalize(rest) @ laws.normalize(b.exit))
        rest = rest + bend[:, None] * laws.normalize(rest)
    first |= through
    speed = laws.queue_speed(
        at.position, at.radius, doorway, positions[first], others.radius[rows][first], at.max_speed,
        headway=b.headway, spacing=b.spacing, rest=np.where(through[:, None], 0, rest)[first],
    )  # fmt: skip
    if b.exit is None:
        speed = min(speed, laws.length(way) / b.headway)
    return at.match(laws.with_length(way, speed) - at.velocity), True


def formation(b: Any, at: At) -> Answer:
    vehicles, leader = at.place.vehicles, b.around
    own, lead = leader is vehicles, at.row(leader, b.which)
    if own and at.i == lead:
        return np.zeros_like(at.forward), False
    head = At(at.place, lead).axes if own else axes_of(leader, lead)
    if b.face is not None:
        head = facing(b.face, leader.up[lead] if vehicles.dimensions == 3 else None)
    members = np.full(len(vehicles), b.members) if isinstance(b.members, float) else b.members.values
    free = [i for i in range(len(vehicles)) if members[i] > 0 and not (own and i == lead)]
    if at.i not in free:
        return np.zeros_like(at.forward), False
    local = b.local_slots(len(free), vehicles.dimensions)
    slots = leader.position[lead] + laws.to_global(local, head)
    slot = laws.assign_slots(vehicles.position[free], slots, difference=at.place.domain.difference)[free.index(at.i)]
    if slot < 0:
        return np.zeros_like(at.forward), False
    offset = at.near(slots[slot]) - at.position
    if b.by is not None:  # On the maps of the examples ways are straight, and no way of a map leads across a seam.
        way = np.subtract(*(at.place.domain.difference(each, b.by.middle) for each in (slots[slot], at.position)))
        if laws.length(way - offset) > 1e-6:
            full = max(at.velocity @ laws.normalize(way), 0) + at.tau * at.max_force / at.mass
            full, left = min(at.max_speed, full), float(laws.length(way))
            options = {"speed": full, "slowing_distance": slowing(b, at, full)}
            return at.match(
                laws.go_to(at.position, at.velocity, at.position + way, left, at.max_speed, **options)
            ), True
    steering = laws.hold_slot(offset, at.velocity, leader.velocity[lead], at.max_speed, slowing(b, at, at.max_speed))
    return at.match(steering), True


def facing(direction: Array, up: Array | None) -> Array:
    """The axes of a formation that faces a direction."""
    forward = direction / laws.length(direction)
    if up is None:
        return np.array([forward, [forward[1], -forward[0]]])
    side = np.cross(forward, up)
    side /= laws.length(side)
    return np.array([forward, np.cross(side, forward), side])


def axes_of(vehicles: sm.Vehicles, row: int) -> Array:
    """Forward and side, or forward, up and side."""
    forward = vehicles.forward[row]
    if vehicles.dimensions == 2:
        return np.array([forward, [forward[1], -forward[0]]])
    up = vehicles.up[row]
    return np.array([forward, up, np.cross(forward, up)])


def paced(b: Any, at: At, force: Array) -> Array:
    """The force toward a wanted velocity that is the slower the denser it is ahead."""
    _, rows, positions = watched(b, at)
    if b.speed is None or len(rows) < b.k:
        return force
    target = laws.truncate(at.velocity + force * at.tau / at.mass, at.max_speed)
    densities = np.linspace(0, 10, 201)
    parts = weidmann(densities[1:]) if b.speed == "weidmann" else b.speed(densities[1:])
    density = laws.density_ahead(target, positions - at.position)
    return at.match(target * np.interp(density, densities, [1.0, *parts]) - at.velocity)


def orca(b: Any, at: At, answers: list[Answer]) -> Answer:
    force, claims = answers[0] if answers else (np.zeros_like(at.forward), False)
    force = paced(b, at, force)
    planes = [laws.reciprocal_plane(*rock, horizon=b.obstacle_horizon, share=1.0, now=at.tau) for rock in rocks(b, at)]
    planes += faces(b, at)
    hard = len(planes)
    others, rows, positions = watched(b, at)
    retreats = [0.0] * hard
    for j, position in zip(rows, positions, strict=True):
        reach = at.radius + others.radius[j]
        reach += min(at.max_speed * at.tau, 0.25 * reach) if b.margin is None else b.margin
        more = [int(number) * 40503 % 65536 / 65536 for number in (at.place.vehicles.id[at.i], others.id[j])]
        share = others.share[j] if b.share is None else b.share
        uneven = b.uneven * min(share, 1 - share) * (more[0] - more[1])
        share += uneven
        retreats.append(2 * max(uneven, 0.0) * at.max_speed)  # The first turn: within five seconds.
        planes.append(
            laws.reciprocal_plane(
                position - at.position, at.velocity, others.velocity[j], reach, horizon=b.time_horizon, share=share,
                now=at.tau,
            )
        )  # fmt: skip
    target = at.velocity + force * at.tau / at.mass
    normals, offsets = [plane[0] for plane in planes], [plane[1] for plane in planes]
    v = laws.nearest_velocity(np.array(normals), np.array(offsets), target, at.max_speed, hard=hard)
    if np.abs(v - laws.truncate(target, at.max_speed)).max() > 1e-12:
        size = laws.length(target)
        left = size * laws.perpendicular(laws.normalize(target))
        if len(target) == 3:
            left = size * direction_or(np.cross(at.up, target), size, left / size)
        target = target + b.bias * left
        v = laws.nearest_velocity(np.array(normals), np.array(offsets), target, at.max_speed, hard=hard)
    wanted = target @ target
    if wanted > 0.25 * at.max_speed**2 and max(v @ target, at.velocity @ target) < 0.1 * wanted:
        back = [b + more * (b > n @ target) for n, b, more in zip(normals, offsets, retreats, strict=True)]
        stepped = laws.nearest_velocity(np.array(normals), np.array(back), target, at.max_speed, hard=hard)
        lacks = [np.max(np.array(offsets) - np.array(normals) @ each) for each in (v, stepped)]
        if lacks[1] <= max(lacks[0], 1e-12):
            v = stepped
    return at.match(v - at.velocity), claims


def faces(b: Any, at: At) -> list[tuple[Array, float]]:
    """The planes of the parts of sets of boxes, nearest first, less those that lie behind another."""
    bars: list[tuple[Array, float]] = []
    way, reach = at.velocity * b.obstacle_horizon, at.max_speed * b.obstacle_horizon
    for each in b.obstacles.sets if b.obstacles is not None else ():
        if isinstance(each, sm.Boxes):
            bars += boxes(each, at, way, reach, bars)
    return [(normal, bound / b.obstacle_horizon) for normal, bound in bars]


def boxes(each: sm.Boxes, at: At, way: Array, reach: float, before: list[tuple[Array, float]]) -> list[Any]:
    """The half-spaces that the boxes of one set add to those before."""
    nearest = each.nearest(at.position, at.place.domain)
    if nearest.distance < 0:
        return [(nearest.normal, at.radius - float(nearest.distance))]
    bars: list[tuple[Array, float]] = []
    single = [sm.Boxes(*parts) for parts in zip(each.center, each.size, each.orientation, strict=True)]
    gaps = [float(one.nearest(at.position, at.place.domain).distance) - at.radius for one in single]
    for k in np.argsort(gaps, kind="stable"):
        corners = at.near(each.center[k]) + (each.corners[k] - each.center[k]) - at.position
        slack = 1e-3 * (abs(gaps[k]) + at.radius)
        behind = any(np.max(corners @ n) + at.radius - bound <= slack for n, bound in before + bars)
        if gaps[k] <= reach and not behind:
            off, later = (
                max(0.0, float(found.distance)) * found.normal
                for found in (single[k].nearest(p, at.place.domain) for p in (at.position, at.position + way))
            )
            bars.append(laws.clear_ways(corners, off, later, way, at.radius))
    return bars


def spheres(b: Any) -> sm.Spheres:
    """The spheres among the obstacles."""
    return next(each for each in b.obstacles.sets if isinstance(each, sm.Spheres))


def rocks(b: Any, at: At) -> list[tuple[Any, ...]]:
    """Offset, own velocity, no velocity and reach of the obstacles in reach, nearest first."""
    if b.obstacles is None:
        return []
    found = spheres(b)
    offsets = at.near(found.center) - at.position
    gaps = laws.length(offsets) - found.radius - at.radius
    rows = [j for j in np.argsort(gaps, kind="stable") if gaps[j] < at.max_speed * b.obstacle_horizon][:8]
    return [(offsets[j], at.velocity, 0 * at.velocity, found.radius[j] + at.radius) for j in rows]


REFERENCES: dict[str, Reference] = {
    "AvoidNeighbors": avoid_neighbors,
    "FollowLeader": follow_leader,
    "Formation": formation,
    "Queue": queue,
}
COMBINATIONS: dict[str, Combination] = {"ORCA": orca}

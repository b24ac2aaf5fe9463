"""References of the behaviors about paths."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import LIKE, Answer, At, Reference, slowing, spring_time, words
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.core.maths.random import uniform


def road(b: Any, at: At) -> Any:
    """A path as the vehicle sees it. On a torus its nearest point is that of the nearest of all images of the vehicle."""
    return b.path if not at.place.state.torus else ImagesOf(b.path, at)


@dataclass(frozen=True)
class ImagesOf:
    """A path that is asked about a place and all of its images at once."""

    path: sm.Path
    at: At

    def __getattr__(self, name: str) -> Any:
        return getattr(self.path, name)

    def project(self, point: Array) -> Any:
        period = np.array(self.at.place.domain.size)
        turns = np.stack(np.meshgrid(*[np.arange(-3, 4)] * len(period)), axis=-1).reshape(-1, len(period))
        every = self.path.project(point + turns * period)
        nearest = np.argmin(every.distance)
        return every.s[nearest], every.distance[nearest], every.segment[nearest]

    def point_at(self, s: Any) -> Array:
        return self.at.near(self.path.point_at(s))


def follow_path(b: Any, at: At) -> Answer:
    points, back = b.path.points, b.direction < 0
    if b.law == "waypoints":
        index = len(points) - 1 if back else 0
        radius = b.path.radius[min(index, len(b.path.radius) - 1)]
        near = max(radius, at.mass * at.max_speed**2 / at.max_force, at.max_speed * at.tau)
        options = {"direction": b.direction, "closed": b.path.closed, "speed": b.speed}
        options["seek_distance"] = near if b.seek_distance is None else b.seek_distance
        law: Any = laws.follow_waypoints
        steering, due = law(at.position, at.velocity, at.near(points), index, at.max_speed, **options)
        full = laws.cruise_speed(at.near(points[due]) - at.position, at.velocity, at.max_speed, b.speed)
        if b.end == "arrive" and b.thrust == "match":
            options["slowing_distance"] = slowing(b, at, full)
            steering, _ = law(at.position, at.velocity, at.near(points), index, at.max_speed, **options)
        return at.drive(b, steering), True
    if b.law == "lane":
        return follow_lane(b, at), True
    path = road(b, at)
    reach = at.max_speed * b.lookahead if b.reach is None else b.reach
    options = {"law": b.law, "direction": b.direction, "lookahead": b.lookahead, "reach": reach}
    target, left, right = laws.path_target(at.position, at.velocity, path, **options)
    if b.end == "arrive" and b.thrust == "match":
        full = laws.cruise_speed(target - at.position, at.velocity, at.max_speed, b.speed)
        options["slowing_distance"] = slowing(b, at, full)
        right = right and laws.length(target - at.position) + left >= options["slowing_distance"]
    steering = laws.follow_path(at.position, at.velocity, path, at.max_speed, speed=b.speed, **options)
    if right and path.length > 0:
        return np.zeros_like(steering), False
    return at.drive(b, steering), True


def follow_lane(b: Any, at: At) -> Array:
    path = road(b, at)
    limit, around = bends(b, at, path) if b.bends == "brake" else (math.inf, math.inf)
    reach = b.reach
    if not reach:
        fast = min(at.max_speed, limit)
        reach = max(min(fast * b.lookahead, around), 2 * fast * at.tau)
    share = math.sqrt(uniform(words(at, 0, 0)[0], LIKE))
    options: Any = {"direction": b.direction, "reach": reach, "share": share, "radius": at.radius}
    target, _ = laws.lane_target(at.position, path, **options)
    if b.thrust == "full":
        return laws.thrust(target - at.position, at.max_force)
    speed, most = float(laws.length(at.velocity)), at.max_force / at.mass
    spurt = math.inf
    if math.isfinite(around):
        spurt = speed + at.tau * most
    full = min(float(laws.cruise_speed(target - at.position, at.velocity, at.max_speed, b.speed)), limit, spurt)
    if b.end == "arrive":
        options["slowing_distance"] = slowing(b, at, full)
    options |= {"speed": full, "response_time": at.tau, "dt": DT}
    return at.match(laws.follow_lane(at.position, at.velocity, path, at.max_speed, **options))


def bends(b: Any, at: At, path: Any) -> tuple[float, float]:
    """The speed that the bends allow [m/s], and how far the target may lie ahead for them [m]; corner by corner."""
    s, _, j = path.project(at.position)
    _, ways, lengths, _ = b.path.segments
    radii, m, closed = b.path.radius, len(lengths), b.path.closed
    if b.direction < 0:
        ways, lengths, radii, s, j = -ways[::-1], lengths[::-1], radii[::-1], b.path.length - s, m - 1 - j
    stop = np.cumsum(np.tile(lengths, 2))
    corner, turns = np.full(2 * m, math.inf), np.zeros(2 * m)
    for first in range(m if closed else m - 1):
        turns[[first, first + m]] = angle(ways[first], ways[(first + 1) % m])
        for count in range(1, m if closed else m - first):
            last, turn = first + count - 1, angle(ways[first], ways[(first + count) % m])
            cut = 0.5 * min(radii[k % m] for k in range(first, last + 2))
            if turn > 1e-6:
                bound = (stop[last] - stop[first]) / turn + cut / (1 / math.cos(turn / 2) - 1)
                for k in range(first, last + 1):
                    corner[[k % m, k % m + m]] = min(bound, corner[k % m])
    part = np.where(np.isfinite(corner), corner, 0) * np.tan(np.minimum(turns, 3.0) / 2)
    force, lag = math.sqrt(0.5) * at.max_force / at.mass, at.tau * float(laws.length(at.velocity))
    ahead = range(j, 2 * m if closed else m)
    decisive = min(ahead, key=lambda k: corner[k] + 2 * (stop[k] - part[k]))
    distance = max(stop[decisive] - part[decisive] - s - lag, 0)
    least = max(at.radius, at.max_force / at.mass * at.tau**2)
    before = max(corner[j - 1], least) if closed or j > 0 else math.inf
    limit = float(laws.bend_speed(np.array([distance]), np.array([max(corner[decisive], least)]), force, force))
    start = stop[j] - lengths[j]
    if s < start + part[j - 1] + 2 * lag:
        limit = min(limit, math.sqrt(force * before))
    places = [
        (stop[k] + lap * stop[-1], corner[k])
        for k in range(2 * m if closed else m)
        for lap in ((-1, 0) if closed else (0,))
    ]
    return limit, min(0.8 * radius + abs(s - place) for place, radius in places)


def angle(one: Array, other: Array) -> float:
    """The angle between two unit vectors [rad]."""
    return 2 * math.atan2(float(laws.length(one - other)), float(laws.length(one + other)))


def stay_on_path(b: Any, at: At) -> Answer:
    path = road(b, at)
    s, distance, segment = path.project(at.position + b.lookahead * at.velocity)
    options = {"lookahead": b.lookahead, "speed": b.speed}
    if b.law == "tube":
        if distance <= path.radius[segment]:
            return np.zeros_like(at.position), False
        return at.drive(b, laws.stay_on_path(at.position, at.velocity, path, at.max_speed, **options)), True
    radius = path.radius[segment]
    part = min(max(distance - radius / 2, 0) / (radius * max(0.5, DT / at.tau)), 1)
    seek = laws.seek(at.position, at.velocity, path.point_at(s), at.max_speed, speed=b.speed)
    force = laws.truncate(part * at.drive(b, seek), at.max_force)
    s, distance, segment = path.project(at.position)
    radius, strength = path.radius[segment], at.max_force / at.mass
    tau = spring_time(at, strength, radius)
    deep = distance - radius + min(3 * strength * tau**2, 0.25 * radius)
    if deep > 0:
        inward = laws.normalize(path.point_at(s) - at.position)
        least = at.mass * (deep / (4 * tau) - at.velocity @ inward) / tau
        force = force + max(least - force @ inward, 0) * inward
    return force, False


REFERENCES: dict[str, Reference] = {"FollowPath": follow_path, "StayOnPath": stay_on_path}
